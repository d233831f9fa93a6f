"""Benchmarks: indices that the firm imported, their daily values, and the firm's choice."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class BenchmarkKind(StrEnum):
    TRI = "TRI"
    """A total return index: dividends are reinvested."""
    PRICE = "PRICE"
    """A price index, without dividends; never compared as if it were a TRI."""


class Benchmark(Table):
    """An index. Its name is unique, whatever the case of its letters."""

    __tablename__ = "benchmarks"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    # The name in small letters: "NIFTY 50" and "Nifty 50" are one index.
    key: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[BenchmarkKind]
    # The last file that added values, or what else they are.
    source: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class BenchmarkValue(Table):
    """The index at the close of a day: points, with four decimals at most."""

    __tablename__ = "benchmark_values"

    benchmark_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("benchmarks.id", ondelete="CASCADE"), primary_key=True
    )
    date: Mapped[dt.date] = mapped_column(primary_key=True)
    # Kept as rupees are: whole ten-thousandths.
    value: Mapped[Decimal] = mapped_column(RupeesColumn)


class BenchmarkSettings(Table):
    """The benchmark of the firm, with which clients' portfolios are compared."""

    __tablename__ = "benchmark_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    benchmark_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("benchmarks.id"))
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
