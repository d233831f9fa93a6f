"""Rebalances that were computed, and advice that was sent: kept as shown, never edited."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class Rebalance(Table):
    """One computed rebalance, with all it was computed from, so that a send can be checked."""

    __tablename__ = "rebalances"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    priced_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    package: Mapped[str] = mapped_column(Text)


class Advice(Table):
    __tablename__ = "advices"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    # Not a foreign key: a rebalance is dropped after a while, what was sent is in `package`.
    rebalance_id: Mapped[uuid.UUID | None] = mapped_column(unique=True)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    total_stocks: Mapped[int]
    total_invested_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    total_buy_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    total_sell_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    rationale: Mapped[str] = mapped_column(Text)
    package: Mapped[str] = mapped_column(Text)
    letter: Mapped[bytes] = mapped_column(LargeBinary)
    mail_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("outbox.id"))

    __table_args__ = (Index("ix_advices_client_id_created_at", "client_id", "created_at"),)


class AdviceStock(Table):
    __tablename__ = "advice_stocks"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), index=True)
    place: Mapped[int]
    type: Mapped[str]
    symbol: Mapped[str]
    exchange: Mapped[str]
    product: Mapped[str]
    isin: Mapped[str]
    instrument_token: Mapped[int] = mapped_column(BigInteger)
    quantity: Mapped[int] = mapped_column(BigInteger)
    allocation: Mapped[Decimal] = mapped_column(PercentColumn)
    possible_allocation: Mapped[Decimal] = mapped_column(PercentColumn)
    drift: Mapped[Decimal] = mapped_column(PercentColumn)
    message: Mapped[str]
    last_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    current_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    additional_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    freed_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    projected_value: Mapped[Decimal] = mapped_column(RupeesColumn)
