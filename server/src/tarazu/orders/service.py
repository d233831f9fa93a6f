"""The order book: orders that clients placed themselves, as their brokers report them."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy.orm import Session

from tarazu.domain.calendar import is_business_day, next_business_day
from tarazu.domain.money import Rupees
from tarazu.firm import service as firm
from tarazu.kit.clock import INDIA
from tarazu.kit.db import new_id
from tarazu.orders import queries
from tarazu.orders.queries import OrderFilter, ShownOrder
from tarazu.orders.tables import Order, OrderSide, OrderStatus
from tarazu.people import service as people

MARKET_CLOSES = dt.time(15, 30)
"""In India. An order that is placed later is for the next business day."""
DAY_IS_OVER = dt.time(16, 5)
"""After the session at the closing price, which ends at 16:00."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Shares that changed hands since the book was last taken: in one order, at its average."""

    exchange: str
    symbol: str
    side: OrderSide
    product: str
    quantity: int
    average_price: Rupees


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
    filled_quantity: int = 0
    raw_status: str = ""
    """The broker's own word; ours when it is left out."""


def record_orders(session: Session, client_id: uuid.UUID, new: Sequence[NewOrder]) -> None:
    """Record a client's orders."""
    queries.add_orders(session, [_row(client_id, order, None) for order in new])


def take_order_book(
    session: Session,
    client_id: uuid.UUID,
    now: dt.datetime,
    told: Sequence[NewOrder],
    since: dt.datetime | None,
) -> list[Fill]:
    """Take a broker's order book of today into the history; what was filled since the last one.

    Orders of earlier days stay as they are. Those that only a file told are filled since then
    too, where they were placed after it.

    Args:
        since: when the book was last taken; None for the first time, when all of it is new.
    """
    known = {
        one.broker_order_id: one
        for one in queries.orders_by_number(
            session, client_id, [order.broker_order_id for order in told]
        )
    }
    fills: list[Fill] = []
    for order in told:
        row = known.get(order.broker_order_id)
        # What a file told was in no answer of the broker's yet.
        before = row.filled_quantity if row is not None and row.synced_at is not None else 0
        if order.filled_quantity > before:
            fills.append(_fill(order, order.filled_quantity - before))
        if row is not None:
            _renew(row, order, now)
    fresh = [order for order in told if order.broker_order_id not in known]
    queries.add_orders(session, [_row(client_id, order, now) for order in fresh])
    if since is not None:
        numbers = {order.broker_order_id for order in told}
        filed = queries.filed_orders_after(session, client_id, since)
        fills += [
            Fill(
                one.exchange,
                one.symbol,
                one.side,
                one.product,
                one.filled_quantity,
                one.average_price,
            )
            for one in filed
            if one.broker_order_id not in numbers and one.filled_quantity
        ]
    session.flush()
    return fills


def close_lapsed_orders(
    session: Session, now: dt.datetime, client_id: uuid.UUID | None = None
) -> int:
    """Close orders that say OPEN though their day is over; of one client, or of all.

    An order is good for one business day, so one of an earlier day cannot be open. What became of
    it nobody told: it counts as CANCELLED, keeps the broker's last word and the shares filled by
    then, and bears a mark. Should the broker tell of it again, its word stands.
    """
    holidays = firm.holidays(session)
    lapsed = [
        row.id
        for row in queries.open_orders(session, now, client_id)
        if now >= _over_at(row.ordered_at, holidays)
    ]
    queries.close_orders(session, lapsed, now)
    return len(lapsed)


def _over_at(ordered_at: dt.datetime, holidays: Collection[dt.date]) -> dt.datetime:
    """When the business day is over for which an order was placed."""
    here, days = ordered_at.astimezone(INDIA), set(holidays)
    day = here.date()
    if here.time() >= MARKET_CLOSES or not is_business_day(day, days):
        day = next_business_day(day, days)
    return dt.datetime.combine(day, DAY_IS_OVER, tzinfo=INDIA)


def _renew(row: Order, told: NewOrder, now: dt.datetime) -> None:
    """Let a known order be as the broker tells it now; when it was placed stays as first told."""
    row.quantity, row.filled_quantity = told.quantity, told.filled_quantity
    row.average_price, row.status = told.average_price, told.status
    row.product, row.raw_status = told.product, told.raw_status or told.status
    row.synced_at, row.lapsed_at = now, None


def _fill(order: NewOrder, quantity: int) -> Fill:
    return Fill(
        order.exchange, order.symbol, order.side, order.product, quantity, order.average_price
    )


def _row(client_id: uuid.UUID, order: NewOrder, synced_at: dt.datetime | None) -> dict[str, object]:
    return asdict(order) | {
        "id": new_id(),
        "client_id": client_id,
        "raw_status": order.raw_status or order.status,
        "synced_at": synced_at,
    }


def broker_order_ids_of(session: Session, client_id: uuid.UUID) -> set[str]:
    """The brokers' numbers of all orders of a client that are known."""
    return queries.broker_order_ids_of(session, client_id)


def newest_trades(
    session: Session, client_ids: Sequence[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, dt.datetime]:
    """By client, when the newest order since then was placed that traded a share."""
    return queries.newest_trades(session, client_ids, since)


def order_book(
    session: Session, client_id: uuid.UUID, wanted: OrderFilter, skipped: int, limit: int
) -> tuple[list[ShownOrder], int]:
    """One page of a client's orders, newest first, and how many match.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    found = queries.orders_of(session, client_id, wanted, skipped, limit)
    if len(found) < limit and (found or not skipped):
        # The last page says itself how many there are.
        return found, skipped + len(found)
    return found, queries.count_orders_of(session, client_id, wanted)
