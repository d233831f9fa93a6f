"""Whole shares nearest a target portfolio, by a dual bound and a proof: one portfolio at a time.

All rupee figures are shares of the investment value V (1.0 is V), as doubles; the answer is whole
shares. Whether a portfolio fits the budget is asked of the caller, who knows in exact integers.

Minimised over whole shares x, one stock's x_i on one of its branches (sell, hold, buy):

    Phi(x) = sum y_i^2 + (sum y_i)^2 + penalty * sum c_i,   y_i = p_i x_i - T_i,
    subject to sum (y_i + c_i) <= cap,   c_i linear on each branch.

Given multipliers mu for the cash term and nu >= 0 for the budget every stock is solved alone by
rounding, which bounds Phi from below. Every deviation from those shares then has a reduced cost,
so only cheap deviations can beat a portfolio in hand: pairs of them are tried, all of them are
enumerated, and what is too much to enumerate is split in two on one stock's number of shares
(multiplier search for the nonlinear knapsack: Bretthauer and Shetty, EJOR 138, 2002).
"""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Splits = tuple[tuple[int, float, float], ...]

RELATIVE_GOAL = 4e-5  # of the tracking error: what may be left unproved once the easy work is done
ABSOLUTE_GOAL = 8e-8  # as a share of V: 0.0008 basis points
TIE = 1e-11
ROUNDING = 1e-13  # doubles of sums of shares of V are good to this
CLIMBS = 40
ROUNDS = 7
FIRST_RINGS = 2
MOST_RINGS = 40
PAIRED = 64
VISITS = 400
CHECKS = 12
EXACT_NODES = 24


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
class Question:
    """What to solve: `price` and `target` of each stock and the `cap` on sum (y + c), shares of V.

    `is_free` says that trading costs nothing (all charges zero, one branch a stock). `fits` tells
    exactly whether shares keep the budget, and is asked within `slack` below the cap. `rank` orders
    portfolios of equal Phi, smallest first. `fallback` is a portfolio that fits.
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


class Found(NamedTuple):
    """The best portfolio, its Phi, a proved lower bound on Phi, and the nodes that took."""

    shares: Floats
    phi: float
    bound: float
    nodes: int


class Point(NamedTuple):
    """The dual at (mu, nu): each stock's best shares there and what they add up to.

    `at` is mu + nu, `slope` the dual's slope there, `drift` the sum of y, `spend` of y + c.
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


class Moves(NamedTuple):
    """Deviations of one stock each from a point's shares, by rising reduced cost.

    Those that are not listed cost `beyond` at least.
    """

    stock: Whole
    shares: Floats
    cost: Floats
    drift: Floats
    spend: Floats
    beyond: float


class Box:
    """A question within a range of shares for some of its stocks."""

    __slots__ = ("absent", "high", "low", "question", "reciprocal", "row", "splits")

    def __init__(self, question: Question, splits: Splits = ()) -> None:
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

    def at(self, at: float, crest: float) -> Point:
        """The dual where mu + nu is `at` and mu is `crest` at most."""
        mu = min(at, crest)
        nu = at - mu
        ask = self.question
        if self.absent is None:
            shares = np.rint((ask.target - 0.5 * at) * self.reciprocal)
            np.maximum(shares, self.low[0], out=shares)
            np.minimum(shares, self.high[0], out=shares)
            spent = y = ask.price * shares - ask.target
            phi = y * (y + at)
            drift = spend = float(np.add.reduce(y))
        else:
            shares, y, spent, phi = self._over_branches(at, nu, self.absent)
            drift = float(np.add.reduce(y))
            spend = float(np.add.reduce(spent))
        bound = float(np.add.reduce(phi)) - 0.25 * mu * mu - nu * ask.cap
        slope = drift - 0.5 * mu if at <= crest else spend - ask.cap
        return Point(at, mu, nu, bound, slope, drift, spend, shares, y, spent, phi)

    def _over_branches(
        self, at: float, nu: float, absent: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
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
        return shares.ravel()[best], y, spent, phi.ravel()[best]

    def _pull(self, at: float, nu: float) -> tuple[Floats, Floats]:
        """What multiplies y beside y itself, and what is added, on each branch."""
        branches = self.question.branches
        pull = nu * branches.budget_slope + branches.cost_slope
        pull += at
        return pull, nu * branches.budget_base + branches.cost_base

    def moves(self, point: Point, limit: float, most_rings: int) -> Moves:
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
        rings: list[tuple[Whole, Floats, Floats]] = []
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
        self, point: Point, rings: list[tuple[Whole, Floats, Floats]], beyond: float
    ) -> Moves:
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
            return Moves(stock, shares, cost, drift, drift, beyond)
        spent = y + branches.budget_base.ravel()[near] + branches.budget_slope.ravel()[near] * y
        return Moves(stock, shares, cost, drift, spent - point.spent[stock], beyond)


