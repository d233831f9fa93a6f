"""What is asked of a source of prices, whichever it is."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from tarazu.instruments.service import Listed

Record = Callable[[Mapping[int, int], dt.datetime, str], None]
"""Takes prices in ten-thousandths of a rupee by token, when they were made, and by whom."""

LastPrices = Callable[[Iterable[int]], list[int]]
"""The last known price of each token in ten-thousandths of a rupee; 0 for none."""


class Source(Protocol):
    """A feed of last prices. All calls come from the event loop."""

    name: str
    """As it stands in quotes and heartbeats: ZERODHA, ANGEL_ONE or SIMULATED."""

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""

    async def start(self, record: Record, last: LastPrices) -> None:
        """Begin to hand prices to `record`, of the stocks subscribed to before and later."""

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these from now on."""

    async def stop(self) -> None:
        """Record nothing more."""


class NoFeed:
    """No broker is connected: the last known prices stay, with their age."""

    name = "ZERODHA"

    @property
    def is_live(self) -> bool:
        """Never."""
        return False

    async def start(self, record: Record, last: LastPrices) -> None:
        """Nothing begins."""

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Nothing is followed."""

    async def stop(self) -> None:
        """Nothing ends."""
