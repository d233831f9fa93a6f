"""Shapes of imports on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.imports.action_files import ActionChange
from tarazu.imports.checking import ChangeKind
from tarazu.imports.price_files import PriceChange
from tarazu.imports.readers.parsed import FileKind
from tarazu.imports.records import RecordChange
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import Step
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.kit.translation import Language
from tarazu.orders.tables import OrderSide
from tarazu.portfolio.tables import FlowType
from tarazu.prices.service import PriceSource


class ImportCounts(Schema):
    added: int
    changed: int
    removed: int
    unchanged: int
    refused: int
    clients: int


class HoldingChangeRow(Schema):
    line: int | None
    client_id: str
    client_name: str
    trading_symbol: str
    name: str
    isin: str
    change: ChangeKind
    quantity_before: int | None
    quantity_after: int | None
    average_price_before: Price | None
    average_price_after: Price | None


class CashChangeRow(Schema):
    client_id: str
    client_name: str
    before: Number
    after: Number


class NewcomerRow(Schema):
    line: int
    client_id: str
    name: str
    email: str
    country_code: str
    contact_number: str
    language: Language


class ImportedFlowRow(Schema):
    line: int
    client_id: str
    client_name: str
    date: dt.date
    amount: Number
    type: FlowType
    change: RecordChange


class ImportedOrderRow(Schema):
    line: int
    client_id: str
    client_name: str
    broker_order_id: str
    ordered_at: dt.datetime
    symbol: str
    exchange: str
    side: OrderSide
    quantity: int
    average_price: Price
    change: RecordChange


class RefusedFileRow(Schema):
    line: int
    text: str
    reason: str


class ImportNote(Schema):
    line: int | None
    text: str


class ImportReport(Schema):
    id: uuid.UUID = Field(alias="_id")
    state: ImportState
    kind: FileKind
    kind_name: str
    file_name: str
    as_on: dt.date | None
    broker_client_id: str | None
    is_dry_run: bool
    step: Step
    done: int
    total: int
    message: str
    counts: ImportCounts
    holding_rows: list[HoldingChangeRow] = Field(alias="rows")
    clients: list[NewcomerRow]
    flows: list[ImportedFlowRow]
    orders: list[ImportedOrderRow]
    rows_left_out: int
    cash: list[CashChangeRow]
    refused: list[RefusedFileRow]
    warnings: list[ImportNote]
    left_out: list[str]
    can_apply: bool


class PriceCounts(Schema):
    added: int
    changed: int
    unchanged: int
    kept: int
    unknown: int
    other_series: int
    refused: int


class PriceChangeRow(Schema):
    line: int
    trading_symbol: str
    name: str
    isin: str
    exchange: str
    series: str
    change: PriceChange
    price_before: Price | None
    priced_at_before: dt.datetime | None
    source_before: str | None
    price: Price
    action_suspected: bool


class PriceImportReport(Schema):
    file_name: str
    source: PriceSource
    day: dt.date
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: PriceCounts
    price_rows: list[PriceChangeRow] = Field(alias="rows")
    rows_left_out: int
    refused: list[RefusedFileRow]


class IndexCounts(Schema):
    added: int
    replaced: int
    unchanged: int
    without_value: int
    refused: int


class IndexGap(Schema):
    """Business days in a row without a value."""

    first: dt.date = Field(serialization_alias="from")
    last: dt.date = Field(serialization_alias="to")
    days: int


class BenchmarkImportReport(Schema):
    file_name: str
    name: str
    kind: BenchmarkKind
    is_new: bool
    is_dry_run: bool
    can_apply: bool
    message: str
    first_on: dt.date | None
    last_on: dt.date | None
    counts: IndexCounts
    refused: list[RefusedFileRow]
    warnings: list[ImportNote]
    gaps: list[IndexGap]
    gaps_left_out: int
    checked_from: dt.date | None


class ActionCounts(Schema):
    added: int
    unchanged: int
    removed: int
    refused: int
    unknown: int
    no_action: int
    other_series: int


class ImportedActionRow(Schema):
    line: int
    trading_symbol: str
    name: str | None
    isin: str
    kind: ActionKind
    ex_on: dt.date
    record_on: dt.date | None
    effect: str
    purpose: str
    change: ActionChange
    clients: int


class ActionImportReport(Schema):
    file_name: str
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: ActionCounts
    action_rows: list[ImportedActionRow] = Field(alias="rows")
    rows_left_out: int
    refused: list[RefusedFileRow]


class HighCounts(Schema):
    added: int
    unchanged: int
    refused: int
    other_series: int


class ImportedHighRow(Schema):
    """`tradingSymbol` is "" for a share that no instrument has."""

    line: int
    isin: str
    trading_symbol: str
    high: Price


class HighImportReport(Schema):
    file_name: str
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: HighCounts
    high_rows: list[ImportedHighRow] = Field(alias="rows")
    rows_left_out: int
    refused: list[RefusedFileRow]
