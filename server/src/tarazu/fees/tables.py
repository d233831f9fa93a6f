"""Fee periods of clients."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class FeeStatus(StrEnum):
    PAID = "PAID"
    DUE = "DUE"


class Fee(Table):
    __tablename__ = "fees"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    starting_on: Mapped[dt.date]
    due_on: Mapped[dt.date | None]
    final_on: Mapped[dt.date | None]
    starting_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    final_value: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    net_gain: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    applicable_percentage: Mapped[Decimal | None] = mapped_column(PercentColumn)
    amount: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    status: Mapped[FeeStatus]
    paid_on: Mapped[dt.date | None]
    # The version of the fee schedule that the fee was computed with; a later one never alters it.
    schedule_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("fee_schedules.id"))
    # Rupees by which the family's fees of the year passed the limit with this row; 0 for none.
    over_limit: Mapped[Decimal] = mapped_column(RupeesColumn, server_default="0")
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]
    deleted_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    deleted_by: Mapped[uuid.UUID | None]


class FeeTotal(Table):
    __tablename__ = "fee_totals"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    paid: Mapped[Decimal] = mapped_column(RupeesColumn)
