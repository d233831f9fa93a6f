"""Clients whose advice is to be matched with their trades again.

Whoever matches takes clients with their numbers, and clears those whose number is still the same:
a reason that comes in between raises the number, so that it is not lost.
"""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy.orm import Session

from tarazu.kit.db import new_id
from tarazu.orders import trade_queries as queries
from tarazu.orders.tables import IsinsDue
from tarazu.orders.trade_queries import DueIsins


def mark_matching_due(
    session: Session, client_ids: Collection[uuid.UUID], now: dt.datetime
) -> None:
    """Let the advice of these clients be matched with their trades again.

    A client's number begins with the time in microseconds, so that it is never one that was
    taken before.
    """
    queries.mark_due(session, client_ids, int(now.timestamp() * 1_000_000), now)


def mark_isins_due(
    session: Session, isins: Collection[str], first_on: dt.date, last_on: dt.date
) -> None:
    """Let advice on these shares be matched again whose window has one of these days.

    For closes and corporate actions that come in later than the trades, in the transaction that
    stores them. A corporate action counts from its day to today. Shares that these became, or came
    from, are found when the advice is matched.
    """
    if isins:
        names = json.dumps(sorted(set(isins)))
        session.add(IsinsDue(id=new_id(), isins=names, first_on=first_on, last_on=last_on))
        session.flush()


def isins_due(session: Session) -> Sequence[DueIsins]:
    """The shares of which advice is to be matched again."""
    return queries.isins_due(session)


def clear_isins_due(session: Session, done: Collection[DueIsins]) -> None:
    """Remove shares whose clients were marked, in the same transaction."""
    queries.delete_isins_due(session, [due.id for due in done])


def take_due(session: Session, limit: int) -> dict[uuid.UUID, int]:
    """Up to `limit` clients to be matched again, with the numbers that `clear_due` needs."""
    return queries.due_clients(session, limit)


def due_among(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Those of these clients who are to be matched again, with their numbers."""
    return queries.due_among(session, client_ids)


def has_due(session: Session) -> bool:
    """Whether any client, or the advice on any share, is to be matched again."""
    return bool(queries.due_clients(session, 1)) or queries.has_isins_due(session)


def clear_due(session: Session, done: Mapping[uuid.UUID, int]) -> None:
    """Remove clients that were matched; one that was marked meanwhile stays."""
    queries.clear_due(session, done)
