"""Minutes in which the exchange traded, and how many of them a client took to act."""

import datetime as dt
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.execution.chains import INDIA
from tarazu.domain.execution.trading_time import (
    last_trade_at,
    minutes_to_first_fill,
    minutes_to_ninety,
    trading_minutes,
)
from tests.domain.execution.cases import ISINS, SELL, at, fill, line, matched

NONE: frozenset[dt.date] = frozenset()
instants = st.integers(0, 20 * 1440).map(
    lambda minutes: dt.datetime(2026, 7, 25, tzinfo=dt.UTC) + dt.timedelta(minutes=minutes)
)


@pytest.mark.parametrize(
    ("start", "end", "minutes"),
    [
        (at(2, "11:00"), at(2, "11:00"), 0),
        (at(2, "11:00"), at(2, "11:45"), 45),
        (at(2, "08:00"), at(2, "09:15"), 0),
        (at(2, "08:00"), at(2, "09:16"), 1),
        (at(2, "09:15"), at(2, "15:30"), 375),
        (at(2, "15:30"), at(2, "15:50"), 0),
        (at(2, "15:00"), at(2, "15:35"), 30),
        (at(2, "15:00"), at(2, "15:55"), 35),
        (at(2, "09:15"), at(2, "23:00"), 385),
        (at(2, "20:00"), at(3, "09:20"), 5),
        (at(6, "15:29"), at(9, "09:16"), 12),
        (at(2, "00:00"), at(9, "00:00"), 5 * 385),
        (at(3), at(2), 0),
    ],
)
def test_only_minutes_of_the_sessions_count(
    start: dt.datetime, end: dt.datetime, minutes: int
) -> None:
    assert trading_minutes(start, end, NONE) == minutes


def test_a_holiday_has_no_minutes() -> None:
    assert trading_minutes(at(2, "15:00"), at(4, "09:20"), {dt.date(2026, 11, 3)}) == 45


def test_the_post_close_session_counts_since_the_third_of_august() -> None:
    def of_day(day: dt.date) -> int:
        start = dt.datetime.combine(day, dt.time(0), INDIA)
        return trading_minutes(start, start + dt.timedelta(days=1), NONE)

    friday, monday = dt.date(2026, 7, 31), dt.date(2026, 8, 3)
    assert (of_day(friday), of_day(monday)) == (375, 385)
    assert (last_trade_at(friday).time(), last_trade_at(monday).time()) == (
        dt.time(15, 30),
        dt.time(16),
    )


@given(instants, instants, instants)
def test_minutes_rise_and_add_up(one: dt.datetime, two: dt.datetime, three: dt.datetime) -> None:
    first, middle, last = sorted((one, two, three))

    parts = trading_minutes(first, middle, NONE) + trading_minutes(middle, last, NONE)

    assert parts <= trading_minutes(first, last, NONE) <= parts + 1


def test_the_first_fill_is_of_any_line() -> None:
    lines = [line(100), line(100, isin=ISINS[1], place=1)]
    fills = [fill(100, at(4)), fill(1, at(2, "11:07"), isin=ISINS[1])]

    assert minutes_to_first_fill(matched(lines, fills), NONE) == 7


def test_nothing_filled_has_no_time() -> None:
    results = matched([line(100)])

    assert minutes_to_first_fill(results, NONE) is None
    assert minutes_to_ninety(results, NONE) is None


def test_ninety_percent_is_of_the_value_of_all_lines_at_advised_prices() -> None:
    lines = [line(100, price="10"), line(100, side=SELL, price="90", isin=ISINS[1], place=1)]
    fills = [
        fill(99, at(2, "12:00"), side=SELL, isin=ISINS[1], price="1"),
        fill(8, at(2, "12:30"), price="1000"),
        fill(1, at(2, "12:31"), price="1000"),
    ]

    assert minutes_to_ninety(matched(lines, fills), NONE) == 91
    assert minutes_to_ninety(matched(lines, fills[:2]), NONE) is None


def test_an_inferred_fill_that_may_have_been_first_leaves_the_time_open() -> None:
    early = fill(10, at(4), after=at(2, "16:00"))
    real = fill(10, at(3))

    assert minutes_to_first_fill(matched([line(100)], [early, real]), NONE) is None
    before = fill(10, at(2, "12:00"))
    assert minutes_to_first_fill(matched([line(100)], [early, before]), NONE) == 60


def test_an_inferred_fill_before_the_last_one_leaves_ninety_percent_known() -> None:
    inferred = fill(50, at(4, "16:00"), after=at(3, "16:00"))
    closing = fill(40, at(5, "10:00"))
    opening = fill(40, at(3, "10:00"))

    known = minutes_to_ninety(matched([line(100)], [inferred, closing]), NONE)
    unknown = minutes_to_ninety(matched([line(100)], [opening, inferred]), NONE)

    assert known == 280 + 2 * 385 + 45
    assert unknown is None


def test_the_time_runs_from_the_sending_of_that_advice() -> None:
    later = line(10, sent=at(4, "11:00"), ends=at(11), advice=uuid.UUID(int=2))

    _, newer = matched([line(100), later], [fill(5, at(3)), fill(10, at(4, "11:10"))])

    assert minutes_to_first_fill([newer], NONE) == 10
