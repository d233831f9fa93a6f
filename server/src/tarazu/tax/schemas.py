"""Shapes of tax lots and gains on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.rates import SurchargeClass, Term
from tarazu.domain.tax.set_off import Way
from tarazu.domain.tax.values import DisposalKind, LotSource
from tarazu.kit.fields import Day, is_plain, none_if_blank
from tarazu.kit.schemas import Number, Price, Schema, Whole
from tarazu.tax.tables import EntryKind

MOST_SHARES = 10**10
MOST_RUPEES = 10**13
LONGEST_SOURCE = 300


def _isin(text: str) -> str:
    return text.strip().upper()


def _demat(text: str) -> str:
    name = text.strip()
    if len(name) > 60 or not is_plain(name):  # noqa: PLR2004 - as the message says
        raise ValueError("A demat account has at most 60 characters, none of them for control.")
    return name


Isin = Annotated[str, Field(max_length=20), AfterValidator(_isin)]
OptionalDay = Annotated[Day | None, BeforeValidator(none_if_blank)]
Amount = Annotated[Number, Field(ge=0, le=MOST_RUPEES, decimal_places=2)]


class EnteredLot(Schema):
    """`movedOn` is the day in or out of the account; left out, the day of purchase."""

    kind: EntryKind = EntryKind.BOUGHT
    isin: Isin
    quantity: Annotated[Whole, Field(ge=1, le=MOST_SHARES)]
    bought_on: OptionalDay = None
    moved_on: OptionalDay = None
    amount: Annotated[Amount | None, BeforeValidator(none_if_blank)] = None
    demat: Annotated[str, AfterValidator(_demat)] = ""


class EntryRow(Schema):
    id: Annotated[uuid.UUID, Field(serialization_alias="_id")]
    kind: EntryKind
    isin: str
    quantity: int
    bought_on: dt.date | None
    moved_on: dt.date
    amount: Number | None
    demat: str


class StatedTaxClass(Schema):
    """`income` null: not stated, the rates without surcharge; `version` is 0 before the first."""

    income: Annotated[SurchargeClass | None, BeforeValidator(none_if_blank)]
    version: Annotated[Whole, Field(ge=0, le=2**31 - 1)]


class EnteredHigh(Schema):
    isin: Isin
    high: Annotated[Price, Field(gt=0, le=MOST_RUPEES, decimal_places=4)]


def _source(text: str) -> str:
    source = text.strip()
    if not source:
        raise ValueError("Source is required")
    if len(source) > LONGEST_SOURCE or not is_plain(source):
        raise ValueError(
            f"Source: at most {LONGEST_SOURCE} characters, without control characters."
        )
    return source


class TaxRateLine(Schema):
    """One rate, limit or section from a day on; `unit` says what `value` is."""

    effective_on: dt.date
    item: str
    value: str
    unit: Literal["percent", "rupees", "months", "date", "text"]
    source: str


class TaxRateVersion(Schema):
    """Without an id it comes with the product."""

    id: uuid.UUID | None = Field(alias="_id")
    effective_on: dt.date
    source: str
    lines: list[TaxRateLine]
    created_at: dt.datetime | None
    can_remove: bool


class TaxRateTable(Schema):
    """`inForce` are the lines that hold today; `versions` all, newest first."""

    in_force: list[TaxRateLine]
    versions: list[TaxRateVersion]


class EnteredTaxRate(Schema):
    item: Annotated[str, Field(max_length=60)]
    value: Annotated[str, Field(max_length=60)]


class EnteredRates(Schema):
    """Those of `rates` that differ from what holds on the day are entered."""

    effective_on: Day
    source: Annotated[str, AfterValidator(_source)]
    rates: Annotated[list[EnteredTaxRate], Field(max_length=50)]


class LotRow(Schema):
    quantity: int
    bought_on: dt.date
    cost: Number | None
    source: LotSource
    demat: str
    known: bool
    is_long_term: bool
    long_term_on: dt.date
    days_to_long_term: int
    gain: Number | None
    tax: Number | None


class Harvest(Schema):
    """Shares whose sale makes a loss; `gain` is below 0."""

    quantity: int
    gain: Number


class StockRow(Schema):
    isin: str
    trading_symbol: str
    name: str
    quantity: int
    lot_quantity: int
    ltp: Price | None
    known: bool
    reason: WhyUnknown | None
    reason_text: str
    short_gain: Number | None
    long_gain: Number | None
    harvest: Harvest | None
    lots: list[LotRow]


class Lots(Schema):
    as_of: dt.date
    tax_class: StatedTaxClass
    stocks: list[StockRow]
    entries: list[EntryRow]
    trades_left_out: int
    notes: list[str]


class DisposalRow(Schema):
    kind: DisposalKind
    isin: str
    trading_symbol: str
    quantity: int
    sold_on: dt.date
    bought_on: dt.date | None
    term: Term | None
    proceeds: Number | None
    cost: Number | None
    gain: Number | None
    reason: WhyUnknown | None
    reason_text: str


class GainRow(Schema):
    isin: str
    trading_symbol: str
    quantity: int
    proceeds: Number | None
    cost: Number | None
    short_gain: Number | None
    long_gain: Number | None
    unknown_quantity: int


class GainSums(Schema):
    short_gain: Number
    short_loss: Number
    long_gain: Number
    long_loss: Number


class SetOffRow(Schema):
    """What is left after set-off; losses that found no gain are not carried forward here."""

    way: Way
    short: Number
    long: Number
    short_loss: Number
    long_loss: Number
    taxed_long: Number
    exemption_left: Number
    tax: Number


class YearTaxRow(Schema):
    better: Way
    ways: list[SetOffRow]


class HarvestRow(Harvest):
    isin: str
    trading_symbol: str


class RateRow(Schema):
    """Percents before surcharge and cess; `lines` are those that held in the year."""

    short_term: Number
    long_term: Number
    exemption: Number
    sections: dict[str, str]
    lines: list[TaxRateLine]


class UnknownStock(Schema):
    """A stock whose open lots are not known, and why."""

    isin: str
    trading_symbol: str
    quantity: int
    lot_quantity: int
    reason: WhyUnknown | None
    reason_text: str


class Gains(Schema):
    """`tax` is null where the rates changed within the year."""

    year: str
    first: dt.date
    last: dt.date
    tax_class: StatedTaxClass
    rates: RateRow
    schedule: list[GainRow]
    disposals: list[DisposalRow]
    unknown_disposals: int
    realised: GainSums
    tax: YearTaxRow | None
    used_exemption: Number | None
    unused_exemption: Number | None
    dividends: Number
    speculation: Number
    unknown_speculations: int
    unrealised: GainSums
    unknown_stocks: list[UnknownStock]
    harvestable: list[HarvestRow]
    trades_left_out: int
    notes: list[str]
