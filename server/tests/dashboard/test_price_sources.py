"""Where prices in use came from, how old they are, and that nothing hides it."""

import datetime as dt
from collections.abc import Callable

import pytest
from sqlalchemy import text

from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tests.imports.bhavcopies import udiff
from tests.imports.files import INFY, TCS
from tests.people_of import Desk, data_of
from tests.portfolio.books import give_holdings
from tests.rows_of import run

pytestmark = pytest.mark.on_both

SHIPPED_AT = "2026-08-21T10:00:00Z"
EVENING = dt.datetime(2026, 11, 20, 18, 30, tzinfo=INDIA)


@pytest.fixture(autouse=True)
def _friday_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: EVENING.astimezone(dt.UTC))


@pytest.fixture
def client_id(admin: Desk, database: Database) -> str:
    found = admin.add_client()
    give_holdings(database, found, {"INFY": (10, "1500"), "TCS": (2, "3000"), "ITC": (5, "400")})
    return found


def test_each_source_is_counted_and_the_stale_stocks_are_named_oldest_first(
    admin: Desk, client_id: str, priced: Callable[[dict[str, str]], None]
) -> None:
    priced({"ITC": "410"})
    file = udiff(("INFY", "EQ", INFY, "1612.40"))
    assert admin.upload("/admin/imports/prices", "b.csv", file, dryRun="false").status_code == 200

    data = admin.get("/admin/prices/sources").json()["data"]

    assert (data["stocks"], data["staleCount"]) == (3, 1)
    by_source = {row["source"]: row for row in data["sources"]}
    assert by_source["CLOSE"] == {
        "source": "CLOSE", "stocks": 1, "stale": 1,
        "newestAt": SHIPPED_AT, "oldestAt": SHIPPED_AT,
    }  # fmt: skip
    assert (by_source["NSE_FILE"]["stocks"], by_source["NSE_FILE"]["stale"]) == (1, 0)
    assert (by_source["SIMULATED"]["stocks"], by_source["SIMULATED"]["stale"]) == (1, 0)
    assert [(row["symbol"], row["isHeld"]) for row in data["stale"]] == [("TCS", True)]


def test_a_stock_that_was_never_priced_is_named_first(
    admin: Desk, client_id: str, database: Database
) -> None:
    with database.transaction() as session:
        session.execute(text("UPDATE instruments SET reference_close = 0 WHERE symbol = 'TCS'"))
        session.execute(text("DELETE FROM last_prices"))

    data = admin.get("/admin/prices/sources").json()["data"]

    assert data["stale"][0]["symbol"] == "TCS"
    assert (data["stale"][0]["price"], data["stale"][0]["source"]) == (None, None)
    assert {row["source"] for row in data["sources"]} == {None, "CLOSE"}


def test_shipped_closes_are_stale_with_their_day_wherever_a_price_is_used(
    admin: Desk, client_id: str
) -> None:
    path = f"/admin/clients/client/{client_id}"
    holdings = admin.get(f"{path}/holdings").json()
    portfolio = admin.get(f"{path}/portfolio").json()["data"]
    (row,) = admin.get("/admin/clients").json()["data"]
    shares = admin.get("/admin/dashboard/stocks-distribution").json()["data"]
    to_advise = admin.get("/admin/advice/clients/by-code/C0001/holdings").json()["data"]

    assert holdings["stale"] == ["INFY", "ITC", "TCS"]
    assert {row["pricedAt"] for row in holdings["data"]} == {SHIPPED_AT}
    assert (portfolio["stalePrices"], portfolio["oldestStaleAt"]) == (3, SHIPPED_AT)
    assert portfolio["staleSources"] == ["CLOSE"]
    assert row["staleSince"] == SHIPPED_AT
    assert {(share["staleAt"], share["staleSource"]) for share in shares} == {(SHIPPED_AT, "CLOSE")}
    assert all(holding["isPriceStale"] for holding in to_advise["holdings"])


def test_fresh_prices_are_stale_nowhere(
    admin: Desk, client_id: str, priced: Callable[[dict[str, str]], None]
) -> None:
    priced({"INFY": "1600", "TCS": "3300", "ITC": "410"})

    path = f"/admin/clients/client/{client_id}"
    holdings = admin.get(f"{path}/holdings").json()
    portfolio = admin.get(f"{path}/portfolio").json()["data"]
    (row,) = admin.get("/admin/clients").json()["data"]
    shares = admin.get("/admin/dashboard/stocks-distribution").json()["data"]

    assert (holdings["stale"], portfolio["stalePrices"], row["staleSince"]) == ([], 0, None)
    assert {share["staleAt"] for share in shares} == {None}


def test_a_rebalance_names_its_stale_stocks(
    admin: Desk, client_id: str, priced: Callable[[dict[str, str]], None]
) -> None:
    priced({"INFY": "1600"})
    targets = [
        {"tradingSymbol": "INFY", "allocationPercentage": 50},
        {"tradingSymbol": "TCS", "allocationPercentage": 50},
    ]
    body = {"clientId": client_id, "targetInvestmentValue": 20000, "targetHoldings": targets}

    answer = admin.post("/admin/advice/rebalance-portfolio", body).json()

    assert answer["priceSource"]["stale"] == ["TCS", "ITC"]
    stale = {row["symbol"]: (row["isPriceStale"], row["priceAt"]) for row in answer["data"]}
    assert stale["TCS"] == (True, SHIPPED_AT)
    assert stale["INFY"][0] is False


# ---------------------------------------------------------------------- splits that nobody recorded


def shares(admin: Desk, client_id: str, content: bytes) -> None:
    answer = admin.upload(
        "/admin/clients/import", "holdings.csv", content, dryRun="false", clientId=client_id
    )
    assert answer.status_code == 200, answer.text


def held(admin: Desk, client_id: str) -> dict[str, dict[str, object]]:
    rows = admin.get(f"/admin/clients/client/{client_id}/holdings").json()["data"]
    return {row["tradingSymbol"]: row for row in rows}


def firm_file(*rows: str) -> bytes:
    header = "client_code,exchange,symbol,isin,quantity,average_price,cash"
    return "\n".join([header, *rows, ""]).encode()


def close_at(admin: Desk, price: str, day: str = "2026-11-20") -> dict[str, object]:
    file = udiff(("TCS", "EQ", TCS, price), day=day)
    return dict(data_of(admin.upload("/admin/imports/prices", "b.csv", file, dryRun="false")))


def test_shares_that_grow_by_a_split_are_doubted_until_a_newer_price_comes(
    admin: Desk, client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    close_at(admin, "3200", "2026-11-19")

    shares(admin, client_id, firm_file("C0001,NSE,TCS,,10,600,"))

    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"], tcs["pnlPercentage"]) == (True, None, None)
    answer = admin.get(f"/admin/clients/client/{client_id}/holdings").json()
    assert (answer["totals"]["pnl"], answer["totals"]["pnlPercentage"]) == (None, None)
    portfolio = admin.get(f"/admin/clients/client/{client_id}/portfolio").json()["data"]
    assert portfolio["actionSuspected"] == ["TCS"]
    shared = admin.get("/admin/dashboard/stocks-distribution").json()["data"]
    assert {one["symbol"] for one in shared if one["actionSuspected"]} == {"TCS"}

    report = close_at(admin, "641")

    assert report["rows"][0]["actionSuspected"] is True  # type: ignore[index]
    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"]) == (False, 410)


def test_a_price_that_falls_as_in_a_split_is_doubted_until_the_shares_grow(
    admin: Desk, client_id: str, database: Database
) -> None:
    run(database, text("UPDATE accounts SET synced_at = '2026-11-18 10:00:00+00:00'"))
    close_at(admin, "3200", "2026-11-19")
    assert held(admin, client_id)["TCS"]["actionSuspected"] is False

    close_at(admin, "641")

    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"], tcs["currentValue"]) == (True, None, 1282)
    shares(admin, client_id, firm_file("C0001,NSE,TCS,,10,600,"))
    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"]) == (False, 410)


def test_holdings_read_a_week_after_the_price_moved_are_believed(
    admin: Desk, client_id: str, database: Database
) -> None:
    run(database, text("UPDATE accounts SET synced_at = '2026-11-10 10:00:00+00:00'"))
    close_at(admin, "3200", "2026-11-12")
    close_at(admin, "1605", "2026-11-13")
    assert held(admin, client_id)["TCS"]["actionSuspected"] is True

    shares(admin, client_id, firm_file("C0001,NSE,TCS,,2,3000,"))

    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"]) == (False, -2790)


def test_a_purchase_that_doubles_the_shares_is_no_action(admin: Desk, client_id: str) -> None:
    shares(admin, client_id, firm_file("C0001,NSE,TCS,,4,3100,"))

    tcs = held(admin, client_id)["TCS"]
    assert (tcs["actionSuspected"], tcs["pnl"] is None) == (False, False)
