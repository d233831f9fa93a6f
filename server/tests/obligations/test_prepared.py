"""Files that the product makes for obligations: what is in them, and that a person records them."""

import datetime as dt
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.obligations import accessibility
from tests.invoices.desks import charge, live_in, pay, switch_on
from tests.obligations.test_obligations import PATH, began
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows

pytestmark = pytest.mark.on_both


def due_of(admin: Desk, obligation: str) -> str:
    """The newest period of an obligation that is over and not done."""
    rows = data_of(admin.get(f"{PATH}/{obligation}"))["instances"]
    open_rows = [
        row for row in rows if row["status"] != "DONE" and row["opensOn"] <= str(clock.today())
    ]
    return str(open_rows[-1]["key"])


def made(admin: Desk, obligation: str) -> tuple[dict[str, Any], dict[str, list[Any]], bytes]:
    """The row of a file that was made, its pages as lists of rows, and the file."""
    body = {"instance": due_of(admin, obligation)}
    shown = data_of(admin.post(f"{PATH}/{obligation}/files", body), 201)
    (row,) = [one for one in shown["evidence"] if one["kind"] == "PREPARED"]
    content = admin.get(f"{PATH}/evidence/{row['_id']}/file").content
    book = openpyxl.load_workbook(io.BytesIO(content))
    return row, {page.title: list(page.iter_rows(values_only=True)) for page in book}, content


def test_a_file_is_made_with_its_hash_in_the_trail_and_the_obligation_stays_open(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    before = data_of(admin.get(f"{PATH}/complaint_table"))

    row, _, content = made(admin, "complaint_table")

    assert row["fileName"] == f"complaint-table-{row['instance']}.xlsx"
    (audited,) = audit_rows(database, "obligation_file_made")
    changes = json.loads(audited.changes)
    assert changes["file"] == hashlib.sha256(content).hexdigest()
    assert changes["proof"] == row["proof"]
    after = data_of(admin.get(f"{PATH}/complaint_table"))
    assert after["instances"] == before["instances"]
    assert after["prepares"] == "Complaint table of the month"


def test_a_person_records_the_file_as_evidence_once_and_it_is_done(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    row, _, _ = made(admin, "complaint_table")

    for _ in range(2):
        shown = data_of(admin.post(f"{PATH}/evidence/{row['_id']}/record"), 201)

    instance = next(one for one in shown["instances"] if one["key"] == row["instance"])
    assert instance["status"] == "DONE"
    assert sorted(one["kind"] for one in shown["evidence"]) == ["FILE", "PREPARED"]
    (audited,) = audit_rows(database, "obligation_evidenced")
    (prepared,) = audit_rows(database, "obligation_file_made")
    files = [json.loads(one.changes)["file"] for one in (audited, prepared)]
    assert files[0] == files[1]
    recorded = next(one for one in shown["evidence"] if one["kind"] == "FILE")
    again = admin.post(f"{PATH}/evidence/{recorded['_id']}/record")
    assert reply_of(again) == (404, "Evidence not found")


def test_the_complaint_table_has_a_row_for_each_way_also_when_nil(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    last = dt.date.fromisoformat(due_of(admin, "complaint_table"))
    texts = {"complainant": "Meera", "subject": "Late", "nature": "Service"}
    body = {"receivedOn": str(last), "channel": "SMART ODR", **texts}
    data_of(admin.post("/admin/complaints", body))

    _, pages, _ = made(admin, "complaint_table")

    channels = data_of(admin.get("/admin/registers/choices"))["channels"]
    head, *rows = pages["Complaints"]
    assert head[0] == "Received from"
    assert [row[0] for row in rows] == [*channels, "Total"]
    counts = {row[0]: row[1:6] for row in rows}
    assert counts["SMART ODR"] == counts["Total"] == (0, 1, 0, 1, 0)
    assert counts[channels[0]] == (0, 0, 0, 0, 0)


def test_the_half_yearly_workbook_has_the_parts_of_the_form_in_their_order(
    admin: Desk, database: Database
) -> None:
    began(database, 400)
    client = admin.add_client()
    switch_on(admin, bankLine="HDFC 0001")
    live_in(admin, client, "27")
    data_of(pay(admin, client, charge(admin, client, 10_000), paidDate="2026-04-10"))

    row, pages, _ = made(admin, "half_yearly_report")

    assert list(pages) == [
        *("About", "Clients", "Fees received", "Staff certificates", "Bank accounts"),
        *("Handles and sites", "Advertisements", "Complaint counts", "Complaints"),
    ]
    assert row["instance"] == "2026-09-30"
    (fee,) = pages["Fees received"][1:]
    assert fee[:2] == ("C0001", "Kavya Menon")
    assert dict(pages["Bank accounts"][1:]) == {"Bank account": "HDFC 0001", "UPI ID": None}


def test_the_deposit_file_names_the_peak_and_what_it_needs(admin: Desk, database: Database) -> None:
    began(database, 400)
    data_of(admin.put(f"{PATH}/settings", {"deposit": 60_000}))

    _, pages, _ = made(admin, "deposit")

    facts = dict(pages["Deposit"][1:])
    assert facts["Deposit needed, rupees"] == "100000"
    assert facts["Shortfall, rupees"].startswith("40000")


def test_the_accessibility_report_is_that_of_this_version_or_there_is_none(
    admin: Desk, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began(database, 400)
    file = tmp_path / "accessibility.json"
    monkeypatch.setattr(accessibility, "REPORT", file)

    def ship(version: str) -> None:
        screen = {"screen": "Fees", "width": 390, "scheme": "dark", "rules": 90, "violations": []}
        report = {"date": "2026-11-26", "axe": "4.10", "rules": ["label"], "screens": [screen]}
        file.write_text(json.dumps(report | {"version": version}))
        accessibility.shipped_report.cache_clear()

    ship("0.0.1")
    assert data_of(admin.get(f"{PATH}/accessibility"))["prepares"] == ""
    body = {"instance": due_of(admin, "accessibility")}
    assert reply_of(admin.post(f"{PATH}/accessibility/files", body)) == (
        422,
        "This version of the product comes without an accessibility report.",
    )

    ship(accessibility.version("tarazu"))
    _, pages, _ = made(admin, "accessibility")
    accessibility.shipped_report.cache_clear()

    assert dict(pages["Report"][1:])["Violations"] == "0"
    assert pages["Screens"][1][:5] == ("Fees", 390, "dark", 90, 0)


def test_where_nothing_can_be_made_a_sentence_says_so_and_nothing_is_stored(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    later = data_of(admin.get(f"{PATH}/complaint_table"))["instances"][-1]["key"]

    refused = [
        reply_of(admin.post(f"{PATH}/{obligation}/files", {"instance": key}))
        for obligation, key in (
            ("annual_audit", "2026-03-31"),
            ("complaint_table", later),
            ("complaint_table", "2001-01-31"),
        )
    ]

    assert refused == [
        (422, "The product makes no file for this obligation."),
        (422, "Its period has not ended yet. Record the evidence afterwards."),
        (404, "This obligation is not due at that time. Reload and choose one that is listed."),
    ]
    assert not audit_rows(database, "obligation_file_made")
