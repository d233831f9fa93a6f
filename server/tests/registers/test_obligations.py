"""What the registers hold becomes due in the list of obligations."""

import datetime as dt
from typing import Any

import pytest

from tarazu.kit import clock
from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, data_of, signed_in_again

pytestmark = pytest.mark.on_both

HANDLE = {"platform": "X", "handle": "@sahyadri_ra", "since": "2026-11-20", "until": None}
AD = {
    "title": "Newsletter",
    "medium": "Mail",
    "text": "We write about companies.",
    "approvalNumber": "",
    "approvedOn": None,
}
INCIDENT = {
    "noticedOn": "2026-11-23",
    "noticedTime": "16:30",
    "summary": "A laptop was lost",
    "details": "",
}


def obligation(desk: Desk, name: str) -> dict[str, Any]:
    (row,) = [row for row in data_of(desk.get("/admin/obligations")) if row["_id"] == name]
    return dict(row)


def add(desk: Desk, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return dict(data_of(desk.post(f"/admin/registers/{path}", body)))


def add_certificate(desk: Desk, staff_id: str, until: str) -> None:
    days = {"validFrom": "2024-02-20", "validUntil": until}
    add(desk, "certificates", days | {"staffId": staff_id, "series": "XV", "number": until})


def test_a_certificate_is_due_before_it_expires_and_its_renewal_takes_its_place(
    desk: Desk, own_id: str
) -> None:
    assert obligation(desk, "certificates")["note"] == "Not recorded yet"

    add_certificate(desk, own_id, "2026-12-20")

    due = obligation(desk, "certificates")
    assert (due["status"], due["current"]["dueOn"]) == ("DUE_SOON", "2026-12-20")
    assert due["note"] == "NISM XV of Ananya Kulkarni expires on 20/12/2026"
    add_certificate(desk, own_id, "2029-12-20")
    assert obligation(desk, "certificates")["status"] == "NOT_DUE"


def test_a_certificate_of_who_left_is_not_due(desk: Desk, user: Desk) -> None:
    (row,) = [row for row in data_of(desk.get("/users")) if row["name"] == "Farhan Ali"]
    add_certificate(desk, row["_id"], "2026-11-20")
    assert obligation(desk, "certificates")["status"] == "LATE"

    body = {"userId": row["_id"], "version": row["version"]}
    assert desk.post("/users/delete", body).status_code == 200

    assert obligation(desk, "certificates")["note"] == "Nothing is open"


def test_a_change_of_handles_is_to_be_reported(desk: Desk) -> None:
    row = add(desk, "handles", HANDLE)
    add(desk, "handles", HANDLE | {"platform": "Website", "handle": "sahyadri.example"})
    assert obligation(desk, "handles")["note"] == "2 changes of handles and sites"

    desk.put(f"/admin/registers/handles/{row['_id']}", HANDLE | {"until": "2026-11-24"})

    path = "/admin/obligations/handles"
    days = [one["opensOn"] for one in data_of(desk.get(path))["instances"]]
    assert days == ["2026-11-20", "2026-11-24"]


def test_an_advertisement_waits_for_its_approval(desk: Desk) -> None:
    row = add(desk, "advertisements", AD)
    due = obligation(desk, "advertisements")
    assert (due["status"], due["note"]) == ("DUE", "1 advertisement without approval")

    approved = AD | {"approvalNumber": "7", "approvedOn": "2026-11-25", "version": row["version"]}
    assert desk.put(f"/admin/registers/advertisements/{row['_id']}", approved).status_code == 200

    assert obligation(desk, "advertisements")["note"] == "Nothing is open"


def test_an_incident_is_open_until_its_report(desk: Desk) -> None:
    row = add(desk, "incidents", INCIDENT)
    due = obligation(desk, "records")
    assert (due["status"], due["note"]) == ("DUE", "1 incident not reported")

    report = {"reportedOn": "2026-11-24", "reportedTime": "10:00", "report": "CERT-In, 4711"}
    assert desk.post(f"/admin/registers/incidents/{row['_id']}/report", report).status_code == 200

    assert obligation(desk, "records")["note"] == "Nothing is open"


def test_a_trade_is_open_from_the_day_of_the_advice_that_it_breaks(
    advice: AdviceDesk, now: dt.datetime
) -> None:
    desk = advice.desk
    trade = {"kind": "TRADE", "holder": "SELF", "tradingSymbol": "INFY", "side": "SELL"}
    declared = trade | {"quantity": 5, "datedOn": "2026-11-20"}
    assert desk.post("/admin/disclosures", declared).status_code in {200, 201}
    assert obligation(desk, "own_trading")["note"] == "Nothing is open"

    advice.sent(rationale="Quality.")

    due = obligation(desk, "own_trading")
    assert (due["status"], due["note"]) == ("DUE", "1 trade of staff to explain")
    assert due["current"]["opensOn"] == str(now.date())


def test_a_bank_account_needs_a_upi_id(desk: Desk) -> None:
    assert obligation(desk, "valid_upi")["note"] == "Nothing is open"
    account = {"bankLine": "HDFC Bank, Account 5020 0000 0042"}

    assert desk.put("/settings/invoices", account).status_code == 200
    due = obligation(desk, "valid_upi")
    assert (due["status"], due["note"]) == ("DUE", "A bank account without a UPI ID")
    assert desk.put("/settings/invoices", {"upiId": "sahyadri.ra@validhdfc"}).status_code == 200

    assert obligation(desk, "valid_upi")["note"] == "Nothing is open"


def test_the_day_of_a_bank_account_without_upi_does_not_move(
    desk: Desk, now: dt.datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = {"bankLine": "HDFC Bank, Account 5020 0000 0042"}
    assert desk.put("/settings/invoices", account).status_code == 200
    monkeypatch.setattr(clock, "now", lambda: (now + dt.timedelta(days=3)).astimezone(dt.UTC))
    later = signed_in_again(desk)

    assert later.put("/settings/invoices", {"capBehaviour": "REFUSE"}).status_code == 200

    assert obligation(later, "valid_upi")["current"]["opensOn"] == str(now.date())
