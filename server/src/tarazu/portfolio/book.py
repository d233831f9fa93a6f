"""The value of every client: kept in memory, recomputed when holdings or prices change.

The holdings of all clients are three arrays of whole numbers, and so are their values. A valuation
is one multiplication and one sum for all clients, so no request waits for it. Changes by another
process are found by the revision of each account.
"""

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tarazu.domain.codes import SAMPLE_NUMBER
from tarazu.domain.money import Percent, Rupees, from_points, from_units, points_of, to_units
from tarazu.portfolio.tables import Account
from tarazu.prices.book import EPOCH, MICROSECOND, NEVER, PriceBook

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LAST = np.iinfo(np.int64).max


class Worth(NamedTuple):
    """What one client is worth now, in units (see `domain.money`): decimals cost most in lists.

    Attributes:
        net_investment: None while neither a starting capital nor a cash flow is entered.
        cost: what the shares were bought for.
        is_valued: whether holdings or funds were ever read or entered; without them no value
            and no gain is known.
    """

    holdings_value: int
    net: int
    net_investment: int | None
    cost: int
    is_valued: bool

    @property
    def portfolio_value(self) -> int | None:
        """Holdings and cash."""
        return self.holdings_value + self.net if self.is_valued else None

    @property
    def cash(self) -> int | None:
        """The net funds."""
        return self.net if self.is_valued else None

    @property
    def is_since_purchase(self) -> bool:
        """Whether the gain is that of the shares since they were bought, as no other is known."""
        return self.is_valued and self.net_investment is None

    @property
    def total_pnl(self) -> int | None:
        """What the portfolio is worth above what was put in, or the shares above their cost."""
        if not self.is_valued:
            return None
        if self.net_investment is None:
            return self.holdings_value - self.cost
        return self.holdings_value + self.net - self.net_investment

    @property
    def pnl_points(self) -> int | None:
        """The gain in basis points of what was put in, or of what the shares cost."""
        gain = self.total_pnl
        if gain is None:
            return None
        return points_of(gain, self.cost if self.net_investment is None else self.net_investment)


NO_WORTH = Worth(0, 0, None, 0, is_valued=False)


@dataclass(frozen=True, slots=True)
class ClientValue:
    """As `Worth`, in rupees.

    `has_holdings` is true for a client whose shares are worth nothing, and false without shares.
    """

    worth: Worth
    has_holdings: bool

    @property
    def holdings_value(self) -> Rupees:
        """The shares at their last known prices."""
        return from_units(self.worth.holdings_value)

    @property
    def net(self) -> Rupees | None:
        """The net funds."""
        return rupees_of(self.worth.cash)

    @property
    def net_investment(self) -> Rupees | None:
        """What was put in, less what was taken out."""
        return rupees_of(self.worth.net_investment)

    @property
    def portfolio_value(self) -> Rupees | None:
        """Holdings and cash."""
        return rupees_of(self.worth.portfolio_value)

    @property
    def total_pnl(self) -> Rupees | None:
        """The gain."""
        return rupees_of(self.worth.total_pnl)

    @property
    def pnl_percentage(self) -> Percent | None:
        """The gain in percent of the net investment, or of the cost of the shares."""
        points = self.worth.pnl_points
        return None if points is None else from_points(points)


def rupees_of(units: int | None) -> Rupees | None:
    """The amount in rupees; None where it is not known."""
    return None if units is None else from_units(units)


class Figure(StrEnum):
    """By what clients can be ranked."""

    CODE = "clientId"
    PORTFOLIO = "totalPortfolio"
    INVESTMENT = "totalInvestment"
    PNL = "netPnL"
    CASH = "NetCashAmount"


@dataclass(frozen=True, slots=True)
class ClientArrays:
    """What does not move with prices, of all clients in one order; money in units.

    The holdings of a client are `lengths` rows of `columns`, `quantities` and `averages` from
    `starts` on; `columns` are places in `tokens`. It is made again when any account changes.
    """

    ids: list[uuid.UUID]
    places: Mapping[uuid.UUID, int]
    codes: Whole
    net: Whole
    invested: Whole
    has_invested: Flags
    costs: Whole
    is_valued: Flags
    is_counted: Flags
    starts: Whole
    lengths: Whole
    tokens: Whole
    columns: Whole
    quantities: Whole
    averages: Whole

    def places_of(self, client_ids: Iterable[uuid.UUID]) -> Whole:
        """Where these clients are in the arrays, in no order; those without an account are nowhere."""
        known = self.places
        return np.array([known[key] for key in client_ids if key in known], dtype=np.int64)


