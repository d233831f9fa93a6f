"""Prices that outlive the process: last known ones, daily closes, and the files they came from."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class LastPrice(Table):
    __tablename__ = "last_prices"

    instrument_token: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    price: Mapped[Decimal] = mapped_column(RupeesColumn)
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    source: Mapped[str]


class DayClose(Table):
    """What a share cost at the close of a business day: what a missed daily close is made from."""

    __tablename__ = "day_closes"

    instrument_token: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    date: Mapped[dt.date] = mapped_column(primary_key=True)
    price: Mapped[Decimal] = mapped_column(RupeesColumn)
    # The day's first price and the shares traded, on the exchange of the listing; None unless its
    # daily file was read.
    open: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    volume: Mapped[int | None] = mapped_column(BigInteger)


class PriceStep(Table):
    """From `ex_at` on, `old` shares of an instrument are `new` shares, by a corporate action.

    A price that was made before is shown in the units of after it; what is stored stays.
    """

    __tablename__ = "price_steps"
    tracks_version = True

    action_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("corporate_actions.id"), primary_key=True
    )
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    ex_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    new: Mapped[int]
    old: Mapped[int]


class PriceFile(Table):
    """A file from which prices were read, or why none were, by the SHA-256 of what is in it.

    Each process sees by the count of changes that another one took prices in.
    """

    __tablename__ = "price_files"
    tracks_version = True

    hash: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    # A `PriceSource`; empty where the file was refused.
    source: Mapped[str]
    day: Mapped[dt.date | None]
    prices: Mapped[int]
    problem: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
