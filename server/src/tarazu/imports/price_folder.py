"""The watched folder: new files of closing prices in it are imported.

A file is imported once, whatever its name: its hash identifies it. No file is moved or deleted, as
another program may fill the folder.
"""

import datetime as dt
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from tarazu.imports import price_files
from tarazu.imports.uploads import MAX_FILE_BYTES
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.prices import service as prices

log = structlog.get_logger()

RETRY_AFTER: Final = dt.timedelta(hours=1)
"""A refused file is read again: its day may be over by then, or a holiday corrected."""
SETTLE_TIME: Final = dt.timedelta(seconds=10)
"""A file that was changed more recently may be incomplete."""
MAX_FILES: Final = 20

_seen: dict[Path, tuple[int, int]] = {}
"""Size and time of change of the imported files, so that they are not opened each time."""


def read_folder(database: Database, folder: Path, now: dt.datetime) -> int:
    """Import the new price files of a folder, by name; return how many.

    A refused file is logged, and `tarazu doctor` reports it.
    """
    imported = 0
    for path in _candidates(folder, now):
        content = path.read_bytes()
        file_hash = hashlib.sha256(content).hexdigest()
        with database.reading() as session:
            known = prices.file_read(session, file_hash)
            is_due = known is None or (known.problem and known.at <= now - RETRY_AFTER)
        if is_due:
            imported += _read(database, path, content, now)
        if known is not None and not known.problem:
            _seen[path] = _size_and_time_of(path)
    return imported


def _read(database: Database, path: Path, content: bytes, now: dt.datetime) -> bool:
    try:
        file = price_files.read_price_file(content, path.name)
        report = price_files.import_prices(database, SYSTEM, now, file, is_dry_run=False)
    except ApiError as refusal:
        log.warning("price_file_refused", file=path.name, reason=refusal.message)
        row = {
            "hash": hashlib.sha256(content).hexdigest(),
            "name": path.name,
            "source": "",
            "day": None,
            "prices": 0,
            "problem": refusal.message,
            "at": now,
            "account_id": None,
        }
        with database.transaction() as session:
            prices.note_file(session, row)
        return False
    log.info("price_file_read", file=path.name, day=report.day.isoformat())
    return True


def _candidates(folder: Path, now: dt.datetime) -> Iterator[Path]:
    """Files that may be new, by name, without broken links and large files."""
    count = 0
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in {".csv", ".zip"} or not path.is_file():
            continue
        size, changed = _size_and_time_of(path)
        is_settled = now.timestamp() - changed / 1e9 > SETTLE_TIME.total_seconds()
        if _seen.get(path) == (size, changed) or not is_settled or size > MAX_FILE_BYTES:
            continue
        count += 1
        if count > MAX_FILES:
            return
        yield path


def _size_and_time_of(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns
