"""The raw record of calls as it is exported, for the firm and for any verifier."""

import datetime as dt
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import ChainedLine
from tarazu.kit.clock import day_in_india
from tarazu.kit.fields import DayRange


class RawRow(NamedTuple):
    """A row of the record, and the words with which it may be shown; "" for the firm's own use."""

    chained: ChainedLine
    words: str = ""


def raw_record(session: Session, days: DayRange) -> Sequence[RawRow]:
    """All rows that were sent on these days, chained from the first row of all."""
    return [
        RawRow(chained)
        for chained in advice.record_of_calls(session)
        if _is_within(day_in_india(chained.line.sent_at), days)
    ]


def _is_within(day: dt.date, days: DayRange) -> bool:
    return (days.since or day) <= day <= (days.until or day)
