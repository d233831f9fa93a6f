"""Every SQL statement of syncs."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO
from tarazu.kit.db import insert_into
from tarazu.sync.tables import (
    BrokerLine,
    ClientSync,
    Outcome,
    QuantityChange,
    RunKind,
    RunState,
    SyncRun,
    SyncRunClient,
)
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_AT_ONCE = 2_000


def client_sync(session: Session, client_id: uuid.UUID) -> ClientSync | None:
    return session.get(ClientSync, client_id)


def client_syncs(session: Session) -> dict[uuid.UUID, Row]:  # type: ignore[type-arg]
    """By client that was ever tried, the outcome and the start of the comparison of money."""
    columns = (
        ClientSync.client_id,
        ClientSync.outcome,
        ClientSync.reason,
        ClientSync.left_out,
        ClientSync.net,
        ClientSync.ledger_at,
        ClientSync.ledger_net,
        ClientSync.ledger_traded,
        ClientSync.ledger_turnover,
    )
    return {row[0]: row for row in session.execute(select(*columns)).all()}


def lines_of(session: Session, client_id: uuid.UUID) -> Sequence[BrokerLine]:
    """By symbol."""
    statement = (
        select(BrokerLine)
        .where(BrokerLine.client_id == client_id)
        .order_by(BrokerLine.symbol, BrokerLine.exchange)
    )
    return session.execute(statement).scalars().all()


def replace_lines(
    session: Session, client_id: uuid.UUID, rows: Sequence[Mapping[str, object]]
) -> None:
    session.execute(delete(BrokerLine).where(BrokerLine.client_id == client_id))
    if rows:
        session.execute(insert(BrokerLine), list(rows))


def unmapped_counts(session: Session) -> dict[uuid.UUID, int]:
    """By client, how many rows of the last answer have no known instrument."""
    statement = (
        select(BrokerLine.client_id, func.count())
        .where(BrokerLine.instrument_id.is_(None))
        .group_by(BrokerLine.client_id)
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def add_changes(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        session.execute(insert(QuantityChange), list(rows))


def change(session: Session, change_id: uuid.UUID) -> QuantityChange | None:
    return session.get(QuantityChange, change_id, with_for_update=True)


def changes_of(session: Session, client_id: uuid.UUID) -> Sequence[QuantityChange]:
    """Those that nobody has seen yet, newest first."""
    statement = (
        select(QuantityChange)
        .where(QuantityChange.client_id == client_id, QuantityChange.seen_at.is_(None))
        .order_by(QuantityChange.found_at.desc(), QuantityChange.symbol)
    )
    return session.execute(statement).scalars().all()


def unseen(session: Session) -> Sequence[QuantityChange]:
    """The unexplained changes of all clients that nobody has seen yet."""
    statement = select(QuantityChange).where(QuantityChange.seen_at.is_(None))
    return session.execute(statement).scalars().all()


def running_run(session: Session) -> SyncRun | None:
    """The run that is at work, or was when its process ended."""
    statement = select(SyncRun).where(SyncRun.state == RunState.RUNNING).limit(1)
    return session.execute(statement).scalar_one_or_none()


def last_run(session: Session) -> SyncRun | None:
    """The run that was started last."""
    statement = select(SyncRun).order_by(SyncRun.started_at.desc(), SyncRun.id.desc()).limit(1)
    return session.execute(statement).scalar_one_or_none()


def has_run_of_day(session: Session, kind: RunKind, day: dt.date) -> bool:
    statement = select(SyncRun.id).where(SyncRun.kind == kind, SyncRun.day == day)
    return session.execute(statement).first() is not None


def doubted_clients(session: Session, tried_until: dt.datetime) -> set[uuid.UUID]:
    """Clients whose empty list of holdings was not accepted, last tried before then."""
    statement = select(ClientSync.client_id).where(
        ClientSync.outcome == Outcome.DOUBTED, ClientSync.tried_at <= tried_until
    )
    return set(session.execute(statement).scalars())


def last_synced_at(session: Session) -> dt.datetime | None:
    """When a client was last synced successfully."""
    return session.execute(select(func.max(ClientSync.synced_at))).scalar_one()


def add_run_clients(
    session: Session, run_id: uuid.UUID, outcomes: Mapping[uuid.UUID, tuple[Outcome, str]]
) -> None:
    rows = [
        {
            "run_id": run_id,
            "client_id": client_id,
            "outcome": outcome,
            "reason": reason,
            "finished_at": None,
        }
        for client_id, (outcome, reason) in outcomes.items()
    ]
    for start in range(0, len(rows), _AT_ONCE):
        session.execute(insert(SyncRunClient), rows[start : start + _AT_ONCE])


def waiting_clients(session: Session, run_id: uuid.UUID) -> list[uuid.UUID]:
    """Those of a run that were not read yet."""
    statement = (
        select(SyncRunClient.client_id)
        .where(SyncRunClient.run_id == run_id, SyncRunClient.outcome == Outcome.WAITING)
        .order_by(SyncRunClient.client_id)
    )
    return list(session.execute(statement).scalars())


def finish_run_client(
    session: Session,
    run_id: uuid.UUID,
    client_id: uuid.UUID,
    result: tuple[Outcome, str],
    now: dt.datetime,
) -> None:
    session.execute(
        update(SyncRunClient)
        .where(SyncRunClient.run_id == run_id, SyncRunClient.client_id == client_id)
        .values(outcome=result[0], reason=result[1], finished_at=now)
    )


def outcome_counts(
    session: Session, run_id: uuid.UUID, visible: VisibleClients = ALL_CLIENTS
) -> dict[Outcome, int]:
    statement = (
        select(SyncRunClient.outcome, func.count())
        .where(SyncRunClient.run_id == run_id, *visible.condition(SyncRunClient.client_id))
        .group_by(SyncRunClient.outcome)
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def run_clients(
    session: Session,
    run_id: uuid.UUID,
    skipped: int,
    limit: int,
    visible: VisibleClients = ALL_CLIENTS,
) -> Sequence[SyncRunClient]:
    """The clients of a run, those that were read last first."""
    statement = (
        select(SyncRunClient)
        .where(SyncRunClient.run_id == run_id, *visible.condition(SyncRunClient.client_id))
        .order_by(SyncRunClient.finished_at.desc().nulls_last(), SyncRunClient.client_id)
        .offset(skipped)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def end_run(session: Session, run_id: uuid.UUID, now: dt.datetime) -> None:
    values = {"state": RunState.DONE, "finished_at": now}
    session.execute(update(SyncRun).where(SyncRun.id == run_id).values(**values))


def store_outcome(
    session: Session, client_id: uuid.UUID, outcome: Mapping[str, object], now: dt.datetime
) -> None:
    """Store the outcome of a failed reading; the client's data stays."""
    blank: dict[str, object] = dict.fromkeys(
        ("net", "collateral", "ledger_net", "ledger_traded", "ledger_turnover"), ZERO
    )
    blank |= {"emptied_times": 0, "left_out": ""}
    values = {"client_id": client_id, "broker": "", "tried_at": now} | blank | dict(outcome)
    insertion = insert_into(session, ClientSync).values(**values)
    session.execute(
        insertion.on_conflict_do_update(
            index_elements=[ClientSync.client_id], set_={"tried_at": now} | dict(outcome)
        )
    )


def syncs_of(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Row]:  # type: ignore[type-arg]
    """Last try, last good answer and checked session, by client."""
    columns = (
        ClientSync.client_id,
        ClientSync.tried_at,
        ClientSync.synced_at,
        ClientSync.checked_session_id,
    )
    syncs: dict[uuid.UUID, Row] = {}  # type: ignore[type-arg]
    ids = list(client_ids)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        for row in session.execute(select(*columns).where(ClientSync.client_id.in_(some))):
            syncs[row.client_id] = row
    return syncs
