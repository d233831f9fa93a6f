"""Connections to SQLite: what each is set to, and the order of those that write."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pysqlite3.dbapi2 as bundled_sqlite
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from tarazu.kit import deadline
from tarazu.kit.disk import is_full
from tarazu.kit.write_queue import WriteQueue

LONGEST_LOCK: Final = 5.0
"""Seconds to wait for other writers."""


def prepare(engine: Engine, read_only: Mapping[str, object]) -> None:
    """Set up every connection of `engine` as money needs it, and have its writers take turns.

    Args:
        read_only: the options of a connection that only reads; any other one writes.
    """

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # The driver must not open transactions of its own: BEGIN below says which kind.
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
                raise _told_as_full(engine, error) from error

    turns = WriteQueue()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if read_only.items() <= connection.get_execution_options().items():
            # Waits for nobody and cannot fail: not worth the library's whole way to a statement.
            _of_driver(connection.connection).execute("BEGIN")
        else:
            _begin_writing(connection, turns)

    _end_turns(engine, turns)


def _told_as_full(
    engine: Engine, error: bundled_sqlite.OperationalError
) -> bundled_sqlite.OperationalError:
    """Without room for the files beside its own, SQLite speaks of a fault of the disk."""
    folder = Path(engine.url.database or "").parent
    if "disk I/O error" in str(error) and is_full(folder):
        return bundled_sqlite.OperationalError("database or disk is full")
    return error


def _begin_writing(connection: Connection, turns: WriteQueue) -> None:
    """Wait for the writers before, as long as the call has patience; five seconds at most.

    Those of this process stand in line; those of another one are SQLite's to wait for.

    Raises:
        OperationalError: they took longer.
    """
    own = deadline.current()
    allowed = LONGEST_LOCK if own is None else min(max(own.left, deadline.LEAST), LONGEST_LOCK)
    owner, began = _of_driver(connection.connection), time.monotonic()
    try:
        if not turns.take(owner, allowed):
            # In SQLite's own words, so that it is answered alike.
            raise OperationalError(
                "BEGIN IMMEDIATE", {}, bundled_sqlite.OperationalError("database is locked")
            )
        try:
            _begin_immediate(connection, allowed - (time.monotonic() - began))
        except BaseException:
            turns.give(owner)
            raise
    finally:
        if own is not None:
            own.left -= time.monotonic() - began


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


def _end_turns(engine: Engine, turns: WriteQueue) -> None:
    """Have each turn end with its transaction: no event tells when a commit is done."""
    commit, roll_back = engine.dialect.do_commit, engine.dialect.do_rollback

    def do_commit(connection: Any) -> None:
        commit(connection)
        turns.give(_of_driver(connection))

    def do_rollback(connection: Any) -> None:
        try:
            roll_back(connection)
        finally:
            turns.give(_of_driver(connection))

    engine.dialect.do_commit = do_commit  # type: ignore[assignment,method-assign]
    engine.dialect.do_rollback = do_rollback  # type: ignore[assignment,method-assign]

    @event.listens_for(engine, "close")
    def _close(connection: Any, _record: Any) -> None:
        turns.give(_of_driver(connection))


def _of_driver(connection: Any) -> Any:
    """The driver's connection, whether or not the pool stands around it."""
    return getattr(connection, "dbapi_connection", None) or connection
