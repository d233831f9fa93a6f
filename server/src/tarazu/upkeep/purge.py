"""What is past its years goes: the law asks for five, and memory should not be longer than needed.

What still counts stays however old it is: fees and cash flows that are not deleted are part of
their client's returns. docs/operations.md lists what goes and when.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, func, inspect, select
from sqlalchemy.orm import Session

from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal, AdviceStock, LetterDue
from tarazu.book_runs.tables import BookRun, BookRunClient
from tarazu.brokers.tables import ConnectLink
from tarazu.clients.tables import Remark
from tarazu.fees.tables import Fee
from tarazu.imports.tables import Import
from tarazu.kit import audit_log
from tarazu.kit.audit_log import PURGED, SYSTEM, AuditRow
from tarazu.kit.db import Database, Table
from tarazu.kit.mail import Delivery, Mail
from tarazu.orders.tables import Order
from tarazu.portfolio.tables import CashFlow

YEARS = 5
MAILS_KEPT = dt.timedelta(days=366)
REPORTS_KEPT = dt.timedelta(days=30)
LINKS_KEPT = dt.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Removed:
    """How many records of one kind went, or would go."""

    what: str
    count: int


def purge(
    database: Database, now: dt.datetime, *, is_trial: bool, before: dt.datetime | None = None
) -> list[Removed]:
    """Remove what is older than five years, or than `before` where that is earlier still.

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
        if not is_trial and any(one.count for one in removed):
            told: dict[str, object] = {one.what: one.count for one in removed if one.count}
            if last_seal:
                told["sealedNumber"], told["sealedThrough"] = last_seal
            audit_log.record(session, SYSTEM, now, "records_purged", ("installation", "1"), told)
    return removed


def drop_old_reports(database: Database, now: dt.datetime) -> int:
    """Reports of trial imports, which nobody needs after a month; how many went."""
    statement = delete(Import).where(_old_report(now)).returning(Import.id)
    with database.transaction() as session:
        return len(session.execute(statement).all())


def drop_old_links(database: Database, now: dt.datetime) -> int:
    """Clients' connect links that opened nothing any more for a month; how many went."""
    statement = delete(ConnectLink).where(_old_link(now)).returning(ConnectLink.id)
    with database.transaction() as session:
        return len(session.execute(statement).all())


def _old_advice(session: Session, oldest: dt.datetime) -> Sequence[uuid.UUID]:
    """Advice that was sent and sealed so long ago, as far as the chain goes without a gap."""
    first_kept = (
        select(func.min(AdviceSeal.seq))
        .join(Advice, Advice.id == AdviceSeal.advice_id)
        .where((AdviceSeal.sealed_at >= oldest) | (Advice.created_at >= oldest))
    )
    kept = session.execute(first_kept).scalar_one_or_none()
    statement = select(AdviceSeal.advice_id)
    if kept is not None:
        statement = statement.where(AdviceSeal.seq < kept)
    return session.execute(statement).scalars().all()


def _last_seal_before(session: Session, oldest: dt.datetime) -> tuple[int, str] | None:
    """Number and hash of the last seal that goes: the next one follows it."""
    ids = _old_advice(session, oldest)
    newest = select(AdviceSeal.seq, AdviceSeal.hash).where(AdviceSeal.advice_id.in_(ids))
    found = session.execute(newest.order_by(AdviceSeal.seq.desc()).limit(1)).first()
    return (found.seq, found.hash) if found else None


def _kinds(
    old_advice: Sequence[uuid.UUID], oldest: dt.datetime, now: dt.datetime
) -> list[tuple[str, type[Table], ColumnElement[bool]]]:
    old_runs = select(BookRun.id).where(BookRun.created_at < oldest)
    mailed = select(Advice.mail_id).where(Advice.mail_id.is_not(None))
    return [
        ("seals of advice", AdviceSeal, AdviceSeal.advice_id.in_(old_advice)),
        ("stocks of advice", AdviceStock, AdviceStock.advice_id.in_(old_advice)),
        ("letters of advice", AdviceLetter, AdviceLetter.advice_id.in_(old_advice)),
        ("letters to be set", LetterDue, LetterDue.advice_id.in_(old_advice)),
        (
            "clients of book runs",
            BookRunClient,
            BookRunClient.advice_id.in_(old_advice)
            | (BookRunClient.advice_id.is_(None) & BookRunClient.run_id.in_(old_runs)),
        ),
        ("advice", Advice, Advice.id.in_(old_advice)),
        ("orders", Order, Order.ordered_at < oldest),
        ("deleted fees", Fee, Fee.deleted_at < oldest),
        ("deleted cash flows", CashFlow, CashFlow.deleted_at < oldest),
        ("remarks", Remark, func.coalesce(Remark.updated_at, Remark.created_at) < oldest),
        (
            "mails",
            Mail,
            (Mail.status != Delivery.QUEUED)
            & (Mail.queued_at < now - MAILS_KEPT)
            & Mail.id.not_in(mailed),
        ),
        ("reports of trial imports", Import, _old_report(now)),
        ("connect links", ConnectLink, _old_link(now)),
    ]


def _old_link(now: dt.datetime) -> ColumnElement[bool]:
    # Used, replaced or run out: each has its end, and what became of it stands in the trail.
    return ConnectLink.expires_at < now - LINKS_KEPT


def _old_report(now: dt.datetime) -> ColumnElement[bool]:
    return Import.is_dry_run & (Import.started_at < now - REPORTS_KEPT)


def _trail(session: Session, oldest: dt.datetime, now: dt.datetime, *, is_trial: bool) -> Removed:
    """The beginning of the trail up to the last row that is old enough, and a row that says so."""
    what = "rows of the audit trail"
    first_kept = select(func.min(AuditRow.seq)).where(AuditRow.at >= oldest)
    kept = session.execute(first_kept).scalar_one_or_none()
    if kept is None:
        return Removed(what, 0)
    old = AuditRow.seq < kept
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
    # A day more, so that the database, which counts by its own clock, agrees.
    day = now - dt.timedelta(days=1)
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - YEARS, day=28 if is_leap_day else day.day)


def report(removed: list[Removed], say: Callable[[str], object], *, is_trial: bool) -> None:
    """One line a kind."""
    word = "would be removed" if is_trial else "removed"
    for one in removed:
        say(f"{one.count:>8}  {one.what} {word}")
