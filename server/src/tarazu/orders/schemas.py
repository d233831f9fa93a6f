"""Shapes of the order book on the wire."""

import datetime as dt
import uuid

from pydantic import Field

from tarazu.kit.schemas import Pagination, Price, Schema
from tarazu.orders.tables import OrderSide, OrderStatus


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
    """Closed by Tarazu: its day is over and the broker reported no result."""


class Orders(Schema):
    orders: list[OrderRow]


class OrderBook(Schema):
    success: bool
    data: Orders
    pagination: Pagination
