"""Timed work of imports: those whose process ended."""

import datetime as dt

from tarazu.imports import running
from tarazu.kit.db import Database


def look_after(database: Database, now: dt.datetime) -> None:
    """Go on with large imports that a dead process left; mark the others as failed."""
    running.take_up(database, now)
    running.fail_abandoned(database, now)
