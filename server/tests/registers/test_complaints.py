"""The register of complaints: its clock, its refusals, and the table that the firm publishes."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, reply_of, set_up_firm

pytestmark = pytest.mark.on_both

PATH = "/admin/complaints"
ENTERED: dict[str, Any] = {
    "receivedOn": "2026-11-10",
    "complainant": "Meera Iyer",
    "channel": "SEBI (SCORES)",
    "reference": "SCORES/2026/1187",
    "subject": "Fee charged twice",
    "nature": "Fees",
}


def add(desk: Desk, **fields: Any) -> dict[str, Any]:
    row: dict[str, Any] = data_of(desk.post(PATH, ENTERED | fields))
    return row


def resolve(desk: Desk, row: dict[str, Any], day: str, **fields: Any) -> Any:
    body = {"resolvedOn": day, "resolution": "The second fee was paid back."} | fields
    return desk.post(f"{PATH}/{row['_id']}/resolve", body)


def month_of(desk: Desk, first: str) -> dict[str, Any]:
    published = data_of(desk.web.get("/api/v1/public/complaints"))
    (month,) = [row for row in published["months"] if row["first"] == first]
    counts: dict[str, Any] = month["counts"]
    return counts


def test_a_complaint_is_due_twenty_one_days_after_it_came(desk: Desk) -> None:
    row = add(desk)

    assert (row["dueOn"], row["state"]) == ("2026-12-01", "DUE_SOON")
    assert data_of(desk.get(PATH)) == [row]


@pytest.mark.parametrize(
    ("received_on", "state"),
    [
        ("2026-11-25", "OPEN"),
        ("2026-11-12", "OPEN"),
        ("2026-11-11", "DUE_SOON"),
        ("2026-11-04", "DUE_SOON"),
        ("2026-11-03", "OVERDUE"),
    ],
)
def test_the_clock_runs_from_open_over_due_soon_to_overdue(
    desk: Desk, received_on: str, state: str
) -> None:
    assert add(desk, receivedOn=received_on)["state"] == state


def test_a_complaint_of_a_client_carries_the_clients_name(desk: Desk) -> None:
    client = desk.add_client("Kavya Menon")

    assert add(desk, complainant="c0001")["clientId"] == client

    row = add(desk, clientId=client, complainant="")

    assert (row["complainant"], row["clientId"]) == ("Kavya Menon", client)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"receivedOn": "2026-11-26"}, "A complaint cannot be received in the future."),
        (
            {"channel": "Telegram"},
            "Choose one of: Directly from investors, SEBI (SCORES), SMART ODR, Other sources.",
        ),
        ({"complainant": " "}, "Choose the client, or enter who complained."),
        ({"subject": ""}, "Subject is required"),
        (
            {"resolvedOn": "2026-11-09"},
            "The complaint came on 10 Nov 2026: it cannot be resolved before that.",
        ),
        ({"resolvedOn": "2026-11-26"}, "A complaint cannot be resolved in the future."),
    ],
)
def test_unfit_complaints_are_refused_and_nothing_is_stored(
    desk: Desk, fields: dict[str, Any], sentence: str
) -> None:
    assert reply_of(desk.post(PATH, ENTERED | fields)) == (422, sentence)
    assert data_of(desk.get(PATH)) == []


def test_a_complaint_is_resolved_once(desk: Desk) -> None:
    row = add(desk)

    resolved = data_of(resolve(desk, row, "2026-11-25"))

    assert (resolved["state"], resolved["resolvedOn"]) == ("RESOLVED", "2026-11-25")
    assert reply_of(resolve(desk, row, "2026-11-25")) == (
        409,
        "This complaint is resolved already.",
    )
    assert data_of(desk.get(PATH, state="open")) == []
    assert [found["_id"] for found in data_of(desk.get(PATH, state="closed"))] == [row["_id"]]


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2026-11-09", "The complaint came on 10 Nov 2026: it cannot be resolved before that."),
        ("2026-11-26", "A complaint cannot be resolved in the future."),
        (
            "2026-11-24",
            (
                "A closing cannot be backdated: this complaint was open until 25 Nov 2026 in the "
                "register or in the published table. Enter 25 Nov 2026 or a later day."
            ),
        ),
    ],
)
def test_a_closing_on_an_unfit_day_is_refused(desk: Desk, day: str, sentence: str) -> None:
    row = add(desk)

    assert reply_of(resolve(desk, row, day)) == (422, sentence)
    assert data_of(desk.get(PATH))[0]["resolvedOn"] is None


def test_a_stale_version_changes_nothing(desk: Desk) -> None:
    row = add(desk)
    desk.put(f"{PATH}/{row['_id']}", ENTERED | {"subject": "Two fees"})

    answer = desk.put(f"{PATH}/{row['_id']}", ENTERED | {"subject": "Late", "version": 1})

    assert answer.status_code == 409
    assert data_of(desk.get(PATH))[0]["subject"] == "Two fees"


def test_a_resolved_complaint_cannot_have_come_after_its_resolution(desk: Desk) -> None:
    row = add(desk, resolvedOn="2026-11-15", resolution="Paid back.")

    answer = desk.put(f"{PATH}/{row['_id']}", ENTERED | {"receivedOn": "2026-11-16"})

    assert reply_of(answer) == (
        422,
        "The complaint was resolved on 15 Nov 2026: it cannot have come later.",
    )


def test_every_change_leaves_a_row_in_the_audit_trail(desk: Desk) -> None:
    row = add(desk)
    desk.put(f"{PATH}/{row['_id']}", ENTERED | {"nature": "Fees and billing"})
    resolve(desk, row, "2026-11-25")

    rows = [one for one in data_of(desk.get("/admin/audit")) if one["kind"] == "complaints"]

    assert [one["action"] for one in rows] == [
        "complaint_resolved",
        "complaint_edited",
        "complaint_added",
    ]


def test_the_list_is_searched_and_exported(desk: Desk) -> None:
    add(desk)
    add(desk, complainant="=Farid", subject="No answer")

    assert len(data_of(desk.get(PATH, query="answer"))) == 1
    sheet = desk.get(f"{PATH}/export", query="answer")

    assert sheet.status_code == 200
    assert "'=Farid" in sheet.text
    assert "Meera" not in sheet.text


def test_a_firm_without_complaints_publishes_zeros(desk: Desk) -> None:
    published = data_of(desk.web.get("/api/v1/public/complaints"))

    assert [row["first"] for row in published["months"]][0::11] == ["2025-11-01", "2026-10-01"]
    assert published["month"] == published["months"][-1]
    assert [row["channel"] for row in published["channels"]] == [
        *("Directly from investors", "SEBI (SCORES)"),
        *("SMART ODR", "Other sources"),
    ]
    nil = {
        **dict.fromkeys(("carriedForward", "received", "resolved", "pending", "longPending"), 0),
        "averageDays": None,
    }
    assert all(row["counts"] == nil for row in published["months"] + published["channels"])


def test_the_public_table_counts_each_month(desk: Desk) -> None:
    add(desk, receivedOn="2026-06-20")
    add(desk, receivedOn="2026-09-10", resolvedOn="2026-10-05", resolution="Explained.")
    add(desk, receivedOn="2026-10-01", resolvedOn="2026-10-12", resolution="Explained.")
    add(desk, receivedOn="2026-11-10")

    assert month_of(desk, "2026-09-01") == {
        "carriedForward": 1,
        "received": 1,
        "resolved": 0,
        "pending": 2,
        "longPending": 1,
        "averageDays": None,
    }
    assert month_of(desk, "2026-10-01") == {
        "carriedForward": 2,
        "received": 1,
        "resolved": 2,
        "pending": 1,
        "longPending": 1,
        "averageDays": 18.0,
    }


def test_the_public_page_names_the_firm_and_nobody_who_complained(
    desk: Desk, web: TestClient
) -> None:
    set_up_firm(desk)
    add(desk, receivedOn="2026-10-20")

    page = web.get("/complaints")

    assert page.status_code == 200
    assert "<script" in page.text  # the page's own, and nothing depends on it
    for text in ("Sahyadri Research", "INH000012345", "October 2026", "Month ending 31 Oct 2026"):
        assert text in page.text
    for text in ("Meera", "SCORES/2026/1187", "Fee charged twice"):
        assert text not in page.text + web.get("/api/v1/public/complaints").text
    assert "X-Robots-Tag" not in page.headers


def test_the_firms_own_rule_gives_another_clock_from_its_day_on(
    desk: Desk, database: Database
) -> None:
    rule = {
        "name": "COMPLAINT_DAYS",
        "effectiveOn": "2026-11-25",
        "content": ["15"],
        "source": "SEBI circular of 20 November 2026",
    }

    assert desk.post("/admin/registers/rules", rule).status_code == 200

    assert add(desk, receivedOn="2026-11-24")["dueOn"] == "2026-12-15"
    assert add(desk, receivedOn="2026-11-25")["dueOn"] == "2026-12-10"


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        (
            {"effectiveOn": "2026-11-24"},
            409,
            "Rules of past days stay as they are. Enter the new one from today or a later day.",
        ),
        ({"content": ["twenty"]}, 422, "Enter one whole number."),
        ({"content": []}, 422, "Enter one whole number."),
        (
            {"name": "COMPLAINT_TABLE_DAY", "content": ["31"]},
            422,
            "Enter a day of the month, 1 to 28.",
        ),
        ({"name": "ADVERTISEMENT_APPROVAL", "content": ["maybe"]}, 422, "Answer yes or no."),
        ({"source": ""}, 422, "Source is required"),
    ],
)
def test_unfit_rules_are_refused(
    desk: Desk, fields: dict[str, Any], status: int, sentence: str
) -> None:
    rule = {
        "name": "COMPLAINT_DAYS",
        "effectiveOn": "2026-12-01",
        "content": ["15"],
        "source": "A circular",
    }
    before = data_of(desk.get("/admin/registers/rules"))

    assert reply_of(desk.post("/admin/registers/rules", rule | fields)) == (status, sentence)
    assert data_of(desk.get("/admin/registers/rules")) == before


def test_an_entry_of_years_ago_may_be_recorded_later(desk: Desk, database: Database) -> None:
    row = add(desk, receivedOn="2024-05-02", resolvedOn="2024-05-20", resolution="Explained.")

    published = data_of(desk.web.get("/api/v1/public/complaints"))

    assert row["state"] == "RESOLVED"
    assert [year["first"] for year in published["years"]] == [
        "2024-04-01", "2025-04-01", "2026-04-01",
    ]  # fmt: skip
    assert published["years"][0]["counts"]["received"] == 1
