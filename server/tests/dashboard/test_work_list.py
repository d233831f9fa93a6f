"""The work list: one line for each thing to do, with the figure of the screen that it leads to."""

import datetime as dt
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from sqlalchemy import insert, select

from tarazu.advice.tables import Advice
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Mail
from tarazu.people.tables import Person
from tarazu.sync.tables import BrokerLine, ClientSync, Outcome, QuantityChange
from tests.fees.desks import add_fee, period
from tests.models_of import Bench, bench
from tests.people_of import Desk, new_key, set_up_firm
from tests.portfolio.books import give_holdings

__all__ = ["bench"]

pytestmark = pytest.mark.on_both

NOT_CONNECTED = {"SESSION", "SYNC", "PRICES"}
"""What is wrong with every client of these tests: no log-in, and no prices of today."""
READINESS = {"/home/readiness": "/admin/readiness", "/home/models/drift": "/admin/models/drift",
             "/home/fees": "/fees", "/home/dashboard": "/admin/advice/undelivered"}  # fmt: skip
FILTERS = {"show": "problem", "outside": "outsideTolerance", "due": "due"}


def lines_of(desk: Desk) -> dict[str, dict[str, Any]]:
    """The lines by kind, without those that all clients of these tests have."""
    answer = desk.get("/admin/dashboard/work")
    assert answer.status_code == 200, answer.text
    rows = answer.json()["data"]
    return {row["kind"]: row for row in rows if row["kind"] not in NOT_CONNECTED}


def listed(desk: Desk, line: dict[str, Any]) -> int:
    """How many rows the screen lists to which a line leads."""
    address = urlsplit(line["to"])
    filters = {FILTERS[name]: value for name, value in parse_qsl(address.query) if name in FILTERS}
    answer = desk.get(READINESS[address.path], **filters)
    assert answer.status_code == 200, answer.text
    return int(answer.json()["pagination"]["totalUsers"])


def test_a_firm_with_nothing_to_do_has_an_empty_list(admin: Desk) -> None:
    set_up_firm(admin)

    assert admin.get("/admin/dashboard/work").json()["data"] == []


def test_what_blocks_every_send_comes_first_with_the_setting_that_ends_it(admin: Desk) -> None:
    admin.add_client()

    rows = admin.get("/admin/dashboard/work").json()["data"]

    assert [(row["kind"], row["to"]) for row in rows][:2] == [
        ("BLOCKED", "/home/settings?section=firm"),
        ("BLOCKED", "/home/settings?section=disclosures"),
    ]
    assert rows[1]["text"].startswith("check blocks every send: The firm's disclosure questions")


def test_a_client_without_log_in_and_holdings_is_counted_once_in_each_line(admin: Desk) -> None:
    set_up_firm(admin)
    admin.add_client()

    rows = admin.get("/admin/dashboard/work").json()["data"]

    assert [(row["kind"], row["count"], row["text"]) for row in rows] == [
        ("SESSION", 1, "client is not logged in to the broker"),
        ("SYNC", 1, "client has stale holdings"),
    ]
    assert [listed(admin, row) for row in rows] == [1, 1]


def test_stale_prices_are_counted_as_readiness_counts_them(admin: Desk, database: Database) -> None:
    set_up_firm(admin)
    give_holdings(database, admin.add_client(), {"INFY": (10, "1500")})

    rows = admin.get("/admin/dashboard/work").json()["data"]

    (line,) = [row for row in rows if row["kind"] == "PRICES"]
    assert (line["count"], listed(admin, line)) == (1, 1)


def synced(client_id: str, **columns: Any) -> dict[str, Any]:
    """A row of `ClientSync` of a reading that went well, but for these columns."""
    zero = dict.fromkeys(
        ("net", "collateral", "ledger_net", "ledger_traded", "ledger_turnover"), Decimal(0)
    )
    now = clock.now()
    return {
        "client_id": uuid.UUID(client_id), "broker": "ZERODHA", "outcome": Outcome.DONE,
        "reason": "", "tried_at": now, "synced_at": now, "emptied_times": 0, "left_out": "",
        **zero, **columns,
    }  # fmt: skip


def unknown_stock(client_id: str) -> dict[str, Any]:
    parts = dict.fromkeys(("token", "free", "t1", "pledged", "today", "margin_funded"), 0)
    return {
        "client_id": uuid.UUID(client_id), "exchange": "NSE", "symbol": "NOSUCHCO", "isin": "",
        "instrument_id": None, "average_price": Decimal(1), "is_doubted": False, **parts,
    }  # fmt: skip


