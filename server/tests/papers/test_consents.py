"""The firm's texts with their versions, and consents on paper: recorded, withdrawn, downloaded."""

import datetime as dt
import hashlib

import pytest
from sqlalchemy import func, select

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.papers.tables import Consent
from tarazu.registers.tables import RegisterFile
from tests.papers.papers_of import KINDS, PDF, add_text, consents, path_of, record
from tests.people_of import Desk, data_of, reply_of, signed_in_again
from tests.rows_of import audit_changes, audit_rows, scalar

DAY = dt.timedelta(days=1)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _day(days: int) -> str:
    return str(clock.today() + days * DAY)


def test_a_fresh_installation_has_no_text(admin: Desk) -> None:
    client_id = admin.add_client()

    texts = data_of(admin.get("/settings/consent-texts"))

    assert [(text["kind"], text["inForce"], text["versions"]) for text in texts] == [
        (kind, None, []) for kind in KINDS
    ]
    assert {row["state"] for row in consents(admin, client_id).values()} == {"NO_TEXT"}


@pytest.mark.on_both
def test_versions_are_numbered_and_hold_from_their_day(admin: Desk, database: Database) -> None:
    data_of(add_text(admin, since=_day(-30), textHi="शर्तें।"), 201)
    texts = data_of(add_text(admin, since=_day(7), text="New terms."), 201)

    terms = texts[0]
    assert terms["inForce"] == {"number": 1, "effectiveOn": _day(-30)}
    assert [(row["number"], row["text"], row["textHi"]) for row in terms["versions"]] == [
        (2, "New terms.", ""),
        (1, "TERMS in English.", "शर्तें।"),
    ]
    assert len(audit_rows(database, "consent_text_added")) == 2


@pytest.mark.parametrize(
    ("since", "text", "sentence"),
    [
        (0, "Other", "Version 1 is in force from {today}. Choose a later day."),
        (3, "TERMS in English.", "This is the text of version 1."),
        (3, " \u200b ", "Enter the text in English."),
    ],
)
def test_an_unfit_version_is_refused_with_a_sentence(
    admin: Desk, since: int, text: str, sentence: str
) -> None:
    data_of(add_text(admin), 201)
    sentence = sentence.format(today=f"{clock.today():%-d %b %Y}")

    answer = add_text(admin, since=_day(since), text=text)

    assert (answer.status_code, answer.json()["errors"][0]["message"]) == (422, sentence)
    assert len(data_of(admin.get("/settings/consent-texts"))[0]["versions"]) == 1


def test_a_later_version_does_not_begin_in_the_past(admin: Desk) -> None:
    data_of(add_text(admin, since=_day(-9)), 201)

    status, sentence = reply_of(add_text(admin, since=_day(-1), text="Other"))

    assert (status, sentence) == (422, "A new version is in force from today or from a later day.")


@pytest.mark.on_both
def test_a_consent_on_paper_is_recorded_with_its_file(
    admin: Desk, user: Desk, database: Database
) -> None:
    client_id, today = admin.add_client(), _day(0)
    data_of(add_text(admin, since=_day(-9)), 201)

    data_of(record(user, client_id), 201)

    terms = consents(admin, client_id)["TERMS"]
    (given,) = terms["given"]
    assert terms["state"] == "GIVEN"
    assert (given["number"], given["givenOn"], given["method"]) == (1, today, "PAPER")
    assert (given["recordedBy"], given["ip"]) == ("Farhan Ali", "")
    assert given["textHash"] == _sha256("TERMS in English.")
    assert given["file"] == hashlib.sha256(PDF).hexdigest()
    file = user.get(path_of(client_id, f"consents/{given['_id']}/file"))
    assert (file.content, file.headers["Content-Type"]) == (PDF, "application/pdf")
    assert "attachment" in file.headers["Content-Disposition"]
    actions = [action for action, _ in audit_changes(database, client_id)]
    assert actions == ["client_added", "consent_recorded", "taken_away"]


def test_a_paper_in_hindi_is_of_the_text_in_hindi(admin: Desk) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin, textHi="शर्तें।"), 201)

    data_of(record(admin, client_id, language="HI"), 201)

    (given,) = consents(admin, client_id)["TERMS"]["given"]
    assert (given["language"], given["textHash"]) == ("HI", _sha256("शर्तें।"))


def test_the_same_consent_twice_is_one(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin), 201)

    for _ in range(2):
        data_of(record(admin, client_id), 201)

    assert len(consents(admin, client_id)["TERMS"]["given"]) == 1
    assert len(audit_rows(database, "consent_recorded")) == 1


def test_another_paper_of_the_same_version_is_refused(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin), 201)
    data_of(record(admin, client_id), 201)

    status, sentence = reply_of(record(admin, client_id, b"%PDF-1.7\nAnother\n%%EOF\n"))

    today = f"{clock.today():%-d %b %Y}"
    assert (status, sentence) == (422, f"The client agreed to version 1 on {today} already.")
    assert len(consents(admin, client_id)["TERMS"]["given"]) == 1
    assert scalar(database, select(func.count()).select_from(RegisterFile)) == 1


