"""The permission matrix of teams: every call of staff is classified, and asked for over HTTP."""

import uuid
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from tarazu.kit import clock
from tarazu.kit.auth_route import AccessLevel
from tarazu.kit.db import Database
from tarazu.teams.errors import OnlyForAllClients
from tests.imports.files import kite
from tests.people_of import Desk, data_of, new_key
from tests.routes_of import guarded_routes
from tests.security.figures import tell
from tests.teams.table import LISTS, OF_ALL_CLIENTS, OF_NO_CLIENT, OF_ONE_CLIENT, TABLE
from tests.teams_of import NAMES, Floor, floor_of

pytestmark = pytest.mark.on_both

SEEN = {"of_a": {"a"}, "of_both": {"a", "b"}, "of_none": set(), "admin": {"a", "b", "none"}}
ID = str(uuid.UUID(int=7))
DAY = "2026-04-02"
PAID = {"paidOn": DAY, "modeOfPayment": "UPI"}
BODIES: dict[str, Any] = {
    "accounting/transaction": {
        "date": DAY,
        "amount": 5,
        "type": "FUNDS_ADDED",
        "transactionId": ID,
    },
    "accounting/transaction/delete": {"transactionId": ID},
    "connection/confirm": {"sessionId": ID},
    "connection/refuse": {"sessionId": ID},
    "connect-link": {"send": False},
    "fees/delete": {"feeId": ID},
    "fees/invoice": {"feeId": ID},
    "fees/refund": {"feeId": ID, "endedOn": DAY, **PAID},
    "lots": {"isin": "INE009A01021", "quantity": 5, "boughtOn": DAY, "amount": 5000},
    "starting-capital": {"amount": 1000},
    "starting-date": {"startingDate": DAY},
    "starting-value": {"amount": 1000},
    "billing": {"stateCode": "27"},
    "cash": {"amount": 5000, "asOf": DAY},
    "fees": {"startingDate": "2026-05-01", "startingValue": 9, "finalValue": 9, "feeId": ID},
    "kyc": {"status": "VALIDATED"},
    "reminders": {"enabled": True},
    "tax-class": {"income": None, "version": 0},
}
"""Bodies that pass the schema of a call on one client, by what its path ends with."""


@pytest.fixture
def floor(web: TestClient, database: Database, admin: Desk) -> Floor:
    made = floor_of(web, database, admin)
    for place, client_id in enumerate(made.clients.values(), start=1):
        at = f"/admin/clients/client/{client_id}"
        holding = kite(("INFY", place, 1000))
        data_of(
            admin.upload(
                "/admin/clients/import", "h.csv", holding, clientId=client_id, dryRun="false"
            )
        )
        data_of(admin.put(f"{at}/cash", {"amount": 10_000 * place, "asOf": DAY}))
        fee = {
            "startingDate": DAY,
            "startingValue": 100_000,
            "finalValue": 100_000 + 20_000 * place,
        }
        data_of(admin.post(f"{at}/fees", fee), 201)
    texts = ("rationale", "benchmark", "universe", "selectionMethod", "risks")
    stock = {"tradingSymbol": "INFY", "allocationPercentage": 90}
    body = {"name": "Core", **dict.fromkeys(texts, "Words"), "constituents": [stock]}
    model = data_of(admin.post("/admin/models", body), 201)["_id"]
    followers = {"add": [{"clientId": client_id} for client_id in made.clients.values()]}
    data_of(admin.put(f"/admin/models/{model}/subscribers", followers))
    made.model = model
    return made


def _desk(floor: Floor, who: str) -> Desk:
    return floor.admin if who == "admin" else floor.users[who]


