"""Sockets to browsers: a Socket.IO server, admission by session, frames for all browsers.

python-socketio handles the protocol with each browser: handshake, admission, pings, close. A
broadcast is framed once and the same bytes are written to every transport, in slices, so that a
thousand browsers cost little more than the writes. A browser that reads too slowly is skipped,
then sent the full state, then dropped; it never delays another.

Each process has the browsers that a load balancer gave it. What concerns all of them goes over the
message bus, and each process writes it to its own.
"""

import asyncio
import contextlib
import json
import struct
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from threading import Lock
from typing import Annotated, Any, Protocol
from urllib.parse import urlsplit

import structlog
from fastapi import Depends, Request
from socketio import AsyncServer
from socketio.exceptions import ConnectionRefusedError as SocketRefused
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tarazu.kit.errors import ApiError
from tarazu.kit.pubsub import MessageBus

log = structlog.get_logger()

PATH = "/socket.io"
UNAUTHORIZED = "Unauthorized"
TOO_MANY = "Too many connections"

LARGEST_MESSAGE = 10_000
SOCKETS_A_SESSION = 5
SLICE = 64
"""Browsers written to before the event loop may run something else."""
BREATH = 0.001
"""Seconds between slices, in which threads that answer calls can run."""
MOST_WAITING = 32_768
"""Unread bytes after which a browser is skipped."""
LONGEST_BEHIND = 10.0
LONGEST_HANDSHAKE = 10.0
PING_EVERY = 15.0
PONG_WITHIN = 10.0
LIBRARY_PING_EVERY = 120.0
"""Seconds between the library's own pings, which cost ten times ours: tasks and timers."""
MOST_IGNORED = 100
"""Unexpected messages after which a socket is dropped."""
FLUSH_EVERY = 0.25
SWEEP_EVERY = 2.0

PROGRESS = "progress"
"""The bus topic of progress reports."""

_CONNECTION = "tarazu.connection"
_PING, _PONG = "2", "3"


@dataclass(frozen=True, slots=True)
class Member:
    """Who holds a socket, and by which session."""

    account_id: uuid.UUID
    session_id: uuid.UUID | None
    token: str = field(repr=False)


class Guard(Protocol):
    """Decides who may hold a socket, and for how long; called in a worker thread."""

    def admit(self, token: str) -> Member:
        """The holder of a live token.

        Raises:
            ApiError: the token is dead, or its holder may not sign in.
        """

    def ended(self, tokens: Collection[str]) -> set[str]:
        """Those of `tokens` whose session has ended; this does not keep a session alive."""

    def seeing_all(self, accounts: Collection[uuid.UUID]) -> Collection[uuid.UUID]:
        """Those of these accounts that may see every client now."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a long job: `done` of `total` in `step`."""

    id: str
    step: str
    done: int
    total: int
    state: str


def publish_progress_of(bus: MessageBus, account_id: uuid.UUID | None, progress: Progress) -> None:
    """Report progress to the browsers of every process; also from a process without sockets."""
    body = {"account": str(account_id) if account_id else None, "progress": asdict(progress)}
    bus.publish(PROGRESS, json.dumps(body).encode())


def frame_of(event: str, body: str) -> bytes:
    """The bytes on the wire of one event, unmasked and uncompressed; `body` is JSON."""
    return _framed(f"42{json.dumps([event])[:-1]},{body}]".encode())


def _framed(payload: bytes) -> bytes:
    length = len(payload)
    if length < 126:  # noqa: PLR2004 - the sizes of RFC 6455, 5.2
        return struct.pack("!BB", 0x81, length) + payload
    if length < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, length) + payload
    return struct.pack("!BBQ", 0x81, 127, length) + payload


_PING_FRAME = _framed(_PING.encode())


