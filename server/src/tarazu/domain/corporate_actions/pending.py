"""What a holding is while a bonus, a split or a consolidation is credited.

From the ex-date a client owns the shares after the action, while the broker shows the old number
until it credits them, and the old average for longer still. All of it follows from the readings of
the holding and the actions: nothing is stored that cannot be computed again.
"""

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, groupby
from operator import attrgetter
from typing import Final

from tarazu.domain.corporate_actions.adjusting import expected_shares
from tarazu.domain.money import ZERO, Rupees, rounded

CREDITED_WITHIN: Final = dt.timedelta(days=7)
"""A holding that is read for the first time so long after the ex-date is of after the action."""
_PLACES: Final = 4


@dataclass(frozen=True, slots=True)
class UnitChange:
    """An action as one holding meets it: from `ex_at` on, a share is `factor` shares."""

    key: uuid.UUID
    ex_at: dt.datetime
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Shown:
    """What a broker or a file showed of a holding: whole shares, and what one cost on average.

    `average` is 0 where it was not known. `traded` are the client's own known trades since the
    reading before, bought less sold.
    """

    at: dt.datetime
    quantity: int
    average: Rupees
    traded: int = 0


@dataclass(frozen=True, slots=True)
class Entitlement:
    """What one action does to one holding.

    Attributes:
        before: shares owned when the action took place.
        expected: shares that they become.
        credited_at: the reading that showed them; None as long as none did.
        is_known: false where the holding was first read after the ex-date and before the shares
            were surely credited: then `before` and `expected` are what was shown.
    """

    change: UnitChange
    before: int
    expected: int
    credited_at: dt.datetime | None = None
    is_known: bool = True

    @property
    def gained(self) -> int:
        """Shares that the action brings; below zero for a consolidation."""
        return self.expected - self.before

    @property
    def waiting(self) -> int:
        """Of them, the shares that are not credited yet."""
        return self.gained if self.credited_at is None else 0


@dataclass(frozen=True, slots=True)
class Course:
    """What became of a holding since the first of some actions.

    `false_cost` is by how much the cost shown (quantity times average) is above what the shares
    cost: the broker still has, or already has, the average of another number of shares.
    """

    entitlements: Sequence[Entitlement]
    false_cost: Rupees = ZERO


def course_of(
    changes: Sequence[UnitChange],
    start: Shown | None,
    readings: Sequence[Shown],
    last_read_at: dt.datetime,
    price: Rupees | None,
) -> Course:
    """What these actions did to a holding.

    Args:
        changes: of the share, all of which have taken place, in any order.
        start: what was shown last before the first ex-date; None where nothing was read before.
        readings: the later ones that differ from the one before, in order of time.
        last_read_at: when the holding was read last, with or without a difference.
        price: of a share now, in rupees; None where it is not known.
    """
    course = _Course(start)
    days = [
        (at, list(of_day))
        for at, of_day in groupby(
            sorted(changes, key=lambda change: (change.ex_at, change.key)),
            key=attrgetter("ex_at"),
        )
    ]
    for reading in readings:
        while days and days[0][0] <= reading.at:
            course.take_actions(days.pop(0)[1])
        course.take_reading(reading)
    for _, of_day in days:
        course.take_actions(of_day)
    return Course(
        [_settled(entitlement, last_read_at) for entitlement in course.entitlements],
        course.false_cost(price),
    )


def _settled(entitlement: Entitlement, last_read_at: dt.datetime) -> Entitlement:
    """With the credit of what needs no reading of its own.

    Of a holding that was not known, a reading late enough shows the shares after the action. An
    action that brings less than one share brings only cash.
    """
    if entitlement.credited_at is not None:
        return entitlement
    ex_at = entitlement.change.ex_at
    if entitlement.is_known:
        return entitlement if entitlement.gained else replace(entitlement, credited_at=ex_at)
    is_late = last_read_at >= ex_at + CREDITED_WITHIN
    return replace(entitlement, credited_at=last_read_at) if is_late else entitlement


