"""A server as people run it: a process of its own, on SQLite and, in the long form, PostgreSQL."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tarazu.kit.settings import Settings
from tests.conftest import KEYS, UNLIMITED
from tests.postgres_of import Copies, named
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
    server_address, _ = request.getfixturevalue("postgres_template")
    copies: Copies = request.getfixturevalue("postgres_copies")
    name = copies.take()
    yield common.model_copy(update={"database_url": named(server_address, name)})
    copies.give_back(name)


@pytest.fixture(scope="module")
def running(place: Settings) -> Iterator[Running]:
    with serving(place) as opened:
        # Before anybody else, who would not be the first.
        assert opened.admin
        yield opened
