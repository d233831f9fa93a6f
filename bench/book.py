"""The whole book: a model of 30 stocks and 9,999 clients who follow it.

Seconds from the click to the tiles, and from Send to the last stored advice: sealed, chained,
signed, its mail queued. The calls are the product's own, in one process; the firm is put in through
the driver, each client near the model but for a drift of some 15 % of each holding. Letters are set
afterwards, in the background; how many a second is reported too. Where PyPortfolioOpt is installed
its greedy allocation is asked for every client in a loop, for comparison of the tiles.

`python bench/book.py 1000` takes a thousand clients; `--database URL` an empty database.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "server"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from fastapi.testclient import TestClient
from firms import ADMIN, Size, make_firm
from sqlalchemy import bindparam, select, update

from tarazu.advice import service as advice
from tarazu.app import create_app, open_database
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.portfolio.tables import Account, Holding

CLIENTS, STOCKS = 9_999, 30
TILES_GOAL, SENDING_GOAL = 10.0, 60.0
LETTERS = 20
LONGEST = 1_800.0


def table(clients: int = CLIENTS, database_url: str = "") -> str:
    """One run as rows: figure, measured, goal, met."""
    found = measured(clients, database_url)
    rows = [
        ("clients × stocks", f"{clients} × {STOCKS}", "", ""),
        ("database", found["database"], "", ""),
        _timed("click to tiles, s", found["tiles"], TILES_GOAL, clients),
        ("of it the solver alone, s of the processor", f"{found['solver']:.2f}", "", ""),
        ("ready of all", f"{found['ready']}", "", ""),
        _timed("Send to the last advice stored, s", found["sending"], SENDING_GOAL, clients),
        ("advices stored", f"{found['stored']}", f"{found['ready']}", _yes(found["stored"] == found["ready"])),
        ("milliseconds an advice", f"{_each(found['sending'].wall, found)} (processor {_each(found['sending'].cpu, found)})", "", ""),
        ("letters set afterwards, a second of the processor", f"{found['letters']:.1f}", "", ""),
        ("PyPortfolioOpt greedy in a loop, s", found["greedy"], "", ""),
        ("load of the machine before, after", found["load"], "", ""),
    ]  # fmt: skip
    lines = ["| The whole book | Measured | Goal | Met |", "|---|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def _timed(name: str, took: "Seconds", goal: float, clients: int) -> tuple[str, str, str, str]:
    shown = f"{took.wall:.2f} (processor {took.cpu:.2f})"
    if clients != CLIENTS:
        return name, shown, "", ""
    return name, shown, f"≤ {goal:.0f}", _yes(took.wall <= goal)


def _each(seconds: float, found: dict[str, Any]) -> str:
    return f"{1000 * seconds / max(1, found['stored']):.2f}"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def measured(clients: int, database_url: str) -> dict[str, Any]:
    before = os.getloadavg()[0]
    tune_gc()  # as the product does
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            data_dir=Path(folder), rate_limit_scale=Decimal(10**6), database_url=database_url
        )
        database = open_database(settings)
        size = Size(clients, STOCKS, STOCKS, flows=0, orders=0, fees=0, firm_closes=0)
        ids = [str(one) for one in make_firm(database, size)]
        weights = hold_near_model(database, clients)
        app = create_app(settings, database)
        desk = Desk(TestClient(app, base_url="http://127.0.0.1"))
        model = desk.model_of(weights)
        rows = [{"clientId": one} for one in ids]
        desk.call("PUT", f"/admin/models/{model}/subscribers", {"add": rows, "remove": []})
        run, tiles = desk.run(app.state.books.wait, model)
        done, sending = desk.send(app.state.books.wait, run)
        found = {
            "database": database.engine.dialect.name,
            "tiles": tiles,
            "solver": solver_seconds(database, run),
            "ready": next(one["clients"] for one in run["tiles"] if one["tile"] == "READY"),
            "sending": sending,
            "stored": done["sending"]["sent"],
            "letters": letters_a_second(database),
            "greedy": greedy_seconds(database),
            "load": f"{before:.1f}, {os.getloadavg()[0]:.1f}",
        }
        database.dispose()
    return found


@dataclass(frozen=True, slots=True)
class Seconds:
    """On the wall, and of this process on the processor: on a busy machine they differ."""

    wall: float
    cpu: float


class Watch:
    """Measures from its making on."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> Seconds:
        return Seconds(time.perf_counter() - self.wall, time.process_time() - self.cpu)


