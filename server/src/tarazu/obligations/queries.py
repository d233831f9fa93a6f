"""Every SQL statement of obligations."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tarazu.kit.db import insert_into
from tarazu.obligations.tables import (
    ClientCount,
    ComplianceSettings,
    Evidence,
    EvidenceKind,
    ObligationFile,
    ObligationReminder,
    ObligationVersion,
)


def versions(session: Session) -> Sequence[ObligationVersion]:
    """The firm's own, in the order in which they were made."""
    statement = select(ObligationVersion).order_by(
        ObligationVersion.created_at, ObligationVersion.id
    )
    return session.execute(statement).scalars().all()


def first_evidence(session: Session) -> Sequence[Any]:
    """Obligation, instance and the time of its first evidence."""
    key = (Evidence.obligation_id, Evidence.instance)
    statement = select(*key, func.min(Evidence.recorded_at)).group_by(*key)
    return session.execute(statement.where(Evidence.kind != EvidenceKind.PREPARED)).all()


def evidence_of(session: Session, obligation_id: str) -> Sequence[Evidence]:
    """Newest first."""
    statement = select(Evidence).where(Evidence.obligation_id == obligation_id)
    return session.execute(statement.order_by(Evidence.recorded_at.desc())).scalars().all()


def evidence_between(
    session: Session, since: dt.datetime, until: dt.datetime
) -> Sequence[Evidence]:
    """Evidence recorded in this time, `until` not included, oldest first."""
    is_inside = (Evidence.recorded_at >= since) & (Evidence.recorded_at < until)
    statement = select(Evidence).where(is_inside).order_by(Evidence.recorded_at, Evidence.id)
    return session.execute(statement).scalars().all()


def same_evidence(
    session: Session,
    obligation_id: str,
    instance: str,
    said: tuple[EvidenceKind, str, str, str | None],
) -> Evidence | None:
    """Evidence of that instance with this kind, name, note and file."""
    kind, name, note, file_sha256 = said
    is_same = (
        (Evidence.obligation_id == obligation_id)
        & (Evidence.instance == instance)
        & (Evidence.kind == kind)
        & (Evidence.name == name)
        & (Evidence.note == note)
        & Evidence.file_sha256.is_not_distinct_from(file_sha256)
    )
    return session.execute(select(Evidence).where(is_same).limit(1)).scalar_one_or_none()


def evidence_by_id(session: Session, evidence_id: uuid.UUID) -> Evidence | None:
    return session.get(Evidence, evidence_id)


def file(session: Session, sha256: str) -> ObligationFile | None:
    return session.get(ObligationFile, sha256)


def note_reminder(
    session: Session, obligation_id: str, instance: str, step: int, now: dt.datetime
) -> bool:
    """Note that a reminder is sent; False where it was already."""
    values = {"obligation_id": obligation_id, "instance": instance, "step": step, "sent_at": now}
    statement = insert_into(session, ObligationReminder).values(**values)
    added = session.execute(statement.on_conflict_do_nothing().returning(ObligationReminder.step))
    return added.first() is not None


def counts_between(session: Session, first: dt.date, last: dt.date) -> dict[dt.date, int]:
    statement = select(ClientCount.day, ClientCount.clients).where(
        ClientCount.day.between(first, last)
    )
    return {row.day: row.clients for row in session.execute(statement)}


def add_counts(session: Session, counts: Collection[tuple[dt.date, int]]) -> None:
    """Store counts; a day that has one keeps it."""
    if counts:
        rows = [{"day": day, "clients": clients} for day, clients in counts]
        session.execute(insert_into(session, ClientCount).values(rows).on_conflict_do_nothing())


def last_counted(session: Session) -> dt.date | None:
    return session.execute(select(func.max(ClientCount.day))).scalar_one_or_none()


def settings(session: Session, *, for_update: bool = False) -> ComplianceSettings | None:
    return session.get(ComplianceSettings, 1, with_for_update=for_update)
