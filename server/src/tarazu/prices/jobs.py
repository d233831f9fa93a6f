"""Prices for a process without browsers: a worker values and plans at what the feed brings."""

import time
from typing import Final

from tarazu.kit.db import Database
from tarazu.kit.pubsub import MessageBus
from tarazu.prices import service
from tarazu.prices.relay import PRICES, WANTED, unpacked

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether the feed is still heard."""
SILENT_AFTER: Final = 5.0


class Listener:
    """Keeps the price book of this process as new as that of the process that has the feed.

    By the bus where that speaks, else from the database, where the feed saves every two seconds
    as long as somebody reads it.

    Args:
        database: whose prices they are.
        bus: not started yet.
    """

    def __init__(self, database: Database, bus: MessageBus) -> None:
        self._database, self._bus = database, bus
        self._last = (0, 0)
        self._heard_at = -SILENT_AFTER
        self._saved = service.Saved(database)
        bus.subscribe(PRICES, self._hear)
        bus.on_change(lambda is_up: self._ask() if is_up else None)

    def look_after(self) -> None:
        """Read from the database where nothing was heard just now; timed work."""
        if self._bus.is_up and time.monotonic() - self._heard_at < SILENT_AFTER:
            return
        self._saved.read(service.book_in(self._database))

    def _ask(self) -> None:
        self._bus.publish(WANTED, b"")

    def _hear(self, body: bytes) -> None:
        """In the bus's thread: book what the feed tells."""
        word = unpacked(body)
        if word.term < self._last[0]:
            return
        if (word.term, word.number) != (self._last[0], self._last[1] + 1):
            self._ask()  # something was missed
        self._last, self._heard_at = (word.term, word.number), time.monotonic()
        book = service.book_in(self._database)
        book.take_told(word.told, is_shown=True)
        if word.heard_at is not None:
            book.note_heard(word.heard_at)
