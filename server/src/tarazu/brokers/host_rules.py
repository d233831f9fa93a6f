"""Which hosts and addresses may be called."""

import ipaddress
from collections.abc import (
    Sequence,
)
from dataclasses import dataclass

import httpx

from tarazu.kit.settings import Settings

BROKER_HOSTS = (
    "api.kite.trade",
    "kite.zerodha.com",
    "ws.kite.trade",
    "apiconnect.angelone.in",
    "smartapi.angelone.in",
    "smartapisocket.angelone.in",
    "margincalculator.angelone.in",
    "margincalculator.angelbroking.com",
)
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "::1")
LONGEST_URL = 2048
SECURE_PORTS = {"https": 443, "wss": 443}
PLAIN_PORTS = {"http": 80, "ws": 80}
NAT64 = ipaddress.ip_network("64:ff9b::/96")


class CallRefused(Exception):
    """The call was not made: its address is not one that may be called."""


@dataclass(frozen=True, slots=True)
class HostRules:
    """Which hosts may be called.

    `hosts` are names, or names with a port. A name alone means the secure port; for any
    port where loopback is allowed, since a simulator takes the port it gets.
    """

    hosts: frozenset[str]
    allow_loopback: bool = False

    @classmethod
    def of(cls, settings: Settings) -> "HostRules":
        """The rules of the installation; TARAZU_BROKER_HOSTS takes the place of our own list."""
        named = settings.broker_hosts.replace(",", " ").lower().split()
        if not named:
            named = [*BROKER_HOSTS, *(LOOPBACK_HOSTS if settings.allow_loopback_brokers else ())]
        return cls(frozenset(named), settings.allow_loopback_brokers)

    def url_of(self, address: str) -> httpx.URL:
        """The parsed address, if it may be called.

        Raises:
            CallRefused: it may not; the text does not repeat it.
        """
        if len(address) > LONGEST_URL or not address.isascii() or not address.isprintable():
            raise CallRefused("the address is not plain text")
        try:
            url = httpx.URL(address)
        except httpx.InvalidURL:
            raise CallRefused("the address cannot be read") from None
        ports = SECURE_PORTS | (PLAIN_PORTS if self.allow_loopback else {})
        if url.scheme not in ports:
            raise CallRefused("the address is not https")
        if url.userinfo or "@" in url.netloc.decode("ascii") or "\\" in address:
            raise CallRefused("the address names a user")
        self._check_host(url.raw_host.decode("ascii").lower(), url.port or ports[url.scheme])
        return url

    def check_addresses(self, addresses: Sequence[str], *, is_secure: bool) -> None:
        """Every one of these may be connected to.

        Raises:
            CallRefused: there is none, or one is not public.
        """
        if not addresses:
            raise CallRefused("the host has no address")
        for text in addresses:
            try:
                address = ipaddress.ip_address(text.partition("%")[0])
            except ValueError:
                raise CallRefused("the host has no address that can be read") from None
            if self.allow_loopback and address.is_loopback:
                continue
            if not is_secure or not is_public(address):
                raise CallRefused("the host is not on the public network")

    def _check_host(self, host: str, port: int) -> None:
        named = f"[{host}]" if ":" in host else host
        if f"{named}:{port}" in self.hosts:
            return
        if host not in self.hosts and named not in self.hosts:
            raise CallRefused("the host is not one of the brokers'")
        if port not in SECURE_PORTS.values() and not self.allow_loopback:
            raise CallRefused("the port is not the brokers'")


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether the address is reachable on the public network, and is written plainly."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address.ipv4_mapped or address.sixtofour or address.teredo:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
