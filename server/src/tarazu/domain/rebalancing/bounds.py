"""The dual bound of `rebalance_search` for many portfolios at once, on (rows, stocks) arrays."""

from math import inf
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.rebalancing.dual import Floats, Integers

STEPS = 14
ROUGHLY = 1e-3  # how near its top the dual is climbed while the charges are not settled


Rows = TypeVar("Rows", bound=tuple[Any, ...])


def only(columns: Rows, which: Integers | NDArray[np.bool_] | slice) -> Rows:
    """A named tuple of arrays with only some of their rows; what is no array is shared by all."""
    kind: Any = type(columns)
    chosen: Rows = kind(
        *(part[which] if isinstance(part, np.ndarray) else part for part in columns)
    )
    return chosen


class ScaledBatch(NamedTuple):
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

    @property
    def is_free(self) -> bool:
        return self.buy == 0 and self.sell == 0


class BatchPoint(NamedTuple):
    """The dual's best point of each row: (rows,) and (rows, stocks) arrays."""

    at: Floats
    mu: Floats
    nu: Floats
    bound: Floats
    shares: Floats
    y: Floats
    drift: Floats
    charges: Floats


def evaluate(sheet: ScaledBatch, at: Floats, crest: Floats) -> tuple[BatchPoint, Floats]:
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
    return BatchPoint(at, mu, nu, bound, shares, y, drift, charges), slope


def _with_charges(sheet: ScaledBatch, at: Floats, nu: Floats) -> tuple[Floats, Floats, Floats]:
    """Each stock's best shares: bought if that pays, else sold if that pays, else held.

    Without the fixed charge of a sale the three parabolas join into one convex curve, so a stock
    worth buying is not worth selling; the fixed charge can only turn a sale into a hold.
    """
    weight = nu + sheet.weigh
    reciprocal = 1.0 / sheet.price
    centre = (sheet.target - 0.5 * at) * reciprocal
    reciprocal *= 0.5 * weight
    bought = np.rint(centre - sheet.buy * reciprocal)
    centre += sheet.sell * reciprocal
    sold = np.minimum(np.maximum(np.rint(centre), sheet.low), sheet.held)
    pays = _gain_of_sale(sheet, sold, at, weight) > weight * sheet.fixed
    pays |= sheet.held > sheet.high
    shares = np.where(pays, sold, sheet.held)
    np.maximum(shares, bought, out=shares)
    np.maximum(shares, sheet.low, out=shares)
    np.minimum(shares, sheet.high, out=shares)
    y = sheet.price * shares
    y -= sheet.target
    return shares, y, _charges(sheet, shares)


def _gain_of_sale(sheet: ScaledBatch, sold: Floats, at: Floats, weight: Floats) -> Floats:
    """What going from the shares held down to `sold` takes off the dual, but for the fixed charge."""
    change = sheet.held - sold
    change *= sheet.price
    gain = sheet.now - sheet.target
    gain *= 2.0
    gain -= change
    gain += at - weight * sheet.sell
    gain *= change
    return gain


def _charges(sheet: ScaledBatch, shares: Floats) -> Floats:
    change = sheet.price * (shares - sheet.held)
    sales = change < 0
    bought = np.maximum(change, 0.0).sum(axis=1)
    sold = bought - change.sum(axis=1)
    charges: Floats = sheet.buy * bought + sheet.sell * sold + sheet.fixed[:, 0] * sales.sum(axis=1)
    return charges


def climb(sheet: ScaledBatch, start: Floats, closeness: float) -> BatchPoint:
    """Maximise each row's dual; with charges, until the cash left and the charges agree."""
    crest = 2.0 * sheet.cap[:, 0]
    if not sheet.is_free:
        trail = _climb_to(sheet, start, crest, ROUGHLY)
        start = trail.best_at
        crest = 2.0 * (sheet.cap[:, 0] - trail.charges_at_top())
    trail = _climb_to(sheet, start, crest, closeness)
    return evaluate(sheet, trail.best_at, crest)[0]


def _climb_to(sheet: ScaledBatch, start: Floats, crest: Floats, closeness: float) -> "_Trail":
    """Each row's way up along mu + nu: Newton steps, then where the tangents meet.

    A row stops where it would stop alone: its answer must not depend on its neighbours.
    """
    trail = _Trail(start, sheet.target.shape[1], closeness)
    rows = np.arange(start.size)
    live, live_crest = sheet, crest
    for step in range(STEPS):
        top, slope = evaluate(live, trail.at[rows], live_crest)
        going = trail.take(rows, top, slope, step)
        if not going.any():
            break
        if 2 * int(going.sum()) < going.size:
            rows, live, live_crest = rows[going], only(live, going), live_crest[going]
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
        self.going = np.ones(start.size, dtype=np.bool_)

    def take(self, rows: Integers, top: BatchPoint, slope: Floats, step: int) -> NDArray[np.bool_]:
        """Note the dual at each row's place and move the row on; which rows are still going.

        A row that was done before stays as it is.
        """
        at, bound = top.at, top.bound
        goes = self.going[rows]
        best = self.best[rows]
        self.best_at[rows] = np.where(goes & (bound > best), at, self.best_at[rows])
        best = self.best[rows] = np.where(goes, np.maximum(bound, best), best)
        here = np.array((at, bound, slope, top.charges))
        rising = slope > 0
        left = self.left[:, rows] = np.where(goes & rising, here, self.left[:, rows])
        right = self.right[:, rows] = np.where(goes & ~rising, here, self.right[:, rows])
        rise = right[1] - left[1] + left[2] * left[0] - right[2] * right[0]
        with np.errstate(invalid="ignore", divide="ignore"):
            meeting = rise / (left[2] - right[2])
            ceiling = left[1] + left[2] * (meeting - left[0])
            done = (ceiling - best <= self.closeness * np.abs(best)) | (slope == 0)
            done |= (meeting <= left[0]) | (meeting >= right[0])
        onward = at + slope * (self.stride * 2.0**step)
        self.at[rows] = np.where(np.isnan(meeting), onward, meeting)
        going: NDArray[np.bool_] = goes & ~done
        self.going[rows] = going
        return going

    def charges_at_top(self) -> Floats:
        """Charges between both sides of the top, where the slope would be nought."""
        with np.errstate(invalid="ignore", divide="ignore"):
            part = self.left[2] / (self.left[2] - self.right[2])
            charges = self.left[3] + part * (self.right[3] - self.left[3])
        known = np.where(np.isnan(self.left[3]), self.right[3], self.left[3])
        settled: Floats = np.where(np.isfinite(charges), charges, known)
        return settled
