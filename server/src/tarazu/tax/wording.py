"""What screens, files and the statement say about tax lots."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from tarazu.domain.money import Rupees, from_units
from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.rates import SurchargeClass
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
    WhyUnknown.SUSPECTED: "A split or a bonus is suspected, or its shares are not credited for sure. "
    "Enter the corporate action, or wait for the next sync.",
}
UNKNOWN_SALE: Final = (
    "The tax is not known: the gain of a sale of this tax year is not known. See the tab Tax."
)
CHANGED_RATES: Final = "The tax is not known: the rates changed within this tax year."
ODD_RATES: Final = "The tax cannot be minimised: the short-term rate is below the long-term one."
NO_QUOTE: Final = "No price is known yet."
SOURCES: Final[Mapping[LotSource, str]] = {
    LotSource.TRADE: "Bought",
    LotSource.INFERRED: "Inferred from holdings",
    LotSource.HAND: "Entered",
    LotSource.BONUS: "Bonus",
    LotSource.DEMERGER: "Demerger",
    LotSource.MERGER: "Merger",
}
ITEMS: Final[Mapping[str, str]] = {
    "short_term": "Short-term gains",
    "long_term": "Long-term gains",
    "exemption": "Exemption of long-term gains in a year",
    "holding_period": "Long-term if held for more than",
    "cess": "Health and education cess",
    "surcharge_up_to_50_lakh": "Surcharge, income up to ₹50 lakh",
    "surcharge_up_to_1_crore": "Surcharge, income from ₹50 lakh to ₹1 crore",
    "surcharge_above_1_crore": "Surcharge, income above ₹1 crore",
    "grandfathered_until": "High of the day may be the cost if bought until",
    "section_short_term": "Section of short-term gains",
    "section_long_term": "Section of long-term gains",
    "section_set_off": "Section of set-off",
    "buyback_proceeds": "Buyback: part of the amount that is proceeds",
    "buyback_cost": "Buyback: part of the cost that counts",
    "buyback_dividend": "Buyback: part of the amount that is dividend",
}
CLASSES: Final[Mapping[SurchargeClass | None, str]] = {
    None: "not stated: rates without surcharge",
    SurchargeClass.UP_TO_50_LAKH: "up to ₹50 lakh",
    SurchargeClass.UP_TO_1_CRORE: "₹50 lakh to ₹1 crore",
    SurchargeClass.ABOVE_1_CRORE: "above ₹1 crore",
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
