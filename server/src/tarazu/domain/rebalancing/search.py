"""Whole shares nearest a target portfolio, by a dual bound and a proof: one portfolio at a time.

The dual (`dual.py`) gives shares, a bound, and the reduced cost of every deviation from them. Only
cheap deviations can beat the best portfolio so far: pairs of them are tried, all of them are
enumerated, and what is too much to enumerate is split in two on one stock's number of shares
(multiplier search for the nonlinear knapsack: Bretthauer and Shetty, EJOR 138, 2002).
Whether a portfolio fits the budget is decided by the caller, in exact integers.
"""

from heapq import heappop, heappush
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.rebalancing.day import best_weight
from tarazu.domain.rebalancing.dual import (
    DualPoint,
    Floats,
    MoveList,
    SearchBox,
    SearchProblem,
    Splits,
    climb,
)
from tarazu.domain.rebalancing.taxes import (
    LEAST_TAX_WEIGHT,
    Settled,
    TaxTerm,
    first_mix,
    settle,
    without_gains,
)

RELATIVE_GOAL = 4e-5  # of the tracking error: what may be left unproved once the easy work is done
ABSOLUTE_GOAL = 8e-8  # as a share of V: 0.0008 basis points
TIE = 1e-11
ROUNDING = 1e-13  # doubles of sums of shares of V are good to this
FIRST_RINGS = 2
MOST_RINGS = 40
PAIRED = 64
VISITS = 400
CHECKS = 12
EXACT_NODES = 24
MOST_ROUNDS = 6
FEW_ROUNDS = 2


class SearchResult(NamedTuple):
    """The best portfolio, its Phi, a proved lower bound on Phi, and the nodes that took."""

    shares: Floats
    phi: float
    bound: float
    nodes: int


class BestFound:
    """The best portfolio so far; of two with equal Phi the one ranked first."""

    __slots__ = ("apart", "phi", "question", "rank", "shares")

    def __init__(self, question: SearchProblem) -> None:
        self.question = question
        self.shares = question.fallback
        self.phi = phi_of(question, self.shares)
        self.rank: tuple[int, ...] | None = None
        self.apart = self._not_tracking()

    @property
    def tie(self) -> float:
        return TIE * self.phi + 1e-24

    def leeway(self, goal: float) -> float:
        """How far below Phi the optimum may be when `goal` is met; 0: not at all."""
        if goal == 0:
            return 0.0
        tracked = max(0.0, self.phi - self.apart)
        lowest = max(0.0, sqrt(tracked) * (1.0 - goal) - ABSOLUTE_GOAL)
        return tracked - lowest * lowest

    def _not_tracking(self) -> float:
        """What orders and tax cost: it is no tracking error, of which the goal is a part."""
        question, apart = self.question, 0.0
        if question.order:
            apart = question.order * question.orders(self.shares)
        if question.tax is not None:
            apart += tax_cost_of(question, self.shares)
        return apart

    def offer(self, phi: float, room: float, shares: Floats) -> bool:
        """Take the portfolio if it is better and fits; whether it was taken."""
        if phi > self.phi + self.tie or not self.has_room(room, shares):
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
        self.apart = self._not_tracking()
        return True

    def has_room(self, room: float, shares: Floats) -> bool:
        """Whether the shares fit, of which so much of the tighter limit is left."""
        return room > self.question.slack or (room > -ROUNDING and self.question.fits(shares))


def phi_of(question: SearchProblem, shares: Floats) -> float:
    """Phi of a portfolio whose every stock is on one of its branches."""
    branches = question.branches
    y = question.price * shares - question.target
    on_branch = (branches.lowest <= shares) & (shares <= branches.highest)
    cost = np.where(on_branch, branches.cost_base + branches.cost_slope * y, inf)
    if question.day is not None:
        cost -= question.weight * (question.day.base + question.day.slope * y)
    phi = float((y * y).sum() + y.sum() ** 2 + cost.min(axis=0).sum())
    if question.tax is not None:
        gains = _gains_of(question.tax, on_branch, y)
        phi += question.tax.prices[2] + question.tax.unpriced(*gains)
    return phi


