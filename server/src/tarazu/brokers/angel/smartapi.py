"""Angel One: SmartAPI, as its documentation and recordings of 2026 have it."""

import base64
import binascii
import datetime as dt
import json
import socket
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from ipaddress import ip_address
from typing import Any, BinaryIO, Final

import structlog

from tarazu.brokers.angel.answers import data_of, holding_of, order_of, position_of, trade_of
from tarazu.brokers.angel.instrument_list import master_row_of, objects_of
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.calls import BrokerCalls, BrokerRequest, check_tokens, short_digest
from tarazu.brokers.protocol.fields import (
    AnswerObject,
    readable_rows,
    readable_share_rows,
    row_of,
)
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerFunds,
    BrokerHolding,
    BrokerOrder,
    BrokerPosition,
    BrokerProfile,
    BrokerRows,
    BrokerSession,
    BrokerTrade,
    Denied,
    FeedInstrument,
    LoginTokens,
    Malformed,
    MasterRow,
    RateLimiter,
    SessionDead,
)
from tarazu.domain.money import Rupees
from tarazu.kit.clock import INDIA

log = structlog.get_logger()
API_URL = "https://apiconnect.angelone.in"
LOGIN_URL = "https://smartapi.angelone.in/publisher-login"
MASTER_URL = "https://margincalculator.angelone.in/OpenAPI_File/files/OpenAPIScripMaster.json"
SESSION_ENDS = dt.time(5, 0)
"""In India: the broker ends sessions each morning, whatever their token says."""
NO_ADDRESS = "0.0.0.0"  # noqa: S104  # nosec B104 - nothing is bound to it
"""Sent where the broker requires an address and none may be disclosed."""
QUOTES_PER_CALL = 50
SECURE = "/rest/secure/angelbroking"
PROFILE = f"{SECURE}/user/v1/getProfile"
FUNDS = f"{SECURE}/user/v1/getRMS"
LOG_OUT = f"{SECURE}/user/v1/logout"
HOLDINGS = f"{SECURE}/portfolio/v1/getHolding"
POSITIONS = f"{SECURE}/order/v1/getPosition"
ORDERS = f"{SECURE}/order/v1/getOrderBook"
TRADES = f"{SECURE}/order/v1/getTradeBook"
QUOTES = f"{SECURE}/market/v1/quote/"
RENEW = "/rest/auth/angelbroking/jwt/v1/generateTokens"
# Calls a second and client code: 95 in a hundred of what the broker allows.
PER_SECOND: Final[Mapping[str, Decimal]] = {
    PROFILE: Decimal("2.85"),
    FUNDS: Decimal("1.9"),
    HOLDINGS: Decimal("0.95"),
    POSITIONS: Decimal("0.95"),
    ORDERS: Decimal("0.95"),
    TRADES: Decimal("0.95"),
    QUOTES: Decimal("0.95"),
    RENEW: Decimal("0.95"),
    LOG_OUT: Decimal("0.95"),
}


