"""Obligations through HTTP: the list, evidence and its proof, versions, settings, calendar, mails."""

import datetime as dt
import json
import uuid

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail
from tarazu.kit.settings import Settings
from tarazu.obligations import service
from tarazu.obligations.tables import Evidence, ObligationFile
from tests.people_of import ADMIN, Desk, data_of, new_key, reply_of, sign_up
from tests.rows_of import audit_rows, scalars

pytestmark = pytest.mark.on_both
PATH = "/admin/obligations"
PDF = b"%PDF-1.7 evidence"


def began(database: Database, days_ago: int) -> None:
    """The firm has used the product for so long."""
    at = clock.now() - dt.timedelta(days=days_ago)
    with database.transaction() as session:
        audit_log.record(session, SYSTEM, at, "firm_founded", ("firm", 1), {})


def open_table(admin: Desk) -> dict[str, str]:
    shown = data_of(admin.get(f"{PATH}/complaint_table"))
    return next(
        row
        for row in shown["instances"]
        if row["status"] != "DONE" and row["opensOn"] <= str(clock.today())
    )


def test_the_list_has_every_obligation_once_with_its_rule_in_words(admin: Desk) -> None:
    rows = data_of(admin.get(PATH))

    assert {row["number"] for row in rows} == set(range(1, 22))
    assert len({row["_id"] for row in rows}) == len(rows)
    table = next(row for row in rows if row["_id"] == "complaint_table")
    assert table["ruleText"] == "On day 7 of the month after each month's end"
    due = [row["current"]["dueOn"] for row in rows if row["current"] and row["current"]["dueOn"]]
    assert due == sorted(due)


def test_the_next_are_the_first_three_that_are_open(admin: Desk, database: Database) -> None:
    began(database, 400)
    open_rows = [
        row for row in data_of(admin.get(PATH)) if row["status"] in {"LATE", "DUE", "DUE_SOON"}
    ]
    assert len(open_rows) > 3

    assert data_of(admin.get(f"{PATH}/next")) == open_rows[:3]


