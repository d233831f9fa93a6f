"""Timed work on rebalances."""

import datetime as dt

from tarazu.advice import service
from tarazu.kit.db import Database


def drop_old_rebalances(database: Database, now: dt.datetime) -> int:
    """Drop rebalances that were computed long ago; what was sent is kept with its advice."""
    with database.transaction() as session:
        return service.drop_old_rebalances(session, now)
