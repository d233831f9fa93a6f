"""Calls of the dashboard."""

from typing import Annotated

from fastapi import Query, Response

from tarazu.dashboard import service
from tarazu.dashboard.schemas import DailyAum, Stats, StockShare
from tarazu.dashboard.sheets import aum_sheet, stock_sheet
from tarazu.kit.access import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import SHEETS, TakenAway
from tarazu.kit.fields import Day
from tarazu.kit.ready import Ready
from tarazu.kit.wire import Reply, reply

router = guarded_router("/admin/dashboard")


@router.get("/stats")
def show_stats(session: OpenSession, _: Staff) -> Reply[Stats]:
    return reply(Stats.model_validate(service.stats(session)))


@router.get("/stocks-distribution", response_model=Reply[list[StockShare]])
def list_stock_distribution(session: OpenSession, _: Staff, ready: Ready) -> Response:
    def make() -> Reply[list[StockShare]]:
        rows = StockShare.rows(service.stock_distribution(session))
        return Reply[list[StockShare]](success=True, message=None, data=rows)

    return ready.answer("stocks-distribution", service.state(session), make)


@router.get("/stocks-distribution/export", response_class=Response, responses=SHEETS)
def export_stock_distribution(session: OpenSession, caller: Staff, taking: TakenAway) -> Response:
    return taking.sheet(caller, stock_sheet(service.stock_distribution(session)))


@router.get("/daily-aum")
def list_daily_aum(
    session: OpenSession,
    _: Staff,
    since: Annotated[Day | None, Query(alias="from")] = None,
    until: Annotated[Day | None, Query(alias="to")] = None,
) -> Reply[list[DailyAum]]:
    closes = service.daily_aum(session, since, until)
    return reply([DailyAum(date=day, total_current_value=value) for day, value in closes])


@router.get("/daily-aum/export", response_class=Response, responses=SHEETS)
def export_daily_aum(
    session: OpenSession,
    caller: Staff,
    taking: TakenAway,
    since: Annotated[Day | None, Query(alias="from")] = None,
    until: Annotated[Day | None, Query(alias="to")] = None,
) -> Response:
    sheet = aum_sheet(service.daily_aum(session, since, until))
    return taking.sheet(caller, sheet, {"from": since, "to": until})
