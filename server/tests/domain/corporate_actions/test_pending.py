"""A holding from the ex-date until the credit, whatever the broker shows meanwhile."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.corporate_actions.pending import Course, Shown, UnitChange, course_of

EX_AT = dt.datetime(2026, 11, 18, tzinfo=dt.UTC)
BONUS = UnitChange(UUID(int=1), EX_AT, Fraction(2))
SPLIT = UnitChange(UUID(int=2), EX_AT, Fraction(10))
THREE_FOR_FOUR = UnitChange(UUID(int=3), EX_AT, Fraction(7, 4))


def shown(days: float, quantity: int, average: str, traded: int = 0) -> Shown:
    return Shown(EX_AT + dt.timedelta(days=days), quantity, Decimal(average), traded)


def course(
    start: Shown | None,
    *readings: Shown,
    changes: Sequence[UnitChange] = (BONUS,),
    price: str | None = "50",
    read_on: float = 2,
) -> Course:
    at = EX_AT + dt.timedelta(days=read_on)
    return course_of(changes, start, readings, at, Decimal(price) if price else None)


def owned(found: Course, last: Shown) -> int:
    return last.quantity + sum(row.waiting for row in found.entitlements)


def cost(found: Course, last: Shown) -> Decimal:
    return last.quantity * last.average - found.false_cost


START = shown(-1, 100, "80")


@pytest.mark.parametrize(
    ("last", "waiting", "shares"),
    [
        # Until the credit the broker shows the old number and the old average.
        (START, 100, 200),
        # Then the new number; the average is still the old one, or not known, or corrected.
        (shown(2, 200, "80"), 0, 200),
        (shown(2, 200, "0"), 0, 200),
        (shown(2, 200, "40"), 0, 200),
        # The average was corrected before the shares came.
        (shown(1, 100, "40"), 100, 200),
    ],
)
def test_the_expected_shares_count_at_what_they_cost(
    last: Shown, waiting: int, shares: int
) -> None:
    found = course(START, *([] if last is START else [last]))

    (row,) = found.entitlements
    assert (row.before, row.expected, row.waiting) == (100, 200, waiting)
    assert owned(found, last) == shares
    assert cost(found, last) == Decimal(8000)


def test_the_credit_is_that_of_the_first_reading_that_shows_it() -> None:
    credit = shown(2, 200, "80")

    found = course(START, credit, shown(5, 200, "40"), read_on=6)

    assert found.entitlements[0].credited_at == credit.at
    assert found.false_cost == 0


def test_a_broker_that_adjusts_on_the_ex_date_leaves_nothing_to_wait_for() -> None:
    found = course(START, shown(0.4, 200, "40"))

    assert found.entitlements[0].waiting == 0
    assert found.false_cost == 0


@pytest.mark.parametrize("traded", [7, -30])
def test_own_trades_while_shares_wait_are_allowed_for(traded: int) -> None:
    waiting = shown(1, 100 + traded, "80", traded)
    credited = shown(2, 200 + traded, "80")

    before = course(START, waiting, price="40")
    after = course(START, waiting, credited, price="40")

    assert before.entitlements[0].waiting == 100
    assert owned(before, waiting) == 200 + traded
    assert after.entitlements[0].credited_at == credited.at


def test_a_trade_on_the_day_of_the_credit_is_allowed_for() -> None:
    credited = shown(2, 205, "80", 5)

    assert course(START, credited).entitlements[0].credited_at == credited.at


def test_shares_that_are_sold_while_others_wait_take_their_part_of_the_cost() -> None:
    sold = shown(1, 60, "80", -40)

    found = course(START, sold, price="41")

    assert owned(found, sold) == 160
    assert cost(found, sold) == Decimal(8000) * 160 / 200


def test_shares_bought_while_others_wait_cost_what_they_cost() -> None:
    # The broker adds 50 at ₹40 to 100 at ₹80.
    bought = shown(1, 150, "66.6667", 50)

    found = course(START, bought, price="40.5")

    assert cost(found, bought) == Decimal(150) * Decimal("66.6667")


def test_shares_bought_before_the_ex_date_that_no_trade_shows_are_entitled_too() -> None:
    unexplained, credited = shown(0.4, 110, "80"), shown(2, 220, "80")

    found = course(START, unexplained, credited)

    assert found.entitlements[0].credited_at == credited.at
    assert owned(found, credited) == 220


def test_a_change_that_fits_nothing_credits_nothing() -> None:
    other = shown(1, 150, "80")

    found = course(START, other)

    assert found.entitlements[0].credited_at is None
    assert owned(found, other) == 250


def test_a_consolidation_waits_for_fewer_shares() -> None:
    change = UnitChange(UUID(int=9), EX_AT, Fraction(1, 10))

    waiting = course(START, changes=[change])
    credited = shown(2, 10, "800")

    assert owned(waiting, START) == 10
    assert cost(waiting, START) == Decimal(8000)
    assert owned(course(START, credited, changes=[change]), credited) == 10


def test_two_actions_of_one_day_may_be_credited_one_after_the_other_in_either_order() -> None:
    start = shown(-1, 5, "350")
    both = [THREE_FOR_FOUR, SPLIT]
    split_first = [shown(1, 50, "35"), shown(2, 87, "20.1149")]
    bonus_first = [shown(1, 8, "218.75"), shown(2, 87, "20.1149")]

    for readings in ([], split_first[:1], bonus_first[:1], split_first, bonus_first):
        for changes in (both, both[::-1]):
            found = course(start, *readings, changes=changes)
            assert owned(found, [start, *readings][-1]) == 87
            done = sum(row.credited_at is not None for row in found.entitlements)
            assert done == len(readings)


def test_a_second_action_counts_the_shares_that_still_wait_for_the_first() -> None:
    later = UnitChange(UUID(int=9), EX_AT + dt.timedelta(days=1), Fraction(5))

    found = course(START, changes=[BONUS, later])

    assert [(row.before, row.expected) for row in found.entitlements] == [(100, 200), (200, 1000)]
    credited = shown(3, 200, "40")
    found = course(START, credited, changes=[BONUS, later], read_on=4)
    assert [row.waiting for row in found.entitlements] == [0, 800]
    assert owned(found, credited) == 1000


def test_who_held_nothing_on_the_ex_date_waits_for_nothing() -> None:
    found = course(shown(-1, 0, "0"), shown(1, 30, "50", 30))

    assert found.entitlements == []


def test_a_holding_that_was_first_read_after_the_ex_date_is_not_guessed() -> None:
    first = shown(1, 100, "80")

    (row,) = course(None, first).entitlements
    assert (row.is_known, row.waiting, row.credited_at) == (False, 0, None)
    # It shows by the jump which of the two it was, or is credited after a week.
    (row,) = course(None, first, shown(2, 200, "40")).entitlements
    assert (row.is_known, row.before, row.expected) == (True, 100, 200)
    (row,) = course(None, first, read_on=7).entitlements
    assert row.credited_at is not None
    assert course(None, shown(8, 100, "80"), read_on=8).entitlements == []


def test_an_action_that_brings_less_than_a_share_waits_for_nothing() -> None:
    (row,) = course(
        shown(-1, 1, "80"), changes=[UnitChange(UUID(int=9), EX_AT, Fraction(3, 2))]
    ).entitlements

    assert row.credited_at == EX_AT


@given(
    quantity=st.integers(1, 10**6),
    average=st.decimals("0.05", "90000", places=4),
    factor=st.sampled_from([Fraction(2), Fraction(10), Fraction(7, 4), Fraction(1, 10)]),
    moved=st.sampled_from(["0.9", "1", "1.1"]),
)
def test_from_the_ex_date_to_the_correction_neither_shares_nor_cost_move(
    quantity: int, average: Decimal, factor: Fraction, moved: str
) -> None:
    start, change = (
        Shown(EX_AT - dt.timedelta(days=1), quantity, average),
        [UnitChange(UUID(int=9), EX_AT, factor)],
    )
    expected = int(quantity * factor)
    if not expected:
        return
    after = (average * quantity / expected).quantize(Decimal("0.0001"))
    old, new = shown(1, expected, str(average)), shown(2, expected, str(after))
    price = str(
        (average * factor.denominator / factor.numerator * Decimal(moved)).quantize(Decimal("0.01"))
        or "0.01"
    )

    for readings in ([], [old], [old, new], [new]):
        found = course(start, *readings, changes=change, price=price)
        last = [start, *readings][-1]
        assert owned(found, last) == expected
        rounding = expected * Decimal("0.0001") if last is new else 0
        assert abs(cost(found, last) - quantity * average) <= rounding
