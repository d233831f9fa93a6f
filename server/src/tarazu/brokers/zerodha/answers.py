"""The rows of Kite Connect's answers as values."""

from collections.abc import Mapping
from typing import Final

from tarazu.brokers.protocol.fields import AnswerObject, note_unknown
from tarazu.brokers.protocol.port import (
    SIDES,
    BrokerHolding,
    BrokerOrder,
    BrokerPosition,
    BrokerTrade,
    Malformed,
    Status,
)
from tarazu.brokers.tables import BrokerName
from tarazu.kit.clock import INDIA

PRODUCTS = {"CNC": "DELIVERY", "MIS": "INTRADAY", "NRML": "CARRYFORWARD", "MTF": "MARGIN"}
OVER: Final[Mapping[str, Status]] = {
    "COMPLETE": "COMPLETE",
    "REJECTED": "REJECTED",
    "CANCELLED": "CANCELLED",
    "CANCELLED AMO": "CANCELLED",
}
ON_THE_WAY = frozenset(
    {
        "OPEN",
        "PUT ORDER REQ RECEIVED",
        "VALIDATION PENDING",
        "OPEN PENDING",
        "MODIFY VALIDATION PENDING",
        "MODIFY PENDING",
        "MODIFIED",
        "TRIGGER PENDING",
        "CANCEL PENDING",
        "AMO REQ RECEIVED",
        "MODIFY AMO REQ RECEIVED",
    }
)


def holding_of(row: AnswerObject) -> BrokerHolding:
    margin = row.row("mtf").optional_whole("quantity") if row.fields.get("mtf") else 0
    return BrokerHolding(
        exchange=row.symbol("exchange"),
        symbol=row.symbol("tradingsymbol"),
        isin=row.isin("isin"),
        token=row.whole("instrument_token", 1),
        free=row.whole("quantity"),
        t1=row.optional_whole("t1_quantity"),
        pledged=row.optional_whole("collateral_quantity"),
        average_price=row.price("average_price"),
        last_price=row.price("last_price") or None,
        margin_funded=margin,
        is_doubted=row.fields.get("discrepancy") is True,
    )


def position_of(row: AnswerObject) -> BrokerPosition:
    return BrokerPosition(
        exchange=row.symbol("exchange"),
        symbol=row.symbol("tradingsymbol"),
        token=row.whole("instrument_token", 1),
        product=_product(row),
        net=row.whole("quantity", -(10**12)),
        bought_today=row.optional_whole("day_buy_quantity"),
        sold_today=row.optional_whole("day_sell_quantity"),
        average_price=row.price("average_price"),
        last_price=row.price("last_price") or None,
    )


def order_of(row: AnswerObject) -> BrokerOrder:
    word = row.text("status", 64).upper()
    if word not in OVER and word not in ON_THE_WAY:
        note_unknown(BrokerName.ZERODHA, "status", word)
    quantity, filled = row.whole("quantity"), row.optional_whole("filled_quantity")
    if filled > quantity:
        raise Malformed(f"{row.place}.filled_quantity")
    return BrokerOrder(
        order_id=row.code("order_id"),
        placed_at=row.time("order_timestamp"),
        executed_at=row.optional_time("exchange_timestamp"),
        exchange=row.symbol("exchange"),
        symbol=row.symbol("tradingsymbol"),
        token=row.optional_whole("instrument_token") or None,
        side=row.one_of("transaction_type", SIDES),
        product=_product(row),
        quantity=quantity,
        filled=filled,
        average_price=row.price("average_price"),
        status=OVER.get(word, "OPEN"),
        raw_status=row.text("status", 64),
        reason=row.words("status_message"),
        tag=row.plain("tag"),
    )


def trade_of(row: AnswerObject) -> BrokerTrade:
    """A trade. Its `order_timestamp` is a time without a day."""
    filled = row.time("fill_timestamp").astimezone(INDIA)
    return BrokerTrade(
        trade_id=row.code("trade_id"),
        order_id=row.code("order_id"),
        filled_on=filled.date(),
        filled_at=filled.time(),
        exchange=row.symbol("exchange"),
        symbol=row.symbol("tradingsymbol"),
        side=row.one_of("transaction_type", SIDES),
        product=_product(row),
        quantity=row.whole("quantity", 1),
        price=row.above_zero("average_price"),
    )


def _product(row: AnswerObject) -> str:
    word = row.code("product").upper()
    if word not in PRODUCTS:
        note_unknown(BrokerName.ZERODHA, "product", word)
    return PRODUCTS.get(word, word)
