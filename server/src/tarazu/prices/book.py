"""The price book: the newest price of every instrument, in memory, one for each database."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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
    """Prices by instrument token, in whole ten-thousandths of a rupee. Safe from any thread.

    `version` grows whenever a price moves, so that readers can tell whether to look again.
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
            moved = False
            for token, units in prices.items():
                mark = self._marks.get(token)
                if units <= 0 or (mark is not None and mark[0] > at):
                    continue
                if self._units.get(token) != units:
                    self._changed.add(token)
                    moved = True
                self._units[token] = units
                self._marks[token] = (at, source)
                self._unsaved.add(token)
            self.version += moved

    def quotes(self, tokens: Iterable[int]) -> dict[int, Quote]:
        """The newest price of each token that has one, all read at one instant."""
        with self._lock:
            return self._quotes(tokens)

    def units(self, tokens: Iterable[int]) -> dict[int, int]:
        """The newest price of each token that has one, in ten-thousandths, read at one instant."""
        with self._lock:
            return {token: self._units[token] for token in tokens if token in self._units}

    def units_of(self, tokens: Iterable[int]) -> list[int]:
        """The newest prices in ten-thousandths, in the order of `tokens`; 0 for none."""
        with self._lock:
            return [self._units.get(token, 0) for token in tokens]

    def tokens(self) -> set[int]:
        """Every token that has a price."""
        with self._lock:
            return set(self._units)

    def take_changed(self) -> set[int]:
        """Tokens whose price moved since the last time this was asked."""
        with self._lock:
            changed, self._changed = self._changed, set()
            return changed

    def unsaved(self) -> dict[int, Quote]:
        """Quotes that were not written to the database yet."""
        with self._lock:
            return self._quotes(self._unsaved)

    def mark_saved(self, saved: Mapping[int, Quote]) -> None:
        """Forget that these were unsaved, but for those that were replaced meanwhile."""
        with self._lock:
            for token, quote in saved.items():
                if self._marks.get(token) == (quote.at, quote.source):
                    self._unsaved.discard(token)

    def load(self, quotes: Mapping[int, Quote], units: Mapping[int, int]) -> None:
        """Fill in the last known prices of tokens without one; those in the book stay."""
        with self._lock:
            for token, quote in quotes.items():
                if token not in self._units:
                    self._units[token] = units[token]
                    self._marks[token] = (quote.at, quote.source)
            self.is_loaded = True
            self.version += 1

    def _quotes(self, tokens: Iterable[int]) -> dict[int, Quote]:
        return {
            token: Quote(from_units(self._units[token]), *self._marks[token])
            for token in tokens
            if token in self._units
        }
