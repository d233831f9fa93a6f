"""Many portfolios at once: the search of `rebalance_search` on (clients x stocks) arrays.

The same dual bound, the same pairs and sets of cheap deviations; what is not proved to the goal is
split on one stock and goes into the next batch, a few times over. Whatever is left goes to the
search for one portfolio, which also takes what these arrays do not model: brokerage in steps,
minimum trades and price buffers.
"""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.charges import PAISA, Side
from tarazu.domain.money import UNITS_PER_RUPEE
from tarazu.domain.rebalancing.bounds import BatchPoint, ScaledBatch, climb, only
from tarazu.domain.rebalancing.dual import Floats, Integers
from tarazu.domain.rebalancing.moves import (
    PAIRED,
    BatchMoves,
    best_pairs,
    best_sets,
    cheapest_moves,
    choices_of,
    thorough_moves,
)
from tarazu.domain.rebalancing.problem import (
    BASIS_POINTS,
    ROUNDED_UP,
    Freedom,
    ProblemStock,
    TradeCosts,
    WholeShareProblem,
)
from tarazu.domain.rebalancing.search import search

CHUNK = 500
LEVELS = 12
SINGLE_NODES = 40


@dataclass(frozen=True, slots=True)
class PortfolioBatch:
    """Portfolios of the same stocks, arrays of (clients, stocks) unless said otherwise.

    `prices` (stocks,) in units, `held` whole shares, `targets` so many parts of `whole`,
    `investment` and `budget` (clients,) in units, `fixed` what is not to be traded (None: all may be). A stock with
    target 0 that is not fixed is sold. `least` and `most` bound the shares of what is not fixed
    (None: from 0 to as many as can be paid for).

    What comes out for a client does not depend on who else is in the batch.
    """

    prices: Integers
    held: Integers
    targets: Integers
    investment: Integers
    budget: Integers
    fixed: NDArray[np.bool_] | None = None
    least: Integers | None = None
    most: Integers | None = None
    whole: int = BASIS_POINTS


class BatchResult(NamedTuple):
    """Whole shares (clients, stocks); what was minimised and its proved bound, as shares of V^2."""

    shares: Integers
    phi: Floats
    bound: Floats

    @property
    def gaps(self) -> Floats:
        """By how much, relatively, the root of what was minimised may be above the optimum's."""
        error = np.sqrt(self.phi)
        least = np.sqrt(np.maximum(self.bound, 0.0))
        return np.where(
            error > 0, 1.0 - np.minimum(least / np.where(error > 0, error, 1.0), 1.0), 0.0
        )


class _Nodes(NamedTuple):
    """Boxes to be searched: whose they are, how far they reach, where their dual was highest."""

    owner: Integers
    low: Floats
    high: Floats
    start: Floats
    bound: Floats


