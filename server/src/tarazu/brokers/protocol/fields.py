"""Reads the fields of a broker's answer, which is checked like any input from outside.

Every reader raises `Malformed` with the field's name and without its value.
"""

import datetime as dt
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn, TypeVar

import structlog

from tarazu.brokers.protocol.port import SHARES, BrokerRows, Malformed, UnreadableRow
from tarazu.brokers.protocol.token_mapping import plain_symbol
from tarazu.domain.isin import is_isin
from tarazu.domain.money import ZERO, Rupees
from tarazu.kit.clock import INDIA

log = structlog.get_logger()

LARGEST_MONEY = Decimal(10) ** 13
LARGEST_QUANTITY = 10**12
MOST_DIGITS = 40
LONGEST_TEXT = 128
MOST_ROWS = 10_000
MOST_UNKNOWN_WORDS = 100
YEARS = range(2000, 2100)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_ISO_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_NAMED_TIME = re.compile(r"(\d\d)-([A-Z][a-z]{2})-(\d{4}) (\d\d):(\d\d):(\d\d)", re.ASCII)
_CLOCK_TIME = re.compile(r"(\d\d):(\d\d):(\d\d)", re.ASCII)
_NUMBER = re.compile(r"[+-]? ?\d+(\.\d*)?([eE][+-]?\d{1,2})?", re.ASCII)
_CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")

T = TypeVar("T")

_unknown_words: set[str] = set()


def json_of(body: bytes) -> Any:
    """The JSON of an answer, its numbers exact.

    Raises:
        Malformed: it is none, or has a number that is not finite or longer than 40 digits.
    """
    try:
        return json.loads(
            body, parse_float=_exact, parse_int=_whole_number, parse_constant=_not_a_number
        )
    except (ValueError, RecursionError):
        raise Malformed("the answer is not JSON") from None


@dataclass(frozen=True, slots=True)
class AnswerObject:
    """One object of an answer; `place` names it in faults."""

    fields: Mapping[str, Any]
    place: str

    def row(self, name: str) -> "AnswerObject":
        """The object in the field."""
        return row_of(self.fields.get(name), f"{self.place}.{name}")

    def rows(self, name: str) -> "list[AnswerObject]":
        """The objects of the list in the field."""
        return rows_of(self.fields.get(name), f"{self.place}.{name}")

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A printable text that is not empty."""
        return self.optional_text(name, longest) or self._fail(name)

    def optional_text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A printable text; empty when it is absent, null or empty."""
        value = self.fields.get(name)
        if value is None:
            return ""
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            self._fail(name)
        return str(value).strip()

    def words(self, name: str) -> str:
        """A sentence for people, made printable and cut to 300 characters; empty when absent."""
        value = self.fields.get(name)
        if not isinstance(value, str):
            return ""
        return "".join(
            character if character.isprintable() else " " for character in value[:300]
        ).strip()

    def code(self, name: str) -> str:
        """An identifier of letters, digits, `-` and `_`; a number counts as its text."""
        value = self.fields.get(name)
        text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str) or _CODE.fullmatch(text) is None:
            self._fail(name)
        return str(text)

    def symbol(self, name: str) -> str:
        """A trading symbol or the name of an exchange: printable ASCII."""
        text = self.text(name, 64)
        return text if text.isascii() else self._fail(name)

    def plain(self, name: str) -> str:
        """A short text of printable ASCII; empty for everything else. For naming a bad row."""
        value = self.fields.get(name)
        is_plain = isinstance(value, str) and value.isascii() and value.isprintable()
        return str(value).strip() if is_plain and len(str(value)) <= MOST_DIGITS else ""

    def isin(self, name: str) -> str:
        """A valid ISIN; empty otherwise."""
        isin = self.optional_text(name, 32)
        return isin if is_isin(isin) else ""

    def whole(self, name: str, least: int = 0) -> int:
        """A whole number, or a text of one; `least` to 10^12."""
        number = self._number(name)
        if number != number.to_integral_value() or not least <= number <= LARGEST_QUANTITY:
            self._fail(name)
        return int(number)

    def optional_whole(self, name: str, least: int = 0) -> int:
        """A whole number; 0 when it is absent, null or an empty text."""
        return 0 if self.fields.get(name) in (None, "") else self.whole(name, least)

    def money(self, name: str) -> Rupees:
        """An amount of rupees, of either sign, exact as written."""
        number = self._number(name)
        return number if abs(number) <= LARGEST_MONEY else self._fail(name)

    def optional_money(self, name: str) -> Rupees:
        """An amount; 0 when it is absent, null or an empty text."""
        return ZERO if self.fields.get(name) in (None, "") else self.money(name)

    def price(self, name: str) -> Rupees:
        """An amount that is not negative; 0 when it is absent, null or an empty text."""
        amount = self.optional_money(name)
        return amount if amount >= 0 else self._fail(name)

    def above_zero(self, name: str) -> Rupees:
        """An amount above 0."""
        amount = self.money(name)
        return amount if amount > 0 else self._fail(name)

    def time(self, name: str) -> dt.datetime:
        """An instant, which the broker writes in India time without an offset."""
        return self.optional_time(name) or self._fail(name)

    def clock_time(self, name: str) -> dt.time:
        """A time of day such as 09:15:04, in India."""
        match = _CLOCK_TIME.fullmatch(self.text(name))
        hour, minute, second = map(int, match.groups()) if match else (24, 0, 0)
        try:
            return dt.time(hour, minute, second)
        except ValueError:
            self._fail(name)

    def optional_time(self, name: str) -> dt.datetime | None:
        """An instant; None when it is absent, null or empty."""
        text = self.optional_text(name)
        if not text:
            return None
        return instant_of(text) or self._fail(name)

    def one_of(self, name: str, known: Mapping[str, T]) -> T:
        """The value for a known word."""
        word = self.text(name).upper()
        return known[word] if word in known else self._fail(name)

    def _number(self, name: str) -> Decimal:
        value = self.fields.get(name)
        if isinstance(value, str):
            if len(value) > MOST_DIGITS or _NUMBER.fullmatch(value.strip()) is None:
                self._fail(name)
            return Decimal(value.replace(" ", ""))
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            self._fail(name)
        return Decimal(value)

    def _fail(self, name: str) -> NoReturn:
        raise Malformed(f"{self.place}.{name}")


