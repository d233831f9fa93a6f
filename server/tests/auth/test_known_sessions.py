"""What is kept of a token for some seconds is gone at once when its session ends."""

import datetime as dt
import threading
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from tarazu.auth import guards, service
from tarazu.auth.guards import KnownSessions
from tarazu.auth.tables import SignIn
from tarazu.kit import clock
from tarazu.kit.auth_route import SessionExpired
from tarazu.kit.db import Database
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.settings import Settings
from tarazu.people.tables import Role, Status
from tests.auth.conftest import Staffed, Time
from tests.kit.test_pubsub import until
from tests.people_of import Desk
from tests.prices.test_guard import statements_of
from tests.redis_of import OwnRedis, answered_within, redis
from tests.rows_of import run

pytestmark = pytest.mark.on_both

__all__ = ["answered_within", "redis"]


@pytest.fixture
def alone(database: Database, settings: Settings) -> KnownSessions:
    """As an embedded installation keeps them, on whichever database the test has."""
    return KnownSessions(database, settings, MessageBus())


def kept(database: Database) -> bool:
    """Whether a process without a bus keeps anything: only where it is alone for certain."""
    return database.is_sqlite


def test_a_token_is_looked_up_once_in_three_seconds(
    admin: Desk, database: Database, alone: KnownSessions, time: Time
) -> None:
    first = alone.bearer_of(admin.token)
    with statements_of(database) as at_once:
        again = alone.bearer_of(admin.token)
    time.go(seconds=3)
    with statements_of(database) as later:
        alone.bearer_of(admin.token)

    assert again == first
    assert (not at_once) is kept(database)
    assert later


def test_without_a_bus_several_processes_may_share_postgresql_and_nothing_is_kept(
    admin: Desk, database: Database, settings: Settings
) -> None:
    shared = KnownSessions(database, settings, MessageBus("redis://127.0.0.1:1/0"))
    shared.bearer_of(admin.token)
    with statements_of(database) as again:
        shared.bearer_of(admin.token)

    assert again
    assert KnownSessions(database, settings, MessageBus()).is_enabled is database.is_sqlite


@pytest.mark.parametrize(
    "cause",
    [
        "logout",
        "ended by an administrator",
        "deactivation",
        "deletion",
        "role",
        "password",
        "statement",
    ],
)
def test_an_ended_session_is_refused_at_the_next_call(
    web: TestClient, admin: Desk, staffed: Staffed, cause: str
) -> None:
    who = staffed.add()
    desk = Desk(web, web.post("/api/v1/auth/login", json=who).json()["accessToken"])
    account = next(
        row for row in admin.get("/users").json()["data"] if row["email"] == who["email"]
    )
    acts: dict[str, Callable[[], object]] = {
        "logout": lambda: desk.post("/auth/logout", {}),
        "ended by an administrator": lambda: [
            web.delete(f"/api/v1/admin/sessions/{row['_id']}", headers=admin.headers)
            for row in admin.get("/admin/sessions").json()["data"]
            if row["email"] == who["email"]
        ],
        "deactivation": lambda: admin.put(
            "/users/edit", {"id": account["_id"], "status": "INACTIVE"}
        ),
        "deletion": lambda: admin.post("/users/delete", {"userId": account["_id"]}),
        "role": lambda: admin.put("/users/edit", {"id": account["_id"], "role": "ADMIN"}),
        "password": lambda: desk.post("/auth/reset-password", {"password": "nine firs 9!"}),
        "statement": lambda: staffed.change(who["email"], status=Status.INACTIVE),
    }
    before = desk.get("/profile").status_code
    acts[cause]()

    assert before == 200
    assert desk.get("/profile").status_code == 401
    assert admin.get("/profile").status_code == 200


