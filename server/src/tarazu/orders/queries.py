"""Every SQL statement of the order book."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import ColumnElement, Row, Select, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.kit import clock
from tarazu.kit.db import read
from tarazu.kit.fields import DayRange
from tarazu.kit.schemas import MAX_LIMIT, Whole
from tarazu.orders.tables import Order, OrderSide, OrderStatus

_AT_ONCE = 5_000


class ShownOrder(NamedTuple):
    """The columns of an order that the order book shows."""

    id: uuid.UUID
    broker_order_id: str
    ordered_at: dt.datetime
    symbol: str
    exchange: str
    side: OrderSide
    quantity: int
    filled_quantity: int
    average_price: Decimal
    product: str
    status: OrderStatus
    raw_status: str
    lapsed_at: dt.datetime | None


_SHOWN: Any = [getattr(Order, name) for name in ShownOrder._fields]


class OrderFilter(DayRange):
    """One page of orders of these days in India, both included, and this status; None for any."""

    status: OrderStatus | None = None
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=MAX_LIMIT, ge=1, le=MAX_LIMIT)

    @property
    def skipped(self) -> int:
        """Orders before this page."""
        return (self.page - 1) * self.limit

    @property
    def bounds(self) -> dict[str, Any]:
        """The values of the conditions that are set; `until` is excluded."""
        bounds = {
            "since": clock.start_of(self.since) if self.since else None,
            "until": clock.start_of(self.until + dt.timedelta(days=1)) if self.until else None,
            "status": self.status,
        }
        return {name: value for name, value in bounds.items() if value is not None}


def add_orders(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        session.execute(insert(Order), list(rows))


def broker_order_ids_of(session: Session, client_id: uuid.UUID) -> set[str]:
    statement = select(Order.broker_order_id).where(Order.client_id == client_id)
    return set(session.execute(statement).scalars())


def orders_by_number(
    session: Session, client_id: uuid.UUID, numbers: Sequence[str]
) -> Sequence[Order]:
    """A client's orders with these numbers of the broker."""
    statement = select(Order).where(
        Order.client_id == client_id, Order.broker_order_id.in_(numbers)
    )
    return session.execute(statement).scalars().all()


def filed_orders_after(
    session: Session, client_id: uuid.UUID, since: dt.datetime
) -> Sequence[Order]:
    """A client's orders placed after `since` that came from a file, not from a broker."""
    statement = select(Order).where(
        Order.client_id == client_id, Order.ordered_at > since, Order.synced_at.is_(None)
    )
    return session.execute(statement).scalars().all()


def open_orders(
    session: Session, before: dt.datetime, client_id: uuid.UUID | None
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Id and time of the OPEN orders of a client, or of all clients."""
    statement = select(Order.id, Order.ordered_at).where(
        Order.status == OrderStatus.OPEN, Order.ordered_at < before
    )
    if client_id is not None:
        statement = statement.where(Order.client_id == client_id)
    return session.execute(statement).all()


def close_orders(session: Session, ids: Sequence[uuid.UUID], now: dt.datetime) -> None:
    for start in range(0, len(ids), _AT_ONCE):
        session.execute(
            update(Order)
            .where(Order.id.in_(ids[start : start + _AT_ONCE]))
            .values(status=OrderStatus.CANCELLED, lapsed_at=now)
        )


def newest_trades(
    session: Session, client_ids: Sequence[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, dt.datetime]:
    """By client, the time of the newest order since then with filled shares."""
    newest: dict[uuid.UUID, dt.datetime] = {}
    for start in range(0, len(client_ids), _AT_ONCE):
        statement = (
            select(Order.client_id, func.max(Order.ordered_at))
            .where(
                Order.client_id.in_(client_ids[start : start + _AT_ONCE]),
                Order.ordered_at >= since,
                Order.filled_quantity > 0,
            )
            .group_by(Order.client_id)
        )
        newest |= {row[0]: row[1] for row in session.execute(statement)}
    return newest


def orders_of(session: Session, client_id: uuid.UUID, filters: OrderFilter) -> list[ShownOrder]:
    """One page, newest first; at the same time, the last recorded first."""
    bounds = filters.bounds
    values = {"client_id": client_id, "skipped": filters.skipped, "limit": filters.limit} | bounds
    rows = read(session, _orders_of(frozenset(bounds)), values).all()
    return [ShownOrder._make(row) for row in rows]


@cache
def _orders_of(names: frozenset[str]) -> Select[Any]:
    return (
        select(*_SHOWN)
        .where(*_conditions(names))
        .order_by(Order.ordered_at.desc(), Order.id.desc())
        .offset(bindparam("skipped"))
        .limit(bindparam("limit"))
    )


def count_orders_of(session: Session, client_id: uuid.UUID, filters: OrderFilter) -> int:
    bounds = filters.bounds
    counted = read(session, _count_orders_of(frozenset(bounds)), {"client_id": client_id} | bounds)
    return counted.scalar_one()  # type: ignore[no-any-return]


@cache
def _count_orders_of(names: frozenset[str]) -> Select[int]:
    return select(func.count()).select_from(Order).where(*_conditions(names))


def _conditions(names: frozenset[str]) -> list[ColumnElement[bool]]:
    client_id: ColumnElement[bool] = Order.client_id == bindparam("client_id")
    conditions = {
        "since": Order.ordered_at >= bindparam("since"),
        "until": Order.ordered_at < bindparam("until"),
        "status": Order.status == bindparam("status"),
    }
    return [client_id, *(conditions[name] for name in sorted(names))]
