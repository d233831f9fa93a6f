"""The live line to browsers: a Socket.IO server, who may hold a socket, frames for all of them.

python-socketio speaks the protocol with each browser: opening, admission, pings, closing. What
goes to many is framed once and the same bytes are written to every transport, in slices, so
that a thousand browsers cost little more than the writing itself. A browser that reads too
slowly is skipped, then given the whole picture, then dropped; it never holds up another.

Of several processes each has the browsers that a load balancer gave it. What concerns all of them
goes over the bus, and each writes it to its own.
"""

import asyncio
import contextlib
import json
import struct
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping, Sequence
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Annotated, Any, Protocol
from urllib.parse import urlsplit

import structlog
from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tarazu.kit.errors import ApiError
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.socket_library import AsyncServer, SocketRefused

log = structlog.get_logger()

PATH = "/socket.io"
UNAUTHORIZED = "Unauthorized"
TOO_MANY = "Too many connections"

LARGEST_MESSAGE = 10_000
SOCKETS_A_SESSION = 5
SLICE = 64
"""Browsers written to before the event loop may turn to something else."""
BREATH = 0.001
"""Seconds between slices: threads that answer a call find the interpreter free meanwhile."""
MOST_WAITING = 32_768
"""Bytes a browser may leave unread before it is skipped."""
LONGEST_BEHIND = 10.0
LONGEST_HANDSHAKE = 10.0
PING_EVERY = 15.0
PONG_WITHIN = 10.0
LIBRARY_PING_EVERY = 120.0
"""Seconds between pings of the library's own, each some tasks and timers: ours cost a tenth."""
MOST_IGNORED = 100
"""Messages nobody asked for, after which a socket is dropped."""
FLUSH_EVERY = 0.25
SWEEP_EVERY = 2.0

PROGRESS = "progress"
"""The bus's topic of how far pieces of work are."""

_LINE = "tarazu.line"
_PING, _PONG = "2", "3"


@dataclass(frozen=True, slots=True)
class Member:
    """Who holds a socket, and by which session."""

    account_id: uuid.UUID
    session_id: uuid.UUID | None
    token: str = field(repr=False)


class Guard(Protocol):
    """Who may hold a socket, and for how long. Both are called in a worker thread."""

    def admit(self, token: str) -> Member:
        """The holder of a live token.

        Raises:
            Refusal: the token is dead, or its holder may not enter.
        """

    def ended(self, tokens: Collection[str]) -> set[str]:
        """Those of `tokens` whose session has ended; looking does not keep a session alive."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of long work is: `done` of `total` in `step`."""

    id: str
    step: str
    done: int
    total: int
    state: str