@dataclass(frozen=True, slots=True)
class ServerAddresses:
    """The server's own addresses, which Angel One wants in every call.

    No address of a private network goes out unless the public one is configured too.
    """

    local_ip: str
    public_ip: str
    mac: str

    @classmethod
    def found(cls, public_ip: str = "") -> "ServerAddresses":
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
        http: BrokerHttpClient,
        limiter: RateLimiter,
        addresses: ServerAddresses,
        master_url: str = MASTER_URL,
    ) -> None:
        self._app = app
        self._calls = BrokerCalls(http, limiter, app.api_url)
        self._master = BrokerCalls(http, limiter, master_url)
        self._common = {
            "Accept": "application/json",
            "X-UserType": "USER",
            "X-SourceID": "WEB",
            "X-ClientLocalIP": addresses.local_ip,
            "X-ClientPublicIP": addresses.public_ip,
            "X-MACAddress": addresses.mac,
            "X-PrivateKey": app.api_key,
        }

    async def exchange_token(self, login_tokens: LoginTokens, now: dt.datetime) -> BrokerSession:
        """See the port. The redirect brings the tokens themselves; the profile says whose."""
        check_tokens(login_tokens)
        jwt = bare(login_tokens.token)
        session = BrokerSession(
            "", jwt, session_end(jwt, now), login_tokens.refresh_token, login_tokens.feed_token
        )
        try:
            profile = await self.profile(session)
        except SessionDead as dead:
            raise Denied(dead.reason) from None
        session = BrokerSession(
            profile.broker_user_id,
            jwt,
            session.expires_at,
            login_tokens.refresh_token,
            login_tokens.feed_token,
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

    async def profile(self, session: BrokerSession) -> BrokerProfile:
        profile = row_of(await self._ask("GET", PROFILE, session), "profile")
        return BrokerProfile(profile.code("clientcode").upper(), profile.words("name"))

    async def holdings(self, session: BrokerSession) -> BrokerRows[BrokerHolding]:
        rows = await self._listed(HOLDINGS, session)
        return readable_rows(rows, "holdings", "Holding", holding_of)

    async def funds(self, session: BrokerSession) -> BrokerFunds:
        """See the port. Angel One's available cash behaves like the net margin."""
        funds = row_of(await self._ask("GET", FUNDS, session), "funds")
        return BrokerFunds(
            net=funds.money("net"),
            cash=funds.money("availablecash"),
            intraday_payin=funds.optional_money("availableintradaypayin"),
            collateral=funds.optional_money("collateral"),
        )

    async def positions(self, session: BrokerSession) -> BrokerRows[BrokerPosition]:
        rows = await self._listed(POSITIONS, session)
        return readable_rows(rows, "positions", "Position", position_of)

    async def orders(self, session: BrokerSession) -> BrokerRows[BrokerOrder]:
        rows = await self._listed(ORDERS, session)
        return readable_rows(rows, "orders", "Order", order_of)

    async def trades(self, session: BrokerSession) -> BrokerRows[BrokerTrade]:
        rows = await self._listed(TRADES, session)
        return readable_share_rows(rows, "trades", "Trade", trade_of)

    async def last_prices(
        self, session: BrokerSession, instruments: Collection[FeedInstrument]
    ) -> dict[int, Rupees]:
        """See the port. Fifty instruments a call, a call a second."""
        prices: dict[int, Rupees] = {}
        with_token = [instrument for instrument in instruments if instrument.angel_token]
        for start in range(0, len(with_token), QUOTES_PER_CALL):
            some = with_token[start : start + QUOTES_PER_CALL]
            names = {
                (instrument.exchange, instrument.angel_token): instrument.token
                for instrument in some
            }
            tokens: dict[str, list[str]] = {}
            for exchange, token in names:
                tokens.setdefault(exchange, []).append(token)
            body = {"mode": "LTP", "exchangeTokens": tokens}
            quotes = row_of(await self._ask("POST", QUOTES, session, body), "quotes")
            for row in quotes.rows("fetched"):
                name = (row.symbol("exchange"), row.code("symbolToken"))
                price = row.price("ltp")
                if name in names and price > 0:
                    prices[names[name]] = price
        return prices

    async def fetch_master(self, session: BrokerSession, into: BinaryIO) -> None:
        """See the port. The list is public, so nothing of the session goes along."""
        headers = {"Accept": "application/json"}
        request = BrokerRequest("GET", "", "angel:master", Decimal(1), headers)
        await self._master.fetch(request, into, data_of, "")

    def read_master(self, written: BinaryIO) -> Iterator[MasterRow]:
        read = 0
        for number, fields in enumerate(objects_of(written)):
            row = master_row_of(AnswerObject(fields, f"instruments[{number}]"))
            if row is not None:
                read += 1
                yield row
        if not read:
            raise Malformed("instruments: no line that can be read")

    async def log_out(self, session: BrokerSession) -> None:
        try:
            await self._ask("POST", LOG_OUT, session, {"clientcode": session.broker_user_id})
        except SessionDead:
            # It is logged out already.
            return

    async def _renewed(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        body = {"refreshToken": session.refresh_token}
        tokens = row_of(await self._ask("POST", RENEW, session, body), "tokens")
        jwt = bare(tokens.text("jwtToken", 4096))
        return BrokerSession(
            session.broker_user_id,
            jwt,
            session_end(jwt, now),
            tokens.optional_text("refreshToken", 4096) or session.refresh_token,
            tokens.optional_text("feedToken", 4096) or session.feed_token,
        )

    async def _listed(self, path: str, session: BrokerSession) -> Any:
        """The list of an answer; the broker says "none" in three ways."""
        rows = await self._ask("GET", path, session)
        return [] if rows is None else rows

    async def _ask(self, method: str, path: str, session: BrokerSession, body: Any = None) -> Any:
        """The `data` of the answer."""
        whose = session.broker_user_id or session.access_token
        headers = self._common | {"Authorization": f"Bearer {bare(session.access_token)}"}
        if body is None:
            headers["Content-Type"] = "application/json"
        line = f"angel:{short_digest(whose)}:{path.rstrip('/').rpartition('/')[2]}"
        request = BrokerRequest(method, path, line, PER_SECOND[path], headers, body=body)
        return await self._calls.make(request, data_of)


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
        expiry = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))["exp"]
        end = dt.datetime.fromtimestamp(int(expiry), dt.UTC)
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


def _local_ip() -> str:
    """This machine's address for outgoing connections; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
