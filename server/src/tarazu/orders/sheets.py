"""Columns of the export of the order book."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.orders.queries import ShownOrder

LAPSED = "Closed by Tarazu: its day is over and the broker reported no result."

ORDERS: Sequence[Column[ShownOrder]] = (
    Column("Date (IST)", Kind.INSTANT, lambda row: row.ordered_at),
    Column("Stock", Kind.TEXT, lambda row: row.symbol),
    Column("Quantity", Kind.WHOLE, lambda row: row.quantity),
    Column("Price", Kind.PRICE, lambda row: row.average_price),
    Column("Action", Kind.TEXT, lambda row: row.side),
    Column("Order Type", Kind.TEXT, lambda row: row.product),
    Column("Exchange", Kind.TEXT, lambda row: row.exchange),
    Column("Status", Kind.TEXT, lambda row: row.status),
    Column("Filled Quantity", Kind.WHOLE, lambda row: row.filled_quantity),
    Column("Order Number", Kind.TEXT, lambda row: row.broker_order_id),
    Column("Note", Kind.TEXT, lambda row: LAPSED if row.lapsed_at is not None else ""),
)
