"""Shapes of clients on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from tarazu.kit.fields import ContactNumber, CountryCode, Email, Name
from tarazu.kit.wire import Number, Price, Wire
from tarazu.people.tables import Status

MOST_ROWS = 100


def _client_role(role: str) -> str:
    if role.lower() != "client":
        raise ValueError("A client's role is client.")
    return "client"


class NewClient(Wire):
    name: Name
    email: Email
    country_code: CountryCode = "+91"
    contact_number: ContactNumber = ""
    role: Annotated[str, AfterValidator(_client_role)] = "client"


class NewClients(Wire):
    clients: list[NewClient] = Field(min_length=1, max_length=MOST_ROWS)


class AddedClient(Wire):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str


class ClientRow(Wire):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    total_portfolio: Number
    total_investment: Number
    net_pn_l: Number = Field(alias="netPnL")
    net_pnl_percentage: Number = Field(alias="netPnLPercentage")
    net_cash_amount: Number = Field(alias="NetCashAmount")
    is_connected: bool
    status: Status


class ClientRecord(Wire):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    name: str
    country_code: str
    contact_number: str
    email: str
    role: Literal["client"]
    status: Status
    created_at: dt.datetime
    version: int


class BrokerName(Wire):
    name: str
    logo: str


class ClientProfile(Wire):
    id: uuid.UUID = Field(alias="_id")
    name: str
    client_id: str
    email: str
    country_code: str
    contact_number: str
    address: str
    dob: dt.date | None
    total_portfolio: Number
    total_investment: Number
    total_cash: Number
    last_sync: dt.datetime | Literal["live"] | None
    user_broker_id: str
    broker: BrokerName
    status: Status
    previous_client_id: uuid.UUID | None
    next_client_id: uuid.UUID | None


class Portfolio(Wire):
    started_from: dt.date | None
    total_days: int | None
    portfolio_value: Number
    starting_capital: Number
    total_pn_l: Number = Field(alias="totalPnL")
    pnl_percentage: Number
    xirr_percentage: Number | None
    xirr_reason: str
    absolute_return_percentage: Number | None
    twr_percentage: Number | None
    xirr_period: Number | None
    net_investment: Number
    net_profit: Number
    total_current_value: Number
    broker: BrokerName
    net: Number
    cash: Number
    intraday_payin: Number
    last_sync: dt.datetime | None
    holdings_source: str
    priced_at: dt.datetime | None
    version: int


class StartingDate(Wire):
    starting_date: dt.date


class StartingCapital(Wire):
    amount: Annotated[Number, Field(ge=0, le=10**13, decimal_places=2)]


class HoldingRow(Wire):
    trading_symbol: str
    exchange: str
    isin: str
    instrument_token: int
    quantity: int
    pledged: int
    ltp: Price
    average_price: Price
    current_value: Number
    invested: Number
    pnl: Number
    pnl_percentage: Number
    allocation: Number
    is_stale: bool


class HoldingTotals(Wire):
    current_value: Number
    invested: Number
    pnl: Number
    pnl_percentage: Number


class Holdings(Wire):
    success: bool
    data: list[HoldingRow]
    totals: HoldingTotals
    stale: list[str]
    priced_at: dt.datetime | None
