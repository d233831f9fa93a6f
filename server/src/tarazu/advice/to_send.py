"""An advice as a body brings it to be sent, or to be looked at before the send."""

import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.advice.documents.contents import Disclosures
from tarazu.advice.options import Share
from tarazu.advice.validation import Sending, SentRow
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Number, Price, Schema, Whole

LONGEST_RATIONALE = 5_000
LONGEST_DISCLOSURE = 1_000
LONGEST_MESSAGE = 300
LONGEST_SYMBOL = 40
MOST_ROWS_READ = 1_000
MOST_CHECKS = 50


def none_if_blank(value: Any) -> Any:
    """None for a text of nothing but blanks."""
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


Token = Annotated[Annotated[Whole, Field(ge=1, le=2**62)] | None, BeforeValidator(none_if_blank)]
Symbol = Annotated[str, Field(min_length=1, max_length=LONGEST_SYMBOL)]
Acknowledged = Annotated[
    list[Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]], Field(max_length=MOST_CHECKS)
]


class StockToSend(Schema):
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


class DisclosuresToSend(Schema):
    holdings: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""
    conflicts: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""
    compensation: Annotated[str, _plain_text(LONGEST_DISCLOSURE, "A disclosure")] = ""


class AdviceToSend(Schema):
    """A rationale that is left out, or null, is the firm's standard one; an empty one is none.

    `acknowledged` names the checks before the send whose warnings the sender has read.
    """

    user_id: uuid.UUID
    total_stocks: Whole
    total_invested_value: Number
    total_buy_value: Number
    total_sell_value: Number
    stocks: Annotated[list[StockToSend], Field(max_length=MOST_ROWS_READ)]
    rebalance_id: uuid.UUID | None = None
    rationale: Annotated[str, _plain_text(LONGEST_RATIONALE, "The rationale")] | None = None
    disclosures: DisclosuresToSend | None = None
    acknowledged: Acknowledged = Field(default_factory=list)


def sending_asked(body: AdviceToSend) -> Sending:
    """What a body asks to be sent."""
    told = body.disclosures
    return Sending(
        body.user_id,
        body.total_stocks,
        body.total_invested_value,
        body.total_buy_value,
        body.total_sell_value,
        tuple(_sent_row(row) for row in body.stocks),
        body.rebalance_id,
        body.rationale,
        Disclosures(told.holdings, told.conflicts, told.compensation) if told else Disclosures(),
        tuple(body.acknowledged),
    )


def _sent_row(row: StockToSend) -> SentRow:
    return SentRow(
        row.type,
        row.symbol,
        row.exchange,
        row.product,
        row.instrument_token,
        row.quantity,
        row.allocation_percentage,
        row.possible_allocation_percentage,
        row.drift,
        row.message,
        row.ltp,
        row.current_investment_value,
        row.additional_investment_value,
        row.projected_investment_value,
    )
