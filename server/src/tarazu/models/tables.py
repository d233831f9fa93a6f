"""Model portfolios with their versions and subscribers; runs over the book, client by client."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class ModelStatus(StrEnum):
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


class Outside(StrEnum):
    """What becomes of holdings that are not in the model.

    KEEP: left alone, and the model is applied to the rest of the investment. SELL: sold.
    """

    KEEP = "KEEP"
    SELL = "SELL"


class RunState(StrEnum):
    """COMPUTING, then REVIEW, then SENDING, then DONE; CANCELLED and FAILED end a run early."""

    COMPUTING = "COMPUTING"
    REVIEW = "REVIEW"
    SENDING = "SENDING"
    DONE = "DONE"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class Tile(StrEnum):
    """Where a client of a run stands: the first of these that applies, all reasons being kept.

    FAULT: the client's plan could not be computed; the reason says why.
    PRICE_MISSING: a stock of the model, or one held, has no price.
    STALE_DATA: holdings are older than the firm's limit, or than the last advice to the client.
    INSIDE_TOLERANCE: nothing is off by as much as the tolerance, or nothing can be traded.
    NO_SESSION: holdings came from a broker, and no session there is alive.
    NEEDS_CASH: money has to be added, cash is below nought, or there is nothing to invest.
    RESTRICTED: a restriction keeps the plan from the model.
    READY: none of these.
    """

    FAULT = "FAULT"
    PRICE_MISSING = "PRICE_MISSING"
    STALE_DATA = "STALE_DATA"
    INSIDE_TOLERANCE = "INSIDE_TOLERANCE"
    NO_SESSION = "NO_SESSION"
    NEEDS_CASH = "NEEDS_CASH"
    RESTRICTED = "RESTRICTED"
    READY = "READY"


class ClientState(StrEnum):
    """REVIEW, then QUEUED where it is included, then SENT; or why not.

    CHANGED: not sent, for what the tiles were computed from is no longer so. FAILED: not sent,
    with words. CANCELLED: not sent, for the sending was stopped.
    """

    REVIEW = "REVIEW"
    QUEUED = "QUEUED"
    SENT = "SENT"
    CHANGED = "CHANGED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class ModelPortfolio(Table):
    __tablename__ = "model_portfolios"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    # Lower case, so that two names that read alike are one.
    name_key: Mapped[str] = mapped_column(unique=True)
    status: Mapped[ModelStatus]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]


class ModelVersion(Table):
    """One version of a model, never changed: what was published, by whom and when."""

    __tablename__ = "model_versions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"))
    number: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    author: Mapped[str]
    rationale: Mapped[str] = mapped_column(Text)
    benchmark: Mapped[str]
    universe: Mapped[str] = mapped_column(Text)
    selection_method: Mapped[str] = mapped_column(Text)
    risks: Mapped[str] = mapped_column(Text)

    __table_args__ = (UniqueConstraint("model_id", "number"),)


class ModelConstituent(Table):
    __tablename__ = "model_constituents"

    version_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_versions.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"))
    allocation: Mapped[Decimal] = mapped_column(PercentColumn)


class ModelSubscriber(Table):
    """A client who follows a model: one at most, which the key says.

    `investment` is how much of the client's money follows it; None: all holdings and cash.
    """

    __tablename__ = "model_subscribers"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), index=True)
    investment: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    subscribed_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class BookLimits(Table):
    """The firm's limits for runs alone; one row.

    `tolerance`: drift in percent points that is left alone. The ages of prices and holdings are
    limits of every advice, and stand in the firm's record.
    """

    __tablename__ = "book_limits"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    version: Mapped[int]


class BookRun(Table):
    """One rebalance of the book.

    The job with its id says which process works on it. `snapshot` is what all clients were
    computed with, the prices above all; "" until that is done. `options` are those of the plans,
    as JSON; "" of a run that an older version began: the firm's. `sending` is who sends, and what
    is said to all; "" before the sending.
    """

    __tablename__ = "book_runs"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), index=True)
    version_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_versions.id"))
    after_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("book_runs.id"))
    state: Mapped[RunState] = mapped_column(index=True)
    tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    outside: Mapped[Outside]
    options: Mapped[str] = mapped_column(Text, server_default="")
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    author: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    computed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    priced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    snapshot: Mapped[str] = mapped_column(Text)
    error: Mapped[str] = mapped_column(Text)
    rationale: Mapped[str] = mapped_column(Text)
    sending: Mapped[str] = mapped_column(Text)
    sent_by: Mapped[str]
    sent_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    version: Mapped[int]


class BookRunClient(Table):
    """A client of a run: the figures of the tiles, what was computed, and what became of it.

    `worked_out` is what the plan is made from and what it came to, as JSON; "" where no plan could
    be made. Figures are None then. The keys see to it that a client gets one advice of a run, and
    an advice is of one client.
    """

    __tablename__ = "book_run_clients"

    run_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("book_runs.id"), primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    code: Mapped[str]
    name: Mapped[str]
    search_text: Mapped[str]
    tile: Mapped[Tile]
    reasons: Mapped[str] = mapped_column(Text)
    is_included: Mapped[bool]
    can_be_included: Mapped[bool]
    note: Mapped[str] = mapped_column(Text)
    investment: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    cash: Mapped[Decimal] = mapped_column(RupeesColumn)
    cash_after: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    funds_to_add: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    trades: Mapped[int | None]
    buy_value: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    sell_value: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    charges: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    turnover: Mapped[Decimal | None] = mapped_column(PercentColumn)
    max_drift: Mapped[Decimal | None] = mapped_column(PercentColumn)
    max_drift_symbol: Mapped[str]
    tracking_error: Mapped[Decimal | None] = mapped_column(PercentColumn)
    proved_gap: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    broker: Mapped[str]
    holdings_source: Mapped[str]
    synced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    worked_out: Mapped[str] = mapped_column(Text)
    state: Mapped[ClientState]
    error: Mapped[str] = mapped_column(Text)
    advice_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("advices.id"), unique=True)
    sent_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)

    __table_args__ = (
        Index("ix_book_run_clients_run_id_tile", "run_id", "tile"),
        Index("ix_book_run_clients_run_id_state", "run_id", "state"),
        Index("ix_book_run_clients_client_id", "client_id"),
    )
