"""Timed work on the audit trail."""

import datetime as dt
from pathlib import Path

import structlog

from tarazu.audit import service
from tarazu.audit.stream import has_rows_due, send_due
from tarazu.kit.alarms import Alarm
from tarazu.kit.db import Database

__all__ = ["has_rows_due", "note_head", "send_due"]

log = structlog.get_logger()


def note_head(database: Database, heads_file: Path, now: dt.datetime) -> None:
    """Note the last row of the trail, so that a later loss is noticed."""
    with database.reading() as session:
        loss = service.loss_noted(session, heads_file)
        if loss is not None:
            log.error("alarm", alarm=Alarm.OLDER.value, text=loss)
        service.note_head(session, heads_file, now)
