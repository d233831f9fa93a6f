"""Checks that the database file is undamaged, and that it was not replaced by an older one."""

import datetime as dt
from typing import Final

import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from tarazu.audit import service as audit
from tarazu.kit.alarms import Alarm, Alarms
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings

log = structlog.get_logger()

RESTORE: Final = (
    "Stop Tarazu, keep the damaged files, and restore the last good backup: "
    "tarazu restore FILE --data-dir EMPTY_DIRECTORY"
)
NOT_READY: Final = (
    "The database is damaged; an administrator must stop Tarazu and restore the last good backup: "
    "tarazu restore FILE --data-dir EMPTY_DIRECTORY"
)
CHECK_FILES_EVERY: Final = dt.timedelta(days=1)


def faults_of(database: Database, *, is_thorough: bool = False) -> list[str]:
    """What SQLite finds wrong with its file; nothing for PostgreSQL, which has no such check.

    Args:
        is_thorough: also compare every index with its table, which takes longer.
    """
    if not database.is_sqlite:
        return []
    check = "integrity_check" if is_thorough else "quick_check"
    faults: list[str] = []
    try:
        with database.reading() as session:
            for message in session.execute(text(f"PRAGMA {check}")).scalars():
                # One by one: what it found before it can read no further is reported.
                faults += [] if message == "ok" else [" ".join(str(message).split())]
            if not faults:
                lost = session.execute(text("PRAGMA foreign_key_check")).all()
                tables = sorted({str(row[0]) for row in lost})
                faults += [f"a row of {table} refers to a missing row" for table in tables]
    except DBAPIError as error:
        faults.append(" ".join(str(error.orig).split()))
    return faults


class DatabaseWatch:
    """Checks the database of a serving process, and raises its alarms."""

    def __init__(self, settings: Settings, database: Database, alarms: Alarms) -> None:
        self._heads_file, self._database = settings.audit_heads_file, database
        self._alarms, self._stream = alarms, settings.audit_stream
        self._files_checked_at: dt.datetime | None = None

    def look(self, now: dt.datetime) -> None:
        """Compare the audit trail with its noted ends, and note this one; once a day check the file."""
        checked_at = self._files_checked_at
        if checked_at is None or not checked_at <= now < checked_at + CHECK_FILES_EVERY:
            self._files_checked_at = now
            is_damaged = bool(faults_of(self._database))
            self._alarms.set(Alarm.DAMAGED, NOT_READY if is_damaged else None)
        try:
            with self._database.reading() as session:
                self._alarms.set(Alarm.OLDER, audit.loss_noted(session, self._heads_file))
        except SQLAlchemyError as error:
            # The process serves what it can; the next check is in an hour.
            log.warning("trail_not_compared", error=type(error).__name__)
            return
        self.note(now)

    def look_at_stream(self, now: dt.datetime) -> None:
        """Raise the alarm of an audit stream that has stopped, or end it."""
        self._alarms.set(Alarm.STREAM, audit.stall_of(self._database, self._stream, now))

    def note(self, now: dt.datetime) -> None:
        """Note where the audit trail ends, outside the database."""
        try:
            with self._database.reading() as session:
                audit.note_head(session, self._heads_file, now)
        except (SQLAlchemyError, OSError) as error:
            # Without the database, or on a full disk, starts and stops must still work.
            log.warning("trail_not_noted", error=type(error).__name__)
