"""Shapes of the dashboard on the wire."""

import datetime as dt

from pydantic import Field

from tarazu.kit.wire import Number, Wire


class Stats(Wire):
    total_clients: int
    total_current_aum: Number = Field(alias="totalCurrentAUM")
    fees: Number
    total_cash_holdings: Number
    stale_stocks: int
    oldest_stale_at: dt.datetime | None


class StockShare(Wire):
    aum_percentage: Number
    symbol: str
    exchange: str
    instrument_token: int
    total_quantity: int
    total_current_value: Number
    total_invested_value: Number
    stale_at: dt.datetime | None
    stale_source: str | None


class DailyAum(Wire):
    date: dt.date
    total_current_value: Number
