"""The drift of all followers of a model: arrays kept in memory, priced in a few operations.

Arrays of one model are (clients, stocks), (clients,) or one entry for each holding outside the
model, in the order of the clients.
"""

import uuid
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tarazu.portfolio.book import ClientArrays, Flags, Whole

Floats = npt.NDArray[np.float64]

ALL = -1
"""The investment of a client who follows a model with all holdings and cash."""
PER_PERCENT = 100
CASH_COLUMN = -1


@dataclass(frozen=True, slots=True)
class ModelStocks:
    """The stocks of a model's newest version: their ISINs, tokens and targets in percent."""

    isins: tuple[str, ...]
    tokens: Whole
    targets: Floats
    cash_target: float


@dataclass(frozen=True, slots=True)
class Followers:
    """The followers of a model and what they hold; amounts in units.

    Attributes:
        places: of each follower in the arrays of all clients.
        investments: how much follows the model; `ALL` for all holdings and cash.
        held: shares of the model's stocks.
        bounds: where the outside holdings of each client begin, and where the last one's end.
        outside_rows, outside_columns: the client of an outside holding, its place in the tokens.
        is_kept: whether a restriction forbids selling all of it.
    """

    stocks: ModelStocks
    places: Whole
    investments: Whole
    net: Whole
    held: Whole
    bounds: Whole
    outside_rows: Whole
    outside_columns: Whole
    outside_quantities: Whole
    is_kept: Flags


@dataclass(frozen=True, slots=True)
class FollowerDrift:
    """The drift of each follower at one reading of the prices, in percent of the investment.

    Attributes:
        points: the largest drift, signed, in basis points: what a screen shows and a tolerance is
            compared with.
        column: its stock's place in the model; `CASH_COLUMN` for cash.
        is_outside: whether it is a stock outside the model instead.
        is_known: every price is known, and there is something to invest.
        is_priced: every price is known.
        sizes: the drift of the model's stocks, without signs.
        sold: units of each outside holding that would be sold; 0 for those that are kept.
    """

    points: Whole
    column: Whole
    is_outside: Flags
    is_known: Flags
    is_priced: Flags
    investment: Whole
    sizes: Floats
    cash_drift: Floats
    cash: Floats
    outside: Floats
    sold: Whole

    def exceeds(self, tolerance_points: int) -> Flags:
        """Which followers drifted by the tolerance or more."""
        return self.is_known & (np.abs(self.points) >= tolerance_points)

    def totals_of(self, rows: Whole) -> Floats:
        """Half the sum of all drift of each of these followers, without signs."""
        totals: Floats = (
            self.sizes[rows].sum(axis=1) + np.abs(self.cash_drift[rows]) + self.outside[rows]
        ) / 2
        return totals


def followers_of(
    clients: ClientArrays,
    isins: list[str],
    stocks: ModelStocks,
    investments: dict[uuid.UUID, int],
    unsellable: AbstractSet[tuple[uuid.UUID, str]],
) -> Followers:
    """The arrays of one model.

    Args:
        clients: what all clients hold.
        isins: of the tokens of `clients`.
        investments: by follower, in units or `ALL`; only active clients are taken.
        unsellable: clients and ISINs of which not all shares may be sold.
    """
    chosen = [
        (place, amount)
        for client_id, amount in investments.items()
        if (place := clients.places.get(client_id)) is not None and clients.is_counted.item(place)
    ]
    places, amounts = np.array(chosen, dtype=np.int64).reshape(-1, 2).T.copy()
    column_of = {isin: column for column, isin in enumerate(stocks.isins)}
    columns = np.array([column_of.get(isin, -1) for isin in isins], dtype=np.int64)

    lengths = clients.lengths[places]
    rows = np.repeat(np.arange(len(places)), lengths)
    first = np.repeat(clients.starts[places] - np.cumsum(lengths) + lengths, lengths)
    entries = first + np.arange(len(rows))
    token_columns, quantities = clients.columns[entries], clients.quantities[entries]
    model_columns = columns[token_columns]
    is_inside = model_columns >= 0

    held = np.zeros((len(places), len(stocks.isins)), dtype=np.int64)
    np.add.at(held, (rows[is_inside], model_columns[is_inside]), quantities[is_inside])
    outside_rows, outside_columns = rows[~is_inside], token_columns[~is_inside]
    return Followers(
        stocks,
        places,
        amounts,
        clients.net[places],
        held,
        np.searchsorted(outside_rows, np.arange(len(places) + 1)),
        outside_rows,
        outside_columns,
        quantities[~is_inside],
        np.array(
            [
                (clients.ids[places.item(row)], isins[column]) in unsellable
                for row, column in zip(outside_rows.tolist(), outside_columns.tolist(), strict=True)
            ]
            if unsellable
            else np.zeros(len(outside_rows)),
            dtype=np.bool_,
        ),
    )


