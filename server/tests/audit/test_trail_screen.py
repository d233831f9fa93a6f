"""The audit trail as an ADMIN reads it: filters, names, files, and what was done to it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from tarazu import cli
from tarazu.audit import jobs
from tarazu.audit.sentences import sentence_of
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.brokers.test_broker_records import ZERODHA
from tests.people_of import ADMIN, Desk, data_of
from tests.rows_of import run
from tests.security.figures import tell
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both


def _rows(desk: Desk, **asked: Any) -> list[dict[str, Any]]:
    return list(data_of(desk.get("/admin/audit", **asked)))


def _verified(desk: Desk) -> dict[str, Any]:
    return dict(data_of(desk.get("/admin/audit/verify")))


def test_the_newest_row_comes_first_with_who_what_and_which_record(admin: Desk) -> None:
    client_id = admin.add_client()

    newest = _rows(admin)[0]

    assert newest["who"] == ADMIN["name"]
    assert (newest["action"], newest["kind"], newest["recordId"]) == (
        "client_added",
        "client",
        client_id,
    )
    assert newest["recordName"] == "Kavya Menon"
    assert newest["ip"] == "testclient"
    assert newest["requestId"]


@pytest.mark.parametrize(
    ("action", "name", "changes", "sentence"),
    [
        (
            "advice_sent",
            "Vidya Mehta",
            {"stocks": 24, "seal": "f00"},
            "Advice to Vidya Mehta, 24 orders",
        ),
        ("advice_sent", "Vidya Mehta", {"stocks": 1}, "Advice to Vidya Mehta, 1 order"),
        ("advice_sent", "Vidya Mehta", {}, "Advice sent: Vidya Mehta"),
        ("advice_sent", "", {"stocks": 24}, "Advice sent"),
        ("book_run_sent", "", {"clients": 20}, "Book run sent to 20 clients"),
        ("firm_edited", "", {"name": ["A", "B"]}, "Firm edited"),
    ],
)
def test_a_row_says_in_a_sentence_what_happened(
    action: str, name: str, changes: dict[str, object], sentence: str
) -> None:
    assert sentence_of(action, name, changes) == sentence


def test_the_client_of_a_remark_is_named(admin: Desk) -> None:
    client_id = admin.add_client("Vidya Mehta", "vidya@home.example")
    admin.post("/admin/remarks", {"user": client_id, "remark": "Call after 5 pm."})

    row = admin.get("/admin/audit", action="remark_added").json()["data"][0]

    assert (row["sentence"], row["recordName"]) == ("Remark about Vidya Mehta", "Vidya Mehta")


def test_an_edit_is_shown_with_its_values_before_and_after(admin: Desk) -> None:
    client_id = admin.add_client()
    body = {"id": client_id, "name": "Kavya Iyer"}
    assert admin.put("/clients/edit", body).status_code == 200

    (row,) = _rows(admin, action="client_edited")

    assert {"field": "name", "before": "Kavya Menon", "after": "Kavya Iyer"} in row["changes"]


def test_rows_are_found_by_who_what_when_and_record(admin: Desk, user: Desk) -> None:
    first = admin.add_client()
    second = user.add_client("Rohan Shah", "rohan@home.example")
    choices = admin.get("/admin/audit/choices").json()["data"]
    farhan = next(person["_id"] for person in choices["people"] if person["name"] == "Farhan Ali")
    today = clock.today().isoformat()

    assert {"client_added", "staff_added"} <= set(choices["actions"])
    assert "client" in choices["kinds"]
    assert [row["recordId"] for row in _rows(admin, who=farhan, kind="client")] == [second]
    assert [row["recordId"] for row in _rows(admin, query=first)] == [first]
    request_id = _rows(admin, query=first)[0]["requestId"]
    assert [row["recordId"] for row in _rows(admin, query=request_id)] == [first]
    assert len(_rows(admin, action="client_added", **{"from": today, "to": today})) == 2
    assert _rows(admin, action="client_added", to="2020-01-01") == []
    assert all(row["who"] == "" for row in _rows(admin, who="system"))
    assert admin.get("/admin/audit", who="nobody").status_code == 422


def test_the_trail_is_paged(admin: Desk) -> None:
    for number in range(3):
        admin.add_client("A Client", f"c{number}@home.example")

    answer = admin.get("/admin/audit", action="client_added", page=2, limit=2).json()

    assert len(answer["data"]) == 1
    assert answer["pagination"]["totalUsers"] == 3


def test_an_export_of_the_audit_log_is_a_row_of_it(admin: Desk) -> None:
    admin.add_client()

    answer = admin.get("/admin/audit/export", action="client_added", format="csv")

    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("No.,Time (IST),Who,Role,What")
    assert len(lines) == 2
    assert ADMIN["name"] in lines[1]
    assert _rows(admin)[0]["action"] == "taken_away"
    workbook = admin.get("/admin/audit/export", format="xlsx")
    assert workbook.content.startswith(b"PK")


def test_refused_logins_and_calls_and_reads_of_broker_settings_are_rows(
    admin: Desk, user: Desk, web: TestClient
) -> None:
    body = {"email": ADMIN["email"], "password": "not this one"}
    assert web.post("/api/v1/auth/login", json=body).status_code == 401
    assert user.get("/users").status_code == 403
    assert admin.post("/brokers/add", ZERODHA).status_code == 201
    for one in admin.get("/brokers").json()["data"]:
        admin.get(f"/brokers/{one['_id']}")

    actions = {row["action"] for row in _rows(admin, limit=50)}

    assert {"login_refused", "permission_refused", "broker_viewed"} <= actions
    refused = _rows(admin, action="permission_refused")[0]
    assert (refused["who"], refused["recordId"]) == ("Farhan Ali", "GET /api/v1/users")


# ---- what is done to the trail -------------------------------------------------------------------


def _write(database: Database, count: int = 6) -> None:
    with database.transaction() as session:
        for number in range(count):
            audit_log.record(
                session, SYSTEM, clock.now(), "tried", ("thing", number), {"n": number}
            )


def _seqs(session: Session) -> list[int]:
    return list(session.execute(select(AuditRow.seq).order_by(AuditRow.seq)).scalars())


def _change(session: Session, seqs: list[int]) -> int:
    session.execute(text(f"UPDATE audit SET ip = '10.0.0.9' WHERE seq = {seqs[3]}"))
    return seqs[3]


def _remove(session: Session, seqs: list[int]) -> int:
    session.execute(text(f"DELETE FROM audit WHERE seq = {seqs[3]}"))
    return seqs[4]


def _insert(session: Session, seqs: list[int]) -> int:
    for seq in reversed(seqs[3:]):
        session.execute(text(f"UPDATE audit SET seq = {seq + 1} WHERE seq = {seq}"))
    columns = "at, account_id, role, ip, session_id, request_id, action, kind, record_id, changes"
    session.execute(
        text(
            f"INSERT INTO audit (seq, {columns}, previous_hash, hash) SELECT {seqs[3]}, {columns}, "
            f"hash, 'abc' FROM audit WHERE seq = {seqs[2]}"
        )
    )
    return seqs[3]


def _move(session: Session, seqs: list[int]) -> int:
    session.execute(text(f"UPDATE audit SET seq = -1 WHERE seq = {seqs[2]}"))
    session.execute(text(f"UPDATE audit SET seq = {seqs[2]} WHERE seq = {seqs[3]}"))
    session.execute(text(f"UPDATE audit SET seq = {seqs[3]} WHERE seq = -1"))
    return seqs[2]


def _cut_off(session: Session, seqs: list[int]) -> int:
    session.execute(text(f"DELETE FROM audit WHERE seq > {seqs[3]}"))
    return seqs[3]


@pytest.mark.parametrize(
    ("act", "fault"),
    [
        (_change, "changed"),
        (_remove, "missing"),
        (_insert, "inserted"),
        (_move, "moved"),
        (_cut_off, "cut_off"),
    ],
)
def test_tampering_is_named_with_its_row(
    admin: Desk,
    database: Database,
    act: Callable[[Session, list[int]], int],
    fault: str,
) -> None:
    _write(database)
    assert _verified(admin)["holds"] is True
    with database.transaction() as session:
        drop_triggers(session)
        first = act(session, _seqs(session))

    found = _verified(admin)

    is_found = (found["holds"], found["fault"], found["seq"]) == (False, fault, first)
    tell("S13", f"a row {fault.replace('_', ' ')}", "found" if is_found else "missed", "found")
    assert is_found, found


def test_an_end_that_is_made_to_fit_is_seen_by_what_was_noted_outside(
    admin: Desk, database: Database, settings: Settings
) -> None:
    """The head in the database put back to an older state, as from a backup."""
    _write(database, 2)
    with database.reading() as session:
        old = session.execute(text("SELECT seq, hash, mac FROM audit_head")).one()
    _write(database, 3)
    jobs.note_head(database, settings.audit_heads_file, clock.now())
    with database.transaction() as session:
        drop_triggers(session)
        session.execute(text(f"DELETE FROM audit WHERE seq > {old.seq}"))
        session.execute(
            text("UPDATE audit_head SET seq = :seq, hash = :hash, mac = :mac"), dict(old._mapping)
        )

    found = _verified(admin)

    assert (found["fault"], found["seq"]) == ("cut_off", old.seq)


def test_a_head_that_is_gone_or_forged_is_named(admin: Desk, database: Database) -> None:
    _write(database)
    run(database, text("UPDATE audit_head SET hash = 'x'"))
    assert _verified(admin)["fault"] == "head"
    run(database, text("DELETE FROM audit_head"))
    _write(database)  # New rows do not heal it.

    assert _verified(admin)["fault"] == "head"


def test_the_head_is_noted_once_a_day_and_only_when_it_moved(
    admin: Desk, database: Database, settings: Settings
) -> None:
    path = settings.audit_heads_file
    jobs.note_head(database, path, clock.now())
    jobs.note_head(database, path, clock.now())
    _write(database, 1)
    jobs.note_head(database, path, clock.now())

    lines = [json.loads(line) for line in path.read_text().splitlines()]

    assert len(lines) == 2
    assert lines[0]["seq"] < lines[1]["seq"]
    assert _verified(admin)["holds"] is True


def test_the_command_line_says_whether_the_trail_holds(
    admin: Desk,
    database: Database,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    place = ["--data-dir", str(settings.data_dir)]
    _write(database)

    assert cli.main(["audit-verify", *place]) == 0
    assert "Audit trail verified" in capsys.readouterr().out
    with database.transaction() as session:
        drop_triggers(session)
        seq = _change(session, _seqs(session))
    assert cli.main(["audit", "verify", *place]) == 1
    assert f"Row {seq} was changed" in capsys.readouterr().err
