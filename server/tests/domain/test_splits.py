"""Signs of a split: shares and average price, or a price, that move by a plain ratio."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.splits import RATIOS, may_be_action, ratio_of_prices, ratio_of_shares


@pytest.mark.parametrize(
    ("before", "after", "ratio"),
    [
        ((10, "1000"), (50, "200"), Fraction(5)),
        ((10, "1000"), (20, "500"), Fraction(2)),
        ((10, "1000"), (15, "666.6667"), Fraction(3, 2)),
        ((7, "300"), (10, "210"), Fraction(3, 2)),  # half a share is paid out in cash
        ((100, "10"), (20, "50"), Fraction(1, 5)),
        ((10, "1000"), (20, "1000"), None),  # bought ten more
        ((10, "1000"), (12, "833.33"), None),  # no plain ratio
        ((10, "0"), (20, "0"), None),  # what cost nothing tells nothing
        ((10, "1000"), (5, "1000"), None),  # sold half
    ],
)
def test_shares_that_grow_by_a_plain_ratio_at_the_same_cost(
    before: tuple[int, str], after: tuple[int, str], ratio: Fraction | None
) -> None:
    found = ratio_of_shares((before[0], Decimal(before[1])), (after[0], Decimal(after[1])))

    assert found == ratio


@pytest.mark.parametrize(
    ("before", "after", "ratio"),
    [
        ("1000", "200", Fraction(5)),
        ("1000", "205", Fraction(5)),
        ("1000", "195", Fraction(5)),
        ("1000", "212", None),  # 6 % besides the split are no split
        ("1000", "500", Fraction(2)),
        ("100", "1010", Fraction(1, 10)),
        ("1000", "675", Fraction(3, 2)),
        ("1000", "801", None),  # within a day's circuit of 20 %
        ("1000", "1200", None),
    ],
)
def test_a_price_that_moves_by_a_plain_ratio(
    before: str, after: str, ratio: Fraction | None
) -> None:
    assert ratio_of_prices(Decimal(before), Decimal(after)) == ratio


@given(
    price=st.decimals("0.05", "100000", places=2),
    move=st.decimals("-0.2", "0.2", places=3),
)
def test_a_move_within_the_widest_circuit_is_never_a_split(price: Decimal, move: Decimal) -> None:
    after = price * (1 + move)

    assert after == 0 or ratio_of_prices(price, after) is None


@given(
    ratio=st.sampled_from(RATIOS),
    quantity=st.integers(1, 10_000).map(lambda n: n * 600),
    price=st.decimals("1", "10000", places=2),
)
def test_a_split_is_seen_in_the_shares_whatever_its_ratio(
    ratio: Fraction, quantity: int, price: Decimal
) -> None:
    after = Decimal(price.as_integer_ratio()[0]) / price.as_integer_ratio()[1]
    average = after * ratio.denominator / ratio.numerator

    found = ratio_of_shares((quantity, price), (int(quantity * ratio), average))

    assert found == ratio


@pytest.mark.parametrize(
    ("before", "after", "is_action"),
    [
        ((10, "1000"), (20, "500"), True),
        ((10, "1000"), (2, "5000"), True),
        # A bonus before the broker corrects the average, or where it has none.
        ((10, "1000"), (20, "1000"), True),
        ((10, "1000"), (15, "0"), True),
        ((10, "0"), (20, "1000"), True),
        # Bought at another price, in no plain ratio, sold by half, bought for the first time.
        ((10, "1000"), (20, "1050"), False),
        ((10, "1000"), (17, "1000"), False),
        ((10, "1000"), (5, "1000"), False),
        ((0, "0"), (5, "1000"), False),
        ((10, "1000"), (0, "0"), False),
    ],
)
def test_a_change_that_may_be_a_corporate_action(
    before: tuple[int, str], after: tuple[int, str], is_action: bool
) -> None:
    readings = [(shares, Decimal(average)) for shares, average in (before, after)]

    assert may_be_action(readings[0], readings[1]) is is_action
