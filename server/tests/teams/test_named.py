"""Calls that name an advice, an invoice, a report or a change by its own id: of which clients they answer."""

import datetime as dt
import uuid
from decimal import Decimal

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from tarazu.advice import service as advice
from tarazu.follow_up import jobs as follow_up_jobs
from tarazu.follow_up.responses import NewResponse, record_response
from tarazu.follow_up.tables import Answer
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tarazu.kit.mail import Delivery, Mail
from tarazu.orders import service as orders
from tarazu.portfolio import service as portfolio
from tarazu.sync.tables import QuantityChange
from tests.imports.files import kite
from tests.invoices.desks import charge, live_in, pay, switch_on
from tests.models_of import MODEL, Bench, bench
from tests.people_of import Desk, data_of
from tests.rows_of import run
from tests.security.figures import tell
from tests.teams_of import NAMES, Floor, floor_of

__all__ = ["bench"]

pytestmark = pytest.mark.on_both

SEEN = {"of_a": {"a"}, "of_both": {"a", "b"}, "of_none": set(), "admin": {"a", "b", "none"}}


@pytest.fixture
def floor(web: TestClient, database: Database, admin: Desk) -> Floor:
    return floor_of(web, database, admin)


def _desk(floor: Floor, who: str) -> Desk:
    return floor.admin if who == "admin" else floor.users[who]


def _statuses(floor: Floor, paths: dict[str, list[str]]) -> dict[tuple[str, str, str], int]:
    """What each caller is answered for each path, by the name of the client that the path is of."""
    return {
        (who, name, path): _desk(floor, who).get(path).status_code
        for who in SEEN
        for name, of_client in paths.items()
        for path in of_client
    }


def _wrong(statuses: dict[tuple[str, str, str], int]) -> dict[tuple[str, str, str], int]:
    return {
        asked: status
        for asked, status in statuses.items()
        if status != (200 if asked[1] in SEEN[asked[0]] else 404)
    }


def _changed(database: Database, client_id: str) -> uuid.UUID:
    """Shares that came to a client without an order; the change's id."""
    change = QuantityChange(
        id=new_id(),
        client_id=uuid.UUID(client_id),
        exchange="NSE",
        symbol="INFY",
        isin="INE009A01021",
        before=10,
        after=20,
        ordered=0,
        average_before=Decimal(100),
        average_after=Decimal(50),
        hint="",
        found_at=clock.now(),
    )
    change_id = change.id
    with database.transaction() as session:
        session.add(change)
    return change_id


def _advise(bench: Bench, floor: Floor) -> None:
    for client_id in floor.clients.values():
        bench.hold(client_id, {"INFY": 100}, "200000")
        assert bench.follow(client_id).status_code == 200
    bench.sent(bench.begun())


def test_an_advice_is_shown_to_those_who_see_its_client_alone(bench: Bench, floor: Floor) -> None:
    _advise(bench, floor)
    assert advice.set_letters_due(bench.database, clock.now()) == len(NAMES)
    paths = {
        name: [
            f"/admin/advice/{row['_id']}/{call}"
            for row in bench.history(client_id)
            for call in ("letter.pdf", "verify", "execution")
        ]
        for name, client_id in floor.clients.items()
    }

    statuses = _statuses(floor, paths)

    assert len(statuses) == 4 * 3 * len(NAMES)
    tell("S16", f"{len(statuses)} calls on an advice", f"{len(_wrong(statuses))} wrong", "0")
    assert _wrong(statuses) == {}


def test_what_became_of_advice_is_that_of_the_clients_the_caller_sees(
    bench: Bench, floor: Floor
) -> None:
    _advise(bench, floor)
    reads = {uuid.UUID(key): clock.now() for key in floor.clients.values()}
    with bench.database.transaction() as session:
        orders.record_trades_read(session, reads, clock.now())
    follow_up_jobs.match_due(bench.database, clock.now(), lambda _: None)
    for client_id in floor.clients.values():
        (sent,) = bench.history(client_id)
        asked = NewResponse(Answer.QUESTION, "Why now?", (), "203.0.113.7", "Firefox")
        with bench.database.transaction() as session:
            record_response(session, uuid.UUID(sent["_id"]), asked, clock.now())
    run(
        bench.database,
        update(Mail).values(status=Delivery.FAILED, finished_at=clock.now(), error="Refused"),
    )
    for who, seen in SEEN.items():
        desk, names = _desk(floor, who), {NAMES[name] for name in seen}
        for path in ("/admin/follow-up", "/admin/follow-up/questions"):
            listed = desk.get(path).json()
            assert {row["name"] for row in listed["data"]} == names, (who, path)
            assert listed["pagination"]["totalUsers"] == len(names), (who, path)
            content = desk.get(f"{path}/export").text
            assert {name for name in NAMES.values() if name in content} == names, (who, path)
        tiles = desk.get("/admin/follow-up").json()["tiles"]
        assert sum(tile["count"] for tile in tiles) == len(names)
        stocks = data_of(desk.get("/admin/follow-up/stocks"))
        assert {row["lines"] for row in stocks} == ({len(names)} if names else set())
        assert data_of(desk.get("/admin/follow-up/yesterday"))["openQuestions"] == len(names)
        listed = data_of(desk.get("/admin/advice/undelivered"))
        assert {row["name"] for row in listed} == names
        work = {row["kind"]: row["count"] for row in data_of(desk.get("/admin/dashboard/work"))}
        assert work.get("UNDELIVERED", 0) == len(names)
        drifts = desk.get("/admin/models/drift").json()
        assert drifts["pagination"]["totalUsers"] == len(names)