def tax_cost_of(question: SearchProblem, shares: Floats) -> float:
    """The part of Phi that is for the tax of a portfolio's sales; 0 where it is not minimised."""
    if question.tax is None:
        return 0.0
    branches = question.branches
    on_branch = (branches.lowest <= shares) & (shares <= branches.highest)
    y = question.price * shares - question.target
    return question.tax.cost(*_gains_of(question.tax, on_branch, y))


def _gains_of(tax: TaxTerm, on_branch: NDArray[np.bool_], y: Floats) -> tuple[float, float]:
    """The short- and the long-term gain of a portfolio."""
    branch, row = on_branch.argmax(axis=0), np.arange(y.size)
    gains = tax.base[:, branch, row] + tax.slope[:, branch, row] * y
    short, long = gains.sum(axis=1).tolist()
    return short, long


def _limits_left(question: SearchProblem, point: DualPoint) -> tuple[float, float]:
    """What a point leaves of the budget and of the day's limit (inf: there is none)."""
    spare = inf if question.day is None else question.day.cap - point.day
    return question.cap - point.spend, spare


def _offer_point(best: BestFound, point: DualPoint) -> None:
    room, spare = _limits_left(best.question, point)
    half = point.drift - 0.5 * point.mu
    phi = point.bound + half * half + point.nu * room
    if best.question.day is not None:
        phi += best.question.weight * spare
    if best.question.tax is not None:
        phi += best.question.tax.unpriced(point.short, point.long)
    best.offer(phi, min(room, spare), point.shares)


def try_pairs(best: BestFound, point: DualPoint, moves: MoveList) -> None:
    """Try the point, every single move and every pair of the cheapest moves."""
    cap, day = best.question.cap, best.question.day
    _offer_point(best, point)
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
    if day is not None:
        pay = np.concatenate(([0.0], moves.day[:PAIRED]))
        spare = (day.cap - point.day - pay)[:, None] - pay
        phi += day.weight * spare
        room = np.minimum(room, spare)
    if best.question.tax is not None:
        phi += _unpriced_of_pairs(best.question.tax, point, moves)
    phi[(room < -ROUNDING) | (stock[:, None] == stock)] = inf
    _take_cheapest(best, point, moves, phi, room)


def _unpriced_of_pairs(tax: TaxTerm, point: DualPoint, moves: MoveList) -> Floats:
    """The tax of each pair of moves that the branches leave out."""
    gains = np.zeros((2, 0)) if moves.gains is None else moves.gains[:, :PAIRED]
    short, long = np.concatenate((np.zeros((2, 1)), gains), axis=1)
    return tax.unpriced_of_all(
        (short + point.short)[:, None] + short, (long + point.long)[:, None] + long
    )


def _take_cheapest(
    best: BestFound, point: DualPoint, moves: MoveList, phi: Floats, room: Floats
) -> None:
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
        if best.offer(float(phi[first, second]), float(room[first, second]), shares):
            return
        phi[first, second] = phi[second, first] = inf


