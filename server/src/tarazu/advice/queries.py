"""Every SQL statement of rebalances and advice."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.orm import Session, defer

from tarazu.advice.tables import Advice, AdviceStock, Rebalance


class Period(NamedTuple):
    """From `since` on and before `until`; None leaves an end open."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None


def rebalance_to_send(session: Session, rebalance_id: uuid.UUID) -> Rebalance | None:
    """The rebalance, held until the transaction ends, so that it is sent once."""
    statement = select(Rebalance).where(Rebalance.id == rebalance_id).with_for_update()
    return session.execute(statement).scalar_one_or_none()


def is_sent(session: Session, rebalance_id: uuid.UUID) -> bool:
    statement = select(Advice.id).where(Advice.rebalance_id == rebalance_id)
    return session.execute(statement).first() is not None


def delete_rebalances_before(session: Session, oldest: dt.datetime) -> int:
    """How many were dropped."""
    statement = delete(Rebalance).where(Rebalance.priced_at < oldest).returning(Rebalance.id)
    return len(session.execute(statement).all())


def advices_of(
    session: Session, client_id: uuid.UUID, period: Period, skipped: int, limit: int
) -> Sequence[Advice]:
    """Newest first; letters and packages are not read."""
    statement = (
        select(Advice)
        .where(*_sent_to(client_id, period))
        .options(defer(Advice.letter), defer(Advice.package))
        .order_by(Advice.created_at.desc(), Advice.id.desc())
        .offset(skipped)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def count_advices_of(session: Session, client_id: uuid.UUID, period: Period) -> int:
    statement = select(func.count()).select_from(Advice).where(*_sent_to(client_id, period))
    return session.execute(statement).scalar_one()


def stocks_of(session: Session, advice_ids: Sequence[uuid.UUID]) -> Sequence[AdviceStock]:
    """The rows of all these advices, each advice's in the order in which they were sent."""
    statement = (
        select(AdviceStock)
        .where(AdviceStock.advice_id.in_(advice_ids))
        .order_by(AdviceStock.advice_id, AdviceStock.place)
    )
    return session.execute(statement).scalars().all()


def advice_by_id(session: Session, advice_id: uuid.UUID) -> Advice | None:
    return session.get(Advice, advice_id)


def _sent_to(client_id: uuid.UUID, period: Period) -> list[ColumnElement[bool]]:
    conditions = [Advice.client_id == client_id]
    if period.since is not None:
        conditions.append(Advice.created_at >= period.since)
    if period.until is not None:
        conditions.append(Advice.created_at < period.until)
    return conditions
