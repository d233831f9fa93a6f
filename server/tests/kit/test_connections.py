"""Connections with limits, without a network: uvicorn's protocol, a transport and a clock of ours."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from tarazu.kit.connections import (
    BODY_WITHIN,
    HEAD_WITHIN,
    LARGEST_HEAD,
    LINGER,
    LOOK_EVERY,
    LimitedConnection,
    limited_by,
)
from tarazu.kit.settings import Settings

GET = b"GET / HTTP/1.1\r\nHost: desk\r\n\r\n"
UPGRADE = (
    b"GET /socket.io/ HTTP/1.1\r\nHost: desk\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@dataclass
class Loop:
    """An event loop whose clock stands until it is moved on."""

    real: asyncio.AbstractEventLoop
    now: float = 1_000.0
    due: list[tuple[float, Callable[..., None], tuple[Any, ...]]] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, act: Callable[..., None], *given: Any) -> Any:
        entry = (self.now + seconds, act, given)
        self.due.append(entry)
        return _Handle(self, entry)

    def create_task(self, coroutine: Any, **_: Any) -> Any:
        return self.real.create_task(coroutine)

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and do what falls due in it."""
        end = self.now + seconds
        while early := [entry for entry in self.due if entry[0] <= end]:
            first = min(early, key=lambda entry: entry[0])
            self.due.remove(first)
            self.now = first[0]
            first[1](*first[2])
        self.now = end


@dataclass
class _Handle:
    loop: Loop
    entry: Any

    def cancel(self) -> None:
        if self.entry in self.loop.due:
            self.loop.due.remove(self.entry)


class Wire(asyncio.Transport):
    """The other side of a connection: what was written to it, and whether it was closed."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.peer = (address, 50_000)
        self.written = b""
        self.is_closed = False
        self.protocol: Any = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": self.peer, "sockname": ("127.0.0.1", 8000)}.get(name, default)

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def write(self, written: Any) -> None:
        self.written += bytes(written)

    def write_eof(self) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self.protocol.connection_lost(None)

    abort = close


class Server:
    """uvicorn's part of a server, for connections that are made by hand."""

    def __init__(self, loop: Loop, app: Any, **settings: Any) -> None:
        self.loop = loop
        self.connections = limited_by(Settings(**settings))
        self.config = uvicorn.Config(app, log_config=None, http=self.connections)
        self.config.load()
        self.state = ServerState()

    def connect(self, address: str = "203.0.113.5") -> Wire:
        wire = Wire(address)
        loop: Any = self.loop
        wire.protocol = self.connections(self.config, self.state, {}, loop)
        wire.protocol.connection_made(wire)
        return wire


async def _answers(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


async def _never_reads(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


@pytest.fixture
def loop() -> Iterator[Loop]:
    real = asyncio.new_event_loop()
    yield Loop(real)

    async def end() -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    real.run_until_complete(end())
    real.close()


@pytest.fixture
def server(loop: Loop) -> Server:
    return Server(loop, _answers)


def _send(loop: Loop, wire: Wire, *pieces: bytes) -> None:
    async def send() -> None:
        for piece in pieces:
            wire.protocol.data_received(piece)
            for _ in range(5):
                await asyncio.sleep(0)

    loop.real.run_until_complete(send())


def test_a_head_that_is_not_complete_in_ten_seconds_ends_its_connection(
    loop: Loop, server: Server
) -> None:
    silent, dripping = server.connect(), server.connect()

    _send(loop, dripping, b"GET / HTTP/1.1\r\n")
    for _ in range(9):
        loop.pass_by(1)
        _send(loop, dripping, b"X-Drip: 1\r\n")
    before = silent.is_closed, dripping.is_closed
    loop.pass_by(HEAD_WITHIN - 9 + LOOK_EVERY)

    assert before == (False, False)
    assert (silent.is_closed, dripping.is_closed) == (True, True)


@pytest.mark.parametrize("begun", [b"G", b"\r\n", GET + b"GET / HT"])
def test_a_later_request_has_ten_seconds_too(loop: Loop, server: Server, begun: bytes) -> None:
    wire = server.connect()
    _send(loop, wire, GET)
    loop.pass_by(4)
    _send(loop, wire, begun)

    for _ in range(int(HEAD_WITHIN + LOOK_EVERY) + 1):
        loop.pass_by(1)
        if not wire.is_closed:
            _send(loop, wire, b"\r\n" if begun == b"\r\n" else b"")

    assert wire.written.count(b"HTTP/1.1 204") >= 1
    assert wire.is_closed


def test_between_requests_a_connection_is_kept_as_long_as_uvicorn_keeps_it(
    loop: Loop, server: Server
) -> None:
    server.config.timeout_keep_alive = 75
    wire = server.connect()

    _send(loop, wire, GET)
    loop.pass_by(74)
    kept = not wire.is_closed
    loop.pass_by(2)

    assert kept
    assert wire.is_closed


def _head(size: int, *more: bytes) -> bytes:
    return b"\r\n".join(
        [b"POST / HTTP/1.1", b"Host: desk", b"Content-Length: %d" % size, *more, b"", b""]
    )


def test_a_body_may_be_slow_but_not_stop(loop: Loop, server: Server) -> None:
    slow, still = server.connect(), server.connect()
    for wire in (slow, still):
        _send(loop, wire, _head(10))

    for _ in range(9):
        loop.pass_by(BODY_WITHIN - 1)
        _send(loop, slow, b"x")

    assert not slow.is_closed
    assert still.is_closed
    _send(loop, slow, b"x")
    assert slow.written.startswith(b"HTTP/1.1 204")


def test_a_body_that_waits_for_us_is_not_ended(loop: Loop) -> None:
    server = Server(loop, _never_reads)
    wire = server.connect()

    _send(loop, wire, _head(1_000_000) + b"x" * 200_000)
    loop.pass_by(5 * BODY_WITHIN)

    assert wire.protocol.flow.read_paused
    assert not wire.is_closed


LONG = b"a" * (3 * LARGEST_HEAD)


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nX-Long: " + LONG,
        b"GET /" + LONG,
        b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * LARGEST_HEAD,
        b"GET / HTTP/1.1\r\nX-Long: " + LONG + b"\r\n\r\n",
        b"\r\n" * LARGEST_HEAD,
    ],
    ids=["header", "address", "headers", "complete", "blank"],
)
@pytest.mark.parametrize("step", [1 << 20, 10_000])
def test_a_head_above_64_kilobytes_is_refused_with_431(
    loop: Loop, server: Server, sent: bytes, step: int
) -> None:
    wire = server.connect()

    _send(loop, wire, *(sent[place : place + step] for place in range(0, len(sent), step)))
    told = wire.written
    loop.pass_by(LINGER + LOOK_EVERY)

    assert told.startswith(b"HTTP/1.1 431 ")
    assert told.count(b"HTTP/1.1") == 1
    assert wire.is_closed


