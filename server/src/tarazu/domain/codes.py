"""Client codes: C and four digits, given in order from C0001 and never reused."""

import re
from typing import Final

LAST_CLIENT_NUMBER: Final = 9999

_CODE = re.compile(r"C([0-9]{4})")


class ClientCodesExhausted(ValueError):
    """C9999 is taken: there is no code left for another client."""

    def __init__(self) -> None:
        super().__init__("All client codes up to C9999 are taken; no client can be added.")


class NotAClientCode(ValueError):
    """A text is not C and four digits from C0001 on."""

    def __init__(self, text: str) -> None:
        super().__init__(f'"{text[:20]}" is not a client code such as C0001.')


def client_code(number: int) -> str:
    """The code of the client that was added as the `number`-th, counted from 1.

    Raises:
        ValueError: `number` is below 1.
        ClientCodesExhausted: `number` is above 9999.
    """
    if number < 1:
        raise ValueError(number)
    if number > LAST_CLIENT_NUMBER:
        raise ClientCodesExhausted
    return f"C{number:04d}"


def client_number(code: str) -> int:
    """The number in a client code, 1 to 9999; capitals and outer blanks do not matter.

    Raises:
        NotAClientCode: `code` is not C and four digits, or is C0000.
    """
    match = _CODE.fullmatch(code.strip().upper())
    if match is None or match[1] == "0000":
        raise NotAClientCode(code)
    return int(match[1])
