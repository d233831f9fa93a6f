"""Calls of the dashboard."""

import datetime as dt
from typing import Annotated

from fastapi import Query

from tarazu.dashboard import service
from tarazu.dashboard.schemas import DailyAum, Stats, StockShare
from tarazu.kit.access import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.wire import Reply, reply

router = guarded_router("/admin/dashboard")


@router.get("/stats")
def show_stats(session: OpenSession, _: Staff) -> Reply[Stats]:
    return reply(Stats.model_validate(service.stats(session)))


@router.get("/stocks-distribution")
def list_stock_distribution(session: OpenSession, _: Staff) -> Reply[list[StockShare]]:
    return reply(StockShare.rows(service.stock_distribution(session)))


@router.get("/daily-aum")
def list_daily_aum(
    session: OpenSession,
    _: Staff,
    since: Annotated[dt.date | None, Query(alias="from")] = None,
    until: Annotated[dt.date | None, Query(alias="to")] = None,
) -> Reply[list[DailyAum]]:
    closes = service.daily_aum(session, since, until)
    return reply([DailyAum(date=day, total_current_value=value) for day, value in closes])
