"""Prices from the process that runs the feed to the others: one message on the bus for each frame.

A message holds a head in JSON, the rows for the price book as plain numbers, and the frame for the
browsers, so that each process books and forwards prices without parsing text. Messages are numbered
within a term of leadership: a process that misses one sees the gap and requests all prices.
"""

import asyncio
import contextlib
import datetime as dt
import json
import struct
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tarazu.kit.pubsub import MessageBus
from tarazu.prices.book import EPOCH, MICROSECOND, PriceRows

PRICES: Final = "prices"
"""The bus topic of these messages."""
ALL_PRICES_WANTED: Final = "prices-wanted"
"""The bus topic on which a process requests all prices."""
SILENT_AFTER: Final = 5.0
"""Seconds without a message of the leader after which prices are read from the database."""

_SIZES: Final = struct.Struct(">II")
_NUMBERS: Final = np.dtype("<i8")
_COLUMNS: Final = 4

_EMPTY: Final = np.zeros(0, dtype=np.int64)
NO_ROWS: Final = PriceRows(_EMPTY, _EMPTY, _EMPTY, _EMPTY)


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """Whose prices come, whether they flow now, and which tokens the source does not carry."""

    name: str | None = None
    is_live: bool = False
    unfollowed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PriceMessage:
    """One message of the leader.

    Attributes:
        term: of the leader; messages of an earlier term are ignored.
        number: one more than the last message's of this term.
        status: of the feed.
        last_tick_at: when a source last sent a price.
        rows: for the price book.
        frame: for the browsers; empty if only the book changes.
    """

    term: int
    number: int
    status: FeedStatus
    last_tick_at: dt.datetime | None
    rows: PriceRows = NO_ROWS
    frame: bytes = b""


def pack(message: PriceMessage) -> bytes:
    """A message as bytes for the bus."""
    at = message.last_tick_at
    rows, status = message.rows, message.status
    head = json.dumps(
        {
            "term": message.term,
            "number": message.number,
            "name": status.name,
            "live": status.is_live,
            "unfollowed": sorted(status.unfollowed),
            "heard": None if at is None else (at - EPOCH) // MICROSECOND,
            "sources": rows.sources,
        }
    ).encode()
    columns = (rows.tokens, rows.units, rows.at, rows.source)
    numbers = b"".join(column.astype(_NUMBERS, copy=False).tobytes() for column in columns)
    return _SIZES.pack(len(head), len(rows.tokens)) + head + numbers + message.frame


def unpack(body: bytes) -> PriceMessage:
    """The message in these bytes.

    Raises:
        ValueError, KeyError, struct.error: they are not a message.
    """
    length, count = _SIZES.unpack_from(body)
    start = _SIZES.size + length
    head = json.loads(body[_SIZES.size : start])
    numbers = np.frombuffer(body, _NUMBERS, _COLUMNS * count, start).astype(np.int64)
    columns = numbers.reshape(_COLUMNS, count)
    at = head["heard"]
    return PriceMessage(
        head["term"],
        head["number"],
        FeedStatus(head["name"], head["live"], frozenset(head["unfollowed"])),
        None if at is None else EPOCH + at * MICROSECOND,
        PriceRows(columns[0], columns[1], columns[2], columns[3], tuple(head["sources"])),
        body[start + numbers.nbytes :],
    )


class PriceRelay:
    """Sends the leader's messages to the other processes, and receives them there in order.

    Args:
        bus: not started yet.
        on_request: called, from any thread, when a process requests all prices.
    """

    def __init__(self, bus: MessageBus, on_request: Callable[[], None]) -> None:
        self._bus, self._on_request = bus, on_request
        self.loop: asyncio.AbstractEventLoop | None = None
        self.received: deque[PriceMessage] = deque()
        self.has_received = asyncio.Event()
        self.status = FeedStatus()
        self.is_whole_requested = False
        self._own_term = self._sent = 0
        self._term = self._number = 0
        self._received_at = -SILENT_AFTER
        bus.subscribe(PRICES, self._on_prices)
        bus.subscribe(ALL_PRICES_WANTED, self._on_whole_requested)
        bus.on_change(lambda is_up: self.request_whole() if is_up else None)

    @property
    def is_receiving(self) -> bool:
        """Whether a message of the leader came within the last seconds."""
        return self._bus.is_up and time.monotonic() - self._received_at < SILENT_AFTER

    def lead(self, term: int) -> None:
        """Send as the leader from now on; messages of earlier leaders are ignored."""
        self._own_term, self._sent = term, 0
        self._term = max(self._term, term)

    def request_whole(self) -> None:
        """Request all prices from the leader."""
        self._bus.publish(ALL_PRICES_WANTED, b"")

    def take_request(self) -> bool:
        """Whether a process requested all prices since the last call."""
        is_requested, self.is_whole_requested = self.is_whole_requested, False
        return is_requested

    def send(
        self,
        status: FeedStatus,
        last_tick_at: dt.datetime | None,
        rows: PriceRows,
        frame: bytes,
    ) -> None:
        """Send one message to the other processes."""
        self._sent += 1
        message = PriceMessage(self._own_term, self._sent, status, last_tick_at, rows, frame)
        self._bus.publish(PRICES, pack(message), to_others_only=True)

    def _on_whole_requested(self, _: bytes) -> None:
        self.is_whole_requested = True
        self._on_request()

    def _on_prices(self, body: bytes) -> None:
        """In the bus's thread: pass a message on to the event loop."""
        if self.loop is not None:
            # RuntimeError: the loop is closed, as the process stops.
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.receive, unpack(body))

    def receive(self, message: PriceMessage) -> None:
        """Queue a message, unless it is of an earlier leader; request all prices after a gap."""
        if message.term < self._term:
            return
        if (message.term, message.number) != (self._term, self._number + 1):
            self.request_whole()
        self._term, self._number = message.term, message.number
        self.status, self._received_at = message.status, time.monotonic()
        self.received.append(message)
        self.has_received.set()
