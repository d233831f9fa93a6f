"""Every SQL statement of the order book."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Select, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.kit.db import read
from tarazu.orders.tables import Order, OrderSide, OrderStatus

_AT_ONCE = 5_000


class ShownOrder(NamedTuple):
    """What the order book tells of an order."""

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


class OrderFilter(NamedTuple):
    """Orders placed from `since` on and before `until`, of one status; None leaves each open."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None
    status: OrderStatus | None = None


def add_orders(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        session.execute(insert(Order), list(rows))


def broker_order_ids_of(session: Session, client_id: uuid.UUID) -> set[str]:
    statement = select(Order.broker_order_id).where(Order.client_id == client_id)
    return set(session.execute(statement).scalars())


def orders_by_number(
    session: Session, client_id: uuid.UUID, numbers: Sequence[str]
) -> Sequence[Order]:
    """Those of a client that bear one of these numbers of the broker."""
    statement = select(Order).where(
        Order.client_id == client_id, Order.broker_order_id.in_(numbers)
    )
    return session.execute(statement).scalars().all()


def filed_orders_after(
    session: Session, client_id: uuid.UUID, since: dt.datetime
) -> Sequence[Order]:
    """A client's orders placed after `since` that no broker told."""
    statement = select(Order).where(
        Order.client_id == client_id, Order.ordered_at > since, Order.synced_at.is_(None)
    )
    return session.execute(statement).scalars().all()


def open_orders(
    session: Session, before: dt.datetime, client_id: uuid.UUID | None
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Id and time of the orders that say OPEN, of a client or of all."""
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
    """By client, when the newest order since then was placed that traded a share."""
    found: dict[uuid.UUID, dt.datetime] = {}
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
        found |= {row[0]: row[1] for row in session.execute(statement)}
    return found


def orders_of(
    session: Session, client_id: uuid.UUID, wanted: OrderFilter, skipped: int, limit: int
) -> list[ShownOrder]:
    """Newest first; of one instant, the last recorded first."""
    values = _values(client_id, wanted) | {"skipped": skipped, "limit": limit}
    return [
        ShownOrder._make(row) for row in read(session, _orders_of(_shape(wanted)), values).all()
    ]


@cache
def _orders_of(shape: frozenset[str]) -> Select[Any]:
    return (
        select(*_SHOWN)
        .where(*_placed_by(shape))
        .order_by(Order.ordered_at.desc(), Order.id.desc())
        .offset(bindparam("skipped"))
        .limit(bindparam("limit"))
    )


def count_orders_of(session: Session, client_id: uuid.UUID, wanted: OrderFilter) -> int:
    counted = read(session, _count_orders_of(_shape(wanted)), _values(client_id, wanted))
    return counted.scalar_one()  # type: ignore[no-any-return]


@cache
def _count_orders_of(shape: frozenset[str]) -> Select[int]:
    return select(func.count()).select_from(Order).where(*_placed_by(shape))


def _placed_by(shape: frozenset[str]) -> list[ColumnElement[bool]]:
    client_id: ColumnElement[bool] = Order.client_id == bindparam("client_id")
    limits = {
        "since": Order.ordered_at >= bindparam("since"),
        "until": Order.ordered_at < bindparam("until"),
        "status": Order.status == bindparam("status"),
    }
    return [client_id, *(limits[name] for name in sorted(shape))]


def _shape(wanted: OrderFilter) -> frozenset[str]:
    return frozenset(name for name, value in wanted._asdict().items() if value is not None)


def _values(client_id: uuid.UUID, wanted: OrderFilter) -> dict[str, Any]:
    given = {name: value for name, value in wanted._asdict().items() if value is not None}
    return {"client_id": client_id, **given}
