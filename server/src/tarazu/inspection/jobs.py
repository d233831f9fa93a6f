"""Makes the files of packs, one after another, and removes them after their days."""

import datetime as dt
import hashlib
import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from tarazu.inspection import queries, service
from tarazu.inspection.service import ListedPack
from tarazu.inspection.tables import PackState
from tarazu.inspection.writing import write_pack
from tarazu.kit import audit_log, disk, jobs
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.jobs import Claim, ClaimLost
from tarazu.kit.settings import Settings
from tarazu.people.tables import Role

log = structlog.get_logger()

KEPT: Final = dt.timedelta(days=7)
"""How long the file of a pack stays; it has the firm's records in clear."""
MOST_CLAIMS: Final = 3
"""Processes that may end while they make a pack, before it is given up."""
_NOTED_EVERY: Final = 1.0
_FULL: Final = "The disk of the server is full. Make room, then make the pack again."
_FAILED: Final = "Something went wrong, and no pack was made. The log of the server says more."
_STOPPED: Final = "The server stopped several times while it made this pack. Choose fewer days."


def make_due(database: Database, settings: Settings, now: Callable[[], dt.datetime]) -> None:
    """Make the packs that wait. It may be killed at any point: another process begins again."""
    while (claim := jobs.claim(database, service.KIND, now())) is not None:
        with jobs.heartbeat(database, claim, now):
            _make(database, settings, now, claim)


def remove_old(database: Database, settings: Settings, now: dt.datetime) -> int:
    """Remove the files of packs after their days; how many."""
    with database.transaction() as session:
        old = queries.ready_before(session, now - KEPT)
        for pack in old:
            pack.state = PackState.REMOVED
    # Also those of other processes, and what a killed one left: each server has its own folder.
    for path in settings.packs_dir.glob("*.zip*"):
        if dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC) < now - KEPT:
            path.unlink(missing_ok=True)
    return len(old)


def _make(
    database: Database, settings: Settings, now: Callable[[], dt.datetime], claim: Claim
) -> None:
    pack_id = uuid.UUID(claim.key)
    if claim.number > MOST_CLAIMS:
        _end(database, claim, now(), error=_STOPPED)
        return
    path = service.path_of(settings, pack_id)
    part = path.with_name(f"{path.name}.{claim.number}")
    try:
        disk.make_folder(path.parent)
        sha256, size = _write(database, pack_id, part)
        part.replace(path)
        _end(database, claim, now(), sha256=sha256, size=size)
    except (DBAPIError, PoolTimeoutError):
        # The database is away: the pack is made again once the lease ends.
        part.unlink(missing_ok=True)
        raise
    except ClaimLost:
        log.warning("pack_taken_over", pack_id=claim.key)
    except Exception as error:
        # The person who waits for the pack gets the reason.
        if part.is_file():
            part.unlink()
        log.exception("pack_failed", pack_id=claim.key, error=type(error).__name__)
        is_full = isinstance(error, OSError) and error.errno in disk.OUT_OF_SPACE
        _end(database, claim, now(), error=_FULL if is_full else _FAILED)


def _write(database: Database, pack_id: uuid.UUID, part: Path) -> tuple[str, int]:
    """Write the file of a pack; its SHA-256 and its size."""
    noted = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal noted
        if time.monotonic() - noted >= _NOTED_EVERY or done == total:
            noted = time.monotonic()
            with database.transaction() as session:
                queries.note_progress(session, pack_id, done, total)

    # For the owner alone: the pack has the firm's records in clear.
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w+b") as file, database.reading() as session:
        write_pack(session, service.listed_pack(session, pack_id), file, progress)
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest(), part.stat().st_size


def _end(
    database: Database,
    claim: Claim,
    now: dt.datetime,
    *,
    sha256: str = "",
    size: int = 0,
    error: str = "",
) -> None:
    with database.transaction() as session:
        jobs.finish(session, claim, now)
        pack = queries.pack(session, uuid.UUID(claim.key), for_update=True)
        if pack is None:
            return
        pack.state = PackState.FAILED if error else PackState.READY
        pack.sha256, pack.size, pack.error, pack.finished_at = sha256, size, error, now
        session.flush()
        _note(session, service.listed_pack(session, pack.id), now)


def _note(session: Session, pack: ListedPack, now: dt.datetime) -> None:
    row = pack.row
    actor = Actor(row.made_by, Role.ADMIN, pack.made_by)
    subject = ("client", row.client_id) if row.client_id else ("inspection_pack", row.id)
    action = "inspection_pack_made" if row.state is PackState.READY else "inspection_pack_failed"
    result = {"sha256": row.sha256, "bytes": row.size} if row.sha256 else {"reason": row.error}
    audit_log.record(session, actor, now, action, subject, service.about(row) | result)
