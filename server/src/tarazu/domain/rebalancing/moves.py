"""Deviations from the dual's shares for many portfolios at once: pairs of them, then sets.

Arrays are (rows, moves): each row lists its own cheapest moves, a move being another number of
shares of one stock.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.rebalancing.bounds import BatchPoint, ScaledBatch, only
from tarazu.domain.rebalancing.dual import Floats, Integers
from tarazu.domain.rebalancing.search import ROUNDING

PAIRED = 12
LISTED = 16
MOST_SETS = 400
REACH = 4
LIKELY = 12
NEVER = 1e30
FIRST, SECOND = (np.append(side, 0) for side in np.triu_indices(PAIRED + 1, 1))


class BatchMoves(NamedTuple):
    """The cheapest moves of each row, (rows, moves) by rising cost; the first moves nothing.

    A row with fewer moves is filled up with moves that cost NEVER.
    """

    stock: Integers
    shares: Floats
    cost: Floats
    drift: Floats
    spend: Floats
    is_furthest: NDArray[np.bool_]


class MoveChoices(NamedTuple):
    """Other shares a stock may go to, arrays (rows, choices, stocks), and what that changes."""

    shares: Floats
    drift: Floats
    cost: Floats
    spend: Floats
    reach: int


def choices_of(sheet: ScaledBatch, top: BatchPoint, reach: int) -> MoveChoices:
    """Up to `reach` shares more or less, and across holding the stock; NEVER where it may not be.

    With a reach of more than one, as many shares around the change across as well.
    """
    steps = [float(step) for far in range(1, reach + 1) for step in (far, -far)]
    parts = [top.shares + step for step in steps]
    if not sheet.is_free:
        across = _across(sheet, top)
        parts.append(across)
        if reach > 1:
            parts += [across + step for step in steps]
    shares = np.stack(parts, axis=1)
    drift, cost, spend = _prices_of(sheet, top, shares)
    out = shares < sheet.low[:, None, :]
    out |= shares > sheet.high[:, None, :]
    out |= drift == 0
    cost[out] = NEVER
    return MoveChoices(shares, drift, cost, spend, reach)


def cheapest_moves(choices: MoveChoices, most: int) -> BatchMoves:
    """The `most` cheapest of the choices, those at the end of their reach marked."""
    rows, wide, stocks = choices.cost.shape
    shares, drift, cost, spend = (part.reshape(rows, -1) for part in choices[:4])
    count = min(most, wide * stocks)
    near = np.argpartition(cost, count - 1, axis=1)[:, :count]
    row = np.arange(rows)[:, None]
    near = near[row, cost[row, near].argsort(axis=1)]
    nought = np.zeros((rows, most + 1))
    moves = BatchMoves(
        nought.astype(np.int64) - 1,
        nought,
        nought + NEVER,
        nought.copy(),
        nought.copy(),
        nought > 0,
    )
    moves.cost[:, 0] = 0.0
    choice, reach = near // stocks, choices.reach
    furthest = (choice == 2 * reach - 2) | (choice == 2 * reach - 1) | (choice >= 4 * reach - 1)
    columns = (near % stocks, *(part[row, near] for part in (shares, cost, drift, spend)), furthest)
    for part, values in zip(moves, columns, strict=True):
        part[:, 1 : count + 1] = values
    np.maximum(moves.cost, 0.0, out=moves.cost)
    return moves


def thorough_moves(
    sheet: ScaledBatch, top: BatchPoint, choices: MoveChoices
) -> tuple[BatchMoves, Floats]:
    """The LISTED cheapest moves within REACH of the LIKELY stocks, and what any other costs."""
    cheapest = choices.cost.min(axis=1)
    stocks = cheapest.shape[1]
    likely = min(LIKELY, stocks)
    order = np.argpartition(cheapest, min(likely, stocks - 1), axis=1)
    row = np.arange(order.shape[0])[:, None]
    beyond = np.full(order.shape[0], NEVER)
    if likely < stocks:
        beyond = cheapest[row[:, 0], order[:, likely]]
    near = order[:, :likely]
    narrow = sheet._replace(
        **{
            name: getattr(sheet, name)[row, near]
            for name in ("price", "target", "now", "held", "low", "high")
        }
    )
    part_top = top._replace(shares=top.shares[row, near], y=top.y[row, near])
    moves = cheapest_moves(choices_of(narrow, part_top, REACH), LISTED)
    stock = np.where(moves.stock < 0, -1, near[row, np.maximum(moves.stock, 0)])
    return moves._replace(stock=stock), beyond


def _across(sheet: ScaledBatch, top: BatchPoint) -> Floats:
    """Holding for what is traded; for what is held the sale that only its fixed charge forbids."""
    weight = (top.nu + sheet.weigh)[:, None]
    ideal = sheet.target - 0.5 * (top.at[:, None] - sheet.sell * weight)
    sold = np.clip(np.rint(ideal / sheet.price), sheet.low, sheet.held)
    return np.where(top.shares == sheet.held, sold, sheet.held)


def _prices_of(
    sheet: ScaledBatch, top: BatchPoint, shares: Floats
) -> tuple[Floats, Floats, Floats]:
    """What changes when a stock goes to `shares` (rows, choices, stocks): value, dual, spend."""
    price = sheet.price[:, None, :]
    change = price * (shares - top.shares[:, None, :])
    cost = change + (2.0 * top.y + top.at[:, None])[:, None, :]
    cost *= change
    if sheet.is_free:
        return change, cost, change
    before = sheet.price * (top.shares - sheet.held)
    charges = each_charge(sheet, before[:, None, :] + change)
    charges -= each_charge(sheet, before[:, None, :])
    cost += (top.nu + sheet.weigh)[:, None, None] * charges
    return change, cost, change + charges


def each_charge(sheet: ScaledBatch, change: Floats) -> Floats:
    """The charges of each change of value, bought above nought and sold below."""
    charges = np.where(change > 0, sheet.buy, -sheet.sell) * change
    charges += (change < 0) * sheet.fixed[:, :, None]
    return charges


def best_pairs(sheet: ScaledBatch, top: BatchPoint, moves: BatchMoves) -> tuple[Floats, Floats]:
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

    row: Integers
    cost: Floats
    drift: Floats
    spend: Floats
    bits: Integers
    stocks: Integers


def best_sets(
    sheet: ScaledBatch, top: BatchPoint, moves: BatchMoves, limit: Floats
) -> tuple[Floats, Floats, Floats]:
    """Each row's cheapest set of moves that fits: its Phi (inf: none), which moves, and a bound.

    All sets are looked at whose moves cost less than the row's `limit`, or less than what keeps
    their number down. What is no such set costs that much, or has a move that is not listed: one
    that costs as much as the last of the list, or as the furthest on one side of a stock.
    """
    rows = np.arange(limit.size)
    beyond = np.minimum(limit, moves.cost[:, -1])
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


def _first_listed(stock: Integers) -> Integers:
    """For each move a bit that all moves of its stock in the row share."""
    same = stock[:, :, None] == stock[:, None, :]
    bits: Integers = np.left_shift(1, same.argmax(axis=2))
    return bits


def _sets_below(moves: BatchMoves, limit: Floats) -> _Sets:
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
            sets = only(sets, sets.cost < limit[sets.row])
            full = np.bincount(sets.row, minlength=limit.size) > MOST_SETS
    return sets


def _phi_of(
    sheet: ScaledBatch, top: BatchPoint, drift: Floats, spend: Floats, cost: Floats
) -> Floats:
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
