"""Shapes of rebalances and advice on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.advice.options import AskedOptions, Share
from tarazu.advice.sealing import SealedAs
from tarazu.advice.shown import RebalanceRow
from tarazu.domain.charges import Side
from tarazu.kit.fields import Day, is_plain
from tarazu.kit.mail import Delivery
from tarazu.kit.wire import MAX_LIMIT, Number, Points, Price, PriceUnits, Units, Wire

LONGEST_RATIONALE = 5_000
LONGEST_DISCLOSURE = 1_000
LONGEST_MESSAGE = 300
LONGEST_SYMBOL = 40
MOST_ROWS_READ = 1_000


def _none_if_blank(value: Any) -> Any:
    return None if isinstance(value, str) and not value.strip() else value


def _plain_text(most: int, name: str) -> AfterValidator:
    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if len(plain) > most:
            raise ValueError(f"{name} has at most {most:,} characters.")
        if not is_plain(plain, lines=True):
            raise ValueError(f"{name} has no control characters.")
        return plain

    return AfterValidator(check)


Token = Annotated[Annotated[int, Field(ge=1, le=2**62)] | None, BeforeValidator(_none_if_blank)]
Symbol = Annotated[str, Field(min_length=1, max_length=LONGEST_SYMBOL)]


class HoldingToAdvise(Wire):
    trading_symbol: str
    exchange: str
    isin: str
    instrument_token: int
    quantity: int
    pledged: int
    average_price: Price
    ltp: Price | None
    priced_at: dt.datetime | None
    price_source: str | None
    is_price_stale: bool
    action_suspected: bool
    current_value: Number | None
    product: str


class NamedClient(Wire):
    id: uuid.UUID = Field(alias="_id")
    name: str


class ClientHoldings(Wire):
    holdings: list[HoldingToAdvise]
    total_current_value: Number
    cash: Number
    user: NamedClient


class TargetHolding(Wire):
    trading_symbol: Annotated[Symbol, AfterValidator(lambda text: text.strip().upper())]
    exchange: Annotated[str, Field(max_length=10)] = "NSE"
    instrument_token: Token = None
    allocation_percentage: Annotated[Share | None, BeforeValidator(_none_if_blank)] = None


class RebalanceRequest(Wire):
    client_id: uuid.UUID
    target_investment_value: Number
    target_holdings: Annotated[list[TargetHolding], Field(max_length=MOST_ROWS_READ)]
    options: AskedOptions | None = None


class ChargesBreakdown(Wire):
    brokerage: Number
    stt: Number
    exchange: Number
    sebi: Number
    stamp: Number
    depository: Number
    gst: Number


class RebalanceSummary(Wire):
    """`estimated_tax` is None while no purchase lots are known to reckon it from."""

    tracking_error_bps: Number
    proved_gap_bps: Price
    active_share_pct: Number
    cash_after: Number
    cash_after_pct: Number
    estimated_charges: Number
    charges_breakdown: ChargesBreakdown
    charges_broker: str
    estimated_tax: Number | None
    turnover_pct: Number
    funds_to_add: Number
    buy_value: Number
    sell_value: Number
    trades: int
    price_time: dt.datetime


class PriceSource(Wire):
    """Who told us the prices, and how old the oldest of them is; all None without any price.

    `stale` are the symbols of those that were too old to advise at.
    """

    sources: list[str]
    oldest_at: dt.datetime | None
    oldest_symbol: str | None
    oldest_age_seconds: int | None
    stale: list[str]


class RebalanceAnswer(Wire):
    success: bool
    data: list[RebalanceRow]
    summary: RebalanceSummary
    notices: list[str]
    priced_at: dt.datetime
    price_source: PriceSource
    rebalance_id: uuid.UUID


class StockToSend(Wire):
    type: str
    symbol: Annotated[Symbol, AfterValidator(lambda text: text.strip().upper())]
    exchange: Annotated[str, Field(max_length=10)] = "NSE"
    product: Annotated[str, Field(pattern=r"^[A-Z_]{1,20}$")] = "DELIVERY"
    quantity: Number
    instrument_token: Token = None
    allocation_percentage: Share
    possible_allocation_percentage: Number
    drift: Number | None = None
    message: Annotated[str, _plain_text(LONGEST_MESSAGE, "A message")] = ""
    ltp: Price
    current_investment_value: Number
    additional_investment_value: Number | None = None
    projected_investment_value: Number


class DisclosuresToSend(Wire):
    holdings: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""
    conflicts: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""
    compensation: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""


class AdviceToSend(Wire):
    user_id: uuid.UUID
    total_stocks: int
    total_invested_value: Number
    total_buy_value: Number
    total_sell_value: Number
    stocks: Annotated[list[StockToSend], Field(max_length=MOST_ROWS_READ)]
    rebalance_id: uuid.UUID | None = None
    rationale: Annotated[str, _plain_text(LONGEST_RATIONALE, "The rationale")] = ""
    disclosures: DisclosuresToSend | None = None


class SentAdvice(Wire):
    id: uuid.UUID = Field(alias="_id")
    created_at: dt.datetime
    status: Delivery


class AskedHistory(Wire):
    """Days in India, both included; all there is unless asked."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    page: int = Field(default=1, ge=1, le=1_000_000)
    limit: int = Field(default=MAX_LIMIT, ge=1, le=MAX_LIMIT)


class DeliveryOfAdvice(Wire):
    status: Delivery
    at: dt.datetime
    error: str | None


class CheckOfAdvice(Wire):
    """One thing that was looked at; `holds` is None where there was nothing to look at."""

    name: str
    holds: bool | None
    message: str


class VerifiedAdvice(Wire):
    """Whether an advice is as it was sealed. `fingerprint` is of the key that signed it."""

    id: uuid.UUID = Field(alias="_id")
    holds: bool
    sealed_at: dt.datetime
    sealed_as: SealedAs | None
    seq: int
    hash: str
    fingerprint: str
    engine: str | None
    checks: list[CheckOfAdvice]


class StockOfAdvice(Wire):
    type: Side
    symbol: str
    exchange: str
    product: str
    isin: str
    instrument_token: int
    quantity: int
    allocation_percentage: Points
    possible_allocation_percentage: Points
    drift: Points
    message: str
    ltp: PriceUnits
    current_investment_value: Units
    additional_investment_value: Units
    value_to_be_freed: Units
    projected_investment_value: Units


class AdviceRow(Wire):
    id: uuid.UUID = Field(alias="_id")
    created_at: dt.datetime
    total_stocks: int
    total_invested_value: Units
    total_buy_value: Units
    total_sell_value: Units
    rationale: str
    delivery: DeliveryOfAdvice | None
    stocks: list[StockOfAdvice]
