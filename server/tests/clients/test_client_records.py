"""The records of clients: listed, edited, taken out of the firm and back."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from tarazu.kit.db import Database
from tarazu.people.tables import ClientCodeCounter
from tests.people_of import Desk, data_of, new_key, reply_of
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_changes, run

pytestmark = pytest.mark.on_both

STALE = "This record was changed by someone else. Reload and try again."
KAVYA = {
    "name": "Kavya Menon",
    "email": "kavya@home.example",
    "contactNumber": "9876543210",
    "countryCode": "+91",
    "role": "client",
}


def add(desk: Desk, **changes: Any) -> str:
    return str(
        data_of(desk.post("/clients/add", {"clients": [KAVYA | changes]}, **new_key()), 201)[0][
            "_id"
        ]
    )


def record_of(desk: Desk, client_id: str) -> dict[str, Any]:
    rows = desk.get("/clients", limit=200).json()["data"]
    return next(row for row in rows if row["_id"] == client_id)


def test_records_are_listed_with_what_the_screen_shows(user: Desk) -> None:
    add(user)
    add(user, name="Asha Rao", email="asha@home.example", contactNumber=9000000001)

    listed = user.get("/clients").json()

    assert listed["pagination"] == {
        "currentPage": 1, "totalPages": 1, "totalUsers": 2, "limit": 10,
    }  # fmt: skip
    assert [row["clientId"] for row in listed["data"]] == ["C0002", "C0001"]
    row = listed["data"][1]
    assert {key: row[key] for key in (*KAVYA, "status", "version")} == {
        **KAVYA, "status": "ACTIVE", "version": 1,
    }  # fmt: skip
    assert set(row) == {
        "_id", "clientId", "name", "countryCode", "contactNumber", "email", "role", "status",
        "address", "dob", "family", "kind", "accreditedFrom", "accreditedUntil", "language", "createdAt", "deletedAt", "version",
        "teamId",
    }  # fmt: skip


def test_the_list_is_searched_sorted_and_paged(admin: Desk) -> None:
    for name in ("kavya", "asha", "Zoya"):
        add(admin, name=name, email=f"{name}@home.example", contactNumber="")

    def names(**asked: Any) -> list[str]:
        return [row["name"] for row in admin.get("/clients", **asked).json()["data"]]

    assert names(sort="name") == ["asha", "kavya", "Zoya"]
    assert names(sort="-clientId", page=2, limit=2) == ["kavya"]
    assert names(sort="createdAt") == ["kavya", "asha", "Zoya"]
    assert names(sort="nonsense") == ["Zoya", "asha", "kavya"]
    assert names(query="c0002") == ["asha"]
    assert names(page=7) == []
    assert admin.get("/clients", limit=201).status_code == 422


def test_an_edit_changes_what_it_names_and_never_the_email(user: Desk, database: Database) -> None:
    client_id = add(user)
    before = record_of(user, client_id)
    body = {
        "id": client_id, "name": "Kavya Nair", "contactNumber": "1", "countryCode": "+971",
        "status": "ACTIVE", "family": " Nair ", "address": "4 Prabhat Road\nPune",
        "dob": "1980-05-06", "email": "stolen@home.example", "clientId": "C9999", "role": "ADMIN",
        "passwordHash": "x", "createdAt": "2001-01-01T00:00:00Z", "_id": "x",
    }  # fmt: skip

    answer = user.put("/clients/edit", body)

    after = record_of(user, client_id)
    assert reply_of(answer) == (200, "Client updated successfully")
    assert answer.json()["data"] == after
    assert after == before | {
        "name": "Kavya Nair", "contactNumber": "1", "countryCode": "+971", "family": "Nair",
        "address": "4 Prabhat Road\nPune", "dob": "1980-05-06", "version": 2,
    }  # fmt: skip
    profile = user.get(f"/admin/clients/client/{client_id}/profile").json()["data"]
    assert (profile["name"], profile["dob"]) == ("Kavya Nair", "1980-05-06")
    data = user.get("/admin/clients", query="nair").json()["data"]
    assert [row["clientId"] for row in data] == ["C0001"]
    assert user.get("/admin/clients", query="c0001").json()["data"]
    action, changes = audit_changes(database, client_id)[-1]
    assert action == "client_edited"
    assert changes["name"] == ["Kavya Menon", "Kavya Nair"]
    assert changes["dob"] == [None, "1980-05-06"]


def test_fields_left_out_stay_and_a_birthday_can_be_cleared(admin: Desk) -> None:
    client_id = add(admin)
    admin.put("/clients/edit", {"id": client_id, "dob": "1980-05-06", "family": "Menon"})

    data = admin.put("/clients/edit", {"id": client_id, "name": "K", "family": None}).json()["data"]
    cleared = admin.put("/clients/edit", {"id": client_id, "dob": None}).json()["data"]

    assert (data["dob"], data["family"], data["contactNumber"]) == (
        "1980-05-06", "Menon", "9876543210",
    )  # fmt: skip
    assert (cleared["dob"], cleared["family"]) == (None, "Menon")


def test_the_kind_of_a_client_and_an_accreditation_are_recorded_and_audited(
    user: Desk, database: Database
) -> None:
    client_id = add(user)
    before = record_of(user, client_id)

    body = {"id": client_id, "kind": "HUF", "accreditedUntil": "2028-03-31"}
    edited = user.put("/clients/edit", body).json()["data"]
    action, changes = audit_changes(database, client_id)[-1]
    other = user.put("/clients/edit", {"id": client_id, "family": "Menon"}).json()["data"]
    cleared = user.put("/clients/edit", {"id": client_id, "accreditedUntil": None}).json()["data"]

    assert (before["kind"], before["accreditedUntil"]) == ("INDIVIDUAL", None)
    assert (edited["kind"], edited["accreditedUntil"]) == ("HUF", "2028-03-31")
    assert action == "client_edited"
    assert changes["kind"] == ["INDIVIDUAL", "HUF"]
    assert changes["accreditedUntil"] == [None, "2028-03-31"]
    assert (other["kind"], other["accreditedUntil"]) == ("HUF", "2028-03-31")
    assert (cleared["kind"], cleared["accreditedUntil"]) == ("HUF", None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "COMPANY"}, "A client's kind is INDIVIDUAL, HUF or OTHER."),
        ({"accreditedUntil": "31/03/2028"}, "Please select a valid date"),
        (
            {"accreditedFrom": "2028-04-01", "accreditedUntil": "2028-03-31"},
            "The certificate of an accredited investor ends before it begins.",
        ),
        ({"name": ""}, "Name is required"),
        ({"name": "x" * 101}, "A name has 1 to 100 characters, without control characters."),
        ({"contactNumber": "98765432101"}, "A contact number has at most 10 digits."),
        (
            {"countryCode": "91"},
            "A country code is a plus and one to four digits, such as +91.",
        ),
        ({"dob": "2999-01-01"}, "Please select a valid date"),
        ({"dob": "2190-01-01"}, "Please select a valid date"),
        (
            {"family": "x" * 101},
            "A family has at most 100 characters, without control characters.",
        ),
        (
            {"address": "\x00"},
            "An address has at most 300 characters, without control characters.",
        ),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    admin: Desk, change: dict[str, Any], message: str
) -> None:
    client_id = add(admin)
    before = record_of(admin, client_id)

    answer = admin.put("/clients/edit", {"id": client_id, **change})

    assert reply_of(answer) == (422, message)
    assert record_of(admin, client_id) == before


@pytest.mark.parametrize("status", ["DELETED", "active", "", 1])
def test_a_status_is_one_of_two(admin: Desk, status: Any) -> None:
    answer = admin.put("/clients/edit", {"id": add(admin), "status": status})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "status"


@pytest.mark.parametrize("role", ["ADMIN", "USER", "staff"])
def test_a_new_client_is_a_client(admin: Desk, role: str) -> None:
    answer = admin.post("/clients/add", {"clients": [KAVYA | {"role": role}]})

    assert reply_of(answer) == (422, "A client's role is client.")


def test_a_stale_version_is_refused_and_none_means_the_last_write_wins(admin: Desk) -> None:
    client_id = add(admin)
    admin.put("/clients/edit", {"id": client_id, "name": "First", "version": 1})

    stale = admin.put("/clients/edit", {"id": client_id, "name": "Second", "version": 1})
    gone = admin.post("/clients/delete", {"clientId": client_id, "version": 1})
    blind = admin.put("/clients/edit", {"id": client_id, "name": "Third"})

    for answer in (stale, gone):
        assert reply_of(answer) == (409, STALE)
        assert answer.json()["code"] == "stale_version"
    assert blind.json()["data"]["version"] == 3


def test_of_parallel_edits_with_one_version_one_succeeds(admin: Desk) -> None:
    client_id = add(admin)

    def edit(number: int) -> int:
        body = {"id": client_id, "name": f"Name {number}", "version": 1}
        return admin.put("/clients/edit", body).status_code

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(edit, range(20)))

    assert answers == [200] + 19 * [409]


def test_clients_calls_know_no_staff(admin: Desk, user: Desk) -> None:
    users = admin.get("/users").json()["data"]

    for one in users:
        answers = [
            user.put("/clients/edit", {"id": one["_id"], "status": "INACTIVE"}),
            user.post("/clients/delete", {"clientId": one["_id"]}),
            admin.post(f"/admin/clients/{one['_id']}/restore"),
        ]
        for answer in answers:
            assert reply_of(answer) == (404, "Client not found")
    assert admin.get("/users").json()["data"] == users


def test_a_deleted_client_is_hidden_everywhere_and_restored_in_full(
    admin: Desk, user: Desk, database: Database
) -> None:
    client_id = add(user)
    give_holdings(database, client_id, {"INFY": (10, "1000")}, cash="500")
    stats = admin.get("/admin/dashboard/stats").json()["data"]
    places = [
        f"/admin/clients/client/{client_id}/profile",
        f"/admin/clients/client/{client_id}/portfolio",
        f"/admin/clients/client/{client_id}/holdings",
        f"/admin/advice/clients/{client_id}",
        "/admin/advice/clients/by-code/C0001/holdings",
    ]
    assert [admin.get(place).status_code for place in places] == [200] * 5

    gone = user.post("/clients/delete", {"clientId": client_id})

    assert reply_of(gone) == (200, "Client deleted successfully")
    assert [admin.get(place).status_code for place in places] == [404] * 5
    for path in ("/clients", "/admin/clients"):
        assert admin.get(path).json()["pagination"]["totalUsers"] == 0
        assert admin.get(path, query="kavya").json()["data"] == []
    empty = admin.get("/admin/dashboard/stats").json()["data"]
    assert (empty["totalClients"], empty["totalCurrentAUM"], empty["totalCashHoldings"]) == (
        0,
        0,
        0,
    )
    assert admin.get("/admin/dashboard/stocks-distribution").json()["data"] == []
    again = user.post("/clients/delete", {"clientId": client_id})
    assert reply_of(again) == (404, "Client not found")
    deleted = admin.get("/clients", deleted=True).json()["data"]
    assert [row["clientId"] for row in deleted] == ["C0001"]

    back = admin.post(f"/admin/clients/{client_id}/restore")

    assert reply_of(back) == (200, "Client restored successfully")
    assert [admin.get(place).status_code for place in places] == [200] * 5
    assert record_of(admin, client_id)["clientId"] == "C0001"
    assert admin.get("/admin/dashboard/stats").json()["data"] == stats
    actions = [action for action, _ in audit_changes(database, client_id)]
    assert actions[0] == "client_added"
    assert actions[-2:] == ["client_deleted", "client_restored"]


def test_an_inactive_client_leaves_the_firms_totals_and_can_still_be_looked_at(
    user: Desk, admin: Desk, database: Database, priced
) -> None:
    priced({"INFY": "1000"})
    one, two = add(user), add(user, name="Asha", email="asha@home.example")
    give_holdings(database, one, {"INFY": (10, "1000")}, cash="500.25")
    give_holdings(database, two, {"INFY": (5, "1000")}, cash="100")
    both = user.get("/admin/dashboard/stats").json()["data"]

    user.put("/clients/edit", {"id": one, "status": "INACTIVE"})

    left = user.get("/admin/dashboard/stats").json()["data"]
    assert (both["totalClients"], both["totalCashHoldings"]) == (2, 600.25)
    assert (left["totalClients"], left["totalCashHoldings"]) == (1, 100)
    assert left["totalCurrentAUM"] == 5100
    [stock] = user.get("/admin/dashboard/stocks-distribution").json()["data"]
    assert stock["totalQuantity"] == 5
    assert user.get(f"/admin/clients/client/{one}/portfolio").json()["data"]["net"] == 500.25
    assert admin.get("/admin/advice/clients/by-code/C0001/holdings").status_code == 200
    rows = {row["_id"]: row["status"] for row in user.get("/admin/clients").json()["data"]}
    assert rows == {one: "INACTIVE", two: "ACTIVE"}

    # Deleted and restored it stays what it was; only ACTIVE counts again.
    user.post("/clients/delete", {"clientId": one})
    admin.post(f"/admin/clients/{one}/restore")
    assert user.get("/admin/dashboard/stats").json()["data"] == left
    user.put("/clients/edit", {"id": one, "status": "ACTIVE"})
    user.put("/clients/edit", {"id": one, "status": "ACTIVE"})
    assert user.get("/admin/dashboard/stats").json()["data"] == both


def test_a_refused_edit_leaves_the_totals_alone(user: Desk, database: Database) -> None:
    client_id = add(user)
    give_holdings(database, client_id, {}, cash="500")
    before = user.get("/admin/dashboard/stats").json()["data"]

    answer = user.put("/clients/edit", {"id": client_id, "status": "INACTIVE", "version": 9})

    assert answer.status_code == 409
    assert user.get("/admin/dashboard/stats").json()["data"] == before


def test_the_totals_hold_when_many_change_states_at_once(admin: Desk, database: Database) -> None:
    ids = [add(admin, email=f"c{number}@home.example") for number in range(6)]
    for client_id in ids:
        give_holdings(database, client_id, {"INFY": (1, "100")}, cash="10")

    def turn(client_id: str) -> None:
        for status in ("INACTIVE", "ACTIVE", "INACTIVE"):
            admin.put("/clients/edit", {"id": client_id, "status": status})

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(turn, ids[:4]))

    stats = admin.get("/admin/dashboard/stats").json()["data"]
    assert (stats["totalClients"], stats["totalCashHoldings"]) == (2, 20)
    [stock] = admin.get("/admin/dashboard/stocks-distribution").json()["data"]
    assert (stock["totalQuantity"], stock["totalInvestedValue"]) == (2, 200)


def test_an_email_is_free_again_after_deletion_and_then_bars_the_restore(admin: Desk) -> None:
    client_id = add(admin)
    admin.post("/clients/delete", {"clientId": client_id})
    second = add(admin)

    refused = admin.post(f"/admin/clients/{client_id}/restore")
    assert refused.status_code == 409
    assert refused.json()["message"] == (
        "This email address now belongs to another record. Delete that one first."
    )
    assert record_of(admin, second)["clientId"] == "C0002"

    admin.post("/clients/delete", {"clientId": second})
    assert admin.post(f"/admin/clients/{client_id}/restore").status_code == 200


def test_restoring_and_the_deleted_list_are_the_administrators_alone(
    admin: Desk, user: Desk, web: TestClient
) -> None:
    client_id = add(user)
    user.post("/clients/delete", {"clientId": client_id})

    listed = user.get("/clients", deleted=True)
    restored = user.post(f"/admin/clients/{client_id}/restore")
    nobody = web.get("/api/v1/clients", params={"deleted": True})

    for answer in (listed, restored):
        assert reply_of(answer) == (403, "You do not have permission to do this.")
    assert nobody.status_code == 401
    assert len(admin.get("/clients", deleted=True).json()["data"]) == 1
    assert admin.get("/clients").json()["data"] == []


def test_codes_end_at_c9999_and_are_never_used_again(admin: Desk, database: Database) -> None:
    client_id = add(admin)
    admin.post("/clients/delete", {"clientId": client_id})
    assert record_of(admin, add(admin, email="b@home.example"))["clientId"] == "C0002"
    run(database, update(ClientCodeCounter).values(last_number=9998))

    last = add(admin, email="c@home.example")
    none_left = admin.post("/clients/add", {"clients": [KAVYA | {"email": "d@home.example"}]})

    assert record_of(admin, last)["clientId"] == "C9999"
    assert none_left.status_code == 409
    assert none_left.json()["message"] == (
        "All client codes up to C9999 are taken; no client can be added."
    )


def test_two_who_add_the_same_email_at_once_do_not_both_succeed(admin: Desk) -> None:
    user_body = {"users": [{"name": "K", "email": KAVYA["email"], "role": "USER"}]}
    calls = 3 * [("/clients/add", {"clients": [KAVYA]}), ("/users/add", user_body)]

    with ThreadPoolExecutor(6) as pool:
        answers = sorted(pool.map(lambda call: admin.post(*call, **new_key()).status_code, calls))

    assert answers == [201] + 5 * [409]
