"""Shapes of the dashboard on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.dashboard.setup import SetupStep
from tarazu.dashboard.work_list import Work
from tarazu.kit.schemas import Flag, Number, Points, Price, Schema, Units, attribute


class Stats(Schema):
    total_clients: int
    total_current_aum: Number = Field(alias="totalCurrentAUM")
    fees: Number
    total_cash_holdings: Number


class StockShare(Schema):
    aum_percentage: Number
    symbol: str
    exchange: str
    instrument_token: int
    total_quantity: int
    total_current_value: Number
    total_invested_value: Number
    stale_at: dt.datetime | None
    stale_source: str | None
    action_suspected: bool = attribute("is_action_suspected")


class DailyAum(Schema):
    date: dt.date
    total_current_value: Number


class WorkRow(Schema):
    """`text` follows the count; `to` is the address of the screen that lists what is counted."""

    kind: Work
    count: int
    text: str
    label: str
    to: str


class SetupRow(Schema):
    """`to` is the address behind the button; null where the button sends the test mail."""

    step: SetupStep
    title: str
    text: str
    label: str
    to: str | None
    is_done: bool
    is_later: bool


class PutOffSetup(Schema):
    step: SetupStep
    is_later: Flag


class MoverRow(Schema):
    """`change` is since the close, without cash flows; `stale_since` as in the client list."""

    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    value: Units
    change: Units
    change_percentage: Points | None
    stale_since: dt.datetime | None


class MoversShown(Schema):
    """Both most first. `left_out`: clients with a suspected split or bonus, whose value is unknown."""

    closed_on: dt.date
    rising: list[MoverRow]
    falling: list[MoverRow]
    left_out: int


class PriceSourceRow(Schema):
    """`source` is None for the stocks that were never priced."""

    source: str | None
    stocks: int
    newest_at: dt.datetime | None
    oldest_at: dt.datetime | None
    stale: int


class StalePriceRow(Schema):
    symbol: str = attribute("listed.symbol")
    exchange: str = attribute("listed.exchange")
    name: str = attribute("listed.name")
    isin: str = attribute("listed.isin")
    price: Price | None
    priced_at: dt.datetime | None
    source: str | None
    is_held: bool


class PriceSources(Schema):
    stocks: int
    stale_count: int
    sources: list[PriceSourceRow]
    stale: list[StalePriceRow]
