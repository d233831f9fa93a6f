"""Rounding, at any size."""

from decimal import Decimal

import pytest

from tarazu.domain.money import rounded


@pytest.mark.parametrize(
    ("value", "shown"),
    [("2.345", "2.35"), ("-2.345", "-2.35"), ("0.004", "0.00"), ("1E+3", "1000.00")],
)
def test_a_half_goes_away_from_zero(value: str, shown: str) -> None:
    assert rounded(Decimal(value)) == Decimal(shown)


@pytest.mark.parametrize("value", ["1E+27", "-1.23456789E+44", "1.7E+308"])
def test_a_number_of_any_size_can_be_rounded(value: str) -> None:
    assert rounded(Decimal(value)) == Decimal(value)
