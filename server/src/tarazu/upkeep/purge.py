"""Deletes records after five years: the law requires that long, and no data is kept longer.

Fees and cash flows that are not deleted stay however old they are: they are part of their client's
returns. docs/operations.md lists what is deleted and when.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, inspect, select
from sqlalchemy.orm import Session

from tarazu.advice.tables import (
    Advice,
    AdviceDraft,
    AdviceLetter,
    AdviceLink,
    AdviceSeal,
    AdviceStock,
    LetterDue,
)
from tarazu.book_runs.tables import BookRun, BookRunClient
from tarazu.brokers.tables import ConnectLink
from tarazu.client_page.tables import BasketState, PageCode, PageSession
from tarazu.clients.tables import Remark
from tarazu.fees.tables import Fee
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceReminder,
    AdviceResponse,
    FollowUpDraft,
    LineExecution,
    LineFill,
)
from tarazu.imports.tables import Import
from tarazu.kit import audit_log
from tarazu.kit.audit_log import PURGED, SYSTEM, AuditRow
from tarazu.kit.db import Database, Table
from tarazu.kit.mail import Delivery, Mail
from tarazu.orders.tables import Order, Trade
from tarazu.people.tables import Person
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.tables import CashFlow

YEARS = 5
MAILS_KEPT = dt.timedelta(days=366)
REPORTS_KEPT = dt.timedelta(days=30)
LINKS_KEPT = dt.timedelta(days=30)
DRAFTS_KEPT = dt.timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Removed:
    """How many records of a kind were removed, or would be."""

    what: str
    count: int


def purge(
    database: Database, now: dt.datetime, *, is_trial: bool, before: dt.datetime | None = None
) -> list[Removed]:
    """Remove what is older than five years, or than `before` if that is earlier.

    Args:
        is_trial: count only.
    """
    limit = _years_before(now)
    oldest = min(limit, before) if before is not None else limit
    removed: list[Removed] = []
    with database.transaction() as session:
        last_seal = _last_seal_before(session, oldest)
        for what, table, condition in _kinds(_old_advice(session, oldest), oldest, now):
            if is_trial:
                statement = select(func.count()).select_from(table).where(condition)
                count = session.execute(statement).scalar_one()
            else:
                keys = list(inspect(table).primary_key)
                done = session.execute(delete(table).where(condition).returning(*keys))
                count = len(done.all())
            removed.append(Removed(what, count))
        removed.append(_trail(session, oldest, now, is_trial=is_trial))
        if not is_trial and any(kind.count for kind in removed):
            details: dict[str, object] = {kind.what: kind.count for kind in removed if kind.count}
            if last_seal:
                details["sealedNumber"], details["sealedThrough"] = last_seal
            audit_log.record(session, SYSTEM, now, "records_purged", ("installation", "1"), details)
    return removed


def drop_old_reports(database: Database, now: dt.datetime) -> int:
    """Delete reports of trial imports after a month; returns how many."""
    statement = delete(Import).where(_old_report(now)).returning(Import.id)
    with database.transaction() as session:
        return len(session.execute(statement).all())


def drop_old_links(database: Database, now: dt.datetime) -> int:
    """Delete clients' connect links a month after they expired; returns how many."""
    statement = delete(ConnectLink).where(_old_link(now)).returning(ConnectLink.id)
    with database.transaction() as session:
        return len(session.execute(statement).all())


def drop_old_changes(database: Database, now: dt.datetime) -> int:
    """Delete what readings of holdings changed, once no corporate action needs it; how many rows."""
    with database.transaction() as session:
        return portfolio.drop_old_changes(session, now)


def drop_old_drafts(database: Database, now: dt.datetime) -> int:
    """Delete drafts of advice of deleted clients, and those that nobody changed for three months."""
    statement = delete(AdviceDraft).where(_old_draft(now)).returning(AdviceDraft.client_id)
    with database.transaction() as session:
        return len(session.execute(statement).all())


def _old_advice(session: Session, oldest: dt.datetime) -> Sequence[uuid.UUID]:
    """Advice sent and sealed so long ago, up to the first gap in the chain."""
    first_kept = (
        select(func.min(AdviceSeal.seq))
        .join(Advice, Advice.id == AdviceSeal.advice_id)
        .where((AdviceSeal.sealed_at >= oldest) | (Advice.created_at >= oldest))
    )
    first = session.execute(first_kept).scalar_one_or_none()
    statement = select(AdviceSeal.advice_id)
    if first is not None:
        statement = statement.where(AdviceSeal.seq < first)
    return session.execute(statement).scalars().all()


def _last_seal_before(session: Session, oldest: dt.datetime) -> tuple[int, str] | None:
    """Number and hash of the last seal to be removed: the next one refers to it."""
    ids = _old_advice(session, oldest)
    newest = select(AdviceSeal.seq, AdviceSeal.hash).where(AdviceSeal.advice_id.in_(ids))
    seal = session.execute(newest.order_by(AdviceSeal.seq.desc()).limit(1)).first()
    return (seal.seq, seal.hash) if seal else None


