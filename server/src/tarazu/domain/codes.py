"""Codes of clients and tags of orders.

A client code is C and four digits, given in order from C0001 and never reused.
"""

import base64
import hashlib
import re
import uuid
from typing import Final

LAST_CLIENT_NUMBER: Final = 9999
SAMPLE_NUMBER: Final = 0
"""Of the sample client alone, whose code is C0000; the counter starts after it."""

ORDER_TAG_LENGTH: Final = 8
"""The longest tag that a broker accepts: letters and digits."""

_CODE = re.compile(r"C([0-9]{4})")


class ClientCodesExhausted(ValueError):
    """C9999 is taken: there is no code left for another client."""

    def __init__(self) -> None:
        super().__init__("All client codes up to C9999 are taken; no client can be added.")


class NotAClientCode(ValueError):
    """A text is not C and four digits."""

    def __init__(self, text: str) -> None:
        super().__init__(f'"{text[:20]}" is not a client code such as C0001.')


def client_code(number: int) -> str:
    """The code of the client that was added as the `number`-th; 0 is the sample client's.

    Raises:
        ValueError: `number` is below 0.
        ClientCodesExhausted: `number` is above 9999.
    """
    if number < 0:
        raise ValueError(number)
    if number > LAST_CLIENT_NUMBER:
        raise ClientCodesExhausted
    return f"C{number:04d}"


def client_number(code: str) -> int:
    """The number in a client code, 0 (the sample client) to 9999; capitals and outer blanks do not matter.

    Raises:
        NotAClientCode: `code` is not C and four digits.
    """
    match = _CODE.fullmatch(code.strip().upper())
    if match is None:
        raise NotAClientCode(code)
    return int(match[1])


def order_tag(advice_id: uuid.UUID) -> str:
    """The tag of the orders made from an advice: eight of A to Z and 2 to 7.

    Of the advice's id alone, so that it is the same everywhere: the first 40 bits of its SHA-256
    in base 32 (RFC 4648). With 10,000 advices the chance of one pair with the same tag is 0.005 %.
    """
    digest = hashlib.sha256(advice_id.bytes).digest()
    return base64.b32encode(digest).decode("ascii")[:ORDER_TAG_LENGTH]