def _ask(desk: Desk, call: str, floor: Floor, client_id: str = ID) -> Response:
    method, _, path = call.partition(" ")
    ending = path.partition("{client_id}/")[2].removesuffix("/{entry_id}")
    path = path.replace("{client_id}", client_id).replace("{model_id}", floor.model)
    for name in ("consent_id", "entry_id", "broker_id", "session_id", "passkey_id"):
        path = path.replace(f"{{{name}}}", ID)
    if call.endswith("/consents") and method == "POST":
        form = {"kind": "TERMS", "number": "1", "givenOn": str(clock.today())}
        return desk.upload(path.removeprefix("/api/v1"), "s.pdf", b"%PDF-1.7\n%%EOF\n", **form)
    params = {"endedOn": DAY, "feeId": ID} if call.endswith("fees/refund") else {}
    return desk.web.request(
        method,
        path,
        params=params if method == "GET" else None,
        headers=desk.headers | new_key(),
        json=BODIES.get(ending) if method != "GET" else None,
    )


def test_every_call_of_staff_is_in_the_table_as_its_route_says(unchanged_app: FastAPI) -> None:
    routes = {
        f"{method} {route.path}": route.reach
        for route in guarded_routes(unchanged_app)
        for method in (route.methods or set()) - {"HEAD"}
        if route.access_level is AccessLevel.STAFF
    }
    unlisted = routes.keys() ^ TABLE.keys()

    tell("S16", f"{len(routes)} calls of staff are classified", f"{len(unlisted)} unlisted", "0")
    assert unlisted == set()
    assert {call: reach for call, reach in routes.items() if reach is not TABLE[call]} == {}


@pytest.mark.parametrize("who", SEEN)
def test_every_call_answers_of_the_clients_of_the_own_teams_alone(floor: Floor, who: str) -> None:
    desk, wrong = _desk(floor, who), list[tuple[str, str, int]]()
    unseen = set(NAMES) - SEEN[who]
    marks = [(NAMES[name], floor.clients[name], f"{name}@home.example") for name in unseen]
    for call in sorted(OF_ONE_CLIENT):
        for name, client_id in floor.clients.items():
            answer = _ask(desk, call, floor, client_id)
            is_missing = (answer.status_code, "Client not found" in answer.text) == (404, True)
            if is_missing == (name in SEEN[who]):
                wrong.append((call, name, answer.status_code))
    for call in sorted(LISTS | OF_NO_CLIENT):
        answer = _ask(desk, call, floor)
        is_refused = OnlyForAllClients.message in answer.text
        names = any(mark in answer.text for group in marks for mark in group)
        if is_refused or names or (call in LISTS and answer.status_code != 200):
            wrong.append((call, "list", answer.status_code))
    for call in sorted(OF_ALL_CLIENTS):
        answer = _ask(desk, call, floor)
        is_refused = (answer.status_code, OnlyForAllClients.message in answer.text) == (403, True)
        if is_refused == (who == "admin"):
            wrong.append((call, "all", answer.status_code))

    tell("S16", f"calls about clients as {who}", f"{len(wrong)} wrong", "0")
    assert wrong == []


def test_sums_are_those_of_the_clients_that_the_caller_sees(floor: Floor) -> None:
    places = {"a": 1, "b": 2, "none": 3}
    for who, names in SEEN.items():
        desk, shares = _desk(floor, who), sum(places[name] for name in names)
        stats = data_of(desk.get("/admin/dashboard/stats"))
        assert (stats["totalClients"], stats["totalCashHoldings"]) == (len(names), 10_000 * shares)
        assert stats["totalCurrentAUM"] - stats["totalCashHoldings"] == pytest.approx(
            sum(row["totalCurrentValue"] for row in data_of(_distribution(desk)))
        )
        rows = data_of(_distribution(desk))
        assert [row["totalQuantity"] for row in rows] == ([shares] if shares else [])
        assert sum(row["totalInvestedValue"] for row in rows) == 1000 * shares
        fees = desk.get("/fees", limit=100).json()
        assert fees["pagination"]["totalUsers"] == len(names)
        due = sum(row["totalDue"] for row in fees["data"])
        assert data_of(desk.get("/fees/stats"))["totalDue"] == due
        assert (due > 0) == bool(names)
        model = data_of(desk.get("/admin/models"))[0]
        assert model["subscribers"] == len(names)
        readiness = desk.get("/admin/readiness").json()
        assert readiness["counts"]["total"] == len(names) == readiness["toConnect"]
        work = {row["kind"]: row["count"] for row in data_of(desk.get("/admin/dashboard/work"))}
        assert work.get("SESSION", 0) == len(names)
        assert work.get("DUE", 0) + work.get("OVERDUE", 0) == len(names)


