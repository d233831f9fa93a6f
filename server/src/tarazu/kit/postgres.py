"""Connections to PostgreSQL that do not wait for ever on a server that says nothing.

The server's own time limits help only while it answers. A connection whose answer is overdue is
closed, for the answer may still come and would be taken for that of the next question.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen

from tarazu.kit import deadline

RV = TypeVar("RV")

LONGEST_ANSWER: Final = 10.0
"""Seconds for one statement of timed work; the server itself ends one after eight."""
RESTS_FOR: Final = 1.0
"""Seconds for which a server that did not answer is not asked for new connections."""
TRIED_WITHIN: Final = 4.0


class CircuitBreaker:
    """After a failure new connections are refused at once for a while, then one is tried.

    Else every thread would wait its time for a server that is away, and others behind them.
    """

    def __init__(self) -> None:
        self._rests_until: float | None = None
        self._lock = Lock()

    def blow(self) -> None:
        """The server did not answer."""
        self._rests_until = time.monotonic() + RESTS_FOR

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Make a connection inside.

        Raises:
            OperationalError: the server did not answer a moment ago, or does not now.
        """
        with self._lock:
            now = time.monotonic()
            if self._rests_until is not None:
                if now < self._rests_until:
                    raise psycopg.OperationalError("the server did not answer a moment ago")
                self._rests_until = now + TRIED_WITHIN
        try:
            yield
        except psycopg.OperationalError:
            self.blow()
            raise
        self._rests_until = None


class Connection(psycopg.Connection[Any]):
    """A connection that waits no longer than the patience of the call it works for."""

    fuse: CircuitBreaker | None = None

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """As the driver's own, but not for ever.

        Raises:
            OperationalError: the answer is overdue; the connection is closed.
        """
        own = deadline.current()
        allowed = LONGEST_ANSWER if own is None else max(own.left, deadline.LEAST)
        began = time.monotonic()
        try:
            return super().wait(gen, interval, min(allowed, timeout or allowed))
        except psycopg.OperationalError:
            if time.monotonic() - began >= allowed:
                self.pgconn.finish()
                if self.fuse is not None:
                    self.fuse.blow()
            raise
        finally:
            if own is not None:
                own.left -= time.monotonic() - began


def connect(fuse: CircuitBreaker, *places: Any, **options: Any) -> Connection:
    """A new connection, unless the fuse has blown."""
    with fuse.trying():
        made = Connection.connect(*places, **options)
    made.fuse = fuse
    return made
