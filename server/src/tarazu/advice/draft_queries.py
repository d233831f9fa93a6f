"""Every SQL statement of drafts of advice."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import AdviceDraft
from tarazu.kit.db import insert_into
from tarazu.people.tables import Person


class UnsentDraft(NamedTuple):
    """A draft of a live client, when it was last changed, and whether the product wrote it."""

    client_id: uuid.UUID
    client_code: str
    client_name: str
    changed_at: dt.datetime
    is_follow_up: bool


def draft_of(
    session: Session, client_id: uuid.UUID, account_id: uuid.UUID | None
) -> AdviceDraft | None:
    statement = select(AdviceDraft).where(
        AdviceDraft.client_id == client_id, AdviceDraft.account_id == account_id
    )
    return session.execute(statement).scalar_one_or_none()


def put_draft(
    session: Session,
    client_id: uuid.UUID,
    account_id: uuid.UUID | None,
    version: int | None,
    values: Mapping[str, object],
) -> bool:
    """Replace the draft of this version, or add a first one; False where another one is stored."""
    if version is None:
        made = insert_into(session, AdviceDraft).values(
            client_id=client_id, account_id=account_id, **values
        )
        added = made.on_conflict_do_nothing().returning(AdviceDraft.version)
        return session.execute(added).first() is not None
    changed = (
        update(AdviceDraft)
        .where(
            AdviceDraft.client_id == client_id,
            AdviceDraft.account_id == account_id,
            AdviceDraft.version == version,
        )
        .values(**values)
        .returning(AdviceDraft.version)
    )
    return session.execute(changed).first() is not None


def delete_draft(session: Session, client_id: uuid.UUID, account_id: uuid.UUID | None) -> None:
    session.execute(
        delete(AdviceDraft).where(
            AdviceDraft.client_id == client_id, AdviceDraft.account_id == account_id
        )
    )


def unsent_drafts(
    session: Session, account_id: uuid.UUID | None, skipped: int, limit: int
) -> list[UnsentDraft]:
    """One page of a person's drafts for live clients, the last changed first."""
    statement = (
        select(
            Person.id,
            Person.client_code,
            Person.name,
            AdviceDraft.changed_at,
            AdviceDraft.is_follow_up,
        )
        .where(*_unsent_by(account_id))
        .order_by(AdviceDraft.changed_at.desc(), Person.client_code)
        .offset(skipped)
        .limit(limit)
    )
    return [UnsentDraft._make(row) for row in session.execute(statement)]


def count_unsent_drafts(session: Session, account_id: uuid.UUID | None) -> int:
    statement = select(func.count()).select_from(AdviceDraft).where(*_unsent_by(account_id))
    return session.execute(statement).scalar_one()


def _unsent_by(account_id: uuid.UUID | None) -> list[ColumnElement[bool]]:
    return [
        AdviceDraft.account_id == account_id,
        Person.id == AdviceDraft.client_id,
        Person.deleted_at.is_(None),
    ]
