"""The host names at which the product answers.

A page elsewhere can have its own name resolve to our address and then read our answers as those of
its own site (DNS rebinding). Such a request names the other site in `Host`, so it is refused.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from tarazu.kit.errors import ApiError, answer_to
from tarazu.kit.settings import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN_TO_ANY_HOST = ("/health", "/metrics")
"""Called by load balancers and collectors under any name; nothing private is there."""


class UnknownHost(ApiError):
    """The request is for another site's name."""

    message = "Tarazu does not answer at this address."


class Hosts:
    """The host names of an installation: of its public URL, the allowed ones, and localhost.

    Args:
        settings: without a public URL other than localhost, every IP address is accepted too, so
            that others in the office can connect: the attack needs a name.
    """

    def __init__(self, settings: Settings) -> None:
        public = (urlsplit(settings.public_url).hostname or "").lower()
        self._names = LOOPBACK | {public} | settings.allowed_host_names
        self._accepts_addresses = not public or public in LOOPBACK

    def has(self, host: str) -> bool:
        """Whether a `Host` header, with or without a port, is one of ours."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if not name or not host.isascii() or set(host) & set(" ;,'\"@/\\?#"):
            return False
        return name in self._names or (self._accepts_addresses and _is_address(name))


class KnownHostsMiddleware:
    """Refuses requests and websockets for a host name that is not ours."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = Hosts(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_checked = scope["type"] == "websocket" or (
            scope["type"] == "http" and not scope["path"].startswith(OPEN_TO_ANY_HOST)
        )
        if not is_checked or self.hosts.has(host_of(scope)):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await answer_to(UnknownHost(), Request(scope))(scope, receive, send)


def host_of(scope: Scope) -> str:
    """The `Host` header; empty if there are several: a proxy may have used another one."""
    hosts = Headers(scope=scope).getlist("Host")
    return hosts[0] if len(hosts) == 1 else ""


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
