"""The price book: the newest price of every instrument, in memory, one for each database."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock

from tarazu.domain.money import Rupees, from_units


@dataclass(frozen=True, slots=True)
class Quote:
    """A last traded price, when it was traded, and who told us."""

    price: Rupees
    at: dt.datetime
    source: str


@dataclass(slots=True)
class PriceBook:
    """Prices by instrument token, in whole ten-thousandths of a rupee.

    `version` grows with every batch of prices, so that readers can tell whether to look again.
    """

    version: int = 0
    is_loaded: bool = False
    _units: dict[int, int] = field(default_factory=dict)
    _marks: dict[int, tuple[dt.datetime, str]] = field(default_factory=dict)
    _changed: set[int] = field(default_factory=set)
    _unsaved: set[int] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def record(self, prices: Mapping[int, int], at: dt.datetime, source: str) -> None:
        """Take in prices above zero; an older price never replaces a newer one."""
        with self._lock:
            for token, units in prices.items():
                mark = self._marks.get(token)
                if units <= 0 or (mark is not None and mark[0] > at):
                    continue
                if self._units.get(token) != units:
                    self._changed.add(token)
                self._units[token] = units
                self._marks[token] = (at, source)
                self._unsaved.add(token)
            self.version += 1

    def quotes(self, tokens: Iterable[int]) -> dict[int, Quote]:
        """The newest price of each token that has one, all read at one instant."""
        with self._lock:
            return {
                token: Quote(from_units(self._units[token]), *self._marks[token])
                for token in tokens
                if token in self._units
            }

    def units_of(self, tokens: Iterable[int]) -> list[int]:
        """The newest prices in ten-thousandths, in the order of `tokens`; 0 for none."""
        with self._lock:
            return [self._units.get(token, 0) for token in tokens]

    def take_changed(self) -> dict[int, Decimal]:
        """Prices that changed since the last time this was asked."""
        with self._lock:
            changed, self._changed = self._changed, set()
            return {token: from_units(self._units[token]) for token in changed}

    def take_unsaved(self) -> dict[int, Quote]:
        """Quotes that were not written to the database yet."""
        with self._lock:
            unsaved, self._unsaved = self._unsaved, set()
            return {
                token: Quote(from_units(self._units[token]), *self._marks[token])
                for token in unsaved
            }

    def load(self, quotes: Mapping[int, Quote], units: Mapping[int, int]) -> None:
        """Fill an empty book with the last known prices; newer ones in it stay."""
        with self._lock:
            for token, quote in quotes.items():
                if token not in self._units:
                    self._units[token] = units[token]
                    self._marks[token] = (quote.at, quote.source)
            self.is_loaded = True
            self.version += 1
