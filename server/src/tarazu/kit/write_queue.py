"""The writers of one process on SQLite, in the order in which they came.

SQLite has one writer at a time, and who waits looks again after ever longer pauses: under load one
that came first can wait for seconds while later ones pass it, and the database rests meanwhile.
"""

from collections import deque
from threading import Event, Lock


class WriteQueue:
    """Whose turn it is to write; a turn belongs to a connection until its transaction ends."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: object | None = None
        self._waiting: deque[tuple[object, Event]] = deque()

    def take(self, owner: object, seconds: float) -> bool:
        """Wait for the turn, at most so long; whether it came. Who has it keeps it."""
        with self._lock:
            if self._owner is owner:
                return True
            if self._owner is None:
                self._owner = owner
                return True
            place = owner, Event()
            self._waiting.append(place)
        if place[1].wait(seconds):
            return True
        with self._lock:
            # It may have come between the end of the wait and here.
            if place[1].is_set():
                return True
            self._waiting.remove(place)
            return False

    def give(self, owner: object) -> None:
        """End a turn, so that whoever came next has it; nothing where it is not the owner's."""
        with self._lock:
            if self._owner is not owner:
                return
            self._owner = None
            if self._waiting:
                self._owner, come = self._waiting.popleft()
                come.set()
