"""SQLite held by another writer: a call waits for it once, not once for each of its parts."""

import time

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tarazu.kit import deadline
from tarazu.kit.db import Database
from tarazu.kit.sqlite import LONGEST_LOCK

pytestmark = pytest.mark.on_both


def test_the_waits_of_one_call_are_added_up(database: Database) -> None:
    if not database.is_sqlite:
        pytest.skip("PostgreSQL has its own limits")
    with database.transaction() as holder:
        holder.execute(text("SELECT 1"))
        deadline.begin(3.0)
        began = time.monotonic()
        for _ in range(4):
            with pytest.raises(OperationalError, match="locked"), database.transaction() as late:
                late.execute(text("SELECT 1"))
        took = time.monotonic() - began

    # Each for itself would wait 3 s.
    assert took < 10
    # A connection that was hurried once waits as long as any other again.
    with database.transaction() as session:
        assert session.execute(text("PRAGMA busy_timeout")).scalar_one() == LONGEST_LOCK * 1000
