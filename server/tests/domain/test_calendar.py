import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.calendar import (
    business_days_between,
    days_after_gaps,
    is_business_day,
    next_business_day,
    previous_business_day,
)

REPUBLIC_DAY = dt.date(2026, 1, 26)  # a Monday
GOOD_FRIDAY = dt.date(2026, 4, 3)
HOLIDAYS = frozenset({REPUBLIC_DAY, GOOD_FRIDAY})

days = st.dates(dt.date(2000, 1, 1), dt.date(2050, 12, 31))
holidays = st.frozensets(st.dates(dt.date(2026, 1, 1), dt.date(2026, 3, 31)), max_size=20)


def test_weekends_and_holidays_are_no_business_days() -> None:
    week = [dt.date(2026, 1, 23) + dt.timedelta(days=after) for after in range(5)]

    answers = [is_business_day(day, HOLIDAYS) for day in week]

    assert answers == [True, False, False, False, True]


def test_the_business_day_after_a_long_weekend_is_its_tuesday() -> None:
    assert next_business_day(dt.date(2026, 1, 23), HOLIDAYS) == dt.date(2026, 1, 27)


@given(days, holidays)
def test_next_and_previous_meet(day: dt.date, closed: frozenset[dt.date]) -> None:
    following = next_business_day(day, closed)

    assert following > day
    assert is_business_day(following, closed)
    assert previous_business_day(following, closed) <= day


def test_the_business_day_before_a_long_weekend_is_its_friday() -> None:
    day = previous_business_day(dt.date(2026, 1, 27), HOLIDAYS)

    assert day == dt.date(2026, 1, 23)


def test_a_business_day_is_not_before_itself() -> None:
    day = previous_business_day(dt.date(2026, 1, 22), HOLIDAYS)

    assert day == dt.date(2026, 1, 21)


def test_business_days_include_both_ends() -> None:
    found = business_days_between(dt.date(2026, 4, 2), dt.date(2026, 4, 7), HOLIDAYS)

    assert found == [dt.date(2026, 4, 2), dt.date(2026, 4, 6), dt.date(2026, 4, 7)]


def test_there_are_no_business_days_backwards() -> None:
    found = business_days_between(dt.date(2026, 4, 7), dt.date(2026, 4, 2), HOLIDAYS)

    assert found == []


@given(day=days, holidays=holidays)
def test_no_business_day_lies_between_a_day_and_the_previous_one(
    day: dt.date, holidays: frozenset[dt.date]
) -> None:
    previous = previous_business_day(day, holidays)

    between = business_days_between(previous, day - dt.timedelta(days=1), holidays)
    assert between == [previous]


def test_a_missing_business_day_makes_a_gap_and_a_long_weekend_does_not() -> None:
    days = [dt.date(2026, 1, day) for day in (22, 23, 27, 29, 30)]

    assert days_after_gaps(days, HOLIDAYS) == {dt.date(2026, 1, 29)}
    assert days_after_gaps([], HOLIDAYS) == set()
