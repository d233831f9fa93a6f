"""The fields that the calls of every screen answer."""

import datetime as dt
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.people_of import ADMIN, Desk
from tests.portfolio.books import give_holdings


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
        "isFirstTimeLogin": False, "isSecondFactorDue": False, "teams": None,
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


@pytest.mark.on_both(suite="long")
def test_a_clients_profile_has_its_fields(admin: Desk, client_id: str) -> None:
    data = admin.get(f"/admin/clients/client/{client_id}/profile").json()["data"]

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
    assert data | expected == data
    synced = clock.now() - dt.datetime.fromisoformat(data["lastSync"])
    assert dt.timedelta(0) <= synced < dt.timedelta(minutes=5)


def test_a_portfolio_and_its_holdings_have_their_fields(admin: Desk, client_id: str) -> None:
    path = f"/admin/clients/client/{client_id}"
    days = (clock.today() - dt.date(2026, 4, 1)).days

    data = admin.get(f"{path}/portfolio").json()["data"]
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
    assert data | expected == data
    assert data["pnlPercentage"] == pytest.approx(43.75, abs=0.01)
    assert data["xirrPercentage"] > 0
    assert data["xirrPeriod"] == pytest.approx(days / 365, abs=0.01)
    assert data["broker"]["name"] == ""
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
