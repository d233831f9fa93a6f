"""The call on a client's order book."""

import uuid
from typing import Annotated, Any

from fastapi import Query, Response

from tarazu.kit.auth_route import Staff, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, whole
from tarazu.kit.schemas import pagination_of, written
from tarazu.orders import service
from tarazu.orders.queries import OrderFilter, ShownOrder
from tarazu.orders.schemas import OrderBook, OrderRow
from tarazu.orders.sheets import ORDERS
from tarazu.people import service as people

_ORDER_BOOK = "/client/{client_id}/order-book"

router = authorized_router("/admin/clients")


@router.get(_ORDER_BOOK, response_model=OrderBook)
def list_orders(
    client_id: uuid.UUID, session: OpenSession, _: Staff, filters: Annotated[OrderFilter, Query()]
) -> Response:
    orders, total = service.order_book(session, client_id, filters)
    return written(
        {
            "success": True,
            "data": {"orders": [_row(order) for order in orders]},
            "pagination": pagination_of(filters.page, filters.limit, total),
        }
    )


@list_export(router, f"{_ORDER_BOOK}/export", "Order Book", ORDERS)
def export_orders(
    client_id: uuid.UUID, session: OpenSession, _: Staff, filters: Annotated[OrderFilter, Query()]
) -> Exported[ShownOrder]:
    client = people.client(session, client_id)
    orders, _total = service.order_book(session, client_id, whole(filters))
    return Exported(orders, filters, client)


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
