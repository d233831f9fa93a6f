"""Work that processes share: a piece is done by one of them, and by another if that one dies.

A piece of work is a row, one for each kind and key. A process takes it under a lease and renews the
lease while it is at it; one that is killed loses the piece when the lease is over, or at once where
a living process on the same machine sees it gone. Whoever does the work writes its end in the
transaction of its effect: an end under a claim that was lost undoes the effect with it, so a piece
has one effect, however many processes took it up and whatever their clocks say.
"""

import contextlib
import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
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
    or_,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import Database, InstantColumn, Table, insert_into
from tarazu.kit.processes import OWNER, is_gone

log = structlog.get_logger()

LEASE: Final = dt.timedelta(seconds=20)
RENEW_EVERY: Final = 5.0
"""Seconds; so a claim is lost only after three renewals failed."""
KEPT: Final = dt.timedelta(days=7)
"""For so long a piece that was done once is known, and is not done again."""


class JobRow(Table):
    """One piece of work. `due_at` is None once it is done for good."""

    __tablename__ = "jobs"
    __table_args__ = (Index("ix_jobs_kind_due_at", "kind", "due_at"),)

    kind: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    owner: Mapped[str | None]
    leased_until: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    claims: Mapped[int] = mapped_column(BigInteger)
    begun_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    done_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    error: Mapped[str | None]
    about: Mapped[str] = mapped_column(Text)
    content: Mapped[bytes | None] = mapped_column(LargeBinary)


class ClaimLost(Exception):
    """Another process has the piece of work now; nothing of ours may be kept."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A piece of work that is ours, until its lease is over. `number` counts its claims."""

    kind: str
    key: str
    due_at: dt.datetime
    number: int
    owner: str = OWNER


@dataclass(frozen=True, slots=True)
class Due:
    """A piece of work that is to be done: since or from when, when it last was, what failed."""

    kind: str
    key: str
    due_at: dt.datetime
    done_at: dt.datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class JobPayload:
    """What a piece of work needs to be known: a few words, and a file where there is one."""

    about: Mapping[str, Any]
    content: bytes | None


def put(session: Session, kind: str, key: str, due_at: dt.datetime) -> bool:
    """Add a piece of work in the caller's transaction; False where it is known already."""
    return _add(session, _row(kind, key, due_at))


def put_claimed(
    session: Session, kind: str, key: str, now: dt.datetime, parcel: JobPayload
) -> Claim | None:
    """Add a piece of work that the caller begins at once; None where it is known already."""
    mine: dict[str, object] = {
        "owner": OWNER,
        "leased_until": now + LEASE,
        "claims": 1,
        "begun_at": now,
        "about": json.dumps(parcel.about),
        "content": parcel.content,
    }
    is_new = _add(session, _row(kind, key, now) | mine)
    return Claim(kind, key, now, 1) if is_new else None


def claim(
    database: Database, kind: str, now: dt.datetime, key: str | None = None, owner: str = OWNER
) -> Claim | None:
    """Take the piece of a kind that is due longest, or that of `key`; None where none is free.

    Nothing is written where there is nothing to take.
    """
    wanted = _due(kind, now, key)
    with database.reading() as session:
        held = _unfree_owners(session, wanted, now)
        gone = {one for one in held if is_gone(one)}
        free = _free(now, gone)
        if session.execute(select(JobRow.key).where(wanted, free).limit(1)).first() is None:
            return None
    first = select(JobRow).where(wanted, free).order_by(JobRow.due_at, JobRow.key).limit(1)
    with database.transaction() as session:
        row = session.execute(first.with_for_update(skip_locked=True)).scalar_one_or_none()
        if row is None or row.due_at is None:
            return None
        if row.owner is not None:
            log.warning("job_taken_over", job=kind, key=row.key, owner=row.owner)
        row.owner, row.leased_until, row.begun_at = owner, now + LEASE, now
        row.claims += 1
        return Claim(kind, row.key, row.due_at, row.claims, owner)


def parcel_of(session: Session, mine: Claim) -> JobPayload:
    """What the piece of work was given."""
    row = session.execute(
        select(JobRow.about, JobRow.content).where(JobRow.kind == mine.kind, JobRow.key == mine.key)
    ).one()
    return JobPayload(json.loads(row.about), row.content)


def renew(session: Session, mine: Claim, now: dt.datetime) -> bool:
    """Say that we are still at it; False where the piece is somebody else's."""
    return _touched(session, mine, {"leased_until": now + LEASE})


