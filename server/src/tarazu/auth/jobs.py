"""Scheduled jobs on accounts."""

import datetime as dt

from tarazu.auth import passwords
from tarazu.kit.db import Database


def drop_what_is_past(database: Database, now: dt.datetime) -> int:
    """Delete expired links, one-time codes and counts of attempts."""
    with database.transaction() as session:
        return passwords.purge(session, now)