def test_the_clients_whose_value_moved_most_are_among_those_the_caller_sees(
    bench: Bench, floor: Floor
) -> None:
    day = clock.today() - dt.timedelta(days=1)
    for client_id in floor.clients.values():
        bench.hold(client_id, {"INFY": 100}, "1000")
    rows = [(uuid.UUID(key), day, Decimal(5), Decimal(0)) for key in floor.clients.values()]
    with bench.database.transaction() as session:
        portfolio.record_closes(session, rows, [(day, Decimal(15), 3)])

    for who, seen in SEEN.items():
        shown = data_of(_desk(floor, who).get("/admin/dashboard/movers"))
        assert {row["_id"] for row in shown["rising"]} == {floor.clients[name] for name in seen}


def test_the_prices_in_use_are_those_of_the_clients_that_the_caller_sees(
    bench: Bench, floor: Floor
) -> None:
    """The age of its price does not name a stock that only clients of other teams hold."""
    bench.hold(floor.clients["a"], {"INFY": 1})
    bench.hold(floor.clients["b"], {"WIPRO": 1})
    in_models = set(MODEL)
    for who, symbols in {"of_a": {"INFY"}, "of_none": set[str](), "admin": {"WIPRO"}}.items():
        shown = data_of(_desk(floor, who).get("/admin/prices/sources"))
        assert shown["stocks"] == len(in_models | symbols), who
        assert ("WIPRO" in {row["symbol"] for row in shown["stale"]}) <= (who == "admin")


def test_an_invoice_is_shown_to_those_who_see_its_client_alone(floor: Floor) -> None:
    switch_on(floor.admin)
    for client_id in floor.clients.values():
        live_in(floor.admin, client_id, "27")
        data_of(pay(floor.admin, client_id, charge(floor.admin, client_id, 5_000)))
    names = {name: key for key, name in NAMES.items()}
    rows = data_of(floor.admin.get("/admin/invoices", limit=100))
    paths = {names[row["userName"]]: [f"/admin/invoices/{row['_id']}/pdf"] for row in rows}

    statuses = _statuses(floor, paths)

    assert paths.keys() == NAMES.keys()
    assert _wrong(statuses) == {}
    for who, seen in SEEN.items():
        listed = data_of(_desk(floor, who).get("/admin/invoices", limit=100))
        assert {names[row["userName"]] for row in listed} == seen


def test_the_report_of_an_import_is_shown_to_those_who_see_its_client_alone(floor: Floor) -> None:
    paths = {}
    for name, client_id in floor.clients.items():
        fields = {"clientId": client_id, "dryRun": "false"}
        holding = kite(("INFY", 1, 1000))
        done = floor.admin.upload("/admin/clients/import", "h.csv", holding, **fields)
        paths[name] = [f"/admin/imports/{data_of(done)['_id']}"]

    assert _wrong(_statuses(floor, paths)) == {}


def test_a_change_of_shares_is_marked_as_seen_by_those_who_see_its_client_alone(
    floor: Floor, database: Database
) -> None:
    missing = floor.users["of_a"].post(f"/admin/sync/changes/{uuid.uuid4()}/seen")
    assert missing.status_code == 404
    for who, names in SEEN.items():
        for name, client_id in floor.clients.items():
            change_id = _changed(database, client_id)
            marked = _desk(floor, who).post(f"/admin/sync/changes/{change_id}/seen")
            expected = 200 if name in names else 404
            assert marked.status_code == expected, (who, name)
            if name not in names:
                assert marked.json()["message"] == missing.json()["message"]


def test_what_a_user_may_read_again_after_leaving_the_team_is_nothing_of_its_clients(
    floor: Floor,
) -> None:
    """A repeated call gets the stored answer only while the caller still sees the client."""
    user, client_id = floor.users["of_a"], floor.clients["a"]
    key = {"Idempotency-Key": "said-once"}
    path, body = "/admin/remarks", {"user": client_id, "remark": "Called at nine."}
    first = user.post(path, body, **key)
    assert user.post(path, body, **key).json() == first.json()

    floor.set_members("a", "of_both")

    again = user.post(path, body, **key)
    assert (again.status_code, "Called" in again.text) == (404, False)
