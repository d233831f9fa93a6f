"""The database: what becomes of its connections."""

import pytest
from sqlalchemy import text

from tarazu.kit.db import Database

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
