"""International Securities Identification Numbers and their check digit (ISO 6166)."""

import re
from functools import lru_cache

_SHAPE = re.compile(r"[A-Z]{2}[A-Z0-9]{9}[0-9]")
_BODY = re.compile(r"[A-Z]{2}[A-Z0-9]{9}")


def check_digit(body: str) -> int:
    """The twelfth character of an ISIN, from its first eleven.

    Letters become 10 to 35, and the digits so written are weighed as in Luhn's formula:
    every other one from the right is doubled and its digits are added (ISO 6166, annex).

    Raises:
        ValueError: `body` is not two capital letters and nine capital letters or digits.
    """
    if _BODY.fullmatch(body) is None:
        raise ValueError(body)
    digits = "".join(str(int(character, 36)) for character in body)
    total = 0
    for place, digit in enumerate(reversed(digits)):
        weighed = int(digit) * (2 if place % 2 == 0 else 1)
        total += weighed // 10 + weighed % 10
    return -total % 10


@lru_cache(maxsize=8192)
def is_isin(text: str) -> bool:
    """`text` is written as an ISIN, in capitals, and its check digit is right."""
    return _SHAPE.fullmatch(text) is not None and check_digit(text[:11]) == int(text[11])
