"""The rows of a tradebook: orders for the order book, and trades."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.imports.matching import KnownInstruments, NotMatched
from tarazu.imports.readers.parsed import (
    FileKind,
    ParsedFile,
    ParsedHolding,
    ParsedTrade,
    RefusedRow,
)
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder, NewTrade, Unrecorded
from tarazu.orders.tables import OrderSide, OrderStatus, TradeSource
from tarazu.people import service as people
from tarazu.people.service import ClientSummary

_FOUR_PLACES: Final = Decimal("0.0001")


class RecordChange(StrEnum):
    ADDED = "ADDED"
    UNCHANGED = "UNCHANGED"


@dataclass(frozen=True, slots=True)
class OrderChange:
    """An order made of its fills; UNCHANGED if it is known with all of them."""

    line: int
    client_id: str
    client_name: str
    broker_order_id: str
    ordered_at: dt.datetime
    symbol: str
    exchange: str
    side: OrderSide
    quantity: int
    average_price: Rupees
    change: RecordChange


@dataclass(slots=True)
class TradesOfFile:
    """What a tradebook brings to one client.

    Attributes:
        new_orders: those that the order book does not have.
        trades: all of them, whether they are recorded already or not.
        unrecorded: what of them is not.
    """

    client: ClientSummary | None = None
    orders: list[OrderChange] = field(default_factory=list)
    new_orders: list[NewOrder] = field(default_factory=list)
    trades: list[NewTrade] = field(default_factory=list)
    unrecorded: Unrecorded = field(default_factory=Unrecorded)
    refused: list[RefusedRow] = field(default_factory=list)


def match_trades(session: Session, file: ParsedFile, client: ClientSummary) -> TradesOfFile:
    """Match the rows of a tradebook with stocks, and compare them with what is recorded."""
    matched = TradesOfFile(client)
    fills = _of_one_stock(
        _of_this_client(session, _named(session, file, matched), matched), matched
    )
    known = orders.broker_order_ids_of(session, client.id)
    matched.trades = [trade for rows in fills.values() for _line, trade in rows]
    matched.unrecorded = orders.unrecorded_trades(session, client.id, matched.trades)
    new = {trade.order_id for trade in matched.unrecorded.new}
    for number, rows in fills.items():
        trades = [trade for _line, trade in rows]
        is_added = number not in known or number in new
        matched.orders.append(_order_change(client, rows[0][0], trades, is_added=is_added))
        if number not in known:
            matched.new_orders.append(_new_order(trades))
    return matched


def add_trades(session: Session, now: dt.datetime, matched: TradesOfFile) -> None:
    """Add the orders and the trades that are not known yet."""
    if matched.client is None or not matched.trades:
        return
    client_id = matched.client.id
    orders.record_orders(session, client_id, matched.new_orders)
    orders.record_unrecorded(session, client_id, matched.unrecorded, TradeSource.FILE, now)
    last = max(trade.traded_at for trade in matched.trades)
    orders.record_trades_read(session, {client_id: min(last, now)}, now)


_Row = tuple[int, NewTrade]
"""A trade and its line in the file."""


def _named(session: Session, file: ParsedFile, matched: TradesOfFile) -> list[_Row]:
    """The trades of the file; by the name of the share where the file has neither symbol nor ISIN."""
    if file.kind != FileKind.ANGEL_TRADEBOOK:
        return [(row.line, _trade(row, row.symbol, row.isin)) for row in file.trades]
    known = KnownInstruments(instruments.all_listed(session), instruments.by_former_isins(session))
    listed: dict[str, Listed | str] = {}
    rows: list[_Row] = []
    for row in file.trades:
        if row.symbol not in listed:
            listed[row.symbol] = _listed(known, row)
        stock = listed[row.symbol]
        if isinstance(stock, str):
            _refuse(matched, row.line, f"{row.symbol}, trade {row.trade_id}", stock)
        else:
            rows.append((row.line, _trade(row, stock.symbol, stock.isin)))
    return rows


def _listed(known: KnownInstruments, row: ParsedTrade) -> Listed | str:
    """The stock that a row names, or the reason why it is none."""
    named = ParsedHolding(
        row.line, None, row.symbol, None, None, row.quantity, 0, 0, None, row.price, None
    )
    try:
        return known.match(named, by_name=True)
    except NotMatched as unknown:
        return str(unknown)


def _of_this_client(
    session: Session, rows: Sequence[_Row], matched: TradesOfFile
) -> Sequence[_Row]:
    """The trades that are not recorded for another client."""
    if matched.client is None:
        return rows
    trades = [trade for _line, trade in rows]
    others = orders.clients_with_trades(session, matched.client.id, trades)
    if not others:
        return rows
    codes = {card.id: card.code for card in people.client_summaries(session, "")}
    kept: list[_Row] = []
    for line, trade in rows:
        other = others.get((*trade.number, trade.side))
        if other is None:
            kept.append((line, trade))
        else:
            whose = f"client {codes[other]}" if other in codes else "another client"
            text = f"{trade.symbol}, trade {trade.trade_id}"
            _refuse(matched, line, text, f"This trade is recorded for {whose}.")
    return kept


def _of_one_stock(rows: Sequence[_Row], matched: TradesOfFile) -> Mapping[str, list[_Row]]:
    """The trades by order; those of another stock or side than the order's first are refused."""
    fills: dict[str, list[_Row]] = defaultdict(list)
    for line, trade in rows:
        order_id = trade.order_id
        first_line, first = fills[order_id][0] if order_id in fills else (line, trade)
        if (first.symbol, first.side) == (trade.symbol, trade.side):
            fills[order_id].append((line, trade))
        else:
            reason = f"Order {order_id} is of {first.symbol} in line {first_line}."
            _refuse(matched, line, f"{trade.symbol}, order {order_id}", reason)
    return fills


