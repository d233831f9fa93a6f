"""The job that matches trades with advice: clients that are due, a few in each transaction."""

import datetime as dt
import uuid
from collections.abc import Callable, Collection, Sequence
from time import monotonic
from typing import Final

import structlog
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tarazu.follow_up import matching_queries as queries
from tarazu.follow_up.inputs import FOLLOWED_FOR, Tables, tables_of
from tarazu.follow_up.recompute import recompute
from tarazu.follow_up.windows import PROGRESS_ID, last_day_over
from tarazu.instruments import service as instruments
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.kit.sockets import Progress
from tarazu.orders import service as orders
from tarazu.prices import service as prices

log = structlog.get_logger(__name__)

MOST_AT_A_TIME: Final = 200
"""Clients in one transaction, at most."""
LONGEST_BATCH: Final = 0.2
"""Seconds a transaction should take on any machine: other writers wait for it."""
CLOSED_AT: Final = dt.time(15, 45)
"""In India: the last price of a day is its close from then on."""
_FAULTS: Final = (
    ApiError, ArithmeticError, AttributeError, IntegrityError, LookupError, TypeError, ValueError,
)  # fmt: skip


class MatchingFailed(Exception):
    """The job fails, so that it is seen, and is tried again."""


def has_matching_due(database: Database, now: dt.datetime) -> bool:
    """Whether any client is to be matched again, or a window has ended; writes nothing."""
    with database.reading() as session:
        return orders.has_due(session) or queries.has_ended_windows(session, last_day_over(now))


def match_due(
    database: Database,
    now: dt.datetime,
    tell: Callable[[Progress], object] = lambda _: None,
) -> int:
    """Match the advice of all clients that are due with their trades; how many advices changed.

    It may be killed at any point: a client stays due until what was computed is committed. A client
    who cannot be computed stays due and does not hold up the others.

    Args:
        tell: called once something changed, for browsers that show it.

    Raises:
        MatchingFailed: some clients could not be computed; the others were.
    """
    changed, failed = 0, set[uuid.UUID]()
    _keep_closes(database, now)
    with database.transaction() as session:
        _mark_clients(session, now)
        tables = tables_of(session, now)
    size = 1
    while True:
        with database.reading() as session:
            due = orders.take_due(session, size + len(failed))
        batch = [client_id for client_id in due if client_id not in failed][:size]
        if not batch:
            break
        started = monotonic()
        done, failing = _match_batch(database, batch, now, tables)
        failed |= failing
        size = _next_size(len(batch), monotonic() - started)
        changed += done
        if done:
            tell(Progress(PROGRESS_ID, "Follow-up", changed, changed, "CHANGED"))
    if failed:
        raise MatchingFailed(f"{len(failed)} clients cannot be matched")
    return changed


def _next_size(size: int, seconds: float) -> int:
    """How many clients to take after `size` that took `seconds`: at most twice as many."""
    is_short = seconds <= LONGEST_BATCH / 2
    fitting = size * 2 if is_short else int(size * LONGEST_BATCH / seconds)
    return max(1, min(fitting, MOST_AT_A_TIME))


def _mark_clients(session: Session, now: dt.datetime) -> None:
    """Mark clients whose windows ended, or of whose shares closes or corporate actions came in."""
    ended = queries.clients_with_ended_windows(session, last_day_over(now))
    orders.mark_matching_due(session, ended, now)
    due = orders.isins_due(session)
    for one in due:
        isins = set(one.isins)
        for action in instruments.corporate_actions_of(session, isins):
            isins |= {action.isin, action.new_isin}
        clients = queries.clients_advised_on(
            session, isins - {""}, (one.first_on, one.last_on), now - FOLLOWED_FOR
        )
        orders.mark_matching_due(session, clients, now)
    orders.clear_isins_due(session, due)


def _keep_closes(database: Database, now: dt.datetime) -> None:
    """Store today's closes of advised shares: of those that nobody holds no other close is kept."""
    today = day_in_india(now)
    if now < dt.datetime.combine(today, CLOSED_AT, INDIA):
        return
    with database.transaction() as session:
        # Another process may receive the prices.
        prices.catch_up(session)
        tokens = queries.followed_tokens(session, today)
        prices.record_day_closes(session, today, prices.prices_of_day(session, today, tokens))


def _match_batch(
    database: Database, batch: Sequence[uuid.UUID], now: dt.datetime, tables: Tables
) -> tuple[int, set[uuid.UUID]]:
    """Match these clients together, one by one if that fails; changed advices, failed clients."""
    done = _match_or_none(database, batch, now, tables)
    if done is not None:
        return done, set()
    each = {key: _match_or_none(database, [key], now, tables) for key in batch}
    failed = {key for key, changed in each.items() if changed is None}
    return sum(changed or 0 for changed in each.values()), failed


def _match_or_none(
    database: Database, batch: Sequence[uuid.UUID], now: dt.datetime, tables: Tables
) -> int | None:
    """How many advices of these clients changed, in one transaction; None where it failed."""
    try:
        return _match(database, batch, now, tables)
    except _FAULTS as error:
        log.exception("matching_failed", clients=len(batch), error=type(error).__name__)
        return None


def _match(
    database: Database, batch: Collection[uuid.UUID], now: dt.datetime, tables: Tables
) -> int:
    with database.transaction() as session:
        # Read before everything else: a client who is marked later stays due.
        due = orders.due_among(session, batch)
        changed = recompute(session, list(due), now, tables)
    # Apart, because whoever marks a client may wait for the audit trail. Killed here, the clients
    # are computed once more, and nothing changes.
    with database.transaction() as session:
        orders.clear_due(session, due)
    return changed
