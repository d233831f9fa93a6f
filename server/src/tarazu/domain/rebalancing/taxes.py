"""The tax of sales in what is minimised: its branches, its multipliers, and its exact value.

Selling goes through a stock's lots in their order, so the gain is a staircase, and each lot is a
branch of its own. The tax that a day's sales add to a year is the largest of a few straight lines in
the short- and the long-term gain of all stocks (`domain/tax/added.py`). Any mix of these lines is a
lower bound that is a sum over stocks: the branches include one mix, `prices`, and what it leaves out
of the tax of a portfolio is added when the portfolio is looked at.
"""

from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple

import numpy as np

from tarazu.domain.rebalancing.dual import (
    DualPoint,
    Floats,
    Integers,
    SearchBox,
    SearchProblem,
    climb,
)

LEAST_TAX_WEIGHT = 20.0
"""No multiplier is above this: ₹1 in lakh rupees of tax is then worth 140 basis points of tracking."""

STEPS = 9
FIRST_STEP = 0.02
GROWTH = 5.0
ENOUGH = 2e-6


@dataclass(frozen=True, slots=True)
class TaxTerm:
    """`weight` times the tax that sales add, in what is minimised.

    `lines` are rows of (short, long, base), the first of zeros; gains and tax are shares of V.
    `base` and `slope` are arrays of (term, branch, stock): the gain on a branch is base + slope y.
    `prices` are those of short and long gains in the costs of the branches, and their constant.
    """

    weight: float
    lines: Floats
    base: Floats
    slope: Floats
    prices: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def gains_at(self, branch: Integers, y: Floats) -> tuple[Floats, float, float]:
        """Each stock's short- and long-term gain on these branches, and their sums."""
        gains: Floats = self.base.reshape(2, -1)[:, branch]
        gains = gains + self.slope.reshape(2, -1)[:, branch] * y
        short, long = np.add.reduce(gains, axis=1).tolist()
        return gains, short, long

    def cost(self, short: float, long: float) -> float:
        """What the tax on these gains costs in what is minimised."""
        lines: list[tuple[float, float, float]] = self.lines.tolist()
        return self.weight * max(a * short + b * long + c for a, b, c in lines)

    def unpriced(self, short: float, long: float) -> float:
        """The part of the cost that is not in the branches; 0 or above."""
        priced = self.prices[0] * short + self.prices[1] * long + self.prices[2]
        return max(0.0, self.cost(short, long) - priced)

    def unpriced_of_all(self, short: Floats, long: Floats) -> Floats:
        """As `unpriced`, for arrays of gains."""
        lines = self.weight * self.lines - np.array(self.prices)
        part = lines[:, 0, None, None] * short + lines[:, 1, None, None] * long
        found: Floats = np.maximum((part + lines[:, 2, None, None]).max(axis=0), 0.0)
        return found


def priced(question: SearchProblem, mix: Floats) -> SearchProblem:
    """The problem with a mix of the tax's lines in the costs of its branches.

    Args:
        mix: the part of each line, 0 or above, together 1 at most.
    """
    tax = question.tax
    if tax is None:
        return question
    weight = min(tax.weight, LEAST_TAX_WEIGHT)
    prices = weight * (mix @ tax.lines)
    change = prices - np.array(tax.prices)
    branches = replace(
        question.branches,
        cost_base=question.branches.cost_base + change[0] * tax.base[0] + change[1] * tax.base[1],
        cost_slope=question.branches.cost_slope
        + change[0] * tax.slope[0]
        + change[1] * tax.slope[1],
    )
    named = (float(prices[0]), float(prices[1]), float(prices[2]))
    return replace(question, branches=branches, tax=replace(tax, prices=named))


def without_gains(question: SearchProblem) -> SearchProblem:
    """The problem without the branches on which a stock's sales come to a gain, and without tax.

    Its fallback sells of each stock as much as that allows.
    """
    tax, branches = question.tax, question.branches
    if tax is None:
        return question
    gainless = np.ones(branches.lowest.shape, dtype=bool)
    for shares in (branches.lowest, branches.highest):
        at = np.where(branches.lowest <= branches.highest, shares, 0.0)
        y = question.price * at - question.target
        gainless &= (tax.base + tax.slope * y <= 0.0).all(axis=0)
    highest = np.where(gainless, branches.highest, -inf)
    branches = replace(branches, highest=highest)
    fewest = np.where(branches.lowest <= highest, branches.lowest, inf).min(axis=0)
    return replace(question, branches=branches, fallback=fewest, tax=None)


