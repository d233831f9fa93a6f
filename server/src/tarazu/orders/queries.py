"""Every SQL statement of the order book."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Row, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.orders.tables import Order, OrderStatus

_AT_ONCE = 5_000


class Wanted(NamedTuple):
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


def orders_of(
    session: Session, client_id: uuid.UUID, wanted: Wanted, skipped: int, limit: int
) -> Sequence[Order]:
    """Newest first; of one instant, the last recorded first."""
    statement = (
        select(Order)
        .where(*_placed_by(client_id, wanted))
        .order_by(Order.ordered_at.desc(), Order.id.desc())
        .offset(skipped)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def count_orders_of(session: Session, client_id: uuid.UUID, wanted: Wanted) -> int:
    statement = select(func.count()).select_from(Order).where(*_placed_by(client_id, wanted))
    return session.execute(statement).scalar_one()


def _placed_by(client_id: uuid.UUID, wanted: Wanted) -> list[ColumnElement[bool]]:
    conditions = [Order.client_id == client_id]
    if wanted.since is not None:
        conditions.append(Order.ordered_at >= wanted.since)
    if wanted.until is not None:
        conditions.append(Order.ordered_at < wanted.until)
    if wanted.status is not None:
        conditions.append(Order.status == wanted.status)
    return conditions
