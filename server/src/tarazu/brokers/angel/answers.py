"""The answers of SmartAPI as values and faults."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

import structlog

from tarazu.brokers.http_client import BrokerResponse
from tarazu.brokers.protocol.calls import BrokerRequest, rate_limited
from tarazu.brokers.protocol.fields import AnswerObject, json_of, note_unknown, row_of
from tarazu.brokers.protocol.port import (
    SIDES,
    AddressNotRegistered,
    BrokerFault,
    BrokerHolding,
    BrokerOrder,
    BrokerPosition,
    BrokerTrade,
    Denied,
    Malformed,
    SessionDead,
    Status,
    Upstream,
)
from tarazu.brokers.protocol.token_mapping import SEGMENTS, plain_symbol, zerodha_token
from tarazu.brokers.tables import BrokerName

log = structlog.get_logger()

DEAD = frozenset({"AG8001", "AG8002", "AG8003", "AB1010", "AB1011", "AB8050", "AB8051"})
EXPIRED = "AG8002"
NONE_FOUND = frozenset({"AB1013", "AB1014", "AB1015", "AB1016"})
TOO_MANY = "AB1021"
TOO_MANY_TEXT = b"exceeding access rate"
REFUSED = frozenset({"AG8004", "AB1006", "AB1007", "AB1050"})
WRONG_KEY = "AG8004"
UNREGISTERED = "AG7002"
PRODUCTS = frozenset({"DELIVERY", "INTRADAY", "CARRYFORWARD", "MARGIN", "BO", "CO"})
OVER: Final[Mapping[str, Status]] = {
    "complete": "COMPLETE",
    "rejected": "REJECTED",
    "cancelled": "CANCELLED",
    "cancelled after market order": "CANCELLED",
}
ON_THE_WAY = frozenset(
    {
        "open",
        "open pending",
        "trigger pending",
        "validation pending",
        "put order req received",
        "modify validation pending",
        "modify pending",
        "modified",
        "not modified",
        "cancel pending",
        "not cancelled",
        "after market order req received",
        "modify after market order req received",
    }
)


def data_of(request: BrokerRequest, answer: BrokerResponse) -> Any:
    """The `data` of a good answer; None if there is none of what was requested.

    Raises:
        BrokerFault: that of the error code. The HTTP status proves little: most
            refusals come with 200, and too many calls come as a 403 in plain text.
    """
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS or TOO_MANY_TEXT in answer.body[:256].lower():
        raise rate_limited(request, answer)
    try:
        envelope = row_of(json_of(answer.body), "answer").fields
    except Malformed:
        raise _fault_of_page(request, answer) from None
    raw_code = envelope.get("errorcode") or envelope.get("errorCode") or ""
    code = raw_code if isinstance(raw_code, str) and raw_code.isalnum() else ""
    worked = envelope.get("status", envelope.get("success"))
    if answer.status == HTTPStatus.OK and str(worked).lower() == "true" and not code:
        return envelope.get("data")
    if code in NONE_FOUND:
        return None
    raise _fault_of(request, answer, code)


def _fault_of_page(request: BrokerRequest, answer: BrokerResponse) -> BrokerFault:
    """The fault of an answer that is not in the broker's own form."""
    named = f"{request}: {answer.status}, not JSON"
    is_page = "html" in answer.content_type or answer.body[:64].lstrip()[:1] == b"<"
    if is_page or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Upstream(named)
    return Malformed(named) if answer.status == HTTPStatus.OK else Denied(named)


def _fault_of(request: BrokerRequest, answer: BrokerResponse, code: str) -> BrokerFault:
    named = f"{request}: {answer.status} {code}".rstrip()
    if code in DEAD:
        return SessionDead(named, may_renew=code == EXPIRED)
    if code == TOO_MANY:
        return rate_limited(request, answer)
    if code == UNREGISTERED:
        log.error("broker_address_unregistered", broker=BrokerName.ANGEL_ONE, call=str(request))
        return AddressNotRegistered(named)
    if code in REFUSED:
        if code == WRONG_KEY:
            log.error("broker_key_refused", broker=BrokerName.ANGEL_ONE, call=str(request))
        return Denied(named)
    if code or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Upstream(named)
    return Malformed(named) if answer.status == HTTPStatus.OK else Denied(named)


