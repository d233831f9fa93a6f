"""Clients' trades: from brokers, orders, tradebooks, or the difference of two holdings readings.

A trade is known by client, exchange, number, day and symbol, and stored once. A trade of a broker
or a file takes the place of what was known from its order or from the holdings. Each change lets
the client's advice be matched again.
"""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.orders import trade_queries as queries
from tarazu.orders.matching_due import mark_matching_due
from tarazu.orders.tables import OrderSide, TradeSource

TimeSpan = tuple[dt.datetime, dt.datetime]
"""The times of two readings, the earlier one first."""

FOR_HOLDINGS: Final = "DELIVERY"
_REPLACES: Final = frozenset({TradeSource.BROKER, TradeSource.FILE})


@dataclass(frozen=True, slots=True)
class NewTrade:
    """Shares bought or sold, as a broker, a file or a difference of holdings reports them.

    Attributes:
        isin: "" where it is not known; the list of instruments is asked for it.
        price: rupees a share; None for an inferred sale.
        after: of an inferred trade, the earlier of the two readings; None for all others.
    """

    exchange: str
    trade_id: str
    order_id: str
    traded_at: dt.datetime
    symbol: str
    isin: str
    side: OrderSide
    quantity: int
    price: Rupees | None
    product: str = FOR_HOLDINGS
    tag: str = ""
    after: dt.datetime | None = None

    @property
    def day(self) -> dt.date:
        """The day in India on which it took place."""
        return day_in_india(self.traded_at)

    @property
    def number(self) -> tuple[str, str, dt.date]:
        """What the exchange knows it by."""
        return self.exchange, self.trade_id, self.day


def record_trades(
    session: Session,
    client_id: uuid.UUID,
    trades: Sequence[NewTrade],
    source: TradeSource,
    now: dt.datetime,
) -> int:
    """Store the trades of a client that are not known, and return how many were new or changed.

    Trades of a BROKER or a FILE remove what was known from their orders, and INFERRED trades of
    the same share in whose time they took place. A trade from an ORDER has only the shares that no
    trade of the order is known of, and is changed while the order fills. The same trades twice change
    nothing.
    """
    if not trades:
        return 0
    if source is not TradeSource.ORDER:
        unrecorded = unrecorded_trades(session, client_id, trades)
        return record_unrecorded(session, client_id, unrecorded, source, now)
    changed = _record_of_orders(session, client_id, _with_isins(session, trades), now)
    if changed:
        mark_matching_due(session, [client_id], now)
    return changed


def record_inferred(
    session: Session, trades: Mapping[uuid.UUID, Sequence[NewTrade]], now: dt.datetime
) -> int:
    """Store what the holdings of clients show, and return how many trades were new."""
    rows = [
        _row(client_id, trade, TradeSource.INFERRED, now)
        for client_id, inferred in trades.items()
        for trade in inferred
    ]
    added = queries.add_trades(session, rows)
    if added:
        mark_matching_due(session, [key for key, inferred in trades.items() if inferred], now)
    return added


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """What a client's trades bring that is not stored yet.

    Attributes:
        new: the trades that are not stored, each once.
        isins: by id, of stored trades that had none.
    """

    new: Sequence[NewTrade] = ()
    isins: Mapping[uuid.UUID, str] = field(default_factory=dict)


def unrecorded_trades(
    session: Session, client_id: uuid.UUID, trades: Sequence[NewTrade]
) -> Unrecorded:
    """Compare trades with those that are stored for the client."""
    return _compare(session, client_id, _with_isins(session, trades)) if trades else Unrecorded()


def record_unrecorded(
    session: Session,
    client_id: uuid.UUID,
    unrecorded: Unrecorded,
    source: TradeSource,
    now: dt.datetime,
) -> int:
    """Store what `unrecorded_trades` found in the same transaction, as `record_trades` does."""
    queries.set_isins(session, unrecorded.isins)
    if source in _REPLACES:
        _remove_replaced(session, client_id, unrecorded.new)
    added = queries.add_trades(
        session, [_row(client_id, trade, source, now) for trade in unrecorded.new]
    )
    changed = added + len(unrecorded.isins)
    if changed:
        mark_matching_due(session, [client_id], now)
    return changed


def _compare(session: Session, client_id: uuid.UUID, trades: Sequence[NewTrade]) -> Unrecorded:
    days = [trade.day for trade in trades]
    known: dict[tuple[str, str, dt.date], list[tuple[uuid.UUID | None, str, str]]] = defaultdict(
        list
    )
    for row in queries.trades_between(session, client_id, min(days), max(days)):
        known[row.exchange, row.trade_id, row.day].append((row.id, row.symbol, row.isin))
    new: list[NewTrade] = []
    completed: dict[uuid.UUID, str] = {}
    for trade in trades:
        same = _same(known.get(trade.number, ()), trade)
        if same is None:
            new.append(trade)
            known[trade.number].append((None, trade.symbol, trade.isin))
        elif same[0] is not None and not same[2] and trade.isin:
            completed[same[0]] = trade.isin
    return Unrecorded(new, completed)


