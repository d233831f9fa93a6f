"""The calls that every screen rests on: who may make them, and the fields that they answer."""

import datetime as dt
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.people_of import ADMIN, Desk
from tests.portfolio.books import give_holdings

SOMEBODY = "01a1fb73-0392-751c-90e5-1dda4674873a"
ONE = f"/admin/clients/client/{SOMEBODY}"
OF_STAFF = [
    ("POST", "/auth/logout"),
    ("POST", "/auth/reset-password"),
    ("GET", "/auth/verify-token"),
    ("GET", "/profile"),
    ("GET", "/admin/dashboard/stats"),
    ("GET", "/admin/dashboard/stocks-distribution"),
    ("GET", "/admin/dashboard/daily-aum"),
    ("GET", f"/admin/advice/clients/{SOMEBODY}"),
    ("GET", "/instruments/search"),
    ("GET", "/admin/broker"),
    ("GET", "/brokers"),
    ("GET", f"/brokers/{SOMEBODY}"),
    ("GET", "/clients"),
    ("POST", "/clients/add"),
    ("PUT", "/clients/edit"),
    ("POST", "/clients/delete"),
    ("GET", "/admin/clients"),
    ("GET", f"{ONE}/profile"),
    ("GET", f"/admin/remarks/client/{SOMEBODY}"),
    ("POST", "/admin/remarks"),
    ("PUT", "/admin/remarks"),
    ("GET", f"{ONE}/portfolio"),
    ("GET", f"{ONE}/holdings"),
    ("GET", f"{ONE}/accounting"),
    ("GET", f"{ONE}/xirr"),
    ("POST", f"{ONE}/accounting/transaction"),
    ("PUT", f"{ONE}/accounting/transaction"),
    ("POST", f"{ONE}/accounting/transaction/delete"),
    ("POST", f"{ONE}/starting-date"),
    ("POST", f"{ONE}/starting-capital"),
    ("GET", f"{ONE}/fees"),
    ("POST", f"{ONE}/fees"),
    ("PUT", f"{ONE}/fees"),
    ("POST", f"{ONE}/fees/delete"),
    ("GET", f"{ONE}/starting-value"),
    ("GET", f"{ONE}/order-book"),
    ("GET", "/fees/stats"),
    ("GET", "/fees"),
]
OF_ADMINS = [
    ("GET", "/admin/advice/clients/by-code/C0001/holdings"),
    ("POST", "/admin/advice/rebalance-portfolio"),
    ("POST", "/admin/advice/create"),
    ("POST", "/instruments/add"),
    ("DELETE", "/instruments/remove"),
    ("POST", "/admin/broker/connect"),
    ("PUT", "/brokers/edit"),
    ("POST", "/brokers/add"),
    ("GET", "/users"),
    ("POST", "/users/add"),
    ("PUT", "/users/edit"),
    ("POST", "/users/delete"),
]


def test_without_a_token_every_call_is_refused_in_the_same_words(web: TestClient) -> None:
    for method, path in OF_STAFF + OF_ADMINS:
        answer = web.request(method, f"/api/v1{path}")

        told = (answer.status_code, answer.json()["message"])
        assert told == (401, "You are not logged in. Please sign in again."), path


def test_calls_of_administrators_are_refused_to_a_user(web: TestClient, user: Desk) -> None:
    for method, path in OF_ADMINS:
        answer = web.request(method, f"/api/v1{path}", headers=user.headers)

        told = (answer.status_code, answer.json()["message"])
        assert told == (403, "You do not have permission to do this."), path


def test_a_user_may_make_every_other_call(web: TestClient, user: Desk) -> None:
    for method, path in OF_STAFF[2:]:
        answer = web.request(method, f"/api/v1{path}", headers=user.headers)

        assert answer.status_code in (200, 404, 422), path


def test_a_log_in_answers_token_role_and_whether_it_is_the_first(
    web: TestClient, admin: Desk
) -> None:
    answer = web.post("/api/v1/auth/login", json=ADMIN).json()

    assert answer["success"] is True
    assert {key: answer["data"][key] for key in ("role", "isFirstTimeLogin", "name")} == {
        "role": "ADMIN", "isFirstTimeLogin": False, "name": ADMIN["name"],
    }  # fmt: skip
    assert Desk(web, answer["accessToken"]).get("/auth/verify-token").json()["data"] == {
        "role": "ADMIN", "name": ADMIN["name"], "email": ADMIN["email"],
        "isFirstTimeLogin": False, "isSecondFactorDue": False,
    }  # fmt: skip


