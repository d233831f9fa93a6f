"""Every SQL statement of restrictions."""

import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from tarazu.restrictions.tables import RestrictionList, StockRestriction

_AT_ONCE = 5_000


def list_of(session: Session, client_id: uuid.UUID) -> RestrictionList | None:
    return session.get(RestrictionList, client_id)


def rows_of(session: Session, client_ids: Collection[uuid.UUID]) -> list[StockRestriction]:
    """The restrictions of these clients, in no order."""
    ids = list(client_ids)
    rows: list[StockRestriction] = []
    for start in range(0, len(ids), _AT_ONCE):
        chunk = ids[start : start + _AT_ONCE]
        statement = select(StockRestriction).where(StockRestriction.client_id.in_(chunk))
        rows += session.execute(statement).scalars().all()
    return rows


def replace_rows(
    session: Session, client_id: uuid.UUID, rows: Sequence[Mapping[str, object]]
) -> None:
    session.execute(delete(StockRestriction).where(StockRestriction.client_id == client_id))
    if rows:
        session.execute(insert(StockRestriction), list(rows))
