"""Timed work on corporate actions: on its ex-date, an announced action is applied."""

import datetime as dt

from tarazu.corporate_actions import service
from tarazu.kit.db import Database


def apply_due(database: Database, now: dt.datetime) -> int:
    """Apply the announced actions whose ex-date has come; return how many."""
    return service.apply_due(database, now)
