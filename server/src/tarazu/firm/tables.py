"""The firm: its registration, its advice settings, its calendar."""

import datetime as dt
from decimal import Decimal

from sqlalchemy import Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class Firm(Table):
    __tablename__ = "firm"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str]
    registration_number: Mapped[str]
    analyst_name: Mapped[str]
    registered_from: Mapped[dt.date]
    validity: Mapped[str]
    address: Mapped[str]
    contact: Mapped[str]
    disclosures: Mapped[str] = mapped_column(Text)
    standard_warning: Mapped[str] = mapped_column(Text)
    no_assurance: Mapped[str] = mapped_column(Text)
    rationale_required: Mapped[bool]
    price_tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    band: Mapped[Decimal] = mapped_column(PercentColumn)
    minimum_trade: Mapped[Decimal] = mapped_column(RupeesColumn)
    trade_penalty: Mapped[Decimal] = mapped_column(PercentColumn)
    include_charges: Mapped[bool]
    allow_fresh_funds: Mapped[bool]
    price_buffer: Mapped[Decimal] = mapped_column(PercentColumn)
    is_demo: Mapped[bool]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class Holiday(Table):
    __tablename__ = "holidays"

    date: Mapped[dt.date] = mapped_column(primary_key=True)
    name: Mapped[str]
