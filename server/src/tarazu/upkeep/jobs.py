"""Timed upkeep."""

import datetime as dt

from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.upkeep import backups, purge


def back_up(database: Database, settings: Settings, now: dt.datetime) -> None:
    """Make the scheduled backup if it is due."""
    backups.make_due(database, settings, now)


def drop_old_reports(database: Database, now: dt.datetime) -> int:
    """Delete the reports of trial imports after a month."""
    return purge.drop_old_reports(database, now)


def drop_old_drafts(database: Database, now: dt.datetime) -> int:
    """Delete drafts of advice of deleted clients, and those unchanged for three months."""
    return purge.drop_old_drafts(database, now)


def drop_old_changes(database: Database, now: dt.datetime) -> int:
    """Delete what readings of holdings changed so long ago that no corporate action needs it."""
    return purge.drop_old_changes(database, now)


def drop_old_links(database: Database, now: dt.datetime) -> int:
    """Delete clients' connect links a month after they expired."""
    return purge.drop_old_links(database, now)
