"""Many portfolios at once: the search of `rebalance_search` on (clients x stocks) arrays.

The same dual bound, the same pairs of cheap deviations; what is not proved to the goal is split on
one stock and goes into the next batch, a few times over. Whatever is left goes to the search for
one portfolio, which also takes what these arrays do not model: brokerage in steps, minimum trades
and price buffers.
"""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.charges import Side
from tarazu.domain.money import UNITS_PER_RUPEE
from tarazu.domain.rebalance_problem import (
    BASIS_POINTS,
    ROUNDED_UP,
    Freedom,
    Problem,
    Stock,
    Trade,
)
from tarazu.domain.rebalance_search import ROUNDING, Floats, Whole, search

CHUNK = 500
PAIRED = 12
LISTED = 24
MOST_SETS = 400
REACH = 3  # shares more or less that are looked at
STEPS = 14
ROUGHLY = 1e-3  # how near its top the dual is climbed while the charges are not settled
LEVELS = 8
SINGLE_NODES = 40
NEVER = 1e30
FIRST, SECOND = (np.append(side, 0) for side in np.triu_indices(PAIRED + 1, 1))


@dataclass(frozen=True, slots=True)
class Batch:
    """Portfolios of the same stocks, arrays of (clients, stocks) unless said otherwise.

    `prices` (stocks,) in units, `held` whole shares, `targets` basis points, `investment` and
    `budget` (clients,) in units, `fixed` what is not to be traded (None: all may be). A stock with
    target 0 that is not fixed is sold.
    """

    prices: Whole
    held: Whole
    targets: Whole
    investment: Whole
    budget: Whole
    fixed: NDArray[np.bool_] | None = None


class BatchFound(NamedTuple):
    """Whole shares (clients, stocks); what was minimised and its proved bound, as shares of V^2."""

    shares: Whole
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


class _Sheet(NamedTuple):
    """Rows of a batch in shares of V, and what trading costs: arrays (rows, stocks) or (rows, 1).

    `buy` and `sell` are charges per rupee (nought when free), `fixed` the charge of a sale;
    `weigh` the penalty. `now` is the value held.
    """

    price: Floats
    target: Floats
    now: Floats
    held: Floats
    low: Floats
    high: Floats
    cap: Floats
    fixed: Floats
    buy: float
    sell: float
    weigh: float

    def rows(self, which: Whole | NDArray[np.bool_] | slice) -> "_Sheet":
        return _Sheet(*(part[which] for part in self[:8]), *self[8:])

    @property
    def is_free(self) -> bool:
        return self.buy == 0 and self.sell == 0


class _Top(NamedTuple):
    """The dual's best point of each row: (rows,) and (rows, stocks) arrays."""

    at: Floats
    mu: Floats
    nu: Floats
    bound: Floats
    shares: Floats
    y: Floats
    drift: Floats
    charges: Floats


class _Moves(NamedTuple):
    """The cheapest moves of each row, (rows, moves) by rising cost; the first moves nothing.

    A row with fewer moves is filled up with moves that cost NEVER.
    """

    stock: Whole
    shares: Floats
    cost: Floats
    drift: Floats
    spend: Floats
    is_furthest: NDArray[np.bool_]


def _evaluate(sheet: _Sheet, at: Floats, crest: Floats) -> tuple[_Top, Floats]:
    """The dual at mu + nu = `at`, mu at most `crest`: its point and slope, each row alone."""
    mu = np.minimum(at, crest)
    nu = at - mu
    column = at[:, None]
    if sheet.is_free:
        shares = np.rint((sheet.target - 0.5 * column) / sheet.price)
        np.maximum(shares, sheet.low, out=shares)
        np.minimum(shares, sheet.high, out=shares)
        y = sheet.price * shares
        y -= sheet.target
        drift = y.sum(axis=1)
        total = np.einsum("ij,ij->i", y, y) + at * drift
        charges = np.zeros_like(at)
    else:
        shares, y, charges = _with_charges(sheet, column, nu[:, None])
        drift = y.sum(axis=1)
        total = np.einsum("ij,ij->i", y, y) + at * drift + (nu + sheet.weigh) * charges
    cap = sheet.cap[:, 0]
    bound = total - 0.25 * mu * mu - nu * cap
    slope = np.where(at <= crest, drift - 0.5 * mu, drift + charges - cap)
    return _Top(at, mu, nu, bound, shares, y, drift, charges), slope


