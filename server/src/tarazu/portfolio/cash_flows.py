"""Funds that clients add and withdraw."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.returns import CashFlow as Flow
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.people import service as people
from tarazu.portfolio import queries
from tarazu.portfolio.accounts import (
    EARLIEST_DAY,
    MOST_VALUE,
    account_of,
    check_version,
    lock_accounts,
    move_hand_cash,
    renew_flow_sums,
)
from tarazu.portfolio.errors import TransactionNotFound, UnfitAmount, UnfitDate
from tarazu.portfolio.tables import CashFlow, FlowType


@dataclass(frozen=True, slots=True)
class NewFlow:
    """Funds that a client added or withdrew on a day; the amount is above zero."""

    date: dt.date
    amount: Rupees
    type: FlowType


@dataclass(frozen=True, slots=True)
class Transaction:
    """A cash flow as Accounting shows it."""

    id: uuid.UUID
    date: dt.date
    amount: Rupees
    type: FlowType
    version: int


def record_cash_flow(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewFlow
) -> Transaction:
    """Record funds added or withdrawn.

    Raises:
        NotThere: the client has no account.
        UnfitDate: the day lies ahead, or too far back.
        UnfitAmount: zero, below it, or beyond what can be added up.
    """
    lock_accounts(session)
    account_of(session, client_id)
    _check_flow(new, now)
    row = CashFlow(
        id=new_id(),
        client_id=client_id,
        date=new.date,
        amount=new.amount,
        type=new.type,
        created_at=now,
        version=1,
    )
    session.add(row)
    _update_account(session, client_id, now)
    changes = {"clientId": client_id, **_audit_fields(row)}
    audit_log.record(session, actor, now, "cash_flow_recorded", ("transaction", row.id), changes)
    return _transaction(row)


def change_cash_flow(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    new: NewFlow,
    version: int | None,
) -> Transaction:
    """Correct a flow, named by its client and its own id.

    Raises:
        TransactionNotFound: the client has no such flow.
        StaleVersion: the flow is no longer at `version`.
        UnfitDate, UnfitAmount: as when a flow is recorded.
    """
    lock_accounts(session)
    row = _flow_of(session, *place)
    check_version(row, version)
    _check_flow(new, now)
    before = _audit_fields(row)
    row.date, row.amount, row.type = new.date, new.amount, new.type
    after = _audit_fields(row)
    changes = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if changes:
        row.version += 1
        _update_account(session, row.client_id, now)
        audit_log.record(session, actor, now, "cash_flow_changed", ("transaction", row.id), changes)
    return _transaction(row)


def delete_cash_flow(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    place: tuple[uuid.UUID, uuid.UUID],
    version: int | None,
) -> None:
    """Take a flow, named by its client and its own id, out of every list and sum.

    Raises:
        TransactionNotFound: the client has no such flow.
        StaleVersion: the flow is no longer at `version`.
    """
    lock_accounts(session)
    row = _flow_of(session, *place)
    check_version(row, version)
    row.deleted_at, row.deleted_by = now, actor.account_id
    row.version += 1
    _update_account(session, row.client_id, now)
    audit_log.record(
        session, actor, now, "cash_flow_deleted", ("transaction", row.id), _audit_fields(row)
    )


def restore_cash_flow(
    session: Session, actor: Actor, now: dt.datetime, flow_id: uuid.UUID
) -> Transaction:
    """Take the deletion of a flow back; one that is not deleted stays as it is.

    Raises:
        TransactionNotFound: there is no such flow.
        ClientNotFound: its client is deleted.
    """
    lock_accounts(session)
    row = queries.cash_flow(session, flow_id)
    if row is None:
        raise TransactionNotFound
    people.client(session, row.client_id)
    if row.deleted_at is not None:
        row.deleted_at = row.deleted_by = None
        row.version += 1
        _update_account(session, row.client_id, now)
        fields = _audit_fields(row)
        audit_log.record(session, actor, now, "cash_flow_restored", ("transaction", row.id), fields)
    return _transaction(row)


def cash_flows_of(session: Session, client_id: uuid.UUID) -> list[Transaction]:
    """A client's flows, newest first."""
    return [Transaction(*row) for row in queries.cash_flows_of(session, client_id)]


def signed_flows_of(session: Session, client_id: uuid.UUID) -> list[Flow]:
    """Funds added (below zero) and withdrawn (above), as the client sees them; newest first."""
    return [
        Flow(day, amount if kind is FlowType.FUNDS_WITHDRAWN else -amount)
        for _, day, amount, kind, _ in queries.cash_flows_of(session, client_id)
    ]


def signed_flows_of_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[Flow]]:
    """As `signed_flows_of`, by client; those without a flow are left out."""
    flows_by_client: dict[uuid.UUID, list[Flow]] = {}
    for client_id, day, amount, kind in queries.flows_of_all(session, client_ids):
        signed = amount if kind is FlowType.FUNDS_WITHDRAWN else -amount
        flows_by_client.setdefault(client_id, []).append(Flow(day, signed))
    return flows_by_client


def net_flows_after(session: Session, days: Mapping[uuid.UUID, dt.date]) -> dict[uuid.UUID, Rupees]:
    """By client, funds added less funds withdrawn after a day of each client's own."""
    sums: dict[uuid.UUID, Rupees] = {}
    if not days:
        return sums
    for client_id, date, amount, kind in queries.flows_after(session, min(days.values())):
        if client_id in days and date > days[client_id]:
            signed = amount if kind == FlowType.FUNDS_ADDED else -amount
            sums[client_id] = sums.get(client_id, ZERO) + signed
    return sums


def _flow_of(session: Session, client_id: uuid.UUID, flow_id: uuid.UUID) -> CashFlow:
    row = queries.cash_flow(session, flow_id)
    if row is None or row.client_id != client_id or row.deleted_at is not None:
        raise TransactionNotFound
    return row


def _transaction(row: CashFlow) -> Transaction:
    return Transaction(row.id, row.date, row.amount, row.type, row.version)


def _audit_fields(row: CashFlow) -> dict[str, object]:
    return {"date": row.date, "amount": row.amount, "type": row.type}


def _check_flow(new: NewFlow, now: dt.datetime) -> None:
    if not EARLIEST_DAY <= new.date <= day_in_india(now):
        raise UnfitDate
    if not 0 < new.amount <= MOST_VALUE:
        raise UnfitAmount


def _update_account(session: Session, client_id: uuid.UUID, now: dt.datetime) -> None:
    """Have the sums of a client's flows, and cash by hand, follow a change of the flows."""
    session.flush()
    account = account_of(session, client_id)
    renew_flow_sums(session, account)
    move_hand_cash(session, account, now)
