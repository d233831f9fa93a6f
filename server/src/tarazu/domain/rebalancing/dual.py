"""The dual bound of one portfolio: each stock solved alone by rounding, at given multipliers.

All rupee figures are shares of the investment value V (1.0 is V), as doubles. Minimised over whole
shares x, one stock's x_i on one of its branches (sell, hold, buy):

    Phi(x) = sum y_i^2 + (sum y_i)^2 + penalty * sum c_i,   y_i = p_i x_i - T_i,
    subject to sum (y_i + c_i) <= cap,   c_i linear on each branch.

Given multipliers mu for the cash term and nu >= 0 for the budget every stock is solved alone by
rounding, which bounds Phi from below. Every deviation from those shares then has a reduced cost.
A second limit, on what is bought in one day, has a multiplier of its own that the branches include.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tarazu.domain.rebalancing.taxes import TaxTerm

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Splits = tuple[tuple[int, float, float], ...]

CLIMBS = 40
ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Branches:
    """The linear pieces of each stock's charges, arrays of (branches, stocks).

    On its branch a stock holds `lowest` to `highest` whole shares (none when lowest > highest) and
    y brings charges of `base + slope * y`: `budget_*` counts against the budget, `cost_*` in Phi,
    already times the penalty.
    """

    lowest: Floats
    highest: Floats
    budget_base: Floats
    budget_slope: Floats
    cost_base: Floats
    cost_slope: Floats


@dataclass(frozen=True, slots=True)
class DayLimit:
    """A limit on what is bought in one day: sum z <= cap, z = `base + slope * y` on each branch.

    Shares of V; a sale whose proceeds may be used has z below 0. `weight` is the multiplier: the
    costs of the branches include `weight` times z already.
    """

    cap: float
    base: Floats
    slope: Floats
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """What to solve: `price` and `target` of each stock and the `cap` on sum (y + c), shares of V.

    `is_free` says that trading costs nothing (all charges zero, one branch a stock). `fits`
    says exactly whether shares keep the budget; it is called within `slack` below the cap. `rank` orders
    portfolios of equal Phi, smallest first. `fallback` is a portfolio that fits. `day` is None
    where what is bought in one day has no limit of its own. `order` is the part of the costs that
    is for an order itself. `tax` is None where the tax of sales is not minimised.
    """

    price: Floats
    target: Floats
    cap: float
    branches: Branches
    is_free: bool
    slack: float
    fits: Callable[[Floats], bool]
    rank: Callable[[Floats], tuple[int, ...]]
    fallback: Floats
    day: DayLimit | None = None
    order: float = 0.0
    tax: "TaxTerm | None" = None

    def orders(self, shares: Floats) -> int:
        """The number of orders that lead to `shares`."""
        return int((shares != self.branches.highest[0]).sum())

    @property
    def constant(self) -> float:
        """What the day's limit and the tax add to the dual at any multipliers of the others."""
        of_day = 0.0 if self.day is None else -self.day.weight * self.day.cap
        return of_day + (0.0 if self.tax is None else self.tax.prices[2])

    @property
    def weight(self) -> float:
        """The multiplier of the day's limit; 0 without one."""
        return 0.0 if self.day is None else self.day.weight

    def weighing(self, weight: float) -> "SearchProblem":
        """The same problem, with another multiplier of the day's limit in its costs."""
        if self.day is None:
            return self
        branches, change = self.branches, weight - self.day.weight
        costs = replace(
            branches,
            cost_base=branches.cost_base + change * self.day.base,
            cost_slope=branches.cost_slope + change * self.day.slope,
        )
        return replace(self, branches=costs, day=replace(self.day, weight=weight))


class DualPoint(NamedTuple):
    """The dual at (mu, nu): each stock's best shares there and what they add up to.

    `at` is mu + nu, `slope` the dual's slope there, `drift` the sum of y, `spend` of y + c; `paid`
    is each stock's z of the day's limit and `day` their sum. `gains` are each stock's short- and
    long-term gains, `short` and `long` their sums; `branch` is where each stock is.
    """

    at: float
    mu: float
    nu: float
    bound: float
    slope: float
    drift: float
    spend: float
    shares: Floats
    y: Floats
    spent: Floats
    phi: Floats
    paid: Floats | None = None
    day: float = 0.0
    gains: Floats | None = None
    short: float = 0.0
    long: float = 0.0
    branch: Integers | None = None


class MoveList(NamedTuple):
    """Deviations of one stock each from a point's shares, by rising reduced cost.

    Those that are not listed cost `beyond` at least.
    """

    stock: Integers
    shares: Floats
    cost: Floats
    drift: Floats
    spend: Floats
    day: Floats
    beyond: float
    gains: Floats | None = None