def climb(box: Box, start: float, enough: float) -> tuple[Point, list[Point]]:
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
        wanted = 2.0 * (cap - _charges_at_top(sides))
        change = wanted - crest
        is_settled = change * change <= 4e-6 * abs(best.bound)
        if is_settled or best.bound > enough or best.at < min(crest, wanted):
            break
        crest, low, high = _between(crest, wanted, low, high)
        point, sides = _climb_to(box, sides[0].at, crest, enough)
        if point.bound > best.bound:
            best = point
    return best, sides


def _between(now: float, wanted: float, low: float, high: float) -> tuple[float, float, float]:
    """The next value to try and the range it is in: what is wanted, or the middle of the range."""
    low, high = (now, high) if wanted > now else (low, now)
    return (wanted if low < wanted < high else 0.5 * (low + high)), low, high


def _charges_at_top(sides: list[Point]) -> float:
    """Charges between the two sides of the top, where the dual's slope is nought."""
    first, last = sides[0], sides[-1]
    charges = first.spend - first.drift
    if first is last or first.slope == last.slope:
        return charges
    part = first.slope / (first.slope - last.slope)
    return charges + part * (last.spend - last.drift - charges)


def _climb_to(box: Box, start: float, crest: float, enough: float) -> tuple[Point, list[Point]]:
    """Newton steps until the top is between two points, then where their tangents meet."""
    left: Point | None = None
    right: Point | None = None
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


def _meeting(left: Point, right: Point) -> float:
    """Where the tangents to the dual at two points meet."""
    rise = right.bound - left.bound + left.slope * left.at - right.slope * right.at
    return rise / (left.slope - right.slope)


class Best:
    """The best portfolio so far; of two with equal Phi the one ranked first."""

    __slots__ = ("phi", "question", "rank", "shares")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.shares = question.fallback
        self.phi = phi_of(question, self.shares)
        self.rank: tuple[int, ...] | None = None

    @property
    def tie(self) -> float:
        return TIE * self.phi + 1e-24

    def leeway(self, goal: float) -> float:
        """How far below Phi the optimum may be when `goal` is met; 0: not at all."""
        if goal == 0:
            return 0.0
        lowest = max(0.0, sqrt(self.phi) * (1.0 - goal) - ABSOLUTE_GOAL)
        return self.phi - lowest * lowest

    def offer(self, phi: float, spend: float, shares: Floats) -> bool:
        """Take the portfolio if it is better and fits; whether it was taken."""
        if phi > self.phi + self.tie or not self.has_room(spend, shares):
            return False
        rank = None
        if phi > self.phi - self.tie:
            if (shares == self.shares).all():
                return False
            if self.rank is None:
                self.rank = self.question.rank(self.shares)
            rank = self.question.rank(shares)
            if rank >= self.rank:
                return False
        self.phi, self.shares, self.rank = phi, shares, rank
        return True

    def has_room(self, spend: float, shares: Floats) -> bool:
        room = self.question.cap - spend
        return room > self.question.slack or (room > -ROUNDING and self.question.fits(shares))


def phi_of(question: Question, shares: Floats) -> float:
    """Phi of a portfolio whose every stock is on one of its branches."""
    branches = question.branches
    y = question.price * shares - question.target
    on_branch = (branches.lowest <= shares) & (shares <= branches.highest)
    cost = np.where(on_branch, branches.cost_base + branches.cost_slope * y, inf)
    return float((y * y).sum() + y.sum() ** 2 + cost.min(axis=0).sum())