def _with_charges(sheet: _Sheet, at: Floats, nu: Floats) -> tuple[Floats, Floats, Floats]:
    """Each stock's best shares: bought if that pays, else sold if that pays, else held.

    Without the fixed charge of a sale the three parabolas join into one convex curve, so a stock
    worth buying is not worth selling; the fixed charge can only turn a sale into a hold.
    """
    weight = nu + sheet.weigh
    centre = (sheet.target - 0.5 * at) / sheet.price
    half = 0.5 * weight / sheet.price
    bought = np.rint(centre - sheet.buy * half)
    np.minimum(bought, sheet.high, out=bought)
    sold = np.rint(centre + sheet.sell * half)
    np.maximum(sold, sheet.low, out=sold)
    sold = np.minimum(sold, sheet.held)
    change = sheet.price * (sold - sheet.held)
    gain = change * (change + 2.0 * (sheet.now - sheet.target) + at - weight * sheet.sell)
    worth = gain + weight * sheet.fixed < 0
    forced = sheet.held > sheet.high
    shares = np.where(worth | forced, sold, sheet.held)
    np.maximum(shares, bought, out=shares, where=bought > sheet.held)
    np.maximum(shares, sheet.low, out=shares)
    np.minimum(shares, sheet.high, out=shares)
    y = sheet.price * shares - sheet.target
    return shares, y, _charges(sheet, shares)


def _charges(sheet: _Sheet, shares: Floats) -> Floats:
    change = sheet.price * (shares - sheet.held)
    sales = change < 0
    bought = np.maximum(change, 0.0).sum(axis=1)
    sold = bought - change.sum(axis=1)
    return sheet.buy * bought + sheet.sell * sold + sheet.fixed[:, 0] * sales.sum(axis=1)


def _climb(sheet: _Sheet, start: Floats, closeness: float) -> _Top:
    """Maximise each row's dual; with charges, until the cash left and the charges agree."""
    crest = 2.0 * sheet.cap[:, 0]
    if not sheet.is_free:
        trail = _climb_to(sheet, start, crest, ROUGHLY)
        start = trail.best_at
        crest = 2.0 * (sheet.cap[:, 0] - trail.charges_at_top())
    trail = _climb_to(sheet, start, crest, closeness)
    return _evaluate(sheet, trail.best_at, crest)[0]


def _climb_to(sheet: _Sheet, start: Floats, crest: Floats, closeness: float) -> "_Trail":
    """Each row's way up along mu + nu: Newton steps, then where the tangents meet."""
    trail = _Trail(start, sheet.target.shape[1], closeness)
    rows = np.arange(start.size)
    live, live_crest = sheet, crest
    for step in range(STEPS):
        top, slope = _evaluate(live, trail.at[rows], live_crest)
        going = trail.take(rows, top, slope, step)
        if not going.any():
            break
        if 2 * int(going.sum()) < going.size:
            rows, live, live_crest = rows[going], live.rows(going), live_crest[going]
    return trail


