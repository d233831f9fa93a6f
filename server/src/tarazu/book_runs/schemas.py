"""Shapes of runs over the book on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import Field

from tarazu.advice.service import AskedOptions, Level, RebalanceRow
from tarazu.book_runs.requests import LONGEST_NOTE, plain_text
from tarazu.book_runs.tables import BookRunState, ClientState, Tile
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.model_portfolios.tables import Outside

Note = Annotated[str, plain_text(LONGEST_NOTE, "A note")]


class NewRun(Schema):
    """Defaults: the newest version, the firm's tolerance and options, KEEP.

    `after` names the run that this one replaces: clients excluded there by hand stay excluded.
    """

    model_id: uuid.UUID
    version_id: uuid.UUID | None = None
    tolerance_percentage: Annotated[Number, Field(ge=0, le=20, decimal_places=2)] | None = None
    outside: Outside = Outside.KEEP
    options: AskedOptions | None = None
    after: uuid.UUID | None = None


class TileShown(Schema):
    """`included` of the `clients` will be sent advice; the sums are of all clients."""

    tile: Tile
    clients: int
    included: int
    can_be_sent: int
    investment_value: Number
    buy_value: Number
    sell_value: Number


class RunTotals(Schema):
    """Of the included; `clients` are all.

    `estimatedTax` is what the sales add to the tax of the year; it leaves out the `unknownTax` clients
    of whom it is not known, and is None where it is known of none.
    """

    clients: int
    included: int
    buy_value: Number
    sell_value: Number
    estimated_charges: Number
    trades: int
    estimated_tax: Number | None
    unknown_tax: int


class OptionsShown(Schema):
    """The options of all plans of a run, named as in the request."""

    band_percentage: Number = Field(validation_alias="band")
    minimum_trade_value: Number = Field(validation_alias="minimum_trade")
    include_charges: bool
    allow_fresh_funds: bool
    price_buffer_percentage: Number = Field(validation_alias="price_buffer")


class RunSending(Schema):
    total: int
    queued: int
    sent: int
    changed: int
    failed: int


class BookRunShown(Schema):
    id: uuid.UUID = Field(alias="_id")
    model_id: uuid.UUID
    model_name: str
    version_id: uuid.UUID
    version_number: int
    state: BookRunState
    created_at: dt.datetime
    author: str
    computed_at: dt.datetime | None
    priced_at: dt.datetime | None
    price_sources: list[str]
    oldest_price_at: dt.datetime | None
    oldest_price_symbol: str | None
    prices_good_until: dt.datetime | None
    tolerance_percentage: Number
    outside: Outside
    options: OptionsShown
    rationale: str
    error: str | None
    tiles: list[TileShown]
    totals: RunTotals
    sending: RunSending
    sent_by: str | None
    sent_at: dt.datetime | None
    finished_at: dt.datetime | None
    version: int


class ReasonShown(Schema):
    tile: Tile
    message: str


class BookClientRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    tile: Tile
    reasons: list[ReasonShown]
    is_included: bool
    can_be_included: bool
    note: str
    investment_value: Number | None
    cash: Number
    cash_after: Number | None
    funds_to_add: Number | None
    trades: int | None
    buy_value: Number | None
    sell_value: Number | None
    estimated_charges: Number | None
    estimated_tax: Number | None
    turnover_percentage: Number | None
    max_drift: Number | None
    max_drift_symbol: str
    tracking_error_bps: Number | None
    proved_gap_bps: Price | None
    broker: str
    holdings_source: str
    synced_at: dt.datetime | None
    state: ClientState
    error: str
    advice_id: uuid.UUID | None
    sent_at: dt.datetime | None


class BookSummary(Schema):
    tracking_error_bps: Number
    proved_gap_bps: Price
    active_share_pct: Number
    cash_after: Number
    cash_after_pct: Number
    estimated_charges: Number
    charges_broker: str
    turnover_pct: Number
    funds_to_add: Number
    buy_value: Number
    sell_value: Number
    trades: int
    price_time: dt.datetime


class RestrictionNamed(Schema):
    """One restriction that applies to the plan, in words."""

    trading_symbol: str
    words: str
    reason: str


class BookClientShown(Schema):
    """What a client of a run would get; no legs where there is no plan."""

    client: BookClientRow
    legs: list[RebalanceRow]
    summary: BookSummary | None
    notices: list[str]
    restrictions: list[RestrictionNamed]


class Choice(Schema):
    is_included: bool
    note: Note = ""


class FixShown(Schema):
    """A page of the product where the problem can be fixed, and the label of the link."""

    label: str
    to: str


class CheckShown(Schema):
    """A check before a send: BLOCK refuses the send, WARN has to be acknowledged."""

    id: str
    level: Level
    text: str
    fix: FixShown