class Settled(NamedTuple):
    """A box with the mix of lines at which its bound is about highest.

    `point` and `sides` are those of the dual there; `below` and `above` are points on both sides of
    the best mix, the same one where the bound has its top at an end.
    """

    box: SearchBox
    mix: Floats
    point: DualPoint
    sides: list[DualPoint]
    below: DualPoint
    above: DualPoint


def first_mix(question: SearchProblem) -> Floats:
    """The mix of no tax at all."""
    mix = np.zeros(1 if question.tax is None else len(question.tax.lines))
    mix[0] = 1.0
    return mix


def settle(box: SearchBox, start: float, mix: Floats, enough: float, rounds: int) -> Settled:
    """The box at the mix of the tax's lines at which its bound is about highest.

    The bound is concave in the mix, and its slope along a line is that line at the gains of the top:
    weight is moved from the lowest line of the mix to the highest one, as far as the bound rises.

    Args:
        start, mix: where to begin.
        enough: a bound above this ends it.
    """
    walk = _Walk(box, start, mix)
    for _ in range(rounds):
        if walk.bound > enough or not walk.moves_on(enough):
            break
    return walk.best._replace(below=walk.below, above=walk.above)


class _Walk:
    """A mix that moves uphill, with the gains at the top of the dual there."""

    def __init__(self, box: SearchBox, start: float, mix: Floats) -> None:
        self._box = box
        self._start = start
        self._tax = box.question.tax or _NO_TAX
        self.bound = -inf
        self.best = self._now = self._look(mix)
        self.below = self.above = self.best.point

    def moves_on(self, enough: float) -> bool:
        """Move weight between two lines until the bound stops rising; whether it rose at all."""
        used = np.where(self._now.mix > 0, self._values, inf)
        to, away = int(self._values.argmax()), int(used.argmin())
        origin, most = self._now.mix, float(self._now.mix[away])
        low = (0.0, self._now.point.bound, self._slope(to, away))
        if low[2] <= 0.0:
            return False
        high, part, before = None, FIRST_STEP * most, self.bound
        self.below = self.above = self._now.point
        for _ in range(STEPS):
            self._now = self._look(_moved(origin, to, away, part))
            side = (part, self._now.point.bound, self._slope(to, away))
            if side[2] > 0.0:
                low, self.below = side, self._now.point
            else:
                high, self.above = side, self._now.point
            if self.bound > enough or (high is None and part >= most):
                break
            if high is None:
                part = min(most, GROWTH * part)
                continue
            part = _meeting(low, high)
            ceiling = low[1] + low[2] * (part - low[0])
            if ceiling - self.bound <= ENOUGH * abs(self.bound) or not low[0] < part < high[0]:
                break
        return self.bound - before > ENOUGH * abs(before)

    def _slope(self, to: int, away: int) -> float:
        weight = min(self._tax.weight, LEAST_TAX_WEIGHT)
        return weight * float(self._values[to] - self._values[away])

    def _look(self, mix: Floats) -> Settled:
        box = SearchBox(priced(self._box.question, mix), self._box.splits)
        point, sides = climb(box, self._start, inf)
        self._start = point.at
        self._values = self._tax.lines @ np.array([*_gains_at_top(sides), 1.0])
        settled = Settled(box, mix, point, sides, point, point)
        if point.bound > self.bound:
            self.bound, self.best = point.bound, settled
        return settled


def _moved(mix: Floats, to: int, away: int, part: float) -> Floats:
    """The mix with so much of one line moved to another one."""
    moved = mix.copy()
    moved[away] = max(0.0, mix[away] - part)
    moved[to] += part
    return moved


_NO_TAX = TaxTerm(0.0, np.zeros((1, 3)), np.zeros((2, 1, 1)), np.zeros((2, 1, 1)))


def _meeting(low: tuple[float, float, float], high: tuple[float, float, float]) -> float:
    """Where the tangents at two places meet, each a place, a value and a slope."""
    rise = high[1] - low[1] + low[2] * low[0] - high[2] * high[0]
    return rise / (low[2] - high[2])


def _gains_at_top(sides: list[DualPoint]) -> tuple[float, float]:
    """The gains between the two sides of the top, where the slope of the dual is 0."""
    first, last = sides[0], sides[-1]
    if first is last or first.slope == last.slope:
        return first.short, first.long
    part = first.slope / (first.slope - last.slope)
    short = first.short + part * (last.short - first.short)
    return short, first.long + part * (last.long - first.long)
