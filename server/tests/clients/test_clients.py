"""Adding clients, and the list with live figures."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.people_of import Desk, reply_of
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both

PEOPLE = [
    {"name": "Kavya Menon", "email": "kavya@home.example", "contactNumber": "9876543210"},
    {"name": "Rohan 100% Rao", "email": "rohan@home.example"},
    {"name": "Zoya Khan", "email": "zoya_k@home.example", "countryCode": "+971"},
]


def test_clients_get_codes_in_order_from_c0001(admin: Desk) -> None:
    first = admin.post("/clients/add", {"clients": PEOPLE[:2]})
    second = admin.post("/clients/add", {"clients": PEOPLE[2:]})

    codes = [row["clientId"] for answer in (first, second) for row in answer.json()["data"]]
    assert codes == ["C0001", "C0002", "C0003"]
    assert reply_of(first) == (201, "Client created successfully")


def test_all_rows_are_added_or_none(admin: Desk) -> None:
    admin.post("/clients/add", {"clients": PEOPLE[:1]})

    answer = admin.post("/clients/add", {"clients": PEOPLE})

    assert reply_of(answer) == (409, "Row 1: Email already registered")
    assert answer.json()["errors"] == [{"field": "0.email", "message": "Email already registered"}]
    assert admin.get("/admin/clients").json()["pagination"]["totalUsers"] == 1


def test_a_wrong_row_is_named_with_its_field(admin: Desk) -> None:
    rows = [PEOPLE[0], {"name": "B", "email": "not an email"}]

    answer = admin.post("/clients/add", {"clients": rows})

    assert answer.status_code == 422
    assert answer.json()["errors"] == [
        {"field": "clients.1.email", "message": "Enter a valid email"}
    ]


def test_no_code_is_given_twice_to_clients_added_at_once(admin: Desk) -> None:
    def add(number: int) -> str:
        return admin.add_client(f"Client {number}", f"c{number}@home.example")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(16)))

    rows = admin.get("/admin/clients", limit=50).json()["data"]
    assert [row["clientId"] for row in rows] == [f"C{n:04d}" for n in range(1, 17)]


def test_a_repeat_with_the_same_key_adds_nothing_and_answers_the_same(admin: Desk) -> None:
    body = {"clients": PEOPLE[:1]}

    first = admin.post("/clients/add", body, **{"Idempotency-Key": "one"})
    again = admin.post("/clients/add", body, **{"Idempotency-Key": "one"})
    other = admin.post("/clients/add", {"clients": PEOPLE[1:]}, **{"Idempotency-Key": "one"})

    assert again.json() == first.json()
    assert again.status_code == 201
    assert again.headers["Idempotent-Replayed"] == "true"
    assert other.status_code == 422
    assert admin.get("/admin/clients").json()["pagination"]["totalUsers"] == 1


def test_the_list_searches_name_email_number_and_code_with_wildcards_literal(admin: Desk) -> None:
    admin.post("/clients/add", {"clients": PEOPLE})

    def found(query: str) -> list[str]:
        rows = admin.get("/admin/clients", query=query).json()["data"]
        return [row["clientId"] for row in rows]

    assert found("MENON") == ["C0001"]
    assert found("rohan@home") == ["C0002"]
    assert found("98765") == ["C0001"]
    assert found("c0003") == ["C0003"]
    assert found("100%") == ["C0002"]
    assert found("zoya_k") == ["C0003"]
    assert found("_") == ["C0003"]
    assert found("nobody") == []
    assert found("\\") == []
    assert found("%") == ["C0002"]
    assert found("  menon ") == ["C0001"]
    assert admin.get("/admin/clients", query="x" * 101).status_code == 422


def test_pages_are_cut_after_sorting_and_a_page_past_the_end_is_empty(admin: Desk) -> None:
    admin.post("/clients/add", {"clients": PEOPLE})

    second = admin.get("/admin/clients", page=2, limit=2, sort="-name").json()
    past = admin.get("/admin/clients", page=9, limit=2)

    assert [row["name"] for row in second["data"]] == ["Kavya Menon"]
    assert second["pagination"] == {
        "currentPage": 2, "totalPages": 2, "totalUsers": 3, "limit": 2,
    }  # fmt: skip
    assert (past.status_code, past.json()["data"]) == (200, [])


def test_figures_of_the_list_follow_holdings_and_prices(admin: Desk, database, priced) -> None:
    client_id = admin.add_client()
    give_holdings(database, client_id, {"INFY": (10, "1000"), "TCS": (2, "3000.5")}, cash="500.25")

    priced({"INFY": "1100.05", "TCS": "2900"})
    row = admin.get("/admin/clients").json()["data"][0]

    assert row["totalPortfolio"] == 10 * 1100.05 + 2 * 2900 + 500.25
    assert row["NetCashAmount"] == 500.25
    assert (row["netPnL"], row["isSincePurchase"]) == (10 * 100.05 - 2 * 100.5, True)
    assert row["isConnected"] is False


def test_the_sums_are_of_all_clients_that_match_and_the_export_of_those_chosen(
    admin: Desk, database, priced
) -> None:
    one = admin.add_client("One", "one@home.example")
    two = admin.add_client("Two", "two@home.example")
    admin.add_client("Three", "three@home.example")
    priced({"INFY": "100", "TCS": "200"})
    give_holdings(database, one, {"INFY": (10, "90")}, cash="50")
    give_holdings(database, two, {"TCS": (10, "210")})

    unknown = admin.get("/admin/clients/totals").json()["data"]
    both = admin.get("/admin/clients/totals", query="o@home").json()["data"]
    only = admin.get("/admin/clients/totals", query="C0001").json()["data"]
    file = admin.get("/admin/clients/export", format="csv", clients=[two]).text.splitlines()

    assert (unknown["clients"], unknown["totalPortfolio"]) == (3, None)
    assert (both["clients"], both["totalPortfolio"], both["netPnL"]) == (1, 2000, -100)
    assert (only["totalPortfolio"], only["NetCashAmount"], only["netPnL"]) == (1050, 50, 100)
    assert next(line for line in file if "C000" in line).startswith("C0002")
    assert not any(line.startswith(("C0001", "C0003")) for line in file)


def test_sorting_by_value_uses_the_newest_prices(admin: Desk, database, priced) -> None:
    one = admin.add_client("One", "one@home.example")
    two = admin.add_client("Two", "two@home.example")
    give_holdings(database, one, {"INFY": (10, "1000")})
    give_holdings(database, two, {"TCS": (10, "1000")})

    priced({"INFY": "100", "TCS": "200"})
    before = [r["name"] for r in admin.get("/admin/clients", sort="-totalPortfolio").json()["data"]]
    priced({"INFY": "300"})
    after = [r["name"] for r in admin.get("/admin/clients", sort="-totalPortfolio").json()["data"]]

    assert (before, after) == (["Two", "One"], ["One", "Two"])


def test_holdings_and_portfolio_show_the_figures_of_the_domain(
    admin: Desk, database, priced
) -> None:
    client_id = admin.add_client()
    give_holdings(database, client_id, {"INFY": (10, "1000"), "TCS": (5, "2000")}, cash="1000")
    priced({"INFY": "1500", "TCS": "1000"})

    holdings = admin.get(f"/admin/clients/client/{client_id}/holdings").json()
    portfolio = admin.get(f"/admin/clients/client/{client_id}/portfolio").json()["data"]

    infy = holdings["data"][0]
    assert (infy["tradingSymbol"], infy["currentValue"], infy["pnl"]) == ("INFY", 15000, 5000)
    assert (infy["pnlPercentage"], infy["allocation"]) == (50, 75)
    assert holdings["totals"] == {
        "currentValue": 20000, "invested": 20000, "pnl": 0, "pnlPercentage": 0,
    }  # fmt: skip
    assert portfolio["portfolioValue"] == 21000
    assert portfolio["net"] == portfolio["cash"] == 1000
    assert portfolio["xirrPercentage"] is None


def test_an_unknown_client_is_not_found(admin: Desk) -> None:
    path = "/admin/clients/client/01a1fb73-0392-751c-90e5-1dda4674873a"

    for part in ("profile", "portfolio", "holdings"):
        answer = admin.get(f"{path}/{part}")

        assert reply_of(answer) == (404, "Client not found")


def test_a_profile_names_the_neighbours_by_code(admin: Desk) -> None:
    ids = [row["_id"] for row in admin.post("/clients/add", {"clients": PEOPLE}).json()["data"]]

    middle = admin.get(f"/admin/clients/client/{ids[1]}/profile").json()["data"]
    last = admin.get(f"/admin/clients/client/{ids[2]}/profile").json()["data"]

    assert (middle["previousClientId"], middle["nextClientId"]) == (ids[0], ids[2])
    assert last["nextClientId"] is None
    assert middle["lastSync"] is None
    assert middle["totalPortfolio"] is None


def test_the_start_is_edited_and_the_profit_follows(admin: Desk, database, priced) -> None:
    client_id = admin.add_client()
    give_holdings(database, client_id, {"INFY": (10, "1000")}, cash="0")
    priced({"INFY": "1200"})
    path = f"/admin/clients/client/{client_id}"

    capital = admin.post(f"{path}/starting-capital", {"amount": 10000})
    start = admin.post(f"{path}/starting-date", {"startingDate": "2025-01-06"})

    assert capital.json()["data"]["pnlPercentage"] == 20
    data = start.json()["data"]
    assert (data["startedFrom"], data["totalPnL"], data["startingCapital"]) == (
        "2025-01-06", 2000, 10000,
    )  # fmt: skip
    assert data["xirrPercentage"] > 0
    assert data["totalDays"] > 300


def test_a_start_that_cannot_be_is_refused_and_changes_nothing(admin: Desk) -> None:
    path = f"/admin/clients/client/{admin.add_client()}"

    for body in ({"startingDate": "2999-01-01"}, {"startingDate": "1801-01-01"}):
        answer = admin.post(f"{path}/starting-date", body)
        assert reply_of(answer) == (422, "Please select a valid date")  # fmt: skip
    for amount in (-1, 1.005, 1e14, "much", None):
        assert admin.post(f"{path}/starting-capital", {"amount": amount}).status_code == 422
    data = admin.get(f"{path}/portfolio").json()["data"]
    assert (data["startedFrom"], data["startingCapital"]) == (None, 0)
