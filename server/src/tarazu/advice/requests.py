"""What callers ask for: a rebalance, a send, a page of the history."""

import datetime as dt
import json
import uuid
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tarazu.advice.queries import Period
from tarazu.domain.money import rounded
from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.fewer_orders import STOPS
from tarazu.domain.rebalancing.less_tax import TAX_STOPS
from tarazu.domain.rebalancing.plan import HIGHEST_ORDER_DRIFT
from tarazu.kit.clock import start_of
from tarazu.kit.fields import Day, is_plain, none_if_blank
from tarazu.kit.schemas import MAX_LIMIT, Flag, Number, Price, Schema, Whole

CASH: Final = "CASH"
"""The symbol of the row that says how much is to stay uninvested."""

LONGEST_RATIONALE: Final = 5_000
LONGEST_DISCLOSURE: Final = 1_000
LONGEST_MESSAGE: Final = 300
LONGEST_NOTE: Final = 300
LONGEST_SYMBOL: Final = 40
MOST_ROWS_READ: Final = 1_000
MOST_CHECKS: Final = 50
DEEPEST_DRAFT: Final = 10
LARGEST_DRAFT: Final = 512 * 1024
"""Bytes of a draft's content: a thousand rows have about half of it."""
NOISE: Final = Decimal("1e-9")
"""How far a browser's sum of doubles may be from a figure with two decimals."""


def _without_noise(value: Decimal) -> Decimal:
    if abs(value) > Decimal(10) ** 9:
        return value
    near = rounded(value)
    is_noise = abs(value - near) <= NOISE and (near != 0 or value == 0)
    return near if is_noise else value


def _plain_text(most: int, name: str) -> AfterValidator:
    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if len(plain) > most:
            raise ValueError(f"{name} has at most {most:,} characters.")
        if not is_plain(plain, lines=True):
            raise ValueError(f"{name} has no control characters.")
        return plain

    return AfterValidator(check)


def _one_line(text: str) -> str:
    """Line breaks, tabs and several spaces are one space: a note is one sentence of a letter."""
    return " ".join(text.split())


Note = Annotated[str, AfterValidator(_one_line), _plain_text(LONGEST_NOTE, "A note")]
Share = Annotated[Number, AfterValidator(_without_noise)]
Token = Annotated[Annotated[Whole, Field(ge=1, le=2**62)] | None, BeforeValidator(none_if_blank)]
Symbol = Annotated[
    Annotated[str, Field(min_length=1, max_length=LONGEST_SYMBOL)],
    AfterValidator(lambda text: text.strip().upper()),
]
Exchange = Annotated[str, Field(max_length=10)]
Acknowledged = Annotated[
    list[Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]], Field(max_length=MOST_CHECKS)
]


class AskedOptions(Schema):
    """Options of one request; None leaves the firm's own."""

    band_percentage: Annotated[Share, Field(ge=0, le=100)] | None = None
    minimum_trade_value: Annotated[Share, Field(ge=0, le=10**12)] | None = None
    trade_penalty: Annotated[Number, Field(ge=0, le=1_000, decimal_places=2)] | None = None
    include_charges: Flag | None = None
    allow_fresh_funds: Flag | None = None
    price_buffer_percentage: Annotated[Share, Field(ge=0, le=100)] | None = None


class AdviceOptions(AskedOptions):
    """Options of one client's rebalance; None leaves the firm's own.

    `raiseAmount` is what the sales of RAISE_CASH must bring, after charges. An order must be worth
    as much as removing a drift of `orderDriftPercentage`.
    """

    mode: Mode = Mode.FULL
    raise_amount: Annotated[Share, Field(ge=0, le=10**12)] | None = None
    order_drift_percentage: (
        Annotated[Number, Field(ge=0, le=HIGHEST_ORDER_DRIFT, decimal_places=4)] | None
    ) = None
    sells_pledged: Flag | None = None
    limits_purchases: Flag | None = None
    usable_proceeds_percentage: Annotated[Share, Field(ge=0, le=100)] | None = None


