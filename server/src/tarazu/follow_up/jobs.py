"""Timed work of the follow-up."""

import datetime as dt
from collections.abc import Callable

from tarazu.follow_up import service
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Progress


def has_matching_due(database: Database, now: dt.datetime) -> bool:
    """Whether any client is to be matched again; writes nothing."""
    return service.has_matching_due(database, now)


def match_due(database: Database, now: dt.datetime, tell: Callable[[Progress], object]) -> int:
    """Match the advice of all clients that are due with their trades."""
    return service.match_due(database, now, tell)


def has_drafts_due(database: Database, now: dt.datetime) -> bool:
    """Whether any follow-up is to be drafted; writes nothing."""
    with database.reading() as session:
        return service.has_drafts_due(session, now)


def draft_due(database: Database, now: dt.datetime, tell: Callable[[Progress], object]) -> int:
    """Draft the follow-ups of advice whose window ended."""
    return service.draft_due(database, now, tell)


def has_reminders_due(database: Database, now: dt.datetime) -> bool:
    """Whether any client is to be reminded; writes nothing."""
    with database.reading() as session:
        return service.has_reminders_due(session, now)


def send_reminders(database: Database, settings: Settings, now: dt.datetime) -> int:
    """Queue the reminders that are due."""
    return service.send_reminders(database, settings, now)
