"""How well money did: the yearly return of dated cash flows, time-weighted return, drawdown.

A cash flow is signed as the client sees it: what is paid into the portfolio is negative,
what comes back is positive. Amounts are exact; a rate is the solution of an equation and is
therefore a double, as a fraction a year (0.125 is 12.5 %).
"""

import datetime as dt
import math
from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple, Self

import numpy as np
import pyxirr
from numpy.typing import NDArray

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded

DAYS_IN_YEAR: Final = 365

_ONE: Final = Decimal(1)
_EPSILON: Final = float(np.finfo(np.float64).eps)
_LARGEST_EXPONENT: Final = math.log(float(np.finfo(np.float64).max))
_SMALL_STEP: Final = 1e-7  # Newton's next step is about its square, below the last digits

_NARROWEST: Final = 1e-9  # a part of the line so small is not halved any more
_PARTS_AT_ONCE: Final = 256

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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


# ---------------------------------------------------------------------------- XIRR, one client


class XirrCode(StrEnum):
    """How a rate came about, or why there is none."""

    OK = "OK"
    """The one rate that solves the flows."""
    OK_PURE_INVESTMENT = "OK_PURE_INVESTMENT"
    """The signs change more than once, yet the rate is the only one: at it, the money is
    out (or owed) without a break until the last flow (Soper 1959)."""
    AMBIGUOUS = "AMBIGUOUS"
    """Several rates solve the flows; `roots` has them all, `rate` is the one nearest zero."""
    NO_SIGN_CHANGE = "NO_SIGN_CHANGE"
    """Money only went in, or only came out."""
    NO_REAL_ROOT = "NO_REAL_ROOT"
    """The signs change, but no rate above -100 % balances the flows."""
    ZERO_DURATION = "ZERO_DURATION"
    """Everything happened on one day."""
    TOTAL_LOSS = "TOTAL_LOSS"
    """Money went in, and the closing value is nought: -100 %."""
    NOT_VALUED = "NOT_VALUED"
    """Neither holdings nor funds were ever read or entered, so there is no value to close with."""
    NO_CASH_FLOWS = "NO_CASH_FLOWS"
    """No flow, or flows that cancel out on every day."""
    BEYOND_RANGE = "BEYOND_RANGE"
    """The yearly rate is too large for a number on a computer; see `period_return`."""


WORDS_OF: Final = {
    XirrCode.AMBIGUOUS: "Several rates solve these cash flows; this is the one nearest zero.",
    XirrCode.NO_SIGN_CHANGE: (
        "Money only went in, or only came out, so there is no rate of return."
    ),
    XirrCode.NO_REAL_ROOT: "No yearly rate balances these cash flows.",
    XirrCode.ZERO_DURATION: "Everything happened on one day; a yearly rate needs at least two.",
    XirrCode.TOTAL_LOSS: "Money went in and nothing is left.",
    XirrCode.NOT_VALUED: "No holdings or funds yet.",
    XirrCode.NO_CASH_FLOWS: "There are no cash flows yet. Enter the starting date and capital.",
    XirrCode.BEYOND_RANGE: "The yearly rate is too large to be meaningful; see the plain return.",
}
"""What there is to say of a rate, or of why there is none; nothing for the rest."""


@dataclass(frozen=True, slots=True)
class Xirr:
    """The yearly money-weighted return of dated cash flows, actual/365.

    Attributes:
        rate: fraction a year, above or at -1; None when `code` says there is none.
        code: how the rate came about, or why there is none.
        roots: every rate that solves the flows, rising; more than one when AMBIGUOUS.
        period_return: the plain return over a span of under 365 days, because a short
            period is not to be annualised; None for longer spans or without a rate.
    """

    rate: float | None
    code: XirrCode
    roots: tuple[float, ...] = ()
    period_return: float | None = None

    @property
    def percentage(self) -> Percent | None:
        """`rate` in percent, unrounded."""
        return None if self.rate is None else Decimal(repr(self.rate)) * HUNDRED

    @property
    def period_percentage(self) -> Percent | None:
        """`period_return` in percent, unrounded."""
        return None if self.period_return is None else Decimal(repr(self.period_return)) * HUNDRED


