"""Connections that are held, and heads without end: everybody else is answered all the while."""

import contextlib
import http.client
import json
import selectors
import socket
import time
from collections.abc import Iterator
from threading import Event, Thread

import pytest

from tests.people_of import ADMIN
from tests.security.figures import tell
from tests.security.running import Running

pytestmark = pytest.mark.long

HELD = 1_100
AN_ADDRESS_HOLDS = 128
HEAD_WITHIN, BODY_WITHIN = 10, 20
LONGEST_WAIT = HEAD_WITHIN / 2
"""Seconds; whoever waits until the held connections are ended waits for ten."""
LONG_HEAD = 67_000_000


def _port(running: Running) -> int:
    return int(running.url.rpartition(":")[2])


def _ask(port: int, path: str = "/health/live") -> float:
    """Seconds to the answer that somebody at another address gets, by a connection of their own."""
    began = time.monotonic()
    call = http.client.HTTPConnection("127.0.0.1", port, 15, source_address=("127.0.0.2", 0))
    with contextlib.closing(call):
        call.request("GET", path, headers={"Host": f"127.0.0.1:{port}"})
        assert call.getresponse().status == 200
    return time.monotonic() - began


@contextlib.contextmanager
def _asking(port: int) -> Iterator[list[float]]:
    """Ask ten times a second from another address; how long each answer took."""
    took: list[float] = []
    stopped = Event()

    def ask() -> None:
        while not stopped.is_set():
            took.append(_ask(port))
            stopped.wait(0.1)

    asking = Thread(target=ask)
    asking.start()
    yield took
    stopped.set()
    asking.join()


def _opened(port: int, begun: bytes, count: int) -> Iterator[socket.socket]:
    for _ in range(count):
        one = socket.create_connection(("127.0.0.1", port), 15)
        with contextlib.suppress(OSError):  # ended already
            one.sendall(begun)
        yield one


def _until_ended(held: list[socket.socket], seconds: float) -> int:
    """Wait until the other side has ended all of these; how many it has not."""
    end = time.monotonic() + seconds
    with selectors.DefaultSelector() as open_ones:
        for one in held:
            open_ones.register(one, selectors.EVENT_READ)
        while open_ones.get_map() and time.monotonic() < end:
            for key, _ in open_ones.select(0.5):
                with contextlib.suppress(ConnectionError):
                    key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                open_ones.unregister(key.fileobj)
        return len(open_ones.get_map())


def test_who_holds_half_open_connections_stops_nobody_else(running: Running) -> None:
    port = _port(running)
    with _asking(port) as took:
        held = list(_opened(port, b"GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow:", HELD))
        most = _until_ended(held, HEAD_WITHIN / 2)
        left = _until_ended(held, HEAD_WITHIN / 2 + 5)
    for one in held:
        one.close()

    tell("S15", "half-open connections of one address", f"{most} of {HELD} held", "128 at most")
    tell("S15", "of those, open after 15 s", str(left), "0")
    tell("S15", "another address meanwhile", f"{max(took):.2f} s at most", "1 s")
    assert most <= AN_ADDRESS_HOLDS
    assert left == 0
    assert len(took) > 20
    assert max(took) < LONGEST_WAIT


def test_a_stalled_body_is_ended_and_a_slow_one_is_not(running: Running) -> None:
    port = _port(running)
    body = json.dumps(ADMIN | {"email": "slow@desk.example"}).encode()
    head = (
        f"POST /api/v1/auth/register HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    still, slow = _opened(port, head + body[:10], 2)
    began = time.monotonic()
    # Eight parts, a pause of four seconds before each: 32 s in all, and never 20 without a byte.
    step = -(-len(body[10:]) // 8)
    parts = [body[10 + step * place :][:step] for place in range(8)]
    ended_after = 0.0
    with contextlib.closing(still), contextlib.closing(slow):
        for part in parts:
            if not ended_after and _until_ended([still], 4) == 0:
                ended_after = time.monotonic() - began
            elif ended_after:
                Event().wait(4)
            slow.sendall(part)
        answer = slow.recv(65_536)

    tell("S15", "a body that stops arriving is ended after", f"{ended_after:.1f} s", "20 to 22 s")
    # The slow one needs 32 s.
    assert BODY_WITHIN - 1 <= ended_after <= BODY_WITHIN + 8
    assert answer.startswith(b"HTTP/1.1 200")


def test_a_head_without_end_is_refused_and_costs_next_to_nothing(running: Running) -> None:
    port = _port(running)

    def cpu() -> float:
        text = running.web.get("/metrics").text
        (line,) = (
            splitline
            for splitline in text.splitlines()
            if splitline.startswith("process_cpu_seconds_total ")
        )
        return float(line.split()[1])

    before = cpu()
    with _asking(port) as took:
        answers = [_sent_without_end(port) for _ in range(4)]
    spent = cpu() - before

    tell("S16", f"4 heads of {LONG_HEAD // 1_000_000} MB, processor time", f"{spent:.2f} s", "2 s")
    tell("S16", "another address meanwhile", f"{max(took):.2f} s at most", "1 s")
    assert all(answer.startswith(b"HTTP/1.1 431 ") for answer in answers), answers
    assert spent < 2
    assert max(took) < LONGEST_WAIT


def _sent_without_end(port: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port), 60) as one:
        with contextlib.suppress(ConnectionError):
            one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
            for _ in range(LONG_HEAD // 1_000_000):
                one.sendall(b"a" * 1_000_000)
        answer = b""
        with contextlib.suppress(ConnectionError):
            answer = one.recv(4096)
        return answer


def test_a_head_of_almost_the_largest_size_is_read(running: Running) -> None:
    port = _port(running)
    call = http.client.HTTPConnection("127.0.0.1", port, 15)
    with contextlib.closing(call):
        call.putrequest("GET", "/health/live")
        call.putheader("X-Long", "a" * 63_000)
        call.endheaders()

        assert call.getresponse().status == 200
