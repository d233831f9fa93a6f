"""At which names the product answers.

A page elsewhere can have its own name resolve to our address and then read our answers as its own
site's ("DNS rebinding"). Such a request names the other site in `Host`, so it is refused.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from tarazu.kit.errors import ApiError
from tarazu.kit.settings import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
ASKED_BY_MACHINES = ("/health", "/metrics")
"""Asked by load balancers and collectors, which name us as they like; nothing private is there."""


class UnknownHost(ApiError):
    """The request is for another site's name."""

    message = "Tarazu does not answer at this address."


class Hosts:
    """The names of an installation: of its public URL, those set beside it, and this machine's own.

    Args:
        settings: where no public URL other than this machine's is set, every address in numbers is
            taken as well, so that others in the office can come by it: a name is what an attack
            needs.
    """

    def __init__(self, settings: Settings) -> None:
        public = (urlsplit(settings.public_url).hostname or "").lower()
        self._names = LOOPBACK | {public} | settings.allowed_host_names
        self._takes_numbers = not public or public in LOOPBACK

    def has(self, host: str) -> bool:
        """Whether a `Host` header, with or without a port, is one of ours."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if not name or not host.isascii() or set(host) & set(" ;,'\"@/\\?#"):
            return False
        return name in self._names or (self._takes_numbers and _is_in_numbers(name))


def _is_in_numbers(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
