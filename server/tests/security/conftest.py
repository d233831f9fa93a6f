"""A server as people run it: a process of its own, on SQLite and, in the long form, PostgreSQL."""

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tarazu.kit.settings import Settings
from tests.conftest import KEYS, UNLIMITED
from tests.conftest import _named as named
from tests.security.figures import LONG
from tests.security.running import Running, serving


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module", params=["sqlite", "postgres"] if LONG else ["sqlite"])
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Settings of an empty, founded installation that a whole module shares."""
    folder: Path = tmp_path_factory.mktemp("place")
    common = Settings(data_dir=folder, secrets_keys=KEYS, rate_limit_scale=UNLIMITED)
    if request.param == "sqlite":
        shutil.copy(request.getfixturevalue("sqlite_template"), folder / "tarazu.db")
        yield common
        return
    server_address, template = request.getfixturevalue("postgres_template")
    name = f"tarazu_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_address, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield common.model_copy(update={"database_url": named(server_address, name)})
    with psycopg.connect(server_address, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def running(place: Settings) -> Iterator[Running]:
    with serving(place) as opened:
        # Before anybody else, who would not be the first.
        assert opened.admin
        yield opened