class _Trail:
    """Where each row has been: its best point, and the nearest points on both sides of the top.

    `left` and `right` are place, bound, slope and charges of those two, NaN while unknown.
    """

    def __init__(self, start: Floats, stocks: int, closeness: float) -> None:
        self.at = start.copy()
        self.best_at = start.copy()
        self.best = np.full(start.size, -inf)
        self.left = np.full((4, start.size), np.nan)
        self.right = np.full((4, start.size), np.nan)
        self.stride = 2.0 / (stocks + 1)
        self.closeness = closeness

    def take(self, rows: Whole, top: _Top, slope: Floats, step: int) -> NDArray[np.bool_]:
        """Note the dual at each row's place and move the row on; which rows are still going."""
        at, bound = top.at, top.bound
        best = self.best[rows]
        self.best_at[rows] = np.where(bound > best, at, self.best_at[rows])
        best = self.best[rows] = np.maximum(bound, best)
        here = np.array((at, bound, slope, top.charges))
        rising = slope > 0
        left = self.left[:, rows] = np.where(rising, here, self.left[:, rows])
        right = self.right[:, rows] = np.where(rising, self.right[:, rows], here)
        rise = right[1] - left[1] + left[2] * left[0] - right[2] * right[0]
        with np.errstate(invalid="ignore", divide="ignore"):
            meeting = rise / (left[2] - right[2])
            ceiling = left[1] + left[2] * (meeting - left[0])
            done = (ceiling - best <= self.closeness * np.abs(best)) | (slope == 0)
            done |= (meeting <= left[0]) | (meeting >= right[0])
        onward = at + slope * (self.stride * 2.0**step)
        self.at[rows] = np.where(np.isnan(meeting), onward, meeting)
        return ~done

    def charges_at_top(self) -> Floats:
        """Charges between both sides of the top, where the slope would be nought."""
        with np.errstate(invalid="ignore", divide="ignore"):
            part = self.left[2] / (self.left[2] - self.right[2])
            charges = self.left[3] + part * (self.right[3] - self.left[3])
        known = np.where(np.isnan(self.left[3]), self.right[3], self.left[3])
        return np.where(np.isfinite(charges), charges, known)


def _moves(sheet: _Sheet, top: _Top, most: int, *, is_thorough: bool) -> _Moves:
    """The `most` cheapest changes of one stock: a share more or less, or across holding it.

    A thorough list has up to REACH shares more and less, and around the change across as well; the
    last of these are marked as furthest.
    """
    reach = REACH if is_thorough else 1
    steps = [float(step) for far in range(1, reach + 1) for step in (far, -far)]
    parts = [top.shares + step for step in steps]
    if not sheet.is_free:
        across = _across(sheet, top)
        parts.append(across)
        if is_thorough:
            parts += [across + step for step in steps]
    shares = np.stack(parts, axis=1)
    change, cost, spend = _prices_of(sheet, top, shares)
    out = (shares < sheet.low[:, None, :]) | (shares > sheet.high[:, None, :]) | (change == 0)
    cost[out] = NEVER
    count = top.shares.shape[1]
    shares, change, cost, spend = (
        part.reshape(part.shape[0], -1) for part in (shares, change, cost, spend)
    )
    kept = min(most, cost.shape[1])
    near = np.argpartition(cost, kept - 1, axis=1)[:, :kept]
    rows = np.arange(cost.shape[0])[:, None]
    near = near[rows, cost[rows, near].argsort(axis=1)]
    wide = (cost.shape[0], most + 1)
    nought = np.zeros(wide)
    moves = _Moves(np.full(wide, -1), nought, nought + NEVER, nought.copy(), nought.copy(), nought > 0)
    moves.cost[:, 0] = 0.0
    choice = near // count
    furthest = (choice == 2 * reach - 2) | (choice == 2 * reach - 1) | (choice >= 4 * reach - 1)
    found = (
        near % count,
        shares[rows, near],
        cost[rows, near],
        change[rows, near],
        spend[rows, near],
        furthest,
    )
    for part, values in zip(moves, found, strict=True):
        part[:, 1 : kept + 1] = values
    np.maximum(moves.cost, 0.0, out=moves.cost)
    return moves


def _across(sheet: _Sheet, top: _Top) -> Floats:
    """Holding for what is traded; for what is held the sale that only its fixed charge forbids."""
    weight = (top.nu + sheet.weigh)[:, None]
    wanted = sheet.target - 0.5 * (top.at[:, None] - sheet.sell * weight)
    sold = np.clip(np.rint(wanted / sheet.price), sheet.low, sheet.held)
    return np.where(top.shares == sheet.held, sold, sheet.held)


def _prices_of(sheet: _Sheet, top: _Top, shares: Floats) -> tuple[Floats, Floats, Floats]:
    """What changes when a stock goes to `shares` (rows, choices, stocks): value, dual, spend."""
    price = sheet.price[:, None, :]
    change = price * (shares - top.shares[:, None, :])
    cost = change + (2.0 * top.y + top.at[:, None])[:, None, :]
    cost *= change
    if sheet.is_free:
        return change, cost, change
    before = sheet.price * (top.shares - sheet.held)
    charges = _each(sheet, before[:, None, :] + change)
    charges -= _each(sheet, before[:, None, :])
    cost += (top.nu + sheet.weigh)[:, None, None] * charges
    return change, cost, change + charges


