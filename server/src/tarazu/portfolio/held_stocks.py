"""Clients' holdings with their instruments and prices."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain import holdings as figures
from tarazu.domain.money import Rupees
from tarazu.instruments import service as instruments
from tarazu.portfolio import queries, suspected, suspected_queries
from tarazu.prices import service as prices
from tarazu.prices.book import Quote


@dataclass(frozen=True, slots=True)
class HeldStock:
    """A holding with its instrument and the newest quote; None where none was ever seen.

    With a suspected action the shares are of before it and the price of after it, or the reverse:
    the profit is not known. `is_price_stale` is untrue where there is no price.
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

    @property
    def exchange(self) -> str:
        """The exchange that a sale must name: where the broker has the shares, if known."""
        return self.tagged_on or self.instrument.exchange

    @property
    def free(self) -> int:
        """Delivered and not pledged: what can be sold as it is."""
        return self.quantity - self.pledged - self.t1 - self.bought_today


@dataclass(frozen=True, slots=True)
class WholeAccount:
    """One client's money and shares.

    `held` are instrument, whole shares, pledged ones, and the exchange on which the broker has
    them, empty where it is not known.
    """

    client_id: uuid.UUID
    net: Rupees
    broker: str
    holdings_source: str
    synced_at: dt.datetime | None
    held: tuple[tuple[uuid.UUID, int, int, str], ...]


@dataclass(frozen=True, slots=True)
class TiedUpShares:
    """Of a holding: shares that are pledged, and those bought but not delivered yet."""

    pledged: int
    undelivered: int


def suspect_actions(
    session: Session, at: dt.datetime, instrument_ids: Collection[uuid.UUID]
) -> None:
    """Doubt the holdings of these, whose new price of `at` moved as in a split."""
    suspected.note_prices(session, at, instrument_ids)


def suspected_holdings(session: Session) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By client, the instruments whose holding is doubted at the newest prices."""
    marked = {row.instrument_id for row in suspected_queries.suspected_marks(session)}
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
    held = queries.held_by(session, client_id)
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
        stocks.append(
            HeldStock(
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
        )
    return sorted(stocks, key=lambda stock: stock.instrument.symbol)


def holders_at_work(session: Session, client_ids: Collection[uuid.UUID]) -> list[WholeAccount]:
    """What a rebalance of many needs of each of these clients; those without an account left out."""
    held: dict[uuid.UUID, list[tuple[uuid.UUID, int, int, str]]] = {}
    for row in queries.whole_holdings_of(session, client_ids):
        held.setdefault(row[0], []).append((row[1], row[2], row[4], row[7]))
    return [
        WholeAccount(
            account.client_id,
            account.net,
            account.broker,
            account.holdings_source,
            account.synced_at,
            tuple(held.get(account.client_id, ())),
        )
        for account in queries.accounts_of(session, client_ids)
    ]


def tied_up(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, TiedUpShares]]:
    """By client and instrument, the holdings of which some shares cannot be sold as they are."""
    by_client: dict[uuid.UUID, dict[uuid.UUID, TiedUpShares]] = {}
    for row in queries.whole_holdings_of(session, client_ids):
        undelivered = row[5] + row[6]
        if row[4] or undelivered:
            by_client.setdefault(row[0], {})[row[1]] = TiedUpShares(row[4], undelivered)
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
            )
            for stock in stocks
        ]
    )
