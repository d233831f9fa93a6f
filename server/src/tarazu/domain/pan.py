"""The Permanent Account Number (PAN) of a taxpayer, by its form."""

import re
from typing import Final

from stdnum.in_ import pan

_FORM: Final = re.compile("[A-Z]{5}[0-9]{4}[A-Z]")


def is_valid_pan(number: str) -> bool:
    """Whether a number has the form of a PAN; its fourth letter is one of those for holders."""
    return bool(_FORM.fullmatch(number)) and bool(pan.is_valid(number))
