"""Shapes of clients on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.clients.returns import FlowKind, Span
from tarazu.kit.fields import (
    LONGEST_NAME,
    ContactNumber,
    CountryCode,
    Day,
    Email,
    Name,
    Remark,
    is_plain,
    saying,
)
from tarazu.kit.schemas import (
    EditedRecord,
    ListParams,
    Number,
    Points,
    Price,
    Schema,
    Units,
    Version,
    attribute,
)
from tarazu.kit.translation import Language
from tarazu.people.tables import ClientKind, Status

MOST_ROWS = 100
MOST_CHOSEN = 100
"""Clients that are chosen in the list at once."""
LONGEST_ADDRESS = 300


def _client_role(role: str) -> str:
    if role.lower() != "client":
        raise ValueError("A client's role is client.")
    return "client"


class NewClient(Schema):
    name: Name
    email: Email
    country_code: CountryCode = "+91"
    contact_number: ContactNumber = ""
    language: Language = Language.EN
    role: Annotated[str, AfterValidator(_client_role)] = "client"


class NewClients(Schema):
    clients: list[NewClient] = Field(min_length=1, max_length=MOST_ROWS)


def _family(text: str) -> str:
    family = text.strip()
    if len(family) > LONGEST_NAME or not is_plain(family):
        raise ValueError("A family has at most 100 characters, without control characters.")
    return family


def _address(text: str) -> str:
    address = text.replace("\r\n", "\n").strip()
    if len(address) > LONGEST_ADDRESS or not is_plain(address, lines=True):
        raise ValueError("An address has at most 300 characters, without control characters.")
    return address


class EditedClient(EditedRecord):
    """Also takes what the profile shows.

    `dob` may be null, for not known; `accreditedUntil` too, for a client who is not accredited.
    """

    name: Name | None = None
    status: Status | None = None
    contact_number: ContactNumber | None = None
    country_code: CountryCode | None = None
    family: Annotated[str, AfterValidator(_family)] | None = None
    kind: Annotated[ClientKind, saying("A client's kind is INDIVIDUAL, HUF or OTHER.")] | None = (
        None
    )
    accredited_from: Day | None = None
    accredited_until: Day | None = None
    address: Annotated[str, AfterValidator(_address)] | None = None
    born_on: Day | None = Field(default=None, alias="dob")
    language: Language | None = None

    @property
    def wanted(self) -> dict[str, Any]:
        """The columns to set."""
        days = {"born_on", "accredited_from", "accredited_until"}
        cleared = dict.fromkeys(self.model_fields_set & days)
        return cleared | super().wanted


class DeletedClient(Schema):
    client_id: uuid.UUID
    version: Version | None = None


class AddedClient(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str = attribute("code")
    name: str


class ClientRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    total_portfolio: Units | None
    total_investment: Units | None
    net_pn_l: Units | None = Field(alias="netPnL")
    net_pnl_percentage: Points | None = Field(alias="netPnLPercentage")
    is_since_purchase: bool
    net_cash_amount: Units | None = Field(alias="NetCashAmount")
    is_connected: bool
    status: Status
    stale_since: dt.datetime | None
    action_pending: bool


TeamChoice = uuid.UUID | Literal["NONE"]
"""The clients of one team, or those who belong to none; for administrators."""


class ClientParams(ListParams):
    team: TeamChoice | None = None


class ChosenClients(ClientParams):
    """A list, or of it only the clients that were chosen."""

    clients: list[uuid.UUID] = Field(default_factory=list, max_length=MOST_CHOSEN)


class ClientSums(Schema):
    """Sums of the clients that match; None where the figure of a client is not known."""

    clients: int
    total_portfolio: Units | None = attribute("portfolio")
    total_investment: Units | None = attribute("investment")
    net_pn_l: Units | None = Field(validation_alias="pnl", serialization_alias="netPnL")
    net_cash_amount: Units | None = Field(
        validation_alias="cash", serialization_alias="NetCashAmount"
    )


class ClientRecord(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str = attribute("code")
    name: str
    country_code: str
    contact_number: str
    email: str
    role: Literal["client"]
    status: Status
    address: str
    dob: dt.date | None = attribute("born_on")
    family: str
    kind: ClientKind
    accredited_from: dt.date | None
    accredited_until: dt.date | None
    language: Language
    created_at: dt.datetime
    deleted_at: dt.datetime | None
    version: int
    team_id: uuid.UUID | None = None


class BrokerName(Schema):
    name: str
    logo: str


class ClientProfile(Schema):
    id: uuid.UUID = attribute("client.id", "_id")
    name: str = attribute("client.name")
    client_id: str = attribute("client.code")
    email: str = attribute("client.email")
    country_code: str = attribute("client.country_code")
    contact_number: str = attribute("client.contact_number")
    address: str = attribute("client.address")
    dob: dt.date | None = attribute("client.born_on")
    language: Language = attribute("client.language")
    total_portfolio: Number | None = attribute("value.portfolio_value")
    total_investment: Number | None = attribute("value.net_investment")
    net_pn_l: Number | None = attribute("value.total_pnl", "netPnL")
    net_pnl_percentage: Number | None = attribute("value.pnl_percentage", "netPnLPercentage")
    is_since_purchase: bool = attribute("value.worth.is_since_purchase")
    total_cash: Number | None = attribute("value.net")
    is_connected: bool
    last_sync: dt.datetime | Literal["live"] | None
    user_broker_id: str = attribute("account.broker_user_id")
    broker: BrokerName
    status: Status = attribute("client.status")
    previous_client_id: uuid.UUID | None
    next_client_id: uuid.UUID | None


class NewRemark(Schema):
    user: uuid.UUID
    remark: Remark


class EditedRemark(Schema):
    remark_id: uuid.UUID
    remark: Remark
    version: Version | None = None


class RemarkRow(Schema):
    id: uuid.UUID = attribute("remark.id", "_id")
    remark: str = attribute("remark.text")
    created_at: dt.datetime = attribute("remark.created_at")
    updated_at: dt.datetime | None = attribute("remark.updated_at")
    user: uuid.UUID = attribute("remark.client_id")
    author: str
    version: int = attribute("remark.version")


class CashByHand(Schema):
    """Cash that staff entered: what it was at the end of `as_of`, before the flows of later days."""

    amount: Number
    as_of: dt.date
    entered_at: dt.datetime
    entered_by: str


class Portfolio(Schema):
    started_from: dt.date | None = attribute("account.started_on")
    total_days: int | None = attribute("figures.total_days")
    portfolio_value: Number | None = attribute("figures.portfolio_value")
    starting_capital: Number = attribute("account.starting_capital")
    total_pn_l: Number | None = attribute("figures.total_pnl", "totalPnL")
    pnl_percentage: Number | None = attribute("figures.pnl_percentage")
    is_since_purchase: bool = attribute("figures.is_since_purchase")
    xirr_percentage: Number | None = attribute("returns.xirr.percentage")
    xirr_reason: str = attribute("returns.xirr.code")
    xirr_message: str | None = attribute("returns.xirr_message")
    absolute_return_percentage: Number | None = attribute("returns.xirr.period_percentage")
    twr_percentage: Number | None = attribute("returns.twr_percentage")
    xirr_period: Number | None = attribute("figures.years")
    net_investment: Number | None = attribute("figures.net_investment")
    net_profit: Number | None = attribute("figures.net_profit")
    total_current_value: Number = attribute("figures.holdings_value")
    broker: BrokerName
    net: Number | None
    cash: Number | None
    intraday_payin: Number | None
    cash_by_hand: CashByHand | None
    is_connected: bool
    last_sync: dt.datetime | Literal["live"] | None
    holdings_source: str = attribute("account.holdings_source")
    priced_at: dt.datetime | None
    stale_prices: int = attribute("stale.count")
    oldest_stale_at: dt.datetime | None = attribute("stale.oldest_at")
    stale_sources: list[str] = attribute("stale.sources")
    action_suspected: list[str] = attribute("suspected")
    action_pending: list[str] = attribute("pending")
    closes_not_adjusted: list[str] = attribute("unadjusted")
    version: int = attribute("account.version")


class EnteredCash(Schema):
    """Cash at the end of a day, in rupees."""

    amount: Annotated[Number, Field(ge=0, decimal_places=2), saying("Please enter a valid amount")]
    as_of: Annotated[Day, saying("Please select a valid date")]
    version: Version | None = None


class StartingDate(Schema):
    starting_date: Day
    version: Version | None = None


class StartingCapital(Schema):
    amount: Annotated[
        Number,
        Field(ge=0, le=10**13, decimal_places=2),
        saying("Please enter a valid amount"),
    ]
    version: Version | None = None


class FlowRow(Schema):
    date: dt.date
    amount: Number
    fees: Number
    kind: FlowKind


class SpanReturn(Schema):
    span: Span
    since: dt.date | None
    days: int | None
    gross_percentage: Number | None = attribute("gross")
    net_percentage: Number | None = attribute("net")
    gross_yearly_percentage: Number | None = attribute("gross_yearly")
    net_yearly_percentage: Number | None = attribute("net_yearly")
    is_estimated: bool
    reason: str | None


class Drawdown(Schema):
    percentage: Number
    peak_on: dt.date
    trough_on: dt.date


class ClientReturns(Schema):
    """The flows of the XIRR, newest first, and what the money returned by every measure."""

    success: bool
    data: list[FlowRow]
    xirr_percentage: Number | None
    xirr_reason: str
    xirr_message: str | None
    absolute_return_percentage: Number | None
    twr_percentage: Number | None
    xirr_period: Number | None
    spans: list[SpanReturn]
    max_drawdown: Drawdown | None


class DayValue(Schema):
    date: dt.date
    value: Number
    net_investment: Number | None
    twr_index: Number | None = attribute("index")


class Capture(Schema):
    """Up and down capture in percent, and of how many full months each is."""

    up_percentage: Number | None = attribute("up")
    down_percentage: Number | None = attribute("down")
    up_months: int
    down_months: int
    months: int


class BenchmarkFigures(Schema):
    """The portfolio beside the firm's benchmark, of the day `asOf`; see `docs/operations.md`.

    `xirrPercentage` is null for less than a year, `absoluteReturnPercentage` for a year and more;
    `differencePercentagePoints` is of the one that is known.
    """

    name: str
    kind: BenchmarkKind
    as_of: dt.date | None
    since: dt.date | None
    same_flows_value: Number | None = attribute("benchmark.value")
    xirr_percentage: Number | None = attribute("benchmark.xirr")
    absolute_return_percentage: Number | None = attribute("benchmark.absolute")
    twr_percentage: Number | None = attribute("benchmark.twr")
    max_drawdown: Drawdown | None = attribute("benchmark.drawdown")
    portfolio_value: Number | None = attribute("portfolio.value")
    portfolio_xirr_percentage: Number | None = attribute("portfolio.xirr")
    portfolio_absolute_return_percentage: Number | None = attribute("portfolio.absolute")
    portfolio_twr_percentage: Number | None = attribute("portfolio.twr")
    portfolio_max_drawdown: Drawdown | None = attribute("portfolio.drawdown")
    difference_percentage_points: Number | None = attribute("difference")
    twr_difference_percentage_points: Number | None = attribute("twr_difference")
    capture: Capture | None = attribute("captures")
    is_estimated: bool
    same_flows_reason: str | None
    reason: str | None


class SeriesPoint(Schema):
    date: dt.date
    portfolio: Number | None
    benchmark: Number | None


class ClientPerformance(Schema):
    """The values of each day, and the same beside the benchmark, from 100 on the first day."""

    success: bool
    data: list[DayValue]
    benchmark: BenchmarkFigures | None
    series: list[SeriesPoint]
    closes_not_adjusted: list[str]


class HoldingRow(Schema):
    trading_symbol: str
    exchange: str
    isin: str
    instrument_token: int
    quantity: int
    free: int
    t1: int
    bought_today: int
    pledged: int
    ltp: Price
    average_price: Price
    current_value: Number
    invested: Number
    pnl: Number | None
    pnl_percentage: Number | None
    allocation: Number
    is_stale: bool
    priced_at: dt.datetime | None
    price_source: str | None
    action_suspected: bool
    action_pending: bool
    uncredited: int


class HoldingTotals(Schema):
    current_value: Number
    invested: Number
    pnl: Number | None
    pnl_percentage: Number | None


class Holdings(Schema):
    success: bool
    data: list[HoldingRow]
    totals: HoldingTotals
    stale: list[str]
    priced_at: dt.datetime | None