class SearchBox:
    """A question within a range of shares for some of its stocks."""

    __slots__ = ("absent", "high", "low", "question", "reciprocal", "row", "splits")

    def __init__(self, question: SearchProblem, splits: Splits = ()) -> None:
        self.question = question
        self.splits = splits
        self.low = question.branches.lowest
        self.high = question.branches.highest
        if splits:
            self.low = self.low.copy()
            self.high = self.high.copy()
            for stock, low, high in splits:
                np.maximum(self.low[:, stock], low, out=self.low[:, stock])
                np.minimum(self.high[:, stock], high, out=self.high[:, stock])
        self.reciprocal = 1.0 / question.price
        self.row = np.arange(question.price.size)
        self.absent = None if question.is_free else np.where(self.low > self.high, inf, 0.0)

    @property
    def is_empty(self) -> bool:
        """Whether some stock has no number of shares left."""
        return bool((self.low > self.high).all(axis=0).any())

    def at(self, at: float, crest: float) -> DualPoint:
        """The dual where mu + nu is `at` and mu is `crest` at most."""
        mu = min(at, crest)
        nu = at - mu
        ask, day, paid = self.question, 0.0, None
        of_tax: tuple[Floats | None, float, float, Integers | None] = (None, 0.0, 0.0, None)
        if self.absent is None:
            shares = np.rint((ask.target - 0.5 * at) * self.reciprocal)
            np.maximum(shares, self.low[0], out=shares)
            np.minimum(shares, self.high[0], out=shares)
            spent = y = ask.price * shares - ask.target
            phi = y * (y + at)
            drift = spend = float(np.add.reduce(y))
        else:
            shares, y, spent, phi, best = self._over_branches(at, nu, self.absent)
            if ask.day is not None:
                paid = ask.day.base.ravel()[best] + ask.day.slope.ravel()[best] * y
                day = float(np.add.reduce(paid))
            if ask.tax is not None:
                of_tax = (*ask.tax.gains_at(best, y), best)
            drift = float(np.add.reduce(y))
            spend = float(np.add.reduce(spent))
        bound = float(np.add.reduce(phi)) - 0.25 * mu * mu - nu * ask.cap + ask.constant
        slope = drift - 0.5 * mu if at <= crest else spend - ask.cap
        sums = at, mu, nu, bound, slope, drift, spend
        return DualPoint(*sums, shares, y, spent, phi, paid, day, *of_tax)

    def _over_branches(
        self, at: float, nu: float, absent: Floats
    ) -> tuple[Floats, Floats, Floats, Floats, Integers]:
        ask = self.question
        branches = ask.branches
        pull, base = self._pull(at, nu)
        shares = np.rint((ask.target - 0.5 * pull) * self.reciprocal)
        np.maximum(shares, self.low, out=shares)
        np.minimum(shares, self.high, out=shares)
        y = ask.price * shares - ask.target
        phi = y * (y + pull) + base
        phi += absent
        best = phi.argmin(axis=0) * self.row.size + self.row
        y = y.ravel()[best]
        spent = y + branches.budget_base.ravel()[best] + branches.budget_slope.ravel()[best] * y
        return shares.ravel()[best], y, spent, phi.ravel()[best], best

    def _pull(self, at: float, nu: float) -> tuple[Floats, Floats]:
        """What multiplies y beside y itself, and what is added, on each branch."""
        branches = self.question.branches
        pull = nu * branches.budget_slope + branches.cost_slope
        pull += at
        return pull, nu * branches.budget_base + branches.cost_base

    def moves(self, point: DualPoint, limit: float, most_rings: int) -> MoveList:
        """The deviations whose reduced cost is below `limit`, cheapest first.

        On a branch the cost is a parabola, so the shares below the limit are one range around the
        branch's best: rings of one share more on both sides are looked at until one is empty, or
        `most_rings` are seen.
        """
        ask = self.question
        pull, base = self._pull(point.at, point.nu)
        centre = np.rint((ask.target - 0.5 * pull) * self.reciprocal)
        centre = np.minimum(np.maximum(centre, self.low), self.high)
        offsets = [1.0, -1.0] if ask.is_free else [0.0, 1.0, -1.0]
        rings: list[tuple[Integers, Floats, Floats]] = []
        beyond = 0.0
        while len(rings) < most_rings and beyond < limit:
            shares = centre + np.array(offsets)[:, None, None]
            y = ask.price * shares - ask.target
            cost = y * (y + pull) + base - point.phi
            cost[(shares < self.low) | (shares > self.high) | (shares == point.shares)] = inf
            cost = cost.ravel()
            near = (cost < limit).nonzero()[0]
            rings.append((near, shares.ravel()[near], cost[near]))
            offsets = [len(rings) + 1.0, -len(rings) - 1.0]
            beyond = float(cost[-2 * base.size :].min()) if near.size else limit
        return self._sorted(point, rings, beyond)

    def _sorted(
        self, point: DualPoint, rings: list[tuple[Integers, Floats, Floats]], beyond: float
    ) -> MoveList:
        ask = self.question
        branches = ask.branches
        near = np.concatenate([ring[0] for ring in rings])
        shares = np.concatenate([ring[1] for ring in rings])
        cost = np.concatenate([ring[2] for ring in rings])
        order = cost.argsort(kind="stable")
        near, shares, cost = near[order] % branches.lowest.size, shares[order], cost[order]
        np.maximum(cost, 0.0, out=cost)
        stock = near % self.row.size
        y = ask.price[stock] * shares - ask.target[stock]
        drift = y - point.y[stock]
        if ask.is_free:
            return MoveList(stock, shares, cost, drift, drift, drift, beyond)
        spent = y + branches.budget_base.ravel()[near] + branches.budget_slope.ravel()[near] * y
        spent -= point.spent[stock]
        day = spent
        if ask.day is not None and point.paid is not None:
            day = ask.day.base.ravel()[near] + ask.day.slope.ravel()[near] * y - point.paid[stock]
        gains = None
        if ask.tax is not None and point.gains is not None:
            gains = ask.tax.base.reshape(2, -1)[:, near]
            gains = gains + ask.tax.slope.reshape(2, -1)[:, near] * y - point.gains[:, stock]
        return MoveList(stock, shares, cost, drift, spent, day, beyond, gains)


