"""How many clients there are is kept in memory, and follows every change at once."""

import pytest
from sqlalchemy import event

from tarazu.kit.db import Database
from tarazu.kit.schemas import ListParams
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tests.people_of import Desk

pytestmark = pytest.mark.on_both


def _total(admin: Desk, **asked: object) -> int:
    answer = admin.get("/admin/clients", limit=1, **asked).json()
    return int(answer["pagination"]["totalUsers"])


def test_the_total_follows_what_is_added_deleted_and_restored(admin: Desk) -> None:
    first = admin.add_client()
    admin.add_client("Ravi Iyer", "ravi@clients.example")
    added = _total(admin), _total(admin, sort="-totalPortfolio")

    admin.post("/clients/delete", {"clientId": first})
    deleted = _total(admin), _total(admin, sort="-totalPortfolio")
    admin.post(f"/admin/clients/{first}/restore")
    restored = _total(admin), _total(admin, sort="-totalPortfolio")

    assert (added, deleted, restored) == ((2, 2), (1, 1), (2, 2))


def test_what_another_process_adds_counts_here(
    admin: Desk, database: Database, settings: Settings
) -> None:
    admin.add_client()
    elsewhere = Database(settings.resolved_database_url)
    try:
        with elsewhere.reading() as session:
            before = people.client_index(session).live
        admin.add_client("Ravi Iyer", "ravi@clients.example")
        with elsewhere.reading() as session:
            after = people.client_index(session).live
    finally:
        elsewhere.dispose()

    assert (before, after) == (1, 2)


def test_it_is_not_counted_again_without_a_change(admin: Desk, database: Database) -> None:
    admin.add_client()
    admin.add_client("Ravi Iyer", "ravi@clients.example")
    counted: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(_c: object, _u: object, statement: str, *_: object) -> None:
        if "count(" in statement:
            counted.append(statement)

    with database.reading() as session:
        people.page_of_summaries(session, ListParams(limit=1))
        once = len(counted)
        people.page_of_summaries(session, ListParams(limit=1))

    assert (once, len(counted)) in {(1, 1), (0, 0)}


def test_the_order_by_name_follows_a_new_name(admin: Desk) -> None:
    client_id = admin.add_client("Asha Rao", "asha@clients.example")
    admin.add_client("ravi Iyer", "ravi@clients.example")

    def names(sort: str) -> list[str]:
        return [row["name"] for row in admin.get("/admin/clients", sort=sort).json()["data"]]

    assert (names("name"), names("-name")) == (["Asha Rao", "ravi Iyer"], ["ravi Iyer", "Asha Rao"])
    assert admin.put("/clients/edit", {"id": client_id, "name": "Zoya Rao"}).status_code == 200
    assert (names("name"), names("-name")) == (["ravi Iyer", "Zoya Rao"], ["Zoya Rao", "ravi Iyer"])


@pytest.mark.parametrize(
    ("asked", "total"),
    [
        (ListParams(limit=1), 3),
        (ListParams(limit=1, page=3), 3),
        (ListParams(limit=1, page=4), 3),
        (ListParams(limit=2, page=2), 3),
        (ListParams(limit=50), 3),
        (ListParams(limit=1, query="iyer"), 2),
        (ListParams(limit=2, query="iyer"), 2),
        (ListParams(limit=2, query="iyer", page=2), 2),
        (ListParams(limit=2, query="nobody"), 0),
    ],
)
def test_every_page_has_the_total(
    admin: Desk, database: Database, asked: ListParams, total: int
) -> None:
    admin.add_client()
    admin.add_client("Ravi Iyer", "ravi@clients.example")
    admin.add_client("Asha Iyer", "asha@clients.example")

    with database.reading() as session:
        assert people.page_of_summaries(session, asked)[1] == total
