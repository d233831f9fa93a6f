"""Zerodha: Kite Connect v3, as its documentation of 2026 has it."""

import codecs
import csv
import datetime as dt
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from http import HTTPStatus
from typing import Any, BinaryIO

import structlog

from tarazu.brokers.http_client import BrokerHttpClient, BrokerResponse
from tarazu.brokers.protocol.calls import (
    BrokerCalls,
    BrokerRequest,
    check_tokens,
    rate_limited,
    short_digest,
)
from tarazu.brokers.protocol.fields import (
    AnswerObject,
    json_of,
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
    Upstream,
)
from tarazu.brokers.zerodha.answers import holding_of, order_of, position_of, trade_of
from tarazu.domain.money import Rupees
from tarazu.kit.clock import INDIA

log = structlog.get_logger()

API_URL = "https://api.kite.trade"
LOGIN_URL = "https://kite.zerodha.com/connect/login"
SESSION_ENDS = dt.time(6, 0)
"""In India, the morning after: the regulator's rule."""

PER_SECOND = Decimal("9.5")
"""Calls of an API key; the broker allows 10."""
QUOTES_PER_SECOND = Decimal("0.95")
QUOTES_PER_CALL = 1000

MASTER_COLUMNS = {
    "instrument_token",
    "exchange_token",
    "tradingsymbol",
    "name",
    "expiry",
    "strike",
    "tick_size",
    "lot_size",
    "instrument_type",
    "segment",
    "exchange",
}
INDICES = "INDICES"