def test_a_profile_is_name_email_and_role(user: Desk) -> None:
    assert user.get("/profile").json()["data"] == {
        "name": "Farhan Ali", "email": "farhan@desk.example", "role": "USER",
    }  # fmt: skip


@pytest.fixture
def client_id(admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]) -> str:
    """Kavya: 10 INFY bought at ₹1,000, ₹500.25 in cash, and a start with ₹8,000 on 1 April 2026."""
    person = {
        "name": "Kavya Menon", "email": "kavya@home.example", "contactNumber": "9876543210",
    }  # fmt: skip
    added = admin.post("/clients/add", {"clients": [person]}).json()["data"][0]
    found = str(added["_id"])
    edit = {"id": found, "dob": "1980-05-06", "address": "4 Prabhat Road, Pune"}
    admin.put("/clients/edit", edit)
    give_holdings(database, found, {"INFY": (10, "1000")}, cash="500.25")
    path = f"/admin/clients/client/{found}"
    admin.post(f"{path}/starting-capital", {"amount": 8000})
    admin.post(f"{path}/starting-date", {"startingDate": "2026-04-01"})
    priced({"INFY": "1100"})
    return found


def test_a_row_of_the_distribution_has_its_fields(admin: Desk, client_id: str) -> None:
    (row,) = admin.get("/admin/dashboard/stocks-distribution").json()["data"]

    # Shares are of the whole: holdings and cash.
    share = row.pop("aumPercentage")
    assert share == pytest.approx(11000 / 11500.25 * 100, abs=0.01)
    assert row == {
        "symbol": "INFY",
        "exchange": "NSE",
        "instrumentToken": 408065,
        "totalQuantity": 10,
        "totalCurrentValue": 11000,
        "totalInvestedValue": 10000,
        "staleAt": None,
        "staleSource": None,
        "actionSuspected": False,
    }


def test_a_row_of_the_client_list_has_its_fields(admin: Desk, client_id: str) -> None:
    (row,) = admin.get("/admin/clients").json()["data"]

    expected = {
        "_id": client_id,
        "clientId": "C0001",
        "name": "Kavya Menon",
        "totalPortfolio": 11500.25,
        "totalInvestment": 8000,
        "netPnL": 3500.25,
        "NetCashAmount": 500.25,
        "isConnected": False,
        "status": "ACTIVE",
    }
    assert row | expected == row


def test_a_clients_profile_has_its_fields(admin: Desk, client_id: str) -> None:
    found = admin.get(f"/admin/clients/client/{client_id}/profile").json()["data"]

    expected = {
        "name": "Kavya Menon",
        "clientId": "C0001",
        "email": "kavya@home.example",
        "contactNumber": "9876543210",
        "address": "4 Prabhat Road, Pune",
        "dob": "1980-05-06",
        "totalPortfolio": 11500.25,
        "totalInvestment": 8000,
        "totalCash": 500.25,
        "userBrokerId": "",
    }
    assert found | expected == found
    synced = clock.now() - dt.datetime.fromisoformat(found["lastSync"])
    assert dt.timedelta(0) <= synced < dt.timedelta(minutes=5)


def test_a_portfolio_and_its_holdings_have_their_fields(admin: Desk, client_id: str) -> None:
    path = f"/admin/clients/client/{client_id}"
    days = (clock.today() - dt.date(2026, 4, 1)).days

    found = admin.get(f"{path}/portfolio").json()["data"]
    (row,) = admin.get(f"{path}/holdings").json()["data"]

    expected = {
        "startedFrom": "2026-04-01",
        "totalDays": days,
        "portfolioValue": 11500.25,
        "startingCapital": 8000,
        "totalPnL": 3500.25,
        "netInvestment": 8000,
        "netProfit": 3500.25,
        "net": 500.25,
        "cash": 500.25,
        "intradayPayin": 0,
    }
    assert found | expected == found
    assert found["pnlPercentage"] == pytest.approx(43.75, abs=0.01)
    assert found["xirrPercentage"] > 0
    assert found["xirrPeriod"] == pytest.approx(days / 365, abs=0.01)
    assert found["broker"]["name"] == ""
    held = {
        "tradingSymbol": "INFY",
        "quantity": 10,
        "ltp": 1100,
        "averagePrice": 1000,
        "currentValue": 11000,
        "pnl": 1000,
        "pnlPercentage": 10,
        "allocation": 100,
    }
    assert row | held == row
