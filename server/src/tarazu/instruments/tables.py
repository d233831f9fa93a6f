"""Listed securities, and those that staff watch though nobody holds them."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class Instrument(Table):
    __tablename__ = "instruments"

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