@dataclass(slots=True, eq=False)
class SocketConnection:
    """One websocket; it receives frames from its admission until it is closed."""

    transport: asyncio.WriteTransport
    opened_at: float
    sid: str = ""
    member: Member | None = None
    is_open: bool = False
    behind_since: float | None = None
    has_connected: bool = False
    ignored: int = 0
    heard_at: float = field(init=False)
    pinged_at: float = field(init=False)
    is_pinged_by_library: bool = False

    def __post_init__(self) -> None:
        self.heard_at = self.pinged_at = self.opened_at

    def send(self, frame: bytes, full_state: Callable[[], bytes], now: float) -> None:
        """Write a frame; nothing to a slow reader; the full state once it has caught up."""
        if self.transport.is_closing():
            # The browser is gone; its close event follows.
            self.is_open = False
            return
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            self.behind_since = now if self.behind_since is None else self.behind_since
            if now - self.behind_since > LONGEST_BEHIND:
                self.drop()
            return
        if self.behind_since is not None:
            self.behind_since, frame = None, full_state()
        self.transport.write(frame)

    def drop(self) -> None:
        """Close the connection at once; unread frames are lost."""
        self.is_open = False
        self.transport.abort()

    def ping(self, now: float) -> None:
        """Ask for a sign of life."""
        self.pinged_at = now
        if not self.transport.is_closing():
            self.transport.write(_PING_FRAME)

    def takes(self, message: Message, now: float) -> bool:
        """Whether the library needs this message: one CONNECT, its own pongs, a disconnect."""
        text = message.get("text") or ""
        if text.startswith("40") and not self.has_connected:
            self.has_connected = True
            return True
        if text == _PONG:
            self.heard_at = now
            is_for_library, self.is_pinged_by_library = self.is_pinged_by_library, False
            return is_for_library
        if text == "1" or text.startswith("41"):
            return True
        self.ignored += 1
        return False