def finish(
    session: Session,
    mine: Claim,
    now: dt.datetime,
    next_at: dt.datetime | None = None,
    error: str | None = None,
) -> None:
    """Write the end of a piece of work, in the transaction of its effect.

    Args:
        next_at: when it is due again; None where it is done for good.
        error: why it could not be done this time; it then does not count as done.

    Raises:
        ClaimLost: another process has it now; the caller's transaction must not be kept.
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
    if not _touched(session, mine, values):
        raise ClaimLost(f"{mine.kind} {mine.key}".strip())


@contextlib.contextmanager
def kept(database: Database, mine: Claim, now: Callable[[], dt.datetime]) -> Iterator[None]:
    """Renew the lease for as long as the block takes; a short one writes nothing."""
    over = Event()

    def beat() -> None:
        while not over.wait(RENEW_EVERY):
            try:
                with database.transaction() as session:
                    is_mine = renew(session, mine, now())
            except (DBAPIError, PoolTimeoutError) as error:
                # Tried again; should the lease run out, the end of the work finds the claim lost.
                log.warning("job_lease_not_renewed", job=mine.kind, error=type(error).__name__)
                continue
            if not is_mine:
                log.warning("job_claim_lost", job=mine.kind, key=mine.key)
                return

    renewing = Thread(target=beat, name=f"lease-{mine.kind}", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        # One under way is waited for: the database may be disposed of next, and its connection
        # would be left open.
        renewing.join()


def due_at_of(session: Session, kind: str, key: str) -> dt.datetime | None:
    """When a piece of work is due; None where it is not known, or done for good."""
    statement = select(JobRow.due_at).where(JobRow.kind == kind, JobRow.key == key)
    return session.execute(statement).scalar_one_or_none()


def make_due(session: Session, kind: str, key: str, due_at: dt.datetime) -> None:
    """Have a piece of work done, anew where it was done for good; one that waits stays as it is."""
    if not put(session, kind, key, due_at):
        done = (JobRow.kind == kind) & (JobRow.key == key) & JobRow.due_at.is_(None)
        session.execute(update(JobRow).where(done).values(due_at=due_at))


def all_due(session: Session) -> list[Due]:
    """Every piece that is to be done, by kind and key."""
    statement = (
        select(JobRow.kind, JobRow.key, JobRow.due_at, JobRow.done_at, JobRow.error)
        .where(JobRow.due_at.is_not(None))
        .order_by(JobRow.kind, JobRow.key)
    )
    return [
        Due(row.kind, row.key, row.due_at, row.done_at, row.error)
        for row in session.execute(statement)
        if row.due_at is not None
    ]


def keys_due(session: Session, kind: str) -> set[str]:
    """The pieces of a kind that are waiting or under way."""
    statement = select(JobRow.key).where(JobRow.kind == kind, JobRow.due_at.is_not(None))
    return set(session.execute(statement).scalars())


def drop_done(database: Database, now: dt.datetime) -> int:
    """Forget pieces of work that were done for good a week ago; how many."""
    old = JobRow.due_at.is_(None) & (JobRow.done_at < now - KEPT)
    with database.transaction() as session:
        return len(session.execute(delete(JobRow).where(old).returning(JobRow.key)).all())


def _row(kind: str, key: str, due_at: dt.datetime) -> dict[str, object]:
    return {"kind": kind, "key": key, "due_at": due_at, "claims": 0, "about": "{}"}


def _add(session: Session, row: Mapping[str, object]) -> bool:
    statement = insert_into(session, JobRow).values(**row)
    added = session.execute(statement.on_conflict_do_nothing().returning(JobRow.key))
    return added.first() is not None


def _due(kind: str, now: dt.datetime, key: str | None) -> ColumnElement[bool]:
    due = (JobRow.kind == kind) & (JobRow.due_at <= now)
    return due if key is None else due & (JobRow.key == key)


def _free(now: dt.datetime, gone: set[str]) -> ColumnElement[bool]:
    return or_(JobRow.owner.is_(None), JobRow.leased_until <= now, JobRow.owner.in_(gone))


def _unfree_owners(session: Session, wanted: ColumnElement[bool], now: dt.datetime) -> set[str]:
    statement = select(JobRow.owner).where(wanted, JobRow.leased_until > now).distinct()
    return {owner for owner in session.execute(statement).scalars() if owner is not None}


def _touched(session: Session, mine: Claim, values: Mapping[str, object]) -> bool:
    statement = (
        update(JobRow)
        .where(
            JobRow.kind == mine.kind,
            JobRow.key == mine.key,
            JobRow.owner == mine.owner,
            JobRow.claims == mine.number,
        )
        .values(**values)
        .returning(JobRow.key)
    )
    return session.execute(statement).first() is not None
