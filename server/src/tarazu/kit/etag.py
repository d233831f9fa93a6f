"""Entity tags on reads: an answer that did not change is not sent again (RFC 9110, 8.8.3).

The tag is a hash of the body. Browsers may not store answers (`no-store`: they hold financial
data); the web client keeps some in memory while somebody is signed in, and sends their tags.
"""

from hashlib import blake2b

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TAG_BYTES = 12
_UNCHANGED = 304
_OK = 200


def etag_of(body: bytes) -> str:
    """The entity tag of these bytes, quotes included."""
    return f'"{blake2b(body, digest_size=TAG_BYTES).hexdigest()}"'


class ETagMiddleware:
    """Tags JSON answers to GET, and answers 304 if the caller has the same one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_read = scope["type"] == "http" and scope["method"] == "GET"
        if not is_read or not scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        known = Headers(scope=scope).get("If-None-Match", "")
        await self.app(scope, receive, _Answer(send, known))


class _Answer:
    """One answer: its start is held back until its body is known."""

    def __init__(self, send: Send, known: str) -> None:
        self.send = send
        self.known = {part.strip().removeprefix("W/") for part in known.split(",")}
        self.start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_tagged(message):
            self.start = message
            return
        if self.start is not None:
            message = await self._begin(self.start, message)
            self.start = None
        await self.send(message)

    async def _begin(self, start: Message, message: Message) -> Message:
        if not message.get("more_body", False):
            headers = MutableHeaders(scope=start)
            # A cached answer has its own.
            tag = headers.get("ETag")
            if tag is None:
                tag = headers["ETag"] = etag_of(message.get("body", b""))
            if tag in self.known:
                del headers["Content-Length"]
                start["status"] = _UNCHANGED
                message = {**message, "body": b""}
        await self.send(start)
        return message


def _is_tagged(start: Message) -> bool:
    kind = Headers(raw=start["headers"]).get("Content-Type", "")
    return bool(start["status"] == _OK) and kind.startswith("application/json")
