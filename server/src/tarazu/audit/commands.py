"""The audit trail from the command line."""

from collections.abc import Callable
from pathlib import Path

from tarazu.audit import service
from tarazu.kit.db import Database


def verify(database: Database, heads_file: Path, say: Callable[[str], object]) -> str | None:
    """Walk the whole trail; None, or the first fault in one line."""
    with database.reading() as session:
        found = service.verify(session, heads_file)
    if found.fault is not None:
        return f"the audit trail does not hold: {found.message}"
    head = f", the last is {found.head.seq} with {found.head.hash}" if found.head else ""
    say(f"The audit trail holds: {found.rows} rows{head}.")
    return None
