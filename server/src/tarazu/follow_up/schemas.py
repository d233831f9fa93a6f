"""Shapes of the follow-up on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from tarazu.advice.service import RebalanceAnswer
from tarazu.domain.charges import Side
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.queries import BoardFilter
from tarazu.follow_up.service import ShortfallGap
from tarazu.follow_up.tables import Answer, DraftOutcome
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Flag, Number, Page, Price, Schema, attribute
from tarazu.kit.translation import Language
from tarazu.orders.tables import OrderSide, TradeSource

LONGEST_REPLY = 5_000
MOST_ADVICES = 10_000


def _reply(text: str) -> str:
    plain = text.replace("\r\n", "\n").strip()
    if not plain:
        raise ValueError("Enter an answer.")
    if len(plain) > LONGEST_REPLY or not is_plain(plain, lines=True):
        raise ValueError("An answer has at most 5,000 characters, without control characters.")
    return plain


class ShortfallShown(Schema):
    """The implementation shortfall: what the difference from the advised prices cost.

    Rupees, and basis points of the advised value; above zero is a cost. `price` is of the shares
    traded, `notTraded` of those not traded.
    """

    amount: Number
    bps: Number | None
    price: Number | None
    not_traded: Number | None
    charges: Number | None


class LineShortfall(Schema):
    amount: Number
    bps: Number | None


class FillShown(Schema):
    """A trade that counts for a line: `quantity` is what counts. An inferred sale has no price."""

    trade_id: str
    at: dt.datetime
    quantity: int
    price: Price | None
    source: TradeSource


class ExecutedLine(Schema):
    """What became of one line. `beyondAdvice`: shares traded on the same side beyond the advice.

    `shortfallGap` says why the shortfall is not known, or not whole.
    """

    place: int
    isin: str
    trading_symbol: str = attribute("symbol")
    exchange: str
    side: Side
    advised_quantity: int
    advised_price: Price
    filled_quantity: int
    average_price: Price | None
    status: LineStatus
    status_text: str
    shortfall: LineShortfall | None
    shortfall_gap: ShortfallGap | None
    slippage_bps: Number | None
    fills: list[FillShown]
    beyond_advice: int = attribute("beyond")


class OwnTradeShown(Schema):
    """A trade of a share that nobody advised. An inferred sale has no price."""

    trade_id: str
    at: dt.datetime
    isin: str
    trading_symbol: str = attribute("symbol")
    exchange: str
    side: OrderSide
    quantity: int
    price: Price | None
    source: TradeSource


class ResponseShown(Schema):
    """An answer of the client. `lines` are places of lines; empty for the whole advice."""

    id: uuid.UUID = Field(alias="_id")
    answer: Answer
    at: dt.datetime = attribute("answered_at")
    language: Language
    text: str
    lines: list[int]
    reply: str
    replied_at: dt.datetime | None


class ReminderShown(Schema):
    number: int
    sent_at: dt.datetime


class FollowUpNote(Schema):
    """What became of the follow-up that is drafted when the window of an advice ended.

    `text` says why; `draftedFor` is the person who has the draft, null where there is none.
    """

    outcome: DraftOutcome
    text: str
    at: dt.datetime = attribute("decided_at")
    drafted_for: str | None


class AdviceExecutionShown(Schema):
    """What became of an advice. `shortfall` is null while it is not known; `shortfallGap` says why.

    `clientId` is the client's id, `clientCode` the code. `readAt`: when the client first saw it on
    the page; `acknowledgedAt`: the client's "I have read this". `ownTrades`: inside the window;
    null while trades were not read since the sending. `hasOwnDraft`: the caller has a draft of
    advice for this client.
    """

    advice_id: uuid.UUID
    client_id: uuid.UUID
    client_code: str
    name: str
    model_name: str
    sent_at: dt.datetime
    window_ends_on: dt.date
    is_over: bool
    state: AdviceState
    followed_percentage: Number | None
    advised_value: Number
    filled_value: Number
    shortfall: ShortfallShown | None
    shortfall_gap: ShortfallGap | None
    minutes_to_first_fill: int | None
    minutes_to_ninety: int | None
    read_at: dt.datetime | None
    acknowledged_at: dt.datetime | None
    follow_up: FollowUpNote | None
    has_own_draft: bool
    reminders: list[ReminderShown]
    responses: list[ResponseShown]
    lines: list[ExecutedLine]
    own_trades: list[OwnTradeShown] | None


class FollowUpRebalance(RebalanceAnswer):
    """The rebalance of what is left, with what it was computed for, to start a form from."""

    target_investment_value: Number
    cash_target_percentage: Number


class LineStatusShown(Schema):
    """The state of one line, for a list of advice."""

    place: int
    isin: str
    trading_symbol: str = attribute("symbol")
    side: Side
    advised_quantity: int
    filled_quantity: int
    status: LineStatus
    status_text: str


class FollowUpRow(Schema):
    """One advice on the board. `_id` is the advice's, `userId` the client's, `clientId` the code.

    `lines` is null unless `withLines` was asked for. `openQuestions` await a reply.
    """

    id: uuid.UUID = Field(alias="_id")
    user_id: uuid.UUID
    client_id: str
    name: str
    model_name: str
    sent_at: dt.datetime
    window_ends_on: dt.date
    is_over: bool
    state: AdviceState
    followed_percentage: Number | None
    advised_value: Number
    filled_value: Number
    shortfall: ShortfallShown | None
    minutes_to_first_fill: int | None
    minutes_to_ninety: int | None
    read_at: dt.datetime | None
    acknowledged_at: dt.datetime | None
    reminders: int
    open_questions: int
    follow_up: FollowUpNote | None
    lines: list[LineStatusShown] | None


class FollowUpTile(Schema):
    """The advice in one state under all filters but that of the state; rupees at advised prices."""

    state: AdviceState
    count: int
    advised_value: Number
    filled_value: Number


class FollowUpPage(Page[FollowUpRow]):
    """One page of the board, with a tile for every state and the models to filter by."""

    tiles: list[FollowUpTile]
    models: list[str]


class FollowUpStockRow(Schema):
    """How the advice on one stock was carried out over the firm.

    `lines` are those whose clients' trades are known, `acted` those with a fill. Slippage is of
    the fills alone, in basis points of the advised price; above zero is a cost. `daysOfVolume` is
    what was traded for advice whose windows end on one day, in average days of the stock's volume
    (the last 20 known up to then); of all such days the most.
    """

    isin: str
    trading_symbol: str = attribute("symbol")
    lines: int
    acted: int
    acted_percentage: Number | None
    median_slippage_bps: Number | None
    p90_slippage_bps: Number | None
    advised_value: Number
    filled_value: Number
    days_of_volume: Number | None


class FollowUpDay(Schema):
    """The advice of one day: `acted` are those of which anything was carried out.

    `openQuestions` are those of all clients that await a reply now.
    """

    day: dt.date
    sent: int
    acted: int
    median_slippage_bps: Number | None
    open_questions: int


class QuestionRow(Schema):
    """A question of a client about an advice; `reply` is "" until it is answered."""

    id: uuid.UUID = Field(alias="_id")
    advice_id: uuid.UUID
    sent_at: dt.datetime
    user_id: uuid.UUID
    client_id: str
    name: str
    at: dt.datetime
    language: Language
    text: str
    lines: list[int]
    reply: str
    replied_at: dt.datetime | None
    replied_by: str | None


class QuestionReply(Schema):
    text: Annotated[str, AfterValidator(_reply)]


class RemindersChoice(Schema):
    enabled: Flag


class RemindersShown(Schema):
    """Whether a client gets reminders. `isFirmOn` is the firm's own switch."""

    enabled: bool
    is_firm_on: bool


class RunOfFollowUps(Schema):
    """Either the advices, or a filter of the board: then all advices that match."""

    advice_ids: Annotated[list[uuid.UUID], Field(max_length=MOST_ADVICES)] | None = None
    filter: BoardFilter | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.advice_ids is None) == (self.filter is None):
            raise ValueError("Name the advices or a filter.")
        return self


class FollowUpRun(Schema):
    """A run of the book, for the followers of one model among the chosen clients."""

    id: uuid.UUID = Field(alias="_id")
    model_id: uuid.UUID
    model_name: str
    clients: int


class ClientLeftOut(Schema):
    """A chosen client whom no run computes, and why."""

    user_id: uuid.UUID
    client_id: str
    name: str
    reason: str


class FollowUpRuns(Schema):
    runs: list[FollowUpRun]
    left_out: list[ClientLeftOut]
