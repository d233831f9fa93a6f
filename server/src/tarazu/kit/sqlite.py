"""Connections to SQLite: their settings, and the queue of those that write."""

import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final

import pysqlite3.dbapi2 as bundled_sqlite
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from tarazu.kit import deadline
from tarazu.kit.disk import is_full

LONGEST_LOCK: Final = 5.0
"""Seconds to wait for other writers."""


class WriteQueue:
    """Lets one owner, a connection, write at a time, in the order in which they came.

    SQLite has one writer at a time, and a waiting one retries after growing pauses: under load the
    first to come can wait for seconds while later ones pass it (docs/decisions/0018-sqlite-writes.md).
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: object | None = None
        self._waiting: deque[tuple[object, Event]] = deque()

    def take(self, owner: object, seconds: float) -> bool:
        """Wait for the turn, at most so long; returns whether `owner` has it."""
        with self._lock:
            if self._owner is owner:
                return True
            if self._owner is None:
                self._owner = owner
                return True
            entry = owner, Event()
            self._waiting.append(entry)
        if entry[1].wait(seconds):
            return True
        with self._lock:
            # It may have come since the wait ended.
            if entry[1].is_set():
                return True
            self._waiting.remove(entry)
            return False

    def give(self, owner: object) -> None:
        """End the turn of `owner`, if it has it; the next in the queue gets it."""
        with self._lock:
            if self._owner is not owner:
                return
            self._owner = None
            if self._waiting:
                self._owner, has_turn = self._waiting.popleft()
                has_turn.set()


def prepare(engine: Engine, read_only: Mapping[str, object]) -> None:
    """Set up every connection of `engine` for durable commits, and queue its writers.

    Args:
        read_only: the options of a connection that only reads; any other one writes.
    """

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # The driver must not open transactions: BEGIN below does, of the right kind.
        connection.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={LONGEST_LOCK * 1000:.0f}",
            "temp_store=MEMORY",
        ):
            try:
                connection.execute(f"PRAGMA {pragma}")
            except bundled_sqlite.OperationalError as error:
                raise _full_disk_error(engine, error) from error

    queue = WriteQueue()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if read_only.items() <= connection.get_execution_options().items():
            # Cannot wait or fail, so SQLAlchemy's way to a statement is not needed.
            _of_driver(connection.connection).execute("BEGIN")
        else:
            _begin_writing(connection, queue)

    _end_turns(engine, queue)


def _full_disk_error(
    engine: Engine, error: bundled_sqlite.OperationalError
) -> bundled_sqlite.OperationalError:
    """SQLite reports an I/O error when there is no room for its WAL files."""
    folder = Path(engine.url.database or "").parent
    if "disk I/O error" in str(error) and is_full(folder):
        return bundled_sqlite.OperationalError("database or disk is full")
    return error


def _begin_writing(connection: Connection, queue: WriteQueue) -> None:
    """Wait for the writers before until the deadline of the call, five seconds at most.

    Those of this process are in the queue; SQLite waits for those of other processes.

    Raises:
        OperationalError: they took longer.
    """
    own = deadline.current()
    allowed = LONGEST_LOCK if own is None else min(max(own.left, deadline.LEAST), LONGEST_LOCK)
    owner, started = _of_driver(connection.connection), time.monotonic()
    try:
        if not queue.take(owner, allowed):
            # SQLite's own message, so that it is answered alike.
            raise OperationalError(
                "BEGIN IMMEDIATE", {}, bundled_sqlite.OperationalError("database is locked")
            )
        try:
            _begin_immediate(connection, allowed - (time.monotonic() - started))
        except BaseException:
            queue.give(owner)
            raise
    finally:
        if own is not None:
            own.left -= time.monotonic() - started


def _begin_immediate(connection: Connection, seconds: float) -> None:
    is_short = seconds < LONGEST_LOCK - deadline.LEAST
    if is_short:
        allowed = int(max(seconds, deadline.LEAST) * 1000)
        connection.exec_driver_sql(f"PRAGMA busy_timeout={allowed}")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        if is_short:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={LONGEST_LOCK * 1000:.0f}")


def _end_turns(engine: Engine, queue: WriteQueue) -> None:
    """End each turn with its transaction: SQLAlchemy has no event after a commit."""
    commit, roll_back = engine.dialect.do_commit, engine.dialect.do_rollback

    def do_commit(connection: Any) -> None:
        commit(connection)
        queue.give(_of_driver(connection))

    def do_rollback(connection: Any) -> None:
        try:
            roll_back(connection)
        finally:
            queue.give(_of_driver(connection))

    engine.dialect.do_commit = do_commit  # type: ignore[assignment,method-assign]
    engine.dialect.do_rollback = do_rollback  # type: ignore[assignment,method-assign]

    @event.listens_for(engine, "close")
    def _close(connection: Any, _record: Any) -> None:
        queue.give(_of_driver(connection))


def _of_driver(connection: Any) -> Any:
    """The driver's connection, of a pooled one or itself."""
    return getattr(connection, "dbapi_connection", None) or connection
