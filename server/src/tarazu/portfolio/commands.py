"""The command line's part of the daily close."""

import datetime as dt
from collections.abc import Callable

from tarazu.kit.db import Database
from tarazu.portfolio import closing
from tarazu.portfolio.errors import CannotClose


def close_days(
    database: Database, day: dt.date | None, now: dt.datetime, say: Callable[[str], None]
) -> str | None:
    """Close one day, or all that are due; why it cannot be done, or None.

    Of several, those before the one that cannot be closed stay closed.
    """
    with database.reading() as session:
        due = closing.due_days(session, now) if day is None else [day]
    if not due:
        say("No day is due.")
    for due_day in due:
        try:
            with database.transaction() as session:
                closed = closing.close_day(session, due_day, now)
        except CannotClose as refusal:
            return refusal.message
        if closed is None:
            say(f"{due_day:%d-%m-%Y} was closed already.")
        else:
            noun = "client" if closed.clients == 1 else "clients"
            say(f"{due_day:%d-%m-%Y} is closed: {closed.clients} {noun}, ₹{closed.value:.2f}.")
    return None
