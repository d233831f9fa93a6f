"""Rounding, at any size."""

from decimal import Decimal

import pytest

from tarazu.domain.money import from_units, paise_of, points_of, rounded, share_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [("2.345", "2.35"), ("-2.345", "-2.35"), ("0.004", "0.00"), ("1E+3", "1000.00")],
)
def test_a_half_goes_away_from_zero(value: str, shown: str) -> None:
    assert rounded(Decimal(value)) == Decimal(shown)


@pytest.mark.parametrize("value", ["1E+27", "-1.23456789E+44", "1.7E+308"])
def test_a_number_of_any_size_can_be_rounded(value: str) -> None:
    assert rounded(Decimal(value)) == Decimal(value)


@pytest.mark.parametrize("units", [0, 49, 50, 149, 150, 151, -49, -50, -51, -150, 10**18 + 50])
def test_paise_of_units_are_what_rounding_gives(units: int) -> None:
    assert Decimal(paise_of(units)) / 100 == rounded(from_units(units))


@pytest.mark.parametrize(
    ("part", "whole"),
    [(1, 3), (-1, 3), (2, 3), (1, 20_000), (-1, 20_000), (3, 20_000), (10**20, 7), (5, 0), (5, -1)],
)
def test_points_of_a_whole_are_its_share_rounded(part: int, whole: int) -> None:
    assert Decimal(points_of(part, whole)) / 100 == rounded(share_of(Decimal(part), Decimal(whole)))
