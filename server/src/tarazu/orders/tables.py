"""Orders that clients placed with their brokers. Tarazu reads them; it never places one."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class OrderStatus(StrEnum):
    COMPLETE = "COMPLETE"
    REJECTED = "REJECTED"
    OPEN = "OPEN"
    CANCELLED = "CANCELLED"


class OrderSide(StrEnum):
    BUY = "BUY"
    SELL = "SELL"


class Order(Table):
    __tablename__ = "orders"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    broker_order_id: Mapped[str]
    ordered_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    symbol: Mapped[str]
    exchange: Mapped[str]
    side: Mapped[OrderSide]
    quantity: Mapped[int] = mapped_column(BigInteger)
    filled_quantity: Mapped[int] = mapped_column(BigInteger, server_default="0")
    average_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    product: Mapped[str]
    status: Mapped[OrderStatus]
    raw_status: Mapped[str]
    # When the broker last reported it; None for an order known only from a file.
    synced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # When Tarazu closed it, because its day was over and the broker reported no result.
    lapsed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)

    __table_args__ = (
        Index("ix_orders_client_id_ordered_at", "client_id", "ordered_at"),
        Index("uq_orders_client_id_broker_order_id", "client_id", "broker_order_id", unique=True),
        Index(
            "ix_orders_open",
            "ordered_at",
            sqlite_where=text("status = 'OPEN'"),
            postgresql_where=text("status = 'OPEN'"),
        ),
    )
