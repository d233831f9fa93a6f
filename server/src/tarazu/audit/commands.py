"""The audit trail from the command line."""

from collections.abc import Callable
from pathlib import Path

from tarazu.audit import service
from tarazu.kit.db import Database


def verify(database: Database, heads_file: Path, say: Callable[[str], object]) -> str | None:
    """Check the whole trail; the first fault in one line, or None."""
    with database.reading() as session:
        checked = service.verify(session, heads_file)
    if checked.fault is not None:
        return f"audit trail check failed: {checked.message}"
    head = f", the last is {checked.head.seq} with {checked.head.hash}" if checked.head else ""
    say(f"Audit trail verified: {checked.rows} rows{head}.")
    return None
