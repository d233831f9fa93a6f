"""Clients' holdings with their instruments and prices."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain import holdings as figures
from tarazu.domain.money import ZERO, Rupees
from tarazu.instruments import service as instruments
from tarazu.portfolio import pending_queries, queries, suspected, suspected_queries
from tarazu.portfolio.owned_shares import owned_shares
from tarazu.portfolio.pending_queries import NO_EXTRA, Extra
from tarazu.prices import service as prices
from tarazu.prices.book import Quote


@dataclass(frozen=True, slots=True)
class HeldStock:
    """A holding with its instrument and the newest quote; None where none was ever seen.

    With a suspected action the shares are of before it and the price of after it, or the reverse:
    the profit is not known. With a pending action `uncredited` of the shares are owned, but not yet
    in the demat account; `cost` is what all shares cost, None for quantity times average price.
    `is_price_stale` is untrue where there is no price.
    """

    instrument: instruments.Listed
    quantity: int
    pledged: int
    average_price: Rupees
    quote: Quote | None
    t1: int = 0
    bought_today: int = 0
    tagged_on: str = ""
    is_action_suspected: bool = False
    is_price_stale: bool = False
    uncredited: int = 0
    is_action_pending: bool = False
    cost: Rupees | None = None

    @property
    def exchange(self) -> str:
        """The exchange that a sale must name: where the broker has the shares, if known."""
        return self.tagged_on or self.instrument.exchange

    @property
    def free(self) -> int:
        """Delivered and not pledged: what can be sold as it is."""
        tied_up = self.pledged + self.t1 + self.bought_today + self.uncredited
        return max(0, self.quantity - tied_up)


@dataclass(frozen=True, slots=True)
class WholeAccount:
    """One client's money and shares.

    `held` are instrument, whole shares, pledged ones, and the exchange on which the broker has
    them, empty where it is not known. `uncredited` are those of the shares that a corporate action
    brought and the broker has not credited yet, by instrument.
    """

    client_id: uuid.UUID
    net: Rupees
    broker: str
    holdings_source: str
    synced_at: dt.datetime | None
    held: tuple[tuple[uuid.UUID, int, int, str], ...]
    uncredited: Mapping[uuid.UUID, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TiedUpShares:
    """Of a holding: shares that are pledged, bought but not delivered yet, and not credited yet.

    `shown` are those that the broker shows: all but the ones not credited.
    """

    pledged: int
    undelivered: int
    shown: int
    uncredited: int = 0


def suspect_actions(
    session: Session, at: dt.datetime, instrument_ids: Collection[uuid.UUID]
) -> None:
    """Doubt the holdings of these, whose new price of `at` moved as in a split."""
    suspected.note_prices(session, at, instrument_ids)


def suspected_holdings(session: Session) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By client, the instruments whose holding is doubted at the newest prices."""
    marked = {row.instrument_id for row in suspected_queries.suspected_marks(session)}
    marked |= {key for _, key in pending_queries.unknown_holdings(session)}
    if not marked:
        return {}
    listed = instruments.by_ids(session, marked)
    quotes = prices.last_prices(session, [stock.instrument_token for stock in listed.values()])
    by_id = {key: quotes.get(stock.instrument_token) for key, stock in listed.items()}
    return suspected.suspected_holdings(session, by_id)


def stocks_of(
    session: Session, client_id: uuid.UUID, now: dt.datetime | None = None
) -> list[HeldStock]:
    """All that a client holds, by symbol, with the newest quotes read at one instant.

    Args:
        now: by which a price counts as stale; without it none does.
    """
    extras = pending_queries.extras_of_client(session, client_id)
    held: list[Any] = [*queries.held_by(session, client_id)]
    # All that was shown may be sold while other shares wait.
    held += [(key, 0, 0, ZERO, 0, 0, "") for key in extras.keys() - {row[0] for row in held}]
    listed = instruments.by_ids(session, [row[0] for row in held])
    quotes = prices.last_prices(
        session, [instrument.instrument_token for instrument in listed.values()]
    )
    by_id = {key: quotes.get(instrument.instrument_token) for key, instrument in listed.items()}
    doubted = suspected.suspected_of(session, client_id, by_id)
    is_stale = prices.staleness_at(session, now) if now else None
    stocks = []
    for instrument_id, quantity, pledged, average, t1, bought_today, tagged_on in held:
        quote = by_id[instrument_id]
        stock = HeldStock(
            listed[instrument_id],
            quantity,
            pledged,
            average,
            quote,
            t1,
            bought_today,
            tagged_on,
            is_action_suspected=instrument_id in doubted,
            is_price_stale=quote is not None and is_stale is not None and is_stale(quote),
        )
        extra = extras.get(instrument_id)
        stocks.append(stock if extra is None else _with_extra(stock, extra))
    owned = [stock for stock in stocks if stock.quantity]
    return sorted(owned, key=lambda stock: stock.instrument.symbol)