def _each(sheet: _Sheet, change: Floats) -> Floats:
    """The charges of each change of value, bought above nought and sold below."""
    charges = np.where(change > 0, sheet.buy, -sheet.sell) * change
    charges += (change < 0) * sheet.fixed[:, :, None]
    return charges


def _best_pairs(sheet: _Sheet, top: _Top, moves: _Moves) -> tuple[Floats, Floats]:
    """Each row's cheapest portfolio at most two moves away that fits: its Phi, which moves."""
    drift = moves.drift[:, FIRST]
    drift += moves.drift[:, SECOND]
    cost = moves.cost[:, FIRST]
    cost += moves.cost[:, SECOND]
    spend = drift
    if not sheet.is_free:
        spend = moves.spend[:, FIRST]
        spend += moves.spend[:, SECOND]
        cost[moves.stock[:, FIRST] == moves.stock[:, SECOND]] = NEVER
    phi = _phi_of(sheet, top, drift, spend, cost)
    which = phi.argmin(axis=1)
    rows = np.arange(which.size)
    taken = np.zeros(moves.cost.shape)
    taken[rows, FIRST[which]] = 1.0
    taken[rows, SECOND[which]] = 1.0
    return phi[rows, which], taken


class _Sets(NamedTuple):
    """Sets of moves, one an entry: whose row, what they add up to, bits for moves and stocks."""

    row: Whole
    cost: Floats
    drift: Floats
    spend: Floats
    bits: Whole
    stocks: Whole

    def only(self, which: NDArray[np.bool_]) -> "_Sets":
        return _Sets(*(part[which] for part in self))


def _best_sets(
    sheet: _Sheet, top: _Top, moves: _Moves, gap: Floats
) -> tuple[Floats, Floats, Floats]:
    """Each row's cheapest set of moves that fits: its Phi (inf: none), which moves, and a bound.

    All sets are looked at whose moves cost less than the row's `gap`, or less than what keeps their
    number down. What is no such set costs that much, or has a move that is not listed: one that
    costs as much as the last of the list, or as the furthest on one side of a stock.
    """
    rows = np.arange(gap.size)
    beyond = np.minimum(gap, moves.cost[:, -1])
    np.minimum(beyond, np.where(moves.is_furthest, moves.cost, NEVER).min(axis=1), out=beyond)
    sets = _sets_below(moves, beyond)
    row = sets.row
    off = sets.drift + (top.drift - 0.5 * top.mu)[row]
    room = (sheet.cap[:, 0] - top.drift - top.charges)[row] - sets.spend
    phi = top.bound[row] + sets.cost + off * off + top.nu[row] * room
    phi[room < -ROUNDING] = inf
    best = np.full(rows.size, inf)
    np.minimum.at(best, row, phi)
    first = np.flatnonzero(phi == best[row])
    bits = np.zeros(rows.size, dtype=np.int64)
    bits[row[first]] = sets.bits[first]
    taken = ((bits[:, None] >> np.arange(moves.cost.shape[1])) & 1).astype(np.float64)
    return best, taken, np.minimum(best, top.bound + beyond)


def _first_listed(stock: Whole) -> Whole:
    """For each move a bit that all moves of its stock in the row share."""
    same = stock[:, :, None] == stock[:, None, :]
    bits: Whole = np.left_shift(1, same.argmax(axis=2))
    return bits