def try_pairs(best: Best, point: Point, moves: Moves) -> None:
    """Try the point, every single move and every pair of the cheapest moves."""
    cap = best.question.cap
    best.offer(
        point.bound + (point.drift - 0.5 * point.mu) ** 2 + point.nu * (cap - point.spend),
        point.spend,
        point.shares,
    )
    if moves.stock.size == 0:
        return
    stock = np.concatenate(([-1], moves.stock[:PAIRED]))
    cost = np.concatenate(([0.0], moves.cost[:PAIRED]))
    drift = np.concatenate(([0.0], moves.drift[:PAIRED]))
    phi = (drift + (point.drift - 0.5 * point.mu))[:, None] + drift
    phi *= phi
    phi += cost + point.bound
    phi += cost[:, None]
    spend = drift if moves.spend is moves.drift else np.concatenate(([0.0], moves.spend[:PAIRED]))
    room = (cap - point.spend - spend)[:, None] - spend
    if point.nu:
        phi += point.nu * room
    phi[(room < -ROUNDING) | (stock[:, None] == stock)] = inf
    _take_cheapest(best, point, moves, phi, room)


def _take_cheapest(best: Best, point: Point, moves: Moves, phi: Floats, room: Floats) -> None:
    """Offer pairs from the cheapest on until one fits; in the end only those sure to fit."""
    for check in range(CHECKS + 1):
        if check == CHECKS:
            phi[room <= best.question.slack] = inf
        first, second = divmod(int(phi.argmin()), phi.shape[0])
        if not phi[first, second] < best.phi:
            return
        shares = point.shares.copy()
        for move in (first - 1, second - 1):
            if move >= 0:
                shares[moves.stock[move]] = moves.shares[move]
        spend = best.question.cap - float(room[first, second])
        if best.offer(float(phi[first, second]), spend, shares):
            return
        phi[first, second] = phi[second, first] = inf


class Enumeration:
    """Every set of moves, at most one a stock, that costs less than the best portfolio."""

    __slots__ = (
        "best",
        "costs",
        "drifts",
        "half",
        "leeway",
        "moves",
        "path",
        "point",
        "spends",
        "stocks",
        "visits",
    )

    def __init__(self, best: Best, point: Point, moves: Moves, leeway: float) -> None:
        self.best = best
        self.point = point
        self.moves = moves
        self.leeway = leeway
        self.costs = moves.cost.tolist()
        self.drifts = moves.drift.tolist()
        self.spends = moves.spend.tolist()
        self.stocks = [1 << stock for stock in moves.stock.tolist()]
        self.half = 0.5 * point.mu
        self.path: list[int] = []
        self.visits = 0

    def runs_to_the_end(self) -> bool:
        """Look at all sets, offering each; False when there are too many to look at."""
        return self._from(0, self.point.bound, self.point.drift, self.point.spend, 0)

    def _from(self, first: int, phi: float, drift: float, spend: float, used: int) -> bool:
        cap, nu = self.best.question.cap, self.point.nu
        for move in range(first, len(self.costs)):
            next_phi = phi + self.costs[move]
            limit = self.best.phi - self.leeway + self.best.tie
            if next_phi > limit:
                break
            self.visits += 1
            if self.visits > VISITS:
                return False
            stock = self.stocks[move]
            if used & stock:
                continue
            next_drift = drift + self.drifts[move]
            next_spend = spend + self.spends[move]
            self.path.append(move)
            whole = next_phi + (next_drift - self.half) ** 2 + nu * (cap - next_spend)
            if whole <= limit and next_spend <= cap + ROUNDING:
                self.best.offer(whole, next_spend, self._shares())
            if not self._from(move + 1, next_phi, next_drift, next_spend, used | stock):
                return False
            self.path.pop()
        return True

    def _shares(self) -> Floats:
        shares = self.point.shares.copy()
        shares[self.moves.stock[self.path]] = self.moves.shares[self.path]
        return shares


