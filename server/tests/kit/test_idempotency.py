"""A creating call without a key that comes twice, or ten times at once, is done once."""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from httpx2 import Response

from tarazu.kit import clock, idempotency
from tarazu.kit.auth_route import AuthorizedRoute
from tarazu.kit.db import Database
from tarazu.kit.idempotency import OnceOnly
from tests.people_of import Desk
from tests.routes_of import guarded_routes

pytestmark = pytest.mark.on_both

NEW_CLIENT = {"clients": [{"name": "Rohan Shah", "email": "rohan@home.example"}]}
NEW_USER = {"users": [{"name": "Sana Iyer", "email": "sana@desk.example", "role": "USER"}]}
BROKER = {"name": "ZERODHA", "apiKey": "kite-key", "apiSecret": "words"}
FLOW = {"date": "2026-04-01", "amount": 50000, "type": "FUNDS_ADDED"}
FEE = {
    "startingDate": "2026-04-01",
    "dueDate": "2026-10-15",
    "finalDate": "2026-09-30",
    "startingValue": 100000,
    "finalValue": 120000,
}
MODEL = {
    "name": "Steady",
    "rationale": "Large companies with little debt.",
    "benchmark": "NIFTY 50 TRI",
    "universe": "NIFTY 100",
    "selectionMethod": "Debt below equity, three years of profit.",
    "risks": "Shares can fall.",
    "constituents": [{"tradingSymbol": "INFY", "exchange": "NSE", "allocationPercentage": 60}],
}

Call = Callable[[Desk, str], Response]
Count = Callable[[Desk, str], int]


def rows(path: str, **asked: str) -> Count:
    return lambda desk, client: len(desk.get(path.format(client=client), **asked).json()["data"])


def post(path: str, body: Any) -> Call:
    return lambda desk, client: desk.post(path.format(client=client), body)


