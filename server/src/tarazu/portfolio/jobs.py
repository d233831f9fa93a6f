"""Timed work on portfolios: the daily close."""

import datetime as dt

import structlog

from tarazu.kit.db import Database
from tarazu.portfolio import closing
from tarazu.portfolio.closing import Closed
from tarazu.portfolio.errors import CannotClose
from tarazu.prices import service as prices

log = structlog.get_logger()


def close_due_days(database: Database, now: dt.datetime) -> list[Closed]:
    """Close every business day that is over, each in a transaction of its own, oldest first.

    A day that cannot be closed is left out, and is tried again until a later one is closed.
    """
    with database.reading() as session:
        due = closing.due_days(session, now)
        if due:
            # The prices may have come to another process; it keeps them every minute.
            prices.catch_up(session)
    closed: list[Closed] = []
    for day in due:
        try:
            with database.transaction() as session:
                closed_day = closing.close_day(session, day, now)
        except CannotClose as refusal:
            log.debug("day_not_closed", day=day.isoformat(), why=refusal.message)
            continue
        if closed_day is not None:
            log.info("day_closed", day=day.isoformat(), clients=closed_day.clients)
            closed.append(closed_day)
    return closed