def test_a_new_role_counts_at_the_next_call(web: TestClient, staffed: Staffed) -> None:
    who = staffed.add(role=Role.USER)
    desk = Desk(web, web.post("/api/v1/auth/login", json=who).json()["accessToken"])
    assert desk.get("/users").status_code == 403
    staffed.change(who["email"], role=Role.ADMIN)

    assert desk.get("/users").status_code == 200


def test_nothing_is_kept_beyond_the_end_of_the_session_nor_when_the_clock_is_set_back(
    admin: Desk, database: Database, alone: KnownSessions, time: Time
) -> None:
    with database.transaction() as session:
        ends = clock.now() + dt.timedelta(seconds=1)
        session.execute(update(SignIn).values(expires_at=ends))
    alone.bearer_of(admin.token)
    time.go(seconds=-5)
    with statements_of(database) as earlier:
        alone.bearer_of(admin.token)
    time.go(seconds=6.5)

    assert earlier
    with pytest.raises(SessionExpired):
        alone.bearer_of(admin.token)


def test_a_session_that_ends_while_it_is_looked_up_is_not_kept(
    admin: Desk, database: Database, alone: KnownSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up, looked, go_on = guards._bearer_of, threading.Event(), threading.Event()

    def slowly(*asked: object) -> object:
        found = look_up(*asked)  # type: ignore[arg-type]
        looked.set()
        go_on.wait(5)
        return found

    monkeypatch.setattr(guards, "_bearer_of", slowly)
    caller = threading.Thread(target=alone.bearer_of, args=(admin.token,))
    caller.start()
    looked.wait(600)
    run(database, update(SignIn).values(ended_at=clock.now()))
    go_on.set()
    caller.join()
    monkeypatch.undo()

    with pytest.raises(SessionExpired):
        alone.bearer_of(admin.token)


def test_being_seen_and_what_is_rolled_back_drop_nothing(
    admin: Desk, database: Database, alone: KnownSessions
) -> None:
    alone.bearer_of(admin.token)
    with database.transaction() as session:
        service.mark_seen(session, alone.bearer_of(admin.token), clock.now())
    with database.sessions() as session:
        session.execute(update(SignIn).values(ended_at=clock.now()))
        session.rollback()

    with statements_of(database) as again:
        alone.bearer_of(admin.token)
    assert (not again) is kept(database)


@pytest.fixture
def pair(
    redis: OwnRedis, database: Database, settings: Settings
) -> Iterator[tuple[KnownSessions, Database, MessageBus]]:
    """What another process keeps, with a way of its own to the database, and our database."""
    buses = [MessageBus(redis.url, "one", name) for name in ("here", "there")]
    elsewhere = Database(settings.resolved_database_url)
    there = KnownSessions(elsewhere, settings, buses[1])
    KnownSessions(database, settings, buses[0])
    for one in buses:
        one.start()
    until(lambda: all(bus.is_up for bus in buses))
    yield there, database, buses[1]
    for one in buses:
        one.stop()
    elsewhere.dispose()


def test_another_process_knows_as_soon_as_the_end_is_committed(
    admin: Desk, pair: tuple[KnownSessions, Database, MessageBus]
) -> None:
    there, database, _ = pair
    # What was kept is dropped as the bus comes up, which may be just now.
    until(lambda: there.bearer_of(admin.token) and there._known)
    run(database, update(SignIn).values(ended_at=clock.now()))
    # The announcement returned once Redis had it; the other's thread may still be on its way.
    until(lambda: not there._known)

    with pytest.raises(SessionExpired):
        there.bearer_of(admin.token)


def test_while_the_bus_is_away_the_database_is_asked_every_time(
    admin: Desk, redis: OwnRedis, pair: tuple[KnownSessions, Database, MessageBus]
) -> None:
    there, database, bus = pair
    there.bearer_of(admin.token)
    redis.kill()
    until(lambda: not bus.is_up)
    there.bearer_of(admin.token)
    run(database, update(SignIn).values(ended_at=clock.now()))

    with pytest.raises(SessionExpired):
        there.bearer_of(admin.token)
