"""A fair queue for the writers of one process on SQLite (docs/decisions/0018-sqlite-writes.md).

SQLite has one writer at a time, and a waiting one retries after growing pauses: under load the
first to come can wait for seconds while later ones pass it.
"""

from collections import deque
from threading import Event, Lock


class WriteQueue:
    """Lets one owner, a connection, write at a time, in the order in which they came."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: object | None = None
        self._waiting: deque[tuple[object, Event]] = deque()

    def take(self, owner: object, seconds: float) -> bool:
        """Wait for the turn, at most so long; returns whether `owner` has it."""
        with self._lock:
            if self._owner is owner:
                return True
            if self._owner is None:
                self._owner = owner
                return True
            entry = owner, Event()
            self._waiting.append(entry)
        if entry[1].wait(seconds):
            return True
        with self._lock:
            # It may have come since the wait ended.
            if entry[1].is_set():
                return True
            self._waiting.remove(entry)
            return False

    def give(self, owner: object) -> None:
        """End the turn of `owner`, if it has it; the next in the queue gets it."""
        with self._lock:
            if self._owner is not owner:
                return
            self._owner = None
            if self._waiting:
                self._owner, has_turn = self._waiting.popleft()
                has_turn.set()