def _refuse(matched: TradesOfFile, line: int, text: str, reason: str) -> None:
    matched.refused.append(RefusedRow(line, text, reason))


def _trade(row: ParsedTrade, symbol: str, isin: str) -> NewTrade:
    return NewTrade(
        exchange=row.exchange,
        trade_id=row.trade_id,
        order_id=row.order_id,
        traded_at=row.at,
        symbol=symbol,
        isin=isin,
        side=OrderSide.BUY if row.is_purchase else OrderSide.SELL,
        quantity=row.quantity,
        price=row.price,
        product=row.product,
    )


def _sums(trades: Sequence[NewTrade]) -> tuple[int, Rupees]:
    """The shares of these trades, and what one cost on average."""
    quantity = sum(trade.quantity for trade in trades)
    spent = sum((trade.quantity * (trade.price or ZERO) for trade in trades), ZERO)
    return quantity, (spent / quantity).quantize(_FOUR_PLACES)


def _order_change(
    client: ClientSummary, line: int, trades: Sequence[NewTrade], *, is_added: bool
) -> OrderChange:
    first, (quantity, average) = trades[0], _sums(trades)
    return OrderChange(
        line,
        client.code,
        client.name,
        first.order_id,
        min(trade.traded_at for trade in trades),
        first.symbol,
        first.exchange,
        first.side,
        quantity,
        average,
        RecordChange.ADDED if is_added else RecordChange.UNCHANGED,
    )


def _new_order(trades: Sequence[NewTrade]) -> NewOrder:
    first, (quantity, average) = trades[0], _sums(trades)
    return NewOrder(
        broker_order_id=first.order_id,
        ordered_at=min(trade.traded_at for trade in trades),
        symbol=first.symbol,
        exchange=first.exchange,
        side=first.side,
        quantity=quantity,
        average_price=average,
        status=OrderStatus.COMPLETE,
        product=first.product,
        filled_quantity=quantity,
    )
