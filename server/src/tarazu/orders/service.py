"""The order book: orders that clients placed themselves, as their brokers report them."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.kit.db import new_id
from tarazu.orders import queries
from tarazu.orders.tables import OrderSide, OrderStatus


@dataclass(frozen=True, slots=True)
class NewOrder:
    """One order as a broker reports it; the price is 0 unless shares changed hands."""

    broker_order_id: str
    ordered_at: dt.datetime
    symbol: str
    exchange: str
    side: OrderSide
    quantity: int
    average_price: Rupees
    status: OrderStatus
    product: str = "DELIVERY"


def record_orders(session: Session, client_id: uuid.UUID, new: Sequence[NewOrder]) -> None:
    """Record a client's orders."""
    rows: list[dict[str, object]] = [
        asdict(order) | {"id": new_id(), "client_id": client_id, "raw_status": order.status}
        for order in new
    ]
    queries.add_orders(session, rows)
