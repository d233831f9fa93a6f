"""Leader election: a lease in the database says which process does a thing.

Unlike a job (`kit/jobs.py`) a lease has no end, changes hands within seconds, and uses the clock of
the database. The leader renews it every second or two. If the leader is killed, another process
takes the lease once it has run out, or sooner if it sees that the leader ended on this machine.
Each new leader has the next term, so that late messages of an earlier one can be ignored.
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
from tarazu.kit.processes import is_gone, own_id

log = structlog.get_logger()

LASTS: Final = 6.0
"""Seconds for which a lease is valid unless it is renewed."""
RENEW_EVERY: Final = 1.5
LOOK_EVERY: Final = 1.0
"""Seconds between two attempts of a process that waits for it."""
SURELY_SILENT: Final = 3.0
"""Seconds without a renewal before a process that ended loses its lease early."""

_NOW: Final[dict[str, str]] = {
    "postgresql": "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
    "sqlite": "CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)",
}


class LeaseRow(Table):
    """The holder of a lease, and until when: milliseconds since 1970 by the database's clock."""

    __tablename__ = "leases"

    name: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[str]
    term: Mapped[int] = mapped_column(BigInteger)
    until: Mapped[int] = mapped_column(BigInteger)
    note: Mapped[str] = mapped_column(Text)


@dataclass(frozen=True, slots=True)
class LeaseState:
    """A lease as it was read. `note` is what the holder publishes with it."""

    holder: str
    term: int
    until: int
    seconds_left: float
    note: dict[str, Any]


class Lead(Protocol):
    """Whether this process is the leader."""

    @property
    def is_held(self) -> bool:
        """Whether it is at this instant."""

    @property
    def term(self) -> int:
        """The last term in which this process was the leader; 0 before the first."""


class Alone:
    """The lead of a process that serves alone."""

    is_held = True
    term = 0


def lease_state(session: Session, name: str) -> LeaseState | None:
    """The current state of a lease; None if no process ever held it."""
    left = (LeaseRow.until - _now(session)).label("left")
    statement = select(LeaseRow.holder, LeaseRow.term, LeaseRow.until, left, LeaseRow.note)
    row = session.execute(statement.where(LeaseRow.name == name)).one_or_none()
    if row is None:
        return None
    return LeaseState(row.holder, row.term, row.until, row.left / 1000, json.loads(row.note))


def hold(session: Session, name: str, holder: str, seconds: float) -> None:
    """Extend a lease that several processes share: until then at least one of them needs it."""
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
    """This process's part in a leader election, run by a thread.

    Args:
        database: where the lease is stored.
        name: what it is for.
        note: called at every renewal; what the other processes shall know. It must not block.
        owner: the id of the process; another one in tests.
        lasts: seconds for which the lease is valid.
    """

    def __init__(
        self,
        database: Database,
        name: str,
        note: Callable[[], dict[str, Any]] = dict,
        owner: str | None = None,
        lasts: float = LASTS,
    ) -> None:
        self._database, self._name, self._lasts = database, name, lasts
        self._owner = owner or own_id()
        self.note = note
        self.term = 0
        self.seen: LeaseState | None = None
        """The lease of another process when it was last read."""
        self._until = 0.0
        self._stopping = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    @property
    def is_held(self) -> bool:
        """Whether this process holds it; false as soon as a renewal is late."""
        return time.monotonic() < self._until

    def start(self) -> None:
        """Start to try for it, without waiting."""
        self._thread = Thread(target=self._run, name=f"lease-{self._name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Release it, so that another process can take it at once."""
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
            # It runs out in a few seconds.
            log.warning("lease_not_released", lease=self._name, error=type(error).__name__)

    def attempt(self) -> bool:
        """Renew it, or take it if it is free; returns whether this process holds it now."""
        began = time.monotonic()
        with self._database.reading() as session:
            state = lease_state(session, self._name)
        if state is not None and not self._may_take(state):
            self.seen = state
            return self._set(0.0, 0)
        with self._database.transaction() as session:
            term = self._take(session, state)
        # Counted from before the query: the time it took is not added.
        return self._set(began + self._lasts if term is not None else 0.0, term or 0)

    def _may_take(self, state: LeaseState) -> bool:
        if state.holder == self._owner or state.seconds_left <= 0:
            return True
        is_silent = state.seconds_left < self._lasts - SURELY_SILENT
        return is_silent and is_gone(state.holder)

    def _take(self, session: Session, state: LeaseState | None) -> int | None:
        """The new term; None if another process was quicker."""
        is_own = state is not None and state.holder == self._owner
        term = 1 if state is None else state.term + (not is_own)
        values = {
            "holder": self._owner,
            "term": term,
            "until": _now(session) + int(self._lasts * 1000),
            "note": json.dumps(self.note()),
        }
        insert = insert_into(session, LeaseRow).values(name=self._name, **values)
        if state is None:
            statement = insert.on_conflict_do_nothing()
        else:
            # Only if it is as it was read: not if it was renewed or taken meanwhile.
            is_unchanged = (LeaseRow.holder == state.holder) & (LeaseRow.until == state.until)
            statement = insert.on_conflict_do_update(
                index_elements=[LeaseRow.name], set_=values, where=is_unchanged
            )
        return session.execute(statement.returning(LeaseRow.term)).scalar_one_or_none()

    def _set(self, until: float, term: int) -> bool:
        with self._lock:
            if self._stopping.is_set():
                until = 0.0
            was_held, self._until = self.is_held, until
            self.term = term or self.term
        if was_held != bool(until):
            log.info("lease_taken" if until else "lease_lost", lease=self._name, term=self.term)
        return bool(until)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                is_held = self.attempt()
            except SQLAlchemyError as error:
                # The database may be away for a while; the lease runs out meanwhile.
                log.warning("lease_not_renewed", lease=self._name, error=type(error).__name__)
                is_held = self.is_held
            self._stopping.wait(RENEW_EVERY if is_held else LOOK_EVERY)


def _now(session: Session) -> ColumnElement[int]:
    return literal_column(_NOW[session.get_bind().dialect.name], BigInteger)