class Desk:
    """An ADMIN who calls the product."""

    def __init__(self, web: TestClient) -> None:
        self.web = web
        body = {"email": ADMIN[1], "password": ADMIN[2]}
        token = web.post("/api/v1/auth/login", json=body).json()["accessToken"]
        self.headers = {"Authorization": f"Bearer {token}"}

    def call(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.web.request(method, f"/api/v1{path}", json=body, headers=self.headers)
        if answer.status_code >= 400:
            raise RuntimeError(answer.text)
        return answer.json()["data"]

    def model_of(self, weights: dict[str, Decimal]) -> str:
        words = ("rationale", "benchmark", "universe", "selectionMethod", "risks")
        rows = [
            {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": float(part)}
            for symbol, part in weights.items()
        ]
        body = {"name": "Bench", **dict.fromkeys(words, "Bench"), "constituents": rows}
        return str(self.call("POST", "/admin/models", body)["_id"])

    def run(self, wait: Callable[[float], bool], model: str) -> tuple[Any, Seconds]:
        watch = Watch()
        begun = self.call("POST", "/admin/book-runs", {"modelId": model})
        wait(LONGEST)
        return self.call("GET", f"/admin/book-runs/{begun['_id']}"), watch.read()

    def send(self, wait: Callable[[float], bool], run: Any) -> tuple[Any, Seconds]:
        watch = Watch()
        path = f"/admin/book-runs/{run['_id']}"
        self.call("POST", f"{path}/send", {"clients": run["totals"]["included"]})
        wait(LONGEST)
        return self.call("GET", path), watch.read()


def hold_near_model(database: Database, clients: int) -> dict[str, Decimal]:
    """Give every client shares near the model, from two lakh to five crore; the model's weights."""
    numbers = np.random.default_rng(7)
    with database.transaction() as session:
        columns = (Instrument.id, Instrument.symbol, Instrument.reference_close)
        used = select(Holding.instrument_id).distinct()
        stocks = session.execute(select(*columns).where(Instrument.id.in_(used))).all()
        parts = np.floor(numbers.dirichlet(np.full(len(stocks), 4.0)) * 9_700).astype(int) + 1
        ids = session.execute(select(Account.client_id).order_by(Account.revision)).scalars().all()
        worth = np.exp(numbers.uniform(np.log(2e5), np.log(5e7), clients))
        noise = numbers.lognormal(0.0, 0.15, (clients, len(stocks)))
        prices = np.array([float(one.reference_close) for one in stocks])
        shares = np.maximum(1, worth[:, None] * parts / 10_000 * noise / prices).astype(int)
        rows = [
            {"who": client, "what": stock.id, "many": count}
            for client, counts in zip(ids, shares.tolist(), strict=True)
            for stock, count in zip(stocks, counts, strict=True)
        ]
        statement = update(Holding.__table__).where(
            Holding.__table__.c.client_id == bindparam("who"),
            Holding.__table__.c.instrument_id == bindparam("what"),
        )
        session.connection().execute(statement.values(quantity=bindparam("many")), rows)
        money = [
            {"who": client, "cash": Decimal(int(part * 0.03))}
            for client, part in zip(ids, worth.tolist(), strict=True)
        ]
        accounts = update(Account.__table__).where(
            Account.__table__.c.client_id == bindparam("who")
        )
        session.connection().execute(accounts.values(net=bindparam("cash")), money)
    return {one.symbol: Decimal(int(part)) / 100 for one, part in zip(stocks, parts, strict=True)}


def solver_seconds(database: Database, run: Any) -> float:
    """The batch solver alone on the same book: median of three."""
    from tarazu.models import queries, reckoning, service
    from tarazu.models.records import Rebuilder
    from tarazu.models.tables import Outside

    taken = []
    with database.reading() as session:
        version = service.newest_version(session, run_model(run))
        terms, listed = reckoning.terms_of(session, version, Outside.KEEP, clock.now())
        wanted = {one.client_id: one.investment for one in queries.subscribers(session)}
        book = reckoning.reckon(terms, reckoning.holders_of(session, wanted), listed)
        rebuilder = Rebuilder(reckoning.snapshot_of(book, "Bench"))
    for _ in range(3):
        watch = Watch()
        reckoning.solve(book, rebuilder)
        taken.append(watch.read().cpu)
    return statistics.median(taken)


def run_model(run: Any) -> Any:
    import uuid

    return uuid.UUID(run["modelId"])


def letters_a_second(database: Database) -> float:
    """Letters in a second of the processor; the typesetter works outside Python's lock."""
    began = time.process_time()
    made = advice.set_letters_due(database, clock.now(), LETTERS)
    return made / (time.process_time() - began)


def greedy_seconds(database: Database) -> str:
    """PyPortfolioOpt's greedy allocation for every client, from what each is worth."""
    try:
        import pandas
        from pypfopt.discrete_allocation import DiscreteAllocation
    except ImportError:
        return "not installed here"
    numbers = np.random.default_rng(7)
    prices = pandas.Series(np.exp(numbers.uniform(np.log(40), np.log(8_000), STOCKS)))
    weights = dict(enumerate(numbers.dirichlet(np.full(STOCKS, 4.0))))
    began, count = time.perf_counter(), 200
    for _ in range(count):
        worth = float(np.exp(numbers.uniform(np.log(2e5), np.log(5e7))))
        DiscreteAllocation(weights, prices, total_portfolio_value=worth).greedy_portfolio()
    return f"{(time.perf_counter() - began) / count * CLIENTS:.2f} (of {count} clients)"


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("clients", type=int, nargs="?", default=CLIENTS)
    reader.add_argument("--database", default="")
    asked = reader.parse_args()
    print(table(asked.clients, asked.database))
