"""Makes trades, and reads those that are stored."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.service import NewTrade, StoredTrade
from tarazu.orders.tables import OrderSide, TradeSource

BEGINNING = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
INFY = "INE009A01021"


def trade(number: str, at: dt.datetime, **more: Any) -> NewTrade:
    """A purchase of ten shares of INFY."""
    fields: dict[str, Any] = {
        "exchange": "NSE",
        "trade_id": number,
        "order_id": f"1{number}",
        "traded_at": at,
        "symbol": "INFY",
        "isin": INFY,
        "side": OrderSide.BUY,
        "quantity": 10,
        "price": Decimal("1500.5"),
    }
    return NewTrade(**(fields | more))


def record(
    database: Database,
    client_id: str,
    *trades: NewTrade,
    source: TradeSource = TradeSource.BROKER,
    now: dt.datetime | None = None,
) -> int:
    """Record trades of a client; how many were new or changed."""
    with database.transaction() as session:
        return orders.record_trades(
            session, uuid.UUID(client_id), trades, source, now or clock.now()
        )


def stored(database: Database, client_id: str) -> list[StoredTrade]:
    """All trades of a client."""
    with database.reading() as session:
        return list(orders.trading_of(session, uuid.UUID(client_id), BEGINNING).trades)


def read_at(database: Database, client_id: str) -> dt.datetime | None:
    """Until when a client's trades are known."""
    with database.reading() as session:
        return orders.trading_of(session, uuid.UUID(client_id), BEGINNING).read_at


def due(database: Database) -> dict[uuid.UUID, int]:
    """The clients to be matched again, with their numbers."""
    with database.reading() as session:
        return orders.take_due(session, 1_000)


def clear(database: Database, done: dict[uuid.UUID, int] | None = None) -> None:
    """Have these clients matched, or all."""
    with database.transaction() as session:
        orders.clear_due(session, due(database) if done is None else done)
