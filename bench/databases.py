"""A new, empty database of each kind, for the benchmarks that measure both."""

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
from sqlalchemy import text

from tarazu.kit.db import Database
from tarazu.kit.settings import Settings

SERVER = "postgresql://postgres@127.0.0.1:5432/postgres"


def both() -> Iterator[tuple[str, Settings]]:
    """The name of each, and the settings with which it is opened; removed when the next is asked for."""
    with tempfile.TemporaryDirectory() as folder:
        yield "SQLite", Settings(data_dir=Path(folder))
    name = f"tarazu_bench_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            with tempfile.TemporaryDirectory() as folder:
                address = f"{SERVER.rpartition('/')[0]}/{name}"
                yield "PostgreSQL", Settings(data_dir=Path(folder), database_url=address)
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def take_statistics(database: Database) -> None:
    """Let PostgreSQL look at new rows and plan by them, as it does unasked about a minute later."""
    if not database.is_sqlite:
        with database.engine.begin() as connection:
            connection.execute(text("ANALYZE"))
