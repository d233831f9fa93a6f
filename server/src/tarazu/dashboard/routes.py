"""Calls of the dashboard."""

from typing import Annotated

from fastapi import Query, Request, Response

from tarazu.dashboard import movers, service, setup, sheets, work_list
from tarazu.dashboard.schemas import (
    DailyAum,
    MoversShown,
    PutOffSetup,
    SetupRow,
    Stats,
    StockShare,
    WorkRow,
)
from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Staff, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.fields import DayRange
from tarazu.kit.response_cache import Ready
from tarazu.kit.schemas import Reply, reply
from tarazu.teams.service import visible_clients

router = authorized_router("/admin/dashboard")


@router.get("/stats")
def show_stats(session: OpenSession, caller: StaffOfVisible) -> Reply[Stats]:
    stats = service.stats(session, visible_clients(session, caller))
    return reply(Stats.model_validate(stats))


@router.get("/work")
def show_work_list(session: OpenSession, caller: StaffOfVisible) -> Reply[list[WorkRow]]:
    visible = visible_clients(session, caller)
    return reply(WorkRow.rows(work_list.work_list(session, caller, clock.now(), visible)))


@router.get("/setup")
def show_setup_list(session: OpenSession, request: Request, _: Admin) -> Reply[list[SetupRow]]:
    return reply(SetupRow.rows(setup.setup_list(session, request.app.state.settings)))


@router.put("/setup")
def put_off_setup(
    body: PutOffSetup, session: OpenSession, request: Request, caller: Admin
) -> Reply[list[SetupRow]]:
    firm.put_off_setup(session, caller, clock.now(), body.step, is_later=body.is_later)
    return reply(SetupRow.rows(setup.setup_list(session, request.app.state.settings)))


@router.get("/movers")
def show_movers(session: OpenSession, caller: StaffOfVisible) -> Reply[MoversShown | None]:
    movers_now = movers.movers(session, clock.now(), visible_clients(session, caller))
    return reply(MoversShown.model_validate(movers_now) if movers_now else None)


@router.get("/stocks-distribution", response_model=Reply[list[StockShare]])
def list_stock_distribution(
    session: OpenSession, caller: StaffOfVisible, ready: Ready
) -> Response | Reply[list[StockShare]]:
    now, visible = clock.now(), visible_clients(session, caller)

    def make() -> Reply[list[StockShare]]:
        rows = StockShare.rows(service.stock_distribution(session, now, visible))
        return Reply[list[StockShare]](success=True, message=None, data=rows)

    # Only what is the same for everybody is kept.
    if not visible.is_all:
        return make()
    return ready.answer("stocks-distribution", service.state(session, now), make)


@list_export(
    router, "/stocks-distribution/export", "Stock Distribution", sheets.STOCKS, names_clients=False
)
def export_stock_distribution(
    session: OpenSession, caller: StaffOfVisible
) -> Exported[service.StockTotal]:
    visible = visible_clients(session, caller)
    return Exported(service.stock_distribution(session, clock.now(), visible))


@router.get("/daily-aum")
def list_daily_aum(
    session: OpenSession, _: Staff, days: Annotated[DayRange, Query()]
) -> Reply[list[DailyAum]]:
    closes = service.daily_aum(session, days)
    return reply([DailyAum(date=day, total_current_value=value) for day, value in closes])


@list_export(router, "/daily-aum/export", "Daily AUM", sheets.DAYS, names_clients=False)
def export_daily_aum(
    session: OpenSession, _: Staff, days: Annotated[DayRange, Query()]
) -> Exported[sheets.Close]:
    return Exported(service.daily_aum(session, days), days)
