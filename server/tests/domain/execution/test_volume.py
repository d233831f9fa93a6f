"""Days of volume: shares that followed advice against what the market traded a day."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.execution.chains import Units
from tarazu.domain.execution.values import Action
from tarazu.domain.execution.volume import days_of_volume

LAST = dt.date(2026, 11, 20)
Volumes = list[tuple[dt.date, int]]


def days(volumes: Sequence[int], last: dt.date = LAST) -> Volumes:
    """One volume a day, the last on `last`."""
    first = last - dt.timedelta(days=len(volumes) - 1)
    return [(first + dt.timedelta(days=place), volume) for place, volume in enumerate(volumes)]


def test_shares_are_divided_by_the_average_of_the_known_days() -> None:
    assert days_of_volume(3_000, days([800, 900, 1_000, 1_100, 1_200]), LAST) == 3
    assert days_of_volume(1, days([800] * 5), LAST) == Decimal("0.00")
    assert days_of_volume(4, days([800] * 5), LAST) == Decimal("0.01")


def test_fewer_than_five_known_days_are_not_enough() -> None:
    assert days_of_volume(3_000, days([1_000] * 4), LAST) is None
    assert days_of_volume(3_000, [], LAST) is None


def test_days_without_any_trade_leave_it_unknown() -> None:
    assert days_of_volume(3_000, days([0] * 8), LAST) is None


def test_only_the_last_twenty_days_up_to_the_day_count() -> None:
    volumes = days([1_000_000] * 10 + [1_000] * 20)
    after = [(LAST + dt.timedelta(days=1), 1_000_000)]

    assert days_of_volume(2_500, volumes + after, LAST) == Decimal("2.5")


def test_volumes_of_more_than_sixty_days_before_say_nothing() -> None:
    assert days_of_volume(100, days([1_000] * 9, LAST - dt.timedelta(days=60)), LAST) is None
    assert days_of_volume(100, days([1_000] * 9, LAST - dt.timedelta(days=55)), LAST) is not None


def test_volumes_before_a_split_count_in_the_shares_after_it() -> None:
    split = Units([Action("INE009A01021", "", LAST - dt.timedelta(days=4), Fraction(5))])

    # 200 old shares a day are 1,000 new ones a day, as on the four days after.
    volumes = days([200] * 5 + [1_000] * 5)
    assert days_of_volume(2_000, volumes, LAST, split) == 2


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3, 2)])
@given(
    st.integers(1, 10**9),
    st.lists(st.integers(1, 10**9), min_size=5, max_size=40),
    st.integers(2, 9),
)
def test_more_shares_take_longer_and_more_volume_takes_less(
    factor: Fraction, shares: int, volumes: list[int], times: int
) -> None:
    units = Units([Action("INE009A01021", "", LAST - dt.timedelta(days=3), factor)])
    once = days_of_volume(shares, days(volumes), LAST, units)
    more = days_of_volume(shares * times, days(volumes), LAST, units)
    deeper = days_of_volume(shares, days([each * times for each in volumes]), LAST, units)

    assert once is not None
    assert more is not None
    assert deeper is not None
    assert deeper <= once <= more
