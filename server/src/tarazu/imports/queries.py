"""Every SQL statement of imports."""

import uuid
from collections.abc import Mapping

from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from tarazu.imports.tables import Import, ImportState


def add_import(session: Session, row: Mapping[str, object]) -> None:
    session.execute(insert(Import).values(**row))


def import_by_id(session: Session, import_id: uuid.UUID) -> Import | None:
    return session.get(Import, import_id)


def was_applied(session: Session, file_hash: str, client_id: uuid.UUID | None) -> bool:
    """Whether the same file was applied before for this client, or for the firm if None."""
    statement = (
        select(Import.id)
        .where(
            Import.file_hash == file_hash,
            Import.state == ImportState.APPLIED,
            Import.client_id == client_id if client_id else Import.client_id.is_(None),
        )
        .limit(1)
    )
    return session.execute(statement).first() is not None


def end_import(session: Session, import_id: uuid.UUID, values: Mapping[str, object]) -> bool:
    """Write the result of a running import; False if it is not running."""
    statement = (
        update(Import)
        .where(Import.id == import_id, Import.state == ImportState.RUNNING)
        .values(**values)
        .returning(Import.id)
    )
    return session.execute(statement).first() is not None
