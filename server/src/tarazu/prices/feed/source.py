"""The interface of a source of prices: simulated, or the brokers'."""

from collections.abc import Collection
from typing import Protocol

from tarazu.instruments.service import Listed
from tarazu.prices.book import PriceBook


class ReportsFeedStatus(Protocol):
    """Whose prices come, and how."""

    @property
    def name(self) -> str | None:
        """ZERODHA, ANGEL_ONE or SIMULATED, as in quotes and heartbeats; None without a source."""

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens that were subscribed to and that this source cannot follow."""


class TickSource(ReportsFeedStatus, Protocol):
    """A feed of last prices, called from the event loop. It can be started again after a stop."""

    async def start(self, book: PriceBook) -> None:
        """Start to record prices of the stocks that are subscribed to, before and later."""

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these stocks from now on."""

    async def stop(self) -> None:
        """Stop recording."""
