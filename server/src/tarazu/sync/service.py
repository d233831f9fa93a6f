"""Clients' holdings, money and orders, read from their brokers and written to the books.

Holdings come from files and from brokers. Each is a full statement, and the newer replaces the
older as a whole; nothing is combined from two sources. The broker's rows are stored beside the
books, with their parts, until its next good answer.

An answer is taken only when every call was answered, by the client's own session. It is written
in one transaction, with what it changed in the trail. A row that cannot be read is left out and
named, and a holding whose row it was stays as it was. An empty list of holdings, where something
was held, is not believed: it is taken when it came three times over an hour, or when staff confirm
it. Until then nothing of the answer is written.

Money is what the client owns: the broker's `net` less what pledged shares are good for.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import BrokerFault, LiveBrokerSession, SessionDead
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database, new_id
from tarazu.kit.errors import ApiError
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.sync import queries, unexplained
from tarazu.sync.answers import ClientSyncResult, apply_answer, client_of, start_ledger
from tarazu.sync.broker_reads import AT_ONCE, BrokerAnswer, ReadTimeouts, read_client
from tarazu.sync.errors import (
    AnotherPerson,
    ChangeNotFound,
    Doubted,
    NeverSynced,
    NotConnected,
)
from tarazu.sync.readiness import Problem, last_close, problem_counts
from tarazu.sync.tables import (
    BrokerLine,
    ClientSync,
    Outcome,
    QuantityChange,
    RunKind,
    RunState,
    SyncRun,
)
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

__all__ = ["BrokerAnswer", "Problem", "apply_answer", "last_close", "problem_counts"]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SyncContext:
    """What a sync needs: the database, the gateway to the brokers, and who started it."""

    database: Database
    gateway: brokers.Gateway
    actor: Actor


@dataclass(frozen=True, slots=True)
class BrokerStatement:
    """What the broker said of a client last, and what is to be looked at.

    Attributes:
        last: None where the client was never tried.
        unseen: changes that no order explains, newest first.
    """

    last: ClientSync | None
    lines: Sequence[BrokerLine]
    unseen: Sequence[QuantityChange]


def sync_client(
    context: SyncContext,
    client_id: uuid.UUID,
    now: dt.datetime,
    timeouts: ReadTimeouts = AT_ONCE,
    *,
    accept_empty: bool = False,
) -> ClientSyncResult:
    """Read a client from the broker and update the books; the outcome is stored.

    For threads that may wait and hold no transaction open.

    Args:
        accept_empty: take an answer that nothing is held even where something was.

    Raises:
        ClientNotFound: there is no such client.
        NotConnected: the client has no session at a broker.
        AnotherPerson, Doubted: the answer is not taken.
        BrokerFault: the broker gives no whole answer.
        UnfitHolding: it holds what cannot be.
    """
    with context.database.reading() as session:
        people.client(session, client_id)
        live = brokers.live_client_session(session, client_id, now)
        last = queries.client_sync(session, client_id)
    try:
        if live is None:
            raise NotConnected
        is_checked = last is not None and last.checked_session_id == live.id
        answer = brokers.ask_broker(
            context.database,
            context.gateway,
            live,
            lambda broker, login: read_client(
                broker, login, timeouts, now, with_profile=not is_checked
            ),
            now,
        )
        _refuse_another(context, live, answer, now)
        with context.database.transaction() as session:
            return apply_answer(
                session, context.actor, now, live, answer, accept_empty=accept_empty
            )
    except ApiError as refusal:
        _store_refusal(context.database, client_id, refusal, now)
        raise


def outcome_of(refusal: ApiError) -> Outcome:
    """The outcome of a failed reading."""
    if isinstance(refusal, NotConnected):
        return Outcome.NO_SESSION
    if isinstance(refusal, SessionDead):
        return Outcome.DEAD
    return Outcome.DOUBTED if isinstance(refusal, Doubted) else Outcome.FAILED


def statement_of(session: Session, client_id: uuid.UUID) -> BrokerStatement:
    """What the broker said of a client last.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    return BrokerStatement(
        queries.client_sync(session, client_id),
        queries.lines_of(session, client_id),
        unexplained.changes_of(session, client_id),
    )