def _kinds(
    old_advice: Sequence[uuid.UUID], oldest: dt.datetime, now: dt.datetime
) -> list[tuple[str, type[Table], ColumnElement[bool]]]:
    old_runs = select(BookRun.id).where(BookRun.created_at < oldest)
    reminded = select(AdviceReminder.mail_id)
    mailed = select(Advice.mail_id).where(Advice.mail_id.is_not(None))
    old_links = select(AdviceLink.id).where(AdviceLink.advice_id.in_(old_advice))
    return [
        ("codes of advice links", PageCode, PageCode.link_id.in_(old_links)),
        ("sessions of advice links", PageSession, PageSession.link_id.in_(old_links)),
        ("baskets of advice links", BasketState, BasketState.link_id.in_(old_links)),
        ("advice links", AdviceLink, AdviceLink.advice_id.in_(old_advice)),
        ("seals of advice", AdviceSeal, AdviceSeal.advice_id.in_(old_advice)),
        ("stocks of advice", AdviceStock, AdviceStock.advice_id.in_(old_advice)),
        ("letters of advice", AdviceLetter, AdviceLetter.advice_id.in_(old_advice)),
        ("trades of advice lines", LineFill, LineFill.advice_id.in_(old_advice)),
        ("lines of followed advice", LineExecution, LineExecution.advice_id.in_(old_advice)),
        ("followed advice", AdviceExecution, AdviceExecution.advice_id.in_(old_advice)),
        ("follow-ups of advice", FollowUpDraft, FollowUpDraft.advice_id.in_(old_advice)),
        ("reminders", AdviceReminder, AdviceReminder.advice_id.in_(old_advice)),
        ("answers of clients", AdviceResponse, AdviceResponse.advice_id.in_(old_advice)),
        ("letters to be set", LetterDue, LetterDue.advice_id.in_(old_advice)),
        (
            "clients of book runs",
            BookRunClient,
            BookRunClient.advice_id.in_(old_advice)
            | (BookRunClient.advice_id.is_(None) & BookRunClient.run_id.in_(old_runs)),
        ),
        ("advice", Advice, Advice.id.in_(old_advice)),
        ("orders", Order, Order.ordered_at < oldest),
        ("trades", Trade, Trade.traded_at < oldest),
        ("deleted fees", Fee, Fee.deleted_at < oldest),
        ("deleted cash flows", CashFlow, CashFlow.deleted_at < oldest),
        ("remarks", Remark, func.coalesce(Remark.updated_at, Remark.created_at) < oldest),
        (
            "mails",
            Mail,
            (Mail.status != Delivery.QUEUED)
            & (Mail.queued_at < now - MAILS_KEPT)
            & Mail.id.not_in(mailed)
            & Mail.id.not_in(reminded),
        ),
        ("reports of trial imports", Import, _old_report(now)),
        ("connect links", ConnectLink, _old_link(now)),
        ("drafts of advice", AdviceDraft, _old_draft(now)),
    ]


def _old_draft(now: dt.datetime) -> ColumnElement[bool]:
    deleted = select(Person.id).where(Person.deleted_at.is_not(None))
    return AdviceDraft.client_id.in_(deleted) | (AdviceDraft.changed_at < now - DRAFTS_KEPT)


def _old_link(now: dt.datetime) -> ColumnElement[bool]:
    # Used, replaced or expired: the audit trail has what became of it.
    return ConnectLink.expires_at < now - LINKS_KEPT


def _old_report(now: dt.datetime) -> ColumnElement[bool]:
    return Import.is_dry_run & (Import.started_at < now - REPORTS_KEPT)


def _trail(session: Session, oldest: dt.datetime, now: dt.datetime, *, is_trial: bool) -> Removed:
    """Delete the start of the trail up to the last old row, and record that in the trail."""
    what = "rows of the audit trail"
    first_kept = select(func.min(AuditRow.seq)).where(AuditRow.at >= oldest)
    first = session.execute(first_kept).scalar_one_or_none()
    if first is None:
        return Removed(what, 0)
    old = AuditRow.seq < first
    last = session.execute(
        select(AuditRow.seq, AuditRow.hash).where(old).order_by(AuditRow.seq.desc()).limit(1)
    ).first()
    count = session.execute(select(func.count()).select_from(AuditRow).where(old)).scalar_one()
    if last is not None and not is_trial:
        about = {"through": last.seq, "throughHash": last.hash, "rows": count}
        audit_log.record(session, SYSTEM, now, PURGED, ("audit", last.seq), about)
        session.execute(delete(AuditRow).where(old))
    return Removed(what, count)


def _years_before(now: dt.datetime) -> dt.datetime:
    # A day more: the database triggers use the clock of the database.
    day = now - dt.timedelta(days=1)
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - YEARS, day=28 if is_leap_day else day.day)


def report(removed: list[Removed], say: Callable[[str], object], *, is_trial: bool) -> None:
    """Print one line for each kind."""
    word = "would be removed" if is_trial else "removed"
    for kind in removed:
        say(f"{kind.count:>8}  {kind.what} {word}")