@dataclass(slots=True)
class _Course:
    """The state of a holding between two events; `base` is of the first action."""

    shown: Shown | None
    entitlements: list[Entitlement] = field(default_factory=list)
    base: Shown | None = None
    early: list[UnitChange] = field(default_factory=list)
    """Actions before the first reading."""

    def take_actions(self, changes: Sequence[UnitChange]) -> None:
        """The actions of one day take place."""
        if self.shown is None:
            self.early += changes
            return
        owned = self.shown.quantity + sum(row.waiting for row in self.entitlements)
        if owned <= 0:
            return
        if self.base is None:
            self.base = self.shown
        self.entitlements += _chain(owned, changes)

    def take_reading(self, reading: Shown) -> None:
        """Find what this reading credits."""
        before = self.shown
        self.shown = reading
        if before is None:
            self.entitlements += [
                Entitlement(change, reading.quantity, reading.quantity, is_known=False)
                for change in self.early
                if reading.at < change.ex_at + CREDITED_WITHIN and reading.quantity
            ]
            return
        self._find_unknown(before, reading)
        waiting = [row for row in self.entitlements if row.credited_at is None and row.is_known]
        credited = _credited(before, reading, waiting)
        if not credited:
            return
        others = [row for row in self.entitlements if row not in waiting]
        self.entitlements = [*others, *_rechained(waiting, credited, reading.at)]

    def _find_unknown(self, before: Shown, reading: Shown) -> None:
        """A jump by exactly the factor shows the credit of shares whose number was not known."""
        for place, row in enumerate(self.entitlements):
            if row.is_known or row.credited_at is not None:
                continue
            expected = expected_shares(before.quantity, [row.change.factor]).quantity
            if expected != before.quantity and reading.quantity - reading.traded == expected:
                self.entitlements[place] = Entitlement(
                    row.change, before.quantity, expected, reading.at
                )
                self.base = self.base or before

    def false_cost(self, price: Rupees | None) -> Rupees:
        """See `Course`."""
        shown, base = self.shown, self.base
        known = [row for row in self.entitlements if row.is_known]
        if shown is None or base is None or not known or not base.average:
            return ZERO
        whole = base.quantity + sum(row.gained for row in known)
        owned = shown.quantity + sum(row.waiting for row in known)
        if owned <= 0 or whole <= 0:
            return shown.average * shown.quantity
        bought = max(owned - whole, 0)
        cost = Fraction(base.average) * base.quantity
        real = cost * min(owned, whole) / whole
        if not shown.average:
            return rounded(_decimal(-real), _PLACES) if not bought else ZERO
        rest = shown.quantity - bought
        # By the average of before, and by the average of after all actions.
        told = [Fraction(base.average) * rest, cost / whole * rest]
        spent = Fraction(shown.average) * shown.quantity
        spent -= bought * Fraction(shown.average if price is None else price)
        nearest = min(told, key=lambda amount: abs(amount - spent))
        return rounded(_decimal(nearest - real), _PLACES)


def _chain(owned: int, changes: Sequence[UnitChange]) -> list[Entitlement]:
    """The actions of one day, one after the other; whole shares only after all of them count."""
    rows, before = list[Entitlement](), owned
    for place, change in enumerate(changes, 1):
        factors = [earlier.factor for earlier in changes[:place]]
        expected = expected_shares(owned, factors).quantity
        rows.append(Entitlement(change, before, expected))
        before = expected
    return rows


def _credited(
    before: Shown, reading: Shown, waiting: Sequence[Entitlement]
) -> Sequence[Entitlement]:
    """Which of the waiting actions this reading shows as credited; none where it fits none."""
    own = before.quantity + reading.traded
    if reading.quantity == own:
        return ()
    for credited in _possible(waiting):
        gained = _gained_by(waiting, credited)
        factors = [row.change.factor for row in credited]
        # Also where shares came before the ex-date that no known trade explains.
        whole = expected_shares(before.quantity, factors).quantity
        if reading.quantity in {own + gained, whole + reading.traded}:
            return credited
    return ()


def _possible(waiting: Sequence[Entitlement]) -> Iterator[Sequence[Entitlement]]:
    """What a broker may have credited: all of the first days, and any of the day after these."""
    done: list[Entitlement] = []
    for _, rows in groupby(waiting, key=lambda row: row.change.ex_at):
        of_day = list(rows)
        for count in range(1, len(of_day) + 1):
            for some in combinations(of_day, count):
                yield [*done, *some]
        done += of_day


def _gained_by(waiting: Sequence[Entitlement], credited: Sequence[Entitlement]) -> int:
    """The shares that crediting these alone brings."""
    gained = 0
    for _, rows in groupby(waiting, key=lambda row: row.change.ex_at):
        of_day = list(rows)
        factors = [row.change.factor for row in of_day if row in credited]
        if len(factors) == len(of_day):
            gained += sum(row.gained for row in of_day)
        else:
            gained += expected_shares(of_day[0].before, factors).quantity - of_day[0].before
    return gained


def _rechained(
    waiting: Sequence[Entitlement], credited: Sequence[Entitlement], at: dt.datetime
) -> list[Entitlement]:
    """The waiting actions with those credited; of one day the credited ones go first."""
    rows: list[Entitlement] = []
    done = {row.change.key for row in credited}
    for _, group in groupby(waiting, key=lambda row: row.change.ex_at):
        of_day = list(group)
        ordered = sorted(of_day, key=lambda row: row.change.key not in done)
        if ordered != of_day:
            of_day = _chain(of_day[0].before, [row.change for row in ordered])
        rows += [replace(row, credited_at=at if row.change.key in done else None) for row in of_day]
    return rows


def _decimal(amount: Fraction) -> Decimal:
    return Decimal(amount.numerator) / amount.denominator