def test_what_is_counted_follows_the_clients_that_the_caller_sees(floor: Floor) -> None:
    desk = floor.users["of_a"]

    def counts() -> set[int]:
        work = {row["kind"]: row["count"] for row in data_of(desk.get("/admin/dashboard/work"))}
        readiness = desk.get("/admin/readiness").json()
        return {
            desk.get("/fees").json()["pagination"]["totalUsers"],
            desk.get("/admin/clients", sort="name").json()["pagination"]["totalUsers"],
            desk.get("/admin/clients", sort="-totalPortfolio").json()["pagination"]["totalUsers"],
            data_of(desk.get("/admin/clients/totals"))["clients"],
            data_of(desk.get("/admin/dashboard/stats"))["totalClients"],
            readiness["counts"]["total"],
            readiness["toConnect"],
            work.get("SESSION", 0),
            work.get("DUE", 0) + work.get("OVERDUE", 0),
        }

    assert counts() == {1}
    floor.move("none", "a")
    assert counts() == {2}
    floor.move("a", None)
    assert counts() == {1}
    deleted = floor.admin.post("/clients/delete", {"clientId": floor.clients["none"]})
    assert deleted.status_code == 200
    assert counts() == {0}


def _distribution(desk: Desk) -> Response:
    return desk.get("/admin/dashboard/stocks-distribution")


def test_calls_that_name_a_client_otherwise_refuse_those_of_other_teams(floor: Floor) -> None:
    user, other = floor.users["of_a"], floor.clients["b"]
    content = kite(("INFY", 1, 1000))
    remark = data_of(floor.admin.post("/admin/remarks", {"user": other, "remark": "Called."}), 201)
    answers = {
        "import": user.upload("/admin/clients/import", "h.csv", content, clientId=other),
        "tradebook": user.upload("/admin/imports/tradebook", "t.xlsx", b"PK", clientId=other),
        "links": user.post("/admin/readiness/send-links", {"clientIds": [other]}),
        "remark": user.post("/admin/remarks", {"user": other, "remark": "Called."}),
        "edited": user.put("/admin/remarks", {"remarkId": remark["_id"], "remark": "Not."}),
        "delete": user.post("/clients/delete", {"clientId": other}),
        "edit": user.put("/clients/edit", {"id": other, "name": "Somebody"}),
        "taken": user.post(
            "/admin/taken-away", {"what": "Fees", "way": "printed", "rows": 3, "clientId": other}
        ),
    }
    statuses = {name: answer.status_code for name, answer in answers.items()}
    statuses.pop("tradebook")
    assert set(statuses.values()) == {404}, statuses
    assert answers["tradebook"].status_code in {404, 422}
    assert data_of(user.get("/admin/models/followed", clients=other)) == []
    firm_wide = user.upload(
        "/admin/clients/import", "clients.csv", b"Client ID,Symbol\nC0002,INFY\n"
    )
    assert firm_wide.status_code in {403, 422}


def test_a_client_whom_a_user_adds_joins_the_users_only_team(floor: Floor) -> None:
    new = {"clients": [{"name": "Om Joshi", "email": "om@home.example"}]}
    refused = [
        floor.users[who].post("/clients/add", new).status_code for who in ("of_both", "of_none")
    ]
    assert refused == [403, 403]

    (added,) = data_of(floor.users["of_a"].post("/clients/add", new), 201)

    rows = floor.admin.get("/clients", query="om joshi").json()["data"]
    assert [row["teamId"] for row in rows] == [floor.teams["a"]["id"]]
    assert (
        floor.users["of_a"].get(f"/admin/clients/client/{added['_id']}/profile").status_code == 200
    )
