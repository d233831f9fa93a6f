"""Every SQL statement on brokers and on the rate of calls to them."""

import uuid
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    case,
    cast,
    extract,
    func,
    or_,
    select,
)
from sqlalchemy.orm import Session

from tarazu.brokers.tables import (
    Broker,
    BrokerName,
    CallSlot,
)
from tarazu.kit.db import insert_into

MICROSECONDS = 1_000_000
LONGEST_HOLD = 60
"""Seconds."""


def brokers(session: Session) -> list[Broker]:
    """All of them, by name."""
    return list(session.execute(select(Broker).order_by(Broker.name)).scalars())


def broker(session: Session, broker_id: uuid.UUID, *, for_update: bool = False) -> Broker | None:
    return session.get(Broker, broker_id, with_for_update=for_update or None)


def broker_named(session: Session, name: BrokerName) -> Broker | None:
    return session.execute(select(Broker).where(Broker.name == name)).scalar_one_or_none()


def reserve_slot(session: Session, line: str, interval: int, longest: int) -> int | None:
    """Reserve the next call on a rate-limited line; returns the microseconds until then.

    One row a line, one statement a slot: slots are `interval` apart for any number of processes.
    The clock is the database's, which all of them share. A row from further ahead than anyone
    may queue means that the clock was set back; it is ignored.

    Args:
        session: of a short transaction.
        line: what calls are counted on.
        interval: microseconds between two slots.
        longest: microseconds that may be waited for; if it is more, no slot is reserved and
            None returned.
    """
    now = _database_microseconds(session)
    furthest = now + 2 * MICROSECONDS * LONGEST_HOLD
    begin = case(
        (or_(CallSlot.free_at < now, CallSlot.free_at > furthest), now),
        else_=CallSlot.free_at,
    )
    taken = (
        insert_into(session, CallSlot)
        .values(line=line, free_at=now + interval)
        .on_conflict_do_update(
            index_elements=[CallSlot.line],
            set_={"free_at": begin + interval},
            where=or_(CallSlot.free_at <= now + longest, CallSlot.free_at > furthest),
        )
        .returning(CallSlot.free_at - interval - now)
    )
    wait = session.execute(taken).scalar_one_or_none()
    return None if wait is None else max(0, int(wait))


def pause_slots(session: Session, line: str, microseconds: int) -> None:
    """Reserve no slot of the line for a while, at most a minute."""
    until = _database_microseconds(session) + min(microseconds, MICROSECONDS * LONGEST_HOLD)
    session.execute(
        insert_into(session, CallSlot)
        .values(line=line, free_at=until)
        .on_conflict_do_update(
            index_elements=[CallSlot.line],
            set_={"free_at": case((CallSlot.free_at < until, until), else_=CallSlot.free_at)},
        )
    )


def _database_microseconds(session: Session) -> ColumnElement[int]:
    if session.get_bind().dialect.name == "postgresql":
        seconds: ColumnElement[Any] = extract("epoch", func.clock_timestamp())
    else:
        seconds = func.unixepoch("now", "subsec")
    return cast(seconds * MICROSECONDS, BigInteger)