class _BatchSearch:
    """The state of a batch: each portfolio's best shares, their Phi, and its proved bound."""

    def __init__(self, sheet: ScaledBatch, goal: float) -> None:
        self.sheet = sheet
        self.shares = sheet.held.copy()
        count = sheet.held.shape[0]
        self.phi = np.full(count, inf)
        self.closed = np.full(count, inf)
        self.keep = (1.0 - goal) ** 2
        self.closeness = goal / 40

    def start_from_rest(self, fits: NDArray[np.bool_]) -> None:
        """Where trading nothing fits and is allowed it is the first portfolio, free of charges."""
        sheet = self.sheet
        allowed = ((sheet.low <= sheet.held) & (sheet.held <= sheet.high)).all(axis=1)
        y = sheet.now - sheet.target
        phi = np.einsum("ij,ij->i", y, y) + y.sum(axis=1) ** 2
        self.phi = np.where(fits & allowed, phi, inf)

    def search(self) -> None:
        """Root boxes first, then level by level the halves of those not proved to the goal."""
        sheet = self.sheet
        count = self.phi.size
        nodes = _Nodes(
            np.arange(count), sheet.low, sheet.high, np.zeros(count), np.full(count, -inf)
        )
        for level in range(LEVELS):
            halves = []
            for first in range(0, nodes.owner.size, CHUNK):
                part = only(nodes, slice(first, first + CHUNK))
                rows = only(self.sheet, slice(first, first + CHUNK) if level == 0 else part.owner)
                halves.append(self._level(rows._replace(low=part.low, high=part.high), part))
            nodes = _Nodes(*(np.concatenate(part) for part in zip(*halves, strict=True)))
            nodes = self._still_open(nodes)
            if nodes.owner.size == 0:
                break
        np.minimum.at(self.closed, nodes.owner, nodes.bound)

    def _still_open(self, nodes: _Nodes) -> _Nodes:
        """The nodes not proved to the goal; the bounds of the others are noted."""
        is_open = nodes.bound < self.keep * self.phi[nodes.owner]
        np.minimum.at(self.closed, nodes.owner[~is_open], nodes.bound[~is_open])
        return only(nodes, is_open)

    def _level(self, sheet: ScaledBatch, nodes: _Nodes) -> _Nodes:
        """Search the boxes: by pairs, then what is still open by sets; halve what is left."""
        top = climb(sheet, nodes.start, self.closeness)
        choices = choices_of(sheet, top, 1)
        moves = cheapest_moves(choices, PAIRED)
        self._take(top, moves, nodes.owner, *best_pairs(sheet, top, moves))
        nodes = nodes._replace(start=top.at, bound=np.maximum(top.bound, nodes.bound))
        is_open = nodes.bound < self.keep * self.phi[nodes.owner]
        left = self._still_open(nodes)
        if left.owner.size == 0:
            return left
        sheet, top = only(sheet, is_open), only(top, is_open)
        moves, limit = thorough_moves(sheet, top, only(choices, is_open))
        np.minimum(limit, self.keep * self.phi[left.owner] - top.bound, out=limit)
        best, taken, bound = best_sets(sheet, top, moves, limit)
        self._take(top, moves, left.owner, best, taken)
        left = left._replace(bound=np.maximum(left.bound, bound))
        is_open = left.bound < self.keep * self.phi[left.owner]
        left = self._still_open(left)
        moves = only(moves, is_open)
        return _split(left, top.shares[is_open], moves, self.phi[left.owner] - top.bound[is_open])

    def _take(
        self, top: BatchPoint, moves: BatchMoves, owner: Integers, phi: Floats, taken: Floats
    ) -> None:
        """Keep what is better than the owners have; of two rows of one owner the better."""
        better = np.flatnonzero(phi < self.phi[owner])
        better = better[phi[better].argsort(kind="stable")[::-1]]
        shares = top.shares[better]
        row, move = taken[better].nonzero()
        row, move = row[move > 0], move[move > 0]
        shares[row, moves.stock[better[row], move]] = moves.shares[better[row], move]
        self.phi[owner[better]] = phi[better]
        self.shares[owner[better]] = shares


def _split(nodes: _Nodes, shares: Floats, moves: BatchMoves, gap: Floats) -> _Nodes:
    """Both halves of each node, parted at its largest cheap move."""
    rows = np.arange(nodes.owner.size)
    size = np.where(moves.cost <= 0.25 * gap[:, None], np.abs(moves.drift), -1.0)
    size[:, 0] = -2.0
    move = size.argmax(axis=1)
    stock = moves.stock[rows, move]
    now = shares[rows, stock]
    edge = np.where(moves.shares[rows, move] > now, now, now - 1.0)
    low, high = nodes.low.copy(), nodes.high.copy()
    high[rows, stock] = np.minimum(high[rows, stock], edge)
    low[rows, stock] = np.maximum(low[rows, stock], edge + 1.0)
    return _Nodes(
        np.concatenate((nodes.owner, nodes.owner)),
        np.concatenate((nodes.low, low)),
        np.concatenate((high, nodes.high)),
        np.concatenate((nodes.start, nodes.start)),
        np.concatenate((nodes.bound, nodes.bound)),
    )


def solve_batch(batch: PortfolioBatch, trade: TradeCosts, goal: float = 4e-5) -> BatchResult:
    """Whole shares nearest the targets for every portfolio of a batch.

    Args:
        batch: portfolios of the same stocks; each budget can be kept by selling.
        trade: as for one portfolio; charges of the first exchange of the tariff.
        goal: how far the tracking error may be from the best possible, relatively, before a
            portfolio is searched on; what is proved is in the answer either way.

    With charges ₹2.07 of each budget are kept back for what rounding may add to them, and the
    bound is on the best that leaves as much.
    """
    sheet = _scaled(batch, trade)
    if sheet is None:
        return _one_by_one(batch, trade, goal)
    run = _BatchSearch(sheet, goal)
    run.start_from_rest(batch.held @ batch.prices <= batch.budget)
    run.search()
    shares = run.shares.astype(np.int64)
    result = BatchResult(shares, run.phi, np.minimum(run.closed, run.phi))
    wrong = np.isinf(run.phi) | ~_fits(batch, trade, shares) | (result.bound < run.keep * run.phi)
    for row in np.flatnonzero(wrong):
        _solve_one(batch, trade, int(row), 0.5 * goal, result)
    return result


