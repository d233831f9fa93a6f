"""What became of one advice, with its lines, its trades and the client's answers."""

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.calendar import business_days_later
from tarazu.domain.charges import Side
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.domain.money import ZERO, Percent, Rupees
from tarazu.firm import service as firm
from tarazu.follow_up import queries, response_queries
from tarazu.follow_up.board import Shortfall, acknowledged_at, shortfall_of
from tarazu.follow_up.draft_notes import FollowUpNote, notes_of
from tarazu.follow_up.queries import CountedFill
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceReminder,
    AdviceResponse,
    Answer,
    LineExecution,
)
from tarazu.kit.clock import day_in_india
from tarazu.kit.translation import Language


class ShortfallGap(StrEnum):
    """Why a shortfall is not known, or not whole; the first one outweighs the others."""

    TRADES_NOT_READ = "TRADES_NOT_READ"
    """Since the sending; of a window that is over: up to its end."""
    NO_CLOSE = "NO_CLOSE"
    """Shares were not traded, and no close is known from the sending to the end of the window."""
    NO_SALE_PRICE = "NO_SALE_PRICE"
    """A sale was inferred from holdings: its shares are left out of the shortfall."""


@dataclass(frozen=True, slots=True)
class LineShortfall:
    amount: Rupees
    bps: Decimal | None


@dataclass(frozen=True, slots=True)
class ExecutedLine:
    """One line with the trades that count for it."""

    place: int
    isin: str
    symbol: str
    exchange: str
    side: Side
    advised_quantity: int
    advised_price: Rupees
    filled_quantity: int
    average_price: Rupees | None
    status: LineStatus
    status_text: str
    shortfall: LineShortfall | None
    shortfall_gap: ShortfallGap | None
    slippage_bps: Decimal | None
    fills: list[CountedFill]
    beyond: int


@dataclass(frozen=True, slots=True)
class RecordedResponse:
    """An answer of a client; `lines` are places of lines, none for the whole advice."""

    id: uuid.UUID
    answer: Answer
    answered_at: dt.datetime
    language: Language
    text: str
    lines: list[int]
    ip: str
    agent: str
    package_hash: str
    reply: str
    replied_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of an advice; figures that are not known are None.

    `has_own_draft`: the caller has a draft for this client.
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
    followed_percentage: Percent | None
    advised_value: Rupees
    filled_value: Rupees
    shortfall: Shortfall | None
    shortfall_gap: ShortfallGap | None
    minutes_to_first_fill: int | None
    minutes_to_ninety: int | None
    read_at: dt.datetime | None
    acknowledged_at: dt.datetime | None
    follow_up: FollowUpNote | None
    has_own_draft: bool
    reminders: Sequence[AdviceReminder]
    responses: list[RecordedResponse]
    lines: list[ExecutedLine]


def execution(
    session: Session, advice_id: uuid.UUID, account_id: uuid.UUID | None = None
) -> Execution:
    """What became of an advice; UNKNOWN where it was never matched with trades.

    Args:
        account_id: of the caller; None for a client.

    Raises:
        AdviceNotFound: there is no such advice.
        ClientNotFound: its client was deleted.
    """
    sent, client = advice.recipient(session, advice_id)
    row = queries.execution_by_id(session, advice_id)
    if row is None:
        row, stored = _unmatched(session, sent.id, sent.client_id, sent.created_at)
    else:
        stored = [*queries.lines_of(session, [advice_id])[advice_id]]
    fills = queries.fills_of(session, advice_id)
    lines = [_line(line, fills) for line in stored]
    gaps = {line.shortfall_gap for line in lines}
    answers = response_queries.responses_of(session, advice_id)
    return Execution(
        advice_id=advice_id,
        client_id=row.client_id,
        client_code=client.code,
        name=client.name,
        model_name=row.model_name,
        sent_at=row.sent_at,
        window_ends_on=row.window_ends_on,
        is_over=row.is_over,
        state=row.state,
        followed_percentage=row.followed_percentage,
        advised_value=row.advised_value,
        filled_value=row.filled_value,
        shortfall=shortfall_of(row),
        shortfall_gap=next((gap for gap in ShortfallGap if gap in gaps), None),
        minutes_to_first_fill=row.minutes_to_first_fill,
        minutes_to_ninety=row.minutes_to_ninety,
        read_at=advice.opened_at(session, [advice_id]).get(advice_id),
        acknowledged_at=acknowledged_at(answers),
        follow_up=notes_of(session, [advice_id]).get(advice_id),
        has_own_draft=account_id is not None and advice.has_draft(session, account_id, client.id),
        reminders=response_queries.reminders_of(session, [advice_id]).get(advice_id, ()),
        responses=[recorded(answer) for answer in answers],
        lines=lines,
    )


def _unmatched(
    session: Session, advice_id: uuid.UUID, client_id: uuid.UUID, sent_at: dt.datetime
) -> tuple[AdviceExecution, list[LineExecution]]:
    """An advice whose client's trades nobody matched yet; nothing is stored."""
    days = firm.follow_up_settings(session).window_days
    rows = advice.sealed_rows(session, [advice_id])[advice_id]
    # Not added to the session: it is only shown.
    execution = AdviceExecution(
        advice_id=advice_id,
        client_id=client_id,
        sent_at=sent_at,
        window_ends_on=business_days_later(day_in_india(sent_at), days, firm.holidays(session)),
        is_over=False,
        model_name="",
        state=AdviceState.UNKNOWN,
        advised_value=sum((row.quantity * row.price for row in rows), ZERO),
        filled_value=ZERO,
    )
    lines = [
        LineExecution(
            advice_id=advice_id,
            place=row.place,
            isin=row.isin,
            symbol=row.symbol,
            exchange=row.exchange,
            side=row.side,
            advised_quantity=row.quantity,
            advised_price=row.price,
            filled_quantity=0,
            beyond=0,
            status=LineStatus.UNKNOWN,
            status_text="",
        )
        for row in rows
    ]
    return execution, lines


def _line(line: LineExecution, of_advice: Sequence[CountedFill]) -> ExecutedLine:
    fills = [fill for fill in of_advice if fill.place == line.place]
    shortfall = None
    if line.shortfall is not None:
        shortfall = LineShortfall(line.shortfall, line.shortfall_bps)
    return ExecutedLine(
        place=line.place,
        isin=line.isin,
        symbol=line.symbol,
        exchange=line.exchange,
        side=Side(line.side),
        advised_quantity=line.advised_quantity,
        advised_price=line.advised_price,
        filled_quantity=line.filled_quantity,
        average_price=line.average_price,
        status=line.status,
        status_text=line.status_text,
        shortfall=shortfall,
        shortfall_gap=_gap_of(line, fills),
        slippage_bps=line.slippage_bps,
        fills=fills,
        beyond=line.beyond,
    )


def _gap_of(line: LineExecution, fills: Sequence[CountedFill]) -> ShortfallGap | None:
    """What is missing of a line's shortfall; None where it is known."""
    if line.status is LineStatus.UNKNOWN:
        return ShortfallGap.TRADES_NOT_READ
    if line.shortfall is None:
        return ShortfallGap.NO_CLOSE
    return ShortfallGap.NO_SALE_PRICE if any(fill.price is None for fill in fills) else None


def recorded(row: AdviceResponse) -> RecordedResponse:
    """An answer as it was recorded."""
    return RecordedResponse(
        row.id,
        row.answer,
        row.answered_at,
        row.language,
        row.text,
        json.loads(row.lines),
        row.ip,
        row.agent,
        row.package_hash,
        row.reply,
        row.replied_at,
    )
