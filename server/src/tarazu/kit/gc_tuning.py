"""What stays in memory, and how often Python's collector of cycles looks at it."""

import ctypes
import gc
import sys
from typing import Final

_FRESH: Final = 50_000
"""Objects made and not freed before a look; Python's own 700 suit small programs."""
_LARGE: Final = 16 * 2**20
"""Bytes: a password's hash takes more, sums over ten thousand clients take less."""
# As malloc.h has them.
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3


def tune_gc() -> None:
    """Look for cycles seldom.

    A file of fifty thousand rows has none, and all of them were looked at again and again: a
    third of an import's time went there.
    """
    gc.set_threshold(_FRESH, 20, 20)


def release_memory() -> None:
    """Have the memory of large blocks go back to the system when they are freed.

    The C library of Linux keeps blocks of any size for the next, once one of that size was freed:
    the 19 MiB of a password's hash from the second sign-in on, in each thread that makes one.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _LARGE)
