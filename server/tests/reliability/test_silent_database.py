"""PostgreSQL that says nothing, or is not there: every caller is answered in time, and it comes back."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError

from tarazu import migrations
from tarazu.app import create_app, open_database
from tarazu.kit import deadline
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.people_of import ADMIN, Desk, sign_up

pytestmark = pytest.mark.on_both

SOON = 20.0
"""Seconds; one after another these callers wait for forty, and without a limit for ever."""


@pytest.fixture
def proxy(settings: Settings, checks: Any) -> Iterator[Any]:
    """A door before the database's server."""
    if settings.resolved_database_url.startswith("sqlite"):
        pytest.skip("SQLite is in the process")
    port = urlsplit(settings.resolved_database_url).port
    with checks("proxy").Proxy(port or 5432) as opened:
        yield opened


@pytest.fixture
def behind(settings: Settings, proxy: Any, tmp_path: Path) -> Iterator[Database]:
    """The database, reached through the door."""
    there = urlsplit(settings.resolved_database_url)
    port = there.port or 5432
    url = settings.resolved_database_url.replace(f":{port}/", f":{proxy.port}/")
    opened = open_database(settings.model_copy(update={"database_url": url}))
    yield opened
    opened.dispose()


def test_a_silent_database_is_a_refusal_in_time_and_comes_back(
    settings: Settings, proxy: Any, behind: Database, monkeypatch: pytest.MonkeyPatch, checks: Any
) -> None:
    monkeypatch.setattr(deadline, "LONGEST", 1.0)
    web = TestClient(create_app(settings, behind), raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))
    client_id = desk.add_client()
    proxy.mode = checks("proxy").SILENT

    began = time.monotonic()
    read = desk.get("/clients")
    written = desk.post("/admin/remarks", {"user": client_id, "remark": "A note."})
    took = time.monotonic() - began
    alive = web.get("/health/live")
    proxy.mode = checks("proxy").PASS
    time.sleep(1.1)
    again = desk.get("/clients")

    assert (read.status_code, written.status_code) == (503, 503)
    assert "Retry-After" in read.headers
    assert took < SOON
    assert alive.status_code == 200
    assert again.status_code == 200


def test_many_callers_of_a_silent_database_do_not_wait_one_after_another(
    proxy: Any, behind: Database, checks: Any
) -> None:
    proxy.mode = checks("proxy").SILENT
    began = time.monotonic()

    for _ in range(20):
        deadline.begin(2.0)
        with pytest.raises(OperationalError), behind.reading():
            pass

    assert time.monotonic() - began < SOON


def test_a_statement_of_a_migration_may_take_its_time(behind: Database) -> None:
    deadline.begin(0.1)

    with deadline.endless(), behind.engine.connect() as connection:
        connection.exec_driver_sql("SELECT pg_sleep(0.8)")


def test_a_start_waits_for_the_one_that_migrates_already(
    settings: Settings, database: Database
) -> None:
    if database.is_sqlite:
        pytest.skip("SQLite is one process's")
    order: list[str] = []

    def second() -> None:
        other = Database(settings.resolved_database_url)
        with other.engine.connect() as connection:
            # As though the server's own limit for locks were shorter than the migration.
            connection.exec_driver_sql("SET lock_timeout = 200")
            connection.commit()
        with migrations.migrating(other):
            order.append("second")
        other.dispose()

    with ThreadPoolExecutor(1) as pool, migrations.migrating(database):
        waiting = pool.submit(second)
        time.sleep(0.8)
        order.append("first")
    waiting.result(60)

    assert order == ["first", "second"]
