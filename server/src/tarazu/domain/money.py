"""Rupees and percents: exact decimals, and their whole-number form in the database.

A rupee amount is kept as whole ten-thousandths (₹1 = 10,000 units), a percent as whole
basis points (1 % = 100). Rounding happens once, at the edge, half up.
"""

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache

Rupees = Decimal
Percent = Decimal

UNITS_PER_RUPEE = 10_000
_DECIMALS = 4
HUNDRED = Decimal(100)
ZERO = Decimal(0)
_WIDE = Context(prec=400, rounding=ROUND_HALF_UP)
"""Room for every digit of the largest float: a yearly rate of a few days can be that large."""


class NotExact(ValueError):
    """A rupee amount has more decimals than the four that are kept."""


def to_units(amount: Rupees) -> int:
    """Whole ten-thousandths of a rupee.

    Raises:
        NotExact: the amount is not finite, or has more than four decimals.
    """
    units = amount.scaleb(_DECIMALS)
    try:
        whole = int(units)
    except (OverflowError, ValueError) as error:
        # Infinite, or no number.
        raise NotExact(amount) from error
    if units != whole:
        raise NotExact(amount)
    return whole


def rounded_units(amount: Rupees) -> int:
    """Whole ten-thousandths of a rupee, half up."""
    return int(amount.scaleb(_DECIMALS, _WIDE).to_integral_value(ROUND_HALF_UP))


def from_units(units: int) -> Rupees:
    """The rupee amount of whole ten-thousandths, exact, with four decimals."""
    return Decimal(units).scaleb(-_DECIMALS)


def from_points(points: int) -> Percent:
    """The percent of whole basis points, exact, with two decimals."""
    return Decimal(points).scaleb(-2)


def to_points(percent: Percent) -> int:
    """Whole basis points of a percent that has two decimals at most."""
    return int(percent.scaleb(2).to_integral_exact())


def paise_of(units: int) -> int:
    """Whole paise of whole ten-thousandths of a rupee, half up (away from zero on a tie)."""
    return (units + 50) // 100 if units >= 0 else -((50 - units) // 100)


def points_of(part: int, whole: int) -> int:
    """Basis points (1 % = 100) that `part` is of `whole`, half up; 0 when `whole` is 0 or less.

    Both are in the same units. As `share_of`, rounded.
    """
    if whole <= 0:
        return 0
    points = (20_000 * abs(part) + whole) // (2 * whole)
    return points if part >= 0 else -points


def rounded(value: Decimal, places: int = 2) -> Decimal:
    """`value` with `places` decimals, half up (away from zero on a tie)."""
    return value.quantize(_last_place(places), None, _WIDE)


def rounding(places: int) -> Callable[[Decimal], Decimal]:
    """`rounded` to always as many decimals, for what rounds thousands of numbers."""
    quantize, last_place = Decimal.quantize, _last_place(places)

    def round_it(value: Decimal) -> Decimal:
        # By place: arguments by name cost more than the rounding does.
        return quantize(value, last_place, None, _WIDE)

    return round_it


@cache
def _last_place(places: int) -> Decimal:
    """The number of one in the last of these decimals."""
    return Decimal(1).scaleb(-places)


def share_of(part: Rupees, whole: Rupees) -> Percent:
    """Percent that `part` is of `whole`, unrounded; 0 when `whole` is 0 or less."""
    return part / whole * HUNDRED if whole > 0 else ZERO


def plain(value: Decimal) -> str:
    """A decimal without trailing zeros: "0.25", "1000"."""
    return f"{value.normalize():f}" if value else "0"


def grouped(number: int) -> str:
    """A whole number from 0 up with Indian grouping: "12,34,567"."""
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    pairs = []
    while head:
        pairs.append(head[-2:])
        head = head[:-2]
    return ",".join([*reversed(pairs), tail])
