"""Calls on fees, and on the fee schedule: only fees know which of its versions are in use."""

import uuid
from http import HTTPStatus
from typing import Annotated, Any, cast

from fastapi import Query, Response

from tarazu.domain.fees import FixedSchedule
from tarazu.domain.money import Rupees
from tarazu.fees import service
from tarazu.fees.queries import FeeFilter
from tarazu.fees.schemas import (
    AskedFees,
    AskedOverview,
    ChangedFee,
    ClientFeesRow,
    FeeRow,
    FeeSchedules,
    FeeScheduleVersion,
    FeeSlab,
    FeeStats,
    FeeToDelete,
    FlowsChanged,
    LimitPassed,
    NewFee,
    NewFeeSchedule,
)
from tarazu.fees.service import (
    ClientFee,
    ClientFees,
    FeeChanges,
    FeeEdit,
    KeptSchedule,
    NewPeriod,
    Overview,
    PassedLimit,
)
from tarazu.fees.sheets import fee_sheet, overview_sheet, schedule_sheet
from tarazu.firm.service import FeeTerms
from tarazu.firm.tables import ScheduleKind
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, SHEETS, TakenAway
from tarazu.kit.fields import Day
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Number, Page, Reply, done, page_of, reply
from tarazu.people import service as people

_CHANGED_NAMES = {
    "due_date": "due_on",
    "final_date": "final_on",
    "final_value": "final_value",
    "paid_date": "paid_on",
}

router = guarded_router("")


@router.get("/fees/stats")
def show_fee_stats(session: OpenSession, _: Staff) -> Reply[FeeStats]:
    return reply(FeeStats.model_validate(service.sums(session)))


@router.get("/fees")
def list_client_fees(
    session: OpenSession, _: Staff, asked: Annotated[AskedOverview, Query()]
) -> Page[ClientFeesRow]:
    wanted = Overview(asked.query, asked.since, asked.until, asked.sort)
    rows, total = service.overview(session, wanted, asked.skipped, asked.limit)
    return page_of([_client_fees(row) for row in rows], asked.page, asked.limit, total)


@router.get("/admin/clients/client/{client_id}/fees")
def list_fees(
    client_id: uuid.UUID, session: OpenSession, _: Staff, asked: Annotated[AskedFees, Query()]
) -> Reply[list[FeeRow]]:
    wanted = FeeFilter(asked.since, asked.until, asked.status)
    return reply([_fee(one) for one in service.list_fees(session, client_id, wanted)])


@router.get("/fees/export", response_class=Response, responses=SHEETS)
def export_client_fees(
    session: OpenSession,
    caller: Staff,
    asked: Annotated[AskedOverview, Query()],
    taking: TakenAway,
) -> Response:
    wanted = Overview(asked.query, asked.since, asked.until, asked.sort)
    rows, _ = service.overview(session, wanted, 0, EVERY_ROW)
    return taking.sheet(caller, overview_sheet(rows), asked)


@router.get(
    "/admin/clients/client/{client_id}/fees/export", response_class=Response, responses=SHEETS
)
def export_fees(
    client_id: uuid.UUID,
    session: OpenSession,
    caller: Staff,
    asked: Annotated[AskedFees, Query()],
    taking: TakenAway,
) -> Response:
    client = people.client(session, client_id)
    wanted = FeeFilter(asked.since, asked.until, asked.status)
    rows = service.list_fees(session, client_id, wanted)
    return taking.sheet(caller, fee_sheet(rows), asked, client)


@router.get("/admin/clients/client/{client_id}/starting-value")
def show_starting_value(
    client_id: uuid.UUID,
    session: OpenSession,
    _: Staff,
    starts_on: Annotated[Day | None, Query(alias="startingDate")] = None,
) -> Reply[Number]:
    return reply(service.starting_value(session, client_id, starts_on or clock.today()))


@router.post(
    "/admin/clients/client/{client_id}/fees",
    status_code=HTTPStatus.CREATED,
    response_model=Reply[FeeRow],
)
def add_fee(
    client_id: uuid.UUID, body: NewFee, session: OpenSession, caller: Staff, once: OnceOnly
) -> Response:
    def act() -> Any:
        added = service.add_fee(session, caller, clock.now(), client_id, _period(body))
        return reply(_fee(added))

    return once.run(session, act, Reply[FeeRow], HTTPStatus.CREATED)


