"""Timed work of the demo firm: its clients log in and are synced every business morning."""

import datetime as dt

from tarazu.demo import synced
from tarazu.kit.db import Database


def is_day_due(database: Database, now: dt.datetime) -> bool:
    """Whether the demo's clients are to log in and to be synced."""
    with database.reading() as session:
        return synced.is_due(session, now)


def open_due_day(database: Database, now: dt.datetime) -> None:
    """Let the demo's clients log in, and sync them."""
    with database.transaction() as session:
        if synced.is_due(session, now):
            synced.open_day(session, now)