def xirr(flows: Sequence[CashFlow]) -> Xirr:
    """The rate at which the flows, discounted to the first day, add up to nothing.

    With s = ln(1 + rate) and t in years of 365 days from the first flow: sum of
    amount * exp(-s t) = 0. Flows may come in any order; those of one day are added up
    exactly first. pyxirr computes the rate; where the signs change more than once the rate
    is shown to be the only one, or all rates are found; where the library gives up or
    answers infinity, the root is searched between bounds.
    """
    by_day = _net_by_day(flows)
    code = _reason_for_none(flows, by_day)
    if code is XirrCode.TOTAL_LOSS:
        is_short = (max(by_day) - min(by_day)).days < DAYS_IN_YEAR
        return Xirr(-1.0, code, (-1.0,), -1.0 if is_short else None)
    nets = sorted((day, net) for day, net in by_day.items() if net)
    if code is not None:
        return Xirr(None, code)
    series = _Series.of(nets)
    guess = _library_root(nets)
    root = None if guess is None else series.polished(guess)
    if series.sign_changes == 1:
        return _answer(series, XirrCode.OK, [series.only_root() if root is None else root])
    if root is not None and series.is_pure_at(root):
        return _answer(series, XirrCode.OK_PURE_INVESTMENT, [root])
    roots = series.roots()
    if not roots:
        return Xirr(None, XirrCode.NO_REAL_ROOT)
    return _answer(series, XirrCode.OK if len(roots) == 1 else XirrCode.AMBIGUOUS, roots)


def _net_by_day(flows: Iterable[CashFlow]) -> dict[dt.date, Rupees]:
    by_day: dict[dt.date, Rupees] = {}
    for date, amount in flows:
        by_day[date] = by_day.get(date, ZERO) + amount
    return by_day


def _reason_for_none(flows: Sequence[CashFlow], by_day: dict[dt.date, Rupees]) -> XirrCode | None:
    """Why there is nothing to solve; None when the signs change over at least two days."""
    days = [day for day, net in by_day.items() if net]
    if not any(flow.amount for flow in flows):
        return XirrCode.NO_CASH_FLOWS
    if days and max(days) < max(by_day) and all(by_day[day] < 0 for day in days):
        return XirrCode.TOTAL_LOSS
    if len({flow.date for flow in flows if flow.amount}) == 1 or len(days) == 1:
        return XirrCode.ZERO_DURATION
    if not days:
        return XirrCode.NO_CASH_FLOWS
    if len({by_day[day] > 0 for day in days}) == 1:
        return XirrCode.NO_SIGN_CHANGE
    return None


def _library_root(nets: Sequence[tuple[dt.date, Rupees]]) -> float | None:
    """ln(1 + rate) of the rate that pyxirr finds; None where it finds none it can state.

    The amounts are divided by the largest, because the library stops at a residual of
    0.001 in the unit it is given.
    """
    largest = max(abs(net) for _, net in nets)
    rate = pyxirr.xirr(
        [day for day, _ in nets], [float(net / largest) for _, net in nets], silent=True
    )
    if rate is None or not math.isfinite(rate) or rate <= -1:
        return None
    return math.log1p(rate)


def _growth(exponent: float) -> float | None:
    """exp(exponent) - 1; None where a double cannot hold it."""
    return math.expm1(exponent) if exponent < _LARGEST_EXPONENT else None


def _answer(series: "_Series", code: XirrCode, roots: Sequence[float]) -> Xirr:
    nearest = min(roots, key=abs)
    rate = _growth(nearest)
    span = float(series.times[-1])
    return Xirr(
        rate=rate,
        code=XirrCode.BEYOND_RANGE if rate is None else code,
        roots=tuple(rate for rate in map(_growth, sorted(roots)) if rate is not None),
        period_return=_growth(nearest * span) if span < 1 else None,
    )


