"""An installation of its own for every run of a model."""

import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tarazu.app import create_app, open_database
from tarazu.kit.settings import Settings
from tests.conftest import KEYS, UNLIMITED
from tests.people_of import ADMIN, Desk, set_up_firm, sign_up
from tests.postgres_of import Copies, named

NewFirm = Callable[[], AbstractContextManager[Desk]]


def new_firms_on(kind: str, request: pytest.FixtureRequest, folder: Path) -> NewFirm:
    """Opens empty firms on SQLite or PostgreSQL, each with its first ADMIN at the desk."""
    if kind == "sqlite":
        template: Path = request.getfixturevalue("sqlite_template")
        return lambda: _on_sqlite(folder / uuid.uuid4().hex, template)
    address, _ = request.getfixturevalue("postgres_template")
    copies: Copies = request.getfixturevalue("postgres_copies")
    return lambda: _on_postgres(folder, address, copies)


@contextmanager
def _on_sqlite(folder: Path, template: Path) -> Iterator[Desk]:
    folder.mkdir()
    shutil.copy(template, folder / "tarazu.db")
    with _served(Settings(data_dir=folder, secrets_keys=KEYS, rate_limit_scale=UNLIMITED)) as desk:
        yield desk
    shutil.rmtree(folder)


@contextmanager
def _on_postgres(folder: Path, address: str, copies: Copies) -> Iterator[Desk]:
    name = copies.take()
    settings = Settings(
        data_dir=folder,
        secrets_keys=KEYS,
        rate_limit_scale=UNLIMITED,
        database_url=named(address, name),
    )
    try:
        with _served(settings) as desk:
            yield desk
    finally:
        copies.give_back(name)


@contextmanager
def _served(settings: Settings) -> Iterator[Desk]:
    database = open_database(settings)
    web = TestClient(create_app(settings, database), raise_server_exceptions=False)
    try:
        desk = Desk(web, sign_up(web, ADMIN))
        set_up_firm(desk)
        yield desk
    finally:
        database.dispose()
