"""Splits, bonuses and consolidations inside a window."""

import uuid
from decimal import Decimal
from fractions import Fraction

import pytest

from tarazu.domain.execution.values import LineStatus
from tests.domain.execution.cases import ISINS, NEW_ISIN, at, fill, line, matched, split

LATER = uuid.UUID(int=2)


def test_a_split_multiplies_the_quantity_and_divides_the_price() -> None:
    fills = [fill(40, at(3), price="251"), fill(300, at(5), isin=NEW_ISIN, price="50.30")]

    (result,) = matched([line(100)], fills, actions=[split(5, 4, new_isin=NEW_ISIN)])

    assert (result.quantity, result.price) == (500, Decimal(50))
    assert (result.status, result.filled, result.beyond) == (LineStatus.DONE, 500, 0)
    assert [(part.quantity, part.price) for part in result.matches] == [
        (200, Decimal("50.2")),
        (300, Decimal("50.30")),
    ]
    assert [part.value for part in result.matches] == [Decimal(10_040), Decimal("15090.00")]


def test_a_trade_before_the_split_may_be_under_the_new_isin() -> None:
    fills = [fill(40, at(3), isin=NEW_ISIN)]

    (result,) = matched([line(100)], fills, actions=[split(5, 4, new_isin=NEW_ISIN)])

    assert result.filled == 200


@pytest.mark.parametrize(("day", "quantity"), [(2, 100), (3, 200), (5, 200), (6, 100)])
def test_an_action_counts_from_the_day_after_the_sending_until_today(day, quantity) -> None:
    (result,) = matched([line(100)], actions=[split(2, day)], now=at(5, "16:10"))

    assert result.quantity == quantity


def test_an_action_after_the_window_changes_nothing() -> None:
    fills = [fill(100, at(3))]

    (result,) = matched([line(100)], fills, actions=[split(2, 10)], now=at(12))

    assert (result.quantity, result.price, result.filled) == (100, Decimal(250), 100)


def test_two_actions_multiply() -> None:
    actions = [split(2, 3, new_isin=NEW_ISIN), split(Fraction(3, 2), 4)]

    (result,) = matched([line(100)], [fill(100, at(3), isin=NEW_ISIN)], actions=actions)

    assert (result.quantity, result.filled, result.status) == (300, 150, LineStatus.PARTIAL)


def test_an_action_recorded_twice_counts_once() -> None:
    (result,) = matched([line(100)], actions=[split(2, 4), split(2, 4)])

    assert result.quantity == 200


def test_half_shares_are_dropped_from_the_line() -> None:
    (result,) = matched([line(15)], [fill(22, at(5))], actions=[split(Fraction(3, 2), 4)])

    assert (result.quantity, result.filled, result.status) == (22, 22, LineStatus.DONE)


def test_half_shares_add_up_to_whole_ones() -> None:
    fills = [fill(15, at(3, "10:00")), fill(15, at(3, "11:00"))]

    (result,) = matched([line(30)], fills, actions=[split(Fraction(1, 10), 4)])

    assert (result.quantity, result.filled, result.status) == (3, 3, LineStatus.DONE)
    assert [part.quantity for part in result.matches] == [1, 2]


def test_a_share_beyond_is_whole_too() -> None:
    (result,) = matched([line(15)], [fill(23, at(5))], actions=[split(Fraction(3, 2), 4)])

    assert (result.filled, result.beyond, result.status) == (22, 1, LineStatus.OVER)


def test_a_line_that_is_done_before_a_consolidation_to_no_share_stays_done() -> None:
    actions = [split(Fraction(1, 10), 4)]

    (done,) = matched([line(5)], [fill(5, at(3))], actions=actions)
    (nothing,) = matched([line(5)], actions=actions)

    assert (done.quantity, done.status) == (0, LineStatus.DONE)
    assert nothing.status is LineStatus.PENDING


def test_later_advice_under_the_new_isin_ends_the_window() -> None:
    later = line(10, isin=NEW_ISIN, sent=at(5, "11:00"), ends=at(12), advice=LATER)

    older, newer = matched(
        [line(10), later], [fill(4, at(3))], actions=[split(5, 4, new_isin=NEW_ISIN)]
    )

    assert (older.status, older.quantity, older.filled) == (LineStatus.SUPERSEDED, 50, 20)
    assert (newer.quantity, newer.price) == (10, Decimal(250))


def test_other_shares_keep_their_units() -> None:
    (result,) = matched([line(100, isin=ISINS[1])], actions=[split(5, 4)])

    assert result.quantity == 100
