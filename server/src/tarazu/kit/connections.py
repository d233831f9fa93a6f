"""HTTP connections with limits: how long a request may take to arrive, its head's size, how many.

uvicorn waits without end for the rest of a request, and takes a head of any length; httptools joins
a long header to itself piece by piece, so 67 MB of it cost 14 s. Here the parser is never given more
than 64 kB that is not the body, and whoever keeps a connection open must use it.
"""

from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, ClassVar, Final

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tarazu.kit.settings import Settings, networks_in

log = structlog.get_logger()

LARGEST_HEAD: Final = 65_536
"""Bytes of a request's head; also of what may stand between two parts of a body, or after it."""
HEAD_WITHIN: Final = 10.0
BODY_WITHIN: Final = 20.0
"""Seconds without a byte of a body that is not complete."""
LINGER: Final = 2.0
"""Seconds in which a refused sender may read why; closed at once, the answer would be lost."""
LOOK_EVERY: Final = 1.0
_TOO_LONG: Final = b'{"success": false, "message": "The headers of this request are too long."}'
_ANSWER: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: application/json\r\n"
    b"x-content-type-options: nosniff\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%b"
) % (len(_TOO_LONG), _TOO_LONG)


class OpenConnections:
    """The connections of one server, by who holds them: an IPv4 address, or an IPv6 network of /64."""

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections_per_address
        self._proxies = networks_in(settings.trusted_proxies)
        self._held: dict[str, set[LimitedConnection]] = {}
        self._ended: Counter[tuple[str, str]] = Counter()
        self._is_watching = False

    def admit(self, connection: "LimitedConnection") -> bool:
        """Count a new connection; False where its holder has enough of them."""
        held = self._held.setdefault(connection.holder, set())
        if len(held) >= self._most and not self._is_proxy(connection):
            # A connection that became a websocket does not tell when it ends.
            held -= {holding for holding in held if holding.transport.is_closing()}
            if len(held) >= self._most:
                self.note("connections_refused", connection)
                return False
        held.add(connection)
        if not self._is_watching:
            self._is_watching = True
            connection.loop.call_later(LOOK_EVERY, self.look, connection.loop)
        return True

    def drop(self, connection: "LimitedConnection") -> None:
        """Count a connection no more; nothing where it was not counted."""
        held = self._held.get(connection.holder, set())
        held.discard(connection)
        if not held:
            self._held.pop(connection.holder, None)

    def note(self, event: str, connection: "LimitedConnection") -> None:
        """Have it in the log with the next look: one line, however many there are."""
        self._ended[event, connection.holder] += 1

    def look(self, loop: Any) -> None:
        """End what is late, forget what has ended, and look again while there is anything open."""
        for connection in [holding for held in self._held.values() for holding in held]:
            if connection.transport.is_closing():
                self.drop(connection)
            elif connection.is_late(loop.time()):
                self.note("connection_late", connection)
                connection.transport.abort()
        for (event, holder), count in self._ended.items():
            log.warning(event, address=holder, count=count)
        self._ended.clear()
        self._is_watching = bool(self._held)
        if self._is_watching:
            loop.call_later(LOOK_EVERY, self.look, loop)

    def _is_proxy(self, connection: "LimitedConnection") -> bool:
        if connection.client is None:
            return True  # a socket of this machine's file system
        return any(ip_address(connection.client[0]) in network for network in self._proxies)


class LimitedConnection(HttpToolsProtocol):
    """uvicorn's connection, which its server closes when the other side does not keep the limits."""

    open_connections: ClassVar[OpenConnections]
    _part, _has_moved, _has_ended, _is_refused = "", False, False, False
    _framing = 0
    """Bytes received since the last one that was part of a body, or the end of a request."""
    _deadline: float | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.holder = _holder_of(self.client[0] if self.client else "")
        self._deadline = self.loop.time() + HEAD_WITHIN
        if not self.open_connections.admit(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_connections.drop(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        while data and not self._is_refused:
            room = LARGEST_HEAD - self._framing
            piece, data = data[:room], data[room:]
            self._has_moved = self._has_ended = False
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self.transport.get_protocol() is not self:
                self._part, self._deadline = "", None  # a websocket has limits of its own
                return
            self._framing = 0 if self._has_moved else self._framing + len(piece)
            self._set_deadline(self.loop.time())
            if self._framing >= LARGEST_HEAD:
                self._refuse()

    def is_late(self, now: float) -> bool:
        """Whether a part of a request has been awaited for too long."""
        if self._part == "body" and self.flow.read_paused:
            self._deadline = now + BODY_WITHIN  # it is we who do not read
        return self._deadline is not None and now > self._deadline

    def on_message_begin(self) -> None:
        self._part = "head"
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._part = "body"
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._has_moved = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._part, self._has_moved, self._has_ended = "", True, True
        super().on_message_complete()

    def _set_deadline(self, now: float) -> None:
        if self._part == "body":
            self._deadline = now + BODY_WITHIN
        elif self._has_ended:
            self._deadline = now + HEAD_WITHIN if self._part else None
        elif self._deadline is None:
            self._deadline = now + HEAD_WITHIN

    def _refuse(self) -> None:
        self._is_refused = True
        self._deadline = self.loop.time() + LINGER
        self.open_connections.note("head_too_long", self)
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return
        self.transport.write(_ANSWER)
        self.transport.write_eof()


def limited_by(settings: Settings) -> type[LimitedConnection]:
    """The class of connections for one server, uvicorn's `http`."""
    shared = {"open_connections": OpenConnections(settings)}
    return type("LimitedConnection", (LimitedConnection,), shared)


def _holder_of(address: str) -> str:
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))
