"""`/.well-known/security.txt`: where to report a vulnerability (RFC 9116)."""

import datetime as dt

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tarazu.kit import clock
from tarazu.kit.settings import Settings

PATH = "/.well-known/security.txt"
GOOD_FOR = dt.timedelta(days=180)
"""How long a copy is valid; the RFC advises less than a year."""


def security_txt(settings: Settings) -> Route:
    """The route of the file, for an installation that has a contact."""

    def answer(_: Request) -> PlainTextResponse:
        # The same all day, so that the file can be cached.
        until = clock.now().replace(hour=0, minute=0, second=0, microsecond=0) + GOOD_FOR
        lines = (
            f"Contact: {settings.security_contact}",
            f"Expires: {until:%Y-%m-%dT%H:%M:%SZ}",
            "Preferred-Languages: en, hi",
            f"Canonical: {settings.address}{PATH}",
        )
        return PlainTextResponse("\n".join(lines) + "\n")

    return Route(PATH, answer, methods=["GET", "HEAD"])
