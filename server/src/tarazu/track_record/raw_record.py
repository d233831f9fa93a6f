"""The raw record of calls as it is exported, for the firm and for any verifier."""

import datetime as dt
from collections.abc import Sequence

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import ChainedLine
from tarazu.kit.clock import day_in_india
from tarazu.kit.fields import DayRange


def raw_record(session: Session, days: DayRange) -> Sequence[ChainedLine]:
    """All rows that were sent on these days, chained from the first row of all."""
    return [
        chained
        for chained in advice.record_of_calls(session)
        if _is_within(day_in_india(chained.line.sent_at), days)
    ]


def _is_within(day: dt.date, days: DayRange) -> bool:
    return (days.since or day) <= day <= (days.until or day)