CLIENT = "/admin/clients/client/{client}"
CREATED: dict[str, tuple[Call, Count]] = {
    "client": (post("/clients/add", NEW_CLIENT), rows("/clients", query="rohan")),
    "user": (post("/users/add", NEW_USER), rows("/users", query="sana")),
    "broker": (post("/brokers/add", BROKER), rows("/brokers")),
    "transaction": (
        post(f"{CLIENT}/accounting/transaction", FLOW),
        rows(f"{CLIENT}/accounting"),
    ),
    "fee": (post(f"{CLIENT}/fees", FEE), rows(f"{CLIENT}/fees")),
    "model": (post("/admin/models", MODEL), rows("/admin/models")),
    "remark": (
        lambda desk, client: desk.post("/admin/remarks", {"user": client, "remark": "Called."}),
        rows("/admin/remarks/client/{client}"),
    ),
    "connect link": (
        lambda desk, client: desk.post(
            f"/admin/clients/client/{client}/connect-link", {"send": False}
        ),
        lambda desk, client: sum(
            row["action"] == "broker_link_made" for row in desk.get("/admin/audit").json()["data"]
        ),
    ),
    "mailed links": (
        lambda desk, client: desk.post("/admin/readiness/send-links", {"clientIds": [client]}),
        lambda desk, client: sum(
            row["action"] == "broker_link_sent" for row in desk.get("/admin/audit").json()["data"]
        ),
    ),
}
NEEDS_BROKER = {"connect link", "mailed links"}


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock so many seconds ahead of the start of the test."""
    start = clock.now()
    moved = dt.timedelta()

    def go(seconds: float) -> None:
        nonlocal moved
        moved = dt.timedelta(seconds=seconds)

    monkeypatch.setattr(clock, "now", lambda: start + moved)
    return go


def told(answer: Response) -> Any:
    """The answer, without what is shown only once."""
    assert answer.status_code in {200, 201}, answer.text
    told: dict[str, Any] = answer.json()
    for row in told["data"] if isinstance(told["data"], list) else []:
        row.pop("temporaryPassword", None)
    return told


@pytest.mark.parametrize("what", CREATED)
def test_ten_creates_at_once_make_one_record_and_ten_equal_answers(admin: Desk, what: str) -> None:
    create, count = CREATED[what]
    client = admin.add_client()
    if what in NEEDS_BROKER:
        admin.post("/brokers/add", BROKER)

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: create(admin, client), range(10)))

    first = told(answers[0])
    assert all(told(answer) == first for answer in answers)
    assert len([1 for answer in answers if "Idempotent-Replayed" not in answer.headers]) == 1
    assert count(admin, client) == 1


def test_ten_seconds_later_it_is_a_new_call(admin: Desk, ahead: Callable[[float], None]) -> None:
    create, count = CREATED["remark"]
    client = admin.add_client()

    create(admin, client)
    ahead(9.9)
    create(admin, client)
    assert count(admin, client) == 1

    ahead(10)
    create(admin, client)
    assert count(admin, client) == 2
    ahead(19.9)
    create(admin, client)
    assert count(admin, client) == 2


def test_a_clock_set_back_does_not_keep_an_answer_for_longer(
    admin: Desk, ahead: Callable[[float], None]
) -> None:
    create, count = CREATED["remark"]
    client = admin.add_client()

    create(admin, client)
    ahead(-3600)
    create(admin, client)

    assert count(admin, client) == 2


def test_two_callers_two_bodies_and_two_paths_are_separate_calls(admin: Desk, user: Desk) -> None:
    client = admin.add_client()
    other = admin.add_client("Rohan Shah", "rohan@home.example")

    for desk in (admin, user):
        for whom in (client, other):
            for remark in ("Called.", "Called again."):
                desk.post("/admin/remarks", {"user": whom, "remark": remark})
            desk.post(f"/admin/clients/client/{whom}/accounting/transaction", FLOW)

    for whom in (client, other):
        assert len(admin.get(f"/admin/remarks/client/{whom}").json()["data"]) == 4
        assert len(admin.get(f"/admin/clients/client/{whom}/accounting").json()["data"]) == 2


def test_a_call_that_failed_is_not_remembered(admin: Desk) -> None:
    taken = admin.add_client("Rohan Shah", "rohan@home.example")
    body = {"clients": [NEW_CLIENT["clients"][0] | {"name": "Rohan S. Shah"}]}
    refused = admin.post("/clients/add", body)
    admin.post("/clients/delete", {"clientId": taken})

    again = admin.post("/clients/add", body)

    assert refused.status_code == 409
    assert again.status_code == 201
    assert "Idempotent-Replayed" not in again.headers


def test_a_key_makes_the_same_body_a_separate_call(admin: Desk) -> None:
    client = admin.add_client()
    body = {"user": client, "remark": "Called."}

    for key in ("one", "two"):
        admin.post("/admin/remarks", body, **{"Idempotency-Key": key})
    admin.post("/admin/remarks", body)

    assert len(admin.get(f"/admin/remarks/client/{client}").json()["data"]) == 3


def test_answers_of_calls_without_a_key_are_dropped_after_their_ten_seconds(
    admin: Desk, database: Database
) -> None:
    client = admin.add_client()
    admin.post("/admin/remarks", {"user": client, "remark": "Called."}, **{"Idempotency-Key": "1"})
    now = clock.now()

    with database.transaction() as session:
        dropped = idempotency.forget_old(session, now + dt.timedelta(seconds=11))
        later = idempotency.forget_old(session, now + dt.timedelta(days=8))

    assert (dropped, later) == (1, 1)


NOT_CREATING = {
    "add_passkey": "its challenge is used up, and a passkey belongs to one account",
    "record_consent": "the same file for the same version and day is not recorded again",
    "add_evidence": "the same file or note for the same instance is not recorded again",
    "record_prepared_file": "the same file for the same instance is not recorded again",
    "register": "one e-mail address has one account, and its token is shown once",
    "sync_stale_clients": "while one runs, another is not begun",
    "import_holdings": "its rows are matched again under the lock: what is there is not added again",
    "send_page_code": "another code is mailed, three an hour at most, and the one before it ends",
    "import_tradebook": "the same: a trade that is recorded is not added again",
}
"""Calls that answer 201 or 202 and see to it in another way."""


def test_every_creating_call_is_done_once(unchanged_app: FastAPI) -> None:
    creating = {
        route.name: route
        for route in guarded_routes(unchanged_app)
        if "POST" in (route.methods or ())
        and (route.status_code in {201, 202} or 202 in route.responses)
    }

    assert NOT_CREATING.keys() <= creating.keys()
    for name, route in creating.items():
        assert is_once(route) != (name in NOT_CREATING), name


def is_once(route: AuthorizedRoute) -> bool:
    (marker,) = OnceOnly.__metadata__  # type: ignore[attr-defined]
    return any(one.call is marker.dependency for one in dependencies_of(route.dependant))


def dependencies_of(dependant: Dependant) -> list[Dependant]:
    found = list(dependant.dependencies)
    return found + [below for one in found for below in dependencies_of(one)]
