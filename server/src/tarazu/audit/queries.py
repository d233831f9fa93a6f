"""Every SQL statement of the audit trail's screen."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from tarazu.kit.audit_log import AuditRow


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows: who did what to which record and when; None and "" leave a part open.

    `by_system` asks for what nobody's account did. `query` is a record's id, an id of a request or
    of a session, or an address of the network, whole.
    """

    account_id: uuid.UUID | None = None
    by_system: bool = False
    action: str = ""
    kind: str = ""
    query: str = ""
    since: dt.datetime | None = None
    until: dt.datetime | None = None


def rows_matching(
    session: Session, wanted: AuditFilter, skipped: int, limit: int
) -> Sequence[AuditRow]:
    """One page, newest first."""
    statement = select(AuditRow).where(*_conditions(wanted)).order_by(AuditRow.seq.desc())
    return session.execute(statement.offset(skipped).limit(limit)).scalars().all()


def count_matching(session: Session, wanted: AuditFilter) -> int:
    statement = select(func.count()).select_from(AuditRow).where(*_conditions(wanted))
    return session.execute(statement).scalar_one()


def actions(session: Session) -> Sequence[str]:
    """Every kind of act that there is a row of, by name."""
    return (
        session.execute(select(AuditRow.action).distinct().order_by(AuditRow.action))
        .scalars()
        .all()
    )


def kinds(session: Session) -> Sequence[str]:
    """Every kind of record that there is a row of, by name."""
    return session.execute(select(AuditRow.kind).distinct().order_by(AuditRow.kind)).scalars().all()


def accounts(session: Session) -> Sequence[uuid.UUID]:
    """Everybody whose account did something."""
    found = select(AuditRow.account_id).where(AuditRow.account_id.is_not(None)).distinct()
    return [one for one in session.execute(found).scalars() if one is not None]


def _conditions(wanted: AuditFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.account_id is not None:
        conditions.append(AuditRow.account_id == wanted.account_id)
    if wanted.by_system:
        conditions.append(AuditRow.account_id.is_(None))
    if wanted.action:
        conditions.append(AuditRow.action == wanted.action)
    if wanted.kind:
        conditions.append(AuditRow.kind == wanted.kind)
    if wanted.query:
        conditions.append(_about(wanted.query))
    if wanted.since is not None:
        conditions.append(AuditRow.at >= wanted.since)
    if wanted.until is not None:
        conditions.append(AuditRow.at < wanted.until)
    return conditions


def _about(query: str) -> ColumnElement[bool]:
    fits = [AuditRow.record_id == query, AuditRow.request_id == query, AuditRow.ip == query]
    try:
        fits.append(AuditRow.session_id == uuid.UUID(query))
    except ValueError:
        # No id of a session then; it may still be an address.
        return or_(*fits)
    return or_(*fits)
