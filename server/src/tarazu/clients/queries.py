"""Every SQL statement of the remarks."""

import uuid
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from tarazu.clients.tables import Remark


def remarks_of(session: Session, client_id: uuid.UUID) -> Sequence[Remark]:
    """Newest first."""
    statement = (
        select(Remark)
        .where(Remark.client_id == client_id, Remark.deleted_at.is_(None))
        .order_by(Remark.created_at.desc(), Remark.id.desc())
    )
    return session.execute(statement).scalars().all()


def remark_to_edit(session: Session, remark_id: uuid.UUID) -> Remark | None:
    """The remark, held until the transaction ends, so that no edit overtakes another."""
    statement = (
        select(Remark).where(Remark.id == remark_id, Remark.deleted_at.is_(None)).with_for_update()
    )
    return session.execute(statement).scalar_one_or_none()
