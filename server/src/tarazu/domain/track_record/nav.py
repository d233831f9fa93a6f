"""The value of a model portfolio from 100: weights that drift with closes, reset by each version.

A share is named by a number, such as its instrument token. Everything happens at closes: a version
that is released during a day takes effect at the close after its release. A day on which the close
of a share that is held is not known has no value; nothing is carried over or guessed.
"""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from tarazu.domain.benchmark import Level
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees

METHOD: Final = 1
"""The number of the rules by which this module calculates; stored with what it calculated."""
BASE: Final = HUNDRED
"""The value at the close at which the first version takes effect."""


class Release(NamedTuple):
    """A version: the first day whose close comes after its release, and its weights in percent.

    What the weights leave of 100 is cash, which earns nothing.
    """

    number: int
    due_on: dt.date
    weights: Mapping[int, Percent]


class ShareEvent(NamedTuple):
    """What a corporate action does to each share that is held on the evening before its ex-date.

    Attributes:
        factor: shares for each one before; of a demerger or a merger, of the share `into`.
        cash: rupees a share that are paid out, as a dividend.
        into: the share that comes of a demerger or a merger; None for other actions.
        is_replaced: the share itself is gone, as in a merger.
    """

    on: dt.date
    factor: Fraction = Fraction(1)
    cash: Rupees = ZERO
    into: int | None = None
    is_replaced: bool = False


class ModelDay(NamedTuple):
    """The model at the close of a day; `value` is None while the close of `missing` is not known."""

    date: dt.date
    value: Decimal | None
    missing: tuple[int, ...]


class Reset(NamedTuple):
    """When a version took effect: on `due_on`, or on the first later day with all closes."""

    number: int
    due_on: dt.date
    on: dt.date


class Unvalued(NamedTuple):
    """Days in a row without a value, and the shares whose closes are not known on them."""

    first: dt.date
    last: dt.date
    days: int
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModelNav:
    """The value of a model on each day; 100 on the day of the first reset."""

    days: Sequence[ModelDay]
    resets: Sequence[Reset]

    @property
    def levels(self) -> list[Level]:
        """The days with a value."""
        return [(day.date, day.value) for day in self.days if day.value is not None]

    @property
    def unvalued(self) -> list[Unvalued]:
        """The days without a value, those in a row for the same reason as one."""
        runs = [
            list(run)
            for _, run in groupby(self.days, key=lambda day: (day.value is None, day.missing))
        ]
        return [
            Unvalued(run[0].date, run[-1].date, len(run), run[0].missing)
            for run in runs
            if run[0].value is None
        ]


def model_nav(
    releases: Sequence[Release],
    days: Iterable[dt.date],
    closes: Mapping[int, Mapping[dt.date, Rupees]],
    events: Mapping[int, Sequence[ShareEvent]],
) -> ModelNav:
    """The value of a model at the close of each day from its first release on.

    Args:
        releases: oldest first.
        days: business days, rising.
        closes: by share, as it was traded on its day.
        events: by share; dividends stay in the model as cash until its next reset.

    Rights and buybacks are left out: the model neither subscribes nor tenders.
    """
    book, resets, values = _Book(events), list[Reset](), list[ModelDay]()
    pending = list(releases)
    for day in days:
        due = [release for release in pending if release.due_on <= day]
        if not due and not resets:
            continue
        book.pass_to(day)
        # Of several releases before one close, the last one counts.
        newest = due[-1] if due else None
        needed = {*book.shares, *(newest.weights if newest else ())}
        known = {key: close for key in needed if (close := closes.get(key, {}).get(day))}
        missing = tuple(sorted(needed - known.keys()))
        if missing:
            values.append(ModelDay(day, None, missing))
            continue
        value = book.value(known) if resets else BASE
        if newest is not None:
            book.reset(value, newest.weights, known)
            resets.append(Reset(newest.number, newest.due_on, day))
            pending = [release for release in pending if release.due_on > day]
        values.append(ModelDay(day, value, ()))
    return ModelNav(values, resets)


@dataclass(slots=True)
class _Book:
    """What the model holds: shares, not rounded, and cash."""

    events: Mapping[int, Sequence[ShareEvent]]
    shares: dict[int, Decimal] = field(default_factory=dict)
    cash: Decimal = ZERO
    passed: dt.date = dt.date.min

    def pass_to(self, day: dt.date) -> None:
        """Apply what happened to the shares after the last day, up to this one."""
        happened = sorted(
            (
                (event, key)
                for key in self.shares
                for event in self.events.get(key, ())
                if self.passed < event.on <= day
            ),
            key=lambda pair: (pair[0].on, pair[0].cash == ZERO),
        )
        for event, key in happened:
            # After a merger the share is gone.
            if key in self.shares:
                self._apply(event, key)
        self.passed = day

    def _apply(self, event: ShareEvent, key: int) -> None:
        held = self.shares[key]
        self.cash += held * event.cash
        into = event.into if event.into is not None else key
        grown = held * event.factor.numerator / event.factor.denominator
        if into == key:
            self.shares[key] = grown
            return
        self.shares[into] = self.shares.get(into, ZERO) + grown
        if event.is_replaced:
            del self.shares[key]

    def value(self, closes: Mapping[int, Rupees]) -> Decimal:
        return self.cash + sum((held * closes[key] for key, held in self.shares.items()), ZERO)

    def reset(
        self, value: Decimal, weights: Mapping[int, Percent], closes: Mapping[int, Rupees]
    ) -> None:
        """Hold the weights of a version at these closes."""
        self.shares = {
            key: value * weight / HUNDRED / closes[key] for key, weight in weights.items()
        }
        self.cash = value * (HUNDRED - sum(weights.values(), ZERO)) / HUNDRED


COUNTED_KINDS: Final = frozenset(
    {
        ActionKind.BONUS,
        ActionKind.SPLIT,
        ActionKind.CONSOLIDATION,
        ActionKind.DIVIDEND,
        ActionKind.DEMERGER,
        ActionKind.MERGER,
    }
)
"""The actions that a model's value follows."""
