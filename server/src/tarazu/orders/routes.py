"""The call on a client's order book."""

import datetime as dt
import uuid
from typing import Annotated, Any

from fastapi import Query, Response

from tarazu.kit import clock
from tarazu.kit.auth_route import Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, SHEETS, TakenAway
from tarazu.kit.schemas import pagination_of, written
from tarazu.orders import service
from tarazu.orders.queries import OrderFilter, ShownOrder
from tarazu.orders.schemas import AskedOrders, OrderBook, OrderRow
from tarazu.orders.sheets import order_sheet
from tarazu.people import service as people

router = guarded_router("/admin/clients")


@router.get("/client/{client_id}/order-book", response_model=OrderBook)
def list_orders(
    client_id: uuid.UUID, session: OpenSession, _: Staff, asked: Annotated[AskedOrders, Query()]
) -> Response:
    found, total = service.order_book(
        session, client_id, _wanted(asked), asked.skipped, asked.limit
    )
    return written(
        {
            "success": True,
            "data": {"orders": [_row(order) for order in found]},
            "pagination": pagination_of(asked.page, asked.limit, total),
        }
    )


@router.get("/client/{client_id}/order-book/export", response_class=Response, responses=SHEETS)
def export_orders(
    client_id: uuid.UUID,
    session: OpenSession,
    caller: Staff,
    asked: Annotated[AskedOrders, Query()],
    taking: TakenAway,
) -> Response:
    client = people.client(session, client_id)
    found, _ = service.order_book(session, client_id, _wanted(asked), 0, EVERY_ROW)
    return taking.sheet(caller, order_sheet(found), asked, client)


def _wanted(asked: AskedOrders) -> OrderFilter:
    since = clock.start_of(asked.since) if asked.since else None
    until = clock.start_of(asked.until + dt.timedelta(days=1)) if asked.until else None
    return OrderFilter(since, until, asked.status)


def _row(order: ShownOrder) -> dict[str, Any]:
    return OrderRow.plain(
        id=order.id,
        order_timestamp=order.ordered_at,
        trading_symbol=order.symbol,
        quantity=order.quantity,
        filled_quantity=order.filled_quantity,
        average_price=order.average_price,
        transaction_type=order.side,
        product=order.product,
        exchange=order.exchange,
        order_status=order.status,
        raw_status=order.raw_status,
        is_lapsed=order.lapsed_at is not None,
    )
