"""A lease: which one of several processes does a thing, kept in the database and soon let go.

The holder renews it every second or two. A process that was killed renews it no more: another
takes it when it has run out, or sooner when that process is known to have ended on this machine.
Every new holder gets the next term, so that what an earlier one still says can be told from it.
Times are the database's own: the clocks of the machines need not agree.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Any, Final, Protocol

import structlog
from sqlalchemy import BigInteger, Text, literal_column, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Mapped, Session, mapped_column
from sqlalchemy.sql.elements import ColumnElement

from tarazu.kit.db import Database, Table, insert_into
from tarazu.kit.processes import OWNER, is_gone

log = structlog.get_logger()

LASTS: Final = 6.0
"""Seconds for which a lease is good unless it is renewed."""
RENEW_EVERY: Final = 1.5
LOOK_EVERY: Final = 1.0
"""Seconds between two looks of a process that waits for it."""
SURELY_SILENT: Final = 3.0
"""Seconds without a renewal after which a holder's end may be believed before its lease is out."""

_NOW: Final[dict[str, str]] = {
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
    "sqlite": "CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)",
}


class LeaseRow(Table):
    """Who holds a lease until when: milliseconds since 1970 by the database's clock."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[str]
    term: Mapped[int] = mapped_column(BigInteger)
    until: Mapped[int] = mapped_column(BigInteger)
    note: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True, slots=True)
class LeaseState:
    """A lease as it was found: who has it, for how many more seconds, and what the holder notes."""

    holder: str
    term: int
    until: int
    seconds_left: float
    note: dict[str, Any]


class Lead(Protocol):
    """Whether this process is the one that does a thing."""

    @property
    def is_held(self) -> bool:
        """Whether it is, at this instant."""

    @property
    def term(self) -> int:
        """The number of the last term that this process held; nought before the first."""


class Alone:
    """The lead of a process that has no others beside it."""

    is_held = True
    term = 0


def standing_of(session: Session, name: str) -> LeaseState | None:
    """A lease as it stands; None where nobody ever held it."""
    left = (LeaseRow.until - _now(session)).label("left")
    statement = select(LeaseRow.holder, LeaseRow.term, LeaseRow.until, left, LeaseRow.note)
    row = session.execute(statement.where(LeaseRow.name == name)).one_or_none()
    if row is None:
        return None
    return LeaseState(row.holder, row.term, row.until, row.left / 1000, json.loads(row.note))


def hold(session: Session, name: str, holder: str, seconds: float) -> None:
    """Keep a lease that anybody may keep beside others: until then it is wanted by somebody."""
    until = _now(session) + int(seconds * 1000)
    insert = insert_into(session, LeaseRow).values(
        name=name, holder=holder, term=0, until=until, note="{}"
    )
    session.execute(
        insert.on_conflict_do_update(
            index_elements=[LeaseRow.name], set_={"holder": holder, "until": until}
        )
    )


class Lease:
    """A lease that this process wants, kept from a thread of its own.

    Args:
        database: where it is kept.
        name: what it is for.
        note: asked at every renewal for what the others shall know; must not wait.
        owner: the mark of the process; another one in tests.
        lasts: seconds for which it is good.
    """

    def __init__(
        self,
        database: Database,
        name: str,
        note: Callable[[], dict[str, Any]] = dict,
        owner: str = OWNER,
        lasts: float = LASTS,
    ) -> None:
        self._database, self._name, self._owner, self._lasts = database, name, owner, lasts
        self.note = note
        self.term = 0
        self.seen: LeaseState | None = None
        """The lease as another process held it when it was last looked at."""
        self._until = 0.0
        self._stopping = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    @property
    def is_held(self) -> bool:
        """Whether this process holds it; untrue by itself when a renewal is late."""
        return time.monotonic() < self._until

    def start(self) -> None:
        """Begin to try for it; no start waits for that."""
        self._thread = Thread(target=self._keep, name=f"lease-{self._name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give it up at once, so that another process need not wait for its end."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(2)
        with self._lock:
            self._until = 0.0
        if not self.term:
            return
        try:
            with self._database.transaction() as session:
                row = session.get(LeaseRow, self._name, with_for_update=True)
                if row is not None and row.holder == self._owner:
                    row.until = 0
        except SQLAlchemyError as error:
            # It runs out by itself.
            log.warning("lease_not_given_up", lease=self._name, error=type(error).__name__)

    def attempt(self) -> bool:
        """Renew it, or take it where it is free; whether this process holds it now."""
        began = time.monotonic()
        with self._database.reading() as session:
            found = standing_of(session, self._name)
        if found is not None and not self._may_take(found):
            self.seen = found
            return self._note(0.0, 0)
        with self._database.transaction() as session:
            term = self._take(session, found)
        # Counted from before the question: what it took is not added to the time.
        return self._note(began + self._lasts if term is not None else 0.0, term or 0)

    def _may_take(self, found: LeaseState) -> bool:
        if found.holder == self._owner or found.seconds_left <= 0:
            return True
        is_silent = found.seconds_left < self._lasts - SURELY_SILENT
        return is_silent and is_gone(found.holder)

    def _take(self, session: Session, found: LeaseState | None) -> int | None:
        """The term; None where another process was quicker."""
        is_own = found is not None and found.holder == self._owner
        term = 1 if found is None else found.term + (not is_own)
        kept = {
            "holder": self._owner,
            "term": term,
            "until": _now(session) + int(self._lasts * 1000),
            "note": json.dumps(self.note()),
        }
        insert = insert_into(session, LeaseRow).values(name=self._name, **kept)
        if found is None:
            statement = insert.on_conflict_do_nothing()
        else:
            # As it was looked at: one that was renewed or taken meanwhile is left alone.
            as_found = (LeaseRow.holder == found.holder) & (LeaseRow.until == found.until)
            statement = insert.on_conflict_do_update(
                index_elements=[LeaseRow.name], set_=kept, where=as_found
            )
        return session.execute(statement.returning(LeaseRow.term)).scalar_one_or_none()

    def _note(self, until: float, term: int) -> bool:
        with self._lock:
            if self._stopping.is_set():
                until = 0.0
            was_held, self._until = self.is_held, until
            self.term = term or self.term
        if was_held != bool(until):
            log.info("lease_taken" if until else "lease_lost", lease=self._name, term=self.term)
        return bool(until)

    def _keep(self) -> None:
        while not self._stopping.is_set():
            try:
                is_held = self.attempt()
            except SQLAlchemyError as error:
                # The database may be away for a while; the lease runs out by itself meanwhile.
                log.warning("lease_not_renewed", lease=self._name, error=type(error).__name__)
                is_held = self.is_held
            self._stopping.wait(RENEW_EVERY if is_held else LOOK_EVERY)


def _now(session: Session) -> ColumnElement[int]:
    return literal_column(_NOW[session.get_bind().dialect.name], BigInteger)
