"""What is asked of a source of prices, whichever it is."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tarazu.instruments.service import Listed

Whole = npt.NDArray[np.int64]


class Book(Protocol):
    """Where prices are recorded: the price book."""

    def record(self, prices: Mapping[int, int], at: dt.datetime, source: str) -> None:
        """Take in prices in ten-thousandths of a rupee by token, when they were made, by whom."""

    def record_ticks(self, tokens: Whole, units: Whole, seconds: Whole, source: str) -> None:
        """Take in prices in the order in which they came, each with the second of its trade."""

    def units_of(self, tokens: Iterable[int]) -> list[int]:
        """The last known price of each token in ten-thousandths of a rupee; 0 for none."""


class Teller(Protocol):
    """Whose prices come, and how."""

    @property
    def name(self) -> str | None:
        """As it stands in quotes and heartbeats: ZERODHA, ANGEL_ONE or SIMULATED; None for none."""

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens of what was subscribed to and cannot be followed by this source."""


class Source(Teller, Protocol):
    """A feed of last prices. All calls come from the event loop. A stopped one can be started."""

    async def start(self, book: Book) -> None:
        """Begin to record prices, of the stocks subscribed to before and later."""

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these from now on."""

    async def stop(self) -> None:
        """Record nothing more."""