class Valued(Mapping[uuid.UUID, ClientValue]):
    """What every client is worth at one reading of the prices; nothing in it ever changes."""

    def __init__(self, clients: ClientArrays, worth: Whole) -> None:
        self._clients = clients
        self._worth = worth
        self._orders: dict[tuple[Figure, bool], list[uuid.UUID]] = {}

    @property
    def clients(self) -> ClientArrays:
        """What the values were computed from, but for the prices."""
        return self._clients

    @property
    def totals(self) -> Whole:
        """Holdings and cash of each client, in units, in the order of `clients`."""
        return self._worth + self._clients.net

    def __getitem__(self, client_id: uuid.UUID) -> ClientValue:
        worth, place = self.worth_of(client_id), self._clients.places[client_id]
        return ClientValue(worth, bool(self._clients.lengths[place]))

    def worth_of(self, client_id: uuid.UUID) -> Worth:
        """What one client is worth, in units; nothing at all for one who has no account."""
        clients, place = self._clients, self._clients.places.get(client_id)
        if place is None:
            return NO_WORTH
        return Worth(
            self._worth.item(place),
            clients.net.item(place),
            clients.invested.item(place) if clients.has_invested.item(place) else None,
            clients.costs.item(place),
            clients.is_valued.item(place),
        )

    def __iter__(self) -> Iterator[uuid.UUID]:
        return iter(self._clients.ids)

    def __len__(self) -> int:
        return len(self._clients.ids)

    @property
    def sample(self) -> set[uuid.UUID]:
        """The sample client, where there is one: its figures belong in no sum."""
        places = np.flatnonzero(self._clients.codes == SAMPLE_NUMBER)
        return {self._clients.ids[place] for place in places.tolist()}

    def ranked(self, by: Figure, *, largest_first: bool = False) -> list[uuid.UUID]:
        """All clients in order of a figure; those that tie by code, those without it last."""
        ids = self._orders.get((by, largest_first))
        if ids is None:
            figure, is_known = self._figure(by)
            figure = np.where(is_known, -figure if largest_first else figure, LAST)
            order = np.lexsort((self._clients.codes, figure))
            ids = [self._clients.ids[place] for place in order.tolist()]
            self._orders[by, largest_first] = ids
        return ids

    def sum_of(self, by: Figure, places: Whole) -> int | None:
        """The sum of a figure of the clients at these places, in units; None if any is not known."""
        figure, is_known = self._figure(by)
        return int(figure[places].sum()) if is_known[places].all() else None

    def _figure(self, by: Figure) -> tuple[Whole, Flags]:
        """The figure of each client, and whether it is known."""
        clients = self._clients
        match by:
            case Figure.PORTFOLIO:
                return self._worth + clients.net, clients.is_valued
            case Figure.INVESTMENT:
                return clients.invested, clients.has_invested
            case Figure.PNL:
                gained = self._worth + clients.net - clients.invested
                since_purchase = self._worth - clients.costs
                pnl = np.where(clients.has_invested, gained, since_purchase)
                return pnl, clients.is_valued
            case Figure.CASH:
                return clients.net, clients.is_valued
        return clients.codes, np.ones(len(clients.codes), dtype=np.bool_)


@dataclass(slots=True)
class _Held:
    code: int
    tokens: Whole
    quantities: Whole
    averages: Whole
    cost: int
    net: int
    invested: int | None
    is_valued: bool
    is_counted: bool


