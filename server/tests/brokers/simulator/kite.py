"""Kite Connect, made up: REST and the log-in page."""

import datetime as dt
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.brokers.simulator.basket import KiteBasket
from tests.brokers.simulator.faults import kite_error
from tests.brokers.simulator.pages import login_page
from tests.brokers.simulator.world import KITE, Lot, Person, Placed, World

PER_SECOND, QUOTES_PER_SECOND = 10, 1
DEAD = "Incorrect `api_key` or `access_token`."

MASTER_COLUMNS = (
    *("instrument_token", "exchange_token", "tradingsymbol", "name", "last_price", "expiry"),
    *("strike", "tick_size", "lot_size", "instrument_type", "segment", "exchange"),
)

Answer = Callable[[Request, Person], Awaitable[Any]]


class Kite:
    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[Route]:
        signed: dict[str, Answer] = {
            "/user/profile": self.profile,
            "/user/margins": self.margins,
            "/portfolio/holdings": self.holdings,
            "/portfolio/positions": self.positions,
            "/orders": self.orders,
            "/trades": self.trades,
            "/quote/ltp": self.ltp,
            "/instruments": self.instruments,
        }
        return [
            Route("/connect/login", self.login_page, methods=["GET"]),
            Route("/connect/login", self.logged_in, methods=["POST"]),
            *KiteBasket(self.world).routes(),
            Route("/session/token", self.give_session, methods=["POST"]),
            Route("/session/token", self.end_session, methods=["DELETE"]),
            Route("/session/refresh_token", self.renew_session, methods=["POST"]),
            *(
                Route(path, self._signed(answer), methods=["GET"])
                for path, answer in signed.items()
            ),
        ]

    async def login_page(self, request: Request) -> Response:
        asked = request.query_params
        if asked.get("v") != "3" or asked.get("api_key") != self.world.api_keys[KITE]:
            return HTMLResponse("<h1>Invalid api_key</h1>", 400)
        people = [person for person in self.world.people.values() if person.broker == KITE]
        hidden = {"redirect_params": asked.get("redirect_params", "")}
        return login_page("Kite", people, hidden)

    async def logged_in(self, request: Request) -> Response:
        form = await request.form()
        extra = parse_qsl(str(form.get("redirect_params", "")))
        user_id = str(form.get("user_id", ""))
        if form.get("decision") != "continue" or user_id not in self.world.people:
            back = [("status", "cancelled"), ("action", "login"), ("type", "login")]
        else:
            token = self.world.ask_for_login(user_id)
            back = [("request_token", token), ("status", "success")]
            back += [("action", "login"), ("type", "login")]
        return RedirectResponse(f"{self.world.return_urls[KITE]}?{urlencode(back + extra)}", 303)

    async def give_session(self, request: Request) -> Response:
        form, refusal = await self._form(request)
        if refusal is not None:
            return refusal
        token = form.get("request_token", "")
        if form.get("checksum") != self._checksum(token):
            return kite_error(403, "TokenException", "Invalid `checksum`.")
        user_id, good_until = self.world.request_tokens.pop(token, ("", self.world.now()))
        if not user_id or self.world.now() >= good_until:
            return kite_error(403, "TokenException", "Token is invalid or has expired.")
        return self._session(user_id)

    async def renew_session(self, request: Request) -> Response:
        form, refusal = await self._form(request)
        if refusal is not None:
            return refusal
        token = form.get("refresh_token", "")
        if form.get("checksum") != self._checksum(token):
            return kite_error(403, "TokenException", "Invalid `checksum`.")
        for login in self.world.logins.values():
            if login.refresh and login.refresh == token:
                return self._session(login.user_id)
        return kite_error(403, "TokenException", "Token is invalid or has expired.")

    async def end_session(self, request: Request) -> Response:
        refusal = self._refused(request)
        if refusal is not None:
            return refusal
        self.world.logins.pop(request.query_params.get("access_token", ""), None)
        return JSONResponse({"status": "success", "data": True})

    async def profile(self, _: Request, person: Person) -> Any:
        return _profile(person)

    async def margins(self, _: Request, person: Person) -> Any:
        available = {
            "adhoc_margin": 0,
            "cash": person.cash_paise / 100,
            "opening_balance": (person.cash_paise - person.payin_paise) / 100,
            "live_balance": person.net_paise / 100,
            "collateral": person.collateral_paise / 100,
            "intraday_payin": person.payin_paise / 100,
        }
        utilised = {"debits": 0, "exposure": 0, "span": 0, "holding_sales": 0}
        none = {"enabled": False, "net": 0, "available": dict.fromkeys(available, 0)}
        return {
            "equity": {
                "enabled": True,
                "net": person.net_paise / 100,
                "available": available,
                "utilised": utilised,
            },
            "commodity": {**none, "utilised": utilised},
        }

    async def holdings(self, _: Request, person: Person) -> Any:
        return [self._holding(lot) for lot in person.lots]

    async def positions(self, _: Request, person: Person) -> Any:
        rows = [self._position(order) for order in person.orders if order.filled]
        return {"net": rows, "day": rows}

    async def orders(self, _: Request, person: Person) -> Any:
        return [self._order(person, order) for order in person.orders]

    async def trades(self, _: Request, person: Person) -> Any:
        return [trade for order in person.orders for trade in self._trades(order)]

    async def ltp(self, request: Request, _: Person) -> Any:
        by_name = {
            f"{stock.exchange}:{stock.symbol}": stock for stock in self.world.stocks.values()
        }
        return {
            name: {
                "instrument_token": by_name[name].zerodha_token,
                "last_price": self.world.paise[by_name[name].zerodha_token] / 100,
            }
            for name in request.query_params.getlist("i")[:1000]
            if name in by_name
        }

    async def instruments(self, _: Request, person: Person) -> Response:
        lines = [",".join(MASTER_COLUMNS)]
        lines += [
            f"{stock.zerodha_token},{stock.exchange_token},{stock.symbol},{stock.name.replace(',', '')},"
            f"0,,0,{stock.tick_size},1,EQ,{stock.exchange},{stock.exchange}"
            for stock in self.world.stocks.values()
        ]
        lines.append("256265,1001,NIFTY 50,NIFTY 50,0,,0,0,0,EQ,INDICES,NSE")
        return Response("\n".join(lines) + "\n", media_type="text/csv")

    def _signed(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            refusal = self._refused(request)
            if refusal is not None:
                return refusal
            word, _, rest = request.headers.get("authorization", "").partition(" ")
            key, _, token = rest.partition(":")
            login = self.world.logins.get(token)
            if word != "token" or key != self.world.api_keys[KITE] or login is None:
                return kite_error(403, "TokenException", DEAD)
            person = self.world.people[login.user_id]
            if login.expires_at <= self.world.now() or person.broker != KITE:
                return kite_error(403, "TokenException", DEAD)
            found = await answer(request, person)
            if isinstance(found, Response):
                return found
            return JSONResponse({"status": "success", "data": found})

        return respond

    def _refused(self, request: Request) -> Response | None:
        """The refusal of a call that is not as it must be, or is one too many."""
        self.world.calls.append((KITE, f"{request.method} {request.url.path}"))
        if request.headers.get("x-kite-version") != "3" or not request.headers.get("user-agent"):
            return kite_error(400, "InputException", "Missing or invalid header.")
        is_quote = request.url.path.startswith("/quote")
        line = f"kite{':quote' if is_quote else ''}"
        if self.world.is_over_rate(line, QUOTES_PER_SECOND if is_quote else PER_SECOND):
            return kite_error(429, "NetworkException", "Too many requests")
        return None

    async def _form(self, request: Request) -> tuple[dict[str, str], Response | None]:
        refusal = self._refused(request)
        if refusal is not None:
            return {}, refusal
        kind = request.headers.get("content-type", "")
        if not kind.startswith("application/x-www-form-urlencoded"):
            return {}, kite_error(400, "InputException", "Missing `api_key`.")
        form = {name: str(value) for name, value in (await request.form()).items()}
        if form.get("api_key") != self.world.api_keys[KITE] or "api_secret" in form:
            return {}, kite_error(403, "TokenException", "Invalid `api_key`.")
        return form, None

    def _checksum(self, token: str) -> str:
        signed = self.world.api_keys[KITE] + token + self.world.secrets[KITE]
        return hashlib.sha256(signed.encode()).hexdigest()

    def _session(self, user_id: str) -> Response:
        token, login = self.world.log_in(user_id)
        return JSONResponse(
            {
                "status": "success",
                "data": {
                    **_profile(self.world.people[user_id]),
                    "api_key": self.world.api_keys[KITE],
                    "access_token": token,
                    "public_token": self.world.fresh(),
                    "enctoken": self.world.fresh(),
                    "refresh_token": login.refresh,
                    "silo": "",
                    "login_time": f"{self.world.now():%Y-%m-%d %H:%M:%S}",
                },
            }
        )

    def _holding(self, lot: Lot) -> dict[str, Any]:
        last = self.world.paise[lot.stock.zerodha_token] / 100
        return {
            "tradingsymbol": lot.stock.symbol,
            "exchange": lot.stock.exchange,
            "instrument_token": lot.stock.zerodha_token,
            "isin": lot.stock.isin,
            "product": "CNC",
            "price": 0,
            "quantity": lot.free,
            "used_quantity": 0,
            "t1_quantity": lot.t1,
            "realised_quantity": lot.free,
            "authorised_quantity": 0,
            "opening_quantity": lot.free + lot.t1,
            "collateral_quantity": lot.pledged,
            "collateral_type": "WC" if lot.pledged else None,
            "discrepancy": False,
            "average_price": lot.average_paise / 100,
            "last_price": last,
            "close_price": float(lot.stock.reference_close),
            "pnl": lot.owned * (last - lot.average_paise / 100),
            "mtf": {"quantity": 0, "used_quantity": 0, "average_price": 0, "value": 0},
        }

    def _position(self, order: Placed) -> dict[str, Any]:
        bought, sold = (order.filled, 0) if order.side == "BUY" else (0, order.filled)
        return {
            "tradingsymbol": order.stock.symbol,
            "exchange": order.stock.exchange,
            "instrument_token": order.stock.zerodha_token,
            "product": order.product,
            "quantity": bought - sold,
            "overnight_quantity": 0,
            "multiplier": 1,
            "average_price": order.price_paise / 100,
            "close_price": 0,
            "last_price": self.world.paise[order.stock.zerodha_token] / 100,
            "day_buy_quantity": bought,
            "day_sell_quantity": sold,
        }

    def _order(self, person: Person, order: Placed) -> dict[str, Any]:
        at = dt.datetime.combine(self.world.today(), order.at.time())
        return {
            "account_id": person.user_id,
            "order_id": order.order_id,
            "exchange_order_id": None,
            "status": order.status,
            "status_message": order.reason if order.status == "REJECTED" else None,
            "order_timestamp": f"{at:%Y-%m-%d %H:%M:%S}",
            "exchange_timestamp": f"{at:%Y-%m-%d %H:%M:%S}" if order.filled else None,
            "variety": "regular",
            "exchange": order.stock.exchange,
            "tradingsymbol": order.stock.symbol,
            "instrument_token": order.stock.zerodha_token,
            "order_type": "LIMIT",
            "transaction_type": order.side,
            "product": order.product,
            "quantity": order.quantity,
            "price": order.price_paise / 100,
            "average_price": order.price_paise / 100 if order.filled else 0,
            "filled_quantity": order.filled,
            "pending_quantity": order.quantity - order.filled,
            "tag": order.tag or None,
        }

    def _trades(self, order: Placed) -> list[dict[str, Any]]:
        day = self.world.today()
        return [
            {
                "trade_id": number,
                "order_id": order.order_id,
                "exchange": order.stock.exchange,
                "tradingsymbol": order.stock.symbol,
                "instrument_token": order.stock.zerodha_token,
                "product": order.product,
                "average_price": order.price_paise / 100,
                "quantity": shares,
                "exchange_order_id": f"11{order.order_id}",
                "transaction_type": order.side,
                "fill_timestamp": f"{day:%Y-%m-%d} {at:%H:%M:%S}",
                # The real ones have no day here.
                "order_timestamp": f"{at:%H:%M:%S}",
                "exchange_timestamp": f"{day:%Y-%m-%d} {at:%H:%M:%S}",
            }
            for number, shares, at in order.trades
        ]


def _profile(person: Person) -> dict[str, Any]:
    return {
        "user_id": person.user_id,
        "user_type": "individual",
        "email": f"{person.user_id.lower()}@example.invalid",
        "user_name": person.name,
        "user_shortname": person.name.partition(" ")[0],
        "broker": "ZERODHA",
        "exchanges": ["NSE", "BSE", "NFO"],
        "products": ["CNC", "NRML", "MIS"],
        "order_types": ["MARKET", "LIMIT", "SL", "SL-M"],
        "avatar_url": None,
        "meta": {"demat_consent": "consent"},
    }
