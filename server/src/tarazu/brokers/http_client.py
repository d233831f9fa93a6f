"""Calls and sockets to the brokers' hosts, and to no other.

A host must be on the list, every address it resolves to must be public, and the connection is
made to an address that was checked, so that a name cannot change its meaning in between. No
redirect is followed, no proxy and no cookie is taken along, certificates are verified. What goes
wrong is reported with host and kind; addresses, headers and bodies, which hold secrets, are in no
exception and no log.
"""

import asyncio
import contextlib
import logging
import socket
import zlib
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, BinaryIO, NoReturn
from urllib.parse import urlsplit

import httpcore
import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI

from tarazu.brokers.host_rules import PLAIN_PORTS, SECURE_PORTS, HostRules
from tarazu.kit.circuit_breaker import CircuitBreaker

CONNECT_SECONDS = 3.0
TOTAL_SECONDS = 8.0
LARGEST_BODY = 5 << 20
DOWNLOAD_SECONDS = 120.0
LARGEST_DOWNLOAD = 192 << 20
LARGEST_FRAME = 2 << 20
LARGEST_PIECE = 64 << 10
FAILURE_THRESHOLD = 5
"""Failures in a row after which a host is not called for a while."""
RESET_TIMEOUT = 30.0
USER_AGENT = "Tarazu"
# What these libraries log while they work holds URLs and headers, and so tokens.
logging.getLogger("httpcore").setLevel(logging.WARNING)
_silent = logging.getLogger("tarazu.brokers.sockets")
_silent.setLevel(logging.CRITICAL + 1)
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host, in the order in which they should be tried."""


class CallFailed(Exception):
    """The call failed after it started: there is no whole answer. The text has host and kind."""


class SocketRefused(Exception):
    """The far side answered the handshake of a socket with this HTTP status."""

    def __init__(self, host: str, status: int) -> None:
        super().__init__(f"{host}: handshake answered {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class BrokerResponse:
    """A whole answer; the body is unpacked."""

    status: int
    content_type: str
    body: bytes = field(repr=False)
    retry_after: str = ""


class BrokerHttpClient:
    """Calls and sockets to the outside, from one event loop."""

    def __init__(self, rules: HostRules, resolve: Resolve | None = None) -> None:
        self.rules = rules
        self._resolve = resolve or _addresses_of
        # The environment's proxies and certificates are not used: they would see the tokens.
        self._context = httpx.create_ssl_context(trust_env=False)
        self._pools = {
            is_secure: httpcore.AsyncConnectionPool(
                ssl_context=self._context,
                max_connections=32,
                max_keepalive_connections=8,
                keepalive_expiry=20.0,
                network_backend=_CheckedNetwork(self.checked_addresses, is_secure=is_secure),
            )
            for is_secure in (True, False)
        }
        self._breakers: dict[str, CircuitBreaker] = {}

    def circuit_breaker_of(self, address: str) -> CircuitBreaker:
        """The circuit breaker of an address's host, which all callers share."""
        host = urlsplit(address).netloc.lower()
        return self._breakers.setdefault(host, CircuitBreaker(FAILURE_THRESHOLD, RESET_TIMEOUT))

    async def call(
        self,
        method: str,
        address: str,
        *,
        headers: Mapping[str, str],
        query: Sequence[tuple[str, str]] = (),
        form: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> BrokerResponse:
        """Make one call and read its whole answer: 3 s to connect, 8 s and 5 MiB in all.

        Args:
            method: as in HTTP.
            address: without a query.
            headers: beside those of every call.
            query: pairs, which are encoded here.
            form: sent form-encoded.
            body: sent as JSON.

        Raises:
            CallRefused: the address may not be called.
            CallFailed: no answer, a redirect, or too long a one.
        """
        url = self.rules.url_of(address)
        if query:
            url = url.copy_merge_params(list(query))
        request = httpx.Request(method, url, headers=_common(headers), data=form, json=body)
        with _translated_failures(url.host):
            async with asyncio.timeout(TOTAL_SECONDS), self._send(request) as answer:
                parts = [part async for part in _unpacked(answer, LARGEST_BODY)]
                return BrokerResponse(
                    answer.status,
                    _header(answer, b"content-type"),
                    b"".join(parts),
                    _header(answer, b"retry-after"),
                )

    async def download(
        self, address: str, into: BinaryIO, *, headers: Mapping[str, str]
    ) -> tuple[int, str]:
        """Read a long answer, unpacked, into a file: at most 192 MiB and two minutes.

        Returns:
            The answer's status and content type.

        Raises:
            CallRefused: the address may not be called.
            CallFailed: no answer, a redirect, a break, or too long a one.
        """
        url = self.rules.url_of(address)
        request = httpx.Request("GET", url, headers=_common(headers))
        with _translated_failures(url.host):
            async with asyncio.timeout(DOWNLOAD_SECONDS), self._send(request) as answer:
                async for part in _unpacked(answer, LARGEST_DOWNLOAD):
                    into.write(part)
                return answer.status, _header(answer, b"content-type")

    async def open_socket(
        self,
        location: str,
        *,
        headers: Mapping[str, str],
        query: Sequence[tuple[str, str]] = (),
        ping_every: float = 10.0,
    ) -> ClientConnection:
        """Open a socket; frames are at most 2 MiB and not compressed.

        Raises:
            CallRefused: the address may not be called.
            SocketRefused: the far side answered with another status than 101.
            CallFailed: no connection.
        """
        url = self.rules.url_of(location)
        is_secure = url.scheme == "wss"
        port = url.port or (SECURE_PORTS | PLAIN_PORTS)[url.scheme]
        options: dict[str, Any] = {"ssl": self._context} if is_secure else {}
        with _translated_failures(url.host):
            async with asyncio.timeout(CONNECT_SECONDS):
                addresses = await self.checked_addresses(url.host, port, is_secure=is_secure)
            for address in addresses:
                opening = _NoRedirectSocket(
                    str(url.copy_merge_params(list(query)) if query else url),
                    # The handshake and the certificate use the host; the connection uses the address.
                    host=address,
                    port=port,
                    additional_headers=dict(headers),
                    user_agent_header=USER_AGENT,
                    open_timeout=TOTAL_SECONDS / len(addresses),
                    proxy=None,
                    compression=None,
                    max_size=LARGEST_FRAME,
                    ping_interval=ping_every,
                    ping_timeout=ping_every,
                    close_timeout=1,
                    logger=_silent,
                    **options,
                )
                try:
                    return await opening
                except OSError:
                    if address is addresses[-1]:
                        raise
            raise OSError

    async def aclose(self) -> None:
        """Close every connection."""
        for pool in self._pools.values():
            await pool.aclose()

    async def checked_addresses(self, host: str, port: int, *, is_secure: bool) -> Sequence[str]:
        """Where `host` may be connected to.

        Raises:
            CallRefused: one of its addresses is not public.
            OSError: the name cannot be resolved.
        """
        addresses = await self._resolve(host, port)
        self.rules.check_addresses(addresses, is_secure=is_secure)
        return addresses

    @contextlib.asynccontextmanager
    async def _send(self, request: httpx.Request) -> AsyncIterator[httpcore.Response]:
        limits = dict.fromkeys(("read", "write", "pool"), TOTAL_SECONDS)
        async with self._pools[request.url.scheme == "https"].stream(
            request.method,
            httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=request.read(),
            extensions={"timeout": limits | {"connect": CONNECT_SECONDS}},
        ) as answer:
            if HTTPStatus.MULTIPLE_CHOICES <= answer.status < HTTPStatus.BAD_REQUEST:
                raise CallFailed(f"{request.url.host}: answered with a redirect")
            yield answer


class _CheckedNetwork(httpcore.AsyncNetworkBackend):
    """Connects to checked addresses; the pool above still uses the host name."""

    def __init__(
        self, checked: Callable[..., Awaitable[Sequence[str]]], *, is_secure: bool
    ) -> None:
        self._checked, self._is_secure = checked, is_secure
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        loop = asyncio.get_running_loop()
        ends = loop.time() + (timeout or CONNECT_SECONDS)
        async with asyncio.timeout_at(ends):
            addresses = await self._checked(host, port, is_secure=self._is_secure)
        for place, address in enumerate(addresses):
            # A host with an unreachable address must leave time for the others.
            share = max(0.1, (ends - loop.time()) / (len(addresses) - place))
            try:
                return await self._network.connect_tcp(
                    address, port, share, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if address is addresses[-1]:
                    raise
        raise httpcore.ConnectError

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _NoRedirectSocket(connect):
    """A socket that does not follow redirects."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


async def _addresses_of(host: str, port: int) -> Sequence[str]:
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def _common(headers: Mapping[str, str]) -> dict[str, str]:
    return {"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"} | dict(headers)


def _header(answer: httpcore.Response, header_name: bytes) -> str:
    for name, value in answer.headers:
        if name.lower() == header_name:
            return value.decode("latin-1")
    return ""


async def _unpacked(answer: httpcore.Response, largest: int) -> AsyncIterator[bytes]:
    """The body's parts, unpacked a piece at a time, so that a small part cannot swell."""
    packing = _header(answer, b"content-encoding").strip().lower()
    if packing not in {"", "identity", "gzip"}:
        raise CallFailed("an answer in an unknown compression")
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS) if packing == "gzip" else None
    left = largest
    async for packed in answer.aiter_stream():
        for piece in _pieces(packed, unpacker):
            left -= len(piece)
            if left < 0:
                raise CallFailed("an answer longer than may be")
            yield piece
    if unpacker is not None and not unpacker.eof:
        raise CallFailed("a truncated answer")


def _pieces(packed: bytes, unpacker: "zlib._Decompress | None") -> Iterator[bytes]:
    if unpacker is None:
        yield packed
        return
    while True:
        piece = unpacker.decompress(packed, LARGEST_PIECE)
        yield piece
        packed = unpacker.unconsumed_tail
        # A full piece may leave more inside, though all that came was taken in.
        if not packed and len(piece) < LARGEST_PIECE:
            return


@contextlib.contextmanager
def _translated_failures(host: str) -> Iterator[None]:
    """Turn every library's failures into ours, without what they carry."""
    try:
        yield
    except CallFailed as failure:
        _fail(host, str(failure).removeprefix(f"{host}: "))
    except InvalidStatus as failure:
        raise SocketRefused(host, failure.response.status_code) from None
    except (TimeoutError, httpcore.TimeoutException):
        _fail(host, "no answer in time")
    except InvalidMessage:
        _fail(host, "no answer that is HTTP")
    except (InvalidHandshake, InvalidURI, ValueError):
        _fail(host, "no handshake")
    except httpcore.ProtocolError:
        _fail(host, "a truncated answer")
    except zlib.error:
        _fail(host, "an answer that cannot be unpacked")
    except (httpcore.NetworkError, OSError) as failure:
        _fail(host, f"no connection ({type(failure).__name__})")


def _fail(host: str, kind: str) -> NoReturn:
    raise CallFailed(f"{host}: {kind}") from None
