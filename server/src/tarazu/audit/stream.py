"""The audit stream: every row of the trail goes to a file or to syslog too, in order, at least once.

The position is in the database and moves after a batch has arrived. A process that is killed in
between sends the batch again: readers tell copies by `seq` and `hash`.
"""

import datetime as dt
import json
from typing import Final

import structlog

from tarazu.audit import queries
from tarazu.audit.adapters.sinks import Line, Sink, sink_of
from tarazu.audit.tables import AuditStream
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import Database

log = structlog.get_logger()

BATCH: Final = 500
AGAIN_AFTER: Final = dt.timedelta(seconds=30)
STALLED_AFTER: Final = dt.timedelta(minutes=10)


def has_rows_due(database: Database, target: str, now: dt.datetime) -> bool:
    """Whether rows wait for the target, and no attempt has failed just now."""
    with database.reading() as session:
        position = queries.stream_position(session, target)
        if position is None:
            return True
        failed_at = position.failed_at
        if failed_at is not None and failed_at <= now < failed_at + AGAIN_AFTER:
            return False
        return queries.oldest_row_after(session, position.seq) is not None


def send_due(database: Database, target: str, now: dt.datetime, sink: Sink | None = None) -> int:
    """Send every row that the target does not have yet; returns how many it took.

    An attempt that fails is noted, for Readiness; the next one begins where this one ended.
    """
    sink, sent = sink or sink_of(target), 0
    seq = _begun(database, target, now).seq
    while True:
        with database.reading() as session:
            rows = queries.rows_after(session, seq, BATCH)
            lines = [_line(row) for row in rows]
            last = rows[-1].seq if rows else seq
        if not lines:
            return sent
        error = ""
        try:
            sink.send(lines)
        except OSError as failure:
            error = failure.strerror or type(failure).__name__
            log.warning("audit_stream_failed", error=error)
        with database.transaction() as session:
            if error:
                queries.note_stream_failure(session, target, now, error)
                return sent
            queries.move_stream(session, target, seq, last, now)
        seq, sent = last, sent + len(lines)


def stall_of(database: Database, target: str, now: dt.datetime) -> str | None:
    """A sentence if rows have waited for the target for ten minutes; None otherwise.

    A target that nobody has sent to begins here, so that it is missed where no process sends.
    """
    if not target:
        return None
    position = _begun(database, target, now)
    with database.reading() as session:
        oldest = queries.oldest_row_after(session, position.seq)
    if oldest is None or now - max(oldest.at, position.moved_at) < STALLED_AFTER:
        return None
    why = f" ({position.error})" if position.error else ""
    return (
        f"The audit stream has stopped: rows since {oldest.seq} have not arrived{why}. Nothing is "
        "lost: an administrator should check the file or the syslog server of TARAZU_AUDIT_STREAM."
    )


def _begun(database: Database, target: str, now: dt.datetime) -> AuditStream:
    with database.reading() as session:
        position = queries.stream_position(session, target)
    if position is not None:
        return position
    with database.transaction() as session:
        return queries.begin_stream(session, target, now)


def _line(row: AuditRow) -> Line:
    at = row.at.astimezone(dt.UTC).isoformat()
    fields = {
        "seq": row.seq,
        "at": at,
        "accountId": str(row.account_id) if row.account_id else None,
        "role": row.role,
        "ip": row.ip,
        "sessionId": str(row.session_id) if row.session_id else None,
        "requestId": row.request_id,
        "action": row.action,
        "kind": row.kind,
        "recordId": row.record_id,
        "changes": json.loads(row.changes),
        "previousHash": row.previous_hash,
        "hash": row.hash,
    }
    short = fields | {"changes": None, "isShortened": True}
    return Line(at, json.dumps(fields), json.dumps(short))
