"""Business days: days on which NSE trades. Weekends are fixed, holidays are given."""

import datetime as dt
from calendar import monthrange
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

_SATURDAY = 5
_ONE_DAY = dt.timedelta(days=1)


def is_business_day(day: dt.date, holidays: AbstractSet[dt.date]) -> bool:
    """`day` is neither a Saturday, a Sunday nor one of `holidays`."""
    return day.weekday() < _SATURDAY and day not in holidays


def previous_business_day(day: dt.date, holidays: AbstractSet[dt.date]) -> dt.date:
    """The last business day before `day`; never `day` itself."""
    earlier = day - _ONE_DAY
    while not is_business_day(earlier, holidays):
        earlier -= _ONE_DAY
    return earlier


def next_business_day(day: dt.date, holidays: AbstractSet[dt.date]) -> dt.date:
    """The first business day after `day`; never `day` itself."""
    later = day + _ONE_DAY
    while not is_business_day(later, holidays):
        later += _ONE_DAY
    return later


def business_days_later(day: dt.date, count: int, holidays: AbstractSet[dt.date]) -> dt.date:
    """The business day that is the `count`-th after `day`; `day` itself for 0."""
    for _ in range(count):
        day = next_business_day(day, holidays)
    return day


def business_days_between(
    first: dt.date, last: dt.date, holidays: AbstractSet[dt.date]
) -> list[dt.date]:
    """The business days from `first` to `last`, both included, in order.

    Empty when `last` is before `first`.
    """
    days = (first + dt.timedelta(days=after) for after in range((last - first).days + 1))
    return [day for day in days if is_business_day(day, holidays)]


def days_after_gaps(days: Sequence[dt.date], holidays: AbstractSet[dt.date]) -> set[dt.date]:
    """Those of `days`, which rise, that do not come next after the one before them.

    A business day is missing in between; weekends and holidays are not missed.
    """
    return {
        day
        for earlier, day in pairwise(days)
        if business_days_between(earlier + _ONE_DAY, day - _ONE_DAY, holidays)
    }


def months_later(day: dt.date, months: int) -> dt.date:
    """The same day of the month so many months later (earlier if negative), or its last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    return dt.date(year, month + 1, min(day.day, last))
