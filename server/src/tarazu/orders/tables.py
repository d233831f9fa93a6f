"""Orders and trades of clients at their brokers. Tarazu reads them; it never places one."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, Text, text
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
    # The broker's words on a rejection; "" for none.
    reason: Mapped[str] = mapped_column(server_default="")
    # The tag that it was placed with, by which it belongs to an advice; "" for none.
    tag: Mapped[str] = mapped_column(server_default="")
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


class TradeSource(StrEnum):
    """Where a trade is known from.

    BROKER: the broker's trades of the day. ORDER: a completed order, where the broker gives no
    trades. FILE: a tradebook. INFERRED: the difference of two readings of the holdings.
    """

    BROKER = "BROKER"
    ORDER = "ORDER"
    FILE = "FILE"
    INFERRED = "INFERRED"


class Trade(Table):
    """Shares that a client bought or sold: one fill of an order.

    `price` is None for an inferred sale: holdings do not tell it. An inferred trade took place
    after `after`, and not later than `traded_at`; for all others `after` is None.
    """

    __tablename__ = "trades"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    source: Mapped[TradeSource]
    exchange: Mapped[str]
    # The exchange's number of the trade; the broker's of the order where there are no trades.
    trade_id: Mapped[str]
    order_id: Mapped[str]
    # In India.
    day: Mapped[dt.date]
    traded_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    after: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    symbol: Mapped[str]
    # "" where neither the source nor the list of instruments has it.
    isin: Mapped[str]
    side: Mapped[OrderSide]
    quantity: Mapped[int] = mapped_column(BigInteger)
    price: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    # As in `Order`: DELIVERY, INTRADAY, MARGIN, CARRYFORWARD, or the broker's own word.
    product: Mapped[str]
    # The tag of the order, by which a trade belongs to an advice; "" for none.
    tag: Mapped[str]
    recorded_at: Mapped[dt.datetime] = mapped_column(InstantColumn)

    __table_args__ = (
        Index(
            "uq_trades_client_id_exchange_trade_id_day_symbol",
            "client_id",
            "exchange",
            "trade_id",
            "day",
            "symbol",
            unique=True,
        ),
        Index("ix_trades_client_id_traded_at", "client_id", "traded_at"),
        Index("ix_trades_exchange_trade_id_day", "exchange", "trade_id", "day"),
    )


class TradesRead(Table):
    """Until when a client's trades are known: by the broker, a tradebook, or the holdings."""

    __tablename__ = "trades_read"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    read_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class MatchingDue(Table):
    """A client whose advice is to be matched with the trades again.

    `number` rises with each reason. Who matches removes the row only where it is still the number
    that was read, so a reason that came meanwhile is not lost.
    """

    __tablename__ = "matching_due"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class IsinsDue(Table):
    """Shares of which advice is to be matched again: a close or a corporate action came in.

    It is about advice whose window has one of the days from `first_on` to `last_on`.
    """

    __tablename__ = "isins_due"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    # JSON: a list of ISINs.
    isins: Mapped[str] = mapped_column(Text)
    first_on: Mapped[dt.date]
    last_on: Mapped[dt.date]
