"""What is known of many clients' trading, as the matching of trades with advice takes it.

The trades of a client are one text that the database makes: whether anything changed is seen by
comparing texts, and they are taken apart only where something did.
"""

import datetime as dt
import json
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.domain.charges import Side
from tarazu.domain.execution.values import Fill, OpenOrder
from tarazu.domain.money import from_units
from tarazu.kit.clock import day_in_india, start_of
from tarazu.kit.db import stored_instant
from tarazu.orders import trade_queries as queries
from tarazu.orders.trading import KnownOrder, pending_orders_of

_SIDES: Final = {"BUY": Side.BUY, "SELL": Side.SELL}
_NONE: Final = "[]"


@dataclass(frozen=True, slots=True)
class RecordedTrading:
    """A client's trading since an instant.

    Attributes:
        since: earlier trades and orders are left out.
        trades: JSON; equal texts exactly where the trades since the beginning of the day are equal.
        orders: open and rejected ones.
        read_at: until when the trades are known; None if they were never read.
    """

    since: dt.datetime
    trades: str
    orders: Sequence[OpenOrder]
    read_at: dt.datetime | None

    def fills(self) -> list[Fill]:
        """The trades since the instant, in no order."""
        fills = [_fill(columns) for columns in json.loads(self.trades)]
        return [fill for fill in fills if fill.at >= self.since]


def recorded_trading(
    session: Session, since: Mapping[uuid.UUID, dt.datetime]
) -> dict[uuid.UUID, RecordedTrading]:
    """What is known of the trading of these clients, of each since an instant."""
    if not since:
        return {}
    # By days, so that a client's text does not depend on who else is read.
    by_day: dict[dt.date, list[uuid.UUID]] = defaultdict(list)
    for client_id, instant in since.items():
        by_day[day_in_india(instant)].append(client_id)
    trades: dict[uuid.UUID, str] = {}
    for day, client_ids in by_day.items():
        trades |= queries.trades_as_json(session, client_ids, start_of(day))
    orders = pending_orders_of(session, since, min(since.values()))
    read_at = queries.trades_read(session, since)
    return {
        key: RecordedTrading(
            instant,
            trades.get(key, _NONE),
            [_order(row) for row in orders.get(key, ()) if row.ordered_at >= instant],
            read_at.get(key),
        )
        for key, instant in since.items()
    }


def _fill(columns: Sequence[Any]) -> Fill:
    """A trade, of its columns in `trade_queries.trades_as_json`."""
    key, number, isin, side, quantity, price, at, after, product, tag, exchange = columns
    return Fill(
        key,
        number,
        isin,
        _SIDES[side],
        quantity,
        None if price is None else from_units(price),
        stored_instant(at),
        None if after is None else stored_instant(after),
        product,
        tag,
        exchange,
    )


def _order(order: KnownOrder) -> OpenOrder:
    return OpenOrder(
        order.isin,
        _SIDES[order.side],
        order.ordered_at,
        order.is_rejected,
        order.reason,
        order.tag,
    )