def _sets_below(moves: _Moves, limit: Floats) -> _Sets:
    """All sets of moves, one a stock, that cost less than their row's limit.

    Where there are too many the limit is lowered, in place. The dearest moves come first: few sets
    have them, so most of the work is done in the last steps.
    """
    rows = np.arange(limit.size)
    nought = np.zeros(limit.size)
    sets = _Sets(rows, nought, nought, nought, np.zeros_like(rows), np.zeros_like(rows))
    stocks = _first_listed(moves.stock)
    for move in range(moves.cost.shape[1] - 1, 0, -1):
        row = sets.row
        cost = sets.cost + moves.cost[row, move]
        cheap = (cost < limit[row]) & (sets.stocks & stocks[row, move] == 0)
        if not cheap.any():
            continue
        row = row[cheap]
        with_it = _Sets(
            row,
            cost[cheap],
            sets.drift[cheap] + moves.drift[row, move],
            sets.spend[cheap] + moves.spend[row, move],
            sets.bits[cheap] | (1 << move),
            sets.stocks[cheap] | stocks[row, move],
        )
        sets = _Sets(*(np.concatenate(part) for part in zip(sets, with_it, strict=True)))
        full = np.bincount(sets.row, minlength=limit.size) > MOST_SETS
        while full.any():
            limit[full] *= 0.7
            sets = sets.only(sets.cost < limit[sets.row])
            full = np.bincount(sets.row, minlength=limit.size) > MOST_SETS
    return sets


def _phi_of(sheet: _Sheet, top: _Top, drift: Floats, spend: Floats, cost: Floats) -> Floats:
    """Phi of each row's sets of moves, inf where they do not fit; `cost` is used up."""
    off = drift + (top.drift - 0.5 * top.mu)[:, None]
    off *= off
    cost += off
    room = (sheet.cap[:, 0] - top.drift - top.charges)[:, None] - spend
    cost[room < -ROUNDING] = inf
    room *= top.nu[:, None]
    cost += room
    cost += top.bound[:, None]
    return cost


class _Nodes(NamedTuple):
    """Boxes to be searched: whose they are, how far they reach, where their dual was highest."""

    owner: Whole
    low: Floats
    high: Floats
    start: Floats
    bound: Floats

    def only(self, which: NDArray[np.bool_] | slice) -> "_Nodes":
        return _Nodes(*(part[which] for part in self))


class _Run:
    """The state of a batch: each portfolio's best shares, their Phi, and its proved bound."""

    def __init__(self, sheet: _Sheet, goal: float) -> None:
        self.sheet = sheet
        self.shares = sheet.held.copy()
        count = sheet.held.shape[0]
        self.phi = np.full(count, inf)
        self.closed = np.full(count, inf)
        self.keep = (1.0 - goal) ** 2
        self.closeness = goal / 40

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
                part = nodes.only(slice(first, first + CHUNK))
                rows = self.sheet.rows(slice(first, first + CHUNK) if level == 0 else part.owner)
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
        return nodes.only(is_open)

    def _level(self, sheet: _Sheet, nodes: _Nodes) -> _Nodes:
        """Search the boxes: by pairs, then what is still open by sets; halve what is left."""
        top = _climb(sheet, nodes.start, self.closeness)
        moves = _moves(sheet, top, PAIRED, is_thorough=False)
        self._take(top, moves, nodes.owner, *_best_pairs(sheet, top, moves))
        nodes = nodes._replace(start=top.at, bound=np.maximum(top.bound, nodes.bound))
        is_open = nodes.bound < self.keep * self.phi[nodes.owner]
        left = self._still_open(nodes)
        if left.owner.size == 0:
            return left
        sheet, top = sheet.rows(is_open), _Top(*(part[is_open] for part in top))
        moves = _moves(sheet, top, LISTED, is_thorough=True)
        gap = self.keep * self.phi[left.owner] - top.bound
        best, taken, bound = _best_sets(sheet, top, moves, gap)
        self._take(top, moves, left.owner, best, taken)
        left = left._replace(bound=np.maximum(left.bound, bound))
        is_open = left.bound < self.keep * self.phi[left.owner]
        left = self._still_open(left)
        moves = _Moves(*(part[is_open] for part in moves))
        return _split(left, top.shares[is_open], moves, self.phi[left.owner] - top.bound[is_open])

    def _take(self, top: _Top, moves: _Moves, owner: Whole, phi: Floats, taken: Floats) -> None:
        """Keep what is better than the owners have; of two rows of one owner the better."""
        better = np.flatnonzero(phi < self.phi[owner])
        better = better[phi[better].argsort(kind="stable")[::-1]]
        shares = top.shares[better]
        row, move = taken[better].nonzero()
        row, move = row[move > 0], move[move > 0]
        shares[row, moves.stock[better[row], move]] = moves.shares[better[row], move]
        self.phi[owner[better]] = phi[better]
        self.shares[owner[better]] = shares