def drift_of(followers: Followers, prices: Whole, held_prices: Whole) -> FollowerDrift:
    """The drift of all followers, as if all outside holdings that may be sold were sold.

    Args:
        prices: of the model's stocks, in units; 0 where none is known.
        held_prices: of the tokens of all clients.
    """
    last = held_prices[followers.outside_columns]
    worth = last * followers.outside_quantities
    sold = np.where(followers.is_kept, 0, worth) if followers.is_kept.any() else worth
    outside, outside_sold = _sums(followers, worth), _sums(followers, sold)
    inside = followers.held @ prices
    investment = np.where(
        followers.investments == ALL, inside + outside + followers.net, followers.investments
    )
    is_priced = _is_priced(followers, prices, held_prices)
    base = np.maximum(investment, 1)

    drift = followers.held * (prices * float(PER_PERCENT))
    drift /= base[:, None]
    # The model is applied to what is left beside the holdings that are kept.
    part = np.clip(investment - outside + outside_sold, 0, None) / base
    drift -= part[:, None] * followers.stocks.targets
    cash = (investment - inside - outside) * float(PER_PERCENT) / base
    cash_drift = cash - part * followers.stocks.cash_target

    sizes = np.abs(drift)
    column = sizes.argmax(axis=1)
    largest = drift[np.arange(len(drift)), column]
    is_cash = np.abs(cash_drift) > np.abs(largest)
    largest = np.where(is_cash, cash_drift, largest)
    largest_outside = _largest(followers, sold) * float(PER_PERCENT) / base
    is_outside = largest_outside > np.abs(largest)
    largest = np.where(is_outside, largest_outside, largest)
    return FollowerDrift(
        points=(np.sign(largest) * np.floor(np.abs(largest) * PER_PERCENT + 0.5)).astype(np.int64),
        column=np.where(is_cash, CASH_COLUMN, column),
        is_outside=is_outside,
        is_known=is_priced & (investment > 0),
        is_priced=is_priced,
        investment=investment,
        sizes=sizes,
        cash_drift=cash_drift,
        cash=cash,
        outside=outside * float(PER_PERCENT) / base,
        sold=sold,
    )


def _is_priced(followers: Followers, prices: Whole, held_prices: Whole) -> Flags:
    """Which followers have a price for every stock of the model and every outside holding."""
    if not (prices > 0).all():
        return np.zeros(len(followers.places), dtype=np.bool_)
    if (held_prices > 0).all():
        return np.ones(len(followers.places), dtype=np.bool_)
    unpriced = _sums(followers, held_prices[followers.outside_columns] == 0)
    is_priced: Flags = unpriced == 0
    return is_priced


def _sums(followers: Followers, entries: Whole | Flags) -> Whole:
    """What the entries of each client's outside holdings add up to."""
    running = np.concatenate([[0], np.cumsum(entries, dtype=np.int64)])
    sums: Whole = running[followers.bounds[1:]] - running[followers.bounds[:-1]]
    return sums


def _largest(followers: Followers, entries: Whole) -> Whole:
    """The largest entry of each client's outside holdings; 0 without any."""
    starts, ends = followers.bounds[:-1], followers.bounds[1:]
    largest = np.zeros(len(starts), dtype=np.int64)
    has_any = ends > starts
    if has_any.any():
        largest[has_any] = np.maximum.reduceat(entries, starts[has_any])
    return largest
