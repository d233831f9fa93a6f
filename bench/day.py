"""A staff member's day at the demo firm, call by call: 46 clients, two years of daily closes.

One ADMIN signs in, looks at the firm, walks every client's tabs, writes remarks, books funds and
fees, filters orders, sends advice and takes lists away. Each call is timed from request to the
last byte, in a process of its own beside the server, as a browser would be.
"""

import datetime as dt
import http.client
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from start import start_server, stop

GOAL_MS = 300
ONE = "/admin/clients/client"
WHOLE = {"log in", "rebalance"}
"""Calls of which more than `data` is needed."""
TABS = ("profile", "portfolio", "holdings", "accounting", "xirr", "performance", "fees", "order-book")


class Day:
    """One session against a running server; remembers how long each kind of call took."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.token = ""
        self.times: dict[str, list[float]] = defaultdict(list)
        self.failed: list[str] = []

    def call(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        """The answer's `data`, or its bytes where it is a file."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        began = time.perf_counter()
        self.connection.request(
            method, f"/api/v1{path}", json.dumps(body) if body is not None else None, headers
        )
        answer = self.connection.getresponse()
        content = answer.read()
        self.times[kind].append((time.perf_counter() - began) * 1000)
        if answer.status >= 400:
            self.failed.append(f"{method} {path}: {answer.status} {content[:200]!r}")
        if "json" not in answer.headers.get("Content-Type", ""):
            return content
        found = json.loads(content)
        return found if kind in WHOLE else found.get("data")


def live_through(day: Day) -> None:
    """Everything that the day consists of, in its order."""
    entry = {"email": "admin@tarazu.example", "password": "demo-admin-2026"}
    day.token = day.call("log in", "POST", "/auth/login", entry)["accessToken"]
    for _ in range(5):
        for part in ("stats", "stocks-distribution", "daily-aum"):
            day.call(f"dashboard {part}", "GET", f"/admin/dashboard/{part}")
    clients = day.call("client list", "GET", "/admin/clients?limit=50")
    for sort in ("-totalPortfolio", "netPnL", "name"):
        day.call("client list", "GET", f"/admin/clients?limit=50&sort={sort}")
    for word in ("an", "C00", "kumar"):
        day.call("client search", "GET", f"/admin/clients?query={word}")
    for client in clients:
        look_into(day, client["_id"])
    for client in clients[:12]:
        keep_books(day, client["_id"])
    for client in clients[:8]:
        advise(day, client["clientId"])
    for path in ("/fees", "/fees/stats", "/clients?limit=50", "/users", "/brokers", "/profile"):
        for _ in range(3):
            day.call(path.split("?")[0], "GET", path)
    for kind in ("csv", "xlsx"):
        day.call(f"clients as {kind}", "GET", f"/admin/clients/export?format={kind}")
    day.call("log out", "POST", "/auth/logout", {})


def look_into(day: Day, client_id: str) -> None:
    """All tabs of one client."""
    for tab in TABS:
        day.call(tab, "GET", f"{ONE}/{client_id}/{tab}")
    day.call("remarks", "GET", f"/admin/remarks/client/{client_id}")
    day.call("advice history", "GET", f"/admin/advice/clients/{client_id}")
    day.call("order book, COMPLETE", "GET", f"{ONE}/{client_id}/order-book?status=COMPLETE&limit=20")


def keep_books(day: Day, client_id: str) -> None:
    """A remark, funds in, and a fee period that is settled at once."""
    today = dt.date.today()
    remark = {"user": client_id, "remark": "Called about the half-yearly review."}
    day.call("add a remark", "POST", "/admin/remarks", remark)
    flow = {"date": today.isoformat(), "amount": 25_000, "type": "FUNDS_ADDED"}
    day.call("add funds", "POST", f"{ONE}/{client_id}/accounting/transaction", flow)
    start = day.call("starting value", "GET", f"{ONE}/{client_id}/starting-value")
    period = {
        "startingDate": (today - dt.timedelta(days=90)).isoformat(),
        "finalDate": today.isoformat(),
        "dueDate": today.isoformat(),
        "startingValue": start,
        "finalValue": round(start * 1.01, 2),
    }
    day.call("add a fee", "POST", f"{ONE}/{client_id}/fees", period)
    day.call("portfolio report", "GET", f"{ONE}/{client_id}/report.pdf")


def advise(day: Day, code: str) -> None:
    """Load a client, rebalance to equal targets, send."""
    found = day.call("holdings by code", "GET", f"/admin/advice/clients/by-code/{code}/holdings")
    day.call("stock search", "GET", "/instruments/search?query=tat")
    held = found["holdings"]
    if not held:
        return
    share = int(9500 / len(held)) / 100
    wanted = [
        {
            "tradingSymbol": row["tradingSymbol"],
            "isin": row["isin"],
            "exchange": row["exchange"],
            "instrumentToken": row["instrumentToken"],
            "allocationPercentage": share,
        }
        for row in held
    ]
    asked = {
        "clientId": found["user"]["_id"],
        "clientName": found["user"]["name"],
        "targetInvestmentValue": round(found["totalCurrentValue"] + found["cash"], 2),
        "targetHoldings": wanted,
    }
    plan = day.call("rebalance", "POST", "/admin/advice/rebalance-portfolio", asked)
    day.call("send advice", "POST", "/admin/advice/create", advice_of(asked, plan))


def advice_of(asked: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    """What the screen sends: the rows that trade, and their totals."""
    rows = [row for row in plan["data"] if row["type"] != "HOLD"]

    def total(side: str) -> float:
        return round(sum(r["projectedInvestmentValue"] for r in rows if r["type"] == side), 2)

    return {
        "userId": asked["clientId"],
        "totalStocks": len(rows),
        "totalInvestedValue": asked["targetInvestmentValue"],
        "totalBuyValue": total("BUY"),
        "totalSellValue": total("SELL"),
        "stocks": rows,
        "rebalanceId": plan["rebalanceId"],
        "rationale": "Equal weights after the half-yearly review.",
    }


def measured() -> Day:
    """One day against a new demo firm."""
    with tempfile.TemporaryDirectory() as folder:
        process, _, port = start_server("demo", Path(folder) / "demo")
        try:
            day = Day(port)
            live_through(day)
        finally:
            stop(process)
    return day


def table() -> str:
    """A row a kind of call, and the day as a whole."""
    day = measured()
    everything = [one for times in day.times.values() for one in times]
    lines = ["| call | times | median, ms | p95, ms | longest, ms |", "|---|---|---|---|---|"]
    whole: list[tuple[str, list[float]]] = sorted(day.times.items())
    lines += [_row(kind, times) for kind, times in [*whole, ("**the whole day**", everything)]]
    verdict = "yes" if _p95(everything) <= GOAL_MS else "no"
    lines += ["", f"Goal: p95 of the day at most {GOAL_MS} ms: {verdict}."]
    lines += [f"Failed: {one}" for one in day.failed]
    return "\n".join(lines)


def _row(kind: str, times: list[float]) -> str:
    show: Callable[[float], str] = lambda figure: f"{figure:.1f}"  # noqa: E731
    figures = (statistics.median(times), _p95(times), max(times))
    return f"| {kind} | {len(times)} | " + " | ".join(map(show, figures)) + " |"


def _p95(times: list[float]) -> float:
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * 0.95))]


if __name__ == "__main__":
    print(table())
    sys.exit(0)
