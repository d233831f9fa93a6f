"""International Securities Identification Numbers (ISO 6166)."""

import re
from functools import lru_cache

from stdnum import isin

_SHAPE = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")


@lru_cache(maxsize=8192)
def is_isin(text: str) -> bool:
    """`text` is written as an ISIN, in capitals, and its check digit is right."""
    return _SHAPE.fullmatch(text) is not None and check_digit(text[:11]) == int(text[11])


def check_digit(body: str) -> int:
    """The twelfth character of an ISIN, from its first eleven."""
    return int(isin.calc_check_digit(body))
