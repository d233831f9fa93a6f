"""The counts of complaints, their clock, and the days on which one can be closed."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.complaints import (
    Complaint,
    ComplaintState,
    counts_of,
    earliest_resolution,
    months_later,
    months_until,
    state_of,
)

DAY = dt.date
FIRST = DAY(2025, 1, 1)
days = st.dates(FIRST, DAY(2026, 12, 31))


@st.composite
def complaints(draw: st.DrawFn) -> Complaint:
    received_on = draw(days)
    took = draw(st.none() | st.integers(0, 400))
    resolved_on = None if took is None else received_on + dt.timedelta(days=took)
    return Complaint("Directly from investors", received_on, resolved_on)


@given(known=st.lists(complaints(), max_size=12), today=days)
def test_what_was_pending_and_came_is_resolved_or_pending(
    known: list[Complaint], today: DAY
) -> None:
    pending = None
    for first, last in months_until(today, 12):
        counts = counts_of(known, first, last)

        assert counts.carried_forward + counts.received - counts.resolved == counts.pending
        assert counts.long_pending <= counts.pending
        assert pending in {None, counts.carried_forward}
        assert (counts.average_days is None) == (counts.resolved == 0)
        pending = counts.pending


@given(known=st.lists(complaints(), max_size=12), today=days)
def test_months_add_up_to_their_year(known: list[Complaint], today: DAY) -> None:
    months = months_until(today, 12)
    year = counts_of(known, months[0][0], months[-1][1])
    parts = [counts_of(known, first, last) for first, last in months]

    assert year.received == sum(part.received for part in parts)
    assert year.resolved == sum(part.resolved for part in parts)
    assert (year.carried_forward, year.pending) == (parts[0].carried_forward, parts[-1].pending)


def test_a_complaint_is_pending_over_three_months_from_the_day_after_them() -> None:
    known = [Complaint("", DAY(2026, 7, 30), None), Complaint("", DAY(2026, 7, 31), None)]

    assert counts_of(known, DAY(2026, 10, 1), DAY(2026, 10, 31)).long_pending == 1


def test_the_average_has_one_decimal() -> None:
    known = [Complaint("", DAY(2026, 10, 1), DAY(2026, 10, 1 + took)) for took in (1, 1, 2)]

    counts = counts_of(known, DAY(2026, 10, 1), DAY(2026, 10, 31))

    assert counts.average_days == Decimal("1.3")


@pytest.mark.parametrize(
    ("today", "state"),
    [
        (DAY(2026, 11, 13), ComplaintState.OPEN),
        (DAY(2026, 11, 14), ComplaintState.DUE_SOON),
        (DAY(2026, 11, 21), ComplaintState.DUE_SOON),
        (DAY(2026, 11, 22), ComplaintState.OVERDUE),
    ],
)
def test_a_complaint_is_overdue_the_day_after_it_was_due(today: DAY, state: ComplaintState) -> None:
    assert state_of(None, DAY(2026, 11, 21), 7, today) is state


@pytest.mark.parametrize(
    ("today", "earliest"),
    [(DAY(2026, 12, 6), DAY(2026, 11, 12)), (DAY(2026, 12, 7), DAY(2026, 12, 1))],
)
def test_no_closing_falls_in_a_month_whose_table_is_published(today: DAY, earliest: DAY) -> None:
    assert earliest_resolution(DAY(2026, 11, 10), DAY(2026, 11, 12), today, 7) == earliest


def test_the_last_day_of_a_month_has_no_later_one_in_a_shorter_month() -> None:
    assert months_later(DAY(2026, 11, 30), 3) == DAY(2027, 2, 28)
    assert months_later(DAY(2026, 1, 31), -11) == DAY(2025, 2, 28)
