"""The audit trail: a row for each change, in the caller's transaction, chained by hashes.

Each row's hash covers the row and the hash before it. The newest hash is in a row of its own, as
well, bound with the trail's key, so that rows cut off at the end are missed.
"""

import datetime as dt
import hashlib
import hmac
import json
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Integer, Row, Text, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import Database, InstantColumn, Table, acquire_lock, parts_of
from tarazu.kit.locks import AdvisoryLock

ROWS_AT_ONCE = 2_000
PURGED = "audit_purged"
"""The row that says up to where older rows were removed, once their years were over."""


class AuditRow(Table):
    __tablename__ = "audit"

    seq: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )
    at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    account_id: Mapped[uuid.UUID | None]
    role: Mapped[str]
    ip: Mapped[str]
    session_id: Mapped[uuid.UUID | None]
    request_id: Mapped[str]
    action: Mapped[str] = mapped_column(index=True)
    kind: Mapped[str]
    record_id: Mapped[str] = mapped_column(index=True)
    changes: Mapped[str] = mapped_column(Text)
    previous_hash: Mapped[str]
    hash: Mapped[str]


class AuditHead(Table):
    """A copy of the newest row's number and hash; `mac` binds both with the trail's key."""

    __tablename__ = "audit_head"

    id: Mapped[int] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger)
    hash: Mapped[str]
    mac: Mapped[str]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: a signed-in member of staff, or the system (no account)."""

    account_id: uuid.UUID | None
    role: str
    name: str = ""
    session_id: uuid.UUID | None = None
    ip: str = ""
    request_id: str = ""


SYSTEM = Actor(None, "SYSTEM", "Tarazu")


def record(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    action: str,
    record_of: tuple[str, object],
    changes: Mapping[str, Any] | None = None,
) -> None:
    """Add one row to the trail, in the caller's transaction.

    Args:
        action: what was done, in the past: `client_added`.
        record_of: the kind of record and its id.
        changes: fields after the change, or `[before, after]` pairs; secrets as "changed".
    """
    acquire_lock(session, AdvisoryLock.AUDIT_TRAIL)
    key = _key_of(session)
    last, has_head = _last_hash(session)
    row = AuditRow(
        at=now,
        account_id=actor.account_id,
        role=actor.role,
        ip=actor.ip,
        session_id=actor.session_id,
        request_id=actor.request_id,
        action=action,
        kind=record_of[0],
        record_id=str(record_of[1]),
        changes=json.dumps(changes or {}, default=_plain, ensure_ascii=False, sort_keys=True),
        previous_hash=last,
    )
    row.hash = chained_hash(row, key)
    session.add(row)
    session.flush()
    if has_head:
        mac = _mac_of(row.seq, row.hash, key)
        values = {"seq": row.seq, "hash": row.hash, "mac": mac}
        session.execute(update(AuditHead).where(AuditHead.id == 1).values(values))
    elif not last:
        begin_head(session)


def record_many(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    action: str,
    records: Sequence[tuple[tuple[str, object], Mapping[str, Any]]],
) -> None:
    """Add a row for each of many records, chained in their order, in the caller's transaction.

    Args:
        action: what was done to each of them.
        records: what each row is of, and its changes; as for `record`.
    """
    if not records:
        return
    acquire_lock(session, AdvisoryLock.AUDIT_TRAIL)
    key = _key_of(session)
    last, has_head = _last_hash(session)
    if not last:
        # The first rows of all found the record of the trail's end.
        (about, changes), *records = records
        record(session, actor, now, action, about, changes)
        last, has_head = _last_hash(session)
    rows = []
    for (kind, record_id), changes in records:
        row = AuditRow(
            at=now,
            account_id=actor.account_id,
            role=actor.role,
            ip=actor.ip,
            session_id=actor.session_id,
            request_id=actor.request_id,
            action=action,
            kind=kind,
            record_id=str(record_id),
            changes=json.dumps(changes, default=_plain, ensure_ascii=False, sort_keys=True),
            previous_hash=last,
        )
        row.hash = last = chained_hash(row, key)
        rows.append(row)
    session.add_all(rows)
    session.flush()
    if has_head and rows:
        mac = _mac_of(rows[-1].seq, last, key)
        values = {"seq": rows[-1].seq, "hash": last, "mac": mac}
        session.execute(update(AuditHead).where(AuditHead.id == 1).values(values))


def begin_head(session: Session) -> None:
    """Tell the newest row a second time, where that is not done yet."""
    newest = select(AuditRow.seq, AuditRow.hash).order_by(AuditRow.seq.desc()).limit(1)
    last = session.execute(newest).first()
    if last is not None and session.execute(select(AuditHead.id)).first() is None:
        mac = _mac_of(last.seq, last.hash, _key_of(session))
        session.add(AuditHead(id=1, seq=last.seq, hash=last.hash, mac=mac))
        session.flush()


def _last_hash(session: Session) -> tuple[str, bool]:
    """The hash to chain on, "" at the beginning, and whether it is stored a second time.

    A head that somebody took away is not made again: the next check must say that it is missing.
    """
    head_hash = session.execute(select(AuditHead.hash)).scalar_one_or_none()
    if head_hash is not None:
        return head_hash, True
    newest = select(AuditRow.hash).order_by(AuditRow.seq.desc()).limit(1)
    return session.execute(newest).scalar_one_or_none() or "", False


def chained_hash(row: "AuditRow | Row[Any]", key: bytes) -> str:
    """HMAC-SHA256 over the row's canonical JSON, the previous hash included."""
    fields = {
        name: _plain(getattr(row, name))
        for name in (
            "at", "account_id", "role", "ip", "session_id", "request_id",
            "action", "kind", "record_id", "changes", "previous_hash",
        )
    }  # fmt: skip
    canonical = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hmac.new(key, canonical.encode(), hashlib.sha256).hexdigest()


