"""Jobs that processes share: each is done by one process, and by another if that one dies.

A job is a row, unique by kind and key. A process claims it for a lease and renews the lease by a
heartbeat while it works; a killed process loses the job when the lease ends, or at once where a
process on the same machine sees that it ended. Each claim has a number (a fencing token). The end
of a job is written in the transaction of its effect and names the claim: if the claim was lost, the
effect is rolled back. So a job has one effect, however many processes claimed it and whatever their
clocks say.
"""

import contextlib
import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, Final

import structlog
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Index,
    LargeBinary,
    Text,
    delete,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import Database, InstantColumn, Table, insert_into
from tarazu.kit.processes import is_gone, own_id

log = structlog.get_logger()

LEASE: Final = dt.timedelta(seconds=20)
RENEW_EVERY: Final = 5.0
"""Seconds; a claim is lost only after three failed renewals."""
KEPT: Final = dt.timedelta(days=7)
"""How long the row of a finished job stays, so that the same key is not done again."""
ITEM: Final = "item:"
"""Prefix of the kinds whose jobs are single items (a mail, an import), not timed work."""


class JobRow(Table):
    """One job. `due_at` is None once it is finished for good."""

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_kind_due_at", "kind", "due_at"),)

    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    owner: Mapped[str | None]
    leased_until: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    claims: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    done_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    error: Mapped[str | None]
    about: Mapped[str] = mapped_column(Text)
    content: Mapped[bytes | None] = mapped_column(LargeBinary)


class ClaimLost(Exception):
    """Another process has claimed the job; our transaction must be rolled back."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A job that this process may work on until the lease ends. `number` is the fencing token."""

    kind: str
    key: str
    due_at: dt.datetime
    number: int
    owner: str = field(default_factory=own_id)


@dataclass(frozen=True, slots=True)
class PendingJob:
    """A job that is waiting or running; `error` is from its last run."""

    kind: str
    key: str
    due_at: dt.datetime
    done_at: dt.datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class JobPayload:
    """What a job works on: a few values as JSON, and a file if there is one."""

    about: Mapping[str, Any]
    content: bytes | None


def put(session: Session, kind: str, key: str, due_at: dt.datetime) -> bool:
    """Add a job in the caller's transaction; False if it exists already."""
    statement = insert_into(session, JobRow).values(**_row(kind, key, due_at))
    added = session.execute(statement.on_conflict_do_nothing().returning(JobRow.key))
    return added.first() is not None


def put_claimed(
    session: Session,
    kind: str,
    key: str,
    now: dt.datetime,
    payload: JobPayload | None = None,
    owner: str | None = None,
) -> Claim:
    """Add a job that the caller starts at once.

    Raises:
        IntegrityError: it exists already.
    """
    owner = owner or own_id()
    row = _row(kind, key, now) | {
        "owner": owner,
        "leased_until": now + LEASE,
        "claims": 1,
        "started_at": now,
    }
    if payload is not None:
        row |= {"about": json.dumps(payload.about), "content": payload.content}
    session.execute(insert(JobRow).values(**row))
    return Claim(kind, key, now, 1, owner)


def claim(
    database: Database,
    kind: str,
    now: dt.datetime,
    key: str | None = None,
    owner: str | None = None,
) -> Claim | None:
    """Claim the longest due job of a kind, or that of `key`; None if none is free.

    Writes nothing if there is none.
    """
    owner, due = owner or own_id(), _due(kind, now, key)
    with database.reading() as session:
        gone = {other for other in _active_owners(session, due, now) if is_gone(other)}
        free = _free(now, gone)
        if session.execute(select(JobRow.key).where(due, free).limit(1)).first() is None:
            return None
    first = select(JobRow).where(due, free).order_by(JobRow.due_at, JobRow.key).limit(1)
    with database.transaction() as session:
        row = session.execute(first.with_for_update(skip_locked=True)).scalar_one_or_none()
        if row is None or row.due_at is None:
            return None
        if row.owner is not None:
            log.warning("job_taken_over", job=kind, key=row.key, owner=row.owner)
        row.owner, row.leased_until, row.started_at = owner, now + LEASE, now
        row.claims += 1
        return Claim(kind, row.key, row.due_at, row.claims, owner)


def payload_of(session: Session, claim: Claim) -> JobPayload:
    """The payload that the job was added with."""
    row = session.execute(select(JobRow.about, JobRow.content).where(_is_job(claim))).one()
    return JobPayload(json.loads(row.about), row.content)


def renew(session: Session, claim: Claim, now: dt.datetime) -> bool:
    """Extend the lease; False if another process has claimed the job."""
    return _update(session, claim, {"leased_until": now + LEASE})


def confirm(session: Session, claim: Claim) -> None:
    """Lock the job for the rest of the transaction, so that its claim cannot be lost meanwhile.

    Raises:
        ClaimLost: another process has claimed it; the caller's transaction must be rolled back.
    """
    statement = select(JobRow.key).where(_is_held(claim)).with_for_update()
    if session.execute(statement).first() is None:
        raise ClaimLost(f"{claim.kind} {claim.key}".strip())


def release(session: Session, claim: Claim, now: dt.datetime) -> None:
    """Give up a claim, so that any process can go on with the job at once."""
    _update(session, claim, {"owner": None, "leased_until": None, "due_at": now})


