"""Shapes of rebalances and advice on the wire."""

import datetime as dt
import uuid
from typing import Any

from pydantic import Field

from tarazu.advice.answers import RebalanceSummary
from tarazu.advice.links import Messenger
from tarazu.advice.rows import RebalanceRow
from tarazu.advice.sealing import SealedAs
from tarazu.domain.charges import Side
from tarazu.kit.mail import Delivery
from tarazu.kit.schemas import Number, Points, Price, PriceUnits, Schema, Units, attribute


class HoldingToAdvise(Schema):
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
    action_pending: bool
    uncredited: int
    current_value: Number | None
    product: str


class NamedClient(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: str


class ClientHoldings(Schema):
    holdings: list[HoldingToAdvise]
    total_current_value: Number
    cash: Number
    user: NamedClient


class OrderStop(Schema):
    """One stop of "Fewer orders": `stop` counts from 0, the rebalance as it was asked for.

    With its orders no plan is nearer the targets. `orderDriftPercentage` is the drift that each
    order is worth at least.
    """

    stop: int
    orders: int
    order_drift_percentage: Price
    summary: RebalanceSummary
    notices: list[str]
    data: list[RebalanceRow]


class TaxStop(Schema):
    """One stop of "Less tax": `stop` counts from 0, the rebalance as it was asked for.

    `tax` is what the sales add to the tax of the year after set-off and exemption, 0 where they save
    tax, without the stocks that are left out. No plan with at most that tax is nearer the targets.
    """

    stop: int
    orders: int
    tax: Number
    summary: RebalanceSummary
    notices: list[str]
    data: list[RebalanceRow]


class TaxStops(Schema):
    """The stops of "Less tax"; none where the tax is not known, and `reasonText` says why.

    `leftOut` are stocks that are sold and whose lots are not known: no tax includes them.
    """

    stops: list[TaxStop]
    left_out: list[str]
    reason_text: str


class SavedDraft(Schema):
    """The version of a draft that was stored; the next change names it."""

    version: int
    changed_at: dt.datetime


class DraftShown(SavedDraft):
    """A person's own draft for a client, as the advice form stored it."""

    schema_version: int
    content: dict[str, Any]


class DraftRow(Schema):
    """A draft of the caller. `isFollowUp`: it was drafted when the window of an advice ended."""

    user_id: uuid.UUID = attribute("client_id")
    client_id: str = attribute("client_code")
    name: str = attribute("client_name")
    changed_at: dt.datetime
    is_follow_up: bool


class SentAdvice(Schema):
    id: uuid.UUID = Field(alias="_id")
    created_at: dt.datetime
    status: Delivery


class DeliveryOfAdvice(Schema):
    status: Delivery
    at: dt.datetime
    error: str | None


class UndeliveredAdvice(Schema):
    """An advice whose mail was given up, and why."""

    id: uuid.UUID = Field(alias="_id")
    sent_at: dt.datetime
    user_id: uuid.UUID = attribute("client_id")
    client_id: str = attribute("client_code")
    name: str = attribute("client_name")
    failed_at: dt.datetime
    error: str


class CheckOfAdvice(Schema):
    """One check; `holds` is None where there was nothing to check."""

    name: str
    holds: bool | None
    message: str


class VerifiedAdvice(Schema):
    """Whether an advice is unchanged since it was sealed. `fingerprint` is that of the signing key."""

    id: uuid.UUID = Field(alias="_id")
    holds: bool
    sealed_at: dt.datetime
    sealed_as: SealedAs | None
    seq: int
    hash: str
    fingerprint: str
    engine: str | None
    checks: list[CheckOfAdvice]


class StockOfAdvice(Schema):
    """One order of an advice; `note` is the analyst's own sentence, "" without one."""

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
    note: str
    ltp: PriceUnits
    current_investment_value: Units
    additional_investment_value: Units
    value_to_be_freed: Units
    projected_investment_value: Units


class AdviceRow(Schema):
    """One advice. `buyValue` and `sellValue` are order values, before charges."""

    id: uuid.UUID = Field(alias="_id")
    created_at: dt.datetime
    total_stocks: int
    total_invested_value: Units
    total_buy_value: Units
    total_sell_value: Units
    buy_value: Units
    sell_value: Units
    rationale: str
    delivery: DeliveryOfAdvice | None
    stocks: list[StockOfAdvice]


class MadeAdviceLink(Schema):
    """The address of the client's page; None in a repeated answer that can no longer show it."""

    url: str | None
    expires_at: dt.datetime


class HandedOver(Schema):
    """In which app a link was handed over."""

    messenger: Messenger
