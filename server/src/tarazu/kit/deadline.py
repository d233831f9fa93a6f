"""How long a call may wait for the database in all, so that its caller is answered in time."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 6.0
"""Seconds of one call; with what else it does, it is answered within eight."""
LEAST: Final = 0.5
"""Seconds that are left even to a call that has none, to put back what it began."""


@dataclass(slots=True)
class Deadline:
    """`left` are seconds; it is the same one in every thread that works for the call."""

    left: float


_OWN: ContextVar[Deadline | None] = ContextVar("patience", default=None)


def begin(seconds: float | None = None) -> None:
    """A call begins: from now on its waits are added up."""
    _OWN.set(Deadline(LONGEST if seconds is None else seconds))


def current() -> Deadline | None:
    """The patience of the call this is part of; None of timed work, which nobody waits for."""
    return _OWN.get()


@contextmanager
def endless() -> Iterator[None]:
    """For what takes as long as it takes, such as a migration."""
    before = _OWN.set(Deadline(float("inf")))
    try:
        yield
    finally:
        _OWN.reset(before)
