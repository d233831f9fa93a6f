"""Shares by their parts, changes that nothing explains, and money against the books."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.money import ZERO
from tarazu.domain.reconcile import (
    Ledger,
    OwnedShares,
    average_of,
    hint_of,
    parts_after_today,
    price_of_purchase,
    sum_of_parts,
)

SHARES = st.integers(0, 10**6)
PRICES = st.decimals("0.0001", "100000", places=4)


@pytest.mark.parametrize(
    ("morning", "today", "after"),
    [
        ((10, 3, 2), 0, OwnedShares(10, 3, 2, 0)),
        ((10, 3, 2), 5, OwnedShares(10, 3, 2, 5)),
        ((10, 3, 2), -4, OwnedShares(6, 3, 2, 0)),
        ((10, 3, 2), -12, OwnedShares(0, 1, 2, 0)),
        ((10, 3, 2), -14, OwnedShares(0, 0, 1, 0)),
        ((10, 3, 2), -99, OwnedShares(0, 0, 0, 0)),
    ],
)
def test_what_is_sold_today_leaves_the_free_shares_first(
    morning: tuple[int, int, int], today: int, after: OwnedShares
) -> None:
    assert parts_after_today(*morning, today) == after


@given(SHARES, SHARES, SHARES, st.integers(-(10**7), 10**7))
def test_no_part_is_below_zero_and_no_share_is_lost(
    free: int, t1: int, pledged: int, today: int
) -> None:
    parts = parts_after_today(free, t1, pledged, today)

    assert min(parts.free, parts.t1, parts.pledged, parts.bought_today) >= 0
    assert parts.quantity == max(0, free + t1 + pledged + today)


@given(st.lists(st.builds(OwnedShares, SHARES, SHARES, SHARES, SHARES)))
def test_several_lines_add_up(several: list[OwnedShares]) -> None:
    assert sum_of_parts(several).quantity == sum(one.quantity for one in several)


def test_an_average_is_rounded_half_up_to_four_decimals() -> None:
    assert average_of([(1, Decimal("801.78125"))]) == Decimal("801.7813")
    assert average_of([(1, Decimal(1)), (2, Decimal(2))]) == Decimal("1.6667")


def test_lots_without_a_price_say_nothing_about_it() -> None:
    assert average_of([(10, ZERO), (5, Decimal(40))]) == 40
    assert average_of([(10, ZERO)]) == average_of([]) == 0


@given(st.lists(st.tuples(st.integers(1, 10**6), PRICES), min_size=1))
def test_an_average_lies_between_the_prices(lots: list[tuple[int, Decimal]]) -> None:
    prices = [price for _, price in lots]

    assert min(prices) <= average_of(lots) <= max(prices)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (10, 50, "Looks like a split or a bonus: 5 for 1."),
        (10, 15, "Looks like a split or a bonus: 3 for 2."),
        (50, 10, "Looks like a consolidation: 1 for 5."),
        (100, 137, "No order is known that explains it: a transfer, or a day without a sync."),
        (
            0,
            5,
            "Came without an order: a bonus, a demerger, a transfer, or a day without a sync.",
        ),
        (5, 0, "Left without an order: a merger, a transfer, or a day without a sync."),
    ],
)
def test_a_change_is_named_for_what_it_looks_like(before: int, after: int, says: str) -> None:
    assert hint_of(before, after) == says


def test_money_is_what_was_there_with_trades_and_flows() -> None:
    ledger = Ledger(Decimal(1000), Decimal(-400), Decimal(250), Decimal(400))

    assert ledger.expected == 850
    assert ledger.difference(Decimal(850)) == 0
    # Within five hundred rupees, or half a percent of what was traded, nobody asks.
    assert ledger.difference(Decimal(350)) == 0
    assert ledger.difference(Decimal("349.99")) == Decimal("-500.01")
    traded = Ledger(ZERO, ZERO, ZERO, Decimal(1_000_000))
    assert traded.difference(Decimal(5000)) == 0
    assert traded.difference(Decimal("5000.01")) == Decimal("5000.01")


@pytest.mark.parametrize(
    ("before", "after", "price"),
    [
        ((10, "1000"), (17, "1070"), "1170"),
        ((0, "0"), (5, "400.25"), "400.25"),
        ((3, "100"), (6, "100.3333"), "100.6666"),
        # An average is not known, nothing was bought, or what was paid is not above nothing.
        ((10, "0"), (17, "1070"), None),
        ((10, "1000"), (17, "0"), None),
        ((10, "1000"), (10, "1070"), None),
        ((10, "1000"), (6, "1000"), None),
        ((10, "1000"), (20, "500"), None),
        ((10, "1000"), (20, "400"), None),
    ],
)
def test_the_price_of_a_purchase_follows_from_two_averages(
    before: tuple[int, str], after: tuple[int, str], price: str | None
) -> None:
    found = price_of_purchase((before[0], Decimal(before[1])), (after[0], Decimal(after[1])))

    assert found == (None if price is None else Decimal(price))


@given(SHARES, PRICES, st.integers(1, 10**6), PRICES)
def test_the_price_of_a_purchase_is_that_of_the_shares_bought(
    held: int, average: Decimal, bought: int, price: Decimal
) -> None:
    """As far as four decimals of the average can tell."""
    spent = held * average + bought * price
    after = (spent / (held + bought)).quantize(Decimal("0.0001"), "ROUND_HALF_UP")

    found = price_of_purchase((held, average), (held + bought, after))

    if after and found is not None:
        off = Decimal("0.00005") * (held + bought) / bought + Decimal("0.00005")
        assert abs(found - price) <= off
