"""Every SQL statement of the audit trail's screen."""

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import Field
from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.orm import Session

from tarazu.audit.tables import AuditStream
from tarazu.kit import clock
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import insert_into
from tarazu.kit.errors import Invalid
from tarazu.kit.fields import Day
from tarazu.kit.schemas import MAX_LIMIT, Schema, Whole

SYSTEM: Final = "system"
_AT_ONCE: Final = 1_000


class AuditFilter(Schema):
    """One page of the audit trail; None and "" match any row. Days in India, both included.

    `who` is an account's id, or `system` for what no account did. `query` is the whole id of a
    record, a request or a session, or a whole network address.
    """

    who: str = Field(default="", max_length=40)
    action: str = Field(default="", max_length=60)
    kind: str = Field(default="", max_length=60)
    query: str = Field(default="", max_length=100)
    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=20, ge=1, le=MAX_LIMIT)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit

    @property
    def account_id(self) -> uuid.UUID | None:
        """The account that `who` names; None for none and for the system.

        Raises:
            Invalid: it is not the id of an account.
        """
        if self.who in {"", SYSTEM}:
            return None
        try:
            return uuid.UUID(self.who)
        except ValueError as error:
            raise Invalid("who: an account's id, or system") from error


def rows_matching(session: Session, filters: AuditFilter) -> Sequence[AuditRow]:
    """One page, newest first."""
    statement = (
        select(AuditRow)
        .where(*_conditions(filters))
        .order_by(AuditRow.seq.desc())
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    return session.execute(statement).scalars().all()


def rows_between(session: Session, since: dt.datetime, until: dt.datetime) -> Iterator[AuditRow]:
    """All rows from the first to the last of this time, `until` not included, a few at a time.

    Clocks of several servers differ: what is between them is among the rows whatever its time.
    """
    ends = select(func.min(AuditRow.seq), func.max(AuditRow.seq))
    is_inside = (AuditRow.at >= since) & (AuditRow.at < until)
    first, last = session.execute(ends.where(is_inside)).one()
    while first is not None and first <= last:
        is_next = AuditRow.seq.between(first, last)
        statement = select(AuditRow).where(is_next).order_by(AuditRow.seq).limit(_AT_ONCE)
        rows = session.execute(statement).scalars().all()
        yield from rows
        first = rows[-1].seq + 1


def count_matching(session: Session, filters: AuditFilter) -> int:
    statement = select(func.count()).select_from(AuditRow).where(*_conditions(filters))
    return session.execute(statement).scalar_one()


def actions(session: Session) -> Sequence[str]:
    """Every action in the trail, by name."""
    statement = select(AuditRow.action).distinct().order_by(AuditRow.action)
    return session.execute(statement).scalars().all()


def kinds(session: Session) -> Sequence[str]:
    """Every kind of record in the trail, by name."""
    return session.execute(select(AuditRow.kind).distinct().order_by(AuditRow.kind)).scalars().all()


def accounts(session: Session) -> Sequence[uuid.UUID]:
    """Every account in the trail."""
    statement = select(AuditRow.account_id).where(AuditRow.account_id.is_not(None)).distinct()
    return [account for account in session.execute(statement).scalars() if account is not None]


def _conditions(filters: AuditFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    account_id, query = filters.account_id, filters.query.strip()
    if account_id is not None:
        conditions.append(AuditRow.account_id == account_id)
    if filters.who == SYSTEM:
        conditions.append(AuditRow.account_id.is_(None))
    if filters.action:
        conditions.append(AuditRow.action == filters.action)
    if filters.kind:
        conditions.append(AuditRow.kind == filters.kind)
    if query:
        conditions.append(_about(query))
    if filters.since is not None:
        conditions.append(AuditRow.at >= clock.start_of(filters.since))
    if filters.until is not None:
        conditions.append(AuditRow.at < clock.start_of(filters.until + dt.timedelta(days=1)))
    return conditions


def _about(query: str) -> ColumnElement[bool]:
    matches = [AuditRow.record_id == query, AuditRow.request_id == query, AuditRow.ip == query]
    try:
        matches.append(AuditRow.session_id == uuid.UUID(query))
    except ValueError:
        # Not the id of a session; it may still be an address.
        return or_(*matches)
    return or_(*matches)


def stream_position(session: Session, target: str) -> AuditStream | None:
    return session.get(AuditStream, target)


def begin_stream(session: Session, target: str, now: dt.datetime) -> AuditStream:
    """A new target begins with the first row of the trail; one that has begun stays as it is."""
    first = insert_into(session, AuditStream).values(
        target=target, seq=0, moved_at=now, failed_at=None, error=""
    )
    session.execute(first.on_conflict_do_nothing())
    return session.get_one(AuditStream, target)


def rows_after(session: Session, seq: int, most: int) -> Sequence[AuditRow]:
    """In their order. Numbers are given out under a lock until the commit, so none comes late."""
    statement = select(AuditRow).where(AuditRow.seq > seq).order_by(AuditRow.seq).limit(most)
    return session.execute(statement).scalars().all()


def oldest_row_after(session: Session, seq: int) -> AuditRow | None:
    rows = rows_after(session, seq, 1)
    return rows[0] if rows else None


def move_stream(session: Session, target: str, before: int, after: int, now: dt.datetime) -> None:
    """Move the position on; not where another process has moved it meanwhile."""
    statement = update(AuditStream).where(AuditStream.target == target, AuditStream.seq == before)
    session.execute(statement.values(seq=after, moved_at=now, failed_at=None, error=""))


def note_stream_failure(session: Session, target: str, now: dt.datetime, error: str) -> None:
    statement = update(AuditStream).where(AuditStream.target == target)
    session.execute(statement.values(failed_at=now, error=error[:200]))
