"""Clients whose advice is to be matched with their trades again.

Whoever matches takes clients with their numbers, and clears those whose number is still the same:
a reason that comes in between raises the number, so that it is not lost.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping

from sqlalchemy.orm import Session

from tarazu.orders import trade_queries as queries


def mark_matching_due(
    session: Session, client_ids: Collection[uuid.UUID], now: dt.datetime
) -> None:
    """Let the advice of these clients be matched with their trades again.

    A client's number begins with the time in microseconds, so that it is never one that was
    taken before.
    """
    queries.mark_due(session, client_ids, int(now.timestamp() * 1_000_000), now)


def take_due(session: Session, limit: int) -> dict[uuid.UUID, int]:
    """Up to `limit` clients to be matched again, with the numbers that `clear_due` needs."""
    return queries.due_clients(session, limit)


def due_among(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Those of these clients who are to be matched again, with their numbers."""
    return queries.due_among(session, client_ids)


def has_due(session: Session) -> bool:
    """Whether any client is to be matched again."""
    return bool(queries.due_clients(session, 1))


def clear_due(session: Session, done: Mapping[uuid.UUID, int]) -> None:
    """Remove clients that were matched; one that was marked meanwhile stays."""
    queries.clear_due(session, done)
