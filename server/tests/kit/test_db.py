"""The database: what becomes of its connections, and what its sessions read."""

import pytest
from sqlalchemy import text

from tarazu.kit.db import Database
from tarazu.kit.table_versions import TableVersion

pytestmark = pytest.mark.on_both


def test_a_connection_in_use_while_the_database_is_disposed_of_is_closed_on_its_return(
    database: Database,
) -> None:
    with database.reading() as session:
        session.execute(text("SELECT 1"))
        connection = session.connection().connection.dbapi_connection
        database.dispose()

    assert connection is not None
    with pytest.raises(database.engine.dialect.loaded_dbapi.Error, match="closed"):
        connection.cursor().execute("SELECT 1")


def test_all_that_a_reading_session_reads_is_of_one_moment(database: Database) -> None:
    with database.reading() as session:
        before = session.get(TableVersion, "made_up")
        with database.transaction() as other:
            other.add(TableVersion(name="made_up", number=1))
        after = session.get(TableVersion, "made_up")

    assert (before, after) == (None, None)
    with database.reading() as session:
        assert session.get(TableVersion, "made_up")


def test_a_connection_that_was_read_on_writes_afterwards(database: Database) -> None:
    for number in range(20):
        with database.reading() as session:
            session.execute(text("SELECT 1"))
        with database.transaction() as session:
            session.add(TableVersion(name=f"made_up_{number}", number=1))
