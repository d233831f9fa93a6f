"""The brokers' log-in pages, and the calls by which a test steers the simulator."""

import datetime as dt
import html
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.brokers.simulator.world import KITE, Fault, Person, World

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>{broker} log-in (simulated)</title></head><body><main><h1>Log in to {broker}</h1>
<p>Simulated: no real account, no password.</p>
<form method="post">{hidden}<p><label for="user_id">User ID</label>
<select id="user_id" name="user_id">{people}</select></p>
<p><button name="decision" value="continue">Continue</button>
<button name="decision" value="cancel">Cancel</button></p></form></main></body></html>"""


def login_page(broker: str, people: Sequence[Person], hidden: Mapping[str, str]) -> Response:
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
        for name, value in hidden.items()
    )
    options = "".join(
        f'<option value="{person.user_id}">{person.user_id} {html.escape(person.name)}</option>'
        for person in people
    )
    return HTMLResponse(PAGE.format(broker=broker, hidden=fields, people=options))


class Controls:
    """`/_simulator/…`: people, log-ins without a page, faults, the clock, what was called."""

    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[Route]:
        return [
            Route("/_simulator/people", self.people),
            Route("/_simulator/login", self.log_in, methods=["POST"]),
            Route("/_simulator/revoke", self.revoke, methods=["POST"]),
            Route("/_simulator/faults", self.add_fault, methods=["POST"]),
            Route("/_simulator/faults", self.clear_faults, methods=["DELETE"]),
            Route("/_simulator/clock", self.set_clock, methods=["POST"]),
            Route("/_simulator/prices", self.set_prices, methods=["POST"]),
            Route("/_simulator/calls", self.calls),
        ]

    async def people(self, _: Request) -> Response:
        keys = {"apiKeys": self.world.api_keys, "apiSecrets": self.world.secrets}
        rows = [
            {
                "broker": person.broker,
                "userId": person.user_id,
                "name": person.name,
                "holdings": len(person.lots),
                "orders": len(person.orders),
                "net": person.net_paise / 100,
            }
            for person in self.world.people.values()
        ]
        return JSONResponse({**keys, "people": rows})

    async def log_in(self, request: Request) -> Response:
        """`{userId}`: what the broker's return address would bring."""
        user_id = (await request.json())["userId"]
        if self.world.people[user_id].broker == KITE:
            return JSONResponse({"requestToken": self.world.ask_for_login(user_id)})
        token, login = self.world.log_in(user_id)
        answer = {"authToken": token, "feedToken": login.feed, "refreshToken": login.refresh}
        return JSONResponse(answer)

    async def revoke(self, request: Request) -> Response:
        self.world.revoke((await request.json())["userId"])
        return JSONResponse({})

    async def add_fault(self, request: Request) -> Response:
        told: dict[str, Any] = await request.json()
        self.world.faults.append(Fault(**told))
        return JSONResponse({})

    async def clear_faults(self, _: Request) -> Response:
        self.world.faults.clear()
        return JSONResponse({})

    async def set_clock(self, request: Request) -> Response:
        """`{at}`, an instant with its offset; sessions end when it passes their end."""
        self.world.set_clock(dt.datetime.fromisoformat((await request.json())["at"]))
        return JSONResponse({"at": self.world.now().isoformat()})

    async def set_prices(self, request: Request) -> Response:
        """`{token: rupees}`, by Zerodha's token."""
        for token, rupees in (await request.json()).items():
            self.world.paise[int(token)] = round(rupees * 100)
        return JSONResponse({})

    async def calls(self, _: Request) -> Response:
        return JSONResponse(Counter(f"{broker} {call}" for broker, call in self.world.calls))
