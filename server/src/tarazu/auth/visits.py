"""`Visit`: where a call comes from, and what sign-in needs to answer it."""

import datetime as dt
import re
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Literal

from fastapi import Response

from tarazu.kit import security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.rate_limit import Limiter
from tarazu.kit.settings import Settings

DEVICE_SECONDS = 365 * 24 * 3600
_DEVICE = re.compile(r"[A-Za-z0-9_-]{43}")
# In IPv6 one household or server has a whole /64.
_HOUSEHOLD_BITS = 64


@dataclass(frozen=True, slots=True)
class Visit:
    """One call, perhaps of somebody who is not signed in.

    `device` is the value of the browser's device cookie, empty without one; programs get none.
    """

    database: Database
    settings: Settings
    limits: Limiter
    now: dt.datetime
    ip: str
    user_agent: str
    request_id: str
    device: str = ""
    is_browser: bool = False

    @property
    def nobody(self) -> Actor:
        """The actor of audit rows while nobody is signed in."""
        return Actor(None, "NONE", "", None, self.ip, self.request_id)

    @property
    def place(self) -> str:
        """The key by which calls are limited: the address, or its network in IPv6."""
        return place_of(self.ip)

    @property
    def device_digest(self) -> str | None:
        """The digest of the device cookie; None without a valid one."""
        return security.token_digest(self.device) if _DEVICE.fullmatch(self.device) else None


def place_of(ip: str) -> str:
    """The /64 network of an IPv6 address, else the address."""
    try:
        address = ip_address(ip)
    except ValueError:
        return ip
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> _HOUSEHOLD_BITS << _HOUSEHOLD_BITS))
    return str(address)


def cookie_name(settings: Settings) -> str:
    """The name of the device cookie; browsers accept the prefix `__Host-` only with https."""
    return "__Host-device" if settings.is_https else "device"


def leave_device(response: Response, settings: Settings, device: str) -> None:
    """Set the device cookie for a year from now."""
    _leave(response, settings, cookie_name(settings), device, DEVICE_SECONDS, "strict")


SSO_SECONDS = 600


def sso_cookie_name(settings: Settings) -> str:
    """The name of the cookie of a single sign-on that is under way."""
    return "__Host-sso" if settings.is_https else "sso"


def leave_sso(response: Response, settings: Settings, value: str) -> None:
    """Set the cookie of a single sign-on; it comes along when the provider sends the browser back."""
    _leave(response, settings, sso_cookie_name(settings), value, SSO_SECONDS, "lax")


def _leave(
    response: Response,
    settings: Settings,
    name: str,
    value: str,
    seconds: int,
    same_site: Literal["lax", "strict"],
) -> None:
    """Set a cookie that no script can read."""
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path="/",
        secure=settings.is_https,
        httponly=True,
        samesite=same_site,
    )
