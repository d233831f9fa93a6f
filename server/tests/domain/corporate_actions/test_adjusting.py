"""Shares, averages and closes in the units of another day; nothing is gained or lost."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.corporate_actions.adjusting import (
    adjusted_closes,
    average_after,
    expected_shares,
    units_between,
)
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction

MONDAY = dt.date(2026, 11, 16)
FACTORS = [
    Fraction(7, 4),
    Fraction(2),
    Fraction(3, 2),
    Fraction(10),
    Fraction(1, 5),
    Fraction(5, 3),
]

days = st.dates(dt.date(2024, 1, 1), dt.date(2026, 12, 31))
factors = st.sampled_from(FACTORS)
prices = st.decimals("0.05", "90000", places=2)


def day(after: int) -> dt.date:
    return MONDAY + dt.timedelta(days=after)


def action(
    factor: Fraction, ex_on: dt.date = MONDAY, kind: ActionKind = ActionKind.SPLIT
) -> CorporateAction:
    return CorporateAction(kind, "INE000A01010", "", ex_on, factor)


actions = st.lists(st.builds(action, factors, days), max_size=4)


def test_a_split_changes_the_closes_before_it() -> None:
    closes = [(day(-1), Decimal(1000)), (day(0), Decimal(101)), (day(1), Decimal(99))]

    adjusted = adjusted_closes(closes, [action(Fraction(10))], day(1))

    assert [price for _, price in adjusted] == [Decimal(100), Decimal(101), Decimal(99)]


def test_closes_can_be_read_in_the_units_of_before() -> None:
    closes = [(day(-1), Decimal(1000)), (day(0), Decimal(101))]

    adjusted = adjusted_closes(closes, [action(Fraction(10))], day(-1))

    assert [price for _, price in adjusted] == [Decimal(1000), Decimal(1010)]


def test_a_dividend_changes_no_units() -> None:
    paid = action(Fraction(10), kind=ActionKind.DIVIDEND)
    closes = [(day(-1), Decimal(1000))]

    assert adjusted_closes(closes, [paid], day(1)) == closes
    assert units_between([paid], day(-1), day(1)) == 1


@pytest.mark.parametrize(
    ("quantity", "factor", "shares", "fraction"),
    [
        (100, Fraction(2), 100 * 2, Fraction(0)),
        (5, Fraction(7, 4), 8, Fraction(3, 4)),
        (107, Fraction(1, 10), 10, Fraction(7, 10)),
        (1, Fraction(3, 2), 1, Fraction(1, 2)),
        (0, Fraction(2), 0, Fraction(0)),
    ],
)
def test_whole_shares_and_the_rest_in_cash(
    quantity: int, factor: Fraction, shares: int, fraction: Fraction
) -> None:
    assert expected_shares(quantity, [factor]) == (shares, fraction)


@given(quantity=st.integers(0, 10**7), of_day=st.lists(factors, max_size=3))
def test_the_actions_of_one_day_give_the_same_in_any_order(
    quantity: int, of_day: list[Fraction]
) -> None:
    assert len({expected_shares(quantity, order) for order in permutations(of_day)}) == 1


@given(quantity=st.integers(1, 10**6), factor=factors, price=prices)
def test_the_value_is_the_same_on_both_sides_of_an_ex_date(
    quantity: int, factor: Fraction, price: Decimal
) -> None:
    shares, fraction = expected_shares(quantity, [factor])
    ((_, after),) = adjusted_closes([(day(-1), price)], [action(factor)], MONDAY)

    assert (shares + fraction) * Fraction(price) / factor == quantity * Fraction(price)
    assert abs(Fraction(after) - Fraction(price) / factor) < Fraction(1, 10**15)


@given(quantity=st.integers(1, 10**6), average=prices, of_days=st.lists(factors, max_size=5))
def test_the_cost_of_all_shares_stays_exactly(
    quantity: int, average: Decimal, of_days: list[Fraction]
) -> None:
    cost = quantity * Fraction(average)
    for factor in of_days:
        shares, _ = expected_shares(quantity, [factor])
        if not shares:
            return
        average = average_after(quantity, average, shares)  # type: ignore[assignment]
        quantity = shares

    assert quantity * Fraction(average) == cost


@given(known=actions, first=days, last=days)
def test_there_and_back_is_where_it_began(
    known: list[CorporateAction], first: dt.date, last: dt.date
) -> None:
    there, back = units_between(known, first, last), units_between(known, last, first)

    assert there * back == 1


@given(known=actions, new=st.builds(action, factors, days), as_of=days, price=prices, on=days)
def test_an_action_that_is_taken_back_leaves_every_close_as_it_was(
    known: list[CorporateAction],
    new: CorporateAction,
    as_of: dt.date,
    price: Decimal,
    on: dt.date,
) -> None:
    closes = [(on, price)]
    before = adjusted_closes(closes, known, as_of)

    changed = adjusted_closes(closes, [*known, new], as_of)
    again = adjusted_closes(closes, known, as_of)

    assert again == before
    units = units_between([new], on, as_of)
    assert abs(Fraction(changed[0][1]) * units / Fraction(before[0][1]) - 1) < Fraction(1, 10**15)


@given(known=actions, as_of=days)
def test_a_day_without_actions_before_it_is_left_as_it_is(
    known: list[CorporateAction], as_of: dt.date
) -> None:
    closes = [(as_of, Decimal("123.45"))]

    assert adjusted_closes(closes, known, as_of) == closes
