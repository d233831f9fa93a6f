"""The readiness page: what is wrong with whom, and the links that mend it."""

import csv
import datetime as dt
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import UUID

import openpyxl
import pytest
from httpx2 import Response
from sqlalchemy import delete, event, update

from tarazu.app import open_database
from tarazu.brokers import service as brokers
from tarazu.brokers.tables import ClientSession
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database, Table
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.prices import service as prices
from tarazu.sync import readiness
from tarazu.sync.readiness import Problem, Readiness, ReadinessFilter, SessionState
from tarazu.sync.tables import ClientSync
from tests.brokers.conftest import plain_fixture_of
from tests.brokers.simulator.world import KITE
from tests.people_of import new_key
from tests.rows_of import run
from tests.sync.conftest import SyncDesk


def page(desk: SyncDesk, **asked: Any) -> dict[str, Any]:
    answer = desk.firm.desk.get("/admin/readiness", **asked)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def last_a_day(desk: SyncDesk) -> None:
    """Log-ins end at six in the morning; these tests pass in the hour before it as well."""
    run(desk.database, update(ClientSession).values(expires_at=clock.now() + dt.timedelta(days=1)))


def test_every_active_client_is_listed_with_what_is_wrong(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    good = desk.client("AB1234", KITE, "Kavya Menon")
    never = desk.firm.desk.add_client("Omkar Rao", "omkar@home.example")
    gone = desk.firm.desk.add_client("Lata Sen", "lata@home.example")
    desk.firm.desk.put("/clients/edit", {"id": gone, "status": "INACTIVE"})
    desk.synced(good)
    last_a_day(desk)

    found = page(desk)

    rows = {row["_id"]: row for row in found["data"]}
    assert rows.keys() == {good, never}
    assert rows[good]["session"] == "LIVE"
    assert rows[good]["outcome"] == "DONE"
    # The prices that come with the product are old; nothing else is wrong.
    assert rows[good]["problems"] == ["PRICES"]
    assert rows[never]["problems"] == ["SESSION", "SYNC"]
    assert rows[never]["session"] == "NONE"
    assert found["counts"] == {
        "total": 2,
        "ready": 0,
        "session": 1,
        "sync": 1,
        "leftOut": 0,
        "unmapped": 0,
        "changes": 0,
        "actions": 0,
        "money": 0,
        "prices": 1,
    }
    assert found["toConnect"] == 1


def test_the_list_is_searched_narrowed_and_paged(desk: SyncDesk) -> None:
    for number in range(3):
        desk.firm.desk.add_client(f"Client {number}", f"c{number}@home.example")
    desk.client("AB1234", KITE, "Kavya Menon")

    assert [row["name"] for row in page(desk, query="kavya")["data"]] == ["Kavya Menon"]
    # How many links one press would send does not follow the search.
    assert page(desk, query="kavya")["toConnect"] == 3
    without = page(desk, problem="SESSION", page=2, limit=2)
    assert [row["name"] for row in without["data"]] == ["Client 2"]
    assert without["pagination"]["totalUsers"] == 3
    assert without["counts"]["total"] == 4
    assert page(desk, ready=True)["data"] == []
    assert desk.firm.desk.get("/admin/readiness", problem="WEATHER").status_code == 422


def test_unmapped_stocks_and_failures_are_listed(desk: SyncDesk) -> None:
    client_id = desk.client()
    answers = plain_fixture_of("kite_answers.json")
    desk.answer(KITE, "holdings", answers["holdings"])
    desk.synced(client_id)
    desk.world.faults.clear()
    desk.fault(KITE, "funds", "half")
    desk.sync(client_id)

    (row,) = page(desk)["data"]

    assert row["unmapped"] == 1
    assert {"UNMAPPED", "SYNC"} <= set(row["problems"])
    assert row["outcome"] == "FAILED"
    assert row["reason"]


def test_one_press_sends_links_to_all_who_need_one_and_only_once(desk: SyncDesk) -> None:
    desk.client("AB1234", KITE, "Kavya Menon")
    for number in range(3):
        desk.firm.desk.add_client(f"Client {number}", f"c{number}@home.example")

    first = desk.firm.desk.post("/admin/readiness/send-links")
    second = desk.firm.desk.post("/admin/readiness/send-links", **new_key())

    assert first.json()["data"] == {"sent": 3}
    assert first.json()["message"] == "3 connect links are on the way"
    assert second.json()["data"] == {"sent": 0}
    rows = {row["name"]: row for row in page(desk)["data"]}
    assert rows["Client 1"]["linkedAt"] is not None
    assert rows["Kavya Menon"]["linkedAt"] is None
    again = {"clientIds": [rows["Client 1"]["_id"]]}
    assert desk.firm.desk.post("/admin/readiness/send-links", again).json()["data"] == {"sent": 1}


def test_a_log_in_that_awaits_its_confirmation_needs_no_link(desk: SyncDesk) -> None:
    client_id = desk.firm.desk.add_client()
    desk.firm.log_client_in(client_id, "AB1234", KITE)

    (row,) = page(desk)["data"]

    assert row["session"] == "UNCONFIRMED"
    assert desk.firm.desk.post("/admin/readiness/send-links").json()["data"] == {"sent": 0}


def test_an_unknown_change_cannot_be_marked_as_seen(desk: SyncDesk) -> None:
    assert desk.firm.desk.post(f"/admin/sync/changes/{UUID(int=1)}/seen").status_code == 404


def seen_at(desk: SyncDesk, now: dt.datetime) -> Readiness:
    """The only client, as the readiness page tells of it at some time."""
    with desk.database.reading() as session:
        (row,) = readiness.readiness(session, now, ReadinessFilter()).rows
    return row


@contextmanager
def statements_on(database: Database) -> Iterator[list[str]]:
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        found.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield found
    event.remove(database.engine, "before_cursor_execute", note)


def test_every_table_that_readiness_is_read_from_has_a_version() -> None:
    tracked = {
        mapper.class_.__tablename__
        for mapper in Table.registry.mappers
        if mapper.class_.tracks_version
    }

    assert {name for tables in readiness.PARTS.values() for name in tables} <= tracked


def test_what_did_not_change_is_not_read_again(desk: SyncDesk) -> None:
    desk.synced(desk.client())
    first = page(desk)

    with statements_on(desk.database) as statements:
        assert page(desk) == first
    assert not [
        statement
        for statement in statements
        if "FROM client_syncs" in statement or "FROM accounts" in statement
    ]
    desk.fault(KITE, "funds", "503")
    desk.sync(first["data"][0]["_id"])
    with statements_on(desk.database) as statements:
        assert page(desk)["data"][0]["outcome"] == "FAILED"
    # Of what one failed sync wrote, not of everything.
    assert [statement for statement in statements if "FROM client_syncs" in statement]
    assert not [statement for statement in statements if "FROM accounts" in statement]


@pytest.mark.on_both(suite="long")
def test_what_another_process_did_is_seen_at_once(desk: SyncDesk, settings: Settings) -> None:
    desk.synced(desk.client())
    desk.firm.desk.add_client("Omkar Rao", "omkar@home.example")
    before = page(desk)
    elsewhere = open_database(settings)

    with elsewhere.transaction() as session:
        people.edit_client(
            session,
            SYSTEM,
            clock.now(),
            UUID(before["data"][1]["_id"]),
            {"status": "INACTIVE"},
            None,
        )
        # A statement on the table itself, as bulk work makes them.
        table = Table.metadata.tables["client_syncs"]
        session.execute(update(table).values(outcome="FAILED", reason="Too late."))
    found = page(desk)
    with suppress(ValueError), elsewhere.transaction() as session:
        session.execute(update(ClientSync).values(reason="Never."))
        raise ValueError
    with elsewhere.transaction() as session:
        session.execute(delete(ClientSession))
    ended = page(desk)
    elsewhere.dispose()

    (row,) = found["data"]
    assert (row["name"], row["outcome"], row["reason"]) == ("Kavya Menon", "FAILED", "Too late.")
    assert (found["counts"]["total"], found["counts"]["session"]) == (1, 0)
    assert ended["data"][0]["reason"] == "Too late."
    assert (ended["counts"]["session"], ended["toConnect"]) == (1, 1)


def test_what_expires_is_over_although_nothing_was_changed(desk: SyncDesk) -> None:
    client_id = desk.client()
    desk.synced(client_id)
    now = clock.now()
    until = seen_at(desk, now).session_until
    assert until is not None

    minute = dt.timedelta(minutes=1)
    assert seen_at(desk, until - minute).session is SessionState.ENDING
    assert seen_at(desk, until).session is SessionState.NONE
    assert seen_at(desk, until + dt.timedelta(days=4)).problems[:2] == (
        Problem.SESSION, Problem.SYNC,
    )  # fmt: skip
    # A clock that is set back.
    assert seen_at(desk, now).session is not SessionState.NONE


def test_a_link_that_ran_out_is_to_be_sent_again(desk: SyncDesk) -> None:
    desk.firm.desk.add_client()
    desk.firm.desk.post("/admin/readiness/send-links")
    now = clock.now()

    assert seen_at(desk, now).linked_at is not None
    assert seen_at(desk, now + brokers.LINK_LASTS).linked_at is None


def test_stale_prices_are_listed_while_they_are_stale(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    client_id = desk.client("AB1234")
    desk.synced(client_id)
    now = clock.now()
    with desk.database.reading() as session:
        tokens = [row["instrumentToken"] for row in desk.holdings(client_id).values()]
        book = prices.book_of(session)

    before = seen_at(desk, now)
    book.record(dict.fromkeys(tokens[1:], 1_000_000), now, "ZERODHA")
    one_left = seen_at(desk, now)
    book.record({tokens[0]: 1_000_000}, now, "ZERODHA")
    fresh = seen_at(desk, now)

    assert Problem.PRICES in before.problems
    assert Problem.PRICES in one_left.problems
    assert one_left.price_at == before.price_at
    assert Problem.PRICES not in fresh.problems
    assert fresh.price_at == now


def taken(desk: SyncDesk, form: str = "csv", **asked: Any) -> Response:
    answer = desk.firm.desk.get("/admin/readiness/export", format=form, **asked)
    assert answer.status_code == 200, answer.text
    return answer


def rows_of(answer: Response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_list_is_exported_with_its_filters_and_all_its_rows(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    good = desk.client("AB1234", KITE, "Kavya Menon")
    desk.synced(good)
    last_a_day(desk)
    for number in range(3):
        desk.firm.desk.add_client(f"Client {number}", f"c{number}@home.example")

    every = rows_of(taken(desk))
    without = rows_of(taken(desk, problem="SESSION", page=2, limit=1))
    rows = rows_of(taken(desk, query="kavya"))
    ready = rows_of(taken(desk, ready=True))

    assert [row["Client Name"] for row in every] == [
        "Kavya Menon", "Client 0", "Client 1", "Client 2",
    ]  # fmt: skip
    # A file is whole, whatever page is shown.
    assert [row["Client Name"] for row in without] == ["Client 0", "Client 1", "Client 2"]
    assert {row["To Do"] for row in without} == {"Not logged in, Not synced"}
    (kavya,) = rows
    assert (kavya["Broker"], kavya["Log-in"], kavya["Last Try"]) == (
        "Zerodha", "Logged in", "Synced",
    )  # fmt: skip
    assert kavya["To Do"] == "Stale prices"
    assert kavya["Cash Mismatch"] == "0.00"
    assert ready == []
    assert desk.firm.desk.get("/admin/readiness/export", problem="WEATHER").status_code == 422
    (row, *_) = desk.firm.trail("taken_away")
    assert json.loads(row.changes)["what"] == "readiness"


def test_the_file_says_what_is_wrong(desk: SyncDesk) -> None:
    client_id = desk.client()
    answers = plain_fixture_of("kite_answers.json")
    desk.answer(KITE, "holdings", answers["holdings"])
    desk.synced(client_id)
    desk.world.faults.clear()
    desk.fault(KITE, "funds", "half")
    desk.sync(client_id)

    (row,) = rows_of(taken(desk, problem="UNMAPPED"))

    shown = page(desk)["data"][0]
    assert (row["Unknown"], row["Last Try"], row["Reason"]) == ("1", "Failed", shown["reason"])
    assert {"Unknown stocks", "Not synced"} <= set(row["To Do"].split(", "))
    assert float(row["Cash At Broker"]) == shown["moneyAtBroker"]
    assert row["Synced (IST)"] == dt.datetime.fromisoformat(shown["syncedAt"]).astimezone(
        INDIA
    ).strftime("%Y-%m-%d %H:%M:%S")


def test_the_list_is_a_workbook_as_well(desk: SyncDesk) -> None:
    desk.client()

    answer = taken(desk, "xlsx", problem="SYNC")

    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    head, row = (list(cells) for cells in book.worksheets[0].iter_rows(values_only=True))
    assert row[head.index("Client Name")] == "Kavya Menon"
    assert "readiness-" in answer.headers["content-disposition"]
