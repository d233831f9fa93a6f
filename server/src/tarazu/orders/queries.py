"""Every SQL statement of the order book."""

from collections.abc import Mapping, Sequence

from sqlalchemy import insert
from sqlalchemy.orm import Session

from tarazu.orders.tables import Order


def add_orders(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        session.execute(insert(Order), list(rows))