def _scaled(batch: PortfolioBatch, trade: TradeCosts) -> ScaledBatch | None:
    """The batch in shares of V; None when its charges are not one line a side."""
    fixed, buy, sell = 0.0, 0.0, 0.0
    if trade.least or trade.buffer:
        return None
    if trade.tariff is not None:
        buys, sells = trade.tariff.rates.steps(Side.BUY), trade.tariff.rates.steps(Side.SELL)
        if len(buys) > 1 or len(sells) > 1:
            return None
        fixed, buy, sell = float(sells[0].fixed), float(buys[0].slope), float(sells[0].slope)
    whole = batch.investment[:, None].astype(np.float64)
    price = batch.prices / whole
    held = batch.held.astype(np.float64)
    low = np.zeros_like(held) if batch.least is None else batch.least.astype(np.float64)
    high = np.full_like(held, np.inf) if batch.most is None else batch.most.astype(np.float64)
    high = np.where(batch.targets == 0, low, high)
    if batch.fixed is not None:
        low = np.where(batch.fixed, held, low)
        high = np.where(batch.fixed, held, high)
    target = batch.targets / batch.whole
    spare = 0 if trade.tariff is None else ROUNDED_UP
    cap = (batch.budget - spare - batch.investment)[:, None] / whole
    cap += (batch.whole - batch.targets.sum(axis=1, keepdims=True)) / batch.whole
    sale = fixed * UNITS_PER_RUPEE / whole
    parts = (price, target, price * held, held, low, high, cap, sale)
    return ScaledBatch(*parts, buy, sell, trade.penalty if trade.tariff is not None else 0.0)


def _fits(batch: PortfolioBatch, trade: TradeCosts, shares: Integers) -> NDArray[np.bool_]:
    """Which rows are sure to keep their budget, counted in whole units.

    Charges are taken with all that rounding up may add but a paisa, which is left for the doubles:
    the sixth and seventh paisa are of charges that are nought or whole in the first place.
    """
    spent = shares @ batch.prices
    if trade.tariff is not None:
        change = (shares - batch.held) * batch.prices
        buy = trade.tariff.rates.steps(Side.BUY)[0]
        sell = trade.tariff.rates.steps(Side.SELL)[0]
        bought = np.maximum(change, 0).sum(axis=1)
        sold = bought - change.sum(axis=1)
        sales = (change < 0).sum(axis=1)
        charges = float(buy.slope) * bought + float(sell.slope) * sold
        charges += float(sell.fixed) * UNITS_PER_RUPEE * sales
        charges += (ROUNDED_UP - PAISA) * (bought + sold > 0)
        spent += np.ceil(charges).astype(np.int64)
    fits: NDArray[np.bool_] = spent <= batch.budget
    return fits


def _one_by_one(batch: PortfolioBatch, trade: TradeCosts, goal: float) -> BatchResult:
    count = batch.investment.size
    result = BatchResult(batch.held.copy(), np.zeros(count), np.zeros(count))
    for row in range(count):
        _solve_one(batch, trade, row, goal, result)
    return result


def _solve_one(
    batch: PortfolioBatch, trade: TradeCosts, row: int, goal: float, result: BatchResult
) -> None:
    """Solve one row by the search for one portfolio, and store it in `result`."""
    investment = int(batch.investment[row])
    columns = zip(
        batch.prices.tolist(), batch.held[row].tolist(), batch.targets[row].tolist(), strict=True
    )
    size = batch.prices.size
    fixed = batch.fixed[row].tolist() if batch.fixed is not None else [False] * size
    least = batch.least[row].tolist() if batch.least is not None else [0] * size
    most = batch.most[row].tolist() if batch.most is not None else [None] * size
    stocks = [
        ProblemStock(
            price,
            held,
            target * investment * BASIS_POINTS // batch.whole,
            freedom=Freedom.FIXED if still else Freedom.FREE if target else Freedom.EXIT,
            least=low,
            most=high,
        )
        for (price, held, target), still, low, high in zip(columns, fixed, least, most, strict=True)
    ]
    problem = WholeShareProblem(stocks, investment, int(batch.budget[row]), trade)
    single = search(problem.question(), SINGLE_NODES, 0, goal)
    result.shares[row] = single.shares
    result.phi[row] = single.phi
    result.bound[row] = single.bound
