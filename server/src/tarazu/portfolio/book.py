"""What every client is worth: kept in memory, recomputed when holdings or prices move.

The holdings of all clients stand in three arrays of whole numbers. A valuation is one
multiplication and one sum per client, so its cost does not show in any request; and what
another process wrote is seen by the revision that each account carries.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from tarazu.domain.money import Rupees, from_units, to_units
from tarazu.portfolio.tables import Account
from tarazu.prices.book import PriceBook

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClientValue:
    """What one client is worth now.

    `has_holdings` tells a client without shares from one whose shares are worth nothing.
    """

    holdings_value: Rupees
    net: Rupees
    net_investment: Rupees
    has_holdings: bool

    @property
    def portfolio_value(self) -> Rupees:
        """Holdings and cash."""
        return self.holdings_value + self.net

    @property
    def total_pnl(self) -> Rupees:
        """What the portfolio is worth above what was put in."""
        return self.portfolio_value - self.net_investment


@dataclass(slots=True)
class _Held:
    tokens: Whole
    quantities: Whole
    averages: Whole
    net: Rupees
    net_investment: Rupees
    is_counted: bool


@dataclass(slots=True)
class ValueBook:
    """The holdings of everyone, and their values at the prices last seen."""

    revision: int = -1
    _held: dict[uuid.UUID, _Held] = field(default_factory=dict)
    _values: dict[uuid.UUID, ClientValue] = field(default_factory=dict)
    _priced: tuple[int, int] = (-1, -1)
    _rows: tuple[list[uuid.UUID], Whole, Whole, Whole, Whole, Whole] | None = None
    lock: Lock = field(default_factory=Lock)

    def take(
        self, accounts: Sequence[Account], holdings: Iterable[Any], tokens: dict[uuid.UUID, int]
    ) -> None:
        """Take in changed accounts with all their holdings (client, instrument, …) rows."""
        by_client: dict[uuid.UUID, list[tuple[int, int, int]]] = {}
        for client_id, instrument_id, quantity, average in holdings:
            row = (tokens[instrument_id], quantity, to_units(average))
            by_client.setdefault(client_id, []).append(row)
        for account in accounts:
            rows = np.array(by_client.get(account.client_id, []), dtype=np.int64).reshape(-1, 3)
            invested = account.starting_capital + account.funds_added - account.funds_withdrawn
            self._held[account.client_id] = _Held(
                rows[:, 0], rows[:, 1], rows[:, 2], account.net, invested, account.is_counted
            )
        self._rows = None

    def values(self, prices: PriceBook) -> dict[uuid.UUID, ClientValue]:
        """What every client is worth at the newest prices."""
        wanted = (self.revision, prices.version)
        if self._priced != wanted:
            self._values = self._valued(prices)
            self._priced = wanted
        return self._values

    def _valued(self, prices: PriceBook) -> dict[uuid.UUID, ClientValue]:
        clients, starts, tokens, columns, quantities, averages = self._rows or self._gather()
        last = np.array(prices.units_of(tokens.tolist()), dtype=np.int64)
        used = last[columns] if len(columns) else columns
        # A holding that was never priced keeps what it cost; it is never worth nothing.
        worth = quantities * np.where(used > 0, used, averages)
        sums = np.add.reduceat(np.append(worth, 0), starts) if len(starts) else starts
        values: dict[uuid.UUID, ClientValue] = {}
        for client_id, units in zip(clients, sums.tolist(), strict=True):
            held = self._held[client_id]
            has_holdings = len(held.quantities) > 0
            value = from_units(units) if has_holdings else Decimal(0)
            values[client_id] = ClientValue(value, held.net, held.net_investment, has_holdings)
        return values

    def _gather(self) -> tuple[list[uuid.UUID], Whole, Whole, Whole, Whole, Whole]:
        clients = list(self._held)
        held = [self._held[client_id] for client_id in clients]
        empty = np.empty(0, dtype=np.int64)
        lengths = np.array([len(one.quantities) for one in held], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64) if held else empty
        all_tokens = np.concatenate([one.tokens for one in held]) if held else empty
        tokens, columns = np.unique(all_tokens, return_inverse=True)
        quantities = np.concatenate([one.quantities for one in held]) if held else empty
        averages = np.concatenate([one.averages for one in held]) if held else empty
        self._rows = (clients, starts, tokens, columns.astype(np.int64), quantities, averages)
        return self._rows
