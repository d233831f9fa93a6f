"""ASGI middleware around the whole application, one class for each job."""

import re
import time
import uuid
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tarazu.kit import deadline
from tarazu.kit.errors import TooLarge, answer_to, fault_answer
from tarazu.kit.hosts import Hosts, host_of
from tarazu.kit.metrics import CALLS, DURATIONS
from tarazu.kit.settings import Settings

log = structlog.get_logger()

LARGEST_BODY = 1 << 20
LARGEST_FILES: Final = {
    "/api/v1/admin/clients/import": 5,
    "/api/v1/admin/imports/benchmark": 5,
    "/api/v1/admin/imports/corporate-actions": 5,
    "/api/v1/admin/imports/prices": 5,
    "/api/v1/admin/imports/tradebook": 20,
    "/api/v1/admin/registers/files": 2,
    "/api/v1/settings/firm/logo": 2,
    "/api/v1/settings/firm/signature": 2,
}
"""The paths that take a file, and how large it may be, in megabytes."""
FILES_OF_RECORDS: Final = (
    (re.compile(r"/api/v1/admin/obligations/[^/]+/evidence"), 10),
    (re.compile(r"/api/v1/admin/clients/client/[^/]+/consents"), 2),
)
"""Paths that take a file and name a record, and how large it may be, in megabytes."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE"})

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: https:; font-src 'self'; connect-src 'self' {socket}; "
    "form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
    "manifest-src 'self'; require-trusted-types-for 'script'"
)
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
FORM_TARGET = "form_target"
"""In the state of a request: the origin to which a form of the answer posts, outside this site.

That page alone may post there, and its browser names this site's origin there, as Kite requires.
"""
ONLY_HTTPS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


class RequestIdMiddleware:
    """Gives each request an id, for logs and answers; a caller's own is kept if it is a UUID."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _uuid_of(Headers(scope=scope).get("X-Request-Id", ""))
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-Id"] = request_id
            await send(message)

        await self.app(scope, receive, send_with_id)


class DeadlineMiddleware:
    """Starts the time that a request may wait for the database."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            deadline.begin()
        await self.app(scope, receive, send)


class SecurityHeadersMiddleware:
    """Sets the security headers of every answer; those of the API are not stored by browsers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = Hosts(settings)
        self.scheme = "wss" if settings.is_https else "ws"
        self.headers = SECURITY_HEADERS | (ONLY_HTTPS if settings.is_https else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        host = host_of(scope)
        socket = f"{self.scheme}://{host}" if self.hosts.has(host) else ""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self.headers)
                policy = CONTENT_SECURITY_POLICY.format(socket=socket)
                target = scope.get("state", {}).get(FORM_TARGET, "")
                if target:
                    policy = policy.replace("form-action 'self'", f"form-action 'self' {target}")
                    headers["Referrer-Policy"] = "strict-origin-when-cross-origin"
                headers["Content-Security-Policy"] = policy
                if scope["path"].startswith("/api/"):
                    headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class AccessLogMiddleware:
    """Counts every call and logs those of the API, with the route, the status and the duration."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, started = 0, time.perf_counter()

        async def send_noting_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting_status)
        finally:
            seconds = time.perf_counter() - started
            route = getattr(scope.get("route"), "path", "-")
            # Callers can invent methods, and every label that is counted stays in memory.
            method = scope["method"] if scope["method"] in METHODS else "other"
            CALLS.labels(method, route, status).inc()
            DURATIONS.labels(method, route).observe(seconds)
            if scope["path"].startswith("/api"):
                caller = scope["state"].get("caller")
                log.info(
                    "call",
                    method=scope["method"],
                    route=route,
                    status=status,
                    ms=round(seconds * 1000, 1),
                    account_id=str(caller.account_id) if caller else None,
                )


class ErrorMiddleware:
    """Logs an unexpected exception and answers it with a 500 in the envelope of the API."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_started = False

        async def send_noting_start(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self.app(scope, receive, send_noting_start)
        except Exception as error:  # the last resort: nothing above would answer
            log.exception("fault", error=type(error).__name__)
            if not has_started:
                await fault_answer(Request(scope))(scope, receive, send)


class BodyLimitMiddleware:
    """Refuses a body that is larger than its path allows, announced or not."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        of_records = (most for path, most in FILES_OF_RECORDS if path.fullmatch(scope["path"]))
        megabytes = next(of_records, LARGEST_FILES.get(scope["path"]))
        # A file comes with the other fields of its form.
        limit = (megabytes + 1 << 20) if megabytes else LARGEST_BODY
        error = TooLarge(f"The file is larger than {megabytes} MB." if megabytes else None)
        length = Headers(scope=scope).get("Content-Length", "0")
        if length.isdigit() and int(length) > limit:
            await answer_to(error, Request(scope))(scope, receive, send)
            return
        call = _LimitedCall(scope, receive, send, limit, error)
        try:
            await self.app(scope, call.receive, call.send)
        except TooLarge:
            if not call.is_refused:
                raise


class _LimitedCall:
    """One call whose body is counted as it arrives."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, limit: int, error: TooLarge
    ) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._limit, self._error = limit, error
        self._received = 0
        self._has_started = False
        self.is_refused = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._received += len(message.get("body", b""))
        if self._received > self._limit:
            # Answered here: the parser of the body would turn the exception into a 400.
            if not self._has_started:
                self.is_refused = True
                refusal = answer_to(self._error, Request(self._scope))
                await refusal(self._scope, self._receive, self._send)
            raise TooLarge
        return message

    async def send(self, message: Message) -> None:
        if not self.is_refused:
            self._has_started = True
            await self._send(message)


def _uuid_of(text: str) -> str:
    """The UUID in `text`; a new one where there is none."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return str(uuid.uuid4())