def last_synced_at(session: Session) -> dt.datetime | None:
    """When a client was last synced successfully; None if none was."""
    return queries.last_synced_at(session)


def record_run(
    session: Session,
    kind: RunKind,
    outcomes: Mapping[uuid.UUID, Outcome],
    started_at: dt.datetime,
    finished_at: dt.datetime,
) -> None:
    """Record a run that is over, with the outcome of each client."""
    run = SyncRun(
        id=new_id(),
        account_id=None,
        kind=kind,
        day=None,
        state=RunState.RUNNING,
        started_at=started_at,
        finished_at=None,
    )
    session.add(run)
    session.flush()
    reasons = {Outcome.NO_SESSION: NotConnected.message}
    queries.add_run_clients(
        session,
        run.id,
        {key: (outcome, reasons.get(outcome, "")) for key, outcome in outcomes.items()},
    )
    queries.end_run(session, run.id, finished_at)


def mark_change_seen(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    change_id: uuid.UUID,
    visible: VisibleClients = ALL_CLIENTS,
) -> None:
    """Say that staff know of a change that no order explains; twice does no harm.

    Raises:
        ChangeNotFound: there is no such change.
        ClientNotFound: its client is deleted.
    """
    row = queries.change(session, change_id)
    if row is None or not visible.includes(row.client_id):
        raise ChangeNotFound
    people.client(session, row.client_id)
    if row.seen_at is None:
        row.seen_at, row.seen_by = now, actor.account_id
        session.flush()
        changes = {
            "clientId": row.client_id,
            "symbol": row.symbol,
            "quantity": [row.before, row.after],
        }
        audit_log.record(session, actor, now, "quantity_change_seen", ("change", row.id), changes)


def accept_money(session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID) -> None:
    """Restart the comparison of money from what the broker holds now.

    Raises:
        ClientNotFound: there is no such client.
        NeverSynced: there is nothing to start from.
    """
    people.client(session, client_id)
    row = queries.client_sync(session, client_id)
    if row is None or row.synced_at is None:
        raise NeverSynced
    start_ledger(row, now)
    session.flush()
    changes = {"net": row.net}
    audit_log.record(session, actor, now, "broker_money_accepted", ("client", client_id), changes)


def _refuse_another(
    context: SyncContext, live: LiveBrokerSession, answer: BrokerAnswer, now: dt.datetime
) -> None:
    """Refuse the answer of a session that is somebody else's, and let nobody use it again."""
    if answer.profile is None:
        return
    broker_user_id = answer.profile.broker_user_id.upper()
    with context.database.reading() as session:
        ours = portfolio.account_summary(session, client_of(live)).broker_user_id.upper()
    if broker_user_id == live.login.broker_user_id.upper() and ours in {"", broker_user_id}:
        return
    log.error("broker_session_of_another", session_id=str(live.id))
    with context.database.transaction() as session:
        brokers.mark_session_dead(session, live.id, now)
    raise AnotherPerson(
        f"The broker session belongs to {broker_user_id}, and the client's Broker ID is "
        f"{ours or live.login.broker_user_id}. Nothing was changed; the session was ended."
    )


def _store_refusal(
    database: Database, client_id: uuid.UUID, refusal: ApiError, now: dt.datetime
) -> None:
    """Store the outcome of a failed reading."""
    outcome = outcome_of(refusal)
    if isinstance(refusal, BrokerFault):
        log.warning("sync_failed", client_id=str(client_id), reason=refusal.reason)
    with database.transaction() as session:
        values: dict[str, object] = {"outcome": outcome, "reason": refusal.message}
        last = queries.client_sync(session, client_id)
        if outcome == Outcome.DOUBTED:
            values["emptied_at"] = (last.emptied_at if last is not None else None) or now
            values["emptied_times"] = (last.emptied_times if last is not None else 0) + 1
        queries.store_outcome(session, client_id, values, now)