def search(
    question: Question,
    most_nodes: int,
    exact_nodes: int = EXACT_NODES,
    goal: float = RELATIVE_GOAL,
) -> Found:
    """The best portfolio and a bound on how far from the optimum it can be.

    The first nodes are proved to the last digit, then to the goal for the tracking error; after
    `most_nodes` the search ends with what it has. The count of nodes, not the time, ends it: the
    answer is repeatable.
    """
    best = Best(question)
    heap: list[tuple[float, int, Splits, float]] = [(-inf, 0, (), 0.0)]
    closed = inf
    nodes = 0
    while heap and nodes < most_nodes:
        aim = 0.0 if nodes < exact_nodes else goal
        if heap[0][0] >= best.phi - best.leeway(aim):
            break
        _, _, splits, start = heappop(heap)
        nodes += 1
        bound, split, at = _solve_node(Box(question, splits), best, start, aim)
        if split is None:
            closed = min(closed, bound)
            continue
        for number, half in enumerate(split):
            heappush(heap, (bound, 2 * nodes + number, (*splits, half), at))
    bound = min(closed, best.phi, heap[0][0] if heap else inf)
    return Found(best.shares, best.phi, bound, nodes)


Halves = tuple[tuple[int, float, float], tuple[int, float, float]]


def _solve_node(
    box: Box, best: Best, start: float, aim: float
) -> tuple[float, Halves | None, float]:
    """Bound one box and search it: its bound, how to split it (None: done with it), where it is."""
    if box.is_empty:
        return inf, None, start
    point, sides = climb(box, start, best.phi)
    if point.bound >= best.phi - best.leeway(aim):
        return point.bound, None, point.at
    for side in sides:
        if side is point:
            continue
        half = side.drift - 0.5 * side.mu
        room = box.question.cap - side.spend
        best.offer(side.bound + half * half + side.nu * room, side.spend, side.shares)
    if point.bound >= best.phi - best.leeway(aim):
        # A portfolio exactly on target: Phi is 0 and the bound is 0 but for rounding.
        return point.bound, None, point.at
    moves = box.moves(point, best.phi - point.bound + best.tie, FIRST_RINGS)
    try_pairs(best, point, moves)
    leeway = best.leeway(aim)
    limit = best.phi - leeway - point.bound + best.tie
    is_fine = _count_of_moves(box, limit) > VISITS
    unseen = point.nu * box.question.slack
    if is_fine and point.bound + unseen >= best.phi - best.leeway(RELATIVE_GOAL):
        # Shares so cheap that no list of moves proves more than the goal, and that the budget left
        # unspent is what the rounding of charges may take, which the bound does not see.
        return point.bound, None, point.at
    if moves.beyond < limit and not is_fine:
        moves = box.moves(point, limit, MOST_RINGS)
    if moves.beyond >= limit and Enumeration(best, point, moves, leeway).runs_to_the_end():
        return max(point.bound, best.phi - leeway), None, point.at
    halves = _split_between_branches(box, sides) or _split(point, moves, best.phi - point.bound)
    return point.bound, halves, point.at


def _count_of_moves(box: Box, limit: float) -> float:
    """About how many deviations cost less than `limit`: along a branch the cost is a parabola."""
    return 2.0 * sqrt(max(limit, 0.0)) * float(box.reciprocal.sum())


def _split_between_branches(box: Box, sides: list[Point]) -> Halves | None:
    """Split the stock that is sold on one side of the dual's top and held or bought on the other.

    Its fixed charge is what the bound cannot see; None where no stock changes its branch there.
    """
    if box.question.is_free or sides[0] is sides[-1]:
        return None
    left, right = sides[0].shares, sides[-1].shares
    held = box.question.branches.highest[0]
    crossing = np.sign(left - held) != np.sign(right - held)
    if not crossing.any():
        return None
    apart = np.where(crossing, np.abs(left - right) * box.question.price, -1.0)
    stock = int(apart.argmax())
    low, own = min(left[stock], right[stock]), float(held[stock])
    edge = own - 1.0 if low < own else own
    return (stock, -inf, edge), (stock, edge + 1.0, inf)


def _split(point: Point, moves: Moves, gap: float) -> Halves:
    """Split on the largest move among the cheap ones: what blurs the bound is one dear share."""
    cheap = max(1, int(moves.cost.searchsorted(0.25 * gap)))
    move = int(np.abs(moves.drift[:cheap]).argmax())
    stock = int(moves.stock[move])
    now = float(point.shares[stock])
    edge = now if moves.shares[move] > now else now - 1.0
    return (stock, -inf, edge), (stock, edge + 1.0, inf)
