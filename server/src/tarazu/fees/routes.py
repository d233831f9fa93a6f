"""Calls on fees, and on the fee schedule: only fees know which of its versions are in use."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Query, Response

from tarazu.fees import service, sheets
from tarazu.fees.queries import ClientFeeFilter, FeeFilter
from tarazu.fees.schemas import (
    ChangedFee,
    ClientFeesRow,
    CreditNoteRow,
    FeeRow,
    FeeSchedules,
    FeeScheduleVersion,
    FeeStats,
    FeeToDelete,
    FeeToInvoice,
    NewFee,
    NewFeeRefund,
    NewFeeSchedule,
    RefundedFee,
    RefundShown,
)
from tarazu.fees.service import (
    ClientFee,
    ClientFees,
    FeeChanges,
    FeeEdit,
    KeptSchedule,
    NewPeriod,
    NewRefund,
)
from tarazu.firm.service import FeeTerms
from tarazu.invoices.service import Payment
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.fields import Day
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Number, Page, Reply, done, page_of, reply
from tarazu.people import service as people
from tarazu.teams.service import visible_clients

_CHANGED_NAMES = {
    "due_date": "due_on",
    "final_date": "final_on",
    "final_value": "final_value",
    "paid_date": "paid_on",
    "mode_of_payment": "payment_mode",
}

_FEES = "/admin/clients/client/{client_id}/fees"

router = authorized_router("")


@router.get("/fees/stats")
def show_fee_stats(session: OpenSession, caller: StaffOfVisible) -> Reply[FeeStats]:
    return reply(FeeStats.model_validate(service.sums(session, visible_clients(session, caller))))


@router.get("/fees")
def list_client_fees(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ClientFeeFilter, Query()]
) -> Page[ClientFeesRow]:
    visible = visible_clients(session, caller)
    rows, total = service.list_client_fees(session, filters, clock.today(), visible)
    return page_of(ClientFeesRow.rows(rows), filters.page, filters.limit, total)


@router.get(_FEES)
def list_fees(
    client_id: uuid.UUID, session: OpenSession, _: Staff, filters: Annotated[FeeFilter, Query()]
) -> Reply[list[FeeRow]]:
    return reply(FeeRow.rows(service.list_fees(session, client_id, filters)))


@list_export(router, "/fees/export", "Fees", sheets.CLIENT_FEES)
def export_client_fees(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[ClientFeeFilter, Query()]
) -> Exported[ClientFees]:
    visible = visible_clients(session, caller)
    rows, _total = service.list_client_fees(session, whole(filters), clock.today(), visible)
    return Exported(rows, filters)


@list_export(router, f"{_FEES}/export", "Fees", sheets.FEES)
def export_fees(
    client_id: uuid.UUID, session: OpenSession, _: Staff, filters: Annotated[FeeFilter, Query()]
) -> Exported[ClientFee]:
    client = people.client(session, client_id)
    return Exported(service.list_fees(session, client_id, filters), filters, client)


@router.get("/admin/clients/client/{client_id}/starting-value")
def show_starting_value(
    client_id: uuid.UUID,
    session: OpenSession,
    _: Staff,
    starts_on: Annotated[Day | None, Query(alias="startingDate")] = None,
) -> Reply[Number]:
    return reply(service.starting_value(session, client_id, starts_on or clock.today()))


@router.post(
    _FEES,
    status_code=HTTPStatus.CREATED,
    response_model=Reply[FeeRow],
)
def add_fee(
    client_id: uuid.UUID, body: NewFee, session: OpenSession, caller: Staff, once: OnceOnly
) -> Response:
    def act() -> Any:
        added = service.add_fee(session, caller, clock.now(), client_id, _period(body))
        return reply(FeeRow.model_validate(added))

    return once.run(session, act, Reply[FeeRow], HTTPStatus.CREATED)


@router.put(_FEES)
def change_fee(
    client_id: uuid.UUID, body: ChangedFee, session: OpenSession, caller: Staff
) -> Reply[FeeRow]:
    edit = FeeEdit(body.fee_id, _changes(body), body.version)
    return reply(
        FeeRow.model_validate(service.change_fee(session, caller, clock.now(), client_id, edit))
    )


@router.post(f"{_FEES}/delete")
def delete_fee(
    client_id: uuid.UUID, body: FeeToDelete, session: OpenSession, caller: Staff
) -> Done:
    edit = FeeEdit(body.fee_id, {}, body.version)
    service.delete_fee(session, caller, clock.now(), client_id, edit)
    return done("Fee transaction deleted successfully")


@router.post(f"{_FEES}/invoice")
def issue_invoice(
    client_id: uuid.UUID, body: FeeToInvoice, session: OpenSession, caller: Staff
) -> Reply[FeeRow]:
    changes: FeeChanges = {
        "payment_mode": body.mode_of_payment,
        "payment_reference": body.reference,
    }
    edit = FeeEdit(body.fee_id, changes, body.version)
    invoiced = service.issue_invoice(session, caller, clock.now(), client_id, edit)
    return reply(FeeRow.model_validate(invoiced), "Invoice issued")


@router.get(f"{_FEES}/refund")
def show_refund(
    client_id: uuid.UUID,
    session: OpenSession,
    _: Staff,
    fee_id: Annotated[uuid.UUID, Query(alias="feeId")],
    ended_on: Annotated[Day, Query(alias="endedOn")],
) -> Reply[RefundShown]:
    return reply(
        RefundShown.model_validate(service.show_refund(session, client_id, fee_id, ended_on))
    )


@router.post(f"{_FEES}/refund", status_code=HTTPStatus.CREATED, response_model=Reply[RefundedFee])
def refund_fee(
    client_id: uuid.UUID, body: NewFeeRefund, session: OpenSession, caller: Staff, once: OnceOnly
) -> Response:
    def act() -> Any:
        payment = Payment(body.paid_on, body.mode_of_payment, body.reference)
        new = NewRefund(body.ended_on, payment, body.amount)
        edit = FeeEdit(body.fee_id, {}, body.version)
        fee, note = service.refund_fee(session, caller, clock.now(), client_id, edit, new)
        return reply(
            RefundedFee(
                fee=FeeRow.model_validate(fee), credit_note=CreditNoteRow.model_validate(note)
            ),
            "Refund recorded",
        )

    return once.run(session, act, Reply[RefundedFee], HTTPStatus.CREATED)


@router.post("/admin/fees/{fee_id}/restore")
def restore_fee(fee_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.restore_fee(session, caller, clock.now(), fee_id)
    return done("Fee transaction restored successfully")


@router.get("/settings/fee-schedule")
def show_fee_schedule(session: OpenSession, _: Admin) -> Reply[FeeSchedules]:
    return reply(_schedules(service.schedules(session, clock.today())))


@list_export(
    router,
    "/settings/fee-schedule/export",
    "Fee schedules",
    sheets.FEE_SCHEDULES,
    names_clients=False,
)
def export_fee_schedules(session: OpenSession, _: Admin) -> Exported[KeptSchedule]:
    return Exported(service.schedules(session, clock.today()))


@router.put("/settings/fee-schedule")
def set_fee_schedule(
    body: NewFeeSchedule, session: OpenSession, caller: Admin
) -> Reply[FeeSchedules]:
    seen = service.SeenSchedule(body.seen_at) if "seen_at" in body.model_fields_set else None
    service.set_schedule(session, caller, clock.now(), _terms(body), seen)
    return reply(_schedules(service.schedules(session, clock.today())))


def _period(body: NewFee) -> NewPeriod:
    return NewPeriod(
        body.starting_date,
        body.due_date,
        body.final_date,
        body.starting_value,
        body.final_value,
    )


def _changes(body: ChangedFee) -> FeeChanges:
    changed = {
        name: getattr(body, field)
        for field, name in _CHANGED_NAMES.items()
        if field in body.model_fields_set
    }
    changes = cast("FeeChanges", changed)
    if body.reference is not None:
        changes["payment_reference"] = body.reference
    if body.status is not None:
        changes["status"] = body.status
    return changes


def _terms(body: NewFeeSchedule) -> FeeTerms:
    return FeeTerms(
        body.effective_on,
        body.schedule,
        body.is_above_high_water_mark,
        body.yearly_limit,
        body.source,
    )


def _schedules(schedules: list[KeptSchedule]) -> FeeSchedules:
    versions = FeeScheduleVersion.rows(schedules)
    in_force = next(version for version in versions if version.is_in_force)
    return FeeSchedules(in_force=in_force, versions=versions)