def tell_progress(bus: MessageBus, account_id: uuid.UUID | None, progress: Progress) -> None:
    """Tell the browsers of every process how far a piece of work is; also from one without any."""
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
    """One websocket. It is open to frames from its admission until its dismissal."""

    transport: asyncio.WriteTransport
    opened_at: float
    sid: str = ""
    member: Member | None = None
    is_open: bool = False
    behind_since: float | None = None
    has_knocked: bool = False
    ignored: int = 0
    heard_at: float = field(init=False)
    pinged_at: float = field(init=False)
    is_pinged_by_library: bool = False

    def __post_init__(self) -> None:
        self.heard_at = self.pinged_at = self.opened_at

    def offer(self, frame: bytes, whole: Callable[[], bytes], now: float) -> None:
        """Write a frame, or nothing to a slow reader; once it has caught up, the `whole`."""
        if self.transport.is_closing():
            # The browser is gone and its dismissal is on the way: nobody else's frame may wait.
            self.is_open = False
            return
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            self.behind_since = now if self.behind_since is None else self.behind_since
            if now - self.behind_since > LONGEST_BEHIND:
                self.drop()
            return
        if self.behind_since is not None:
            self.behind_since, frame = None, whole()
        self.transport.write(frame)

    def drop(self) -> None:
        """End the connection at once, whatever is still unread."""
        self.is_open = False
        self.transport.abort()

    def ping(self, now: float) -> None:
        """Ask for a sign of life."""
        self.pinged_at = now
        if not self.transport.is_closing():
            self.transport.write(_PING_FRAME)

    def takes(self, message: Message, now: float) -> bool:
        """Whether the library needs this message: one CONNECT, its own pongs, a farewell."""
        text = message.get("text") or ""
        if text.startswith("40") and not self.has_knocked:
            self.has_knocked = True
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
        bus: the way to the hubs of other processes.

    `greeting` gives the frames that a browser gets right after its admission.
    """

    def __init__(self, guard: Guard, public_url: str, bus: MessageBus | None = None) -> None:
        self.greeting: Callable[[], Iterable[bytes]] = tuple
        self._guard, self._bus = guard, bus or MessageBus()
        self._bus.subscribe(PROGRESS, self._hear_progress)
        self._public_host = urlsplit(public_url).netloc.lower()
        self._lines: set[SocketConnection] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._progress: dict[tuple[uuid.UUID | None, str], Progress] = {}
        self._heard: dict[tuple[uuid.UUID | None, str], Progress] = {}
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_hurried = asyncio.Event()
        self._server = AsyncServer(
            async_mode="asgi",
            transports=["websocket"],
            allow_upgrades=False,
            cors_allowed_origins=[],  # origins are checked here, in `_is_foreign`
            http_compression=False,
            max_http_buffer_size=LARGEST_MESSAGE,
            monitor_clients=False,  # a socket that answers no ping is dropped by `_sweep`
            # Browsers are told the sum, which is how often they are pinged.
            ping_interval=(LIBRARY_PING_EVERY, PING_EVERY - LIBRARY_PING_EVERY),
            ping_timeout=PONG_WITHIN,
        )
        self._server.on("connect", self._admit)

    @property
    def browsers(self) -> int:
        """How many sockets are open to frames."""
        return sum(line.is_open for line in self._lines)

    def start(self) -> None:
        """Begin to report progress and to look for ended sessions; on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [
            asyncio.create_task(_repeat(FLUSH_EVERY, self._flush), name="live-progress"),
            asyncio.create_task(
                _repeat(SWEEP_EVERY, self._sweep, self._is_hurried), name="live-sessions"
            ),
        ]

    def hurry(self) -> None:
        """Look for ended sessions now rather than at the next time; from any thread."""
        if self._loop is not None:
            # RuntimeError: the loop is closed, and every socket with it.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._is_hurried.set)

    async def stop(self) -> None:
        """Drop every socket."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        for line in list(self._lines):
            line.drop()

    async def broadcast(self, frame: bytes, whole: Callable[[], bytes] | None = None) -> None:
        """Write a frame to every open socket.

        Args:
            frame: made by `frame_of`.
            whole: makes what is sent instead to a socket that had missed frames.
        """
        full: list[bytes] = []

        def once() -> bytes:
            full[:] = full or [whole() if whole else frame]
            return full[0]

        now = asyncio.get_running_loop().time()
        # One that opens meanwhile was greeted with what is at least as new as this frame.
        lines = [line for line in self._lines if line.is_open]
        await _in_slices(lines, lambda line: line.offer(frame, once, now))

    def publish_progress(self, account_id: uuid.UUID | None, progress: Progress) -> None:
        """Tell the sockets of one account how far its work is, or all (None); from any thread.

        Reports may be frequent: of one piece of work only the newest goes out, four times a
        second, from every process. Without a socket they are lost, so the work's own record must
        tell the same.
        """
        if self._tasks:
            with self._lock:
                self._progress[account_id, progress.id] = progress

    def _hear_progress(self, body: bytes) -> None:
        """Take in a report from the bus: another process's, or what this one has just told."""
        told = json.loads(body)
        account_id = uuid.UUID(told["account"]) if told["account"] else None
        progress = Progress(**told["progress"])
        if self._tasks:
            with self._lock:
                self._heard[account_id, progress.id] = progress

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
        line = SocketConnection(transport, asyncio.get_running_loop().time())
        scope[_LINE] = line
        self._lines.add(line)
        try:
            await self._server.handle_request(
                scope, _filtered(line, receive), self._observed(line, send)
            )
        finally:
            line.is_open = False
            self._lines.discard(line)

    def _is_foreign(self, headers: Headers) -> bool:
        """Whether a page of another origin asks. Programs that are no browsers name no origin."""
        origin = headers.get("Origin")
        if origin is None:
            return False
        host = urlsplit(origin).netloc.lower()
        return not host or host not in {self._public_host, headers.get("Host", "").lower()}

    def _observed(self, line: SocketConnection, send: Send) -> Send:
        """`send`, opening the line once its CONNECT is written, closing it with DISCONNECT."""

        async def observed(message: Message) -> None:
            packet = (message.get("text") or "")[:2]
            if packet == "41" or message["type"] == "websocket.close":
                line.is_open = False
            elif packet == _PING:
                line.is_pinged_by_library = True
            await send(message)
            if packet == "40" and line.member is not None:
                line.is_open = True
                for frame in self.greeting():
                    line.transport.write(frame)

        return observed

    async def _admit(self, sid: str, environ: MutableMapping[str, Any], auth: object) -> None:
        line: SocketConnection = environ["asgi.scope"][_LINE]
        token = auth.get("token") if isinstance(auth, dict) else None
        if not isinstance(token, str) or not token:
            raise SocketRefused(UNAUTHORIZED)
        try:
            member = await asyncio.to_thread(self._guard.admit, token)
        except ApiError as refusal:
            # Which of them it is: a session that has something to set up first has not ended.
            raise SocketRefused(UNAUTHORIZED, {"code": refusal.stable_code}) from refusal
        except Exception as error:
            # Dropped, not refused: the browser tries again by itself.
            log.exception("socket_admission_failed", error=type(error).__name__)
            line.drop()
            raise SocketRefused(UNAUTHORIZED) from error
        if self._sockets_of(member.session_id) >= SOCKETS_A_SESSION:
            raise SocketRefused(TOO_MANY)
        line.sid, line.member = sid, member

    def _sockets_of(self, session_id: uuid.UUID | None) -> int:
        members = [line.member for line in self._lines if line.member is not None]
        return sum(member.session_id == session_id for member in members)

    async def _flush(self) -> None:
        with self._lock:
            reports, self._progress = self._progress, {}
        for (account_id, _), progress in reports.items():
            tell_progress(self._bus, account_id, progress)
        with self._lock:
            reports, self._heard = self._heard, {}
        for (account_id, _), progress in reports.items():
            frame = frame_of("progress", json.dumps(asdict(progress)))
            for line in list(self._lines):
                if line.is_open and line.member and account_id in {None, line.member.account_id}:
                    line.transport.write(frame)

    async def _sweep(self) -> None:
        """Drop sockets that were never admitted or are silent; dismiss where the session ended."""
        now = asyncio.get_running_loop().time()
        due = []
        for line in list(self._lines):
            is_late = line.member is None and now - line.opened_at > LONGEST_HANDSHAKE
            is_silent = now - line.heard_at > PING_EVERY + PONG_WITHIN
            if is_late or is_silent or line.ignored > MOST_IGNORED:
                line.drop()
            elif line.is_open and now - line.pinged_at >= PING_EVERY:
                due.append(line)
        await _in_slices(due, lambda line: line.ping(now))
        held = [(line, line.member) for line in self._lines if line.member is not None]
        if not held:
            return
        ended = await asyncio.to_thread(self._guard.ended, {member.token for _, member in held})
        for line, member in held:
            if member.token in ended:
                line.is_open, line.member = False, None
                await self._server.disconnect(line.sid)


