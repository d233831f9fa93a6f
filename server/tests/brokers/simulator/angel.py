"""SmartAPI, made up: REST and the publisher log-in page."""

import datetime as dt
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from tarazu.instruments.shipped import ShippedInstrument
from tests.brokers.simulator.faults import TOO_MANY_TEXT, angel_error, gateway_error
from tests.brokers.simulator.pages import login_page
from tests.brokers.simulator.world import ANGEL, Login, Lot, Person, Placed, World

S = "/rest/secure/angelbroking"
PER_SECOND = {
    f"{S}/user/v1/getProfile": 3,
    f"{S}/user/v1/getRMS": 2,
    f"{S}/portfolio/v1/getHolding": 1,
    f"{S}/order/v1/getPosition": 1,
    f"{S}/order/v1/getOrderBook": 1,
    f"{S}/order/v1/getTradeBook": 1,
    f"{S}/market/v1/quote/": 1,
}
PRODUCTS = {"CNC": "DELIVERY", "MIS": "INTRADAY"}
SHAPES = {
    "content-type": r"application/json",
    "accept": r"application/json",
    "x-usertype": r"USER",
    "x-sourceid": r"WEB",
    "x-clientlocalip": r"[0-9a-f.:]{3,45}",
    "x-clientpublicip": r"[0-9a-f.:]{3,45}",
    "x-macaddress": r"([0-9a-f]{2}:){5}[0-9a-f]{2}",
    "user-agent": r".+",
}

Answer = Callable[[Request, Person], Awaitable[Any]]