def test_a_note_with_a_name_is_evidence_and_the_trail_has_its_proof(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    due = open_table(admin)
    form = {"instance": due["key"], "note": "Published on our website.", "name": "Ananya Kulkarni"}

    answer = admin.web.post(
        f"/api/v1{PATH}/complaint_table/evidence",
        files={name: (None, value) for name, value in form.items()},
        headers=admin.headers,
    )

    shown = data_of(answer, 201)
    row = next(one for one in shown["instances"] if one["key"] == due["key"])
    assert (row["status"], row["doneOn"]) == ("DONE", str(clock.today()))
    assert row["isDoneLate"] == (due["status"] == "LATE")
    (audited,) = audit_rows(database, "obligation_evidenced")
    (evidence,) = shown["evidence"]
    assert json.loads(audited.changes)["proof"] == evidence["proof"]
    assert evidence["recordedBy"] == "Ananya Kulkarni"


def test_a_file_is_stored_once_with_its_hash_and_comes_back_as_it_was(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    path = f"{PATH}/complaint_table/evidence"
    first = data_of(admin.upload(path, "table.pdf", PDF, instance=open_table(admin)["key"]), 201)
    data_of(admin.upload(path, "again.pdf", PDF, instance=open_table(admin)["key"]), 201)

    evidence_id = first["evidence"][0]["_id"]
    answer = admin.get(f"{PATH}/evidence/{evidence_id}/file")

    assert answer.content == PDF
    assert first["evidence"][0]["fileName"] == "table.pdf"
    with database.reading() as session:
        assert len(session.execute(select(ObligationFile)).scalars().all()) == 1
    assert audit_rows(database, "taken_away")


def test_the_same_evidence_again_is_recorded_once(admin: Desk, database: Database) -> None:
    began(database, 70)
    path, key = f"{PATH}/complaint_table/evidence", open_table(admin)["key"]

    for _ in range(2):
        data_of(admin.upload(path, "table.pdf", PDF, instance=key), 201)

    assert len(audit_rows(database, "obligation_evidenced")) == 1


def test_what_is_no_evidence_is_refused_in_a_sentence_and_changes_nothing(
    admin: Desk, database: Database
) -> None:
    began(database, 70)
    key = open_table(admin)["key"]
    path = f"{PATH}/complaint_table/evidence"
    later = data_of(admin.get(f"{PATH}/complaint_table"))["instances"][-1]["key"]

    refused = [
        reply_of(admin.upload(path, "a.pdf", PDF, instance="2001-01-31")),
        reply_of(admin.upload(path, "a.pdf", PDF, instance=later)),
        reply_of(admin.upload(path, "a.exe", b"MZ\x00\x01\xff\xfe", instance=key)),
        reply_of(admin.upload(path, "a.xlsx", b"PK\x03\x04 nothing", instance=key)),
        reply_of(admin.upload(path, "empty.pdf", b"", instance=key)),
        reply_of(admin.upload(path, "a.pdf", PDF + b"0" * (12 << 20), instance=key)),
        reply_of(admin.upload(path, "a.pdf", PDF + b"0" * (10 << 20), instance=key)),
        reply_of(
            admin.web.post(
                f"/api/v1{path}",
                files={"instance": (None, key), "note": (None, "Done")},
                headers=admin.headers,
            )
        ),
        reply_of(admin.upload(f"{PATH}/unknown/evidence", "a.pdf", PDF, instance=key)),
    ]

    kinds = "Evidence is a PDF, a PNG or JPEG picture, an Excel workbook, XML, CSV or plain text."
    assert refused == [
        (404, "This obligation is not due at that time. Reload and choose one that is listed."),
        (422, "Its period has not ended yet. Record the evidence afterwards."),
        (422, kinds),
        (422, kinds),
        (422, "Choose a file, or write a note with a name."),
        (413, "The file is larger than 10 MB."),
        (413, "The file is larger than 10 MB. Choose a smaller one."),
        (422, "Enter the name of the person who vouches for the note."),
        (404, "Obligation not found"),
    ]
    with database.reading() as session:
        assert session.execute(select(Evidence)).first() is None
        assert session.execute(select(ObligationFile)).first() is None


OWN = {
    "title": "GST return",
    "form": "MONTH_END",
    "rule": "20",
    "duty": "File GSTR-3B.",
    "source": "CGST Rules, rule 61",
    "effectiveOn": "2026-01-01",
}


def test_an_own_obligation_is_added_changed_from_a_day_and_ended(
    admin: Desk, database: Database
) -> None:
    # From today on: of an earlier month, what falls due after the end would stay open.
    today = clock.today()
    added = data_of(admin.post(PATH, OWN | {"effectiveOn": str(today)}, **new_key()), 201)
    path = f"{PATH}/{added['_id']}"

    changed = data_of(admin.put(path, OWN | {"rule": "25", "effectiveOn": str(today)}))
    early = admin.put(path, OWN | {"effectiveOn": "2026-01-01"})
    ended = admin.post(f"{path}/end", {"endsOn": str(today)})

    assert added["isOwn"]
    assert [row["rule"] for row in changed["versions"]] == ["25", "20"]
    assert reply_of(early)[0] == 422
    assert ended.status_code == 200
    assert data_of(admin.get(path))["status"] == "NOT_APPLICABLE"
    for action in ("obligation_added", "obligation_changed", "obligation_ended"):
        assert len(audit_rows(database, action)) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rule": "32"}, "Enter a day of the month from 1 to 31."),
        ({"form": "FIXED_DAY", "rule": "2026-02-30"}, "Please select a valid date"),
        ({"effectiveOn": "soon"}, "Please select a valid date"),
        ({"trigger": "COMPLAINT"}, "This event does not go with this form of due day."),
        ({"form": "EXPIRY", "trigger": "CERTIFICATE", "rule": "x"},
         "Enter days before expiry such as 90/30/0."),
        ({"source": " "}, "Enter where the duty is from, such as a circular and its date."),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_computed_with_is_refused(
    admin: Desk, wrong: dict[str, str], message: str
) -> None:
    assert reply_of(admin.post(PATH, OWN | wrong, **new_key())) == (422, message)


def test_the_deposit_is_that_of_the_most_clients_and_names_the_shortfall(
    admin: Desk, database: Database
) -> None:
    admin.add_client()
    slabs = {"terms": "0=100 1=50000 more=90000", "effectiveOn": str(clock.today())}
    row = data_of(admin.get(f"{PATH}/deposit"))["versions"][0]
    entered = {name: row[name] for name in ("title", "form", "trigger", "rule", "source")}
    data_of(admin.put(f"{PATH}/deposit", entered | slabs))

    shown = data_of(admin.put(f"{PATH}/settings", {"deposit": 20000, "isPartTime": True}))

    assert shown["thisYear"]["peak"] == 1
    assert shown["thisYear"]["peakOn"] == str(clock.today())
    assert (shown["thisYear"]["needed"], shown["thisYear"]["shortfall"]) == (50000, 30000)
    assert reply_of(admin.put(f"{PATH}/settings", {"deposit": 1, "version": 1}))[0] == 409
    assert audit_rows(database, "compliance_settings_edited")


def test_days_that_are_over_are_counted_once_and_stay(admin: Desk, database: Database) -> None:
    admin.add_client()
    tomorrow = clock.now() + dt.timedelta(days=1)

    first = service.count_clients(database, tomorrow)
    again = service.count_clients(database, tomorrow)

    assert (first > 1, again) == (True, 0)
    with database.reading() as session:
        state = service.deposit_state(session, clock.today(), fiscal_year_end(clock.today()))
    assert state.peak == 1


def test_a_reminder_goes_to_each_administrator_once_also_after_a_restart(
    admin: Desk, database: Database, settings: Settings
) -> None:
    began(database, 70)
    assert data_of(admin.get(PATH))

    first = service.send_reminders(database, settings, clock.now())
    again = service.send_reminders(database, settings, clock.now() + dt.timedelta(hours=1))

    assert (first > 0, again) == (True, 0)
    with database.reading() as session:
        mails = (
            session.execute(select(Mail).where(Mail.subject.like("%obligation%"))).scalars().all()
        )
        assert [mail.recipient for mail in mails] == ["ananya@desk.example"]
        assert "Complaint data published (Month to" in mails[0].text
    assert len(audit_rows(database, "obligation_reminded")) == first


def test_a_reminder_waits_for_the_first_administrator(
    web: TestClient, database: Database, settings: Settings
) -> None:
    began(database, 70)

    assert service.send_reminders(database, settings, clock.now()) == 0

    sign_up(web, ADMIN)
    assert service.send_reminders(database, settings, clock.now()) > 0
    recipients = select(Mail.recipient).where(Mail.subject.like("%obligation%"))
    assert scalars(database, recipients) == [ADMIN["email"]]


def test_nobody_is_reminded_before_nine(
    admin: Desk, database: Database, settings: Settings
) -> None:
    began(database, 70)
    night = clock.start_of(clock.today()) + dt.timedelta(hours=8)

    assert service.send_reminders(database, settings, night) == 0


def test_the_calendar_has_what_is_not_done_as_whole_days(admin: Desk) -> None:
    answer = admin.get(f"{PATH}/calendar.ics")

    text = answer.text.replace("\r\n ", "")
    assert answer.headers["content-type"].startswith("text/calendar")
    assert text.count("BEGIN:VEVENT") == text.count("END:VEVENT") > 12
    assert "SUMMARY:Annual audit" in text
    assert "DTSTART;VALUE=DATE:" in text


def test_evidence_with_an_unknown_id_is_not_there(admin: Desk) -> None:
    answer = admin.get(f"{PATH}/evidence/{uuid.uuid4()}/file")

    assert reply_of(answer) == (404, "Evidence not found")
