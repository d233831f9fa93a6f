"""The watched folder: the exchange's files of closing prices are read as they are put there.

A file is read once, whatever it is called: it is known again by what is in it. Nothing is moved or
deleted, so that the folder may be one that another program fills.
"""

import datetime as dt
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from tarazu.imports import price_files
from tarazu.imports.service import LARGEST_FILE
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.prices import service as prices

log = structlog.get_logger()

AGAIN_AFTER: Final = dt.timedelta(hours=1)
"""A refused file is read again: its day may be over by then, or a holiday corrected."""
SETTLED: Final = dt.timedelta(seconds=10)
"""A file that was written to just now may not be whole yet."""
MOST_AT_ONCE: Final = 20

_seen: dict[Path, tuple[int, int]] = {}
"""Size and time of change of the files that were read, so that they are not opened each time."""


def read_folder(database: Database, folder: Path, now: dt.datetime) -> int:
    """Take in the files of prices that are new in a folder, by name; how many there were.

    A file that is refused is logged, and told by `tarazu doctor`.
    """
    taken = 0
    for path in _candidates(folder, now):
        content = path.read_bytes()
        file_hash = hashlib.sha256(content).hexdigest()
        with database.reading() as session:
            known = prices.file_read(session, file_hash)
            is_due = known is None or (known.problem and known.at <= now - AGAIN_AFTER)
        if is_due:
            taken += _read(database, path, content, now)
        if known is not None and not known.problem:
            _seen[path] = _mark_of(path)
    return taken


def _read(database: Database, path: Path, content: bytes, now: dt.datetime) -> bool:
    try:
        given = price_files.read_price_file(content, path.name)
        report = price_files.import_prices(database, SYSTEM, now, given, is_dry_run=False)
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
    """Files that may be new, by name; links that lead nowhere and large files are left out."""
    found = 0
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in {".csv", ".zip"} or not path.is_file():
            continue
        size, changed = _mark_of(path)
        is_settled = now.timestamp() - changed / 1e9 > SETTLED.total_seconds()
        if _seen.get(path) == (size, changed) or not is_settled or size > LARGEST_FILE:
            continue
        found += 1
        if found > MOST_AT_ONCE:
            return
        yield path


def _mark_of(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns
