"""What staff note down about a client."""

import json
import uuid
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.people.tables import Person
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import audit_rows, run

NOBODY = "01a1fb73-0392-751c-90e5-1dda4674873a"


def _added(desk: Desk, client_id: str, remark: str) -> dict[str, Any]:
    row: dict[str, Any] = data_of(
        desk.post("/admin/remarks", {"user": client_id, "remark": remark}), 201
    )
    return row


def _remarks(desk: Desk, client_id: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = desk.get(f"/admin/remarks/client/{client_id}").json()["data"]
    return rows


def _trail(database: Database, action: str) -> list[Any]:
    return [(row.record_id, json.loads(row.changes)) for row in audit_rows(database, action)]


def _delete_client(database: Database, client_id: str) -> None:
    run(
        database,
        update(Person).where(Person.id == uuid.UUID(client_id)).values(deleted_at=clock.now()),
    )


def test_remarks_are_listed_newest_first_with_their_author(admin: Desk, user: Desk) -> None:
    client_id = admin.add_client()
    assert _remarks(admin, client_id) == []
    first = _added(admin, client_id, "Call after 5 pm")
    second = _added(user, client_id, "Two lines\nof text")

    found = _remarks(user, client_id)

    assert found == [second, first]
    assert {key: second[key] for key in ("remark", "user", "author", "version", "updatedAt")} == {
        "remark": "Two lines\nof text",
        "user": client_id,
        "author": "Farhan Ali",
        "version": 1,
        "updatedAt": None,
    }
    assert first["author"] == ADMIN["name"]
    assert first["createdAt"] < second["createdAt"]


def test_an_edit_replaces_the_text_and_keeps_its_place(admin: Desk) -> None:
    client_id = admin.add_client()
    first, second = (_added(admin, client_id, text) for text in ("one", "two"))

    answer = admin.put(
        "/admin/remarks", {"remarkId": first["_id"], "remark": " three ", "version": 1}
    )

    assert answer.status_code == 200
    edited = answer.json()["data"]
    assert (edited["remark"], edited["version"], edited["createdAt"]) == (
        "three", 2, first["createdAt"],
    )  # fmt: skip
    assert edited["updatedAt"] > first["createdAt"]
    assert _remarks(admin, client_id) == [second, edited]


def test_the_earlier_text_stays_in_the_trail(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    remark_id = _added(admin, client_id, "before")["_id"]
    admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "after"})
    admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "after"})

    added = {"clientId": client_id, "remark": "before"}
    edited = {"clientId": client_id, "remark": ["before", "after"]}
    assert _trail(database, "remark_added") == [(remark_id, added)]
    assert _trail(database, "remark_edited") == [(remark_id, edited)]


def test_a_stale_version_is_refused_and_none_overwrites(admin: Desk) -> None:
    client_id = admin.add_client()
    remark_id = _added(admin, client_id, "one")["_id"]
    admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "two", "version": 1})

    stale = admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "three", "version": 1})
    blind = admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "four"})

    assert reply_of(stale) == (409, "This record was changed by someone else. Reload and try again.")  # fmt: skip
    assert (blind.json()["data"]["remark"], blind.json()["data"]["version"]) == ("four", 3)


@pytest.mark.parametrize(
    ("remark", "message"),
    [
        ("", "Remark is required"),
        (" \n\t ", "Remark is required"),
        ("x" * 2001, "A remark has at most 2,000 characters, without control characters."),
        ("a\x00b", "A remark has at most 2,000 characters, without control characters."),
        ("a\u202eb", "A remark has at most 2,000 characters, without control characters."),
    ],
)
def test_a_remark_that_does_not_fit_is_refused(admin: Desk, remark: str, message: str) -> None:
    client_id = admin.add_client()
    kept = _added(admin, client_id, "kept")

    added = admin.post("/admin/remarks", {"user": client_id, "remark": remark})
    edited = admin.put("/admin/remarks", {"remarkId": kept["_id"], "remark": remark})

    for answer in (added, edited):
        assert reply_of(answer) == (422, message)
        assert answer.json()["errors"] == [{"field": "remark", "message": message}]
    assert _remarks(admin, client_id) == [kept]


def test_the_longest_remark_fits_with_lines_of_every_kind(admin: Desk) -> None:
    client_id = admin.add_client()

    row = _added(admin, client_id, "अ" * 1_990 + "\r\nline\n\tin")

    assert row["remark"] == "अ" * 1_990 + "\nline\n\tin"


def test_the_same_key_adds_one_remark(admin: Desk) -> None:
    client_id = admin.add_client()
    body = {"user": client_id, "remark": "once"}

    first = admin.post("/admin/remarks", body, **{"Idempotency-Key": "k"})
    again = admin.post("/admin/remarks", body, **{"Idempotency-Key": "k"})
    other = admin.post("/admin/remarks", body | {"remark": "x"}, **{"Idempotency-Key": "k"})

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert other.status_code == 422
    assert len(_remarks(admin, client_id)) == 1


def test_fields_that_are_not_asked_for_are_not_taken(admin: Desk) -> None:
    client_id = admin.add_client()
    extra = {"_id": NOBODY, "author": "Somebody", "createdAt": "2020-01-01T00:00:00Z", "version": 9}

    added = admin.post("/admin/remarks", {"user": client_id, "remark": "one"} | extra)
    row = added.json()["data"]
    edited = admin.put(
        "/admin/remarks",
        {"remarkId": row["_id"], "remark": "two", "user": NOBODY} | extra | {"version": 1},
    ).json()["data"]

    assert row["_id"] != NOBODY
    assert (row["author"], row["version"], edited["user"]) == (ADMIN["name"], 1, client_id)


@pytest.mark.on_both(suite="long")
def test_remarks_of_nobody_and_of_a_deleted_client_are_not_there(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    remark_id = _added(admin, client_id, "one")["_id"]
    _delete_client(database, client_id)

    answers = [
        admin.get(f"/admin/remarks/client/{NOBODY}"),
        admin.get(f"/admin/remarks/client/{client_id}"),
        admin.post("/admin/remarks", {"user": client_id, "remark": "two"}),
        admin.put("/admin/remarks", {"remarkId": remark_id, "remark": "two"}),
    ]
    unknown = admin.put("/admin/remarks", {"remarkId": NOBODY, "remark": "two"})

    found = [(answer.status_code, answer.json()["message"]) for answer in answers]
    assert found == [(404, "Client not found")] * 4
    assert reply_of(unknown) == (404, "Record not found")


@pytest.mark.on_both(suite="long")
def test_a_remark_is_about_a_client_not_about_staff(admin: Desk, database: Database) -> None:
    with database.reading() as session:
        staff_id = session.execute(select(Person.id)).scalars().first()

    answer = admin.post("/admin/remarks", {"user": str(staff_id), "remark": "one"})

    assert reply_of(answer) == (404, "Client not found")


@pytest.mark.on_both(suite="long")
def test_an_author_who_left_is_still_named(admin: Desk, user: Desk, database: Database) -> None:
    client_id = admin.add_client()
    _added(user, client_id, "one")
    run(database, update(Person).where(Person.name == "Farhan Ali").values(deleted_at=clock.now()))

    assert _remarks(admin, client_id)[0]["author"] == "Farhan Ali"


def test_without_a_token_there_are_no_remarks(web: TestClient) -> None:
    answers = [
        web.get(f"/api/v1/admin/remarks/client/{NOBODY}"),
        web.post("/api/v1/admin/remarks", json={}),
        web.put("/api/v1/admin/remarks", json={}),
    ]

    assert [answer.status_code for answer in answers] == [401, 401, 401]
