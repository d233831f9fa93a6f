"""Kite's basket page, made up: strict about what a browser posts there."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.brokers.simulator.world import KITE, World

MOST_ROWS = 10
TAG = re.compile(r"[A-Za-z0-9]{1,8}")
FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "variety": str,
    "tradingsymbol": str,
    "exchange": str,
    "transaction_type": str,
    "order_type": str,
    "quantity": int,
    "product": str,
    "price": (int, float),
    "validity": str,
    "readonly": bool,
    "tag": str,
}
VALUES = {
    "variety": {"regular"},
    "exchange": {"NSE", "BSE"},
    "transaction_type": {"BUY", "SELL"},
    "order_type": {"LIMIT", "MARKET"},
    "product": {"CNC"},
    "validity": {"DAY"},
}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>Kite basket (simulated)</title></head><body><main><h1>Basket at Kite</h1>
<p>Simulated: no real account, no order.</p><ul>{rows}</ul>
<form method="post" action="/connect/basket/done">
<input type="hidden" name="redirect_params" value="{redirect_params}">
<p><label for="user_id">User ID</label><select id="user_id" name="user_id">{people}</select></p>
<p><button name="decision" value="place">Place orders</button>
<button name="decision" value="cancel">Cancel</button></p></form></main></body></html>"""


class KiteBasket:
    """Where a form of another site brings a basket; `baskets` are those that were right."""

    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[Route]:
        return [
            Route("/connect/basket", self.show, methods=["POST"]),
            Route("/connect/basket/done", self.done, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        fault = self._fault(request, form)
        if fault:
            return HTMLResponse(f"<h1>{html.escape(fault)}</h1>", 400)
        rows = json.loads(form["data"])
        self.world.baskets.append(rows)
        shown = "".join(
            f"<li>{row['transaction_type']} {row['quantity']} {html.escape(row['tradingsymbol'])}</li>"
            for row in rows
        )
        people = "".join(
            f'<option value="{person.user_id}">{person.user_id}</option>'
            for person in self.world.people.values()
            if person.broker == KITE
        )
        hidden = html.escape(form.get("redirect_params", ""))
        return HTMLResponse(PAGE.format(rows=shown, redirect_params=hidden, people=people))

    async def done(self, request: Request) -> Response:
        form = await request.form()
        extra = parse_qsl(str(form.get("redirect_params", "")))
        if form.get("decision") == "place":
            user_id = str(form["user_id"])
            self.world.fill_basket(user_id, self.world.baskets[-1])
            token = self.world.ask_for_login(user_id)
            back = [("request_token", token), ("status", "success")]
        else:
            back = [("status", "cancelled")]
        return RedirectResponse(f"{self.world.return_urls[KITE]}?{urlencode(back + extra)}", 303)

    def _fault(self, request: Request, form: Mapping[str, str]) -> str:
        """What is wrong with a basket; "" if nothing is."""
        referrer = urlsplit(request.headers.get("referer", ""))
        # Kite finds the app by the page that posts: without it no key is valid.
        if not referrer.netloc or form.get("api_key") != self.world.api_keys[KITE]:
            return "Invalid api_key"
        if referrer.path not in {"", "/"}:
            return "The page's whole address came with the form"
        if set(form) - {"api_key", "data", "redirect_params"}:
            return "Unknown fields"
        try:
            rows = json.loads(form.get("data", ""))
        except ValueError:
            return "Invalid data"
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ROWS:
            return "Invalid number of orders"
        faults = (
            _row_fault(row, {stock.symbol for stock in self.world.stocks.values()}) for row in rows
        )
        fault = next(filter(None, faults), "")
        if not fault and len({row["transaction_type"] for row in rows}) > 1:
            return "Sales and purchases are mixed"
        return fault


def _row_fault(row: Any, symbols: set[str]) -> str:
    if not isinstance(row, dict) or set(row) != set(FIELDS):
        return "Invalid fields of an order"
    for name, kind in FIELDS.items():
        is_right = isinstance(row[name], kind) and (kind is bool or not isinstance(row[name], bool))
        if not is_right or row[name] not in VALUES.get(name, {row[name]}):
            return f"Invalid {name}"
    if row["quantity"] < 1 or row["price"] <= 0:
        return "Invalid quantity or price"
    if row["tradingsymbol"] not in symbols:
        return "Unknown tradingsymbol"
    return "" if TAG.fullmatch(row["tag"]) else "Invalid tag"