def row_of(value: Any, place: str) -> AnswerObject:
    """An object of the answer.

    Raises:
        Malformed: it is none.
    """
    if not isinstance(value, dict):
        raise Malformed(place)
    return AnswerObject(value, place)


def rows_of(values: Any, place: str) -> list[AnswerObject]:
    """A list of objects of the answer.

    Raises:
        Malformed: it is none, or has more than 10,000 rows.
    """
    if not isinstance(values, list) or len(values) > MOST_ROWS:
        raise Malformed(place)
    return [row_of(value, f"{place}[{number}]") for number, value in enumerate(values)]


def readable_rows(
    values: Any, place: str, kind: str, read: Callable[[AnswerObject], T]
) -> BrokerRows[T]:
    """What `read` makes of the rows of a list; those that cannot be read are left out and named.

    Args:
        place: names the list in faults.
        kind: names a row for people: Holding, Position, Order, Trade.

    Raises:
        Malformed: it is no list, has more than 10,000 rows, or no row of it is an object.
    """
    if not isinstance(values, list) or len(values) > MOST_ROWS:
        raise Malformed(place)
    if values and not any(isinstance(value, dict) for value in values):
        raise Malformed(f"{place}[0]")
    rows: list[T] = []
    left_out: list[UnreadableRow] = []
    for number, value in enumerate(values):
        try:
            rows.append(read(row_of(value, f"{place}[{number}]")))
        except Malformed as fault:
            left_out.append(_left_out(kind, number, value, fault.reason))
            log.warning("broker_row_left_out", field=fault.reason)
    return BrokerRows(rows, left_out)


def readable_share_rows(
    values: Any, place: str, kind: str, read: Callable[[AnswerObject], T]
) -> BrokerRows[T]:
    """As `readable_rows`, without the rows of exchanges on which no shares are traded."""
    if not isinstance(values, list):
        raise Malformed(place)
    of_shares = [value for value in values if not _is_of_other_segment(value)]
    return readable_rows(of_shares, place, kind, read)


def _is_of_other_segment(value: Any) -> bool:
    exchange = value.get("exchange") if isinstance(value, dict) else None
    return isinstance(exchange, str) and bool(exchange) and exchange not in SHARES


def _left_out(kind: str, number: int, value: Any, reason: str) -> UnreadableRow:
    row = AnswerObject(value if isinstance(value, dict) else {}, "")
    exchange = row.plain("exchange")
    symbol = plain_symbol(exchange, row.plain("tradingsymbol"))
    code = row.plain("order_id") or row.plain("orderid")
    if kind == "Trade":
        code = row.plain("trade_id") or row.plain("fillid") or code
    name = " ".join(part for part in (code, symbol) if part) or f"number {number + 1}"
    field = reason.rpartition("].")[2] if "]." in reason else "content"
    isin = row.plain("isin")
    return UnreadableRow(kind, name, field, exchange, symbol, isin if is_isin(isin) else "")


def instant_of(text: str) -> dt.datetime | None:
    """The instant of `2026-11-21 09:15:04` or `21-Nov-2026 09:15:04` in India; None for others."""
    if (match := _ISO_TIME.fullmatch(text)) is not None:
        year, month, day = int(match[1]), int(match[2]), int(match[3])
    elif (match := _NAMED_TIME.fullmatch(text)) is not None and match[2] in MONTHS:
        # English names, whatever the locale of the machine.
        day, month, year = int(match[1]), MONTHS.index(match[2]) + 1, int(match[3])
    else:
        return None
    if year not in YEARS:
        return None
    try:
        clock = dt.time(int(match[4]), int(match[5]), int(match[6]), tzinfo=INDIA)
        return dt.datetime.combine(dt.date(year, month, day), clock).astimezone(dt.UTC)
    except ValueError:
        return None


def note_unknown(broker: str, what: str, word: str) -> None:
    """Log a word that the broker's documentation does not have, once."""
    if word not in _unknown_words and len(_unknown_words) < MOST_UNKNOWN_WORDS:
        _unknown_words.add(word)
        log.warning("broker_word_unknown", broker=broker, what=what, word=word)


def _exact(text: str) -> Decimal:
    if len(text) > MOST_DIGITS:
        raise ValueError
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError from None
    if abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError
    return number


def _whole_number(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError
    return int(text)


def _not_a_number(_text: str) -> None:
    raise ValueError
