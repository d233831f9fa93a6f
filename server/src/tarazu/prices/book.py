"""The price book: the newest price of every instrument, in memory, one for each database.

Prices are in arrays of integers, one position for each instrument, so that a frame of some
thousand ticks is merged by a few array operations without an object for each tick.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from threading import Lock

import numpy as np
import numpy.typing as npt

from tarazu.domain.money import Rupees, from_units
from tarazu.kit.array_lookup import positions_in

Whole = npt.NDArray[np.int64]

FIRST_PLACES = 1024
NEVER = np.iinfo(np.int64).min
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MICROSECOND = dt.timedelta(microseconds=1)
MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Quote:
    """A last traded price, when it was traded, and its source."""

    price: Rupees
    at: dt.datetime
    source: str


@dataclass(frozen=True, slots=True)
class PriceRows:
    """Prices from one process's book to another's: one row for each token.

    `source` are places in `sources`; `at` is in microseconds since 1970.
    """

    tokens: Whole
    units: Whole
    at: Whole
    source: Whole
    sources: tuple[str, ...] = ()


@dataclass(slots=True)
class _Columns:
    """What is known of each instrument, by its place. `at` is in microseconds since 1970."""

    tokens: Whole
    units: Whole
    at: Whole
    source: Whole
    changed: npt.NDArray[np.bool_]
    unsaved: npt.NDArray[np.bool_]
    untold: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, places: int) -> "_Columns":
        tokens, units, source = (np.zeros(places, dtype=np.int64) for _ in range(3))
        at = np.full(places, NEVER, dtype=np.int64)
        changed, unsaved, untold = (np.zeros(places, dtype=bool) for _ in range(3))
        return cls(tokens, units, at, source, changed, unsaved, untold)

    def grown(self) -> "_Columns":
        """The same with twice as many places."""
        wider = _Columns.of(2 * len(self.tokens))
        for name in self.__slots__:
            getattr(wider, name)[: len(self.tokens)] = getattr(self, name)
        return wider


Steps = Mapping[int, Sequence[tuple[dt.datetime, Fraction]]]
"""By token, from when on one share is how many shares; see `PriceBook.follow_steps`."""


@dataclass(slots=True)
class PriceBook:
    """Prices by instrument token, in whole ten-thousandths of a rupee. Safe from any thread.

    What is read is in the units of the last corporate action that has taken place; what is taken
    in, saved and passed on is as it was traded (`as_traded`).

    `version` grows with each change of price, so that readers know whether to read again.
    `on_change` is called then, from any thread; it must not wait.
    `heard_at` is when a source last sent a price; what was loaded at the start does not count.
    `is_saved_here` is untrue where another process has the feed, and saves what it brings.
    `files_read` is how often prices were taken in from files when that was last looked at.
    """

    version: int = 0
    files_read: int = 0
    steps_read: int = 0
    is_loaded: bool = False
    is_saved_here: bool = True
    last_tick_at: dt.datetime | None = None
    on_change: Callable[[], None] | None = None
    _places: dict[int, int] = field(default_factory=dict)
    _columns: _Columns = field(default_factory=lambda: _Columns.of(FIRST_PLACES))
    _sources: list[str] = field(default_factory=list)
    _order: tuple[Whole, Whole] | None = None
    _steps: dict[int, list[tuple[int, Fraction]]] = field(default_factory=dict)
    """By token, the start of each in microseconds since 1970."""
    _lock: Lock = field(default_factory=Lock)

    def record(self, prices: Mapping[int, int], at: dt.datetime, source: str) -> None:
        """Take in prices above zero; an older price never replaces a newer one."""
        if prices:
            tokens = np.fromiter(prices.keys(), np.int64, len(prices))
            units = np.fromiter(prices.values(), np.int64, len(prices))
            made = np.full(len(prices), _microseconds(at), dtype=np.int64)
            with self._lock:
                self._take(tokens, units, made, source)

    def record_ticks(self, tokens: Whole, units: Whole, seconds: Whole, source: str) -> None:
        """Take in ticks in the order in which they came, each with the second of its trade.

        Args:
            tokens: of one length with the others; a token may come more than once.
            units: ten-thousandths of a rupee; those not above zero are left out.
            seconds: since 1970. An older price never replaces a newer one.
            source: the source of the prices.
        """
        if len(tokens):
            with self._lock:
                self._take(tokens, units, seconds * MICROSECONDS, source)

    def quotes(self, tokens: Iterable[int]) -> dict[int, Quote]:
        """The newest price of each token that has one, all read at one instant."""
        return self._quotes(tokens, self._shown)

    def as_traded(self, tokens: Iterable[int]) -> dict[int, Quote]:
        """As `quotes`, each price as it was when it was made, whatever split took place since."""
        return self._quotes(tokens, self._quote)

    def follow_steps(self, steps: Steps) -> None:
        """Show prices made before a corporate action in the units of after it, from now on.

        Args:
            steps: of every share that has any; those that were followed before are dropped.
        """
        with self._lock:
            touched = {token for token in {*self._steps, *steps} if token in self._places}
            self._steps = {
                token: [(_microseconds(at), factor) for at, factor in its_steps]
                for token, its_steps in steps.items()
            }
            self._columns.changed[[self._places[token] for token in touched]] = True
            self.version += 1
        if touched and self.on_change is not None:
            self.on_change()

    def factors_since(self, since: Mapping[int, dt.datetime]) -> dict[int, Fraction]:
        """How many shares one share of each token has become after an instant; 1 for most."""
        with self._lock:
            return {
                token: prod(
                    (
                        factor
                        for ex_at, factor in self._steps.get(token, ())
                        if ex_at > _microseconds(at)
                    ),
                    start=Fraction(1),
                )
                for token, at in since.items()
            }

    def units(self, tokens: Iterable[int]) -> dict[int, int]:
        """The newest price of each token that has one, in ten-thousandths, read at one instant."""
        with self._lock:
            known = [token for token in tokens if token in self._places]
            places = [self._places[token] for token in known]
            units = dict(zip(known, self._columns.units[places].tolist(), strict=True))
            for token in self._steps.keys() & units.keys():
                units[token] = self._in_new_units(token, self._places[token])
            return units

    def units_of(self, tokens: Iterable[int]) -> list[int]:
        """The newest prices in ten-thousandths, in the order of `tokens`; 0 for none."""
        with self._lock:
            # The place behind the last one in use holds no price.
            ordered = list(tokens)
            places = [self._places.get(token, len(self._places)) for token in ordered]
            units: list[int] = self._columns.units[places].tolist()
            if self._steps:
                for number, token in enumerate(ordered):
                    if token in self._steps and token in self._places:
                        units[number] = self._in_new_units(token, places[number])
            return units

    def times_of(self, tokens: Iterable[int]) -> Whole:
        """When the newest prices were made, in microseconds since 1970; `NEVER` for none."""
        with self._lock:
            places = [self._places.get(token, len(self._places)) for token in tokens]
            return self._columns.at[places]

    def tokens(self) -> set[int]:
        """Every token that has a price."""
        with self._lock:
            return set(self._places)

    def newest(self) -> Quote | None:
        """The quote that was traded last, of any instrument; None in an empty book."""
        with self._lock:
            in_use = len(self._places)
            return self._quote(int(self._columns.at[:in_use].argmax())) if in_use else None

    def take_changed(self) -> set[int]:
        """Tokens whose price changed since the last call."""
        with self._lock:
            changed = self._columns.changed
            moved: list[int] = self._columns.tokens[changed].tolist()
            changed[:] = False
            return set(moved)

    def take_unpublished(self, whole: Iterable[int] = ()) -> PriceRows:
        """What changed since the last call, and all that is known of the tokens in `whole`."""
        with self._lock:
            columns = self._columns
            columns.untold[[self._places[token] for token in whole if token in self._places]] = True
            places = np.flatnonzero(columns.untold)
            columns.untold[:] = False
            arrays = (columns.tokens, columns.units, columns.at, columns.source)
            tokens, units, at, source = (array[places] for array in arrays)
            return PriceRows(tokens, units, at, source, tuple(self._sources))

    def merge(self, rows: PriceRows, *, is_shown: bool) -> bool:
        """Merge the rows of another process's book; an older price never replaces a newer one.

        Args:
            rows: see `PriceRows`.
            is_shown: browsers are shown just these, so they do not count as changed.

        Returns:
            Whether the book now has the price of each row.
        """
        with self._lock:
            places = self._places_of(rows.tokens)
            columns = self._columns
            fit = (rows.at >= columns.at[places]) & (rows.units > 0)
            taken, units = places[fit], rows.units[fit]
            numbers = np.array([self._number_of(source) for source in rows.sources], dtype=np.int64)
            has_moved = (columns.units[taken] != units) | self._have_steps(taken)
            columns.units[taken], columns.at[taken] = units, rows.at[fit]
            columns.source[taken] = numbers[rows.source[fit]]
            columns.unsaved[taken] = True
            if not is_shown:
                columns.changed[taken[has_moved]] = True
            self._count_change(has_moved)
            return bool((columns.units[places] == rows.units).all())

    def note_tick(self, at: dt.datetime) -> None:
        """Note when a source last sent a price."""
        with self._lock:
            self._note_tick(_microseconds(at))

    def unsaved(self) -> dict[int, Quote]:
        """Quotes that were not written to the database yet."""
        with self._lock:
            columns = self._columns
            return {
                int(columns.tokens[place]): self._quote(place)
                for place in np.flatnonzero(columns.unsaved).tolist()
            }

    def mark_saved(self, saved: Mapping[int, Quote]) -> None:
        """Mark these as saved, except those that have changed since."""
        with self._lock:
            for token, quote in saved.items():
                place = self._places[token]
                if self._quote(place) == quote:
                    self._columns.unsaved[place] = False

    def load(self, quotes: Mapping[int, Quote], units: Mapping[int, int]) -> None:
        """Fill in the last known prices of tokens without one; those in the book stay."""
        with self._lock:
            for token, quote in quotes.items():
                if token not in self._places:
                    place = self._add(token)
                    self._columns.units[place] = units[token]
                    self._columns.at[place] = _microseconds(quote.at)
                    self._columns.source[place] = self._number_of(quote.source)
            self.is_loaded = True
            self.version += 1

    def _take(self, tokens: Whole, units: Whole, made: Whole, source: str) -> None:
        self._note_tick(int(made.max()))
        if (units <= 0).any():
            fit = units > 0
            tokens, units, made = tokens[fit], units[fit], made[fit]
        places = self._places_of(tokens)
        if (made < self._columns.at[places]).any():
            fit = made >= self._columns.at[places]
            places, units, made = places[fit], units[fit], made[fit]
        if (made[1:] < made[:-1]).any():
            # If a token comes more than once, its newest price is written last.
            order = np.argsort(made, kind="stable")
            places, units, made = places[order], units[order], made[order]
        columns = self._columns
        before = columns.units[places]
        columns.untold[places] |= (before != units) | (columns.at[places] != made)
        columns.units[places] = units
        columns.at[places] = made
        columns.source[places] = self._number_of(source)
        columns.unsaved[places] = True
        has_moved = (before != columns.units[places]) | self._have_steps(places)
        columns.changed[places[has_moved]] = True
        self._count_change(has_moved)

    def _count_change(self, has_moved: npt.NDArray[np.bool_]) -> None:
        if has_moved.any():
            self.version += 1
            if self.on_change is not None:
                self.on_change()

    def _note_tick(self, microseconds: int) -> None:
        last_tick_at = EPOCH + microseconds * MICROSECOND
        if self.last_tick_at is None or self.last_tick_at < last_tick_at:
            self.last_tick_at = last_tick_at

    def _places_of(self, tokens: Whole) -> Whole:
        """The place of each token; new ones are given one."""
        known, places = self._order or self._put_in_order()
        positions = positions_in(known, tokens)
        if (positions >= 0).all():
            return places[positions]
        for token in dict.fromkeys(tokens.tolist()):
            if token not in self._places:
                self._add(token)
        known, places = self._put_in_order()
        return places[positions_in(known, tokens)]

    def _put_in_order(self) -> tuple[Whole, Whole]:
        known = self._columns.tokens[: len(self._places)]
        places = np.argsort(known)
        self._order = known[places], places
        return self._order

    def _add(self, token: int) -> int:
        place = len(self._places)
        if place + 1 >= len(self._columns.tokens):
            self._columns = self._columns.grown()
        self._places[token] = place
        self._columns.tokens[place] = token
        self._order = None
        return place

    def _have_steps(self, places: Whole) -> npt.NDArray[np.bool_]:
        """Which places are of shares with a corporate action: a price of after it is another one."""
        if not self._steps:
            return np.zeros(len(places), dtype=bool)
        return np.isin(self._columns.tokens[places], list(self._steps))

    def _quotes(self, tokens: Iterable[int], read: Callable[[int], Quote]) -> dict[int, Quote]:
        with self._lock:
            return {
                token: read(place)
                for token in tokens
                if (place := self._places.get(token)) is not None
            }

    def _in_new_units(self, token: int, place: int) -> int:
        """The price at a place after all corporate actions, half up."""
        units, at = int(self._columns.units[place]), self._columns.at[place]
        for ex_at, factor in self._steps[token]:
            if at < ex_at:
                new, old = factor.numerator, factor.denominator
                units = (2 * units * old + new) // (2 * new)
        return units

    def _shown(self, place: int) -> Quote:
        quote, token = self._quote(place), int(self._columns.tokens[place])
        if token not in self._steps:
            return quote
        return replace(quote, price=from_units(self._in_new_units(token, place)))

    def _number_of(self, source: str) -> int:
        if source not in self._sources:
            self._sources.append(source)
        return self._sources.index(source)

    def _quote(self, place: int) -> Quote:
        columns = self._columns
        at = EPOCH + int(columns.at[place]) * MICROSECOND
        price = from_units(int(columns.units[place]))
        return Quote(price, at, self._sources[columns.source[place]])


def _microseconds(at: dt.datetime) -> int:
    return (at - EPOCH) // MICROSECOND
