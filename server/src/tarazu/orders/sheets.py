"""The order book as it is taken away."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind, Sheet
from tarazu.orders.queries import ShownOrder

LAPSED = "Closed here: its day is over, and the broker never said how it ended."

_ORDERS: Sequence[Column[ShownOrder]] = (
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


def order_sheet(orders: Sequence[ShownOrder]) -> Sheet[ShownOrder]:
    """A client's orders."""
    return Sheet("Order Book", _ORDERS, orders)