def _same(
    stored: Sequence[tuple[uuid.UUID | None, str, str]], trade: NewTrade
) -> tuple[uuid.UUID | None, str, str] | None:
    """The stored trade of the same number that is of the same share, whatever it is called now."""
    for row in stored:
        if row[1] == trade.symbol or (trade.isin and row[2] == trade.isin):
            return row
    return None


def _remove_replaced(session: Session, client_id: uuid.UUID, new: Sequence[NewTrade]) -> None:
    """Remove what was known from the orders of these trades, and from the holdings of their time."""
    order_ids = {trade.order_id for trade in new if trade.order_id}
    replaced = {row.id for row in queries.trades_from_orders(session, client_id, order_ids)}
    # By symbol too: a file that was made after a split has the new ISIN also for trades before it.
    times: dict[str, list[dt.datetime]] = defaultdict(list)
    for trade in new:
        for name in filter(None, (trade.isin, trade.symbol)):
            times[name].append(trade.traded_at)
    for row in queries.inferred_trades(session, client_id, times):
        at = [*times.get(row.isin, ()), *times.get(row.symbol, ())]
        if any(row.after is None or row.after < each <= row.traded_at for each in at):
            replaced.add(row.id)
    queries.delete_trades(session, replaced)


def _record_of_orders(
    session: Session, client_id: uuid.UUID, trades: Sequence[NewTrade], now: dt.datetime
) -> int:
    """Trades known from orders alone: one each, with all shares that no trade of it is known of."""
    order_ids = {trade.order_id for trade in trades}
    known: dict[str, list[tuple[int, Rupees]]] = defaultdict(list)
    for row in queries.trades_of_orders(session, client_id, order_ids):
        known[row.order_id].append((row.quantity, row.price))
    stored = {
        row.order_id: row for row in queries.trades_from_orders(session, client_id, order_ids)
    }
    rows: list[dict[str, object]] = []
    changed = 0
    for whole in trades:
        trade, before = _rest_of(whole, known[whole.order_id]), stored.get(whole.order_id)
        if trade is None:
            continue
        if before is None:
            rows.append(_row(client_id, trade, TradeSource.ORDER, now))
        elif (before.quantity, before.price) != (trade.quantity, trade.price):
            queries.change_trade(session, before.id, trade.quantity, trade.price, now)
            changed += 1
    return changed + queries.add_trades(session, rows)


def _rest_of(whole: NewTrade, known: Sequence[tuple[int, Rupees]]) -> NewTrade | None:
    """What is filled of an order beyond its known trades; None for nothing."""
    shares = whole.quantity - sum(quantity for quantity, _price in known)
    if not known or shares <= 0:
        return whole if shares > 0 else None
    price = None
    if whole.price is not None:
        spent = sum((quantity * price for quantity, price in known), ZERO)
        price = rounded((whole.quantity * whole.price - spent) / shares, PRICE_PLACES)
    return replace(whole, quantity=shares, price=price if price and price > 0 else None)


def _with_isins(session: Session, trades: Sequence[NewTrade]) -> Sequence[NewTrade]:
    """The trades with the ISINs that the list of instruments has."""
    names = {(trade.exchange, trade.symbol) for trade in trades if not trade.isin}
    if not names:
        return trades
    isins = instruments.isins_of(session, names)
    return [
        trade if trade.isin else replace(trade, isin=isins.get((trade.exchange, trade.symbol), ""))
        for trade in trades
    ]


def _row(
    client_id: uuid.UUID, trade: NewTrade, source: TradeSource, now: dt.datetime
) -> dict[str, object]:
    return {
        "id": new_id(),
        "client_id": client_id,
        "source": source,
        "exchange": trade.exchange,
        "trade_id": trade.trade_id,
        "order_id": trade.order_id,
        "day": trade.day,
        "traded_at": trade.traded_at,
        "after": trade.after,
        "symbol": trade.symbol,
        "isin": trade.isin,
        "side": trade.side,
        "quantity": trade.quantity,
        "price": trade.price,
        "product": trade.product,
        "tag": trade.tag,
        "recorded_at": now,
    }


def inferred_trade(
    isin: str, listing: tuple[str, str], shares: int, price: Rupees | None, between: TimeSpan
) -> NewTrade:
    """A trade that two readings of the holdings show: a purchase, or a sale if `shares` is below 0.

    Args:
        listing: exchange and symbol.
        price: of a purchase; that of a sale is not known.
    """
    return NewTrade(
        exchange=listing[0],
        trade_id=f"inferred-{isin}",
        order_id="",
        traded_at=between[1],
        symbol=listing[1],
        isin=isin,
        side=OrderSide.BUY if shares > 0 else OrderSide.SELL,
        quantity=abs(shares),
        price=price if shares > 0 else None,
        after=between[0],
    )


def record_trades_read(
    session: Session, read_at: Mapping[uuid.UUID, dt.datetime], now: dt.datetime
) -> None:
    """Note until when the trades of these clients are known, and let their advice be matched again.

    An earlier instant than the noted one changes nothing of it.
    """
    queries.raise_trades_read(session, read_at)
    mark_matching_due(session, read_at, now)