class Enumeration:
    """Every set of moves, at most one a stock, that costs less than the best portfolio."""

    __slots__ = (
        "best",
        "costs",
        "days",
        "drifts",
        "gains",
        "half",
        "leeway",
        "moves",
        "path",
        "point",
        "spends",
        "stocks",
        "visits",
    )

    def __init__(self, best: BestFound, point: DualPoint, moves: MoveList, leeway: float) -> None:
        self.best = best
        self.point = point
        self.moves = moves
        self.leeway = leeway
        self.costs = moves.cost.tolist()
        self.drifts = moves.drift.tolist()
        self.spends = moves.spend.tolist()
        self.days = moves.day.tolist()
        none = [(0.0, 0.0)] * len(self.costs)
        self.gains = none if moves.gains is None else moves.gains.T.tolist()
        self.stocks = [1 << stock for stock in moves.stock.tolist()]
        self.half = 0.5 * point.mu
        self.path: list[int] = []
        self.visits = 0

    def runs_to_the_end(self) -> bool:
        """Look at all sets, offering each; False when there are too many to look at."""
        room, spare = _limits_left(self.best.question, self.point)
        point = self.point
        sums = point.bound, point.drift, room, spare, point.short, point.long
        return self._from(0, sums, 0)

    def _from(self, first: int, sums: tuple[float, ...], used: int) -> bool:
        phi, drift, room, spare, short, long = sums
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
            left = room - self.spends[move]
            to_spare = spare - self.days[move]
            self.path.append(move)
            gains = short + self.gains[move][0], long + self.gains[move][1]
            sums = (next_phi, next_drift, left, to_spare, *gains)
            whole, tighter = self._whole(sums), min(left, to_spare)
            if whole <= limit and tighter >= -ROUNDING:
                self.best.offer(whole, tighter, self._shares())
            if not self._from(move + 1, sums, used | stock):
                return False
            self.path.pop()
        return True

    def _whole(self, sums: tuple[float, ...]) -> float:
        """Phi of the moves of the path, whose costs and sums these are."""
        phi, drift, left, spare, short, long = sums
        question = self.best.question
        phi += (drift - self.half) ** 2 + self.point.nu * left
        if question.day is not None:
            phi += question.weight * spare
        if question.tax is not None:
            phi += question.tax.unpriced(short, long)
        return phi

    def _shares(self) -> Floats:
        shares = self.point.shares.copy()
        shares[self.moves.stock[self.path]] = self.moves.shares[self.path]
        return shares


def search(
    question: SearchProblem,
    most_nodes: int,
    exact_nodes: int = EXACT_NODES,
    goal: float = RELATIVE_GOAL,
) -> SearchResult:
    """The best portfolio and a bound on how far from the optimum it can be.

    The first nodes are proved to the last digit, then to the goal for the tracking error; after
    `most_nodes` the search ends with what it has. The count of nodes, not the time, ends it: the
    answer is repeatable.
    """
    question = best_weight(question)
    best = BestFound(question)
    _offer_without_gains(best, most_nodes, exact_nodes)
    heap: list[tuple[float, int, Splits, Start]] = [(-inf, 0, (), (0.0, first_mix(question)))]
    closed = inf
    nodes = 0
    while heap and nodes < most_nodes:
        aim = 0.0 if nodes < exact_nodes else goal
        if heap[0][0] >= best.phi - best.leeway(aim):
            break
        _, _, splits, start = heappop(heap)
        nodes += 1
        bound, split, at = _solve_node(SearchBox(question, splits), best, start, aim)
        if split is None:
            closed = min(closed, bound)
            continue
        for number, half in enumerate(split):
            heappush(heap, (bound, 2 * nodes + number, (*splits, half), at))
    bound = min(closed, best.phi, heap[0][0] if heap else inf)
    return SearchResult(best.shares, best.phi, bound, nodes)


Halves = tuple[tuple[int, float, float], tuple[int, float, float]]


Start = tuple[float, Floats]
"""Where to begin in a box: the multipliers and the mix of the tax's lines of the box it is part of."""


def _climbed(box: SearchBox, start: Start, best: BestFound) -> Settled:
    """The top of the dual of a box, over the lines of the tax too."""
    at, mix = start
    if box.question.tax is None:
        point, sides = climb(box, at, best.phi)
        return Settled(box, mix, point, sides, point, point)
    settled = settle(box, at, mix, best.phi, MOST_ROUNDS if not box.splits else FEW_ROUNDS)
    # The tax that the branches leave out is that of this box from here on.
    best.question = settled.box.question
    for side in (settled.below, settled.above):
        if side is not settled.point:
            _offer_shares(best, side.shares)
    return settled


def _offer_shares(best: BestFound, shares: Floats) -> None:
    """Offer a portfolio that was not made at the prices of this box."""
    best.offer(phi_of(best.question, shares), 0.0, shares)


def _offer_without_gains(best: BestFound, most_nodes: int, exact_nodes: int) -> None:
    """Offer the best portfolio none of whose sales comes to a gain, where tax is as good as forbidden.

    The prices of the tax stop at `LEAST_TAX_WEIGHT`, so the points of the dual may all be taxed
    although a portfolio without tax would be better.
    """
    tax = best.question.tax
    if tax is None or tax.weight <= LEAST_TAX_WEIGHT:
        return
    free = without_gains(best.question)
    if free.fits(free.fallback):
        _offer_shares(best, search(free, most_nodes, exact_nodes).shares)