def _split(nodes: _Nodes, shares: Floats, moves: _Moves, gap: Floats) -> _Nodes:
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


def solve_batch(batch: Batch, trade: Trade, goal: float = 4e-5) -> BatchFound:
    """Whole shares nearest the targets for every portfolio of a batch.

    Args:
        batch: portfolios of the same stocks; each budget can be kept by selling.
        trade: as for one portfolio; charges of the first exchange of the tariff.
        goal: how far the tracking error may be from the best possible, relatively, before a
            portfolio is searched on; what is proved is in the answer either way.

    With charges ₹2.07 of each budget are kept back for what rounding may add to them, and the
    bound is on the best that leaves as much.
    """
    sheet = _sheet_of(batch, trade)
    if sheet is None:
        return _one_by_one(batch, trade, goal)
    run = _Run(sheet, goal)
    run.search()
    shares = run.shares.astype(np.int64)
    found = BatchFound(shares, run.phi, np.minimum(run.closed, run.phi))
    wrong = np.isinf(run.phi) | ~_fits(batch, trade, shares) | (found.bound < run.keep * run.phi)
    for row in np.flatnonzero(wrong):
        _solve_one(batch, trade, int(row), goal, found)
    return found


def _sheet_of(batch: Batch, trade: Trade) -> _Sheet | None:
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
    low = np.zeros_like(held)
    high = np.where(batch.targets == 0, 0.0, np.inf)
    if batch.fixed is not None:
        low = np.where(batch.fixed, held, low)
        high = np.where(batch.fixed, held, high)
    target = batch.targets / BASIS_POINTS
    spare = 0 if trade.tariff is None else ROUNDED_UP
    cap = (batch.budget - spare - batch.investment)[:, None] / whole
    cap += (BASIS_POINTS - batch.targets.sum(axis=1, keepdims=True)) / BASIS_POINTS
    sale = fixed * UNITS_PER_RUPEE / whole
    parts = (price, target, price * held, held, low, high, cap, sale)
    return _Sheet(*parts, buy, sell, trade.penalty if trade.tariff is not None else 0.0)


def _fits(batch: Batch, trade: Trade, shares: Whole) -> NDArray[np.bool_]:
    """Which rows keep their budget, in whole units."""
    spent = shares @ batch.prices
    if trade.tariff is not None:
        for row in range(spent.size):
            change = (shares[row] - batch.held[row]) * batch.prices
            spent[row] += trade.tariff.units_free_of_brokerage(
                int(change[change > 0].sum()),
                int(-change[change < 0].sum()),
                int((change < 0).sum()),
            )
    return spent <= batch.budget


def _one_by_one(batch: Batch, trade: Trade, goal: float) -> BatchFound:
    count = batch.investment.size
    found = BatchFound(batch.held.copy(), np.zeros(count), np.zeros(count))
    for row in range(count):
        _solve_one(batch, trade, row, goal, found)
    return found


def _solve_one(batch: Batch, trade: Trade, row: int, goal: float, found: BatchFound) -> None:
    """Put one row's answer by the search for one portfolio in its place."""
    investment = int(batch.investment[row])
    columns = zip(
        batch.prices.tolist(), batch.held[row].tolist(), batch.targets[row].tolist(), strict=True
    )
    fixed = batch.fixed[row].tolist() if batch.fixed is not None else [False] * batch.prices.size
    stocks = [
        Stock(
            price,
            held,
            target * investment,
            freedom=Freedom.FIXED if still else Freedom.FREE if target else Freedom.EXIT,
        )
        for (price, held, target), still in zip(columns, fixed, strict=True)
    ]
    problem = Problem(stocks, investment, int(batch.budget[row]), trade)
    one = search(problem.question(), SINGLE_NODES, 0, goal)
    found.shares[row] = one.shares
    found.phi[row] = one.phi
    found.bound[row] = one.bound