def _with_extra(stock: HeldStock, extra: Extra) -> HeldStock:
    """A holding as it is owned, from what was shown of it."""
    shares = owned_shares(stock.quantity, stock.average_price, extra)
    return replace(
        stock,
        quantity=shares.quantity,
        average_price=shares.average,
        cost=shares.cost,
        pledged=min(stock.pledged, shares.quantity),
        uncredited=max(extra.quantity, 0),
        is_action_pending=bool(extra.quantity),
    )


def holders_at_work(session: Session, client_ids: Collection[uuid.UUID]) -> list[WholeAccount]:
    """What a rebalance of many needs of each of these clients; those without an account left out."""
    held: dict[uuid.UUID, list[tuple[uuid.UUID, int, int, str]]] = {}
    extras = pending_queries.extras_of(session, client_ids)
    left = dict(extras)
    for row in queries.whole_holdings_of(session, client_ids):
        extra = left.pop((row[0], row[1]), NO_EXTRA)
        quantity = row[2] + extra.quantity
        if quantity > 0:
            parts = (row[1], quantity, min(row[4], quantity), row[7])
            held.setdefault(row[0], []).append(parts)
    for (client_id, key), extra in left.items():
        if extra.quantity > 0:
            held.setdefault(client_id, []).append((key, extra.quantity, 0, ""))
    uncredited: dict[uuid.UUID, dict[uuid.UUID, int]] = {}
    for (client_id, key), extra in extras.items():
        if extra.quantity > 0:
            uncredited.setdefault(client_id, {})[key] = extra.quantity
    return [
        WholeAccount(
            account.client_id,
            account.net,
            account.broker,
            account.holdings_source,
            account.synced_at,
            tuple(held.get(account.client_id, ())),
            uncredited.get(account.client_id, {}),
        )
        for account in queries.accounts_of(session, client_ids)
    ]


def pending_shares(
    session: Session, client_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, dict[uuid.UUID, int | None]]:
    """By client and instrument, shares that corporate actions bring and the broker does not show yet.

    Below zero are shares that go; None where it is not known whether the broker shows them.

    Args:
        client_ids: None for all clients.
    """
    by_client: dict[uuid.UUID, dict[uuid.UUID, int | None]] = {}
    for (client_id, key), extra in pending_queries.extras_of(session, client_ids).items():
        if extra.quantity:
            by_client.setdefault(client_id, {})[key] = extra.quantity
    for client_id, key in pending_queries.unknown_holdings(session):
        if client_ids is None or client_id in client_ids:
            by_client.setdefault(client_id, {})[key] = None
    return by_client


def uncredited_shares(
    session: Session, client_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, dict[uuid.UUID, int]]:
    """By client and instrument, shares that are owned and not credited yet: they cannot be sold."""
    uncredited = {
        client_id: {key: shares for key, shares in holdings.items() if shares and shares > 0}
        for client_id, holdings in pending_shares(session, client_ids).items()
    }
    return {client_id: shares for client_id, shares in uncredited.items() if shares}


def tied_up(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, TiedUpShares]]:
    """By client and instrument, the holdings of which some shares cannot be sold as they are."""
    by_client: dict[uuid.UUID, dict[uuid.UUID, TiedUpShares]] = {}
    waiting = uncredited_shares(session, client_ids)
    for row in queries.whole_holdings_of(session, client_ids):
        undelivered = row[5] + row[6]
        uncredited = waiting.get(row[0], {}).pop(row[1], 0)
        if row[4] or undelivered or uncredited:
            tied = TiedUpShares(row[4], undelivered, row[2], uncredited)
            by_client.setdefault(row[0], {})[row[1]] = tied
    for client_id, holdings in waiting.items():
        for key, shares in holdings.items():
            by_client.setdefault(client_id, {})[key] = TiedUpShares(0, 0, 0, shares)
    return by_client


def valued(stocks: Sequence[HeldStock]) -> figures.ValuedHoldings:
    """The figures of these holdings, in their order, at the quotes they carry."""
    return figures.value_holdings(
        [
            figures.Held(
                stock.quantity,
                stock.average_price,
                stock.quote.price if stock.quote else None,
                is_doubted=stock.is_action_suspected,
                cost=stock.cost,
            )
            for stock in stocks
        ]
    )