class Kite:
    """Zerodha's answers for the firm's app. All clients share its allowance of calls."""

    name = "ZERODHA"

    def __init__(self, app: BrokerApp, http: BrokerHttpClient, limiter: RateLimiter) -> None:
        self._app = app
        self._calls = BrokerCalls(http, limiter, app.api_url)
        self._line = f"kite:{short_digest(app.api_key)}"

    async def exchange_token(self, login_tokens: LoginTokens, now: dt.datetime) -> BrokerSession:
        """See the port. The secret goes into the checksum and not on the wire."""
        check_tokens(login_tokens)
        form = self._signed_form("request_token", login_tokens.token)
        try:
            row = row_of(await self._ask("POST", "/session/token", form=form), "session")
        except SessionDead as dead:
            # Here it is the request token or the checksum that is not taken.
            raise Denied(dead.reason) from None
        return self._session_of(row, now)

    async def renew(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """See the port. Only apps that Zerodha approved are given refresh tokens."""
        if not self._app.is_renewal_allowed or not session.refresh_token:
            raise Denied("POST /session/refresh_token: not allowed for this app")
        form = self._signed_form("refresh_token", session.refresh_token)
        row = row_of(await self._ask("POST", "/session/refresh_token", form=form), "session")
        return self._session_of(row, now)

    async def prove(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """See the port."""
        profile = await self.profile(session)
        return replace(session, broker_user_id=profile.broker_user_id, expires_at=session_end(now))

    async def profile(self, session: BrokerSession) -> BrokerProfile:
        profile = row_of(await self._ask("GET", "/user/profile", session), "profile")
        return BrokerProfile(profile.code("user_id").upper(), profile.words("user_name"))

    async def holdings(self, session: BrokerSession) -> BrokerRows[BrokerHolding]:
        rows = await self._ask("GET", "/portfolio/holdings", session)
        return readable_rows(rows, "holdings", "Holding", holding_of)

    async def funds(self, session: BrokerSession) -> BrokerFunds:
        equity = row_of(await self._ask("GET", "/user/margins", session), "margins").row("equity")
        available = equity.row("available")
        return BrokerFunds(
            net=equity.money("net"),
            cash=available.money("cash"),
            intraday_payin=available.optional_money("intraday_payin"),
            collateral=available.optional_money("collateral"),
        )

    async def positions(self, session: BrokerSession) -> BrokerRows[BrokerPosition]:
        positions = row_of(await self._ask("GET", "/portfolio/positions", session), "positions")
        return readable_rows(positions.fields.get("net"), "positions", "Position", position_of)

    async def orders(self, session: BrokerSession) -> BrokerRows[BrokerOrder]:
        rows = await self._ask("GET", "/orders", session)
        return readable_rows(rows, "orders", "Order", order_of)

    async def trades(self, session: BrokerSession) -> BrokerRows[BrokerTrade]:
        rows = await self._ask("GET", "/trades", session)
        return readable_share_rows(rows, "trades", "Trade", trade_of)

    async def last_prices(
        self, session: BrokerSession, instruments: Collection[FeedInstrument]
    ) -> dict[int, Rupees]:
        """See the port. A thousand instruments a call, a call a second."""
        prices: dict[int, Rupees] = {}
        names = {
            f"{instrument.exchange}:{instrument.symbol}": instrument.token
            for instrument in instruments
        }
        all_names = list(names)
        for start in range(0, len(all_names), QUOTES_PER_CALL):
            query = [("i", name) for name in all_names[start : start + QUOTES_PER_CALL]]
            quotes = row_of(await self._ask("GET", "/quote/ltp", session, query=query), "quotes")
            for name in quotes.fields.keys() & names.keys():
                price = quotes.row(name).price("last_price")
                if price > 0:
                    prices[names[name]] = price
        return prices

    async def fetch_master(self, session: BrokerSession, into: BinaryIO) -> None:
        request = BrokerRequest(
            "GET", "/instruments", self._line, PER_SECOND, self._headers(session)
        )
        await self._calls.fetch(request, into, _data_of, "csv")

    def read_master(self, written: BinaryIO) -> Iterator[MasterRow]:
        lines = csv.DictReader(codecs.getreader("utf-8")(written))
        try:
            if not MASTER_COLUMNS.issubset(lines.fieldnames or ()):
                raise Malformed("instruments: other columns")
            read = 0
            for number, line in enumerate(lines, 1):
                row = _master_row(AnswerObject(line, f"instruments[{number}]"))
                if row is not None:
                    read += 1
                    yield row
        except (UnicodeDecodeError, csv.Error):
            raise Malformed("instruments: not a table") from None
        if not read:
            raise Malformed("instruments: no line that can be read")

    async def log_out(self, session: BrokerSession) -> None:
        query = [("api_key", self._app.api_key), ("access_token", session.access_token)]
        try:
            await self._ask("DELETE", "/session/token", session, query=query)
        except SessionDead:
            # It is logged out already.
            return

    def _signed_form(self, name: str, token: str) -> dict[str, str]:
        signed = self._app.api_key + token + self._app.api_secret
        checksum = hashlib.sha256(signed.encode()).hexdigest()
        return {"api_key": self._app.api_key, name: token, "checksum": checksum}

    def _session_of(self, row: AnswerObject, now: dt.datetime) -> BrokerSession:
        return BrokerSession(
            broker_user_id=row.code("user_id").upper(),
            access_token=row.text("access_token", 1024),
            expires_at=session_end(now),
            refresh_token=row.optional_text("refresh_token", 1024),
        )

    def _headers(self, session: BrokerSession | None) -> dict[str, str]:
        headers = {"X-Kite-Version": "3", "Accept": "application/json"}
        if session is not None:
            headers["Authorization"] = f"token {self._app.api_key}:{session.access_token}"
        return headers

    async def _ask(
        self,
        method: str,
        path: str,
        session: BrokerSession | None = None,
        *,
        query: Sequence[tuple[str, str]] = (),
        form: Mapping[str, str] | None = None,
    ) -> Any:
        """The `data` of the answer."""
        is_quote = path.startswith("/quote")
        return await self._calls.make(
            BrokerRequest(
                method,
                path,
                f"{self._line}:quote" if is_quote else self._line,
                QUOTES_PER_SECOND if is_quote else PER_SECOND,
                self._headers(session),
                query,
                form,
            ),
            _data_of,
        )


def session_end(now: dt.datetime) -> dt.datetime:
    """When a session that starts now ends: the next six o'clock in the morning in India."""
    here = now.astimezone(INDIA)
    end = dt.datetime.combine(here.date(), SESSION_ENDS, tzinfo=INDIA)
    if here >= end:
        end += dt.timedelta(days=1)
    return end.astimezone(dt.UTC)


def _data_of(request: BrokerRequest, answer: BrokerResponse) -> Any:
    """The `data` of a good answer.

    Raises:
        BrokerFault: that of the status and `error_type`. Only a 403 with a
            TokenException ends a session.
    """
    envelope = _envelope(answer)
    error_type = envelope.get("error_type")
    kind = error_type if isinstance(error_type, str) and error_type.isalpha() else ""
    named = f"{request}: {answer.status} {kind}".rstrip()
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise rate_limited(request, answer)
    if answer.status == HTTPStatus.FORBIDDEN and kind == "TokenException":
        raise SessionDead(named)
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or kind in {
        "NetworkException",
        "DataException",
        "GeneralException",
    }:
        raise Upstream(named)
    if answer.status >= HTTPStatus.BAD_REQUEST:
        if kind == "InputException":
            log.error("broker_call_misformed", broker=Kite.name, call=str(request))
        raise Denied(named)
    if answer.status != HTTPStatus.OK or envelope.get("status") != "success":
        raise Malformed(named)
    return envelope.get("data")


def _envelope(answer: BrokerResponse) -> Mapping[str, Any]:
    """The JSON object around an answer; empty when there is none."""
    try:
        envelope = json_of(answer.body)
    except Malformed:
        # A gateway's page, say: the status then says what is wrong.
        return {}
    return envelope if isinstance(envelope, dict) else {}


def _master_row(row: AnswerObject) -> MasterRow | None:
    """One instrument; None if it cannot be read: the other hundred thousand still count."""
    try:
        is_index = row.fields.get("segment") == INDICES
        expiry = row.optional_text("expiry")
        return MasterRow(
            exchange=row.symbol("exchange"),
            symbol=row.symbol("tradingsymbol"),
            name=row.optional_text("name"),
            token=row.whole("instrument_token", 1),
            angel_token="" if is_index else str(row.whole("exchange_token")),
            kind="INDEX" if is_index else row.symbol("instrument_type"),
            tick_size=row.price("tick_size"),
            lot_size=row.whole("lot_size"),
            strike=row.price("strike") or None,
            expires_on=dt.date.fromisoformat(expiry) if expiry else None,
        )
    except (Malformed, ValueError):
        return None
