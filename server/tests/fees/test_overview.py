"""The Fees screen's rows and sums, and the yearly limit of a family."""

import datetime as dt
from typing import Any

import pytest

from tarazu.domain.fees import financial_year_of
from tests.fees.desks import add_fee, earnings, fees_path, period
from tests.people_of import Desk

pytestmark = pytest.mark.on_both


def charge(
    desk: Desk,
    client_id: str,
    fee: int,
    due: str,
    paid: str | None = None,
    final: str = "",
    start: str = "",
) -> str:
    """A fee of so many rupees, paid on a day or due; its id.

    Its period ends on `final`, or early in the financial year of the due date, on a day that no
    other fee of the client covers; it lasts a day unless `start` is given.
    """
    before = dt.timedelta(days=len(desk.get(fees_path(client_id)).json()["data"]))
    year = financial_year_of(dt.date.fromisoformat(due))
    ends = str(dt.date.fromisoformat(final) - before if final else year + before)
    days = {"startingDate": start or ends, "dueDate": due, "finalDate": ends}
    body = period(1_000_000, 1_000_000 + fee * 5) | days
    row = add_fee(desk, client_id, body)
    if paid:
        settled = {"feeId": row["_id"], "status": "PAID", "paidDate": paid}
        assert desk.put(fees_path(client_id), settled).status_code == 200
    return str(row["_id"])


def put_in_family(desk: Desk, client_id: str, word: str) -> None:
    answer = desk.put("/clients/edit", {"id": client_id, "family": word})
    assert answer.status_code == 200, answer.text


def test_the_overview_has_a_row_for_each_client_with_fees(admin: Desk) -> None:
    kavya = admin.add_client()
    admin.add_client("No Fees", "none@home.example")
    rohan = admin.add_client("Rohan Rao", "rohan@home.example")
    charge(admin, kavya, 10_000, "2026-06-30", paid="2026-06-20")
    charge(admin, kavya, 20_000, "2026-07-31", paid="2026-08-02")
    charge(admin, kavya, 5_000, "2026-12-31")
    charge(admin, kavya, 7_000, "2026-10-31")
    charge(admin, rohan, 4_000, "2026-05-31", paid="2026-05-30")

    answer = admin.get("/fees").json()
    stats = admin.get("/fees/stats").json()["data"]

    assert answer["data"] == [
        {
            "_id": kavya,
            "clientId": "C0001",
            "userName": "Kavya Menon",
            "totalFees": 42_000,
            "totalDue": 12_000,
            "dueDate": "2026-10-31",
            "totalPaid": 30_000,
            "paidDate": "2026-08-02",
            "status": "DUE",
            "overLimit": False,
            "limit": None,
            "flowsChanged": [],
        },
        {
            "_id": rohan,
            "clientId": "C0003",
            "userName": "Rohan Rao",
            "totalFees": 4_000,
            "totalDue": 0,
            "dueDate": None,
            "totalPaid": 4_000,
            "paidDate": "2026-05-30",
            "status": "PAID",
            "overLimit": False,
            "limit": None,
            "flowsChanged": [],
        },
    ]
    assert answer["pagination"]["totalUsers"] == 2
    assert stats == {"totalFees": 46_000, "totalPaid": 34_000, "totalDue": 12_000}
    assert earnings(admin) == 34_000


def test_an_empty_firm_has_no_fees(admin: Desk) -> None:
    assert admin.get("/fees").json()["data"] == []
    assert admin.get("/fees/stats").json()["data"] == {
        "totalFees": 0, "totalPaid": 0, "totalDue": 0,
    }  # fmt: skip


def test_a_fee_of_nothing_is_never_what_falls_due(admin: Desk) -> None:
    kavya = admin.add_client()
    charge(admin, kavya, 0, "2026-01-31")
    charge(admin, kavya, 5_000, "2026-12-31", paid="2026-10-01")

    row = admin.get("/fees").json()["data"][0]

    assert (row["status"], row["dueDate"], row["totalDue"]) == ("PAID", None, 0)


def test_the_overview_is_searched_sorted_and_paged(admin: Desk) -> None:
    names = {"Asha Rao": 3_000, "Meera Nair": 1_000, "Ravi Iyer": 2_000}
    for number, (name, fee) in enumerate(names.items()):
        client_id = admin.add_client(name, f"{number}@home.example")
        paid = "2026-06-01" if name == "Ravi Iyer" else None
        charge(admin, client_id, fee, f"2026-1{number}-01", paid=paid)

    def listed(**asked: Any) -> list[str]:
        rows = admin.get("/fees", **asked).json()["data"]
        return [row["userName"].split()[0] for row in rows]

    assert listed() == ["Asha", "Meera", "Ravi"]
    assert listed(query="NAIR") == ["Meera"]
    assert listed(query="%") == []
    assert listed(sort="totalFees") == ["Meera", "Ravi", "Asha"]
    assert listed(sort="-totalFees") == ["Asha", "Ravi", "Meera"]
    assert listed(sort="-userName") == ["Ravi", "Meera", "Asha"]
    assert listed(sort="dueDate") == ["Asha", "Meera", "Ravi"]
    assert listed(sort="-dueDate") == ["Meera", "Asha", "Ravi"]
    assert listed(sort="-paidDate") == ["Ravi", "Asha", "Meera"]
    assert listed(sort="nonsense") == ["Asha", "Meera", "Ravi"]
    assert listed(page=2, limit=2) == ["Ravi"]
    assert listed(page=9, limit=2) == []


