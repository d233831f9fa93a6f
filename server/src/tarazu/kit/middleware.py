"""The outermost layer: request ids, hosts, limits, headers on every answer, one log line a call."""

import time
import uuid

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tarazu.kit import deadline
from tarazu.kit.errors import ApiError, TooLarge, answer_to, fault_answer
from tarazu.kit.hosts import ASKED_BY_MACHINES, Hosts, UnknownHost
from tarazu.kit.metrics import COUNTS
from tarazu.kit.settings import Settings

log = structlog.get_logger()

LARGEST_BODY = 1 << 20
LARGEST_UPLOAD = 6 << 20
"""A file of 5 MB in its form."""
UPLOAD_PATHS = frozenset({"/api/v1/admin/clients/import", "/api/v1/admin/imports/prices"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: https:; font-src 'self'; connect-src 'self' {socket}; "
    "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
    "manifest-src 'self'; require-trusted-types-for 'script'"
)

# No answer has any of these when it comes here.
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
ONLY_HTTPS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


class OuterMiddleware:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = Hosts(settings)
        self.is_https = settings.is_https
        always = ALWAYS | (ONLY_HTTPS if settings.is_https else {})
        self.always = [(name.lower().encode(), text.encode()) for name, text in always.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not self.hosts.has(_host_of(scope)):
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        call = _Call(self, scope, receive, send)
        await call.run()


class _Call:
    def __init__(self, outer: OuterMiddleware, scope: Scope, receive: Receive, send: Send) -> None:
        self.outer, self.scope, self.inner_receive, self.inner_send = outer, scope, receive, send
        self.headers = Headers(scope=scope)
        host = _host_of(scope)
        self.host = host if outer.hosts.has(host) else ""
        self.request_id = _request_id(self.headers.get("X-Request-Id", ""))
        self.status = 0
        self.received = 0
        self.is_refused = False
        self.limit = LARGEST_UPLOAD if scope["path"] in UPLOAD_PATHS else LARGEST_BODY

    async def run(self) -> None:
        scope = self.scope
        scope.setdefault("state", {})["request_id"] = self.request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=self.request_id)
        deadline.begin()
        began = time.perf_counter()
        try:
            refusal = self._refusal()
            if refusal is not None:
                await self._refuse(refusal)
            else:
                await self.outer.app(scope, self._receive, self._send)
        except TooLarge:
            if not self.is_refused:
                await self._refuse(self._too_large())
        except Exception as fault:  # the last resort: logged, answered as a 500
            log.exception("fault", error=type(fault).__name__)
            if self.status == 0:
                await fault_answer(Request(self.scope))(self.scope, self._receive, self._send)
        finally:
            self._count(time.perf_counter() - began)

    def _count(self, seconds: float) -> None:
        route = getattr(self.scope.get("route"), "path", "-")
        COUNTS.call(_known_method(self.scope["method"]), route, self.status, seconds)
        if self.scope["path"].startswith("/api"):
            self._log(round(seconds * 1000, 1))

    def _log(self, milliseconds: float) -> None:
        route = self.scope.get("route")
        caller = self.scope["state"].get("caller")
        log.info(
            "call",
            method=self.scope["method"],
            route=getattr(route, "path", "-"),
            status=self.status,
            ms=milliseconds,
            account_id=str(caller.account_id) if caller else None,
        )

    def _refusal(self) -> ApiError | None:
        if not self.host and not self.scope["path"].startswith(ASKED_BY_MACHINES):
            return UnknownHost()
        length = self.headers.get("Content-Length", "0")
        if length.isdigit() and int(length) > self.limit:
            return self._too_large()
        return None

    def _too_large(self) -> TooLarge:
        is_upload = self.limit == LARGEST_UPLOAD
        return TooLarge("The file is larger than 5 MB." if is_upload else None)

    async def _refuse(self, refusal: ApiError) -> None:
        await answer_to(refusal, Request(self.scope))(self.scope, self._receive, self._send)

    async def _receive(self) -> Message:
        message = await self.inner_receive()
        self.received += len(message.get("body", b""))
        if self.received > self.limit:
            # Answered here: who parses the body would turn this into a bad request.
            if not self.status:
                await self._refuse(self._too_large())
                self.is_refused = True
            raise TooLarge
        return message

    async def _send(self, message: Message) -> None:
        if self.is_refused:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._add_headers(MutableHeaders(scope=message))
        await self.inner_send(message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        headers.raw.extend(self.outer.always)
        scheme = "wss" if self.outer.is_https else "ws"
        socket = f"{scheme}://{self.host}" if self.host else ""
        headers["X-Request-Id"] = self.request_id
        headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.format(socket=socket)
        if self.scope["path"].startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


def _host_of(scope: Scope) -> str:
    """The host that a call names; empty where it names several: a proxy may have read another."""
    named = Headers(scope=scope).getlist("Host")
    return named[0] if len(named) == 1 else ""


def _known_method(method: str) -> str:
    # Anybody may make up a method, and every word that is counted is kept.
    return method if method in {"GET", "HEAD", "POST", "PUT", "DELETE"} else "other"


def _request_id(given: str) -> str:
    try:
        return str(uuid.UUID(given))
    except ValueError:
        return str(uuid.uuid4())