class TargetHolding(Schema):
    """A stock and its target, or CASH and its own; of CASH nothing else is read.

    `previousTargetPercentage` is the target of the model's version before: where it differs, the
    reason of the row says that the model changed.
    """

    trading_symbol: Symbol
    exchange: Exchange = "NSE"
    instrument_token: Token = None
    allocation_percentage: Annotated[Share | None, BeforeValidator(none_if_blank)] = None
    previous_target_percentage: Annotated[Share | None, BeforeValidator(none_if_blank)] = None

    @model_validator(mode="before")
    @classmethod
    def _without_stock(cls, given: Any) -> Any:
        # Screens send the row of cash with the fields of a stock, null or empty.
        symbol = given.get("tradingSymbol") if isinstance(given, dict) else None
        if not isinstance(symbol, str) or symbol.strip().upper() != CASH:
            return given
        return {
            name: given[name] for name in ("tradingSymbol", "allocationPercentage") if name in given
        }


class RebalanceRequest(Schema):
    client_id: uuid.UUID
    target_investment_value: Number
    target_holdings: Annotated[list[TargetHolding], Field(max_length=MOST_ROWS_READ)]
    options: AdviceOptions | None = None


class ChosenStop(Schema):
    """A stop of "Fewer orders", counted from 0, the full rebalance."""

    stop: Annotated[Whole, Field(ge=0, lt=STOPS)]


class ChosenTaxStop(Schema):
    """A stop of "Less tax", counted from 0, the rebalance as it was asked for."""

    stop: Annotated[Whole, Field(ge=0, lt=TAX_STOPS)]


def _is_deep(value: Any, levels: int) -> bool:
    children = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        return False
    return levels == 0 or any(_is_deep(child, levels - 1) for child in children)


def _storable(content: dict[str, Any]) -> dict[str, Any]:
    if _is_deep(content, DEEPEST_DRAFT):
        raise ValueError("A draft is nested too deeply.")
    try:
        size = len(json.dumps(content, ensure_ascii=False, allow_nan=False).encode())
    except ValueError as error:
        raise ValueError("A draft has only text that can be stored, and plain numbers.") from error
    if size > LARGEST_DRAFT:
        raise ValueError(f"A draft has at most {LARGEST_DRAFT // 1024} KB.")
    return content


class DraftToSave(Schema):
    """What the advice form holds for a client; `schemaVersion` says how to read `content`.

    `version` is that of the draft it replaces, None for a first one.
    """

    version: Annotated[Whole, Field(ge=1)] | None = None
    schema_version: Annotated[Whole, Field(ge=1, le=1_000)]
    content: Annotated[dict[str, Any], AfterValidator(_storable)]


class StockToSend(Schema):
    """One row as it was sent; `drift` and the additional value are None where left out.

    `note` is the analyst's own sentence about the row, for the letter.
    """

    type: str
    symbol: Symbol
    exchange: Exchange = "NSE"
    product: Annotated[str, Field(pattern=r"^[A-Z_]{1,20}$")] = "DELIVERY"
    quantity: Number
    instrument_token: Token = None
    allocation_percentage: Share
    possible_allocation_percentage: Number
    drift: Number | None = None
    message: Annotated[str, _plain_text(LONGEST_MESSAGE, "A message")] = ""
    note: Note = ""
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


class AskedHistory(Schema):
    """Days in India, both included; without them, all advice."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=MAX_LIMIT, ge=1, le=MAX_LIMIT)

    @property
    def period(self) -> Period:
        return period_of(self.since, self.until)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit


def period_of(since: dt.date | None, until: dt.date | None) -> Period:
    """From the start of one day in India to the end of another."""
    return Period(
        start_of(since) if since else None,
        start_of(until + dt.timedelta(days=1)) if until else None,
    )