def test_the_payment_history_shows_who_paid_in_these_days(admin: Desk) -> None:
    kavya = admin.add_client()
    rohan = admin.add_client("Rohan Rao", "rohan@home.example")
    charge(admin, kavya, 10_000, "2026-06-30", paid="2026-06-20")
    charge(admin, kavya, 20_000, "2026-07-31", paid="2026-08-02")
    charge(admin, rohan, 4_000, "2026-05-31", paid="2026-05-30")

    def paid(since: str, until: str) -> list[tuple[str, str, float]]:
        rows = admin.get("/fees", **{"from": since, "to": until}).json()["data"]
        return [(row["userName"], row["paidDate"], row["totalPaid"]) for row in rows]

    assert paid("2026-06-01", "2026-06-30") == [("Kavya Menon", "2026-06-20", 30_000)]
    assert paid("2026-05-30", "2026-08-02") == [
        ("Kavya Menon", "2026-08-02", 30_000), ("Rohan Rao", "2026-05-30", 4_000),
    ]  # fmt: skip
    assert paid("2026-09-01", "2026-09-30") == []
    assert admin.get("/fees", **{"from": "soon"}).status_code == 422


def test_a_fee_that_passes_the_yearly_limit_is_saved_and_flagged_with_the_arithmetic(
    admin: Desk,
) -> None:
    kavya = admin.add_client()
    charge(admin, kavya, 100_000, "2026-06-30", final="2026-05-31")
    charge(admin, kavya, 90_000, "2026-03-31", final="2025-05-31")
    charge(admin, kavya, 60_000, "2027-01-31", final="2026-12-31")

    rows = admin.get(fees_path(kavya)).json()["data"]
    overview = admin.get("/fees").json()["data"][0]

    arithmetic = {
        "yearFrom": "2025-12-30", "until": "2026-12-29", "fee": 60_000, "familyFees": 160_000,
        "yearlyLimit": 151_000, "excess": 9_000,
    }  # fmt: skip
    assert [(row["fees"], row["overLimit"], row["limit"]) for row in rows] == [
        (60_000, True, arithmetic),
        (100_000, False, None),
        (90_000, False, None),
    ]
    assert (overview["overLimit"], overview["limit"]) == (True, arithmetic)


def test_the_fees_of_a_family_count_together(admin: Desk) -> None:
    kavya = admin.add_client()
    rohan = admin.add_client("Rohan Menon", "rohan@home.example")
    other = admin.add_client("Other", "other@home.example")
    put_in_family(admin, kavya, "Menon")
    put_in_family(admin, rohan, "Menon")
    first = charge(admin, kavya, 100_000, "2026-06-30", final="2026-05-31")
    charge(admin, rohan, 60_000, "2026-06-30", final="2026-05-31")
    charge(admin, other, 100_000, "2026-06-30", final="2026-05-31")

    def flagged() -> list[str]:
        return [row["userName"] for row in admin.get("/fees").json()["data"] if row["overLimit"]]

    assert flagged() == ["Rohan Menon"]
    admin.post(f"{fees_path(kavya)}/delete", {"feeId": first})
    assert flagged() == []
    admin.post(f"/admin/fees/{first}/restore")
    assert flagged() == ["Rohan Menon"]
    put_in_family(admin, kavya, "")
    assert flagged() == []
    put_in_family(admin, other, "Menon")
    assert flagged() == ["Other"]


def test_only_the_fees_of_individuals_and_hufs_count(admin: Desk) -> None:
    kavya, company = admin.add_client(), admin.add_client("Menon Trading", "mt@home.example")
    for client_id in (kavya, company):
        put_in_family(admin, client_id, "Menon")
    charge(admin, company, 160_000, "2026-06-30", final="2026-05-31")
    charge(admin, kavya, 60_000, "2026-06-30", final="2026-05-31")

    def flagged() -> set[str]:
        rows = admin.get("/fees").json()["data"]
        return {row["userName"] for row in rows if row["overLimit"]}

    def make(client_id: str, kind: str) -> None:
        edited = admin.put("/clients/edit", {"id": client_id, "kind": kind})
        assert edited.status_code == 200

    assert flagged() == {"Menon Trading", "Kavya Menon"}
    make(company, "OTHER")
    assert flagged() == set()
    make(company, "HUF")
    assert flagged() == {"Menon Trading", "Kavya Menon"}
    make(kavya, "OTHER")
    assert flagged() == {"Menon Trading"}


def test_the_fees_of_an_accredited_investor_count_outside_the_certificate_alone(
    admin: Desk,
) -> None:
    kavya = admin.add_client()
    charge(admin, kavya, 160_000, "2026-06-30", final="2026-05-31")

    def flagged(first: str | None, last: str | None) -> bool:
        days = {"accreditedFrom": first, "accreditedUntil": last}
        assert admin.put("/clients/edit", {"id": kavya} | days).status_code == 200
        return bool(admin.get("/fees").json()["data"][0]["overLimit"])

    assert flagged(None, None)
    assert not flagged("2026-05-31", "2028-05-30")
    assert flagged("2026-06-01", "2028-05-31")
    assert flagged("2024-05-30", "2026-05-30")
    # With one day alone nobody knows whether it covers the fee.
    assert flagged(None, "2028-05-30")


def test_closing_a_period_in_another_year_takes_the_flag_away(admin: Desk) -> None:
    kavya = admin.add_client()
    charge(admin, kavya, 100_000, "2026-06-30", final="2026-05-31")
    second = charge(admin, kavya, 60_000, "2026-06-30", final="2026-05-31", start="2025-05-01")
    assert admin.get("/fees").json()["data"][0]["overLimit"] is True

    admin.put(fees_path(kavya), {"feeId": second, "finalDate": "2025-05-31"})

    assert admin.get("/fees").json()["data"][0]["overLimit"] is False
