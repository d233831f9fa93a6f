"""The audit trail: a row for each change, in the caller's transaction, chained by hashes."""

import datetime as dt
import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Integer, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import InstantColumn, Table, take_turns

_CHAIN_LOCK = 7_270_001


class TrailRow(Table):
    __tablename__ = "audit"

    seq: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)
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
    take_turns(session, _CHAIN_LOCK)
    last = session.execute(
        select(TrailRow.hash).order_by(TrailRow.seq.desc()).limit(1)
    ).scalar_one_or_none()
    row = TrailRow(
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
        previous_hash=last or "",
    )
    row.hash = chained_hash(row, _key_of(session))
    session.add(row)
    session.flush()


def chained_hash(row: TrailRow, key: bytes) -> str:
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


def use_key(database_engine: Any, key: bytes) -> None:
    """Tell the trail which key chains the rows of this database."""
    _KEYS[database_engine] = key


_KEYS: dict[Any, bytes] = {}


def _key_of(session: Session) -> bytes:
    return _KEYS[session.get_bind()]


def _plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).isoformat()
    if isinstance(value, Decimal | uuid.UUID | dt.date):
        return str(value)
    return value