@dataclass(slots=True)
class ValueBook:
    """The holdings of everyone, and their values at the prices last seen."""

    revision: int = -1
    _held: dict[uuid.UUID, _Held] = field(default_factory=dict)
    _clients: ClientArrays | None = None
    _values: Valued | None = None
    _priced: tuple[int, int] = (-1, -1)
    _old: tuple[ClientArrays, bytes, frozenset[uuid.UUID]] | None = None
    lock: Lock = field(default_factory=Lock)

    def take(
        self,
        accounts: Sequence[Account],
        holdings: Iterable[Any],
        tokens: Mapping[uuid.UUID, int],
        codes: Mapping[uuid.UUID, int],
    ) -> None:
        """Take in changed accounts with all that they own.

        Args:
            holdings: client, instrument, quantity, average price, and the exact cost; None where
                that is quantity times average price.
            tokens: of every instrument.
            codes: the numbers in the codes of these clients.
        """
        by_client: dict[uuid.UUID, list[tuple[int, int, int, int]]] = {}
        for client_id, instrument_id, quantity, average, cost in holdings:
            price = to_units(average)
            spent = quantity * price if cost is None else to_units(cost)
            row = (tokens[instrument_id], quantity, price, spent)
            by_client.setdefault(client_id, []).append(row)
        for account in accounts:
            rows = np.array(by_client.get(account.client_id, []), dtype=np.int64).reshape(-1, 4)
            self._held[account.client_id] = _Held(
                codes[account.client_id],
                rows[:, 0],
                rows[:, 1],
                rows[:, 2],
                int(rows[:, 3].sum()),
                to_units(account.net),
                None if (invested := account.net_investment) is None else to_units(invested),
                account.is_valued or bool(len(rows)),
                account.is_counted,
            )
        self._clients = None

    @property
    def clients(self) -> ClientArrays:
        """What every client holds."""
        return self._clients or self._gather()

    def values(self, prices: PriceBook) -> Valued:
        """What every client is worth at the newest prices."""
        current = (self.revision, prices.version)
        if self._values is None or self._priced != current:
            self._values = self._valued(prices)
            self._priced = current
        return self._values

    def oldest_prices(
        self, prices: PriceBook, client_ids: Iterable[uuid.UUID]
    ) -> dict[uuid.UUID, dt.datetime]:
        """When the oldest of the prices was made of the shares that each of these clients holds.

        Shares that were never priced do not count; clients without any priced share are left out.
        """
        clients = self.clients
        made = prices.times_of(clients.tokens.tolist())
        made[made == NEVER] = LAST
        oldest_times = {}
        for client_id in client_ids:
            place = clients.places.get(client_id)
            if place is not None and clients.lengths[place]:
                start = clients.starts[place]
                oldest = made[clients.columns[start : start + clients.lengths[place]]].min()
                if oldest != LAST:
                    oldest_times[client_id] = EPOCH + int(oldest) * MICROSECOND
        return oldest_times

    def with_older_prices(self, prices: PriceBook, than: dt.datetime) -> frozenset[uuid.UUID]:
        """Clients who hold a share whose price was made before an instant.

        All holdings are looked at only when another set of shares has older prices than before.
        """
        clients = self.clients
        made = prices.times_of(clients.tokens.tolist())
        is_old = (made != NEVER) & (made < (than - EPOCH) // MICROSECOND)
        flags = is_old.tobytes()
        if self._old is None or self._old[0] is not clients or self._old[1] != flags:
            self._old = clients, flags, _holders_of(clients, is_old)
        return self._old[2]

    def _valued(self, prices: PriceBook) -> Valued:
        clients = self.clients
        last = np.array(prices.units_of(clients.tokens.tolist()), dtype=np.int64)
        used = last[clients.columns] if len(clients.columns) else clients.columns
        # A holding that was never priced keeps what it cost; it is never worth nothing.
        worth = clients.quantities * np.where(used > 0, used, clients.averages)
        sums = _running_sum(worth)
        return Valued(clients, sums[clients.starts + clients.lengths] - sums[clients.starts])

    def _gather(self) -> ClientArrays:
        ids = list(self._held)
        held = list(self._held.values())
        lengths = np.array([len(client.quantities) for client in held], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        tokens, columns = np.unique(
            _joined([client.tokens for client in held]), return_inverse=True
        )
        quantities = _joined([client.quantities for client in held])
        averages = _joined([client.averages for client in held])
        self._clients = ClientArrays(
            ids,
            {client_id: place for place, client_id in enumerate(ids)},
            np.array([client.code for client in held], dtype=np.int64),
            np.array([client.net for client in held], dtype=np.int64),
            np.array([client.invested or 0 for client in held], dtype=np.int64),
            np.array([client.invested is not None for client in held], dtype=np.bool_),
            np.array([client.cost for client in held], dtype=np.int64),
            np.array([client.is_valued for client in held], dtype=np.bool_),
            np.array([client.is_counted for client in held], dtype=np.bool_),
            starts,
            lengths,
            tokens,
            columns.astype(np.int64),
            quantities,
            averages,
        )
        return self._clients


def _holders_of(clients: ClientArrays, chosen: npt.NDArray[np.bool_]) -> frozenset[uuid.UUID]:
    """Clients who hold any of the chosen tokens, which are given in the order of `tokens`."""
    held = chosen[clients.columns]
    counts = np.concatenate([[0], np.cumsum(held)])
    among = counts[clients.starts + clients.lengths] > counts[clients.starts]
    return frozenset(clients.ids[place] for place in np.flatnonzero(among).tolist())


def _running_sum(amounts: Whole) -> Whole:
    """What the amounts before each place add up to, and all of them, one longer."""
    # Sums may run past 64 bits and around; the difference of two is right all the same.
    return np.concatenate([[0], np.cumsum(amounts)])


def _joined(parts: Sequence[Whole]) -> Whole:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