def unexplained_change(client_id: str) -> dict[str, Any]:
    return {
        "id": uuid.uuid4(), "client_id": uuid.UUID(client_id), "exchange": "NSE", "symbol": "INFY",
        "isin": "", "before": 1, "after": 2, "ordered": 0, "average_before": Decimal(1),
        "average_after": Decimal(1), "hint": "", "found_at": clock.now(),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "table", "row_of"),
    [
        ("LEFT_OUT", ClientSync, lambda key: synced(key, left_out="Row 3: no quantity.")),
        ("UNMAPPED", BrokerLine, unknown_stock),
        ("CHANGES", QuantityChange, unexplained_change),
        (
            "MONEY",
            ClientSync,
            lambda key: synced(key, net=Decimal(90_000), ledger_at=clock.now()),
        ),
    ],
)
def test_what_readiness_finds_has_its_line(
    admin: Desk, database: Database, kind: str, table: Any, row_of: Callable[[str], dict[str, Any]]
) -> None:
    set_up_firm(admin)
    wrong, _fine = admin.add_client(), admin.add_client("Omkar Rao", "omkar@home.example")
    assert lines_of(admin) == {}
    with database.transaction() as session:
        session.execute(insert(table), [row_of(wrong)])

    lines = lines_of(admin)

    assert lines.keys() == {kind}
    assert (lines[kind]["count"], listed(admin, lines[kind])) == (1, 1)


def test_clients_outside_the_tolerance_are_counted_until_it_is_wide_enough(bench: Bench) -> None:
    assert lines_of(bench.desk) == {}
    bench.client("Asha Rao", {"INFY": 200, "TCS": 83, "RELIANCE": 200, "ITC": 365}, "50000")
    away = bench.client("Binod Sen", {"INFY": 190, "TCS": 90, "RELIANCE": 200, "ITC": 365}, "50000")
    far = bench.client("Chitra Das", {"SBIN": 1000})
    bench.desk.put("/clients/edit", {"id": bench.client("Dev", {}, "500"), "status": "INACTIVE"})

    line = lines_of(bench.desk)["DRIFT"]
    rows = bench.desk.get("/admin/models/drift", outsideTolerance=True).json()["data"]

    assert (line["count"], line["text"]) == (2, "clients have drifted outside the tolerance")
    assert [row["_id"] for row in rows] == [far, away]
    assert listed(bench.desk, line) == 2

    limits = {"holdingsDays": 20, "priceMinutes": 30, "tolerancePercentage": 20, "version": 1}
    assert bench.desk.put("/admin/book-limits", limits).status_code == 200
    line = lines_of(bench.desk)["DRIFT"]
    assert (line["count"], line["text"]) == (1, "client has drifted outside the tolerance")
    assert listed(bench.desk, line) == 1


def test_drift_follows_prices_holdings_subscribers_versions_and_restrictions(bench: Bench) -> None:
    def largest() -> list[tuple[float | None, str]]:
        rows = bench.desk.get("/admin/models/drift").json()["data"]
        return [(row["maxDrift"], row["maxDriftSymbol"]) for row in rows]

    # 30 % INFY, 25 % TCS, 25 % RELIANCE, 15 % ITC and 5 % cash of 1,00,000.
    client = bench.client("Asha Rao", {"INFY": 20}, "70000")
    assert largest() == [(65, "CASH")]
    bench.priced({"INFY": "3500"})
    assert largest() == [(45, "CASH")]
    bench.hold(client, {"SBIN": 125}, "0")
    assert largest() == [(100, "SBIN")]
    bench.restrict(client, {"tradingSymbol": "SBIN", "kind": "LOCKED"})
    assert largest() == [(0, "INFY")]
    bench.follow(client, amount=50_000)
    assert largest() == [(-100, "CASH")]
    bench.desk.put(
        f"/admin/models/{bench.model['_id']}/subscribers", {"add": [], "remove": [client]}
    )
    assert largest() == []
    assert "DRIFT" not in lines_of(bench.desk)


