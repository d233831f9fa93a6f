"""Angel One: SmartAPI, as its documentation and recordings of 2026 have it."""

import base64
import binascii
import codecs
import datetime as dt
import json
import socket
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, BinaryIO, Final

import structlog

from tarazu.brokers.adapters.calls import Ask, Calls, check_tokens, limited, short_digest
from tarazu.brokers.adapters.fields import Row, json_of, note_unknown, readable_rows, row_of
from tarazu.brokers.adapters.kite import SIDES
from tarazu.brokers.adapters.port import (
    AddressNotRegistered,
    BrokerApp,
    BrokerFault,
    BrokerHolding,
    BrokerOrder,
    BrokerSession,
    Denied,
    Funds,
    HandedOver,
    Malformed,
    MasterRow,
    Pacer,
    Position,
    Profile,
    Quoted,
    Rows,
    SessionDead,
    Status,
    Upstream,
)
from tarazu.brokers.adapters.token_mapping import SEGMENTS, plain_symbol, zerodha_token
from tarazu.brokers.http_client import BrokerResponse, Outside
from tarazu.domain.money import Rupees
from tarazu.kit.clock import INDIA

log = structlog.get_logger()

API_URL = "https://apiconnect.angelone.in"
LOGIN_URL = "https://smartapi.angelone.in/publisher-login"
MASTER_URL = "https://margincalculator.angelone.in/OpenAPI_File/files/OpenAPIScripMaster.json"

SESSION_ENDS = dt.time(5, 0)
"""In India: the broker ends sessions each morning, whatever their token says."""
NO_ADDRESS = "0.0.0.0"  # noqa: S104  # nosec B104 - nothing is bound to it
"""Stands where the broker wants an address and none may be told."""
QUOTES_A_CALL = 50
LONGEST_MASTER_ROW = 4096
READ_AT_ONCE = 1 << 20

SECURE = "/rest/secure/angelbroking"
PROFILE = f"{SECURE}/user/v1/getProfile"
FUNDS = f"{SECURE}/user/v1/getRMS"
LOG_OUT = f"{SECURE}/user/v1/logout"
HOLDINGS = f"{SECURE}/portfolio/v1/getHolding"
POSITIONS = f"{SECURE}/order/v1/getPosition"
ORDERS = f"{SECURE}/order/v1/getOrderBook"
QUOTES = f"{SECURE}/market/v1/quote/"
RENEW = "/rest/auth/angelbroking/jwt/v1/generateTokens"

