"""Every SQL statement of fees."""

import uuid
from collections.abc import Sequence
from decimal import Decimal

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from tarazu.fees.tables import Fee, FeeTotal


def fees_of(session: Session, client_id: uuid.UUID) -> Sequence[Fee]:
    """Newest period first."""
    statement = (
        select(Fee)
        .where(Fee.client_id == client_id, Fee.deleted_at.is_(None))
        .order_by(Fee.starting_on.desc(), Fee.id.desc())
    )
    return session.execute(statement).scalars().all()


def paid_total(session: Session) -> Decimal:
    return session.execute(select(FeeTotal.paid)).scalar_one()


def add_to_paid_total(session: Session, amount: Decimal) -> None:
    session.execute(update(FeeTotal).values(paid=FeeTotal.paid + amount))


def make_total(session: Session) -> None:
    session.execute(insert(FeeTotal).values(id=1, paid=Decimal(0)))
