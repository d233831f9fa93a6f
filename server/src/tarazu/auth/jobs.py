"""Timed work on accounts."""

import datetime as dt

from tarazu.auth import recovery
from tarazu.kit.db import Database


def drop_what_is_past(database: Database, now: dt.datetime) -> int:
    """Drop used and expired links, one-time codes and counts of attempts."""
    with database.transaction() as session:
        return recovery.purge(session, now)
