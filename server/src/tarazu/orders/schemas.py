"""Shapes of the order book on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.kit.fields import Day
from tarazu.kit.schemas import MAX_LIMIT, Pagination, Price, Schema, Whole
from tarazu.orders.tables import OrderSide, OrderStatus


class AskedOrders(Schema):
    """Days in India, both included, and a status; all there is unless asked."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    status: OrderStatus | None = None
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=MAX_LIMIT, ge=1, le=MAX_LIMIT)

    @property
    def skipped(self) -> int:
        """Orders before this page."""
        return (self.page - 1) * self.limit


class OrderRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    order_timestamp: dt.datetime
    trading_symbol: str
    quantity: int
    filled_quantity: int
    average_price: Price
    transaction_type: OrderSide
    product: str
    exchange: str
    order_status: OrderStatus
    raw_status: str
    is_lapsed: bool
    """Closed here: its day was over, and the broker never said how it ended."""


class Orders(Schema):
    orders: list[OrderRow]


class OrderBook(Schema):
    success: bool
    data: Orders
    pagination: Pagination
