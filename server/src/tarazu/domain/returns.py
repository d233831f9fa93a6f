"""Cash flows and the returns of a portfolio: time-weighted, modified Dietz, drawdown.

A cash flow is signed as the client sees it: what is paid into the portfolio is negative,
what comes back is positive. The yearly return of dated cash flows is in `xirr.py`.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple, Self

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded

DAYS_IN_YEAR: Final = 365
_ONE: Final = Decimal(1)


class CashFlow(NamedTuple):
    """`amount` in rupees, negative when the client pays it in, positive when it comes back."""

    date: dt.date
    amount: Rupees

    @classmethod
    def added(cls, date: dt.date, amount: Rupees) -> Self:
        """Funds of `amount` rupees that the client put in."""
        return cls(date, -amount)

    @classmethod
    def withdrawn(cls, date: dt.date, amount: Rupees) -> Self:
        """Funds of `amount` rupees that the client took out."""
        return cls(date, amount)


def net_investment(
    starting_capital: Rupees, started_from: dt.date | None, cash_flows: Iterable[CashFlow]
) -> Rupees | None:
    """Starting capital plus funds added less funds withdrawn, from `started_from` on.

    Every flow counts when the start is not recorded. None while neither a starting capital nor
    a flow that counts is entered: what was put in is then not known.
    """
    counted = [
        flow.amount
        for flow in cash_flows
        if flow.amount and (started_from is None or flow.date >= started_from)
    ]
    if not starting_capital and not counted:
        return None
    return starting_capital - sum(counted, ZERO)


def years_of(days: int) -> Decimal:
    """`days` in years of 365 days, two decimals, half up."""
    return rounded(Decimal(days) / DAYS_IN_YEAR)


def flows_of_client(
    start: CashFlow,
    cash_flows: Iterable[CashFlow],
    fees_paid: Iterable[CashFlow],
    closing: CashFlow,
) -> list[CashFlow]:
    """The flows of which a client's XIRR is taken, oldest first.

    Args:
        start: the starting capital, as `CashFlow.added` on the day the client began.
        cash_flows: funds added and withdrawn; those before the start are left out.
        fees_paid: fees as `CashFlow.added` on their paid date; likewise.
        closing: the portfolio value today, as `CashFlow.withdrawn`.
    """
    between = [flow for flow in (*cash_flows, *fees_paid) if flow.date >= start.date]
    return sorted([start, *between, closing], key=lambda flow: flow.date)


Close = tuple[dt.date, Rupees]
"""A day and what the portfolio was worth at its close."""


@dataclass(frozen=True, slots=True)
class TimeWeighted:
    """The return of a rupee that stayed in the portfolio throughout; percentages unrounded.

    `yearly` is the same over a year of 365 days, and None for spans under 365 days.
    """

    percentage: Percent
    yearly: Percent | None
    days: int


def wealth_index(
    closes: Sequence[Close],
    flows: Iterable[CashFlow],
    fees: Iterable[CashFlow] = (),
    after_gaps: Collection[dt.date] = (),
) -> list[Close]:
    """What one rupee of the first close grew to by each close, external flows taken out.

    Args:
        closes: dates rising; values at the close of those days, flows of the day included.
        flows: funds added and withdrawn. A flow between two closes belongs to the later
            one; flows up to the first close are already in its value.
        fees: fees as `CashFlow.added` on their paid date, for an index net of fees. They were
            paid from elsewhere, so they lower the growth of the days on which they were paid
            and leave the portfolio as large as it is.
        after_gaps: days of closes before which daily values are missing. Where money moved in
            such a gap its growth is estimated by `modified_dietz`.

    From one close to the next the portfolio grew by (value + withdrawn) / (value before +
    added): money comes in before the day and leaves after it, so a day on which everything
    is withdrawn, or the first money comes, can be measured. The index does not change while
    there is no money, and ends where it cannot be measured (a value below nought).
    """
    index = [(day, _ONE) for day, _ in closes[:1]]
    for grown in growths(closes, flows, fees, after_gaps):
        index.append((grown.date, index[-1][1] * grown.growth))
    return index


class Growth(NamedTuple):
    """From one close to the next: what a rupee grew to, and with how much money it began.

    `opening` is the value at the close of `since` and what was added after it.
    """

    since: dt.date
    date: dt.date
    growth: Decimal
    opening: Rupees


def growths(
    closes: Sequence[Close],
    flows: Iterable[CashFlow],
    fees: Iterable[CashFlow] = (),
    after_gaps: Collection[dt.date] = (),
) -> Iterator[Growth]:
    """The growth of a portfolio from each close to the next; the arguments of `wealth_index`."""
    moved, paid = _ByDate.of(flows), _ByDate.of(fees)
    for opening, closing in pairwise(closes):
        between = moved.within(opening[0], closing[0])
        charged = sum((fee.amount for fee in paid.within(opening[0], closing[0])), ZERO)
        is_estimated = bool(between) and closing[0] in after_gaps
        growth = (_estimated_growth if is_estimated else _growth_between)(
            opening, closing, between, charged
        )
        if growth is None:
            break
        added = sum((flow.amount for flow in between if flow.amount < 0), ZERO)
        yield Growth(opening[0], closing[0], growth, opening[1] - added)


@dataclass(frozen=True, slots=True)
class _ByDate:
    """Flows by their date, and their dates alone."""

    flows: Sequence[CashFlow]
    days: Sequence[dt.date]

    @classmethod
    def of(cls, flows: Iterable[CashFlow]) -> Self:
        """`flows`, which may come in any order."""
        by_date = sorted(flows, key=lambda flow: flow.date)
        return cls(by_date, [flow.date for flow in by_date])

    def within(self, earlier: dt.date, day: dt.date) -> Sequence[CashFlow]:
        """Those after `earlier` and up to `day`."""
        return self.flows[bisect_right(self.days, earlier) : bisect_right(self.days, day)]


def _growth_between(
    opening: Close, closing: Close, between: Sequence[CashFlow], charged: Rupees
) -> Decimal | None:
    """What a rupee grew to from one close to the next; None where it cannot be measured.

    `charged` is the sum of the fees, below nought.
    """
    before = opening[1] - sum((flow.amount for flow in between if flow.amount < 0), ZERO)
    after = closing[1] + sum((flow.amount for flow in between if flow.amount > 0), ZERO) + charged
    if before < 0 or after < 0 or (before == 0 and after != 0):
        return None
    return after / before if before else _ONE


def _estimated_growth(
    opening: Close, closing: Close, between: Sequence[CashFlow], charged: Rupees
) -> Decimal | None:
    """The same, by Modified Dietz; None where no money was in it, or more than all was lost."""
    after_fees = (closing[0], closing[1] + charged)
    gained = modified_dietz(opening, after_fees, between)
    if gained is None or gained < -HUNDRED:
        return None
    return 1 + gained / HUNDRED


def growth_since(
    index: Sequence[Close], since: dt.date, began_on: dt.date | None = None
) -> TimeWeighted | None:
    """The return from the last level on or before `since` to the last level of a `wealth_index`.

    Days are counted from `began_on` where it is given: an opening value is of the evening
    before the first day. None where the index does not reach back that far, or has no level after it.
    """
    place = bisect_right([day for day, _ in index], since) - 1
    if not 0 <= place < len(index) - 1 or not index[place][1]:
        return None
    (first, opening), (last, closing) = index[place], index[-1]
    level = closing / opening
    days = (last - (began_on or first)).days
    yearly = None
    if days >= DAYS_IN_YEAR:
        exponent = Decimal(DAYS_IN_YEAR) / days
        yearly = (level**exponent - 1) * HUNDRED if level else -HUNDRED
    return TimeWeighted((level - 1) * HUNDRED, yearly, days)


def modified_dietz(opening: Close, closing: Close, flows: Iterable[CashFlow]) -> Percent | None:
    """The return over a period of which only the first and the last value are known.

    (closing - opening - added) / (opening + sum of added * share of the period that was
    left), with funds counted at the end of their day; flows after the opening day and up to
    the closing day. Percent of the period, not annualised, unrounded. None for a period
    without a day or without money in it. Source: CFA Institute, GIPS Standards Handbook.
    """
    (first, before), (last, after) = opening, closing
    days = (last - first).days
    inside = [flow for flow in flows if first < flow.date <= last]
    weighed = sum(((last - flow.date).days * -flow.amount for flow in inside), ZERO)
    if days <= 0 or before * days + weighed <= 0:
        return None
    gain = after - before + sum((flow.amount for flow in inside), ZERO)
    return gain * days / (before * days + weighed) * HUNDRED


@dataclass(frozen=True, slots=True)
class Drawdown:
    """The deepest fall from a peak to a later trough: percent below nought, unrounded."""

    percentage: Percent
    peak_on: dt.date
    trough_on: dt.date


def max_drawdown(index: Sequence[Close]) -> Drawdown | None:
    """The deepest fall in a `wealth_index`; None where it never fell.

    To be taken of the index and not of portfolio values, in which a withdrawal looks like
    a loss. Of equal falls the first is given.
    """
    deepest: Drawdown | None = None
    peak_on, peak = index[0] if index else (dt.date.min, ZERO)
    for day, level in index:
        if level > peak:
            peak_on, peak = day, level
        fall = (level / peak - 1) * HUNDRED if peak else ZERO
        if fall < (deepest.percentage if deepest else ZERO):
            deepest = Drawdown(fall, peak_on, day)
    return deepest
