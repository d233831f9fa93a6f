"""Prices from the process that has the feed to the others: one word on the bus for each frame.

A word holds a head in JSON, the rows for the price book as bare numbers, and the frame for the
browsers as it goes out, so that each process books and writes without reading prices out of text.
Words are numbered within a term: who misses one knows, and asks for the whole.
"""

import datetime as dt
import json
import struct
from dataclasses import dataclass
from typing import Final

import numpy as np

from tarazu.prices.book import EPOCH, MICROSECOND, PriceRows

PRICES: Final = "prices"
"""The bus's topic of these words."""
WANTED: Final = "prices-wanted"
"""The bus's topic on which a process asks for all prices."""

_SIZES: Final = struct.Struct(">II")
_NUMBERS: Final = np.dtype("<i8")
_COLUMNS: Final = 4

_EMPTY: Final = np.zeros(0, dtype=np.int64)
NOTHING: Final = PriceRows(_EMPTY, _EMPTY, _EMPTY, _EMPTY)


@dataclass(frozen=True, slots=True)
class PriceSubscription:
    """How the feed does: whose prices come, whether they do now, and which tokens have none."""

    name: str | None = None
    is_live: bool = False
    unfollowed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Word:
    """What the leader says at once.

    Attributes:
        term: of the leader; a word of an earlier term is void.
        number: one more than the last word's of this term.
        standing: how the feed does.
        heard_at: when a source last told a price.
        told: for the price book.
        frame: for the browsers; empty where only the book is to know.
    """

    term: int
    number: int
    standing: PriceSubscription
    heard_at: dt.datetime | None
    told: PriceRows = NOTHING
    frame: bytes = b""


def packed(word: Word) -> bytes:
    """A word as it goes over the bus."""
    heard = None if word.heard_at is None else (word.heard_at - EPOCH) // MICROSECOND
    told, standing = word.told, word.standing
    head = json.dumps(
        {
            "term": word.term,
            "number": word.number,
            "name": standing.name,
            "live": standing.is_live,
            "unfollowed": sorted(standing.unfollowed),
            "heard": heard,
            "sources": told.sources,
        }
    ).encode()
    rows = (told.tokens, told.units, told.at, told.source)
    numbers = b"".join(one.astype(_NUMBERS, copy=False).tobytes() for one in rows)
    return _SIZES.pack(len(head), len(told.tokens)) + head + numbers + word.frame


def unpacked(body: bytes) -> Word:
    """The word that was packed.

    Raises:
        ValueError, KeyError, struct.error: it is none.
    """
    length, count = _SIZES.unpack_from(body)
    start = _SIZES.size + length
    head = json.loads(body[_SIZES.size : start])
    numbers = np.frombuffer(body, _NUMBERS, _COLUMNS * count, start).astype(np.int64)
    rows = numbers.reshape(_COLUMNS, count)
    heard = head["heard"]
    return Word(
        head["term"],
        head["number"],
        PriceSubscription(head["name"], head["live"], frozenset(head["unfollowed"])),
        None if heard is None else EPOCH + heard * MICROSECOND,
        PriceRows(rows[0], rows[1], rows[2], rows[3], tuple(head["sources"])),
        body[start + numbers.nbytes :],
    )
