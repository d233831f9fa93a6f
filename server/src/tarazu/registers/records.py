"""Adds and changes entries of any register, each change with its row in the audit trail."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.registers import queries
from tarazu.registers.errors import EntryNotFound
from tarazu.registers.tables import RegisterEntry

Entry = TypeVar("Entry", bound=RegisterEntry)


def add_entry(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    table: type[Entry],
    fields: Mapping[str, Any],
    action: str,
    effects: Mapping[str, Any] | None = None,
) -> Entry:
    """Add an entry of these columns; `effects` are changes elsewhere, for its row in the trail."""
    entry = table(
        id=new_id(),
        created_at=now,
        created_by=actor.account_id,
        updated_at=now,
        version=1,
        **fields,
    )
    session.add(entry)
    session.flush()
    changes = {**fields, **(effects or {})}
    audit_log.record(session, actor, now, action, (table.__tablename__, entry.id), changes)
    return entry


def entry_of(
    session: Session, table: type[Entry], entry_id: uuid.UUID, version: int | None = None
) -> Entry:
    """The entry, locked until the transaction ends.

    Raises:
        EntryNotFound: there is none.
        StaleVersion: somebody changed it since `version`.
    """
    acquire_lock(session, AdvisoryLock.REGISTERS)
    entry = queries.entry_by_id(session, table, entry_id, for_update=True)
    if entry is None:
        raise EntryNotFound
    if version not in {None, entry.version}:
        raise StaleVersion
    return entry


def change_entry(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry: RegisterEntry,
    fields: Mapping[str, Any],
    action: str,
    effects: Mapping[str, Any] | None = None,
) -> None:
    """Set these columns of an entry; without a difference nothing is written.

    Args:
        effects: changes elsewhere, for its row in the trail.
    """
    changes: dict[str, Any] = dict(effects or {})
    for name, value in fields.items():
        before = getattr(entry, name)
        if before != value:
            setattr(entry, name, value)
            changes[name] = [before, value]
    if not changes:
        return
    entry.version += 1
    entry.updated_at = now
    session.flush()
    audit_log.record(session, actor, now, action, (entry.__tablename__, entry.id), changes)
