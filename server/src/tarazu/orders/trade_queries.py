"""Every SQL statement of trades, of how far they are known, and of clients to be matched again."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple, TypeVar

from sqlalchemy import DateTime, Row, case, delete, or_, select, tuple_, type_coerce, update
from sqlalchemy.orm import Session

from tarazu.kit.db import RepeatedId, insert_into, is_one_of, read, rows_as_json
from tarazu.orders.tables import (
    IsinsDue,
    MatchingDue,
    Order,
    OrderSide,
    OrderStatus,
    Trade,
    TradeSource,
    TradesRead,
)

T = TypeVar("T")

_AT_ONCE = 5_000
_KEYS_AT_ONCE = 500
_KEY = (Trade.client_id, Trade.exchange, Trade.trade_id, Trade.day, Trade.symbol)


class StoredTrade(NamedTuple):
    """A trade as it is stored; see `Trade`."""

    id: uuid.UUID
    client_id: uuid.UUID
    source: TradeSource
    exchange: str
    trade_id: str
    order_id: str
    day: dt.date
    traded_at: dt.datetime
    after: dt.datetime | None
    symbol: str
    isin: str
    side: OrderSide
    quantity: int
    price: Decimal | None
    product: str
    tag: str
    recorded_at: dt.datetime


_STORED = [
    type_coerce(Trade.client_id, RepeatedId()) if name == "client_id" else getattr(Trade, name)
    for name in StoredTrade._fields
]


def _batches(values: Collection[T]) -> Iterator[Sequence[T]]:
    ordered = list(values)
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]


# -------------------------------------------------------------------------------------- trades


def add_trades(session: Session, rows: Sequence[Mapping[str, object]]) -> int:
    """Add trades, leaving out those whose key is there; how many were added."""
    statement = insert_into(session, Trade).on_conflict_do_nothing(index_elements=_KEY)
    counted = statement.execution_options(preserve_rowcount=True)
    connection = session.connection()
    return sum(connection.execute(counted, list(batch)).rowcount for batch in _batches(rows))


def trades_between(
    session: Session, client_id: uuid.UUID, first: dt.date, last: dt.date
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Id, key and ISIN of a client's trades of these days, both included."""
    statement = select(
        Trade.id, Trade.exchange, Trade.trade_id, Trade.day, Trade.symbol, Trade.isin
    ).where(Trade.client_id == client_id, Trade.day >= first, Trade.day <= last)
    return session.execute(statement).all()


def set_isins(session: Session, isins: Mapping[uuid.UUID, str]) -> None:
    """Complete trades, by id, whose ISIN was not known."""
    if isins:
        rows = [{"id": key, "isin": isin} for key, isin in isins.items()]
        session.execute(update(Trade), rows)