def test_due_and_overdue_fees_have_a_line_each(admin: Desk) -> None:
    set_up_firm(admin)
    today = clock.today()
    names = ("Asha Rao", "Binod Sen", "Chitra Das")
    late, soon, paid = (admin.add_client(name, f"{name[0]}@home.example") for name in names)
    for client_id, days in ((late, -1), (soon, 0), (paid, -5)):
        due_on = (today + dt.timedelta(days=days)).isoformat()
        fee = add_fee(admin, client_id, period(100_000, 150_000) | {"dueDate": due_on})
        if client_id == paid:
            path = f"/admin/clients/client/{client_id}/fees"
            body = {"feeId": fee["_id"], "status": "PAID", "paidDate": today.isoformat()}
            assert admin.put(path, body).status_code == 200

    lines = lines_of(admin)

    assert {kind: line["count"] for kind, line in lines.items()} == {"OVERDUE": 1, "DUE": 1}
    for kind, client_id in (("OVERDUE", late), ("DUE", soon)):
        rows = admin.get("/fees", due=kind).json()["data"]
        assert [row["_id"] for row in rows] == [client_id]
        assert listed(admin, lines[kind]) == 1
    assert admin.get("/fees", due="SOMETIME").status_code == 422


def test_a_letter_that_failed_is_listed_until_it_is_sent_again(
    admin: Desk, database: Database
) -> None:
    set_up_firm(admin)
    client_id, gone = admin.add_client(), admin.add_client("Omkar Rao", "omkar@home.example")
    advice_id, _ = (failed_advice(database, each) for each in (client_id, gone))
    assert admin.post("/clients/delete", {"clientId": gone}).status_code == 200

    line = lines_of(admin)["UNDELIVERED"]
    (row,) = admin.get("/admin/advice/undelivered").json()["data"]

    assert (line["count"], line["text"]) == (1, "letter could not be delivered")
    assert listed(admin, line) == 1
    assert (row["_id"], row["userId"], row["clientId"]) == (str(advice_id), client_id, "C0001")
    assert (row["name"], row["error"]) == ("Kavya Menon", "The mail server refused the address.")
    answer = admin.post(f"/admin/advice/{advice_id}/resend", **new_key())
    assert answer.status_code == 200, answer.text
    assert lines_of(admin) == {}


def test_the_callers_own_unsent_drafts_are_counted_and_listed(admin: Desk, user: Desk) -> None:
    set_up_firm(admin)
    kept, gone = admin.add_client(), admin.add_client("Omkar Rao", "omkar@home.example")
    for client_id in (kept, gone):
        saved = admin.put(
            f"/admin/advice/drafts/{client_id}", {"schemaVersion": 1, "content": {"rows": []}}
        )
        assert saved.status_code == 200, saved.text
    assert admin.post("/clients/delete", {"clientId": gone}).status_code == 200

    line = lines_of(admin)["DRAFTS"]
    rows = admin.get("/admin/advice/drafts").json()["data"]

    assert (line["count"], line["text"]) == (1, "advice draft is not sent")
    assert line["to"] == "/home/dashboard?drafts=true"
    assert [row["userId"] for row in rows] == [kept]
    assert "DRAFTS" not in lines_of(user)


def failed_advice(database: Database, client_id: str) -> uuid.UUID:
    """An advice whose mail was given up."""
    now, mail_id, advice_id = clock.now(), uuid.uuid4(), uuid.uuid4()
    mail = {
        "id": mail_id, "recipient": "kavya@home.example", "subject": "", "text": "", "html": "",
        "message_id": str(mail_id), "status": Delivery.FAILED, "attempts": 9, "queued_at": now,
        "finished_at": now, "error": "The mail server refused the address.",
    }  # fmt: skip
    with database.transaction() as session:
        sender = session.execute(select(Person.id).where(Person.role == "ADMIN")).scalar_one()
        amounts = ("total_invested_value", "total_buy_value", "total_sell_value")
        advice = {
            "id": advice_id, "client_id": uuid.UUID(client_id), "account_id": sender,
            "created_at": now, "total_stocks": 1, "rationale": "", "mail_id": mail_id,
            **dict.fromkeys(amounts, Decimal(0)),
        }  # fmt: skip
        session.execute(insert(Mail), [mail])
        session.execute(insert(Advice), [advice])
    return advice_id


def test_a_client_sees_no_work_list_and_a_user_does(admin: Desk, user: Desk) -> None:
    set_up_firm(admin)

    assert user.get("/admin/dashboard/work").status_code == 200
    assert Desk(admin.web, "").get("/admin/dashboard/work").status_code == 401