def test_a_new_version_asks_again(admin: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    client_id, now = admin.add_client(), clock.now()
    data_of(add_text(admin), 201)
    data_of(record(admin, client_id), 201)
    data_of(add_text(admin, since=_day(1), text="New terms."), 201)
    assert consents(admin, client_id)["TERMS"]["state"] == "GIVEN"

    monkeypatch.setattr(clock, "now", lambda: now + DAY)
    desk = signed_in_again(admin)

    assert consents(desk, client_id)["TERMS"]["state"] == "ASKED_AGAIN"
    data_of(record(desk, client_id, number="2"), 201)
    terms = consents(desk, client_id)["TERMS"]
    assert terms["state"] == "GIVEN"
    assert [row["number"] for row in terms["given"]] == [2, 1]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"givenOn": 1}, "This day is in the future."),
        (
            {"givenOn": -10},
            "Version 1 is in force from {since}: nobody could consent to it before that day.",
        ),
        ({"number": "2"}, "The firm has no such version of this text."),
        ({"kind": "MITC"}, "The firm has no such version of this text."),
        ({"file": b"MZ not a paper"}, "The file is not a PDF, PNG or JPEG. Choose one of these."),
        ({"file": b"%PDF-" + b"x" * (2 << 20)}, "The file is larger than 2 MB."),
    ],
)
def test_an_unfit_consent_is_refused_with_a_sentence_and_changes_nothing(
    admin: Desk, database: Database, fields: dict[str, object], sentence: str
) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin, since=_day(-9)), 201)
    since = f"{clock.today() - 9 * DAY:%-d %b %Y}"
    sent = {
        name: _day(value) if isinstance(value, int) else value for name, value in fields.items()
    }

    status, message = reply_of(record(admin, client_id, **sent))  # type: ignore[arg-type]

    assert (status, message) == (413 if "larger" in sentence else 422, sentence.format(since=since))
    assert scalar(database, select(func.count()).select_from(Consent)) == 0
    assert [action for action, _ in audit_changes(database, client_id)] == ["client_added"]


def test_a_paper_may_be_older_than_the_entry_of_the_client_and_says_both_days(admin: Desk) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin, since=_day(-400)), 201)

    data_of(record(admin, client_id, givenOn=_day(-300)), 201)

    terms = consents(admin, client_id)["TERMS"]
    (given,) = terms["given"]
    assert terms["state"] == "GIVEN"
    assert given["givenOn"] == _day(-300)
    assert clock.day_in_india(dt.datetime.fromisoformat(given["recordedAt"])) == clock.today()


@pytest.mark.parametrize("kind", ["DATA", "HOLDINGS"])
def test_a_consent_is_withdrawn_and_can_be_given_again(
    admin: Desk, user: Desk, database: Database, kind: str
) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin, kind), 201)
    data_of(record(admin, client_id, kind=kind), 201)
    (given,) = consents(admin, client_id)[kind]["given"]
    path = path_of(client_id, f"consents/{given['_id']}/withdraw")

    data_of(user.post(path))

    row = consents(admin, client_id)[kind]
    assert (row["state"], row["isWithdrawable"]) == ("WITHDRAWN", False)
    assert row["given"][0]["withdrawnBy"] == "Farhan Ali"
    assert reply_of(admin.post(path)) == (409, "This consent was withdrawn already.")
    data_of(record(admin, client_id, kind=kind), 201)
    assert consents(admin, client_id)[kind]["state"] == "GIVEN"
    assert len(audit_rows(database, "consent_withdrawn")) == 1


def test_the_terms_cannot_be_withdrawn(admin: Desk) -> None:
    client_id = admin.add_client()
    data_of(add_text(admin), 201)
    data_of(record(admin, client_id), 201)
    (given,) = consents(admin, client_id)["TERMS"]["given"]

    status, sentence = reply_of(admin.post(path_of(client_id, f"consents/{given['_id']}/withdraw")))

    assert (status, sentence) == (
        409,
        "Only the consents to personal data and to reading holdings can be withdrawn.",
    )


def test_the_consent_of_one_client_is_not_found_at_another(admin: Desk) -> None:
    first, second = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    data_of(add_text(admin, "DATA"), 201)
    data_of(record(admin, first, kind="DATA"), 201)
    (given,) = consents(admin, first)["DATA"]["given"]

    path = path_of(second, f"consents/{given['_id']}")
    assert reply_of(admin.get(f"{path}/file")) == (404, "Consent not found")
    assert reply_of(admin.post(f"{path}/withdraw")) == (404, "Consent not found")
    assert consents(admin, first)["DATA"]["state"] == "GIVEN"


def test_a_user_reads_papers_but_no_texts_in_settings(admin: Desk, user: Desk) -> None:
    client_id = admin.add_client()

    assert user.get(path_of(client_id, "consents")).status_code == 200
    assert user.get("/settings/consent-texts").status_code == 403
    assert add_text(user).status_code == 403
