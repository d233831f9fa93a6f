"""Runs over the book, client by client."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table
from tarazu.model_portfolios.tables import Outside


class BookRunState(StrEnum):
    """COMPUTING, then REVIEW, then SENDING, then DONE; CANCELLED and FAILED end a run early."""

    COMPUTING = "COMPUTING"
    REVIEW = "REVIEW"
    SENDING = "SENDING"
    DONE = "DONE"
    CANCELLED = "CANCELLED"
    FAILED = "FAILED"


class Tile(StrEnum):
    """The state of a client in a run: the first of these that applies; all reasons are kept.

    FAULT: the client's plan could not be computed; the reason says why.
    PRICE_MISSING: a stock of the model, or one held, has no price.
    STALE_DATA: holdings are older than the firm's limit, or than the last advice to the client.
    ACTION_SUSPECTED: shares or price moved as in a split or bonus that nobody entered.
    INSIDE_TOLERANCE: no drift reaches the tolerance, or nothing can be traded.
    ACTION_PENDING: shares of a corporate action are not credited yet; only credited ones are sold.
    NO_SESSION: holdings came from a broker, and the client has no live session there.
    NEEDS_CASH: money has to be added, cash is below zero, or there is nothing to invest.
    RESTRICTED: a restriction keeps the plan from the model.
    READY: none of these.
    """

    FAULT = "FAULT"
    PRICE_MISSING = "PRICE_MISSING"
    STALE_DATA = "STALE_DATA"
    ACTION_SUSPECTED = "ACTION_SUSPECTED"
    INSIDE_TOLERANCE = "INSIDE_TOLERANCE"
    ACTION_PENDING = "ACTION_PENDING"
    NO_SESSION = "NO_SESSION"
    NEEDS_CASH = "NEEDS_CASH"
    RESTRICTED = "RESTRICTED"
    READY = "READY"


class ClientState(StrEnum):
    """REVIEW, then QUEUED where it is included, then SENT; or why not.

    CHANGED: not sent, because the data behind the tiles has changed. FAILED: not sent, with an
    error. CANCELLED: not sent, because the run was cancelled.
    """

    REVIEW = "REVIEW"
    QUEUED = "QUEUED"
    SENT = "SENT"
    CHANGED = "CHANGED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class BookRun(Table):
    """One rebalance of the book.

    The job with its id says which process works on it. `snapshot` is what all clients
    were computed with, the prices above all; "" until that is done. `options` are those of the
    plans, as JSON. `client_ids` are the followers that are computed, as JSON; "" for all. `sending` is the sender, the disclosures and the checks, as JSON; "" before the
    sending.
    """

    __tablename__ = "book_runs"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), index=True)
    version_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_versions.id"))
    after_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("book_runs.id"))
    state: Mapped[BookRunState] = mapped_column(index=True)
    tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    outside: Mapped[Outside]
    options: Mapped[str] = mapped_column(Text, server_default="")
    client_ids: Mapped[str] = mapped_column(Text, server_default="")
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
    """A client of a run: the figures, the plan, and whether it was sent.

    `worked_out` is the input and the result of the plan, as JSON; "" where no plan could be made,
    and the figures are None then. `tax` is what the sales add to the tax of the year; None where the
    lots of a sale, or another sale of the year, are not known. The keys ensure that a client gets one advice of a run, and that
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
    tax: Mapped[Decimal | None] = mapped_column(RupeesColumn)
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
