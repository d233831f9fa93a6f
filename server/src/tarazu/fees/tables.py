"""Fee periods of clients."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.invoices.tables import PaymentMode
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
    payment_mode: Mapped[PaymentMode | None]
    payment_reference: Mapped[str] = mapped_column(server_default="")
    # Rupees without tax that went back, and the last day of a service that ended early.
    refunded: Mapped[Decimal] = mapped_column(RupeesColumn, server_default="0")
    ended_on: Mapped[dt.date | None]
    # The version of the fee schedule that the fee was computed with; a later one never alters it.
    schedule_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("fee_schedules.id"))
    # Rupees by which the family's fees of twelve months passed the limit with this row; 0 for none.
    over_limit: Mapped[Decimal] = mapped_column(RupeesColumn, server_default="0")
    # The last of these twelve months; None where the limit is not passed.
    limit_until: Mapped[dt.date | None]
    # The last day whose cash flows are in the figures; None while the period is open.
    counted_until: Mapped[dt.date | None]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]
    deleted_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    deleted_by: Mapped[uuid.UUID | None]

    __table_args__ = (
        Index(
            "ix_fees_paid",
            "paid_on",
            "client_id",
            sqlite_where=text("deleted_at IS NULL AND paid_on IS NOT NULL"),
            postgresql_where=text("deleted_at IS NULL AND paid_on IS NOT NULL"),
        ),
    )


class ClientFeeSum(Table):
    """What the fees of one client add up to, kept up with every change of a fee."""

    __tablename__ = "client_fee_sums"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    # Never changes; orders rows that tie without a join.
    client_code: Mapped[str]
    # Whether the client's record is live: only then is the row listed, and counted in the totals.
    is_listed: Mapped[bool]
    fees: Mapped[int]
    paid: Mapped[Decimal] = mapped_column(RupeesColumn)
    due: Mapped[Decimal] = mapped_column(RupeesColumn)
    due_on: Mapped[dt.date | None]
    # The same, and the last day there is where nothing is due: an index leads to what is due first.
    next_due_on: Mapped[dt.date]
    paid_on: Mapped[dt.date | None]

    __table_args__ = (
        Index("ix_client_fee_sums_next_due", "is_listed", "next_due_on", "client_code"),
    )


class FeeTotal(Table):
    """`paid` is all that was ever earned; the others are the sums of the listed clients."""

    __tablename__ = "fee_totals"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    paid: Mapped[Decimal] = mapped_column(RupeesColumn)
    listed_paid: Mapped[Decimal] = mapped_column(RupeesColumn, server_default="0")
    listed_due: Mapped[Decimal] = mapped_column(RupeesColumn, server_default="0")