@dataclass(frozen=True, slots=True)
class _Series:
    """f(s) = sum of amounts * exp(-s * times), times rising, no amount zero."""

    times: Floats
    amounts: Floats
    sign_changes: int = field(init=False)

    def __post_init__(self) -> None:
        changes = np.count_nonzero(np.diff(np.sign(self.amounts)))
        object.__setattr__(self, "sign_changes", int(changes))

    @classmethod
    def of(cls, nets: Sequence[tuple[dt.date, Rupees]]) -> Self:
        """Years from the first day, and amounts in parts of the largest."""
        first = nets[0][0]
        largest = max(abs(net) for _, net in nets)
        years = [(day - first).days / DAYS_IN_YEAR for day, _ in nets]
        return cls(np.array(years), np.array([float(net / largest) for _, net in nets]))

    def terms(self, s: float) -> Floats:
        """The terms of f at s, all divided by one positive number so that none overflows."""
        exponents = -s * self.times
        terms: Floats = self.amounts * np.exp(exponents - exponents.max())
        return terms

    def value(self, s: float) -> float:
        """f(s) by the terms so divided: its sign is right, its size is relative."""
        return math.fsum(self.terms(s))

    def rounding_error(self, s: float) -> float:
        """What `value` may be off by: each exponential is good to eps * (1 + |s t|)."""
        sizes = np.abs(self.terms(s)) * (2 + np.abs(s * self.times))
        return 4 * _EPSILON * float(sizes.sum())

    def polished(self, guess: float) -> float | None:
        """The root that Newton's method reaches from `guess` in a few steps.

        None where it does not settle, so a value that is returned is a root to the last bits.
        """
        s = guess
        for _ in range(12):
            terms = self.terms(s)
            slope = -math.fsum(terms * self.times)
            if slope == 0:
                break
            step = math.fsum(terms) / slope
            s -= step
            if not abs(s) < 1 / _EPSILON:
                return None
            if abs(step) <= 4 * _EPSILON * max(1.0, abs(s)):
                break
        return s if abs(self.value(s)) <= self.rounding_error(s) else None

    def is_pure_at(self, root: float) -> bool:
        """The running balance keeps one sign until the last flow, so `root` is the only one.

        Soper, C. S. (1959), The marginal efficiency of capital: a further note, Economic
        Journal 69: sufficient for a single root above -100 %.
        """
        balances = np.cumsum(self.terms(root))[:-1]
        slack = self.rounding_error(root)
        return bool((balances <= slack).all() or (balances >= -slack).all())

    def bounds(self) -> tuple[float, float]:
        """Two values of s between which every root lies.

        Beyond the upper one the first term outweighs all others together, beyond the
        lower one the last.
        """
        sizes = np.abs(self.amounts)
        low, high = -1.0, 1.0
        while sizes[0] <= (sizes[1:] * np.exp(-high * (self.times[1:] - self.times[0]))).sum():
            high *= 2
        while sizes[-1] <= (sizes[:-1] * np.exp(low * (self.times[-1] - self.times[:-1]))).sum():
            low *= 2
        return low, high

    def only_root(self) -> float:
        """The root of a series whose signs change once."""
        return self.root_between(*self.bounds())

    def root_between(self, low: float, high: float) -> float:
        """A root between two values of s at which f has different signs, by halving."""
        is_positive = self.value(low) > 0
        while True:
            middle = low + (high - low) / 2
            if middle in (low, high):
                return middle
            if (self.value(middle) > 0) == is_positive:
                low = middle
            else:
                high = middle

    def roots(self) -> list[float]:
        """Every root, rising; a root that f touches without crossing is counted once.

        The line between the bounds is halved until of each part it is shown that f stays away
        from nought there, or only rises or only falls. The work does not grow with the number
        of sign changes, of which a client who pays in and out every week has hundreds.
        """
        level: list[_Part] = []
        found: list[float] = []
        parts = np.array([self.bounds()])
        while len(parts):
            halved: list[Floats] = []
            for start in range(0, len(parts), _PARTS_AT_ONCE):
                some = parts[start : start + _PARTS_AT_ONCE]
                is_level, is_steep, is_open = self._told_apart(some)
                level += [(low, high) for low, high in some[is_level].tolist()]
                found += [
                    self.root_between(low, high)
                    for low, high in some[is_steep].tolist()
                    if (self.value(low) > 0) != (self.value(high) > 0)
                ]
                middles = some[is_open].mean(axis=1)
                halved += [
                    np.column_stack([some[is_open, 0], middles]),
                    np.column_stack([middles, some[is_open, 1]]),
                ]
            parts = np.concatenate(halved)
        return self._joined([(low + high) / 2 for low, high in _merged(level)], found)

    def _told_apart(self, parts: Floats) -> tuple[Bools, Bools, Bools]:
        """Of each part (a row: from, to): is f level there, or is it steep, or is neither shown yet.

        Parts from which f stays away are none of the three. By Taylor's theorem about the
        middle, for f times an exponential that leaves its roots and balances its times.
        """
        middles, halves = parts.mean(axis=1), (parts[:, 1] - parts[:, 0]) / 2
        exponents = -middles[:, None] * self.times
        exponents -= exponents.max(axis=1, keepdims=True)
        sizes = np.abs(self.amounts) * np.exp(exponents)
        terms = np.sign(self.amounts) * sizes
        times = self.times - ((sizes @ self.times) / sizes.sum(axis=1))[:, None]
        reach = np.abs(times) * halves[:, None]
        with np.errstate(over="ignore"):
            beyond = np.abs(self.amounts) * np.exp(exponents + reach) - sizes * (1 + reach)
            noise = 4 * _EPSILON * sizes * (2 + np.abs(middles[:, None] * self.times))
            error = noise.sum(axis=1)
            value = np.abs(terms.sum(axis=1))
            slope = np.abs((terms * times).sum(axis=1))
            bend = np.abs((terms * times**2).sum(axis=1))
            change = slope * halves + beyond.sum(axis=1)
            turn = bend * halves + ((beyond + noise) * np.abs(times)).sum(axis=1)
        is_near = value <= change + error
        is_narrow = halves <= _NARROWEST * np.maximum(1, np.abs(middles))
        is_level = is_near & ((value + change <= 2 * error) | (is_narrow & (value <= error)))
        is_steep = is_near & ~is_level & ((slope > turn) | is_narrow)
        return is_level, is_steep, is_near & ~is_level & ~is_steep

    def _joined(self, level: Sequence[float], found: Sequence[float]) -> list[float]:
        """The roots, rising, without those that cannot be told from the one before or after."""
        kept = list(level)
        for root in found:
            middles = [(root + other) / 2 for other in kept]
            if all(abs(self.value(s)) > self.rounding_error(s) for s in middles):
                kept.append(root)
        return sorted(kept)


