"""The only clock: instants in UTC, calendar days in India."""

import datetime as dt
from zoneinfo import ZoneInfo

INDIA = ZoneInfo("Asia/Kolkata")


def now() -> dt.datetime:
    """This instant, in UTC, with its offset."""
    return dt.datetime.now(dt.UTC)


def today() -> dt.date:
    """The calendar day in India."""
    return day_in_india(now())


def start_of(day: dt.date) -> dt.datetime:
    """The instant at which a calendar day begins in India."""
    return dt.datetime.combine(day, dt.time(), INDIA)


def day_in_india(at: dt.datetime) -> dt.date:
    """The calendar day that `at` falls on in India."""
    return at.astimezone(INDIA).date()
