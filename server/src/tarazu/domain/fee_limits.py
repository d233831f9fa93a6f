"""What a fee may not exceed: a family's yearly limit, the advance; and what goes back at an early end.

SEBI circular 2025/004 of 8 January 2025 (yearly limit per family, without taxes), circular 2025/48
of 2 April 2025 (advance), and the most important terms and conditions (refund of the unserved part).
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tarazu.domain.calendar import months_later
from tarazu.domain.money import ZERO, Rupees, rounded

_ONE_DAY = dt.timedelta(days=1)
_YEAR = 12


@dataclass(frozen=True, slots=True)
class Charge:
    """A fee as the yearly limit sees it: its day, its rupees without tax, and its limit.

    `limit` is None where there is none.
    """

    day: dt.date
    amount: Rupees
    limit: Rupees | None


@dataclass(frozen=True, slots=True)
class YearOverLimit:
    """Twelve months in which a family's fees are over the limit with a fee, in rupees.

    `others` are the fees of the family in these months that were recorded before.
    """

    last_day: dt.date
    others: Rupees
    fee: Rupees
    limit: Rupees

    @property
    def total(self) -> Rupees:
        """The fees of these months with this one."""
        return self.others + self.fee

    @property
    def excess(self) -> Rupees:
        """Rupees by which the fees exceed the limit; above 0."""
        return self.total - self.limit


@dataclass(frozen=True, slots=True)
class UnservedShare:
    """The part of a fee for the days after an early end; `amount` in whole paise."""

    days: int
    served: int
    fee: Rupees
    amount: Rupees

    @property
    def unserved(self) -> int:
        """Days of the period without service."""
        return self.days - self.served


def first_of_twelve_months(last_day: dt.date) -> dt.date:
    """The first day of the twelve months that end on a day."""
    return months_later(last_day, -_YEAR) + _ONE_DAY


def years_over_limit(charges: Iterable[Charge]) -> list[YearOverLimit | None]:
    """For each charge, the worst twelve months that are over the limit with it; None if none are.

    Charges of one family in the order in which they were recorded. Each counts with those before
    it in every twelve months that have its day, also those that end later: a fee that is recorded
    late can take a later month over the limit. None for a charge of nothing or without a limit.
    """
    earlier: list[Charge] = []
    passed = []
    for charge in charges:
        passed.append(_worst_year(charge, earlier))
        earlier.append(charge)
    return passed


def _worst_year(charge: Charge, earlier: Sequence[Charge]) -> YearOverLimit | None:
    limit = charge.limit
    if limit is None or charge.amount <= ZERO:
        return None
    ends = [charge.day, *(other.day for other in earlier if other.day > charge.day)]
    years = (
        YearOverLimit(end, fees_of_twelve_months(earlier, end), charge.amount, limit)
        for end in sorted(ends)
        if first_of_twelve_months(end) <= charge.day
    )
    worst = max(years, key=lambda year: year.total)
    return worst if worst.excess > ZERO else None


def fees_of_twelve_months(charges: Iterable[Charge], last_day: dt.date) -> Rupees:
    """Rupees charged in the twelve months that end on a day."""
    first = first_of_twelve_months(last_day)
    return sum((each.amount for each in charges if first <= each.day <= last_day), ZERO)


def last_day_in_advance(charged_on: dt.date, starts_on: dt.date, months: int) -> dt.date:
    """The last day that a fee may cover: so many months from its charge, or from a later start."""
    return months_later(max(charged_on, starts_on), months) - _ONE_DAY


def unserved_share_of(
    fee: Rupees, starts_on: dt.date, ends_on: dt.date, ended_on: dt.date
) -> UnservedShare:
    """What goes back of a fee when the service ends early: by days, no breakage fee.

    All days count that the period has, the first and the last included; `ended_on` is the last day
    of service. Rounded half up to the paisa.

    Raises:
        ValueError: the service did not end inside the period.
    """
    if not starts_on <= ended_on <= ends_on:
        raise ValueError(f"{ended_on} is outside {starts_on} to {ends_on}")
    days = (ends_on - starts_on).days + 1
    served = (ended_on - starts_on).days + 1
    return UnservedShare(days, served, fee, rounded(fee * (days - served) / days))