class LiveRoute:
    """ASGI middleware that gives everything under `PATH` to the hub."""

    def __init__(self, app: ASGIApp, hub: SocketHub) -> None:
        self.app, self.hub = app, hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ours = scope["type"] in {"http", "websocket"} and (
            scope["path"] == PATH or scope["path"].startswith(f"{PATH}/")
        )
        await (self.hub.answer if is_ours else self.app)(scope, receive, send)


def _filtered(line: SocketConnection, receive: Receive) -> Receive:
    """`receive` without what browsers have no business to send."""

    async def filtered() -> Message:
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            if len(message.get("text") or message.get("bytes") or "") > LARGEST_MESSAGE:
                line.drop()
                return {"type": "websocket.disconnect", "code": 1009}
            if line.takes(message, asyncio.get_running_loop().time()):
                return message

    return filtered


async def _in_slices(
    lines: Sequence[SocketConnection], write: Callable[[SocketConnection], None]
) -> None:
    """Write to each line that is still open, and let the event loop breathe in between."""
    for start in range(0, len(lines), SLICE):
        if start:
            await asyncio.sleep(BREATH)
        for line in lines[start : start + SLICE]:
            if line.is_open:
                write(line)


async def _repeat(
    every: float, act: Callable[[], Awaitable[None]], hurry: asyncio.Event | None = None
) -> None:
    """Act again and again; before its time when `hurry` is set."""
    hurry = hurry or asyncio.Event()
    while True:
        hurry.clear()
        try:
            await act()
        except Exception as error:
            # Logged, not raised: it is done again at its next time.
            log.exception("live_failed", error=type(error).__name__)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(hurry.wait(), every)


async def _hub_of(request: Request) -> SocketHub:
    hub: SocketHub = request.app.state.hub
    return hub


Live = Annotated[SocketHub, Depends(_hub_of)]
"""The hub, for a route whose work reports its progress."""
