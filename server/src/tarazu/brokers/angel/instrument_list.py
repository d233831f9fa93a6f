"""Angel One's list of instruments, read from a file."""

import codecs
import datetime as dt
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, BinaryIO

from tarazu.brokers.protocol.fields import AnswerObject
from tarazu.brokers.protocol.port import (
    Malformed,
    MasterRow,
)
from tarazu.brokers.protocol.token_mapping import SEGMENTS, plain_symbol, zerodha_token

LONGEST_MASTER_ROW = 4096
READ_AT_ONCE = 1 << 20
KINDS = {"": "EQ", "AMXIDX": "INDEX"}
TEST_MARK = "NSETEST"
PAISE = Decimal("0.01")
CURRENCY_UNIT = Decimal("0.0000001")


def objects_of(written: BinaryIO) -> Iterator[dict[str, Any]]:
    """The objects of a JSON array of objects, without the whole of it in memory.

    Raises:
        Malformed: it is none, or it breaks off.
    """
    reader = codecs.getreader("utf-8")(written)
    try:
        text = reader.read(READ_AT_ONCE).lstrip()
        if not text.startswith("["):
            raise Malformed("instruments: not a list")
        text = text[1:]
        while True:
            objects, text = _whole_objects(text)
            yield from objects
            more = reader.read(READ_AT_ONCE)
            if not more:
                break
            text += more
    except (ValueError, RecursionError):
        raise Malformed("instruments: not JSON") from None
    if text.strip() != "]":
        raise Malformed("instruments: a truncated list")


def _whole_objects(text: str) -> tuple[list[dict[str, Any]], str]:
    """The complete objects in `text`, and the rest of it.

    Raises:
        ValueError: there is something else between them.
    """
    objects: list[dict[str, Any]] = []
    decoder, place = json.JSONDecoder(), 0
    while (start := text.find("{", place)) >= 0:
        if text[place:start].strip(" ,\r\n\t"):
            raise ValueError
        try:
            json_object, place = decoder.raw_decode(text, start)
        except ValueError:
            # It goes on in what was not read yet, unless it is too long for that.
            if len(text) - start > LONGEST_MASTER_ROW:
                raise
            break
        objects.append(json_object)
    return objects, text[place:]


def master_row_of(row: AnswerObject) -> MasterRow | None:
    """One instrument; None for test instruments and rows that cannot be read."""
    try:
        exchange, symbol = row.symbol("exch_seg"), row.symbol("symbol")
        if TEST_MARK in symbol or exchange not in SEGMENTS:
            return None
        angel_token = row.code("token")
        word = row.optional_text("instrumenttype")
        unit = CURRENCY_UNIT if exchange == "CDS" else PAISE
        is_option = word.startswith("OPT")
        return MasterRow(
            exchange=exchange,
            symbol=plain_symbol(exchange, symbol),
            name=row.optional_text("name"),
            token=zerodha_token(exchange, angel_token),
            angel_token=angel_token,
            kind=symbol[-2:] if is_option else KINDS.get(word, word[:3]),
            tick_size=row.price("tick_size") * unit,
            lot_size=max(1, row.whole("lotsize", -1)),
            strike=row.price("strike") * unit if is_option else None,
            expires_on=_expiry(row.optional_text("expiry")),
        )
    except (Malformed, ValueError):
        return None


def _expiry(text: str) -> dt.date | None:
    """The day of a text such as 29DEC2026."""
    if not text:
        return None
    months = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
    return dt.date(int(text[5:]), months.index(text[2:5].upper()) + 1, int(text[:2]))
