"""What screens, files and the statement say about tax lots."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from tarazu.domain.money import Rupees, from_units
from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.values import LotSource

REASONS: Final[Mapping[WhyUnknown, str]] = {
    WhyUnknown.NO_PURCHASE: "The purchase is not known. Import an older tradebook or enter the lot.",
    WhyUnknown.NO_PRICE: "The price of the sale is not known. Import the tradebook.",
    WhyUnknown.NO_COST: "The cost of a lot is not known. Import the tradebook, or enter the share of "
    "the cost that the company published.",
    WhyUnknown.NO_HIGH: "Bought before February 2018. Enter the highest price of 31 January 2018.",
    WhyUnknown.FRACTION: "Less than one share was paid out in cash; the amount is not known.",
    WhyUnknown.NOT_MATCHED: "The lots do not add up to the shares at the broker. Import the missing "
    "tradebooks or enter the missing lots.",
    WhyUnknown.NO_HOLDINGS: "No holdings were read yet, so the lots cannot be checked. Sync or "
    "import holdings.",
}
SOURCES: Final[Mapping[LotSource, str]] = {
    LotSource.TRADE: "Bought",
    LotSource.INFERRED: "Inferred from holdings",
    LotSource.HAND: "Entered",
    LotSource.BONUS: "Bonus",
    LotSource.DEMERGER: "Demerger",
    LotSource.MERGER: "Merger",
}
NOTES: Final = (
    "Arithmetic, not tax advice.",
    "Before brokerage and other charges.",
    (
        "Losses brought forward from earlier years, other income, rebates and the basic exemption "
        "are not included."
    ),
)


def rupees(amount: Fraction | None) -> Rupees | None:
    """An exact amount in whole paise, half up (away from zero on a tie)."""
    if amount is None:
        return None
    paise = int(abs(amount) * 100 + Fraction(1, 2))
    return from_units(100 * (paise if amount >= 0 else -paise))
