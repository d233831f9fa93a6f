"""Timed work on the audit trail."""

import datetime as dt
from pathlib import Path

from tarazu.audit import service
from tarazu.kit.db import Database


def note_head(database: Database, heads_file: Path, now: dt.datetime) -> None:
    """Write down each day where the trail ends, so that what is cut off later is missed."""
    with database.reading() as session:
        service.note_head(session, heads_file, now)