def finish(
    session: Session,
    claim: Claim,
    now: dt.datetime,
    next_at: dt.datetime | None = None,
    error: str | None = None,
) -> None:
    """Write the end of a job, in the transaction of its effect.

    Args:
        next_at: when it is due again; None if it is finished for good.
        error: why it failed this time; it then does not count as done.

    Raises:
        ClaimLost: another process has claimed it; the caller's transaction must be rolled back.
    """
    values: dict[str, object] = {
        "owner": None,
        "leased_until": None,
        "due_at": next_at,
        "error": error,
    }
    if error is None:
        values["done_at"] = now
    if next_at is None:
        values |= {"about": "{}", "content": None}
    if not _update(session, claim, values):
        raise ClaimLost(f"{claim.kind} {claim.key}".strip())


@contextlib.contextmanager
def heartbeat(database: Database, claim: Claim, now: Callable[[], dt.datetime]) -> Iterator[Event]:
    """Renew the lease while the block runs; the event is set once the claim is lost.

    A block shorter than `RENEW_EVERY` writes nothing.
    """
    ended, lost = Event(), Event()

    def beat() -> None:
        while not ended.wait(RENEW_EVERY):
            try:
                with database.transaction() as session:
                    is_lost = not renew(session, claim, now()) and _is_claimed_since(session, claim)
            except (DBAPIError, PoolTimeoutError) as error:
                # Tried again; if the lease ends meanwhile, the end of the job finds the claim lost.
                log.warning("job_lease_not_renewed", job=claim.kind, error=type(error).__name__)
                continue
            if is_lost:
                log.warning("job_claim_lost", job=claim.kind, key=claim.key)
                lost.set()
                return

    thread = Thread(target=beat, name=f"heartbeat-{claim.kind}", daemon=True)
    thread.start()
    try:
        yield lost
    finally:
        ended.set()
        # Wait for a renewal under way: the caller may dispose of the database next.
        thread.join()


def due_at_of(session: Session, kind: str, key: str) -> dt.datetime | None:
    """When a job is due; None if it does not exist or is finished for good."""
    statement = select(JobRow.due_at).where(JobRow.kind == kind, JobRow.key == key)
    return session.execute(statement).scalar_one_or_none()


def make_due(session: Session, kind: str, key: str, due_at: dt.datetime) -> None:
    """Add a job, or reopen a finished one; one that waits stays as it is."""
    if not put(session, kind, key, due_at):
        done = (JobRow.kind == kind) & (JobRow.key == key) & JobRow.due_at.is_(None)
        session.execute(update(JobRow).where(done).values(due_at=due_at))


def pending_timed(session: Session) -> list[PendingJob]:
    """Timed jobs that are waiting or running, by kind and key; no items."""
    statement = (
        select(JobRow.kind, JobRow.key, JobRow.due_at, JobRow.done_at, JobRow.error)
        .where(JobRow.due_at.is_not(None), JobRow.kind.not_like(f"{ITEM}%"))
        .order_by(JobRow.kind, JobRow.key)
    )
    return [
        PendingJob(row.kind, row.key, row.due_at, row.done_at, row.error)
        for row in session.execute(statement)
        if row.due_at is not None
    ]


def drop_done(database: Database, now: dt.datetime) -> int:
    """Delete jobs that were finished for good a week ago; how many."""
    old = JobRow.due_at.is_(None) & (JobRow.done_at < now - KEPT)
    with database.transaction() as session:
        return len(session.execute(delete(JobRow).where(old).returning(JobRow.key)).all())


def _row(kind: str, key: str, due_at: dt.datetime) -> dict[str, object]:
    return {"kind": kind, "key": key, "due_at": due_at, "claims": 0, "about": "{}"}


def _due(kind: str, now: dt.datetime, key: str | None) -> ColumnElement[bool]:
    due = (JobRow.kind == kind) & (JobRow.due_at <= now)
    return due if key is None else due & (JobRow.key == key)


def _free(now: dt.datetime, gone: set[str]) -> ColumnElement[bool]:
    return or_(JobRow.owner.is_(None), JobRow.leased_until <= now, JobRow.owner.in_(gone))


def _active_owners(session: Session, due: ColumnElement[bool], now: dt.datetime) -> set[str]:
    statement = select(JobRow.owner).where(due, JobRow.leased_until > now).distinct()
    return {owner for owner in session.execute(statement).scalars() if owner is not None}


def _is_job(claim: Claim) -> ColumnElement[bool]:
    return (JobRow.kind == claim.kind) & (JobRow.key == claim.key)


def _is_held(claim: Claim) -> ColumnElement[bool]:
    return _is_job(claim) & (JobRow.owner == claim.owner) & (JobRow.claims == claim.number)


def _is_claimed_since(session: Session, claim: Claim) -> bool:
    """Whether another claim was made; a job that was finished meanwhile has none."""
    statement = select(JobRow.key).where(_is_job(claim) & (JobRow.claims != claim.number))
    return session.execute(statement).first() is not None


def _update(session: Session, claim: Claim, values: Mapping[str, object]) -> bool:
    """Change a job if the claim on it still holds."""
    statement = update(JobRow).where(_is_held(claim)).values(**values).returning(JobRow.key)
    return session.execute(statement).first() is not None
