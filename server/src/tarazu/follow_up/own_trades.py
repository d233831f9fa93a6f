"""What a client traded of shares that nobody advised, while an advice could be carried out."""

import datetime as dt
import uuid
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain.execution import matching
from tarazu.domain.execution.windows import is_inside
from tarazu.follow_up import matching_queries, queries
from tarazu.follow_up.computing import ClientInput
from tarazu.follow_up.executions import Execution
from tarazu.follow_up.inputs import followed_advice, tables_of, trading_of, windows_of
from tarazu.follow_up.windows import end_of_day
from tarazu.orders.tables import OrderSide, TradeSource


@dataclass(frozen=True, slots=True)
class OwnTrade:
    """A trade of a share that nobody advised; `quantity` is what is left of it after netting.

    An inferred sale has no price.
    """

    trade_id: str
    at: dt.datetime
    isin: str
    symbol: str
    exchange: str
    side: OrderSide
    quantity: int
    price: Decimal | None
    source: TradeSource


def own_trades(session: Session, execution: Execution) -> list[OwnTrade] | None:
    """The client's own trades inside the window of an advice, in order of time.

    None while the client's trades have not been read since the advice was sent.
    """
    client = _input_of(session, execution.client_id, end_of_day(execution.window_ends_on))
    if client is None or not client.trading.is_read_since(execution.sent_at):
        return None
    ends_at = end_of_day(execution.window_ends_on)
    results = matching.match_lines([line for _, _, line in client.lines()], client.trading, ends_at)
    own = [
        fill
        for fill in matching.own_trades(results, client.trading)
        if is_inside(fill, execution.sent_at, ends_at)
    ]
    stored = queries.trades_by_id(session, [uuid.UUID(fill.key) for fill in own])
    return [
        OwnTrade(
            fill.number,
            fill.at,
            fill.isin,
            stored[uuid.UUID(fill.key)].symbol,
            fill.exchange,
            stored[uuid.UUID(fill.key)].side,
            fill.quantity,
            fill.price,
            stored[uuid.UUID(fill.key)].source,
        )
        for fill in own
    ]


def _input_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> ClientInput | None:
    """All advice that may overlap a window that ends at `now`, and the trades; None without any.

    Without answers, closes and names of models, on which no trade's owner depends.
    """
    tables = tables_of(session, now)
    known = matching_queries.known_executions(session, [client_id])
    followed = followed_advice(session, [client_id], known, tables)
    if client_id not in followed:
        return None
    sent, trading = followed[client_id], trading_of(session, followed)[client_id]
    windows = windows_of(sent, known, tables)
    return ClientInput(sent, windows, trading, {}, tables.charges_of(""), {}, {})
