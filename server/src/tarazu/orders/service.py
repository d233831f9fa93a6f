"""The order book: orders that clients place themselves, as their brokers report them."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields

from sqlalchemy.orm import Session

from tarazu.domain.calendar import (
    business_days_between,
    is_business_day,
    next_business_day,
)
from tarazu.domain.money import Rupees
from tarazu.firm import service as firm
from tarazu.kit.clock import INDIA
from tarazu.kit.db import new_id
from tarazu.orders import queries
from tarazu.orders.matching_due import (
    clear_due,
    clear_isins_due,
    due_among,
    has_due,
    isins_due,
    mark_isins_due,
    mark_matching_due,
    take_due,
)
from tarazu.orders.queries import OrderFilter, ShownOrder
from tarazu.orders.recorded import RecordedTrading, recorded_trading
from tarazu.orders.tables import Order, OrderSide, OrderStatus
from tarazu.orders.trade_queries import LotTrade, StoredTrade
from tarazu.orders.trades import (
    NewTrade,
    Unrecorded,
    inferred_trade,
    record_inferred,
    record_trades,
    record_trades_read,
    record_unrecorded,
    unrecorded_trades,
)
from tarazu.orders.trading import (
    ClientTrading,
    KnownOrder,
    clients_with_any_trade,
    clients_with_trades,
    delivered_since,
    delivered_stocks,
    lot_trades_of,
    trading_of,
    trading_of_clients,
)
from tarazu.people import service as people

MARKET_CLOSES = dt.time(15, 30)
"""In India. A later order is for the next business day."""
DAY_IS_OVER = dt.time(16, 5)
"""After the closing session, which ends at 16:00."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Shares filled in one order since the last order book, at its average price."""

    exchange: str
    symbol: str
    side: OrderSide
    product: str
    quantity: int
    average_price: Rupees


@dataclass(frozen=True, slots=True)
class NewOrder:
    """An order as a broker reports it; the price is 0 until shares are filled."""

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
    """The broker's status text; ours if it is left out."""
    reason: str = ""
    """The broker's words on a rejection."""
    tag: str = ""


def record_orders(session: Session, client_id: uuid.UUID, new: Sequence[NewOrder]) -> None:
    """Record a client's orders."""
    queries.add_orders(session, [_row(client_id, order, None) for order in new])


def take_order_book(
    session: Session,
    client_id: uuid.UUID,
    now: dt.datetime,
    reported: Sequence[NewOrder],
    since: dt.datetime | None,
) -> list[Fill]:
    """Record a broker's order book of today; returns the fills since the last one.

    Orders of earlier days stay as they are. Orders placed since then that are known only from a
    file count as filled too.

    Args:
        since: when the last order book was read; None if there was none, so all of it is new.
    """
    numbers = {order.broker_order_id for order in reported}
    known = {
        row.broker_order_id: row
        for row in queries.orders_by_number(session, client_id, list(numbers))
    }
    fills: list[Fill] = []
    for order in reported:
        row = known.get(order.broker_order_id)
        # The shares of a row from a file were in no earlier answer of the broker.
        before = row.filled_quantity if row is not None and row.synced_at is not None else 0
        if order.filled_quantity > before:
            fills.append(_fill(order, order.filled_quantity - before))
        if row is not None:
            _update(row, order, now)
    new = [order for order in reported if order.broker_order_id not in known]
    queries.add_orders(session, [_row(client_id, order, now) for order in new])
    if since is not None:
        fills += [
            _fill(row, row.filled_quantity)
            for row in queries.filed_orders_after(session, client_id, since)
            if row.broker_order_id not in numbers and row.filled_quantity
        ]
    session.flush()
    return fills


def close_lapsed_orders(
    session: Session, now: dt.datetime, client_id: uuid.UUID | None = None
) -> int:
    """Close OPEN orders whose day is over, of one client or of all; returns how many.

    An order is valid for one business day. If the broker does not report how it ended, it becomes
    CANCELLED with a mark, and keeps the broker's last status and the shares filled so far. A later
    report of the broker overwrites this.
    """
    holidays = firm.holidays(session)
    lapsed = [
        row.id
        for row in queries.open_orders(session, now, client_id)
        if now >= _over_at(row.ordered_at, holidays)
    ]
    queries.close_orders(session, lapsed, now)
    return len(lapsed)


def was_day_missed(since: dt.datetime, today: dt.date, holidays: Collection[dt.date]) -> bool:
    """Whether clients could trade after `since` and before `today`, which is then not included."""
    first, last = since.astimezone(INDIA).date(), today - dt.timedelta(days=1)
    return any(
        dt.datetime.combine(day, DAY_IS_OVER, tzinfo=INDIA) > since
        for day in business_days_between(first, last, set(holidays))
    )


def _over_at(ordered_at: dt.datetime, holidays: Collection[dt.date]) -> dt.datetime:
    """When the business day of an order is over."""
    here, days = ordered_at.astimezone(INDIA), set(holidays)
    day = here.date()
    if here.time() >= MARKET_CLOSES or not is_business_day(day, days):
        day = next_business_day(day, days)
    return dt.datetime.combine(day, DAY_IS_OVER, tzinfo=INDIA)


def _update(row: Order, order: NewOrder, now: dt.datetime) -> None:
    """Write what the broker reports now; the time of the order stays as first reported."""
    row.quantity, row.filled_quantity = order.quantity, order.filled_quantity
    row.average_price, row.status = order.average_price, order.status
    row.product, row.raw_status = order.product, order.raw_status or order.status
    row.reason, row.tag = order.reason, order.tag or row.tag
    row.synced_at, row.lapsed_at = now, None


def _fill(order: NewOrder | Order, quantity: int) -> Fill:
    return Fill(
        order.exchange, order.symbol, order.side, order.product, quantity, order.average_price
    )


def _row(client_id: uuid.UUID, order: NewOrder, synced_at: dt.datetime | None) -> dict[str, object]:
    # Not `asdict`, which copies every value deeply: a tradebook brings tens of thousands of orders.
    return {field.name: getattr(order, field.name) for field in fields(order)} | {
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
    """By client, the time of the newest order since then with filled shares."""
    return queries.newest_trades(session, client_ids, since)


def order_book(
    session: Session, client_id: uuid.UUID, filters: OrderFilter
) -> tuple[list[ShownOrder], int]:
    """One page of a client's orders, newest first, and how many match.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    orders = queries.orders_of(session, client_id, filters)
    if len(orders) < filters.limit and (orders or not filters.skipped):
        # The last page shows how many there are without a count.
        return orders, filters.skipped + len(orders)
    return orders, queries.count_orders_of(session, client_id, filters)