_Part = tuple[float, float]


def _merged(parts: Iterable[_Part]) -> list[_Part]:
    """Parts that touch made one, rising."""
    merged: list[_Part] = []
    for low, high in sorted(parts):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


# -------------------------------------------------------------------------- XIRR, many clients


def xirr_many(years: Floats, amounts: Floats) -> Floats:
    """The rates of many clients at once, as fractions a year.

    Args:
        years: shape (clients, flows): years of 365 days from any day, rising in each row.
        amounts: same shape: signed as in `CashFlow`; 0 fills up rows that have fewer flows.

    Returns:
        Shape (clients,). NaN where a single rate is not proved here; `xirr` then says why
        there is none, or finds several.

    With P and N the discounted sums of what came out and what went in, ln P - ln N is
    nearly straight in s = ln(1 + rate), so Newton's method needs few steps. The rate is the
    only one when the running balance at it keeps one sign until the last flow (Soper 1959).
    """
    rates = np.full(len(amounts), np.nan)
    rows = 512
    with np.errstate(all="ignore"):
        for start in range(0, len(amounts), rows):
            part = slice(start, start + rows)
            rates[part] = _rates_of_rows(years[part], amounts[part])
    return rates


def _rates_of_rows(years: Floats, amounts: Floats) -> Floats:
    s = np.zeros(len(amounts))
    for _ in range(12):
        terms = amounts * np.exp(-s[:, None] * years)
        came_out = np.maximum(terms, 0)
        total, out = terms.sum(axis=1), came_out.sum(axis=1)
        out_years = np.einsum("ij,ij->i", came_out, years)
        went_in, in_years = out - total, out_years - np.einsum("ij,ij->i", terms, years)
        step = np.log(out / went_in) / (out_years / out - in_years / went_in)
        s += step
        if not (np.abs(step) > _SMALL_STEP).any():
            break
    settled = np.abs(step) <= _SMALL_STEP
    balances = np.cumsum(amounts * np.exp(-s[:, None] * years), axis=1)
    slack = 1e-13 * out[:, None]
    running = np.where(balances[:, -1:] == balances, 0, balances)
    is_pure = (running <= slack).all(axis=1) | (running >= -slack).all(axis=1)
    rates = np.expm1(s)
    rates[~(settled & is_pure & np.isfinite(rates))] = np.nan
    return rates


# ------------------------------------------------------------------------ time-weighted return


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
    is withdrawn, or the first money comes, can be measured. The index stands still while
    there is no money, and ends where it cannot be measured (a value below nought).
    """
    index = [(day, _ONE) for day, _ in closes[:1]]
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
        index.append((closing[0], index[-1][1] * growth))
    return index


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

    Days are counted from `began_on` where it is given: an opening value stands on the evening
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


def twr(closes: Sequence[Close], flows: Iterable[CashFlow]) -> TimeWeighted | None:
    """The time-weighted return from the first close to the last.

    Arguments as for `wealth_index`. None with fewer than two closes, or where the days in
    between cannot all be measured.
    """
    index = wealth_index(closes, flows)
    if len(closes) < 2 or len(index) < len(closes):  # noqa: PLR2004 - two closes make a period
        return None
    return growth_since(index, index[0][0])


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
