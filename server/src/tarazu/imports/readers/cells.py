"""Figures and names in cells, each refused with one clear sentence when it cannot be right."""

import re
from decimal import Decimal
from functools import lru_cache
from typing import Final

from tarazu.domain.codes import NotAClientCode, client_code, client_number
from tarazu.domain.isin import is_isin
from tarazu.domain.money import Rupees

MAX_QUANTITY: Final = 10**9
MAX_PRICE: Final = Decimal(10**7)
MAX_CASH: Final = Decimal(10**12)
MAX_NAME: Final = 60

_DECIMALS_KEPT: Final = 4
_SHOWN: Final = 40
_SHORT: Final = 9
"""Digits that are never more than the most shares there may be."""
_KNOWN: Final = 16_384
"""Size of the caches of names and codes, which repeat in many rows of a file."""
_SIGN_OF_RUPEES = re.compile(r"^(-?)\s*(?:₹|rs\.?|inr)\s*", re.IGNORECASE)
_PLAIN = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_BARE_PRICE = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,4})?")
_GROUPED = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]*)?")
_TRADING_SYMBOL = re.compile(r"[A-Z0-9][A-Z0-9&._-]{0,29}")
_NAME = re.compile(r"[^\W_][^\x00-\x1f\x7f]*")
_WITHOUT_FIGURE: Final = frozenset({"", "-", "–", "—", "n/a", "na", "nil"})


class CellRefused(ValueError):
    """A cell cannot be imported; the message is shown to the person."""


def shown(text: str) -> str:
    """The beginning of a cell, for a message."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def refuse_formula(text: str, heading: str) -> None:
    """Refuse what a spreadsheet would run.

    Raises:
        CellRefused: `text` starts with =, + or @.
    """
    if text.startswith(("=", "+", "@")):
        raise CellRefused(
            f'{heading} "{shown(text)}" is a formula; save the file with plain values.'
        )


def number_in(text: str, heading: str) -> Decimal:
    """The exact number in a cell: 1234.5, 1,234.5, 1,23,456.50 or ₹ 1,234.

    Raises:
        CellRefused: no number, or one that is longer than any figure in a holdings file.
    """
    bare = _SIGN_OF_RUPEES.sub(r"\1", text.replace("\u00a0", " ").replace("−", "-").strip())
    if not bare:
        raise CellRefused(f"{heading} is missing.")
    if len(bare) > _SHOWN or not (_PLAIN.fullmatch(bare) or _GROUPED.fullmatch(bare)):
        raise CellRefused(f'{heading} "{shown(text)}" is not a number.')
    return Decimal(bare.replace(",", ""))


def signed_shares_in(text: str, heading: str) -> int:
    """A whole number of shares, which may be below nought.

    Raises:
        CellRefused: no number, a fraction, or more than a thousand million shares.
    """
    number = number_in(text, heading)
    if number != int(number):
        raise CellRefused(f'{heading} "{shown(text)}" is not a whole number of shares.')
    if abs(number) > MAX_QUANTITY:
        raise CellRefused(f'{heading} "{shown(text)}" is more than {MAX_QUANTITY:,} shares.')
    return int(number)


def shares_in(text: str, heading: str) -> int:
    """A whole number of shares, 0 or more.

    Raises:
        CellRefused: as for `signed_shares_in`, or below 0.
    """
    if len(text) <= _SHORT and text.isdigit() and text.isascii():
        return int(text)
    shares = signed_shares_in(text, heading)
    if shares < 0:
        raise CellRefused(f'{heading} "{shown(text)}" is below 0.')
    return shares


def _rupees_in(text: str, heading: str, largest: Rupees) -> Rupees:
    number = number_in(text, heading)
    if abs(number) > largest:
        raise CellRefused(f'{heading} "{shown(text)}" is more than {largest:,} rupees.')
    if number != round(number, _DECIMALS_KEPT):
        raise CellRefused(f'{heading} "{shown(text)}" has more than {_DECIMALS_KEPT} decimals.')
    return number


def price_in(text: str, heading: str) -> Rupees:
    """Rupees a share, 0 to a crore, at most four decimals.

    Raises:
        CellRefused: anything else.
    """
    if _BARE_PRICE.fullmatch(text):
        return Decimal(text)
    price = _rupees_in(text, heading, MAX_PRICE)
    if price < 0:
        raise CellRefused(f'{heading} "{shown(text)}" is below 0.')
    return price


def last_price_in(text: str, heading: str) -> Rupees | None:
    """A price as by `price_in`; None for a blank, a dash or nought.

    Raises:
        CellRefused: as for `price_in`.
    """
    if text.casefold() in _WITHOUT_FIGURE:
        return None
    return price_in(text, heading) or None


def cash_in(text: str, heading: str) -> Rupees:
    """Rupees, negative for a debit, at most four decimals.

    Raises:
        CellRefused: anything else, or a figure above a lakh crore.
    """
    return _rupees_in(text, heading, MAX_CASH)


@lru_cache(_KNOWN)
def isin_in(text: str, heading: str) -> str:
    """An ISIN in capitals.

    Raises:
        CellRefused: missing, of another shape, or with a wrong check digit.
    """
    isin = text.upper()
    if not isin:
        raise CellRefused(f"{heading} is missing.")
    if not is_isin(isin):
        raise CellRefused(
            f'{heading} "{shown(text)}" is not an ISIN: a character is wrong or missing.'
        )
    return isin


@lru_cache(_KNOWN)
def trading_symbol_in(text: str, heading: str) -> str:
    """A trading symbol in capitals, such as M&M or BAJAJ-AUTO.

    Raises:
        CellRefused: missing, too long, or with other characters.
    """
    symbol = text.upper()
    if not symbol:
        raise CellRefused(f"{heading} is missing.")
    if _TRADING_SYMBOL.fullmatch(symbol) is None:
        raise CellRefused(f'{heading} "{shown(text)}" is not a trading symbol.')
    return symbol


def name_in(text: str, heading: str) -> str | None:
    """A symbol or a name in a row with an ISIN; None for a blank.

    Raises:
        CellRefused: too long, or not starting with a letter or digit.
    """
    if not text:
        return None
    if len(text) > MAX_NAME or _NAME.fullmatch(text) is None:
        raise CellRefused(f'{heading} "{shown(text)}" is not the name of a share.')
    return text


@lru_cache(_KNOWN)
def client_code_in(text: str) -> str:
    """A client's code, C and four digits, in capitals.

    Raises:
        CellRefused: anything else.
    """
    try:
        return client_code(client_number(text))
    except NotAClientCode as error:
        raise CellRefused(f'Client code "{shown(text)}" is not a code such as C0001.') from error