def holding_of(row: AnswerObject) -> BrokerHolding:
    exchange = row.symbol("exchange")
    settled, t1 = row.optional_whole("realisedquantity"), row.optional_whole("t1quantity")
    # Sources disagree whether `quantity` counts T+1 shares.
    unpledged = max(row.whole("quantity"), settled + t1)
    token = _token(row, exchange)
    return BrokerHolding(
        exchange=exchange,
        symbol=plain_symbol(exchange, row.symbol("tradingsymbol")),
        isin=row.isin("isin"),
        token=token,
        free=unpledged - t1,
        t1=t1,
        pledged=row.optional_whole("collateralquantity"),
        average_price=row.price("averageprice"),
        last_price=row.price("ltp") or None,
    )


def position_of(row: AnswerObject) -> BrokerPosition:
    exchange = row.symbol("exchange")
    token = _token(row, exchange)
    return BrokerPosition(
        exchange=exchange,
        symbol=plain_symbol(exchange, row.symbol("tradingsymbol")),
        token=token,
        product=_product(row),
        net=row.whole("netqty", -(10**12)),
        bought_today=row.optional_whole("buyqty"),
        sold_today=row.optional_whole("sellqty"),
        average_price=row.price("avgnetprice"),
        last_price=row.price("ltp") or None,
    )


def order_of(row: AnswerObject) -> BrokerOrder:
    exchange = row.symbol("exchange")
    raw = row.optional_text("orderstatus", 64) or row.text("status", 64)
    word = raw.lower()
    if word not in OVER and word not in ON_THE_WAY:
        note_unknown(BrokerName.ANGEL_ONE, "status", word)
    quantity, filled = row.whole("quantity"), row.optional_whole("filledshares")
    if filled > quantity:
        raise Malformed(f"{row.place}.filledshares")
    angel_token = row.code("symboltoken") if row.fields.get("symboltoken") else ""
    return BrokerOrder(
        order_id=row.code("orderid"),
        placed_at=row.time("updatetime"),
        executed_at=row.optional_time("exchtime"),
        exchange=exchange,
        symbol=plain_symbol(exchange, row.symbol("tradingsymbol")),
        token=zerodha_token(exchange, angel_token),
        side=row.one_of("transactiontype", SIDES),
        product=_product(row),
        quantity=quantity,
        filled=filled,
        average_price=row.price("averageprice"),
        status=OVER.get(word, "OPEN"),
        raw_status=raw,
        reason=row.words("text"),
        tag=row.plain("ordertag"),
    )


def trade_of(row: AnswerObject) -> BrokerTrade:
    """A trade; the broker gives its time without the day."""
    exchange = row.symbol("exchange")
    return BrokerTrade(
        trade_id=row.code("fillid"),
        order_id=row.code("orderid"),
        filled_on=None,
        filled_at=row.clock_time("filltime"),
        exchange=exchange,
        symbol=plain_symbol(exchange, row.symbol("tradingsymbol")),
        side=row.one_of("transactiontype", SIDES),
        product=_product(row),
        quantity=row.whole("fillsize", 1),
        price=row.above_zero("fillprice"),
    )


def _token(row: AnswerObject, exchange: str) -> int:
    """Zerodha's token of a row.

    Raises:
        Malformed: there is none, as on an exchange that Zerodha does not have.
    """
    if exchange not in SEGMENTS:
        raise Malformed(f"{row.place}.exchange")
    token = zerodha_token(exchange, row.code("symboltoken"))
    if token is None:
        raise Malformed(f"{row.place}.symboltoken")
    return token


def _product(row: AnswerObject) -> str:
    word = row.code("producttype").upper()
    if word not in PRODUCTS:
        note_unknown(BrokerName.ANGEL_ONE, "product", word)
    return word
