"""A desk with a model portfolio, clients who follow it, and their shares."""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from httpx2 import Response
from sqlalchemy import update

from tarazu.book_runs.worker import BookRunWorker
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewHolding
from tests.people_of import Desk, data_of, new_key, set_up_firm

PRICES = {
    "INFY": "1500.00",
    "TCS": "3000.00",
    "RELIANCE": "1250.50",
    "ITC": "410.35",
    "SBIN": "800.00",
}
MODEL = {"INFY": 30, "TCS": 25, "RELIANCE": 25, "ITC": 15}
WORDS = {
    "rationale": "Large companies that earn more than their capital costs.",
    "benchmark": "Nifty 50 TRI",
    "universe": "The hundred largest shares on NSE.",
    "selectionMethod": "Return on capital, then price.",
    "risks": "Shares fall, and a few names carry much of the money.",
}


def version_of(targets: Mapping[str, Any] = MODEL, **words: str) -> dict[str, Any]:
    rows = [
        {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": target}
        for symbol, target in targets.items()
    ]
    return {**WORDS, **words, "constituents": rows}


@dataclass
class Bench:
    """An ADMIN's desk, the books of this process, and a model that clients can follow."""

    desk: Desk
    database: Database
    books: BookRunWorker
    priced: Callable[[dict[str, str]], None]
    model: dict[str, Any]

    def client(self, name: str, shares: Mapping[str, int], cash: str = "0") -> str:
        """A client of the model with these shares; the `_id`."""
        email = f"{name.lower().replace(' ', '.')}@home.example"
        client_id = self.desk.add_client(name, email)
        self.hold(client_id, shares, cash)
        self.follow(client_id)
        return client_id

    def hold(
        self,
        client_id: str,
        shares: Mapping[str, int],
        cash: str = "0",
        source: str = "FILE",
        on: str = "",
    ) -> None:
        person, money = uuid.UUID(client_id), Decimal(cash)
        with self.database.transaction() as session:
            held = {
                instruments.by_symbol(session, "NSE", symbol).id: NewHolding(
                    count, Decimal(100), exchange=on
                )
                for symbol, count in shares.items()
            }
            portfolio.replace_holdings(session, SYSTEM, clock.now(), person, held, source)
            funds = Funds(money, money, Decimal(0))
            portfolio.set_funds(session, SYSTEM, clock.now(), person, funds)

    def synced(self, client_id: str, at: dt.datetime, source: str = "FILE") -> None:
        with self.database.transaction() as session:
            portfolio.renew_sync(session, at, [uuid.UUID(client_id)], source)

    def follow(self, *client_ids: str, amount: float | None = None) -> Response:
        rows = [{"clientId": client_id, "investmentValue": amount} for client_id in client_ids]
        path = f"/admin/models/{self.model['_id']}/subscribers"
        return self.desk.put(path, {"add": rows, "remove": []})

    def restrict(self, client_id: str, *rows: dict[str, Any]) -> Response:
        path = f"/admin/clients/client/{client_id}/restrictions"
        return self.desk.put(path, {"restrictions": list(rows)})

    def begun(self, **more: Any) -> dict[str, Any]:
        """A run whose tiles are there."""
        return self.settled(
            data_of(
                self.desk.post(
                    "/admin/book-runs", {"modelId": self.model["_id"], **more}, **new_key()
                ),
                202,
            )["_id"]
        )

    def settled(self, run_id: str) -> dict[str, Any]:
        """The run, once its work is done."""
        assert self.books.wait(600)
        return dict(self.desk.get(f"/admin/book-runs/{run_id}").json()["data"])

    def rows(self, run: Mapping[str, Any], **params: Any) -> list[dict[str, Any]]:
        return list(
            data_of(self.desk.get(f"/admin/book-runs/{run['_id']}/clients", limit=200, **params))
        )

    def row(self, run: Mapping[str, Any], client_id: str) -> dict[str, Any]:
        return next(one for one in self.rows(run) if one["_id"] == client_id)

    def legs(self, run: Mapping[str, Any], client_id: str) -> dict[str, Any]:
        return dict(data_of(self.desk.get(f"/admin/book-runs/{run['_id']}/clients/{client_id}")))

    def send(self, run: Mapping[str, Any], **more: Any) -> Response:
        body = {"clients": run["totals"]["included"], **more}
        return self.desk.post(f"/admin/book-runs/{run['_id']}/send", body)

    def sent(self, run: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        answer = self.send(run, **more)
        assert answer.status_code == 202, answer.text
        return self.settled(run["_id"])

    def history(self, client_id: str) -> list[dict[str, Any]]:
        return list(data_of(self.desk.get(f"/admin/advice/clients/{client_id}")))

    def trail(self, action: str) -> list[dict[str, Any]]:
        return list(data_of(self.desk.get("/admin/audit", action=action, limit=200)))


@pytest.fixture
def unpriced(database: Database) -> str:
    """A stock of which no price was ever seen."""
    with database.transaction() as session:
        statement = update(Instrument).where(Instrument.symbol == "WIPRO")
        session.execute(statement.values(reference_close=Decimal(0)))
    return "WIPRO"


@pytest.fixture
def bench(
    app: FastAPI, admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]
) -> Bench:
    set_up_firm(admin)
    priced(PRICES)
    return Bench(
        admin,
        database,
        app.state.books,
        priced,
        data_of(admin.post("/admin/models", {"name": "Large Cap", **version_of()}), 201),
    )
