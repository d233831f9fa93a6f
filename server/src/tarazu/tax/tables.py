"""What staff enter for the tax lots of clients; everything else is computed from trades and actions."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.tax.rates import SurchargeClass
from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class EntryKind(StrEnum):
    """How shares came or went without a known trade.

    BOUGHT: they came in. BUYBACK: the company bought them back. OUT: transferred out, no sale.
    """

    BOUGHT = "BOUGHT"
    BUYBACK = "BUYBACK"
    OUT = "OUT"


class LotEntry(Table):
    """Shares of a client that came or went without a trade. A row is removed, never changed."""

    __tablename__ = "lot_entries"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    kind: Mapped[EntryKind]
    isin: Mapped[str]
    # In the units of `moved_on`.
    quantity: Mapped[int] = mapped_column(BigInteger)
    # Of BOUGHT alone: where the holding period begins.
    bought_on: Mapped[dt.date | None]
    # When they came into the demat account, or left it.
    moved_on: Mapped[dt.date]
    # Of all of them: the cost, or what the company paid. None where it is not known.
    amount: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    # "" for the account at the client's broker; else the name of another one.
    demat: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    removed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    removed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))


class TaxClass(Table):
    """A client's class of income, by which the surcharge goes; no row or None if it was not stated."""

    __tablename__ = "tax_classes"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    income: Mapped[SurchargeClass | None]
    version: Mapped[int]


class TaxRateVersion(Table):
    """Rates that an ADMIN entered from a day on. A row is removed, never changed."""

    __tablename__ = "tax_rate_versions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    effective_on: Mapped[dt.date]
    # The lines that change, in the format of `domain/tax/tax_rates.csv`, with the heading.
    lines: Mapped[str] = mapped_column(Text)
    source: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    removed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    removed_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))


class HighOf2018(Table):
    """The highest price of a share on 31 January 2018, in rupees of that day's units."""

    __tablename__ = "highs_of_2018"

    isin: Mapped[str] = mapped_column(primary_key=True)
    high: Mapped[Decimal] = mapped_column(RupeesColumn)
    entered_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    entered_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