def trades_of_orders(
    session: Session, client_id: uuid.UUID, order_ids: Collection[str]
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Order, shares and price of the trades of these orders that a broker or a file gave."""
    statement = select(Trade.order_id, Trade.quantity, Trade.price).where(
        Trade.client_id == client_id,
        Trade.source.in_((TradeSource.BROKER, TradeSource.FILE)),
        is_one_of(session, Trade.order_id, order_ids),
    )
    return session.execute(statement).all()


def trades_from_orders(
    session: Session, client_id: uuid.UUID, order_ids: Collection[str]
) -> list[StoredTrade]:
    """A client's trades that are known from these orders alone."""
    statement = select(*_STORED).where(
        Trade.client_id == client_id,
        Trade.source == TradeSource.ORDER,
        is_one_of(session, Trade.order_id, order_ids),
    )
    return [StoredTrade._make(row) for row in session.execute(statement)]


def change_trade(
    session: Session, trade_id: uuid.UUID, quantity: int, price: Decimal | None, now: dt.datetime
) -> None:
    """Write what an order that fills bit by bit has come to."""
    session.execute(
        update(Trade)
        .where(Trade.id == trade_id)
        .values(quantity=quantity, price=price, recorded_at=now)
    )


def inferred_trades(
    session: Session, client_id: uuid.UUID, names: Collection[str]
) -> list[StoredTrade]:
    """A client's inferred trades of the shares with these ISINs or symbols."""
    rows: list[StoredTrade] = []
    for batch in _batches(names):
        statement = select(*_STORED).where(
            Trade.client_id == client_id,
            Trade.source == TradeSource.INFERRED,
            or_(Trade.isin.in_(batch), Trade.symbol.in_(batch)),
        )
        rows += [StoredTrade._make(row) for row in session.execute(statement)]
    return rows


def delete_trades(session: Session, ids: Collection[uuid.UUID]) -> None:
    for batch in _batches(ids):
        session.execute(delete(Trade).where(Trade.id.in_(batch)))


def trades_since(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> list[StoredTrade]:
    """The trades of these clients at or after an instant, by time and then by trade number."""
    rows: list[StoredTrade] = []
    for batch in _batches(client_ids):
        statement = (
            select(*_STORED)
            .where(Trade.client_id.in_(batch), Trade.traded_at >= since)
            .order_by(Trade.client_id, Trade.traded_at, Trade.trade_id)
        )
        rows += map(StoredTrade._make, read(session, statement).all())
    return rows


def trades_as_json(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, str]:
    """By client, the trades at or after an instant; clients without any are left out.

    JSON in the order of the trades' ids, so that the same trades are the same text; for each trade
    as stored: id, number, ISIN, side, quantity, price, time, the reading before, product, tag and
    exchange.
    """
    columns = (
        Trade.id,
        Trade.trade_id,
        Trade.isin,
        Trade.side,
        Trade.quantity,
        Trade.price,
        Trade.traded_at,
        Trade.after,
        Trade.product,
        Trade.tag,
        Trade.exchange,
    )
    trades: dict[uuid.UUID, str] = {}
    for batch in _batches(client_ids):
        statement = (
            select(Trade.client_id, rows_as_json(session, columns, order_by=Trade.id))
            .where(Trade.client_id.in_(batch), Trade.traded_at >= since)
            .group_by(Trade.client_id)
        )
        trades |= {row[0]: row[1] for row in read(session, statement).all()}
    return trades


class LotTrade(NamedTuple):
    """What tax lots need of a trade; see `Trade`.

    `stored_at` is its time as the database keeps it, with or without an offset: to order trades by.
    """

    isin: str
    day: dt.date
    is_purchase: bool
    quantity: int
    price: Decimal | None
    is_inferred: bool
    stored_at: dt.datetime
    exchange: str
    trade_id: str


def clients_with_any_trade(session: Session) -> set[uuid.UUID]:
    """The clients of whom any trade is recorded."""
    return set(session.execute(select(Trade.client_id).distinct()).scalars())


def lot_trades_of(session: Session, client_id: uuid.UUID) -> list[LotTrade]:
    """All trades of a client, in no order."""
    # Of 5,000 trades, half of the time would go into words and offsets.
    columns = (
        Trade.isin,
        Trade.day,
        Trade.side == OrderSide.BUY,
        Trade.quantity,
        Trade.price,
        Trade.source == TradeSource.INFERRED,
        type_coerce(Trade.traded_at, DateTime(timezone=True)),
        Trade.exchange,
        Trade.trade_id,
    )
    statement = select(*columns).where(Trade.client_id == client_id)
    return list(map(LotTrade._make, session.execute(statement)))


def trades_of_others(
    session: Session, client_id: uuid.UUID, trade_ids: Collection[str], first: dt.date
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, exchange, number, day and side of other clients' trades with these numbers."""
    statement = select(
        Trade.client_id, Trade.exchange, Trade.trade_id, Trade.day, Trade.side
    ).where(
        Trade.exchange.in_(("NSE", "BSE")),
        is_one_of(session, Trade.trade_id, trade_ids),
        Trade.day >= first,
        Trade.client_id != client_id,
        Trade.source.in_((TradeSource.BROKER, TradeSource.FILE)),
    )
    return session.execute(statement).all()


# -------------------------------------------------------------------------------------- orders


def reported_orders(
    session: Session, client_ids: Collection[uuid.UUID], order_ids: Collection[str]
) -> set[tuple[uuid.UUID, str]]:
    """Client and number of those of these orders that a broker reported."""
    statement = select(Order.client_id, Order.broker_order_id).where(
        Order.client_id.in_(client_ids),
        is_one_of(session, Order.broker_order_id, order_ids),
        Order.synced_at.is_not(None),
    )
    return {(row.client_id, row.broker_order_id) for row in session.execute(statement)}


def pending_orders_since(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> Sequence[Row]:  # type: ignore[type-arg]
    """The open and the rejected orders of these clients at or after an instant, by time."""
    rows: list[Row] = []  # type: ignore[type-arg]
    for batch in _batches(client_ids):
        statement = (
            select(
                Order.client_id,
                Order.broker_order_id,
                Order.ordered_at,
                Order.exchange,
                Order.symbol,
                Order.side,
                Order.quantity,
                Order.filled_quantity,
                Order.status,
                Order.reason,
                Order.tag,
            )
            .where(
                Order.client_id.in_(batch),
                Order.ordered_at >= since,
                Order.status.in_((OrderStatus.OPEN, OrderStatus.REJECTED)),
            )
            .order_by(Order.client_id, Order.ordered_at, Order.broker_order_id)
        )
        rows += session.execute(statement).all()
    return rows


# ----------------------------------------------------------------------------- how far it is known


def trades_read(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dt.datetime]:
    """Until when the trades of these clients are known; those never read are left out."""
    known: dict[uuid.UUID, dt.datetime] = {}
    for batch in _batches(client_ids):
        statement = select(TradesRead.client_id, TradesRead.read_at).where(
            TradesRead.client_id.in_(batch)
        )
        known |= {row.client_id: row.read_at for row in session.execute(statement)}
    return known


def raise_trades_read(session: Session, read_at: Mapping[uuid.UUID, dt.datetime]) -> None:
    """Note until when the trades of these clients are known; a later instant stays."""
    if not read_at:
        return
    statement = insert_into(session, TradesRead)
    newer = statement.excluded.read_at
    statement = statement.on_conflict_do_update(
        index_elements=[TradesRead.client_id],
        set_={"read_at": case((TradesRead.read_at < newer, newer), else_=TradesRead.read_at)},
    )
    rows = [{"client_id": key, "read_at": read_at[key]} for key in sorted(read_at)]
    session.execute(statement, rows)


# ------------------------------------------------------------------------------ to be matched again


def mark_due(
    session: Session, client_ids: Collection[uuid.UUID], first_number: int, now: dt.datetime
) -> None:
    """Add one to each client's number, or begin with `first_number`; in one order for all callers."""
    if not client_ids:
        return
    statement = insert_into(session, MatchingDue).on_conflict_do_update(
        index_elements=[MatchingDue.client_id], set_={"number": MatchingDue.number + 1}
    )
    rows = [
        {"client_id": key, "number": first_number, "since": now} for key in sorted(set(client_ids))
    ]
    session.execute(statement, rows)


def due_clients(session: Session, limit: int) -> dict[uuid.UUID, int]:
    """Clients to be matched again and their numbers, those who wait longest first."""
    statement = (
        select(MatchingDue.client_id, MatchingDue.number)
        .order_by(MatchingDue.since, MatchingDue.client_id)
        .limit(limit)
    )
    return {row.client_id: row.number for row in session.execute(statement)}


def due_among(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Those of these clients who are to be matched again, and their numbers."""
    statement = select(MatchingDue.client_id, MatchingDue.number).where(
        MatchingDue.client_id.in_(client_ids)
    )
    return {row.client_id: row.number for row in session.execute(statement)}


def clear_due(session: Session, done: Mapping[uuid.UUID, int]) -> None:
    """Remove those of these clients who still have the number that is given."""
    keys = sorted(done.items())
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        named = tuple_(MatchingDue.client_id, MatchingDue.number)
        session.execute(delete(MatchingDue).where(named.in_(keys[start : start + _KEYS_AT_ONCE])))


class DueIsins(NamedTuple):
    """Shares of which advice is to be matched again whose window has one of these days."""

    id: uuid.UUID
    isins: Sequence[str]
    first_on: dt.date
    last_on: dt.date


def isins_due(session: Session) -> list[DueIsins]:
    """All shares of which advice is to be matched again."""
    statement = select(IsinsDue.id, IsinsDue.isins, IsinsDue.first_on, IsinsDue.last_on)
    rows = session.execute(statement.order_by(IsinsDue.id))
    return [DueIsins(row[0], json.loads(row[1]), row[2], row[3]) for row in rows]


def has_isins_due(session: Session) -> bool:
    return session.execute(select(IsinsDue.id).limit(1)).first() is not None


def delete_isins_due(session: Session, ids: Collection[uuid.UUID]) -> None:
    session.execute(delete(IsinsDue).where(IsinsDue.id.in_(ids)))
