"""Calls on a client's accounting."""

import uuid
from http import HTTPStatus
from typing import Any

from fastapi import Response

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.people import service as people
from tarazu.portfolio import service
from tarazu.portfolio.schemas import (
    ChangedTransaction,
    DeletedTransaction,
    NewTransaction,
    TransactionRow,
)
from tarazu.portfolio.service import NewFlow, Transaction
from tarazu.portfolio.sheets import ACCOUNTING

router = authorized_router("/admin")

_ACCOUNTING = "/clients/client/{client_id}/accounting"


@router.get(_ACCOUNTING)
def list_accounting(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Reply[list[TransactionRow]]:
    people.client(session, client_id)
    return reply(TransactionRow.rows(service.cash_flows_of(session, client_id)))


@list_export(router, f"{_ACCOUNTING}/export", "Accounting", ACCOUNTING)
def export_accounting(
    client_id: uuid.UUID, session: OpenSession, _: Staff
) -> Exported[Transaction]:
    client = people.client(session, client_id)
    return Exported(service.cash_flows_of(session, client_id), client=client)


@router.post(
    f"{_ACCOUNTING}/transaction",
    status_code=HTTPStatus.CREATED,
    response_model=Reply[TransactionRow],
)
def record_transaction(
    client_id: uuid.UUID, body: NewTransaction, session: OpenSession, caller: Staff, once: OnceOnly
) -> Response:
    people.client(session, client_id)

    def act() -> Any:
        new = NewFlow(body.date, body.amount, body.type)
        added = service.record_cash_flow(session, caller, clock.now(), client_id, new)
        return reply(TransactionRow.model_validate(added), "Transaction saved")

    return once.run(session, act, Reply[TransactionRow], HTTPStatus.CREATED)


@router.put(f"{_ACCOUNTING}/transaction")
def change_transaction(
    client_id: uuid.UUID, body: ChangedTransaction, session: OpenSession, caller: Staff
) -> Reply[TransactionRow]:
    people.client(session, client_id)
    place = (client_id, body.transaction_id)
    new = NewFlow(body.date, body.amount, body.type)
    changed = service.change_cash_flow(session, caller, clock.now(), place, new, body.version)
    return reply(TransactionRow.model_validate(changed), "Transaction saved")


@router.post(f"{_ACCOUNTING}/transaction/delete")
def delete_transaction(
    client_id: uuid.UUID, body: DeletedTransaction, session: OpenSession, caller: Staff
) -> Done:
    people.client(session, client_id)
    place = (client_id, body.transaction_id)
    service.delete_cash_flow(session, caller, clock.now(), place, body.version)
    return done("Transaction deleted")


@router.post("/transactions/{transaction_id}/restore")
def restore_transaction(
    transaction_id: uuid.UUID, session: OpenSession, caller: Admin
) -> Reply[TransactionRow]:
    restored = service.restore_cash_flow(session, caller, clock.now(), transaction_id)
    return reply(TransactionRow.model_validate(restored), "Transaction restored")
