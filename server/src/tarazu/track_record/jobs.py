"""Timed work on track records."""

import datetime as dt

from tarazu.kit.db import Database
from tarazu.track_record import service


def has_records_due(database: Database, now: dt.datetime) -> bool:
    """Whether the record of any model is to be made again; writes nothing."""
    with database.reading() as session:
        return service.has_records_due(session, now)


def keep_records(database: Database, now: dt.datetime) -> int:
    """Make the records that are not current again."""
    return service.keep_records(database, now)


def has_prices_due(database: Database, now: dt.datetime) -> bool:
    """Whether the price of any call is still to be noted; writes nothing."""
    with database.reading() as session:
        return service.has_prices_due(session, now)


def note_prices(database: Database, now: dt.datetime) -> int:
    """Note the first prices after advice was sent."""
    return service.note_prices(database, now)
