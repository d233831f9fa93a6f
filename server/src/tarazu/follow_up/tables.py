"""What became of each advice: computed from trades, and what clients answered on their page."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table
from tarazu.kit.translation import Language


class AdviceExecution(Table):
    """What became of one advice; computed again whenever trades, answers or the day change.

    Figures that are not known are None: the advice of a client whose trades were not read has a
    state and nothing else.
    """

    __tablename__ = "advice_executions"
    tracks_version = True

    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    sent_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    # The last business day on which an order counts, and whether it is over.
    window_ends_on: Mapped[dt.date]
    is_over: Mapped[bool]
    # The model of the send; "" for none.
    model_name: Mapped[str]
    state: Mapped[AdviceState]
    followed_percentage: Mapped[Decimal | None] = mapped_column(PercentColumn)
    # At advised prices.
    advised_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    filled_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    # The implementation shortfall: the whole, then its three parts.
    shortfall: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    shortfall_bps: Mapped[Decimal | None] = mapped_column(PercentColumn)
    shortfall_price: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    shortfall_not_traded: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    shortfall_charges: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    # Trading minutes from the sending.
    minutes_to_first_fill: Mapped[int | None]
    minutes_to_ninety: Mapped[int | None]
    computed_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    # Of all that was computed, with the lines and the trades: the same again is not written.
    fingerprint: Mapped[str] = mapped_column(server_default="")

    __table_args__ = (
        Index("ix_advice_executions_sent_at", "sent_at", "advice_id"),
        Index("ix_advice_executions_state_sent_at", "state", "sent_at", "advice_id"),
        Index("ix_advice_executions_client_id_sent_at", "client_id", "sent_at"),
        Index("ix_advice_executions_is_over", "is_over", "window_ends_on"),
    )


class LineExecution(Table):
    """What became of one line of an advice."""

    __tablename__ = "line_executions"

    advice_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("advice_executions.advice_id"), primary_key=True
    )
    # As in the advice's own rows.
    place: Mapped[int] = mapped_column(primary_key=True)
    isin: Mapped[str]
    symbol: Mapped[str]
    exchange: Mapped[str]
    side: Mapped[str]
    advised_quantity: Mapped[int] = mapped_column(BigInteger)
    advised_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    filled_quantity: Mapped[int] = mapped_column(BigInteger)
    # None where nothing is filled, or where a price is not known.
    average_price: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    # Shares that the client traded beyond the advice, on the same side.
    beyond: Mapped[int] = mapped_column(BigInteger)
    status: Mapped[LineStatus]
    # Such as the broker's reason of a rejection; "" for none.
    status_text: Mapped[str]
    shortfall: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    shortfall_bps: Mapped[Decimal | None] = mapped_column(PercentColumn)
    slippage_bps: Mapped[Decimal | None] = mapped_column(PercentColumn)

    # SQLite keeps the rows in the order of their key: each is written to one tree less.
    __table_args__ = (Index("ix_line_executions_isin", "isin"), {"sqlite_with_rowid": False})


class LineFill(Table):
    """How many shares of a trade count for a line; a trade may count for several lines.

    A better known trade replaces one from an order or from the holdings. Its rows go with it, and
    the client is matched again.
    """

    __tablename__ = "line_fills"

    advice_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("advice_executions.advice_id"), primary_key=True
    )
    place: Mapped[int] = mapped_column(primary_key=True)
    trade_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("trades.id", ondelete="CASCADE"), primary_key=True
    )
    quantity: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_line_fills_trade_id", "trade_id"), {"sqlite_with_rowid": False})


class MatchedInputs(Table):
    """What the advice of a client was last computed from; with the same again, nothing is computed."""

    __tablename__ = "matched_inputs"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    fingerprint: Mapped[str]


class DraftOutcome(StrEnum):
    """What became of the follow-up of an advice whose window ended."""

    DRAFTED = "DRAFTED"
    NOT_NEEDED = "NOT_NEEDED"
    """What is left is within the firm's limits."""
    LEFT_OUT = "LEFT_OUT"
    WAITING = "WAITING"
    """For holdings, trades or prices of now; it is tried again."""


class FollowUpDraft(Table):
    """What was decided about drafting the follow-up of an advice, once for each advice.

    `account_id` is the person who has the draft, None where there is none. `text` is a sentence for
    staff.
    """

    __tablename__ = "follow_up_drafts"

    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), primary_key=True)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    outcome: Mapped[DraftOutcome]
    text: Mapped[str]
    decided_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class Answer(StrEnum):
    """What a client can answer. WITHDRAWN takes back a DECLINED."""

    READ = "READ"
    DECLINED = "DECLINED"
    WITHDRAWN = "WITHDRAWN"
    QUESTION = "QUESTION"


class AdviceResponse(Table):
    """An answer of a client to an advice; rows are added, never changed, but for the reply."""

    __tablename__ = "advice_responses"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), index=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    answer: Mapped[Answer]
    # A reason or a question.
    text: Mapped[str] = mapped_column(Text)
    # JSON: the places of the lines that are meant; [] for the whole advice.
    lines: Mapped[str] = mapped_column(Text)
    answered_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    ip: Mapped[str]
    agent: Mapped[str]
    language: Mapped[Language]
    # Of the sealed text that was shown.
    package_hash: Mapped[str]
    # Of a question: what staff mailed back.
    reply: Mapped[str] = mapped_column(Text)
    replied_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    replied_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))

    __table_args__ = (Index("ix_advice_responses_client_id", "client_id", "answered_at"),)


class AdviceReminder(Table):
    """A reminder that was mailed about an advice: the first after one business day, the second after three."""

    __tablename__ = "advice_reminders"

    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    mail_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("outbox.id"))
    sent_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class WithoutReminders(Table):
    """A client who gets no reminders."""

    __tablename__ = "without_reminders"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    since: Mapped[dt.datetime] = mapped_column(InstantColumn)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
