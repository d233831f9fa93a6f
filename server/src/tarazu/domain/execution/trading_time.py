"""Trading minutes between two instants, and how many of them a client took to act.

Sessions of NSE and BSE on a business day, in India: 09:15 to 15:30, and since 3 August 2026 the
post-close session from 15:50 to 16:00. The closing auction until 15:35 is for shares with
derivatives alone and is not counted; nor are the pre-open session and special sessions on
holidays. A trade outside of the counted sessions is as late as the session before it.
"""

import datetime as dt
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from functools import lru_cache
from typing import Final

from tarazu.domain.calendar import is_business_day
from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import INDIA
from tarazu.domain.execution.values import LineResult
from tarazu.domain.money import ZERO, Rupees

POST_CLOSE_SINCE: Final = dt.date(2026, 8, 3)
_REGULAR: Final = (dt.time(9, 15), dt.time(15, 30))
_POST_CLOSE: Final = (dt.time(15, 50), dt.time(16, 0))
_MINUTE: Final = dt.timedelta(minutes=1)
_NINETY: Final = Decimal("0.9")

_Step = tuple[dt.datetime, Rupees]
"""When what value at advised prices was traded."""


@lru_cache(1_000)
def sessions_of(day: dt.date) -> tuple[tuple[dt.datetime, dt.datetime], ...]:
    """The sessions of a business day, in order: begin and end."""
    is_newer = day >= POST_CLOSE_SINCE
    return tuple(
        (dt.datetime.combine(day, begin, INDIA), dt.datetime.combine(day, end, INDIA))
        for begin, end in ((_REGULAR, _POST_CLOSE) if is_newer else (_REGULAR,))
    )


def last_trade_at(day: dt.date) -> dt.datetime:
    """The end of the last session of a business day."""
    return sessions_of(day)[-1][1]


def last_trade_within(ends_at: dt.datetime) -> dt.datetime:
    """The last instant of a window's last day at which shares can be traded inside the window."""
    return min(ends_at, last_trade_at(ends_at.astimezone(INDIA).date()))


def trading_minutes(start: dt.datetime, end: dt.datetime, holidays: AbstractSet[dt.date]) -> int:
    """Whole minutes of trading from `start` to `end`, rounded down; 0 if `end` is not later."""
    open_for = dt.timedelta(0)
    day, last = start.astimezone(INDIA).date(), end.astimezone(INDIA).date()
    while day <= last:
        if is_business_day(day, holidays):
            for begins_at, ends_at in sessions_of(day):
                open_for += max(dt.timedelta(0), min(end, ends_at) - max(start, begins_at))
        day += dt.timedelta(days=1)
    return open_for // _MINUTE


def minutes_to_first_fill(
    results: Sequence[LineResult], holidays: AbstractSet[dt.date]
) -> int | None:
    """Trading minutes from the sending of an advice to the first fill of one of its lines.

    None if nothing is filled, or if an inferred fill may have been the first.
    """
    fills = [match.fill for each in results for match in each.matches]
    if not fills:
        return None
    first_at = min([fill.at for fill in fills])
    if min([fill.after or fill.at for fill in fills]) != first_at:
        return None
    return trading_minutes(min([each.line.sent_at for each in results]), first_at, holidays)


def minutes_to_ninety(results: Sequence[LineResult], holidays: AbstractSet[dt.date]) -> int | None:
    """Trading minutes from the sending to 90 % of the advised value, at advised prices.

    Buys and sells add up; declined lines count as advised. None if 90 % is not reached, or if
    inferred fills leave open when.
    """
    advised = sum(
        (each.quantity * each.price for each in results if each.line.side is not Side.HOLD), ZERO
    )
    return _minutes_to(results, holidays, advised * _NINETY)


def _minutes_to(
    results: Sequence[LineResult], holidays: AbstractSet[dt.date], target: Rupees
) -> int | None:
    matches = [(each, match) for each in results for match in each.matches]
    latest = [(match.fill.at, match.quantity * each.price) for each, match in matches]
    reached_at = _reached(latest, target)
    if reached_at is None:
        return None
    if any(match.fill.is_inferred for _, match in matches):
        earliest = [
            (match.fill.after or match.fill.at, match.quantity * each.price)
            for each, match in matches
        ]
        if _reached(earliest, target) != reached_at:
            return None
    return trading_minutes(min(each.line.sent_at for each in results), reached_at, holidays)


def _reached(steps: Sequence[_Step], target: Rupees) -> dt.datetime | None:
    """When the sum of the steps reached the target; None if it did not."""
    total = ZERO
    for at, value in sorted(steps):
        total += value
        if total >= target:
            return at
    return None
