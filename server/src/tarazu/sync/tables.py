"""Each client's last broker statement, the sync runs, and unexplained changes."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class Outcome(StrEnum):
    """How the reading of one client went.

    NO_SESSION: the client is not logged in at a broker; nothing was read.
    DEAD: the broker knows the log-in no more.
    DOUBTED: the list of holdings is empty, which is not believed yet.
    """

    WAITING = "WAITING"
    DONE = "DONE"
    NO_SESSION = "NO_SESSION"
    DEAD = "DEAD"
    DOUBTED = "DOUBTED"
    FAILED = "FAILED"


class RunKind(StrEnum):
    """What started a run.

    LOGIN: clients who logged in. NIGHTLY: the close. EVENING: the end of the session after the
    close. AGAIN: answers that were not believed.
    """

    ASKED = "ASKED"
    LOGIN = "LOGIN"
    NIGHTLY = "NIGHTLY"
    EVENING = "EVENING"
    AGAIN = "AGAIN"


class RunState(StrEnum):
    RUNNING = "RUNNING"
    DONE = "DONE"


class ClientSync(Table):
    """How the last reading of a client went, and what the last good one said of the money.

    The `ledger` columns are where the comparison of money starts: what the broker held then, what
    trades have brought in since, and how much was traded.
    """

    __tablename__ = "client_syncs"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    broker: Mapped[str]
    outcome: Mapped[Outcome]
    reason: Mapped[str] = mapped_column(Text)
    tried_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    # Of the last good answer; None before the first.
    synced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # The log-in whose owner was checked.
    checked_session_id: Mapped[uuid.UUID | None]
    # When the broker's list of holdings was first empty, where something was held, and how often
    # it was so since without a list that is not.
    emptied_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    emptied_times: Mapped[int]
    # Rows of the last good answer that could not be read: a sentence for each, one a line.
    left_out: Mapped[str] = mapped_column(Text)
    net: Mapped[Decimal] = mapped_column(RupeesColumn)
    collateral: Mapped[Decimal] = mapped_column(RupeesColumn)
    ledger_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    ledger_net: Mapped[Decimal] = mapped_column(RupeesColumn)
    ledger_traded: Mapped[Decimal] = mapped_column(RupeesColumn)
    ledger_turnover: Mapped[Decimal] = mapped_column(RupeesColumn)


class BrokerLine(Table):
    """One holding of the broker's last answer, with its parts; without an instrument it is unmapped.

    `today` is what was bought less what was sold today, which is in none of the other parts.
    """

    __tablename__ = "broker_lines"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    exchange: Mapped[str] = mapped_column(primary_key=True)
    symbol: Mapped[str] = mapped_column(primary_key=True)
    isin: Mapped[str]
    token: Mapped[int] = mapped_column(BigInteger)
    instrument_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("instruments.id"))
    free: Mapped[int] = mapped_column(BigInteger)
    t1: Mapped[int] = mapped_column(BigInteger)
    pledged: Mapped[int] = mapped_column(BigInteger)
    today: Mapped[int] = mapped_column(BigInteger)
    margin_funded: Mapped[int] = mapped_column(BigInteger)
    average_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    last_price: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    is_doubted: Mapped[bool]

    @property
    def is_mapped(self) -> bool:
        """Whether its instrument is known."""
        return self.instrument_id is not None

    __table_args__ = (
        Index(
            "ix_broker_lines_unmapped",
            "client_id",
            sqlite_where=text("instrument_id IS NULL"),
            postgresql_where=text("instrument_id IS NULL"),
        ),
    )


class QuantityChange(Table):
    """Shares that came or went without an order of the client's; staff mark it as seen."""

    __tablename__ = "quantity_changes"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    instrument_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("instruments.id"))
    exchange: Mapped[str]
    symbol: Mapped[str]
    isin: Mapped[str]
    before: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)
    ordered: Mapped[int] = mapped_column(BigInteger)
    average_before: Mapped[Decimal] = mapped_column(RupeesColumn)
    average_after: Mapped[Decimal] = mapped_column(RupeesColumn)
    hint: Mapped[str]
    found_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    seen_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    seen_by: Mapped[uuid.UUID | None]

    __table_args__ = (Index("ix_quantity_changes_client_id_seen_at", "client_id", "seen_at"),)


class SyncRun(Table):
    """One reading of many clients; the job with its id says which process works on it."""

    __tablename__ = "sync_runs"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[RunKind]
    # Only of the runs that there are once a day.
    day: Mapped[dt.date | None]
    state: Mapped[RunState] = mapped_column(index=True)
    started_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)

    __table_args__ = (Index("uq_sync_runs_kind_day", "kind", "day", unique=True),)


class SyncRunClient(Table):
    """A client of a run, and what came of it."""

    __tablename__ = "sync_run_clients"

    run_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("sync_runs.id"), primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    outcome: Mapped[Outcome]
    reason: Mapped[str] = mapped_column(Text)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
