"""The firm at a glance."""

import datetime as dt
from decimal import Decimal

import pytest

from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tests.people_of import Desk
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both


def test_an_empty_firm_shows_zero(admin: Desk) -> None:
    assert admin.get("/admin/dashboard/stats").json()["data"] == {
        "totalClients": 0, "totalCurrentAUM": 0, "fees": 0, "totalCashHoldings": 0,
    }  # fmt: skip
    assert admin.get("/admin/dashboard/stocks-distribution").json()["data"] == []
    assert admin.get("/admin/dashboard/daily-aum").json()["data"] == []


def test_totals_and_shares_add_up_over_clients(admin: Desk, database: Database, priced) -> None:
    one = admin.add_client("One", "one@home.example")
    two = admin.add_client("Two", "two@home.example")
    give_holdings(database, one, {"INFY": (10, "900"), "TCS": (1, "500")}, cash="1000")
    give_holdings(database, two, {"INFY": (20, "950")}, cash="2000")
    priced({"INFY": "1000", "TCS": "7000"})

    stats = admin.get("/admin/dashboard/stats").json()["data"]
    rows = admin.get("/admin/dashboard/stocks-distribution").json()["data"]

    assert stats == {
        "totalClients": 2, "totalCurrentAUM": 40000, "fees": 0, "totalCashHoldings": 3000,
    }  # fmt: skip
    assert [(r["symbol"], r["totalQuantity"], r["aumPercentage"]) for r in rows] == [
        ("INFY", 30, 75),
        ("TCS", 1, 17.5),
    ]
    assert rows[0]["totalInvestedValue"] == 28000


def test_daily_aum_is_newest_first_and_can_be_cut(admin: Desk, database: Database) -> None:
    days = [dt.date(2026, 11, day) for day in (16, 17, 18)]
    with database.transaction() as session:
        portfolio.record_closes(session, [], [(day, Decimal(day.day), 1) for day in days])

    all_days = admin.get("/admin/dashboard/daily-aum").json()["data"]
    cut = admin.get("/admin/dashboard/daily-aum", **{"from": "2026-11-17", "to": "2026-11-17"})

    assert [row["date"] for row in all_days] == ["2026-11-18", "2026-11-17", "2026-11-16"]
    assert cut.json()["data"] == [{"date": "2026-11-17", "totalCurrentValue": 17}]


def test_the_stock_distribution_is_compressed_where_the_caller_accepts_it(
    admin: Desk, database: Database, priced
) -> None:
    address = "/api/v1/admin/dashboard/stocks-distribution"
    plain = {"Authorization": f"Bearer {admin.token}", "Accept-Encoding": "identity"}
    short = plain | {"Accept-Encoding": "br, gzip"}
    client = admin.add_client("One", "one@home.example")
    give_holdings(database, client, {"INFY": (10, "900")}, cash="1000")
    # One packet is not made shorter.
    assert "Content-Encoding" not in admin.web.get(address, headers=short).headers

    symbols = ("TCS", "WIPRO", "HDFCBANK", "ITC", "SBIN", "RELIANCE", "ICICIBANK", "LT", "TITAN")
    give_holdings(database, client, dict.fromkeys(symbols, (10, "900")), cash="1000")
    long = admin.web.get(address, headers=plain)
    packed = admin.web.get(address, headers=short)

    assert "Content-Encoding" not in long.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.json() == long.json()
    assert int(packed.headers["Content-Length"]) < len(long.content) / 2
    assert packed.headers["ETag"] != long.headers["ETag"]
    assert {long.headers["Vary"], packed.headers["Vary"]} == {"Accept-Encoding"}
    for form, answer in ((plain, long), (short, packed)):
        known = form | {"If-None-Match": answer.headers["ETag"]}
        assert admin.web.get(address, headers=known).status_code == 304

    priced({"TCS": "1000"})
    moved = admin.web.get(address, headers=short | {"If-None-Match": packed.headers["ETag"]})
    assert moved.status_code == 200
    assert moved.json() != packed.json()
    assert moved.json() == admin.web.get(address, headers=plain).json()
