"""Settings of the process: Python's garbage collector and the C library's memory."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_FRESH: Final = 50_000
"""New objects before a collection; Python's default of 700 suits small programs."""
_LARGE: Final = 16 * 2**20
"""Bytes: a password's hash takes more, sums over ten thousand clients take less."""
# As malloc.h has them.
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3


def tune_gc() -> None:
    """Collect seldom: a third of the time of a large import was spent in collections."""
    gc.set_threshold(_FRESH, 20, 20)


@contextmanager
def loading() -> Iterator[None]:
    """No collections within; what is made within is left out of all later ones.

    For code and routes, which stay until the process ends: to go through all of them takes some
    0.2 seconds, in which no thread runs.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def release_memory() -> None:
    """Return large blocks to the system when they are freed.

    On Linux the C library keeps freed blocks for reuse: 19 MiB for each thread that hashed a
    password.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _LARGE)
