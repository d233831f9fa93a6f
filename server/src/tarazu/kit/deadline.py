"""How long a call may wait for the database in all, so that it is answered in time."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 6.0
"""Seconds of one call; with its other work, it is answered within eight."""
LEAST: Final = 0.5
"""Seconds that even a call past its deadline has, to roll back."""


@dataclass(slots=True)
class Deadline:
    """The seconds that are left; shared by every thread that works for the call."""

    left: float


_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def begin(seconds: float | None = None) -> None:
    """Start the deadline of a call: from now on its waits are added up."""
    _CURRENT.set(Deadline(LONGEST if seconds is None else seconds))


def current() -> Deadline | None:
    """The deadline of the current call; None in background work."""
    return _CURRENT.get()


@contextmanager
def endless() -> Iterator[None]:
    """No deadline within, for a migration."""
    before = _CURRENT.set(Deadline(float("inf")))
    try:
        yield
    finally:
        _CURRENT.reset(before)
