"""XIRR: the yearly rate that solves dated cash flows, of one client or of many.

Flows are signed as in `CashFlow`. Amounts are exact; a rate is the solution of an equation and is
therefore a double, as a fraction a year (0.125 is 12.5 %).
"""

import datetime as dt
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final, Self

import numpy as np
import pyxirr
from numpy.typing import NDArray

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.returns import DAYS_IN_YEAR, CashFlow

_EPSILON: Final = float(np.finfo(np.float64).eps)
_LARGEST_EXPONENT: Final = math.log(float(np.finfo(np.float64).max))
_SMALL_STEP: Final = 1e-7  # Newton's next step is about its square, below the last digits

_NARROWEST: Final = 1e-9  # a part of the line so small is not halved any more
_PARTS_AT_ONCE: Final = 256

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


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
    NO_REAL_ROOT = "NO_REAL_ROOT"
    ZERO_DURATION = "ZERO_DURATION"
    TOTAL_LOSS = "TOTAL_LOSS"
    NOT_VALUED = "NOT_VALUED"
    """Neither holdings nor funds were ever read or entered, so there is no value to close with."""
    NO_CASH_FLOWS = "NO_CASH_FLOWS"
    """No flow, or flows that cancel out on every day."""
    BEYOND_RANGE = "BEYOND_RANGE"


WORDS_OF: Final = {
    XirrCode.AMBIGUOUS: "Several rates solve these cash flows; this is the one nearest zero.",
    XirrCode.NO_SIGN_CHANGE: (
        "Money only went in, or only came out, so there is no rate of return."
    ),
    XirrCode.NO_REAL_ROOT: "No yearly rate balances these cash flows.",
    XirrCode.ZERO_DURATION: "Everything happened on one day; a yearly rate needs at least two.",
    XirrCode.TOTAL_LOSS: "No value found for the money invested.",
    XirrCode.NOT_VALUED: "No holdings or funds yet.",
    XirrCode.NO_CASH_FLOWS: "There are no cash flows yet. Enter the starting date and capital.",
    XirrCode.BEYOND_RANGE: "The yearly rate is too large to be meaningful; see the absolute return.",
}
"""The text shown with a rate, or where there is none; the other codes need none."""


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
        crossings: list[float] = []
        parts = np.array([self.bounds()])
        while len(parts):
            halved: list[Floats] = []
            for start in range(0, len(parts), _PARTS_AT_ONCE):
                some = parts[start : start + _PARTS_AT_ONCE]
                is_level, is_steep, is_open = self._classified(some)
                level += [(low, high) for low, high in some[is_level].tolist()]
                crossings += [
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
        return self._joined([(low + high) / 2 for low, high in _merged(level)], crossings)

    def _classified(self, parts: Floats) -> tuple[Bools, Bools, Bools]:
        """Which parts (rows: from, to) are level, which are steep, and which are not decided yet.

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

    def _joined(self, level: Sequence[float], crossings: Sequence[float]) -> list[float]:
        """The roots, rising, without those too close to the one before or after."""
        roots = list(level)
        for root in crossings:
            middles = [(root + other) / 2 for other in roots]
            if all(abs(self.value(s)) > self.rounding_error(s) for s in middles):
                roots.append(root)
        return sorted(roots)


_Part = tuple[float, float]


def _merged(parts: Iterable[_Part]) -> list[_Part]:
    """The parts, rising, those that touch merged."""
    merged: list[_Part] = []
    for low, high in sorted(parts):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


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
