"""The sample client: on every screen, marked, and in no figure of the firm."""

import pytest

from tarazu.kit.db import Database
from tests.fees.desks import period
from tests.people_of import Desk, data_of, new_key, reply_of
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both
REFUSED = (
    "This is the sample client: it gets no advice, no fees, no model and no broker. "
    "Add a client of your own."
)


def load(desk: Desk) -> str:
    answer = data_of(desk.post("/admin/clients/sample", **new_key()), 201)
    assert answer["clientId"] == "C0000"
    return str(answer["_id"])


def listed(desk: Desk) -> list[tuple[str, str]]:
    rows = data_of(desk.get("/admin/clients"))
    return [(row["clientId"], row["status"]) for row in rows]


def test_it_is_listed_with_holdings_and_cash_and_marked(admin: Desk) -> None:
    client_id = load(admin)

    assert listed(admin) == [("C0000", "SAMPLE")]
    portfolio = data_of(admin.get(f"/admin/clients/client/{client_id}/portfolio"))
    assert portfolio["cash"] == 85_000
    rows = data_of(admin.get(f"/admin/clients/client/{client_id}/holdings"))
    held = {row["tradingSymbol"] for row in rows}
    assert {"RELIANCE", "INFY", "TITAN"} <= held


def test_it_counts_in_no_figure_of_the_firm(admin: Desk, database: Database) -> None:
    own = admin.add_client()
    give_holdings(database, own, {"INFY": (10, "1500")})
    before = {path: data_of(admin.get(path)) for path in FIGURES}

    load(admin)

    assert {path: data_of(admin.get(path)) for path in FIGURES} == before


FIGURES = (
    "/admin/dashboard/stats",
    "/admin/dashboard/stocks-distribution",
    "/admin/dashboard/work",
    "/admin/dashboard/setup",
    "/admin/clients/totals",
    "/fees",
    "/admin/readiness",
)


def test_it_takes_no_code_of_a_client(admin: Desk) -> None:
    load(admin)
    admin.add_client()

    assert listed(admin) == [("C0000", "SAMPLE"), ("C0001", "ACTIVE")]


def test_it_keeps_its_status_and_no_other_client_or_user_gets_it(admin: Desk, user: Desk) -> None:
    sample, own = load(admin), admin.add_client()
    staff = data_of(admin.get("/users"))

    for path, record, status in (
        ("/clients/edit", sample, "ACTIVE"),
        ("/clients/edit", sample, "INACTIVE"),
        ("/clients/edit", own, "SAMPLE"),
        ("/users/edit", staff[0]["_id"], "SAMPLE"),
    ):
        answer = admin.put(path, {"id": record, "status": status})
        assert reply_of(answer) == (
            409,
            "Only the sample client has the status SAMPLE, and it keeps it.",
        )
    renamed = admin.put("/clients/edit", {"id": sample, "status": "SAMPLE", "name": "Try Me"})
    assert data_of(renamed)["name"] == "Try Me"


def test_what_would_count_it_is_refused(admin: Desk) -> None:
    client_id = load(admin)
    at = f"/admin/clients/client/{client_id}"
    for path, body in (
        (f"{at}/fees", period(100_000, 120_000)),
        (f"{at}/connect-link", {"send": False}),
    ):
        assert reply_of(admin.post(path, body)) == (409, REFUSED)
    file = b"client_code,exchange,symbol,isin,quantity,average_price,cash\nC0000,NSE,INFY,,1,100,\n"
    checked = data_of(admin.upload("/admin/clients/import", "firm.csv", file, dryRun="true"))
    assert checked["refused"][0]["reason"] == (
        "C0000 is the sample client; files are for clients of your own."
    )


def test_removed_and_loaded_again_it_is_the_same(admin: Desk) -> None:
    client_id = load(admin)
    assert load(admin) == client_id

    admin.post("/clients/delete", {"clientId": client_id})
    assert listed(admin) == []

    assert load(admin) == client_id
    assert listed(admin) == [("C0000", "SAMPLE")]
