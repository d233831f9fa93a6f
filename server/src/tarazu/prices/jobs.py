"""Prices for a process without browsers: a worker values and plans with what the feed brings."""

import time
from typing import Final

from tarazu.kit.db import Database
from tarazu.kit.pubsub import MessageBus
from tarazu.prices import service
from tarazu.prices.feed.followed import publish_changes
from tarazu.prices.feed.relay import ALL_PRICES_WANTED, PRICES, SILENT_AFTER, unpack

LOOK_EVERY: Final = 2.0
"""Seconds between two checks whether the feed still sends."""


class Listener:
    """Keeps the price book of this process as new as that of the process that runs the feed.

    It takes prices from the bus, or, while the bus is silent, from the database, where the feed
    saves every two seconds as long as some process reads it. Commits of this process wake the feed.

    Args:
        database: whose prices they are.
        bus: not started yet.
    """

    def __init__(self, database: Database, bus: MessageBus) -> None:
        self._database, self._bus = database, bus
        self._last = (0, 0)
        self._received_at = -SILENT_AFTER
        self._saved = service.SavedPrices(database)
        publish_changes(database, bus)
        bus.subscribe(PRICES, self._receive)
        bus.on_change(lambda is_up: self._request_whole() if is_up else None)

    def look_after(self) -> None:
        """Read prices from the database if none came over the bus lately; timed work."""
        if self._bus.is_up and time.monotonic() - self._received_at < SILENT_AFTER:
            return
        self._saved.read(service.book_in(self._database))

    def _request_whole(self) -> None:
        self._bus.publish(ALL_PRICES_WANTED, b"")

    def _receive(self, body: bytes) -> None:
        """In the bus's thread: book the prices of a message."""
        message = unpack(body)
        if message.term < self._last[0]:
            return
        if (message.term, message.number) != (self._last[0], self._last[1] + 1):
            self._request_whole()  # a message was missed
        self._last, self._received_at = (message.term, message.number), time.monotonic()
        book = service.book_in(self._database)
        book.merge(message.rows, is_shown=True)
        if message.last_tick_at is not None:
            book.note_tick(message.last_tick_at)
