"""What is known of clients' trading: trades, open and rejected orders, and until when."""

import datetime as dt
import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.instruments import service as instruments
from tarazu.orders import trade_queries as queries
from tarazu.orders.tables import OrderSide, OrderStatus, TradeSource
from tarazu.orders.trade_queries import LotTrade, StoredTrade
from tarazu.orders.trades import FOR_HOLDINGS, NewTrade


@dataclass(frozen=True, slots=True)
class KnownOrder:
    """An order that is open, or was rejected with the broker's words; `isin` may be ""."""

    broker_order_id: str
    ordered_at: dt.datetime
    exchange: str
    symbol: str
    isin: str
    side: OrderSide
    quantity: int
    filled_quantity: int
    is_rejected: bool
    reason: str
    tag: str


@dataclass(frozen=True, slots=True)
class ClientTrading:
    """What is known of a client's trading since an instant.

    Attributes:
        trades: by time, then by number.
        read_at: until when the trades are known; None if they were never read.
    """

    trades: Sequence[StoredTrade] = ()
    orders: Sequence[KnownOrder] = ()
    read_at: dt.datetime | None = None


def trading_of(session: Session, client_id: uuid.UUID, since: dt.datetime) -> ClientTrading:
    """A client's trades, and open and rejected orders, at or after an instant."""
    return trading_of_clients(session, [client_id], since)[client_id]


def trading_of_clients(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, ClientTrading]:
    """The same of many clients, each with a value."""
    trades: dict[uuid.UUID, list[StoredTrade]] = defaultdict(list)
    for trade in queries.trades_since(session, client_ids, since):
        trades[trade.client_id].append(trade)
    orders = pending_orders_of(session, client_ids, since)
    read_at = queries.trades_read(session, client_ids)
    return {
        key: ClientTrading(trades.get(key, ()), orders.get(key, ()), read_at.get(key))
        for key in client_ids
    }


def pending_orders_of(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, list[KnownOrder]]:
    """By client, the open and the rejected orders at or after an instant, by time."""
    rows = queries.pending_orders_since(session, client_ids, since)
    isins = instruments.isins_of(session, {(row.exchange, row.symbol) for row in rows})
    orders: dict[uuid.UUID, list[KnownOrder]] = defaultdict(list)
    for row in rows:
        order = KnownOrder(
            row.broker_order_id,
            row.ordered_at,
            row.exchange,
            row.symbol,
            isins.get((row.exchange, row.symbol), ""),
            row.side,
            row.quantity,
            row.filled_quantity,
            row.status is OrderStatus.REJECTED,
            row.reason,
            row.tag,
        )
        orders[row.client_id].append(order)
    return orders


def lot_trades_of(session: Session, client_id: uuid.UUID) -> list[LotTrade]:
    """What tax lots need of all trades of a client, in no order."""
    return queries.lot_trades_of(session, client_id)


def clients_with_any_trade(session: Session) -> set[uuid.UUID]:
    """The clients of whom any trade is recorded."""
    return queries.clients_with_any_trade(session)


def clients_with_trades(
    session: Session, client_id: uuid.UUID, trades: Sequence[NewTrade]
) -> dict[tuple[str, str, dt.date, OrderSide], uuid.UUID]:
    """The other client of whom a trade is recorded, by exchange, number, day and side.

    The buyer and the seller of one trade have the same number, so the side is part of the key.
    """
    if not trades:
        return {}
    first = min(trade.day for trade in trades)
    numbers = {trade.trade_id for trade in trades}
    return {
        (row.exchange, row.trade_id, row.day, row.side): row.client_id
        for row in queries.trades_of_others(session, client_id, numbers, first)
    }


def delivered_since(
    session: Session,
    since: Mapping[uuid.UUID, dt.datetime],
    until: dt.datetime,
    *,
    beyond_orders: bool = False,
) -> dict[uuid.UUID, Counter[str]]:
    """By client and ISIN, shares bought less sold for delivery since a reading of the holdings.

    Trades that were recorded with that reading are in it, whatever their time.

    Args:
        since: by client, when the holdings were read.
        until: later trades are left out.
        beyond_orders: only what the order book does not tell: inferred trades, and trades of a
            file that fill the rest of an order which a broker reported.
    """
    sums: dict[uuid.UUID, Counter[str]] = {key: Counter() for key in since}
    if not since:
        return sums
    trades = [
        trade
        for trade in queries.trades_since(session, since, min(since.values()))
        if since[trade.client_id] < trade.traded_at <= until
        and trade.recorded_at > since[trade.client_id]
        and trade.isin
        and trade.product == FOR_HOLDINGS
    ]
    if beyond_orders:
        trades = _beyond_orders(session, trades)
    for trade in trades:
        shares = trade.quantity if trade.side is OrderSide.BUY else -trade.quantity
        sums[trade.client_id][trade.isin] += shares
    return sums


def delivered_stocks(
    session: Session, since: Mapping[uuid.UUID, dt.datetime], until: dt.datetime
) -> dict[uuid.UUID, dict[uuid.UUID, int]]:
    """As `delivered_since`, by client and instrument; shares that are not listed are left out."""
    sums = delivered_since(session, since, until)
    listed = instruments.by_isins(session, {isin for shares in sums.values() for isin in shares})
    delivered: dict[uuid.UUID, dict[uuid.UUID, int]] = {}
    for client_id, by_isin in sums.items():
        of_client: Counter[uuid.UUID] = Counter()
        for isin, shares in by_isin.items():
            if isin in listed:
                of_client[listed[isin].id] += shares
        delivered[client_id] = dict(of_client)
    return delivered


def _beyond_orders(session: Session, trades: Sequence[StoredTrade]) -> list[StoredTrade]:
    filed = [trade for trade in trades if trade.source is TradeSource.FILE]
    reported = queries.reported_orders(
        session, {trade.client_id for trade in filed}, {trade.order_id for trade in filed}
    )
    return [
        trade
        for trade in trades
        if trade.source is TradeSource.INFERRED
        or (trade.source is TradeSource.FILE and (trade.client_id, trade.order_id) in reported)
    ]
