"""The accounts of staff: invited, edited, approved, deleted, restored; and who may do so."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.idempotency import StoredResponse
from tarazu.kit.mail import Mail, text_of
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.tables import Person, Role
from tests.people_of import ADMIN, Desk, data_of, new_key, reply_of, staff_desk
from tests.rows_of import audit_changes, audit_rows, scalars

STALE = "This record was changed by someone else. Reload and try again."
LAST = "At least one active administrator is required."
OWN = "You cannot delete, deactivate or demote your own account."
MEERA = {
    "name": "Meera Iyer",
    "email": "meera@desk.example",
    "contactNumber": "9876543210",
    "countryCode": "+91",
    "role": "USER",
}
PASSWORD = "quiet river 9"


def invite(admin: Desk, **changes: Any) -> dict[str, Any]:
    """Invite Meera, or somebody like her; the row of the answer."""
    return dict(
        data_of(admin.post("/users/add", {"users": [MEERA | changes]}, **new_key()), 201)[0]
    )


def record_of(admin: Desk, user_id: str, **asked: Any) -> dict[str, Any]:
    rows = admin.get("/users", limit=200, **asked).json()["data"]
    return next(row for row in rows if row["_id"] == user_id)


def own_id(admin: Desk) -> str:
    rows = admin.get("/users", query=ADMIN["email"]).json()["data"]
    return str(rows[0]["_id"])


def mails_to(database: Database, recipient: str) -> list[Mail]:
    return scalars(
        database, select(Mail).where(Mail.recipient == recipient).order_by(Mail.queued_at, Mail.id)
    )


def test_a_user_is_added_and_listed(admin: Desk) -> None:
    answer = admin.post("/users/add", {"users": [MEERA]})
    listed = admin.get("/users").json()

    assert reply_of(answer) == (201, "User created successfully")
    assert listed["pagination"] == {
        "currentPage": 1, "totalPages": 1, "totalUsers": 2, "limit": 10,
    }  # fmt: skip
    row = listed["data"][0]
    assert {key: row[key] for key in (*MEERA, "status", "awaitsApproval", "version")} == {
        **MEERA, "status": "ACTIVE", "awaitsApproval": False, "version": 1,
    }  # fmt: skip
    assert dt.datetime.fromisoformat(row["createdAt"]) <= clock.now()
    assert set(row) == {
        "_id", "name", "countryCode", "contactNumber", "email", "role", "status",
        "awaitsApproval", "createdAt", "deletedAt", "version",
    }  # fmt: skip


def test_an_invitation_is_mailed_and_its_password_lets_in_for_72_hours(
    admin: Desk, web: TestClient, database: Database
) -> None:
    added = invite(admin)
    password = added["temporaryPassword"]

    entry = web.post("/api/v1/auth/login", json={"email": MEERA["email"], "password": password})
    [mail] = mails_to(database, MEERA["email"])

    assert len(password) == 20
    assert not password.isalnum()
    assert entry.json()["data"]["isFirstTimeLogin"] is True
    with database.reading() as session:
        assert f"Temporary password: {password}" in text_of(session, mail).splitlines()
    assert password not in mail.text + mail.html
    assert "/auth/login" in mail.text
    assert MEERA["name"] not in mail.subject
    with database.reading() as session:
        until = people.staff_by_email(session, MEERA["email"]).temporary_until  # type: ignore[union-attr]
    assert until is not None
    assert abs(until - clock.now() - dt.timedelta(hours=72)) < dt.timedelta(minutes=5)


def test_the_mail_names_the_public_address_and_then_the_answer_holds_no_password(
    app: FastAPI, admin: Desk, settings: Settings, database: Database
) -> None:
    app.state.settings = settings.model_copy(
        update={"smtp_url": "smtp://mail.example", "public_url": "https://desk.example.com"}
    )

    added = invite(admin, name="<b>Meera</b>")
    [mail] = mails_to(database, MEERA["email"])

    assert added["temporaryPassword"] is None
    assert "https://desk.example.com/auth/login" in mail.text
    assert "<b>Meera" not in mail.html


@pytest.mark.on_both(suite="long")
def test_a_repeat_with_the_same_key_adds_nobody_and_shows_no_password_again(
    admin: Desk, database: Database
) -> None:
    body = {"users": [MEERA]}

    first = admin.post("/users/add", body, **{"Idempotency-Key": "one"})
    again = admin.post("/users/add", body, **{"Idempotency-Key": "one"})

    password = first.json()["data"][0].pop("temporaryPassword")
    assert password
    assert again.status_code == 201
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json()["data"][0]["temporaryPassword"] is None
    assert again.json()["data"][0]["_id"] == first.json()["data"][0]["_id"]
    assert admin.get("/users").json()["pagination"]["totalUsers"] == 2
    stored = scalars(database, select(StoredResponse.answer))
    assert password not in "".join(stored)


def test_all_rows_are_added_or_none(admin: Desk) -> None:
    rows = [{**MEERA, "email": "other@desk.example"}, {**MEERA, "email": ADMIN["email"]}]

    answer = admin.post("/users/add", {"users": rows})
    twice = admin.post("/users/add", {"users": [MEERA, MEERA]})

    assert reply_of(answer) == (409, "Row 2: Email already registered")
    assert answer.json()["errors"] == [{"field": "1.email", "message": "Email already registered"}]
    assert twice.status_code == 409
    assert admin.get("/users").json()["pagination"]["totalUsers"] == 1


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": " "}, "name", "Name is required"),
        ({"email": ""}, "email", "Email is required"),
        ({"email": "meera@desk"}, "email", "Enter a valid email"),
        ({"contactNumber": "98765432101"}, "contactNumber", "A contact number has at most 10 digits."),
        ({"countryCode": "91"}, "countryCode", "A country code is a plus and one to four digits, such as +91."),
        ({"role": "client"}, "role", "A user's role is USER or ADMIN."),
        ({"role": "CLIENT"}, "role", "A user's role is USER or ADMIN."),
        ({"role": None}, "role", "A user's role is USER or ADMIN."),
    ],
)  # fmt: skip
def test_a_wrong_row_is_named_with_its_field(
    admin: Desk, change: dict[str, Any], field: str, message: str
) -> None:
    answer = admin.post("/users/add", {"users": [MEERA | change]})

    assert reply_of(answer) == (422, message)
    assert answer.json()["errors"] == [{"field": f"users.0.{field}", "message": message}]


@pytest.mark.on_both(suite="long")
def test_the_list_is_searched_sorted_and_paged(admin: Desk) -> None:
    invite(admin)
    invite(admin, name="Bina Das", email="bina@desk.example", contactNumber="", role="ADMIN")

    def names(**asked: Any) -> list[str]:
        return [row["name"] for row in admin.get("/users", **asked).json()["data"]]

    assert names() == ["Bina Das", "Meera Iyer", "Ananya Kulkarni"]
    assert names(query="MEERA") == ["Meera Iyer"]
    assert names(query="98765") == ["Meera Iyer"]
    assert names(query="%") == []
    assert names(sort="name") == ["Ananya Kulkarni", "Bina Das", "Meera Iyer"]
    assert names(sort="-name", page=2, limit=2) == ["Ananya Kulkarni"]
    assert names(sort="-role")[0] == "Meera Iyer"
    assert names(page=9) == []


@pytest.mark.on_both(suite="long")
def test_an_edit_changes_what_it_names_and_never_the_email(admin: Desk, database: Database) -> None:
    user_id = invite(admin)["_id"]
    body = {
        "id": user_id, "name": "Meera Rao", "status": "ACTIVE", "contactNumber": "90000",
        "countryCode": "+971", "role": "ADMIN", "email": "stolen@desk.example",
        "awaitsApproval": True, "createdAt": "2001-01-01T00:00:00Z", "_id": "x",
        "passwordHash": "x", "deletedAt": "2001-01-01T00:00:00Z",
    }  # fmt: skip
    before = record_of(admin, user_id)

    answer = admin.put("/users/edit", body)

    after = record_of(admin, user_id)
    assert reply_of(answer) == (200, "User updated successfully")
    assert answer.json()["data"] == after
    assert after == before | {
        "name": "Meera Rao", "contactNumber": "90000", "countryCode": "+971", "role": "ADMIN",
        "version": 2,
    }  # fmt: skip
    assert [row["name"] for row in admin.get("/users", query="rao").json()["data"]]
    action, changes = audit_changes(database, user_id)[-1]
    assert action == "staff_edited"
    assert changes == {
        "name": ["Meera Iyer", "Meera Rao"], "contactNumber": ["9876543210", "90000"],
        "countryCode": ["+91", "+971"], "role": ["USER", "ADMIN"],
    }  # fmt: skip


def test_a_stale_version_is_refused_and_none_means_the_last_write_wins(admin: Desk) -> None:
    user_id = invite(admin)["_id"]
    admin.put("/users/edit", {"id": user_id, "name": "First", "version": 1})

    stale = admin.put("/users/edit", {"id": user_id, "name": "Second", "version": 1})
    gone = admin.post("/users/delete", {"userId": user_id, "version": 1})
    blind = admin.put("/users/edit", {"id": user_id, "name": "Third"})

    assert reply_of(stale) == (409, STALE)
    assert reply_of(gone) == (409, STALE)
    assert blind.status_code == 200
    assert record_of(admin, user_id)["name"] == "Third"


def test_of_parallel_edits_with_one_version_one_succeeds(admin: Desk) -> None:
    user_id = invite(admin)["_id"]

    def edit(number: int) -> int:
        body = {"id": user_id, "name": f"Name {number}", "version": 1}
        return admin.put("/users/edit", body).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(edit, range(12)))

    assert answers == [200] + 11 * [409]


@pytest.mark.on_both(suite="long")
def test_a_deleted_user_is_hidden_and_restored(admin: Desk, database: Database) -> None:
    user_id = invite(admin)["_id"]

    gone = admin.post("/users/delete", {"userId": user_id})
    again = admin.post("/users/delete", {"userId": user_id})
    edit = admin.put("/users/edit", {"id": user_id, "name": "Ghost"})

    assert reply_of(gone) == (200, "User deleted successfully")
    for answer in (again, edit):
        assert reply_of(answer) == (404, "User not found")
    assert admin.get("/users").json()["pagination"]["totalUsers"] == 1
    deleted = admin.get("/users", deleted=True).json()
    assert [row["_id"] for row in deleted["data"]] == [user_id]
    assert deleted["data"][0]["deletedAt"]

    back = admin.post(f"/admin/users/{user_id}/restore")

    assert reply_of(back) == (200, "User restored successfully")
    assert record_of(admin, user_id)["deletedAt"] is None
    assert admin.get("/users", deleted=True).json()["data"] == []
    actions = [action for action, _ in audit_changes(database, user_id)]
    assert actions == ["staff_added", "staff_deleted", "staff_restored"]
    with database.reading() as session:
        assert session.get_one(Person, people.staff_by_email(session, MEERA["email"]).id)  # type: ignore[union-attr]


def test_an_email_taken_meanwhile_keeps_a_user_from_being_restored(admin: Desk) -> None:
    user_id = invite(admin)["_id"]
    admin.post("/users/delete", {"userId": user_id})
    invite(admin)

    answer = admin.post(f"/admin/users/{user_id}/restore")

    assert answer.status_code == 409
    assert answer.json()["message"] == (
        "This email address now belongs to another record. Delete that one first."
    )


def test_users_calls_know_no_clients(admin: Desk) -> None:
    client_id = admin.add_client()

    answers = [
        admin.put("/users/edit", {"id": client_id, "name": "Changed", "role": "ADMIN"}),
        admin.post("/users/delete", {"userId": client_id}),
        admin.post(f"/admin/users/{client_id}/restore"),
    ]

    for answer in answers:
        assert reply_of(answer) == (404, "User not found")
    assert [row["name"] for row in admin.get("/users").json()["data"]] == [ADMIN["name"]]


def test_the_only_administrator_stays_one(admin: Desk) -> None:
    own = own_id(admin)

    answers = [
        admin.put("/users/edit", {"id": own, "role": "USER"}),
        admin.put("/users/edit", {"id": own, "status": "INACTIVE"}),
        admin.post("/users/delete", {"userId": own}),
    ]

    for answer in answers:
        assert reply_of(answer) == (409, LAST)
    assert admin.put("/users/edit", {"id": own, "name": "A. Kulkarni"}).status_code == 200


def test_nobody_puts_the_own_account_outside(
    admin: Desk, web: TestClient, database: Database
) -> None:
    staff_desk(web, database, "second@desk.example", Role.ADMIN)
    own = own_id(admin)

    answers = [
        admin.put("/users/edit", {"id": own, "role": "USER"}),
        admin.put("/users/edit", {"id": own, "status": "INACTIVE"}),
        admin.post("/users/delete", {"userId": own}),
    ]

    for answer in answers:
        assert reply_of(answer) == (409, OWN)


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("way", ["delete", "deactivate", "demote"])
def test_two_administrators_who_remove_each_other_at_once_leave_one(
    admin: Desk, web: TestClient, database: Database, way: str
) -> None:
    other = staff_desk(web, database, "second@desk.example", Role.ADMIN)
    ids = {admin.token: own_id(admin)}
    ids[other.token] = admin.get("/users", query="second@").json()["data"][0]["_id"]

    def remove(pair: tuple[Desk, Desk]) -> int:
        by, whom = pair
        if way == "delete":
            return by.post("/users/delete", {"userId": ids[whom.token]}).status_code
        change = {"status": "INACTIVE"} if way == "deactivate" else {"role": "USER"}
        return by.put("/users/edit", {"id": ids[whom.token], **change}).status_code

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(remove, [(admin, other), (other, admin)]))

    # The slower one is refused: as the last administrator, or as one no longer signed in.
    assert answers[0] == 200
    assert answers[1] in {401, 403, 409}
    with database.reading() as session:
        statement = select(Person.id).where(
            Person.role == Role.ADMIN, Person.status == "ACTIVE", Person.deleted_at.is_(None)
        )
        assert len(session.execute(statement).all()) == 1


@pytest.mark.on_both
def test_of_four_administrators_who_demote_each_other_nobody_acts_after_being_demoted(
    admin: Desk, web: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [staff_desk(web, database, f"{n}@desk.example", Role.ADMIN) for n in range(3)]
    desks = [admin, *others]
    rows = {row["email"]: row["_id"] for row in admin.get("/users").json()["data"]}
    ids = [rows[ADMIN["email"]], *(rows[f"{n}@desk.example"] for n in range(3))]
    # Each was let in as an ADMIN before the first of them changes anything.
    let_in, edit_staff = Barrier(4), people.edit_staff

    def edit_together(*given: Any) -> Person:
        let_in.wait(600)
        return edit_staff(*given)

    monkeypatch.setattr(people, "edit_staff", edit_together)

    def demote(place: int) -> int:
        body = {"id": ids[(place + 1) % 4], "role": "USER"}
        return desks[place].put("/users/edit", body).status_code

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(demote, range(4)))

    assert {200} < set(answers) <= {200, 401, 409}
    demoted: set[str] = set()
    for row in audit_rows(database, "staff_edited"):
        assert str(row.account_id) not in demoted
        demoted.add(row.record_id)
    assert len(demoted) == answers.count(200)


@pytest.mark.parametrize("way", ["deactivated", "deleted", "promoted", "demoted"])
def test_sessions_end_at_once_and_do_not_come_back(
    admin: Desk, web: TestClient, database: Database, way: str
) -> None:
    role = Role.ADMIN if way == "demoted" else Role.USER
    other = staff_desk(web, database, "second@desk.example", role)
    user_id = admin.get("/users", query="second@").json()["data"][0]["_id"]
    assert other.get("/auth/verify-token").status_code == 200

    if way == "deactivated":
        admin.put("/users/edit", {"id": user_id, "status": "INACTIVE"})
    elif way == "deleted":
        admin.post("/users/delete", {"userId": user_id})
    else:
        new_role = "ADMIN" if way == "promoted" else "USER"
        admin.put("/users/edit", {"id": user_id, "role": new_role})
    dead = other.get("/auth/verify-token")
    admin.post(f"/admin/users/{user_id}/restore")
    admin.put("/users/edit", {"id": user_id, "status": "ACTIVE"})
    still_dead = other.get("/auth/verify-token")

    for answer in (dead, still_dead):
        assert reply_of(answer) == (401, "Session expired. Please log in again.")
    fresh = web.post(
        "/api/v1/auth/login", json={"email": "second@desk.example", "password": PASSWORD}
    )
    assert fresh.status_code == 200


@pytest.mark.on_both(suite="long")
def test_administrators_are_mailed_a_sign_up_and_approve_it(
    admin: Desk, web: TestClient, database: Database
) -> None:
    ravi = {"name": "Ravi <i>Rao</i>", "email": "ravi@desk.example", "password": "eight elms 8"}
    web.post("/api/v1/auth/register", json=ravi)
    row = admin.get("/users", query="ravi@").json()["data"][0]

    [mail] = mails_to(database, ADMIN["email"])
    waiting = web.post("/api/v1/auth/login", json=ravi)
    kept = admin.put("/users/edit", {"id": row["_id"], "name": "Ravi Rao", "status": "INACTIVE"})
    approved = admin.put("/users/edit", {"id": row["_id"], "status": "ACTIVE"})
    entry = web.post("/api/v1/auth/login", json=ravi)

    assert (row["status"], row["awaitsApproval"], row["role"]) == ("INACTIVE", True, "USER")
    assert "ravi@desk.example" in mail.text
    assert "<i>" not in mail.html
    assert "Ravi" not in mail.subject
    assert waiting.json()["message"] == "Your account awaits approval by an administrator."
    assert kept.json()["data"]["awaitsApproval"] is True
    assert (approved.json()["data"]["status"], approved.json()["data"]["awaitsApproval"]) == (
        "ACTIVE", False,
    )  # fmt: skip
    assert entry.status_code == 200
    assert audit_changes(database, row["_id"])[-1] == (
        "staff_edited",
        {"status": ["INACTIVE", "ACTIVE"], "awaitsApproval": [True, False]},
    )


def test_an_edit_that_changes_nothing_leaves_version_and_trail_alone(
    admin: Desk, database: Database
) -> None:
    user_id = invite(admin)["_id"]
    before = audit_changes(database, user_id)

    answer = admin.put("/users/edit", {"id": user_id, **MEERA, "status": "ACTIVE"})

    assert answer.json()["data"]["version"] == 1
    assert audit_changes(database, user_id) == before
