"""Every SQL statement of the registers."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from tarazu.kit.schemas import ListParams
from tarazu.registers.tables import (
    Advertisement,
    AiTool,
    ComplaintEntry,
    DeclaredInterest,
    Handle,
    Incident,
    InterestKind,
    RegisterEntry,
    RegisterFile,
    RegisterRule,
    RuleName,
    StaffCertificate,
)

Entry = TypeVar("Entry", bound=RegisterEntry)

_SEARCHED: dict[type[RegisterEntry], Sequence[Any]] = {
    ComplaintEntry: (
        *(ComplaintEntry.complainant, ComplaintEntry.reference),
        *(ComplaintEntry.subject, ComplaintEntry.nature, ComplaintEntry.channel),
    ),
    StaffCertificate: (StaffCertificate.number, StaffCertificate.series),
    DeclaredInterest: (DeclaredInterest.relative,),
    Advertisement: (Advertisement.title, Advertisement.medium, Advertisement.text),
    AiTool: (AiTool.name, AiTool.extent),
    Handle: (Handle.platform, Handle.handle),
    Incident: (Incident.summary, Incident.details, Incident.report),
}
_NEWEST: dict[type[RegisterEntry], Any] = {
    ComplaintEntry: ComplaintEntry.received_on,
    StaffCertificate: StaffCertificate.valid_until,
    DeclaredInterest: DeclaredInterest.dated_on,
    Advertisement: Advertisement.id,
    AiTool: AiTool.since,
    Handle: Handle.since,
    Incident: Incident.noticed_at,
}
_CLOSED: dict[type[RegisterEntry], Any] = {
    ComplaintEntry: ComplaintEntry.resolved_on,
    DeclaredInterest: DeclaredInterest.ended_on,
    Advertisement: Advertisement.released_on,
    AiTool: AiTool.until,
    Handle: Handle.until,
    Incident: Incident.reported_at,
}


def page_of(
    session: Session,
    table: type[Entry],
    params: ListParams,
    *,
    is_open: bool | None,
    only: Sequence[ColumnElement[bool]] = (),
    or_in: ColumnElement[bool] | None = None,
) -> tuple[Sequence[Entry], int]:
    """One page of a register, newest first, and how many entries match.

    Args:
        is_open: only entries that are not closed, or only closed ones; None for all.
        or_in: where a text is searched, entries that match otherwise: by the name of a person.
    """
    statement: Any = select(table).where(*only)
    text = params.query.strip()
    if text:
        matching = [column.icontains(text, autoescape=True) for column in _SEARCHED[table]]
        statement = statement.where(or_(*matching, *([] if or_in is None else [or_in])))
    if is_open is not None and table in _CLOSED:
        closed = _CLOSED[table]
        statement = statement.where(closed.is_(None) if is_open else closed.is_not(None))
    total = session.execute(select(func.count()).select_from(statement.subquery())).scalar_one()
    ordered = statement.order_by(_NEWEST[table].desc(), table.id.desc())
    rows = session.execute(ordered.limit(params.limit).offset(params.skipped)).scalars().all()
    return rows, total


def entry_by_id(
    session: Session, table: type[Entry], entry_id: uuid.UUID, *, for_update: bool = False
) -> Entry | None:
    statement = select(table).where(table.id == entry_id)
    return session.execute(
        statement.with_for_update() if for_update else statement
    ).scalar_one_or_none()


def rules(session: Session) -> Sequence[RegisterRule]:
    """All rules of the firm, the earliest first."""
    statement = select(RegisterRule).order_by(RegisterRule.effective_on, RegisterRule.name)
    return session.execute(statement).scalars().all()


def rule_from(session: Session, name: RuleName, day: dt.date) -> RegisterRule | None:
    """The firm's rule that is in force from exactly this day."""
    statement = select(RegisterRule).where(
        RegisterRule.name == name, RegisterRule.effective_on == day
    )
    return session.execute(statement).scalar_one_or_none()


def file_by_hash(session: Session, sha256: str) -> RegisterFile | None:
    return session.get(RegisterFile, sha256)


def file_names(session: Session, hashes: Collection[str]) -> dict[str, str]:
    """Names of files by their hash."""
    statement = select(RegisterFile.sha256, RegisterFile.name)
    rows = session.execute(statement.where(RegisterFile.sha256.in_(hashes)))
    return {row.sha256: row.name for row in rows}


def complaint_days(session: Session) -> Sequence[Any]:
    """Channel, day of receipt and day of resolution of every complaint."""
    statement = select(
        ComplaintEntry.channel, ComplaintEntry.received_on, ComplaintEntry.resolved_on
    )
    return session.execute(statement).all()


def certificates_of(
    session: Session, staff_ids: Collection[uuid.UUID] | None = None
) -> Sequence[StaffCertificate]:
    """The certificates of these, or of everybody; those valid longest first."""
    statement = select(StaffCertificate).order_by(StaffCertificate.valid_until.desc())
    if staff_ids is not None:
        statement = statement.where(StaffCertificate.staff_id.in_(staff_ids))
    return session.execute(statement).scalars().all()


def declared_trades(session: Session, since: dt.date | None = None) -> Sequence[DeclaredInterest]:
    """Declared trades, oldest first; of this day and later."""
    statement = select(DeclaredInterest).where(DeclaredInterest.kind == InterestKind.TRADE)
    if since is not None:
        statement = statement.where(DeclaredInterest.dated_on >= since)
    return session.execute(statement.order_by(DeclaredInterest.dated_on)).scalars().all()


def declared_holdings(session: Session, day: dt.date) -> Sequence[DeclaredInterest]:
    """The holdings that are declared of a day."""
    statement = select(DeclaredInterest).where(
        DeclaredInterest.kind == InterestKind.HOLDING,
        DeclaredInterest.dated_on <= day,
        or_(DeclaredInterest.ended_on.is_(None), DeclaredInterest.ended_on >= day),
    )
    return session.execute(statement).scalars().all()


def tools(session: Session) -> Sequence[AiTool]:
    """Every AI tool that was ever entered, by its first day."""
    statement = select(AiTool).order_by(AiTool.since, AiTool.id)
    return session.execute(statement).scalars().all()


def handle_spans(session: Session) -> Sequence[Any]:
    """First and last day of every handle and site; the last is None while it is in use."""
    return session.execute(select(Handle.since, Handle.until)).all()


def unapproved_advertisements(session: Session) -> Sequence[Any]:
    """Day of release, None before it, and time of entry of each without an approval."""
    statement = select(Advertisement.released_on, Advertisement.created_at)
    return session.execute(statement.where(Advertisement.approved_on.is_(None))).all()


def unreported_incidents(session: Session) -> Sequence[dt.datetime]:
    """When each incident was noticed that is not reported."""
    statement = select(Incident.noticed_at).where(Incident.reported_at.is_(None))
    return session.execute(statement).scalars().all()
