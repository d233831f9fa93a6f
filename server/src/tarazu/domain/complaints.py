"""Complaints as the regulator's monthly table counts them (Annexure B of the investor charter)."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tarazu.domain.calendar import months_later
from tarazu.domain.money import rounding

LONG_PENDING_MONTHS = 3
"""The form itself names this column: "Pending complaints > 3 months"."""
_one_decimal = rounding(1)


class ComplaintState(StrEnum):
    OPEN = "OPEN"
    DUE_SOON = "DUE_SOON"
    OVERDUE = "OVERDUE"
    RESOLVED = "RESOLVED"


@dataclass(frozen=True, slots=True)
class Complaint:
    """The days of a complaint and by which way it came; `resolved_on` is None while it is open."""

    channel: str
    received_on: dt.date
    resolved_on: dt.date | None


@dataclass(frozen=True, slots=True)
class Counts:
    """One row of the table.

    `pending` are those open at the end of the period, `long_pending` those of them that came more
    than three months before it. `average_days` is the mean time to resolve those resolved in the
    period, in days with one decimal; None where none was.
    """

    carried_forward: int
    received: int
    resolved: int
    pending: int
    long_pending: int
    average_days: Decimal | None


def state_of(
    resolved_on: dt.date | None, due_on: dt.date, warning_days: int, today: dt.date
) -> ComplaintState:
    """Where a complaint is on its clock; on the due day itself it is due soon, and overdue after it."""
    if resolved_on is not None:
        return ComplaintState.RESOLVED
    if today > due_on:
        return ComplaintState.OVERDUE
    if due_on - today <= dt.timedelta(days=warning_days):
        return ComplaintState.DUE_SOON
    return ComplaintState.OPEN


def counts_of(complaints: Iterable[Complaint], first: dt.date, last: dt.date) -> Counts:
    """The row of the period from `first` to `last`, both included."""
    known = [complaint for complaint in complaints if complaint.received_on <= last]
    before = [complaint for complaint in known if complaint.received_on < first]
    pending = [complaint for complaint in known if _is_open_after(complaint, last)]
    days = [
        (complaint.resolved_on - complaint.received_on).days
        for complaint in known
        if complaint.resolved_on is not None and first <= complaint.resolved_on <= last
    ]
    return Counts(
        carried_forward=sum(_is_open_after(complaint, _day_before(first)) for complaint in before),
        received=len(known) - len(before),
        resolved=len(days),
        pending=len(pending),
        long_pending=sum(
            months_later(complaint.received_on, LONG_PENDING_MONTHS) < last for complaint in pending
        ),
        average_days=_one_decimal(Decimal(sum(days)) / len(days)) if days else None,
    )


def months_until(today: dt.date, how_many: int) -> Sequence[tuple[dt.date, dt.date]]:
    """First and last day of the last complete months before `today`, oldest first."""
    this_month = today.replace(day=1)
    firsts = [months_later(this_month, -back) for back in range(how_many, 0, -1)]
    return [(first, _day_before(months_later(first, 1))) for first in firsts]


def earliest_resolution(
    received_on: dt.date, recorded_on: dt.date, today: dt.date, table_day: int
) -> dt.date:
    """The first day on which a complaint that is recorded as open can have been resolved.

    Not before it came or was recorded as open, and not in a month whose table is published: that
    of a month is, from `table_day` of the next one on.
    """
    this_month = today.replace(day=1)
    open_month = this_month if today.day >= table_day else months_later(this_month, -1)
    return max(received_on, recorded_on, open_month)


def _is_open_after(complaint: Complaint, day: dt.date) -> bool:
    return complaint.resolved_on is None or complaint.resolved_on > day


def _day_before(day: dt.date) -> dt.date:
    return day - dt.timedelta(days=1)
