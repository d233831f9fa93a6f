"""GST on an invoice: which taxes, by the states of supplier and customer, and how much.

Sections 7 to 13 of the Integrated Goods and Services Tax Act, 2017: a supply within one state bears
central and state tax, half each; between two states it bears integrated tax. A Union territory
without a legislature has union territory tax in place of state tax.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from stdnum.in_ import gstin

from tarazu.domain.fees import financial_year_of
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded

STATES: Final[Mapping[str, str]] = {
    "01": "Jammu and Kashmir",
    "02": "Himachal Pradesh",
    "03": "Punjab",
    "04": "Chandigarh",
    "05": "Uttarakhand",
    "06": "Haryana",
    "07": "Delhi",
    "08": "Rajasthan",
    "09": "Uttar Pradesh",
    "10": "Bihar",
    "11": "Sikkim",
    "12": "Arunachal Pradesh",
    "13": "Nagaland",
    "14": "Manipur",
    "15": "Mizoram",
    "16": "Tripura",
    "17": "Meghalaya",
    "18": "Assam",
    "19": "West Bengal",
    "20": "Jharkhand",
    "21": "Odisha",
    "22": "Chhattisgarh",
    "23": "Madhya Pradesh",
    "24": "Gujarat",
    "26": "Dadra and Nagar Haveli and Daman and Diu",
    "27": "Maharashtra",
    "29": "Karnataka",
    "30": "Goa",
    "31": "Lakshadweep",
    "32": "Kerala",
    "33": "Tamil Nadu",
    "34": "Puducherry",
    "35": "Andaman and Nicobar Islands",
    "36": "Telangana",
    "37": "Andhra Pradesh",
    "38": "Ladakh",
    "97": "Other Territory",
}
"""State codes of GST, as in the first two digits of a GSTIN (the GST portal's list)."""
UNION_TERRITORIES: Final = frozenset({"04", "26", "31", "35", "38", "97"})
"""Those without a legislature."""
LONGEST_NUMBER: Final = 16
"""Signs of an invoice number at most (rule 46(b) of the CGST Rules, 2017)."""

_HANDLE_SIGNS: Final = "[A-Za-z0-9._-]+"


@dataclass(frozen=True, slots=True)
class Tax:
    """The taxes of an invoice or credit note in rupees; those that are not due are 0."""

    central: Rupees = ZERO
    state: Rupees = ZERO
    integrated: Rupees = ZERO

    @property
    def total(self) -> Rupees:
        """All of them."""
        return self.central + self.state + self.integrated

    def share(self, part: Decimal) -> "Tax":
        """This part of each tax, rounded half up to the paisa."""
        return Tax(
            rounded(self.central * part),
            rounded(self.state * part),
            rounded(self.integrated * part),
        )

    def less(self, other: "Tax") -> "Tax":
        """What is left of each tax."""
        return Tax(
            self.central - other.central,
            self.state - other.state,
            self.integrated - other.integrated,
        )


def tax_on(value: Rupees, rate: Percent, supplier_state: str, place_of_supply: str) -> Tax:
    """The taxes on a value without tax; each is rounded half up to the paisa."""
    if supplier_state != place_of_supply:
        return Tax(integrated=rounded(value * rate / HUNDRED))
    half = rounded(value * rate / HUNDRED / 2)
    return Tax(central=half, state=half)


def is_valid_gstin(number: str) -> bool:
    """Whether the shape, the state, the PAN and the check digit of a GSTIN are right."""
    return bool(gstin.is_valid(number)) and number[:2] in STATES


def fits_handle(handle: str, pattern: str) -> bool:
    """Whether a UPI ID has the shape of a pattern such as `*.ra@valid*`.

    A star is for one or more letters, digits, dots, hyphens and underscores.
    """
    signs = _HANDLE_SIGNS.join(re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(signs, handle, re.IGNORECASE) is not None


def number_of(prefix: str, day: dt.date, serial: int) -> str:
    """The number of an invoice: `INV/26-27/0001`."""
    year = financial_year_of(day).year
    return f"{prefix}/{year % 100:02d}-{(year + 1) % 100:02d}/{serial:04d}"