class Angel:
    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[Route]:
        read: dict[str, Answer] = {
            f"{S}/user/v1/getProfile": self.profile,
            f"{S}/user/v1/getRMS": self.funds,
            f"{S}/portfolio/v1/getHolding": self.holdings,
            f"{S}/order/v1/getPosition": self.positions,
            f"{S}/order/v1/getOrderBook": self.orders,
            f"{S}/order/v1/getTradeBook": self.trades,
        }
        written: dict[str, Answer] = {
            f"{S}/market/v1/quote/": self.quote,
            f"{S}/user/v1/logout": self.log_out,
        }
        master = "/OpenAPI_File/files/OpenAPIScripMaster.json"
        renewal = "/rest/auth/angelbroking/jwt/v1/generateTokens"
        return [
            Route("/publisher-login", self.login_page, methods=["GET"]),
            Route("/publisher-login", self.logged_in, methods=["POST"]),
            Route(renewal, self.renew, methods=["POST"]),
            Route(master, self.master, methods=["GET"]),
            *(Route(path, self._signed(answer), methods=["GET"]) for path, answer in read.items()),
            *(
                Route(path, self._signed(answer), methods=["POST"])
                for path, answer in written.items()
            ),
        ]

    async def login_page(self, request: Request) -> Response:
        asked = request.query_params
        if asked.get("api_key") != self.world.api_keys[ANGEL]:
            return HTMLResponse("<h1>Invalid api_key</h1>", 400)
        people = [person for person in self.world.people.values() if person.broker == ANGEL]
        return login_page("Angel One", people, {"state": asked.get("state", "")})

    async def logged_in(self, request: Request) -> Response:
        form = await request.form()
        user_id, back = str(form.get("user_id", "")), {"state": str(form.get("state", ""))}
        if form.get("decision") == "continue" and user_id in self.world.people:
            token, login = self.world.log_in(user_id)
            back |= {"auth_token": token, "feed_token": login.feed}
            back |= {"refresh_token": login.refresh}
        return RedirectResponse(f"{self.world.return_urls[ANGEL]}?{urlencode(back)}", 303)

    async def renew(self, request: Request) -> Response:
        refusal = self._refused(request)
        if refusal is not None:
            return refusal
        wanted = (await request.json()).get("refreshToken")
        for token, login in list(self.world.logins.items()):
            if login.refresh and login.refresh == wanted:
                del self.world.logins[token]
                return self._tokens(*self.world.log_in(login.user_id))
        return angel_error("AB8050", "Invalid Refresh Token")

    async def profile(self, _: Request, person: Person) -> Any:
        return {
            "clientcode": person.user_id,
            "name": person.name.upper(),
            "email": f"{person.user_id.lower()}@example.invalid",
            "mobileno": "9000000001",
            "exchanges": ["nse_cm", "bse_cm"],
            "products": ["MARGIN", "CNC"],
            "lastlogintime": "",
            "broker": "",
        }

    async def funds(self, _: Request, person: Person) -> Any:
        return {
            "net": _rupees(person.net_paise),
            "availablecash": _rupees(person.cash_paise),
            "availableintradaypayin": _rupees(person.payin_paise),
            "availablelimitmargin": "0.00",
            "collateral": _rupees(person.collateral_paise),
            "m2munrealized": "0.00",
            "utiliseddebits": "0.00",
            "utilisedspan": None,
        }

    async def holdings(self, _: Request, person: Person) -> Any:
        return [self._holding(lot) for lot in person.lots]

    async def positions(self, _: Request, person: Person) -> Any:
        return [self._position(order) for order in person.orders if order.filled] or None

    async def orders(self, _: Request, person: Person) -> Any:
        return [self._order(order) for order in person.orders] or None

    async def trades(self, _: Request, person: Person) -> Any:
        return [trade for order in person.orders for trade in self._trades(order)] or None

    async def quote(self, request: Request, _: Person) -> Any:
        asked = await request.json()
        by_name = {
            (stock.exchange, stock.angel_token): stock for stock in self.world.stocks.values()
        }
        wanted = [
            (exchange, token)
            for exchange, tokens in asked["exchangeTokens"].items()
            for token in tokens
        ]
        if asked["mode"] not in {"LTP", "OHLC", "FULL"} or len(wanted) > 50:
            return angel_error("AB1004", "Something Went Wrong, Please Try After Sometime")
        return {
            "fetched": [
                {
                    "exchange": name[0],
                    "tradingSymbol": _symbol(by_name[name]),
                    "symbolToken": name[1],
                    "ltp": self.world.paise[by_name[name].zerodha_token] / 100,
                }
                for name in wanted
                if name in by_name
            ],
            "unfetched": [
                {"exchange": name[0], "symbolToken": name[1], "errorCode": "AB4018"}
                for name in wanted
                if name not in by_name
            ],
        }

    async def log_out(self, request: Request, person: Person) -> Any:
        if (await request.json()).get("clientcode") != person.user_id:
            return angel_error("AB1000", "Invalid Client Code")
        self.world.revoke(person.user_id)
        return ""

    async def master(self, request: Request) -> Response:
        if "authorization" in request.headers or "x-privatekey" in request.headers:
            return PlainTextResponse("no credentials here", 400)
        rows = [
            {
                "token": stock.angel_token,
                "symbol": _symbol(stock),
                "name": stock.symbol,
                "expiry": "",
                "strike": "-1.000000",
                "lotsize": "1",
                "instrumenttype": "",
                "exch_seg": stock.exchange,
                "tick_size": f"{stock.tick_size * 100:.6f}",
            }
            for stock in self.world.stocks.values()
        ]
        return Response(json.dumps(rows), media_type="application/json")

    def _signed(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            refusal = self._refused(request)
            if refusal is not None:
                return refusal
            told = request.headers.get("authorization", "")
            if not told:
                return gateway_error("AG8003", "Token missing")
            # `Bearer Bearer …` names no token that there is.
            login = self.world.logins.get(told.removeprefix("Bearer "))
            if not told.startswith("Bearer ") or login is None:
                return gateway_error("AG8001", "Invalid Token")
            if login.expires_at <= self.world.now():
                return gateway_error("AG8002", "Token Expired")
            line = f"{login.user_id}:{request.url.path}"
            limit = PER_SECOND.get(request.url.path, 1)
            if self.world.is_over_rate(line, limit):
                return PlainTextResponse(TOO_MANY_TEXT, 403)
            found = await answer(request, self.world.people[login.user_id])
            return found if isinstance(found, Response) else _enveloped(found)

        return respond

    def _refused(self, request: Request) -> Response | None:
        """The refusal of a call whose headers are not as they must be."""
        self.world.calls.append((ANGEL, f"{request.method} {request.url.path}"))
        for name, shape in SHAPES.items():
            if re.fullmatch(shape, request.headers.get(name, "")) is None:
                return angel_error("AB1004", f"Invalid header {name}", 400)
        if request.headers.get("x-privatekey") != self.world.api_keys[ANGEL]:
            return gateway_error("AG8004", "Invalid API Key")
        return None

    def _tokens(self, token: str, login: Login) -> Response:
        # The documentation's example has the word before the token.
        return _enveloped(
            {
                "jwtToken": f"Bearer {token}",
                "refreshToken": login.refresh,
                "feedToken": login.feed,
            }
        )

    def _holding(self, lot: Lot) -> dict[str, Any]:
        return {
            "tradingsymbol": _symbol(lot.stock),
            "exchange": lot.stock.exchange,
            "isin": lot.stock.isin,
            "t1quantity": lot.t1,
            "realisedquantity": lot.free,
            "quantity": lot.free + lot.t1,
            "authorisedquantity": 0,
            "product": "DELIVERY",
            "collateralquantity": lot.pledged or None,
            "collateraltype": "WC" if lot.pledged else None,
            "haircut": 0,
            "averageprice": lot.average_paise / 100,
            "ltp": self.world.paise[lot.stock.zerodha_token] / 100,
            "symboltoken": lot.stock.angel_token,
            "close": float(lot.stock.reference_close),
        }

    def _position(self, order: Placed) -> dict[str, Any]:
        bought, sold = (order.filled, 0) if order.side == "BUY" else (0, order.filled)
        return {
            "exchange": order.stock.exchange,
            "symboltoken": order.stock.angel_token,
            "producttype": PRODUCTS[order.product],
            "tradingsymbol": _symbol(order.stock),
            "buyqty": str(bought),
            "sellqty": str(sold),
            "netqty": str(bought - sold),
            "avgnetprice": _rupees(order.price_paise),
            "netvalue": f"- {order.price_paise * bought / 100:.2f}",
            "ltp": _rupees(self.world.paise[order.stock.zerodha_token]),
        }

    def _order(self, order: Placed) -> dict[str, Any]:
        at = dt.datetime.combine(self.world.today(), dt.time(9, 15))
        at += dt.timedelta(minutes=order.minute)
        status = order.status.lower()
        return {
            "variety": "NORMAL",
            "ordertype": "LIMIT",
            "producttype": PRODUCTS[order.product],
            "price": order.price_paise / 100,
            "quantity": str(order.quantity),
            "tradingsymbol": _symbol(order.stock),
            "transactiontype": order.side,
            "exchange": order.stock.exchange,
            "symboltoken": order.stock.angel_token,
            "averageprice": order.price_paise / 100 if order.filled else 0.0,
            "filledshares": str(order.filled),
            "unfilledshares": str(order.quantity - order.filled),
            "orderid": order.order_id,
            "text": order.reason if order.status == "REJECTED" else "",
            "ordertag": order.tag,
            "status": status,
            "orderstatus": status,
            "updatetime": f"{at:%d-%b-%Y %H:%M:%S}",
            "exchtime": f"{at:%d-%b-%Y %H:%M:%S}" if order.filled else "",
        }

    def _trades(self, order: Placed) -> list[dict[str, Any]]:
        return [
            {
                "exchange": order.stock.exchange,
                "producttype": PRODUCTS[order.product],
                "tradingsymbol": _symbol(order.stock),
                "instrumenttype": "",
                "symbolgroup": order.stock.series,
                "strikeprice": "-1.0",
                "optiontype": "",
                "expirydate": "",
                "marketlot": "1",
                "precision": "2",
                "multiplier": "-1",
                "tradevalue": _rupees(order.price_paise * shares),
                "transactiontype": order.side,
                "fillprice": _rupees(order.price_paise),
                "fillsize": str(shares),
                "orderid": order.order_id,
                "fillid": number,
                # The day is not in it.
                "filltime": f"{at:%H:%M:%S}",
                "symboltoken": order.stock.angel_token,
            }
            for number, shares, at in order.trades
        ]


def _symbol(stock: ShippedInstrument) -> str:
    """Angel One's symbol on NSE, which ends with the series."""
    return f"{stock.symbol}-EQ" if stock.series == "EQ" else stock.symbol


def _enveloped(found: Any) -> Response:
    return JSONResponse({"status": True, "message": "SUCCESS", "errorcode": "", "data": found})


def _rupees(paise: int) -> str:
    return f"{paise / 100:.2f}"
