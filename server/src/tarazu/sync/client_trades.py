"""The trades in a broker's answer, and those that only the holdings show.

The broker's own trades come first. Shares of an order of which no trade is known are one trade at
the order's average price. A holding that changed over a day that was never read, by more or fewer
shares than was traded or credited, shows a trade on that day: never across a change of broker, never
for a share without an ISIN, and not where it may be a split, a bonus or a consolidation that nobody
recorded.
"""

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy.orm import Session

from tarazu.brokers.service import BrokerOrder, BrokerTrade
from tarazu.domain.money import Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES, price_of_purchase
from tarazu.domain.splits import may_be_action
from tarazu.firm import service as firm
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.orders import service as orders
from tarazu.orders.service import Fill, NewTrade
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.portfolio import service as portfolio
from tarazu.sync.broker_reads import SHARES, BrokerAnswer
from tarazu.sync.reconciliation import Name, ShareLine, UnexplainedChange
from tarazu.sync.tables import BrokerLine


def record_answer(
    session: Session,
    client_id: uuid.UUID,
    answer: BrokerAnswer,
    isins: Mapping[Name, str],
    now: dt.datetime,
) -> None:
    """Record the trades of the day, and until when the client's trades are known."""
    placed = {order.order_id: order for order in answer.orders}
    trades = [
        _trade(trade, placed.get(trade.order_id), isins, answer.read_at)
        for trade in answer.trades or ()
    ]
    orders.record_trades(session, client_id, trades, TradeSource.BROKER, now)
    filled = [
        _filled(order, isins)
        for order in answer.orders
        if order.filled and order.exchange in SHARES
    ]
    orders.record_trades(session, client_id, filled, TradeSource.ORDER, now)
    orders.record_trades_read(session, {client_id: answer.read_at}, now)


def infer_trades(
    session: Session,
    client_id: uuid.UUID,
    found: tuple[Sequence[UnexplainedChange], Mapping[uuid.UUID, int]],
    fills: Iterable[Fill],
    since: dt.datetime,
    now: dt.datetime,
) -> None:
    """Record what unexplained changes show of days that were not read.

    Args:
        found: the changes; and by instrument the shares among them that a corporate action brought.
        fills: since the last reading; of a share with some, the price of the others is not known.
        since: the last reading.
    """
    unexplained, credited = found
    if not unexplained or not orders.was_day_missed(
        since, day_in_india(now), firm.holidays(session)
    ):
        return
    known = orders.delivered_since(session, {client_id: since}, now, beyond_orders=True)[client_id]
    marked = {key for who, key in portfolio.marked_holdings(session, now) if who == client_id}
    symbols = {fill.symbol for fill in fills}
    trades = []
    for change in unexplained:
        isin = _isin_of(change.line)
        instrument = change.line.instrument
        action = credited.get(instrument.id, 0) if instrument is not None else 0
        shares = change.after - change.before - change.ordered - known[isin] - action
        is_trade = not change.line.is_doubted if action else _is_trade(change, marked)
        if not isin or not shares or not is_trade:
            continue
        is_alone = change.line.symbol not in symbols and not known[isin] and not action
        price = price_of_purchase(*_readings(change)) if is_alone else None
        span = (since, now)
        trades.append(orders.inferred_trade(isin, change.line.name, shares, price, span))
    orders.record_inferred(session, {client_id: trades}, now)


def isins_of(
    answer: BrokerAnswer, before: Iterable[BrokerLine], lines: Iterable[ShareLine]
) -> dict[Name, str]:
    """The ISIN of every listing that the last answer or this one has one for."""
    isins = {(row.exchange, row.symbol): row.isin for row in before if row.isin}
    isins |= {line.name: isin for line in lines if (isin := _isin_of(line))}
    return isins | {
        (held.exchange, held.symbol): held.isin for held in answer.holdings if held.isin
    }


def _isin_of(line: ShareLine) -> str:
    return line.isin or (line.instrument.isin if line.instrument else "")


def _is_trade(change: UnexplainedChange, marked: set[uuid.UUID]) -> bool:
    """Whether a change can only be a trade or a transfer."""
    instrument = change.line.instrument
    is_marked = instrument is not None and instrument.id in marked
    if is_marked or change.line.is_doubted or change.isin_changed:
        return False
    return not may_be_action(*_readings(change))


def _readings(change: UnexplainedChange) -> tuple[tuple[int, Rupees], tuple[int, Rupees]]:
    before = max(change.before + change.ordered, 0)
    return (before, change.average_before), (change.after, change.average_after)


def _trade(
    trade: BrokerTrade,
    order: BrokerOrder | None,
    isins: Mapping[Name, str],
    read_at: dt.datetime,
) -> NewTrade:
    return NewTrade(
        exchange=trade.exchange,
        trade_id=trade.trade_id,
        order_id=trade.order_id,
        traded_at=_time_of(trade, order, read_at),
        symbol=trade.symbol,
        isin=isins.get((trade.exchange, trade.symbol), ""),
        side=OrderSide(trade.side),
        quantity=trade.quantity,
        price=rounded(trade.price, PRICE_PLACES),
        product=trade.product,
        tag=order.tag if order is not None else "",
    )


def _time_of(trade: BrokerTrade, order: BrokerOrder | None, read_at: dt.datetime) -> dt.datetime:
    """When a trade took place; of a time without a day, on that of its order, or else the last one."""
    if trade.filled_on is not None:
        return dt.datetime.combine(trade.filled_on, trade.filled_at, tzinfo=INDIA)
    at = (order.executed_at or order.placed_at) if order is not None else read_at
    filled = dt.datetime.combine(day_in_india(at), trade.filled_at, tzinfo=INDIA)
    is_future = order is None and filled > read_at
    return filled - dt.timedelta(days=1) if is_future else filled


def _filled(order: BrokerOrder, isins: Mapping[Name, str]) -> NewTrade:
    """What is filled of an order whose trades are not known, as one trade."""
    return NewTrade(
        exchange=order.exchange,
        trade_id=order.order_id,
        order_id=order.order_id,
        traded_at=order.executed_at or order.placed_at,
        symbol=order.symbol,
        isin=isins.get((order.exchange, order.symbol), ""),
        side=OrderSide(order.side),
        quantity=order.filled,
        price=rounded(order.average_price, PRICE_PLACES) or None,
        product=order.product,
        tag=order.tag,
    )
