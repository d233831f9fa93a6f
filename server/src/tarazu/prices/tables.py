"""Prices that outlive the process: the last known one of each instrument, and daily closes."""

import datetime as dt
from decimal import Decimal

from sqlalchemy import BigInteger
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
