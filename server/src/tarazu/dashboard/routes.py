"""Calls of the dashboard."""

from typing import Annotated

from fastapi import Query, Response

from tarazu.dashboard import service
from tarazu.dashboard.schemas import DailyAum, Stats, StockShare
from tarazu.dashboard.sheets import aum_sheet, stock_sheet
from tarazu.kit import clock
from tarazu.kit.auth_route import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import SHEETS, TakenAway
from tarazu.kit.fields import Day
from tarazu.kit.response_cache import Ready
from tarazu.kit.schemas import Reply, reply

router = guarded_router("/admin/dashboard")


@router.get("/stats")
def show_stats(session: OpenSession, _: Staff) -> Reply[Stats]:
    return reply(Stats.model_validate(service.stats(session)))


@router.get("/stocks-distribution", response_model=Reply[list[StockShare]])
def list_stock_distribution(session: OpenSession, _: Staff, ready: Ready) -> Response:
    now = clock.now()

    def make() -> Reply[list[StockShare]]:
        rows = [_share(one) for one in service.stock_distribution(session, now)]
        return Reply[list[StockShare]](success=True, message=None, data=rows)

    return ready.answer("stocks-distribution", service.state(session, now), make)


def _share(one: service.StockShare) -> StockShare:
    return StockShare(
        aum_percentage=one.aum_percentage,
        symbol=one.symbol,
        exchange=one.exchange,
        instrument_token=one.instrument_token,
        total_quantity=one.total_quantity,
        total_current_value=one.total_current_value,
        total_invested_value=one.total_invested_value,
        stale_at=one.stale_price.at if one.stale_price else None,
        stale_source=one.stale_price.source if one.stale_price else None,
        action_suspected=one.is_action_suspected,
    )


@router.get("/stocks-distribution/export", response_class=Response, responses=SHEETS)
def export_stock_distribution(session: OpenSession, caller: Staff, taking: TakenAway) -> Response:
    return taking.sheet(caller, stock_sheet(service.stock_distribution(session, clock.now())))


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