class SocketHub:
    """All sockets of this process.

    Args:
        guard: decides on tokens.
        public_url: the installation's address; pages of another origin are refused.
        bus: connects the hubs of all processes.

    `initial_frames` returns the frames that a browser is sent right after its admission.
    """

    def __init__(self, guard: Guard, public_url: str, bus: MessageBus | None = None) -> None:
        self.initial_frames: Callable[[], Iterable[bytes]] = tuple
        self._guard, self._bus = guard, bus or MessageBus()
        self._bus.subscribe(PROGRESS, self._receive_progress)
        self._public_host = urlsplit(public_url).netloc.lower()
        self._connections: set[SocketConnection] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._progress: dict[tuple[uuid.UUID | None, str], Progress] = {}
        self._received: dict[tuple[uuid.UUID | None, str], Progress] = {}
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sweep_now = asyncio.Event()
        self._server = AsyncServer(
            async_mode="asgi",
            transports=["websocket"],
            allow_upgrades=False,
            cors_allowed_origins=[],  # origins are checked here, in `_is_foreign`
            http_compression=False,
            max_http_buffer_size=LARGEST_MESSAGE,
            monitor_clients=False,  # a socket that answers no ping is dropped by `_sweep`
            # The protocol announces the sum, which is how often browsers are pinged.
            ping_interval=(LIBRARY_PING_EVERY, PING_EVERY - LIBRARY_PING_EVERY),
            ping_timeout=PONG_WITHIN,
        )
        self._server.on("connect", self._admit)

    @property
    def browsers(self) -> int:
        """How many browsers are connected and admitted."""
        return sum(connection.is_open for connection in self._connections)

    def start(self) -> None:
        """Start sending progress and closing the sockets of ended sessions; on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [
            asyncio.create_task(_repeat(FLUSH_EVERY, self._flush), name="live-progress"),
            asyncio.create_task(
                _repeat(SWEEP_EVERY, self._sweep, self._sweep_now), name="live-sessions"
            ),
        ]

    def wake(self) -> None:
        """Check for ended sessions now; from any thread."""
        if self._loop is not None:
            # RuntimeError: the loop is closed, and every socket with it.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._sweep_now.set)

    async def stop(self) -> None:
        """Close every socket."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        for connection in list(self._connections):
            connection.drop()

    async def broadcast(self, frame: bytes, full_state: Callable[[], bytes] | None = None) -> None:
        """Write a frame to every open socket.

        Args:
            frame: made by `frame_of`.
            full_state: makes the frame for a socket that has missed some.
        """
        make_full = cache(full_state or (lambda: frame))
        now = asyncio.get_running_loop().time()
        # A socket that opens meanwhile gets initial frames at least as new as this one.
        connections = [connection for connection in self._connections if connection.is_open]
        await _in_slices(connections, lambda connection: connection.send(frame, make_full, now))

    def publish_progress(self, account_id: uuid.UUID | None, progress: Progress) -> None:
        """Send a job's progress to the sockets of one account, or of all who see every client (None).

        From any thread. Reports may be frequent: of each job only the newest is sent, four times a second. Without
        a socket they are lost, so the job's own record must show the same.
        """
        if self._tasks:
            with self._lock:
                self._progress[account_id, progress.id] = progress

    def _receive_progress(self, body: bytes) -> None:
        """Take a report from the bus, of this process or another."""
        report = json.loads(body)
        account_id = uuid.UUID(report["account"]) if report["account"] else None
        progress = Progress(**report["progress"])
        if self._tasks:
            with self._lock:
                self._received[account_id, progress.id] = progress

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or websocket under `PATH`."""
        if scope["type"] == "http":
            await self._server.handle_request(scope, receive, send)
            return
        # uvicorn's `send` is a method of its connection, whose transport we write to.
        transport = getattr(getattr(send, "__self__", None), "transport", None)
        if transport is None:
            log.error("socket_without_transport", server=type(send).__name__)
        if transport is None or self._is_foreign(Headers(scope=scope)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        connection = SocketConnection(transport, asyncio.get_running_loop().time())
        scope[_CONNECTION] = connection
        self._connections.add(connection)
        try:
            await self._server.handle_request(
                scope, _filtered(connection, receive), self._observed(connection, send)
            )
        finally:
            connection.is_open = False
            self._connections.discard(connection)

    def _is_foreign(self, headers: Headers) -> bool:
        """Whether a page of another origin connects; programs that are no browsers send no origin."""
        origin = headers.get("Origin")
        if origin is None:
            return False
        host = urlsplit(origin).netloc.lower()
        return not host or host not in {self._public_host, headers.get("Host", "").lower()}

    def _observed(self, connection: SocketConnection, send: Send) -> Send:
        """`send`, opening the connection after its CONNECT and closing it after its DISCONNECT."""

        async def observed(message: Message) -> None:
            packet = (message.get("text") or "")[:2]
            if packet == "41" or message["type"] == "websocket.close":
                connection.is_open = False
            elif packet == _PING:
                connection.is_pinged_by_library = True
            await send(message)
            if packet == "40" and connection.member is not None:
                connection.is_open = True
                for frame in self.initial_frames():
                    connection.transport.write(frame)

        return observed

    async def _admit(self, sid: str, environ: MutableMapping[str, Any], auth: object) -> None:
        connection: SocketConnection = environ["asgi.scope"][_CONNECTION]
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token:
            raise SocketRefused(UNAUTHORIZED)
        try:
            member = await asyncio.to_thread(self._guard.admit, token)
        except ApiError as refusal:
            # With the code: a session that must set something up first has not ended.
            raise SocketRefused(UNAUTHORIZED, {"code": refusal.stable_code}) from refusal
        except Exception as error:
            # Dropped, not refused: the browser then tries again.
            log.exception("socket_admission_failed", error=type(error).__name__)
            connection.drop()
            raise SocketRefused(UNAUTHORIZED) from error
        if self._sockets_of(member.session_id) >= SOCKETS_A_SESSION:
            raise SocketRefused(TOO_MANY)
        connection.sid, connection.member = sid, member

    def _sockets_of(self, session_id: uuid.UUID | None) -> int:
        members = [
            connection.member for connection in self._connections if connection.member is not None
        ]
        return sum(member.session_id == session_id for member in members)

    async def _flush(self) -> None:
        with self._lock:
            reports, self._progress = self._progress, {}
        for (account_id, _), progress in reports.items():
            publish_progress_of(self._bus, account_id, progress)
        with self._lock:
            reports, self._received = self._received, {}
        of_all = [progress for (account_id, _), progress in reports.items() if account_id is None]
        for (account_id, _), progress in reports.items():
            if account_id is not None:
                self._write_progress(progress, {account_id})
        # Last, because it asks the database: who sees all clients may change at any time.
        if of_all:
            accounts = {held.member.account_id for held in self._connections if held.member}
            seeing_all = await asyncio.to_thread(self._guard.seeing_all, accounts)
            for progress in of_all:
                self._write_progress(progress, seeing_all)

    def _write_progress(self, progress: Progress, accounts: Collection[uuid.UUID]) -> None:
        frame = frame_of("progress", json.dumps(asdict(progress)))
        for connection in list(self._connections):
            member = connection.member
            if connection.is_open and member and member.account_id in accounts:
                connection.transport.write(frame)

    async def _sweep(self) -> None:
        """Drop sockets that were never admitted or are silent; disconnect ended sessions."""
        now = asyncio.get_running_loop().time()
        due = []
        for connection in list(self._connections):
            is_late = connection.member is None and now - connection.opened_at > LONGEST_HANDSHAKE
            is_silent = now - connection.heard_at > PING_EVERY + PONG_WITHIN
            if is_late or is_silent or connection.ignored > MOST_IGNORED:
                connection.drop()
            elif connection.is_open and now - connection.pinged_at >= PING_EVERY:
                due.append(connection)
        await _in_slices(due, lambda connection: connection.ping(now))
        held = [
            (connection, connection.member)
            for connection in self._connections
            if connection.member is not None
        ]
        if not held:
            return
        ended = await asyncio.to_thread(self._guard.ended, {member.token for _, member in held})
        for connection, member in held:
            if member.token in ended:
                connection.is_open, connection.member = False, None
                await self._server.disconnect(connection.sid)


class LiveRoute:
    """ASGI middleware that passes everything under `PATH` to the hub."""

    def __init__(self, app: ASGIApp, hub: SocketHub) -> None:
        self.app, self.hub = app, hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] in {"http", "websocket"} and (
            scope["path"] == PATH or scope["path"].startswith(f"{PATH}/")
        )
        await (self.hub.answer if is_ours else self.app)(scope, receive, send)


def _filtered(connection: SocketConnection, receive: Receive) -> Receive:
    """`receive` without the messages that browsers should not send."""

    async def filtered() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            if len(message.get("text") or message.get("bytes") or "") > LARGEST_MESSAGE:
                connection.drop()
                return {"type": "websocket.disconnect", "code": 1009}
            if connection.takes(message, asyncio.get_running_loop().time()):
                return message

    return filtered


async def _in_slices(
    connections: Sequence[SocketConnection], write: Callable[[SocketConnection], None]
) -> None:
    """Write to each open connection, with short pauses for the event loop."""
    for start in range(0, len(connections), SLICE):
        if start:
            await asyncio.sleep(BREATH)
        for connection in connections[start : start + SLICE]:
            if connection.is_open:
                write(connection)


async def _repeat(
    every: float, act: Callable[[], Awaitable[None]], wake: asyncio.Event | None = None
) -> None:
    """Call `act` every so many seconds, and at once when `wake` is set."""
    wake = wake or asyncio.Event()
    while True:
        wake.clear()
        try:
            await act()
        except Exception as error:
            # Logged, not raised: it is called again.
            log.exception("live_failed", error=type(error).__name__)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), every)


async def _hub_of(request: Request) -> SocketHub:
    hub: SocketHub = request.app.state.hub
    return hub


Live = Annotated[SocketHub, Depends(_hub_of)]
"""The hub, for a route whose job reports progress."""
