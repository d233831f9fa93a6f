"""A benchmark beside a portfolio: its levels, the same flows in it, capture of its moves.

An index has one level a day, at the close. A level is a number of points, not rupees; only the
ratio of two levels is ever used.
"""

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby, pairwise
from typing import Final, NamedTuple, Self

from tarazu.domain.calendar import business_days_between, is_business_day, next_business_day
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.returns import CashFlow

Level = tuple[dt.date, Decimal]
"""A day and the index at its close."""

LARGE_MOVE: Final = Percent(20)
"""A day's move beyond it is more likely a wrong value: NSE halts the market for the day at 20 %."""
LONGEST_CLOSURE: Final = 4
"""Weekdays in a row on which an exchange was closed for holidays, at most."""
FEWEST_MONTHS: Final = 12
"""Full months below which capture ratios say more of chance than of the portfolio."""

_ONE_DAY: Final = dt.timedelta(days=1)
_HALF_A_PAISA: Final = Decimal("0.005")
_ONE: Final = Decimal(1)


def missing_days(days: Sequence[dt.date], holidays: AbstractSet[dt.date]) -> list[dt.date]:
    """Days between the first and the last of `days`, which rise, that should be among them.

    Every business day, in years of which holidays are known. In other years a weekday without a
    value may have been a holiday: there only runs of more than `LONGEST_CLOSURE` weekdays count.
    """
    known = {day.year for day in holidays}
    missing: list[dt.date] = []
    for earlier, day in pairwise(days):
        if day - earlier == _ONE_DAY:
            continue
        between = business_days_between(earlier + _ONE_DAY, day - _ONE_DAY, holidays)
        is_long = len(between) > LONGEST_CLOSURE
        missing += [one for one in between if is_long or one.year in known]
    return missing


class Gap(NamedTuple):
    """Business days in a row without a value, the first and the last of them, and how many."""

    first: dt.date
    last: dt.date
    days: int


def gaps_of(missing: Sequence[dt.date], days: Sequence[dt.date]) -> list[Gap]:
    """The days that are missing, grouped by the day of `days` (rising) that they follow."""
    groups = groupby(missing, key=lambda day: bisect_left(days, day))
    runs = [list(run) for _, run in groups]
    return [Gap(run[0], run[-1], len(run)) for run in runs]


def large_moves(levels: Sequence[Level]) -> list[tuple[dt.date, Percent]]:
    """Days on which the index moved by more than `LARGE_MOVE` from its level before, and by how much."""
    moves = (
        (day, (level / before - 1) * HUNDRED) for (_, before), (day, level) in pairwise(levels)
    )
    return [(day, move) for day, move in moves if abs(move) > LARGE_MOVE]


@dataclass(frozen=True, slots=True)
class IndexLevels:
    """The levels of an index, and the days on which a level is missing.

    A weekend or a holiday has the level of the last trading day. A business day without a value
    has no level, and neither have the days after it until the next value: nothing is carried
    over a gap, and nothing beyond the last value but over days without trading.
    """

    days: Sequence[dt.date]
    values: Sequence[Decimal]
    missing: frozenset[dt.date]
    holidays: AbstractSet[dt.date]

    @classmethod
    def of(cls, levels: Sequence[Level], holidays: AbstractSet[dt.date]) -> Self:
        """Levels with rising days and values above nought."""
        days = [day for day, _ in levels]
        missing = frozenset(missing_days(days, holidays))
        return cls(days, [value for _, value in levels], missing, holidays)

    def on(self, day: dt.date) -> Decimal | None:
        """The level of a day; None where it is not known."""
        place = bisect_right(self.days, day) - 1
        if place < 0:
            return None
        last = self.days[place]
        if last != day and self._is_gap_between(last, day):
            return None
        return self.values[place]

    def _is_gap_between(self, last: dt.date, day: dt.date) -> bool:
        is_after_all = last == self.days[-1]
        while last < day:
            last += _ONE_DAY
            if is_after_all and is_business_day(last, self.holidays):
                return True
            if last in self.missing:
                return True
        return False


