"""Shapes of approvals on the wire."""

import datetime as dt
import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.advice.service import Level, Note, StockToSend
from tarazu.approvals.tables import ApprovalState
from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO
from tarazu.firm.service import ApprovedAction
from tarazu.kit.schemas import ListParams, Number, Schema, attribute


class ApprovalParams(ListParams):
    state: ApprovalState | None = None


class Answer(Schema):
    answer: Note = ""


class ApprovalRow(Schema):
    """`askedBy` and `decidedBy` are names; `isOwn`: the caller asked for it."""

    id: uuid.UUID = attribute("row.id", "_id")
    action: ApprovedAction = attribute("row.action")
    state: ApprovalState
    about: str = attribute("row.about")
    note: str = attribute("row.note")
    asked_by: str
    asked_at: dt.datetime = attribute("row.asked_at")
    expires_at: dt.datetime = attribute("row.expires_at")
    decided_by: str
    decided_at: dt.datetime | None = attribute("row.decided_at")
    answer: str = attribute("row.answer")
    result: str = attribute("row.result")
    is_own: bool = False


class FactShown(Schema):
    label: str
    text: str


class OrderToApprove(Schema):
    type: str
    symbol: str
    exchange: str
    quantity: Number
    last_price: Number
    value: Number


class CheckToRead(Schema):
    """BLOCK refuses the approval; WARN only has to be read. Both as they are now."""

    id: str
    level: Level
    text: str


class ApprovalShown(ApprovalRow):
    """`buyValue` and `sellValue` are the sums of the orders. `fault` says why it could not be done now; "" where nothing is known to be in the way."""

    facts: list[FactShown]
    orders: list[OrderToApprove]
    buy_value: Number
    sell_value: Number
    checks: list[CheckToRead]
    to: str
    fault: str


class ApprovalChoiceShown(Schema):
    action: ApprovedAction
    title: str
    hint: str
    is_on: bool


class SecondApprovalShown(Schema):
    """`administrators`: how many may sign in now; two are needed."""

    choices: list[ApprovalChoiceShown]
    administrators: int


def _choosable(actions: list[ApprovedAction]) -> list[ApprovedAction]:
    if ApprovedAction.SETTING in actions:
        raise ValueError("This action is always approved by a second administrator.")
    return actions


class ChosenActions(Schema):
    actions: Annotated[
        list[ApprovedAction], Field(max_length=len(ApprovedAction)), AfterValidator(_choosable)
    ]


def orders_of(stocks: list[StockToSend]) -> list[OrderToApprove]:
    """The orders of an advice, each with its value at the price that was sent."""
    return [
        OrderToApprove(
            type=stock.type,
            symbol=stock.symbol,
            exchange=stock.exchange,
            quantity=stock.quantity,
            last_price=stock.ltp,
            value=stock.quantity * stock.ltp,
        )
        for stock in stocks
    ]


def value_of(orders: Sequence[OrderToApprove], side: Side) -> Decimal:
    """What the orders of one side are worth together."""
    return sum((order.value for order in orders if order.type == side), ZERO)
