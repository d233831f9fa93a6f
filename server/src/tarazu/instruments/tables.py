"""Listed securities, and those that staff watch though nobody holds them."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class Instrument(Table):
    __tablename__ = "instruments"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    exchange: Mapped[str]
    symbol: Mapped[str]
    name: Mapped[str]
    isin: Mapped[str] = mapped_column(index=True)
    series: Mapped[str]
    sector: Mapped[str]
    tick_size: Mapped[Decimal] = mapped_column(RupeesColumn)
    lot_size: Mapped[int]
    zerodha_token: Mapped[int] = mapped_column(BigInteger, unique=True)
    angel_token: Mapped[str | None]
    reference_close: Mapped[Decimal] = mapped_column(RupeesColumn)
    reference_on: Mapped[dt.date]
    is_active: Mapped[bool]

    __table_args__ = (Index("uq_instruments_exchange_symbol", "exchange", "symbol", unique=True),)


class Watch(Table):
    __tablename__ = "watches"

    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class FormerName(Table):
    """What an instrument was called until a day: its symbol, ISIN and tokens before a change."""

    __tablename__ = "former_names"

    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    until: Mapped[dt.date] = mapped_column(primary_key=True)
    exchange: Mapped[str]
    symbol: Mapped[str]
    isin: Mapped[str] = mapped_column(index=True)
    zerodha_token: Mapped[int] = mapped_column(BigInteger)
    angel_token: Mapped[str | None]

    __table_args__ = (Index("ix_former_names_exchange_symbol", "exchange", "symbol"),)


class MasterLine(Table):
    """A line of the brokers' lists of shares, which have no ISIN; both brokers' tokens on one row."""

    __tablename__ = "master_lines"

    exchange: Mapped[str] = mapped_column(primary_key=True)
    symbol: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    zerodha_token: Mapped[int | None] = mapped_column(BigInteger, index=True)
    angel_token: Mapped[str | None]
    tick_size: Mapped[Decimal] = mapped_column(RupeesColumn)
    lot_size: Mapped[int]
    # The day of the list in which the line was last seen.
    zerodha_on: Mapped[dt.date | None]
    angel_on: Mapped[dt.date | None]


class MasterRead(Table):
    """The reading of one broker's list on one day, by one process; finished or under way."""

    __tablename__ = "master_reads"

    broker: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[dt.date] = mapped_column(primary_key=True)
    owner: Mapped[str]
    begun_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    lines: Mapped[int]
    outcome: Mapped[str]


class CorporateAction(Table):
    """What a company did to its shares on a day; see `domain.corporate_actions.values`.

    From `ex_on` on, `old` shares are `new` shares; both are 1 where their number stays. A row is
    never changed: an action that was entered wrongly is removed, and stays readable.
    """

    __tablename__ = "corporate_actions"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    isin: Mapped[str] = mapped_column(index=True)
    # After a split of the face value, of the resulting company of a demerger, of the buyer in a
    # merger; "" where the share keeps its own.
    new_isin: Mapped[str] = mapped_column(index=True)
    # As the exchange called the share then; "" if that is not known.
    symbol: Mapped[str] = mapped_column(server_default="")
    kind: Mapped[ActionKind]
    ex_on: Mapped[dt.date] = mapped_column(index=True)
    record_on: Mapped[dt.date | None]
    new: Mapped[int]
    old: Mapped[int]
    # Rupees a share: a dividend, the price of a right or of a buyback. None where not known.
    amount: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    # Of a demerger: the share of the cost, in percent, that goes to the resulting company.
    cost_share: Mapped[Decimal | None] = mapped_column(PercentColumn)
    # Of a dividend. None where not known: exchanges' lists do not say it.
    pay_on: Mapped[dt.date | None]
    # As the exchange wrote it; "" for an action that was entered by hand.
    purpose: Mapped[str] = mapped_column(server_default="")
    source: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    removed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    removed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