@dataclass(frozen=True, slots=True)
class SameFlows:
    """What the flows would be worth in the index; `value` is None with the day that prevents it.

    Attributes:
        unknown_on: the first day whose level is needed and not known.
        ran_out_on: the day on which a withdrawal was more than all there was in the index.
    """

    value: Rupees | None
    unknown_on: dt.date | None = None
    ran_out_on: dt.date | None = None


def same_flows(flows: Iterable[CashFlow], levels: IndexLevels, until: dt.date) -> SameFlows:
    """What the same flows in the index would be worth on `until`, unrounded.

    A flow buys or sells at the level of its own day, and counts from then on: the sum of
    amount * level on `until` / level on the day of the flow. Source: Long and Nickels (1996), A
    Private Investment Benchmark, AIMR Conference on Venture Capital Investing; its index is read
    on the day of the flow, as there is one level a day. Flows after `until` are left out.
    """
    now = levels.on(until)
    if now is None:
        return SameFlows(None, unknown_on=until)
    units = ZERO
    counted = sorted((flow for flow in flows if flow.date <= until), key=lambda flow: flow.date)
    for day, group in groupby(counted, key=lambda flow: flow.date):
        level = levels.on(day)
        if level is None:
            return SameFlows(None, unknown_on=day)
        units -= sum((flow.amount for flow in group), ZERO) / level
        if units * level < -_HALF_A_PAISA:
            return SameFlows(None, ran_out_on=day)
    return SameFlows(units * now)


def rebased(levels: Sequence[Level]) -> list[Level]:
    """The same series as it grows from 100."""
    if not levels:
        return []
    first = levels[0][1]
    return [(day, level / first * HUNDRED) for day, level in levels]


@dataclass(frozen=True, slots=True)
class Captures:
    """How much of the benchmark's rises and falls a portfolio took part in, in percent, unrounded.

    Attributes:
        up, down: None below `FEWEST_MONTHS` full months, or without a month of that kind.
        up_months, down_months: how many months each is of.
        months: full months in all.
    """

    up: Percent | None
    down: Percent | None
    up_months: int
    down_months: int
    months: int


def captures(
    portfolio: Sequence[Level], benchmark: Sequence[Level], holidays: AbstractSet[dt.date]
) -> Captures:
    """The up and the down capture of two series of the same rising days.

    The geometric mean of the portfolio's returns in the months in which the benchmark rose (fell),
    over that of the benchmark in the same months, times 100. Only full months count: from the
    last business day of one month to that of the next. Nothing is annualised. Source: Morningstar,
    Investing Glossary, "Upside and Downside Capture Ratio".
    """
    ends = [place for place, (day, _) in enumerate(benchmark) if _ends_month(day, holidays)]
    months = [
        (portfolio[last][1] / portfolio[first][1], benchmark[last][1] / benchmark[first][1])
        for first, last in pairwise(ends)
        if _month_number(benchmark[last][0]) - _month_number(benchmark[first][0]) == 1
        and portfolio[first][1]
    ]
    up = [growths for growths in months if growths[1] > 1]
    down = [growths for growths in months if growths[1] < 1]
    is_enough = len(months) >= FEWEST_MONTHS
    return Captures(
        _capture(up) if is_enough else None,
        _capture(down) if is_enough else None,
        len(up),
        len(down),
        len(months),
    )


def _capture(months: Sequence[tuple[Decimal, Decimal]]) -> Percent | None:
    if not months:
        return None
    portfolio, benchmark = (_mean_return(growths) for growths in zip(*months, strict=True))
    return portfolio / benchmark * HUNDRED


def _mean_return(growths: Sequence[Decimal]) -> Decimal:
    """The geometric mean of what one rupee grew to, less one."""
    product = _ONE
    for growth in growths:
        product *= growth
    return product ** (_ONE / len(growths)) - 1 if product else -_ONE


def _ends_month(day: dt.date, holidays: AbstractSet[dt.date]) -> bool:
    return next_business_day(day, holidays).month != day.month


def _month_number(day: dt.date) -> int:
    return day.year * 12 + day.month
