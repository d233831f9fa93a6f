"""When the windows of advice end."""

import datetime as dt
from typing import Final

from tarazu.kit.clock import INDIA, day_in_india

PROGRESS_ID: Final = "follow-up"
"""The id of the report that tells browsers that the board has changed."""
DAY_IS_OVER: Final = dt.time(16, 5)
"""In India: after the closing session, when orders and trades of the day were read."""


def end_of_day(day: dt.date) -> dt.datetime:
    """The instant at which a business day is over."""
    return dt.datetime.combine(day, DAY_IS_OVER, tzinfo=INDIA)


def last_day_over(now: dt.datetime) -> dt.date:
    """The last day that is over, which begins after `end_of_day`."""
    day = day_in_india(now)
    return day if now > end_of_day(day) else day - dt.timedelta(days=1)