@pytest.mark.parametrize(
    "after", [b"0\r\nX-Long: " + LONG, b"1;" + LONG], ids=["trailer", "extension"]
)
def test_text_between_the_parts_of_a_body_is_limited_too(
    loop: Loop, server: Server, after: bytes
) -> None:
    wire = server.connect()

    _send(loop, wire, b"POST / HTTP/1.1\r\nHost: desk\r\nTransfer-Encoding: chunked\r\n\r\n")
    _send(loop, wire, b"3\r\nabc\r\n", after)

    assert wire.is_closed


def test_a_large_body_is_no_head(loop: Loop, server: Server) -> None:
    wire = server.connect()
    size = 5 << 20

    sent = _head(size) + b"x" * size + GET
    _send(loop, wire, *(sent[place : place + 200_000] for place in range(0, len(sent), 200_000)))

    assert wire.written.count(b"HTTP/1.1 204") == 2
    assert not wire.is_closed


def test_a_head_just_below_the_limit_is_read(loop: Loop, server: Server) -> None:
    wire = server.connect()
    padding = b"a" * (LARGEST_HEAD - 200)

    _send(loop, wire, GET, _head(0, b"X-Long: " + padding), _head(0, b"X-Long: " + padding))

    assert wire.written.count(b"HTTP/1.1 204") == 3


def test_an_address_holds_so_many_connections_and_no_more(loop: Loop) -> None:
    server = Server(loop, _answers, connections_per_address=3, trusted_proxies="10.0.0.0/8")

    first, *held = [server.connect() for _ in range(3)]
    one_more = server.connect()
    others = [server.connect("203.0.113.6"), *(server.connect("10.1.2.3") for _ in range(9))]
    first.close()
    after_one_went = server.connect()

    assert one_more.is_closed
    assert not any(wire.is_closed for wire in (*held, *others, after_one_went))


def test_an_ipv6_network_of_64_bits_counts_as_one_address(loop: Loop) -> None:
    server = Server(loop, _answers, connections_per_address=1)

    first = server.connect("2001:db8::1")
    neighbour, other = server.connect("2001:db8::2"), server.connect("2001:db8:0:1::1")
    written_as_ipv6 = [server.connect(f"::ffff:203.0.113.{last}") for last in (1, 2)]

    assert neighbour.is_closed
    assert not any(wire.is_closed for wire in (first, other, *written_as_ipv6))


def test_a_websocket_counts_until_it_is_closed_and_may_be_silent(loop: Loop) -> None:
    server = Server(loop, _never_reads, connections_per_address=1)
    socket = server.connect()
    _send(loop, socket, UPGRADE)

    loop.pass_by(100)
    is_upgraded = not isinstance(socket.protocol, LimitedConnection)
    while_open = server.connect()
    socket.is_closed = True
    afterwards = server.connect()

    assert is_upgraded
    assert while_open.is_closed
    assert not afterwards.is_closed


def test_when_all_connections_are_closed_nothing_is_checked_any_more(
    loop: Loop, server: Server
) -> None:
    wire = server.connect()
    wire.close()

    loop.pass_by(5)

    assert loop.due == []
    assert server.connections.open_connections._held == {}
