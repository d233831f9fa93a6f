"""A client who paid a fee without KYC or consent is due in the list of obligations."""

import datetime as dt
from typing import Any

import pytest

from tarazu.kit import clock
from tests.papers.papers_of import add_text, record, set_kyc
from tests.people_of import ADMIN, Desk, data_of, new_key

pytestmark = pytest.mark.on_both
DAY = dt.timedelta(days=1)


def _obligation(desk: Desk) -> tuple[str, str]:
    rows = data_of(desk.get("/admin/obligations"))
    (row,) = [row for row in rows if row["_id"] == "kyc_and_terms"]
    return row["status"], row["note"]


def _opens_on(desk: Desk) -> list[str]:
    shown = data_of(desk.get("/admin/obligations/kyc_and_terms"))
    return [row["opensOn"] for row in shown["instances"]]


def _pay(desk: Desk, client_id: str, **fields: Any) -> None:
    path = f"/admin/clients/client/{client_id}/fees"
    fee = {"startingDate": "2026-04-01", "startingValue": 100000, "finalValue": 120000}
    made = data_of(desk.post(path, fee, **new_key()), 201)
    paid = {"feeId": made["_id"], "dueDate": "2026-09-30", "status": "PAID"}
    data_of(desk.put(path, paid | fields))


def _give_everything(desk: Desk, client_id: str) -> None:
    data_of(set_kyc(desk, client_id))
    for kind in ("TERMS", "MITC"):
        data_of(record(desk, client_id, kind=kind), 201)


def _texts(desk: Desk) -> None:
    for kind in ("TERMS", "MITC"):
        data_of(add_text(desk, kind, since="2026-01-01"), 201)


def test_nobody_is_due_who_paid_nothing(admin: Desk) -> None:
    admin.add_client()

    assert _obligation(admin) == ("NOT_DUE", "Nothing is open")


def test_who_paid_without_papers_is_due_until_the_last_one_is_there(admin: Desk) -> None:
    client_id, other = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    _texts(admin)
    for each in (client_id, other):
        _pay(admin, each)
    assert _obligation(admin) == ("DUE", "2 clients with a paid fee, without KYC or consent")

    _give_everything(admin, other)
    data_of(set_kyc(admin, client_id, pan="ABCPK1235F"))
    data_of(record(admin, client_id), 201)
    one_left = _obligation(admin)
    data_of(record(admin, client_id, kind="MITC"), 201)

    assert one_left == ("DUE", "1 client with a paid fee, without KYC or consent")
    assert _obligation(admin) == ("NOT_DUE", "Nothing is open")


def test_a_deleted_client_is_not_due(admin: Desk) -> None:
    client_id = admin.add_client()
    _pay(admin, client_id)
    assert _obligation(admin)[0] == "DUE"

    admin.post("/clients/delete", {"clientId": client_id})

    assert _obligation(admin) == ("NOT_DUE", "Nothing is open")


def test_a_new_version_is_due_from_its_day(admin: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    client_id, now = admin.add_client(), clock.now()
    tomorrow = str(clock.today() + DAY)
    _texts(admin)
    _pay(admin, client_id)
    _give_everything(admin, client_id)
    data_of(add_text(admin, "TERMS", since=tomorrow, text="New terms."), 201)
    assert _obligation(admin) == ("NOT_DUE", "Nothing is open")

    monkeypatch.setattr(clock, "now", lambda: now + DAY)
    login = {"email": ADMIN["email"], "password": ADMIN["password"]}
    desk = Desk(admin.web, admin.web.post("/api/v1/auth/login", json=login).json()["accessToken"])

    assert _obligation(desk) == ("DUE", "1 client with a paid fee, without KYC or consent")
    assert _opens_on(desk) == [tomorrow]


def test_a_fee_from_before_the_client_was_added_counts_from_that_day(admin: Desk) -> None:
    client_id = admin.add_client()
    _pay(admin, client_id, paidDate="2026-10-01")

    assert _opens_on(admin) == [str(clock.today())]
