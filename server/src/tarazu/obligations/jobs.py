"""Timed work of obligations."""

import datetime as dt

from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.obligations import service


def count_clients(database: Database, now: dt.datetime) -> int:
    """Store the number of clients of the days that are over."""
    return service.count_clients(database, now)


def send_reminders(database: Database, settings: Settings, now: dt.datetime) -> int:
    """Queue the reminders that are due."""
    return service.send_reminders(database, settings, now)