def _solve_node(
    box: SearchBox, best: BestFound, start: Start, aim: float
) -> tuple[float, Halves | None, Start]:
    """Bound one box and search it: its bound, how to split it (None: done with it), where it is."""
    if box.is_empty:
        return inf, None, start
    settled = _climbed(box, start, best)
    box, point, sides = settled.box, settled.point, settled.sides
    place = point.at, settled.mix
    if point.bound >= best.phi - best.leeway(aim):
        return point.bound, None, place
    for side in sides:
        if side is point:
            continue
        _offer_point(best, side)
    if point.bound >= best.phi - best.leeway(aim):
        # A portfolio exactly on target: Phi is 0 and the bound is 0 but for rounding.
        return point.bound, None, place
    moves = box.moves(point, best.phi - point.bound + best.tie, FIRST_RINGS)
    try_pairs(best, point, moves)
    leeway = best.leeway(aim)
    limit = best.phi - leeway - point.bound + best.tie
    is_fine = _count_of_moves(box, limit) > VISITS
    unseen = (point.nu + box.question.weight) * box.question.slack
    is_limited = aim > 0 and box.question.day is not None
    if (is_fine or is_limited) and point.bound + unseen >= best.phi - best.leeway(RELATIVE_GOAL):
        # Shares so cheap that no list of moves proves more than the goal, and that the budget left
        # unspent is what the rounding of charges may take, which the bound does not see. With a
        # limit of the day that is most of the gap, however far it is searched.
        return point.bound, None, place
    if moves.beyond < limit and not is_fine:
        moves = box.moves(point, limit, MOST_RINGS)
    if moves.beyond >= limit and Enumeration(best, point, moves, leeway).runs_to_the_end():
        return max(point.bound, best.phi - leeway), None, place
    halves = (
        _split_between_lots(box, settled.below, settled.above)
        or _split_between_branches(box, sides)
        or _split(point, moves, best.phi - point.bound)
    )
    return point.bound, halves, place


def _count_of_moves(box: SearchBox, limit: float) -> float:
    """About how many deviations cost less than `limit`: along a branch the cost is a parabola."""
    return 2.0 * sqrt(max(limit, 0.0)) * float(box.reciprocal.sum())


def _split_between_branches(box: SearchBox, sides: list[DualPoint]) -> Halves | None:
    """Split the stock that is sold on one side of the dual's top and held or bought on the other.

    Its fixed charge is what the bound cannot see; None where no stock changes its branch there.
    """
    if box.question.is_free or sides[0] is sides[-1]:
        return None
    if box.question.tax is not None:
        return _split_between_lots(box, sides[0], sides[-1])
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


def _split_between_lots(box: SearchBox, first: DualPoint, last: DualPoint) -> Halves | None:
    """Split the stock that is on two branches on the sides of the top, where the lower one ends."""
    if box.question.tax is None or first.branch is None or last.branch is None:
        return None
    crossing = first.branch != last.branch
    if not crossing.any():
        return None
    apart = np.where(crossing, np.abs(first.shares - last.shares) * box.question.price, -1.0)
    stock = int(apart.argmax())
    branch = first.branch if first.shares[stock] < last.shares[stock] else last.branch
    edge = float(box.question.branches.highest.ravel()[branch[stock]])
    if edge >= max(first.shares[stock], last.shares[stock]):
        return None
    return (stock, -inf, edge), (stock, edge + 1.0, inf)


def _split(point: DualPoint, moves: MoveList, gap: float) -> Halves:
    """Split on the largest move among the cheap ones: one expensive share blurs the bound."""
    cheap = max(1, int(moves.cost.searchsorted(0.25 * gap)))
    move = int(np.abs(moves.drift[:cheap]).argmax())
    stock = int(moves.stock[move])
    now = float(point.shares[stock])
    edge = now if moves.shares[move] > now else now - 1.0
    return (stock, -inf, edge), (stock, edge + 1.0, inf)
