import datetime as dt
from decimal import Decimal

import pytest

from tarazu.domain.gst import Tax, fits_handle, is_valid_gstin, number_of, tax_on
from tarazu.kit.formatting import rupees_in_words

RATE = Decimal(18)


def test_a_supply_within_a_state_bears_two_halves_and_between_states_one_tax() -> None:
    value = Decimal("87123.29")

    assert tax_on(value, RATE, "27", "27") == Tax(Decimal("7841.10"), Decimal("7841.10"))
    assert tax_on(value, RATE, "27", "29") == Tax(integrated=Decimal("15682.19"))


@pytest.mark.parametrize(
    ("number", "is_valid"),
    [
        ("27AAPFU0939F1ZV", True),
        ("27AAPFU0939F1ZA", False),
        ("99AAPFU0939F1ZV", False),
        ("27AAPFU0939F1Z", False),
        ("", False),
    ],
)
def test_a_gstin_has_a_state_a_pan_and_a_check_digit(number: str, is_valid: bool) -> None:
    assert is_valid_gstin(number) == is_valid


@pytest.mark.parametrize(
    ("handle", "fits"),
    [
        ("sahyadri.ra@validhdfc", True),
        ("Sahyadri.RA@validHDFC", True),
        ("sahyadri@validhdfc", False),
        ("sahyadri.ra@valid", False),
        ("sahyadri.ra@okhdfc", False),
        ("sah yadri.ra@validhdfc", False),
        ("a.ra@validhdfc&am=1", False),
    ],
)
def test_a_upi_id_has_the_shape_of_the_rule(handle: str, fits: bool) -> None:
    assert fits_handle(handle, "*.ra@valid*") == fits


def test_the_number_names_the_financial_year() -> None:
    assert number_of("INV", dt.date(2026, 3, 31), 7) == "INV/25-26/0007"
    assert number_of("INV", dt.date(2026, 4, 1), 12345) == "INV/26-27/12345"
    assert number_of("INV", dt.date(2099, 4, 1), 1) == "INV/99-00/0001"


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        ("0", "Rupees Zero Only"),
        ("141600", "Rupees One Lakh Forty-One Thousand Six Hundred Only"),
        ("20000000.05", "Rupees Two Crore and Five Paise Only"),
        ("1019.90", "Rupees One Thousand Nineteen and Ninety Paise Only"),
    ],
)
def test_amounts_are_said_in_lakh_and_crore(amount: str, words: str) -> None:
    assert rupees_in_words(Decimal(amount)) == words
