"""Timed work on rebalances and letters."""

import datetime as dt

from tarazu.advice import queries, service
from tarazu.kit.db import Database


def drop_old_rebalances(database: Database, now: dt.datetime) -> int:
    """Drop old rebalances; a sealed advice has a copy of its own."""
    with database.transaction() as session:
        return service.drop_old_rebalances(session, now)


def has_letters_due(database: Database) -> bool:
    """Whether any letter is due; writes nothing."""
    with database.reading() as session:
        return bool(queries.letters_due(session, 1))