@router.put("/admin/clients/client/{client_id}/fees")
def change_fee(
    client_id: uuid.UUID, body: ChangedFee, session: OpenSession, caller: Staff
) -> Reply[FeeRow]:
    edit = FeeEdit(body.fee_id, _changes(body), body.version)
    return reply(_fee(service.change_fee(session, caller, clock.now(), client_id, edit)))


@router.post("/admin/clients/client/{client_id}/fees/delete")
def delete_fee(
    client_id: uuid.UUID, body: FeeToDelete, session: OpenSession, caller: Staff
) -> Done:
    edit = FeeEdit(body.fee_id, {}, body.version)
    service.delete_fee(session, caller, clock.now(), client_id, edit)
    return done("Fee transaction deleted successfully")


@router.post("/admin/fees/{fee_id}/restore")
def restore_fee(fee_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.restore_fee(session, caller, clock.now(), fee_id)
    return done("Fee transaction restored successfully")


@router.get("/settings/fee-schedule")
def show_fee_schedule(session: OpenSession, _: Admin) -> Reply[FeeSchedules]:
    return reply(_schedules(service.schedules(session, clock.today())))


@router.get("/settings/fee-schedule/export", response_class=Response, responses=SHEETS)
def export_fee_schedules(session: OpenSession, caller: Admin, taking: TakenAway) -> Response:
    return taking.sheet(caller, schedule_sheet(service.schedules(session, clock.today())))


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
    given = {
        name: getattr(body, field)
        for field, name in _CHANGED_NAMES.items()
        if field in body.model_fields_set
    }
    changes = cast("FeeChanges", given)
    if body.status is not None:
        changes["status"] = body.status
    return changes


def _fee(one: ClientFee) -> FeeRow:
    fee = one.fee
    return FeeRow(
        id=fee.id,
        starting_date=fee.starting_on,
        due_date=fee.due_on,
        final_date=fee.final_on,
        starting_value=fee.starting_value,
        final_value=fee.final_value,
        net_funds_added=one.net_funds_added,
        net_gain=fee.net_gain,
        net_gain_percentage=one.net_gain_percentage,
        applicable_percentage=fee.applicable_percentage,
        fees=fee.amount,
        net_gain_after_fees=one.net_gain_after_fee,
        status=fee.status,
        paid_date=fee.paid_on,
        over_limit=one.passed_limit is not None,
        limit=_limit(one.passed_limit),
        schedule_from=one.terms.effective_on if one.terms else None,
        flows_changed=FlowsChanged.model_validate(one.flows_changed) if one.flows_changed else None,
        version=fee.version,
    )


def _limit(passed: PassedLimit | None) -> LimitPassed | None:
    return LimitPassed.model_validate(passed) if passed else None


def _client_fees(row: ClientFees) -> ClientFeesRow:
    return ClientFeesRow(
        id=row.id,
        client_id=row.client_id,
        user_name=row.user_name,
        total_fees=row.total_fees,
        total_due=row.total_due,
        due_date=row.due_date,
        total_paid=row.total_paid,
        paid_date=row.paid_date,
        status=row.status,
        over_limit=row.passed_limit is not None,
        limit=_limit(row.passed_limit),
        flows_changed=FlowsChanged.rows(row.flows_changed),
    )


def _terms(body: NewFeeSchedule) -> FeeTerms:
    return FeeTerms(
        body.effective_on,
        body.schedule,
        body.is_above_high_water_mark,
        body.yearly_limit,
        body.source,
    )


def _schedules(kept: list[KeptSchedule]) -> FeeSchedules:
    versions = [_version(one) for one in kept]
    return FeeSchedules(
        in_force=next(one for one in versions if one.is_in_force), versions=versions
    )


def _version(kept: KeptSchedule) -> FeeScheduleVersion:
    terms = kept.version.terms
    amount: Rupees | None = None
    slabs: list[FeeSlab] = []
    if isinstance(terms.schedule, FixedSchedule):
        amount = terms.schedule.amount
    else:
        slabs = FeeSlab.rows(terms.schedule.slabs)
    return FeeScheduleVersion(
        id=kept.version.id,
        effective_on=terms.effective_on,
        kind=ScheduleKind.SLABS if slabs else ScheduleKind.FIXED,
        slabs=slabs,
        fixed_amount=amount,
        is_above_high_water_mark=terms.is_above_high_water_mark,
        yearly_limit=terms.yearly_limit,
        source=terms.source,
        is_in_force=kept.is_in_force,
        is_in_use=kept.is_in_use,
        created_at=kept.version.created_at,
    )