class _ChainKey(bytes):
    """The key of the hash chain of a database's audit log."""


def use_key(target: Database | Session, key: bytes) -> None:
    """Set the key that chains the audit rows of a database, or of one session."""
    parts = target.parts if isinstance(target, Database) else parts_of(target)
    parts[_ChainKey] = _ChainKey(key)


class Fault(StrEnum):
    """What can have been done to the trail."""

    CHANGED = "changed"
    MISSING = "missing"
    INSERTED = "inserted"
    MOVED = "moved"
    CUT_OFF = "cut_off"
    HEAD = "head"


@dataclass(frozen=True, slots=True)
class Head:
    """Where the trail ended at some time."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class TrailCheck:
    """What a walk along the trail found; `seq` is the first row at fault, where it is one row's."""

    rows: int
    head: Head | None
    fault: Fault | None = None
    seq: int | None = None
    message: str = "Every row is as it was written."


def began_at(session: Session) -> dt.datetime | None:
    """The time of the trail's earliest row; None of an empty trail."""
    return session.execute(select(func.min(AuditRow.at))).scalar_one_or_none()


def head_of(session: Session) -> Head | None:
    """The newest row; None of an empty trail."""
    newest = select(AuditRow.seq, AuditRow.hash).order_by(AuditRow.seq.desc()).limit(1)
    row = session.execute(newest).first()
    return Head(row.seq, row.hash) if row else None


def lost_head(session: Session, noted: Sequence[Head]) -> Head | None:
    """The newest noted end that the trail has not reached, or where it has another row now.

    A look, and no proof: rows below the end that are missing may have been purged.
    """
    head = head_of(session)
    end = head.seq if head else 0
    by_seq = {noted_head.seq: noted_head.hash for noted_head in noted}
    lost = {seq for seq in by_seq if seq > end}
    known = sorted(by_seq.keys() - lost)
    for start in range(0, len(known), ROWS_AT_ONCE):
        rows = select(AuditRow.seq, AuditRow.hash).where(
            AuditRow.seq.in_(known[start : start + ROWS_AT_ONCE])
        )
        lost |= {row.seq for row in session.execute(rows) if row.hash != by_seq[row.seq]}
    return Head(max(lost), by_seq[max(lost)]) if lost else None


def verify(session: Session, noted: Sequence[Head] = ()) -> TrailCheck:
    """Walk the whole chain and name the first row that is not as it was written.

    Args:
        noted: ends of the trail that were written down elsewhere, in the log of each day.
    """
    key = _key_of(session)
    by_seq = {noted_head.seq: noted_head.hash for noted_head in noted}
    rows, last, previous = 0, None, ""
    for row in _rows_of(session):
        rows += 1
        fault = _fault_of(session, row, previous, key, is_first=rows == 1)
        if fault is None and by_seq.pop(row.seq, row.hash) != row.hash:
            fault = Fault.CHANGED, f"Row {row.seq} is not the one that was noted when it was new."
        if fault is not None:
            return TrailCheck(rows, last, fault[0], row.seq, fault[1])
        last, previous = Head(row.seq, row.hash), row.hash
    return _ended(session, rows, last, by_seq, key)