# Calls a second and client code: 95 in a hundred of what the broker allows.
PER_SECOND: Final[Mapping[str, Decimal]] = {
    PROFILE: Decimal("2.85"),
    FUNDS: Decimal("1.9"),
    HOLDINGS: Decimal("0.95"),
    POSITIONS: Decimal("0.95"),
    ORDERS: Decimal("0.95"),
    QUOTES: Decimal("0.95"),
    RENEW: Decimal("0.95"),
    LOG_OUT: Decimal("0.95"),
}

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
KINDS = {"": "EQ", "AMXIDX": "INDEX"}
TEST_MARK = "NSETEST"
PAISE = Decimal("0.01")
CURRENCY_UNIT = Decimal("0.0000001")


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The server's own addresses, which Angel One wants in every call.

    No address of a private network goes out unless the public one is configured too.
    """

    local_ip: str
    public_ip: str
    mac: str

    @classmethod
    def found(cls, public_ip: str = "") -> "Whereabouts":
        """Those of this machine.

        Args:
            public_ip: as configured; without it the local address, if that is a public one.
        """
        local = _local_ip()
        if not public_ip and not ip_address(local).is_global:
            local = NO_ADDRESS
        number = f"{uuid.getnode():012x}"
        mac = ":".join(number[place : place + 2] for place in range(0, 12, 2))
        return cls(local, public_ip or local, mac)


class Angel:
    """Angel One's answers for the firm's app. Each client has an allowance of calls."""

    name = "ANGEL_ONE"

    def __init__(
        self,
        app: BrokerApp,
        outside: Outside,
        pacer: Pacer,
        whereabouts: Whereabouts,
        master_url: str = MASTER_URL,
    ) -> None:
        self._app = app
        self._calls = Calls(outside, pacer, app.api_url)
        self._master = Calls(outside, pacer, master_url)
        self._common = {
            "Accept": "application/json",
            "X-UserType": "USER",
            "X-SourceID": "WEB",
            "X-ClientLocalIP": whereabouts.local_ip,
            "X-ClientPublicIP": whereabouts.public_ip,
            "X-MACAddress": whereabouts.mac,
            "X-PrivateKey": app.api_key,
        }

    async def exchange_token(self, handed: HandedOver, now: dt.datetime) -> BrokerSession:
        """See the port. The redirect brings the tokens themselves; the profile says whose."""
        check_tokens(handed)
        jwt = bare(handed.token)
        session = BrokerSession(
            "", jwt, session_end(jwt, now), handed.refresh_token, handed.feed_token
        )
        try:
            profile = await self.profile(session)
        except SessionDead as dead:
            raise Denied(dead.reason) from None
        session = BrokerSession(
            profile.broker_user_id,
            jwt,
            session.expires_at,
            handed.refresh_token,
            handed.feed_token,
        )
        if session.feed_token or not session.refresh_token:
            return session
        # Some redirects bring no feed token, without which there are no prices.
        return await self._renewed(session, now)

    async def renew(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """See the port. The JWT may have expired already."""
        if not self._app.is_renewal_allowed or not session.refresh_token:
            raise Denied(f"POST {RENEW}: not allowed for this broker")
        return await self._renewed(session, now)

    async def prove(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """See the port."""
        end = session_end(session.access_token, now)
        profile = await self.profile(session)
        return replace(session, broker_user_id=profile.broker_user_id, expires_at=end)

    async def profile(self, session: BrokerSession) -> Profile:
        found = row_of(await self._ask("GET", PROFILE, session), "profile")
        return Profile(found.code("clientcode").upper(), found.words("name"))

    async def holdings(self, session: BrokerSession) -> Rows[BrokerHolding]:
        found = await self._listed(HOLDINGS, session)
        return readable_rows(found, "holdings", "Holding", _holding)

    async def funds(self, session: BrokerSession) -> Funds:
        """See the port. Angel One's available cash behaves like the net margin."""
        found = row_of(await self._ask("GET", FUNDS, session), "funds")
        return Funds(
            net=found.money("net"),
            cash=found.money("availablecash"),
            intraday_payin=found.optional_money("availableintradaypayin"),
            collateral=found.optional_money("collateral"),
        )

    async def positions(self, session: BrokerSession) -> Rows[Position]:
        found = await self._listed(POSITIONS, session)
        return readable_rows(found, "positions", "Position", _position)

    async def orders(self, session: BrokerSession) -> Rows[BrokerOrder]:
        found = await self._listed(ORDERS, session)
        return readable_rows(found, "orders", "Order", _order)

    async def last_prices(
        self, session: BrokerSession, wanted: Collection[Quoted]
    ) -> dict[int, Rupees]:
        """See the port. Fifty instruments a call, a call a second."""
        prices: dict[int, Rupees] = {}
        asked = [one for one in wanted if one.angel_token]
        for start in range(0, len(asked), QUOTES_A_CALL):
            some = asked[start : start + QUOTES_A_CALL]
            names = {(one.exchange, one.angel_token): one.token for one in some}
            tokens: dict[str, list[str]] = {}
            for exchange, token in names:
                tokens.setdefault(exchange, []).append(token)
            body = {"mode": "LTP", "exchangeTokens": tokens}
            found = row_of(await self._ask("POST", QUOTES, session, body), "quotes")
            for row in found.rows("fetched"):
                name = (row.symbol("exchange"), row.code("symbolToken"))
                price = row.price("ltp")
                if name in names and price > 0:
                    prices[names[name]] = price
        return prices

    async def fetch_master(self, session: BrokerSession, into: BinaryIO) -> None:
        """See the port. The list is public, so nothing of the session goes along."""
        headers = {"Accept": "application/json"}
        ask = Ask("GET", "", "angel:master", Decimal(1), headers)
        await self._master.fetch(ask, into, _judged, "")

    def read_master(self, written: BinaryIO) -> Iterator[MasterRow]:
        read = 0
        for number, found in enumerate(_objects(written)):
            row = _master_row(Row(found, f"instruments[{number}]"))
            if row is not None:
                read += 1
                yield row
        if not read:
            raise Malformed("instruments: no line that can be read")

    async def log_out(self, session: BrokerSession) -> None:
        try:
            await self._ask("POST", LOG_OUT, session, {"clientcode": session.broker_user_id})
        except SessionDead:
            # What was wanted.
            return

    async def _renewed(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        body = {"refreshToken": session.refresh_token}
        found = row_of(await self._ask("POST", RENEW, session, body), "tokens")
        jwt = bare(found.text("jwtToken", 4096))
        return BrokerSession(
            session.broker_user_id,
            jwt,
            session_end(jwt, now),
            found.optional_text("refreshToken", 4096) or session.refresh_token,
            found.optional_text("feedToken", 4096) or session.feed_token,
        )

    async def _listed(self, path: str, session: BrokerSession) -> Any:
        """The list of an answer; the broker says "none" in three ways."""
        found = await self._ask("GET", path, session)
        return [] if found is None else found

    async def _ask(self, method: str, path: str, session: BrokerSession, body: Any = None) -> Any:
        """The `data` of the answer."""
        whose = session.broker_user_id or session.access_token
        headers = self._common | {"Authorization": f"Bearer {bare(session.access_token)}"}
        if body is None:
            headers["Content-Type"] = "application/json"
        line = f"angel:{short_digest(whose)}:{path.rstrip('/').rpartition('/')[2]}"
        ask = Ask(method, path, line, PER_SECOND[path], headers, body=body)
        return await self._calls.make(ask, _judged)


def bare(jwt: str) -> str:
    """The token without the word before it: `Bearer Bearer …` counts as an invalid token."""
    while jwt[:7].lower() == "bearer ":
        jwt = jwt[7:].strip()
    return jwt


def session_end(jwt: str, now: dt.datetime) -> dt.datetime:
    """When the session ends: at the next five in the morning in India, or as its token says.

    The token may say years: that is a hint only. Without one that can be read it is midnight.

    Raises:
        Denied: the token has expired.
    """
    try:
        claims = jwt.split(".")[1]
        found = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["exp"]
        end = dt.datetime.fromtimestamp(int(found), dt.UTC)
    except (IndexError, KeyError, TypeError, ValueError, OverflowError, OSError, binascii.Error):
        here = now.astimezone(INDIA)
        midnight = dt.datetime.combine(here.date() + dt.timedelta(days=1), dt.time(), tzinfo=INDIA)
        return midnight.astimezone(dt.UTC)
    if end <= now:
        raise Denied("the token has expired")
    here = now.astimezone(INDIA)
    morning = dt.datetime.combine(here.date(), SESSION_ENDS, tzinfo=INDIA)
    if here >= morning:
        morning += dt.timedelta(days=1)
    return min(end, morning.astimezone(dt.UTC))


def _judged(ask: Ask, answer: BrokerResponse) -> Any:
    """The `data` of a good answer; None when there is nothing of what was asked for.

    Raises:
        BrokerFault: the one that the code stands for. The HTTP status proves little: most
            refusals come with 200, and too many calls come as a 403 in plain text.
    """
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS or TOO_MANY_TEXT in answer.body[:256].lower():
        raise limited(ask, answer)
    try:
        envelope = row_of(json_of(answer.body), "answer").fields
    except Malformed:
        raise _fault_of_page(ask, answer) from None
    told = envelope.get("errorcode") or envelope.get("errorCode") or ""
    code = told if isinstance(told, str) and told.isalnum() else ""
    worked = envelope.get("status", envelope.get("success"))
    if answer.status == HTTPStatus.OK and str(worked).lower() == "true" and not code:
        return envelope.get("data")
    if code in NONE_FOUND:
        return None
    raise _fault_of(ask, answer, code)


def _fault_of_page(ask: Ask, answer: BrokerResponse) -> BrokerFault:
    """The fault of an answer that is not in the broker's own form."""
    named = f"{ask}: {answer.status}, not JSON"
    is_page = "html" in answer.content_type or answer.body[:64].lstrip()[:1] == b"<"
    if is_page or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Upstream(named)
    return Malformed(named) if answer.status == HTTPStatus.OK else Denied(named)


def _fault_of(ask: Ask, answer: BrokerResponse, code: str) -> BrokerFault:
    named = f"{ask}: {answer.status} {code}".rstrip()
    if code in DEAD:
        return SessionDead(named, may_renew=code == EXPIRED)
    if code == TOO_MANY:
        return limited(ask, answer)
    if code == UNREGISTERED:
        log.error("broker_address_unregistered", broker=Angel.name, call=str(ask))
        return AddressNotRegistered(named)
    if code in REFUSED:
        if code == WRONG_KEY:
            log.error("broker_key_refused", broker=Angel.name, call=str(ask))
        return Denied(named)
    if code or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Upstream(named)
    return Malformed(named) if answer.status == HTTPStatus.OK else Denied(named)


def _holding(row: Row) -> BrokerHolding:
    exchange = row.symbol("exchange")
    settled, t1 = row.optional_whole("realisedquantity"), row.optional_whole("t1quantity")
    # Whether `quantity` counts T+1 shares is told differently in different places.
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


def _position(row: Row) -> Position:
    exchange = row.symbol("exchange")
    token = _token(row, exchange)
    return Position(
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


def _order(row: Row) -> BrokerOrder:
    exchange = row.symbol("exchange")
    raw = row.optional_text("orderstatus", 64) or row.text("status", 64)
    word = raw.lower()
    if word not in OVER and word not in ON_THE_WAY:
        note_unknown(Angel.name, "status", word)
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
    )


def _token(row: Row, exchange: str) -> int:
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


def _product(row: Row) -> str:
    word = row.code("producttype").upper()
    if word not in PRODUCTS:
        note_unknown(Angel.name, "product", word)
    return word


def _objects(written: BinaryIO) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array of objects, without the whole of it in memory.

    Raises:
        Malformed: it is none, or it breaks off.
    """
    reader = codecs.getreader("utf-8")(written)
    try:
        text = reader.read(READ_AT_ONCE).lstrip()
        if not text.startswith("["):
            raise Malformed("instruments: not a list")
        text = text[1:]
        while True:
            found, text = _whole_objects(text)
            yield from found
            more = reader.read(READ_AT_ONCE)
            if not more:
                break
            text += more
    except (ValueError, RecursionError):
        raise Malformed("instruments: not JSON") from None
    if text.strip() != "]":
        raise Malformed("instruments: a list that breaks off")


def _whole_objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """The objects that stand whole in `text`, and the rest of it.

    Raises:
        ValueError: something else stands there.
    """
    found: list[dict[str, Any]] = []
    decoder, place = json.JSONDecoder(), 0
    while (start := text.find("{", place)) >= 0:
        if text[place:start].strip(" ,\r\n\t"):
            raise ValueError
        try:
            one, place = decoder.raw_decode(text, start)
        except ValueError:
            # It goes on in what was not read yet, unless it is too long for that.
            if len(text) - start > LONGEST_MASTER_ROW:
                raise
            break
        found.append(one)
    return found, text[place:]


def _master_row(row: Row) -> MasterRow | None:
    """One line; None for test instruments and what cannot be read."""
    try:
        exchange, symbol = row.symbol("exch_seg"), row.symbol("symbol")
        if TEST_MARK in symbol or exchange not in SEGMENTS:
            return None
        angel_token = row.code("token")
        word = row.optional_text("instrumenttype")
        unit = CURRENCY_UNIT if exchange == "CDS" else PAISE
        is_option = word.startswith("OPT")
        return MasterRow(
            exchange=exchange,
            symbol=plain_symbol(exchange, symbol),
            name=row.optional_text("name"),
            token=zerodha_token(exchange, angel_token),
            angel_token=angel_token,
            kind=symbol[-2:] if is_option else KINDS.get(word, word[:3]),
            tick_size=row.price("tick_size") * unit,
            lot_size=max(1, row.whole("lotsize", -1)),
            strike=row.price("strike") * unit if is_option else None,
            expires_on=_expiry(row.optional_text("expiry")),
        )
    except (Malformed, ValueError):
        return None


def _expiry(text: str) -> dt.date | None:
    """The day of a text such as 29DEC2026."""
    if not text:
        return None
    months = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
    return dt.date(int(text[5:]), months.index(text[2:5].upper()) + 1, int(text[:2]))


def _local_ip() -> str:
    """The address that this machine speaks to the outside from; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
