"""Timed work on rebalances and letters."""

import datetime as dt

from tarazu.advice import queries, service
from tarazu.kit.db import Database


def drop_old_rebalances(database: Database, now: dt.datetime) -> int:
    """Drop rebalances that were computed long ago; what was sent is kept with its advice."""
    with database.transaction() as session:
        return service.drop_old_rebalances(session, now)


def has_letters_due(database: Database) -> bool:
    """Whether a letter waits to be set: a look that writes nothing."""
    with database.reading() as session:
        return bool(queries.letters_due(session, 1))