def _ended(
    session: Session, rows: int, last: Head | None, missed: Mapping[int, str], key: bytes
) -> TrailCheck:
    end = last.seq if last else 0
    head = session.execute(select(AuditHead)).scalar_one_or_none()
    later = [seq for seq in missed if seq > end]
    if later:
        text = f"Rows were cut off at the end: there was a row {max(later)}, the last is {end}."
        return TrailCheck(rows, last, Fault.CUT_OFF, end or None, text)
    if head is None:
        if last is None:
            return TrailCheck(rows, last)
        text = "The record of the trail's end is missing: rows may have been cut off."
        return TrailCheck(rows, last, Fault.HEAD, end, text)
    if not hmac.compare_digest(head.mac, _mac_of(head.seq, head.hash, key)):
        text = "The record of the trail's end was changed: rows may have been cut off."
        return TrailCheck(rows, last, Fault.HEAD, end or None, text)
    if last is None or (head.seq, head.hash) != (last.seq, last.hash):
        text = f"Rows were cut off at the end: there was a row {head.seq}, the last is {end}."
        return TrailCheck(rows, last, Fault.CUT_OFF, end or None, text)
    return TrailCheck(rows, last)


def _rows_of(session: Session) -> Iterator[Row[Any]]:
    """All rows in their order, some at a time: a trail of years is not read at once."""
    after = -1
    while True:
        rows = session.execute(
            select(*AuditRow.__table__.columns)
            .where(AuditRow.seq > after)
            .order_by(AuditRow.seq)
            .limit(ROWS_AT_ONCE)
        ).all()
        yield from rows
        if len(rows) < ROWS_AT_ONCE:
            return
        after = rows[-1].seq


def _fault_of(
    session: Session, row: Row[Any], previous: str, key: bytes, *, is_first: bool
) -> tuple[Fault, str] | None:
    is_own = hmac.compare_digest(chained_hash(row, key), row.hash)
    if is_own and row.previous_hash == previous:
        return None
    if is_first and is_own and _is_purged_before(session, row, key):
        return None
    if not is_own:
        following = select(AuditRow.previous_hash).where(AuditRow.seq > row.seq)
        after = session.execute(following.order_by(AuditRow.seq).limit(1)).scalar_one_or_none()
        if after is None:
            after = session.execute(select(AuditHead.hash)).scalar_one_or_none()
        if after == previous:
            return Fault.INSERTED, f"Row {row.seq} was inserted: Tarazu did not write it."
        return Fault.CHANGED, f"Row {row.seq} was changed after it was written."
    twin = select(AuditRow.seq).where(AuditRow.hash == row.hash, AuditRow.seq < row.seq)
    if session.execute(twin).first() is not None:
        return Fault.INSERTED, f"Row {row.seq} was inserted: it is a copy of another."
    elsewhere = select(AuditRow.seq).where(
        AuditRow.hash == row.previous_hash, AuditRow.seq > row.seq
    )
    if session.execute(elsewhere).first() is not None:
        return Fault.MOVED, f"Row {row.seq} was moved."
    return Fault.MISSING, f"Before row {row.seq} rows are missing."


def _is_purged_before(session: Session, row: Row[Any], key: bytes) -> bool:
    """Whether a later row, itself as it was written, says that all before this one was removed."""
    statement = select(AuditRow).where(AuditRow.action == PURGED, AuditRow.seq >= row.seq)
    return any(
        json.loads(entry.changes).get("throughHash") == row.previous_hash
        for entry in session.execute(statement).scalars()
        if hmac.compare_digest(chained_hash(entry, key), entry.hash)
    )


def _mac_of(seq: int, row_hash: str, key: bytes) -> str:
    return hmac.new(key, f"head|{seq}|{row_hash}".encode(), hashlib.sha256).hexdigest()


def _key_of(session: Session) -> bytes:
    key: bytes = parts_of(session)[_ChainKey]
    return key


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, Decimal | uuid.UUID | dt.date):
        return str(value)
    return value


def changes_of(session: Session, actions: Collection[str], record_id: str) -> dict[str, Any] | None:
    """What the first row of one of these actions on that record says; None where it was changed."""
    statement = select(AuditRow).where(
        AuditRow.record_id == record_id, AuditRow.action.in_(actions)
    )
    row = session.execute(statement.order_by(AuditRow.seq).limit(1)).scalar_one_or_none()
    if row is None:
        return None
    if not hmac.compare_digest(chained_hash(row, _key_of(session)), row.hash):
        return None
    changes: dict[str, Any] = json.loads(row.changes)
    return changes


def records_of(session: Session, action: str) -> Sequence[str]:
    """The records of all rows of that action, in the rows' order."""
    statement = select(AuditRow.record_id).where(AuditRow.action == action).order_by(AuditRow.seq)
    return session.execute(statement).scalars().all()


def all_changes_of(session: Session, action: str) -> list[dict[str, Any]]:
    """What all rows of that action say, in their order; those left out that were changed since."""
    key = _key_of(session)
    statement = select(AuditRow).where(AuditRow.action == action).order_by(AuditRow.seq)
    rows = session.execute(statement).scalars()
    return [
        json.loads(row.changes)
        for row in rows
        if hmac.compare_digest(chained_hash(row, key), row.hash)
    ]