def climb(box: SearchBox, start: float, enough: float) -> tuple[DualPoint, list[DualPoint]]:
    """Maximise the dual over a box: its best point, and the points either side of the top.

    mu stops at twice the cash that is left when the budget is used up; that cash depends on the
    charges, which depend on the multipliers, so the search is repeated until they agree, or the
    range in which they can is small.
    Stops early once the bound passes `enough`.
    """
    cap = box.question.cap
    crest, low, high = 2.0 * cap, -inf, inf
    best, sides = _climb_to(box, start, crest, enough)
    for _ in range(ROUNDS):
        target = 2.0 * (cap - _charges_at_top(sides))
        change = target - crest
        is_settled = change * change <= 4e-6 * abs(best.bound)
        if is_settled or best.bound > enough or best.at < min(crest, target):
            break
        crest, low, high = _between(crest, target, low, high)
        point, sides = _climb_to(box, sides[0].at, crest, enough)
        if point.bound > best.bound:
            best = point
    return best, sides


def _between(now: float, target: float, low: float, high: float) -> tuple[float, float, float]:
    """The next value to try and the range it is in: the target, or the middle of the range."""
    low, high = (now, high) if target > now else (low, now)
    return (target if low < target < high else 0.5 * (low + high)), low, high


def _charges_at_top(sides: list[DualPoint]) -> float:
    """Charges between the two sides of the top, where the dual's slope is nought."""
    first, last = sides[0], sides[-1]
    charges = first.spend - first.drift
    if first is last or first.slope == last.slope:
        return charges
    part = first.slope / (first.slope - last.slope)
    return charges + part * (last.spend - last.drift - charges)


def _climb_to(
    box: SearchBox, start: float, crest: float, enough: float
) -> tuple[DualPoint, list[DualPoint]]:
    """Newton steps until the top is between two points, then where their tangents meet."""
    left: DualPoint | None = None
    right: DualPoint | None = None
    at = start
    stride = 2.0 / (box.row.size + 1)
    best = point = box.at(at, crest)
    for _ in range(CLIMBS):
        if point.slope > 0:
            left = point
        else:
            right = point
        if point.slope == 0 or point.bound > enough:
            break
        if left is None or right is None:
            at += point.slope * stride
            stride *= 2.0
        else:
            at = _meeting(left, right)
            ceiling = left.bound + left.slope * (at - left.at)
            if ceiling - best.bound <= 1e-7 * abs(best.bound) or not left.at < at < right.at:
                break
        point = box.at(at, crest)
        if point.bound > best.bound:
            best = point
    return best, [side for side in (left, right) if side is not None]


def _meeting(left: DualPoint, right: DualPoint) -> float:
    """Where the tangents to the dual at two points meet."""
    rise = right.bound - left.bound + left.slope * left.at - right.slope * right.at
    return rise / (left.slope - right.slope)
