"""Checked texts that several features take in: names, e-mail addresses, phone numbers."""

import datetime as dt
import re
import unicodedata
from typing import Annotated

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from tarazu.kit.schemas import Schema

LONGEST_NAME = 100
LONGEST_EMAIL = 254
LONGEST_REMARK = 2_000
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 128
EARLIEST_DAY = dt.date(1900, 1, 1)
LATEST_DAY = dt.date(2199, 12, 31)

# Without the signs of RFC 5322 by which one text becomes several recipients, or a comment.
_EMAIL = re.compile(r"[^@\s<>\"(),:;\[\]\\]+@[^@\s<>\"(),:;\[\]\\]+\.[^@\s<>\"(),:;\[\]\\.]{2,}")
_NUMBER = re.compile(r"\d{0,10}")
_WRITTEN_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COUNTRY = re.compile(r"\+\d{1,4}")
# Control characters, and those that turn the direction of the text after them.
_UNFIT = {"Cc", "Cf", "Cs", "Co", "Cn"}
_JOINERS = {"\u200c", "\u200d"}
"""Needed to write Devanagari and its sisters; harmless elsewhere."""
_BLANK = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
"""Letters and signs by name of which nothing is seen: Hangul fillers, the empty Braille cell."""


def saying(words: str) -> WrapValidator:
    """Whatever is wrong with a field, this is the message."""

    def check(given: object, read: ValidatorFunctionWrapHandler) -> object:
        try:
            return read(given)
        except ValidationError as error:
            raise ValueError(words) from error

    return WrapValidator(check)


def is_plain(text: str, *, lines: bool = False) -> bool:
    """Whether `text` has no control, direction-override or blank characters."""
    allowed = {"\n", "\t"} if lines else set()
    return all(
        (unicodedata.category(letter) not in _UNFIT and letter not in _BLANK)
        or letter in allowed | _JOINERS
        for letter in text
    )


def is_seen(text: str) -> bool:
    """Whether anything of `text` can be seen: a letter, a digit or a sign."""
    return any(
        unicodedata.category(letter)[0] in "LNPS" and letter not in _BLANK for letter in text
    )


def _name(text: str) -> str:
    name = text.strip()
    if not is_seen(name):
        raise ValueError("Name is required")
    if len(name) > LONGEST_NAME or not is_plain(name):
        raise ValueError("A name has 1 to 100 characters, without control characters.")
    return name


def _email(text: str) -> str:
    email = text.strip().lower()
    if not email:
        raise ValueError("Email is required")
    if len(email) > LONGEST_EMAIL or not _EMAIL.fullmatch(email) or not is_plain(email):
        raise ValueError("Enter a valid email")
    return email


def _new_email(text: str) -> str:
    email = _email(text)
    # `ａ@` and `а@` look like `a@`, and are the addresses of others.
    if not email.isascii():
        raise ValueError("Enter a valid email, in plain Latin letters.")
    return email


def _contact_number(text: str) -> str:
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError("A contact number has at most 10 digits.")
    return text.strip()


def _country_code(text: str) -> str:
    if not _COUNTRY.fullmatch(text.strip()):
        raise ValueError("A country code is a plus and one to four digits, such as +91.")
    return text.strip()


def _remark(text: str) -> str:
    remark = text.replace("\r\n", "\n").strip()
    if not is_seen(remark):
        raise ValueError("Remark is required")
    if len(remark) > LONGEST_REMARK or not is_plain(remark, lines=True):
        raise ValueError("A remark has at most 2,000 characters, without control characters.")
    return remark


def _day(day: dt.date) -> dt.date:
    # At the ends of the calendar an instant in UTC has no day in India any more.
    if not EARLIEST_DAY <= day <= LATEST_DAY:
        raise ValueError("Please select a valid date")
    return day


def _written_day(given: object) -> object:
    # A number would be read as seconds since 1970.
    is_written = isinstance(given, str) and _WRITTEN_DAY.fullmatch(given)
    if not is_written and not isinstance(given, dt.date):
        raise ValueError("Please select a valid date")
    return given


def _new_password(password: str) -> str:
    if not password:
        raise ValueError("Password is required")
    if len(password) < SHORTEST_PASSWORD:
        raise ValueError("Password must be at least 8 characters")
    if len(password) > LONGEST_PASSWORD:
        raise ValueError("Password must be at most 128 characters")
    return password


def _text_of_number(given: object) -> object:
    # Screens and spreadsheets send phone numbers as JSON numbers now and then.
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


Name = Annotated[str, AfterValidator(_name)]
Email = Annotated[str, AfterValidator(_new_email)]
KnownEmail = Annotated[str, AfterValidator(_email)]
"""Of an account that may be there already, from before addresses had to be of Latin letters."""
NewPassword = Annotated[str, AfterValidator(_new_password)]
ContactNumber = Annotated[
    str,
    BeforeValidator(_text_of_number, json_schema_input_type=str | int),
    AfterValidator(_contact_number),
]
CountryCode = Annotated[str, AfterValidator(_country_code)]
Remark = Annotated[str, AfterValidator(_remark)]
Day = Annotated[
    dt.date,
    AfterValidator(_day),
    BeforeValidator(_written_day),
    saying("Please select a valid date"),
]


def checked_account(email: str, password: str) -> tuple[str, str]:
    """The e-mail address and password of a new account, as they are kept.

    Raises:
        ValueError: one does not fit; the text says what is wrong.
    """
    return _new_email(email), _new_password(password)


def none_if_blank(value: object) -> object:
    """None for an empty text, as a form sends it; everything else as it is."""
    return None if isinstance(value, str) and not value.strip() else value


class DayRange(Schema):
    """A range of days, both included; None leaves an end open."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
