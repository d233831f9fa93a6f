"""How often Python's collector of cycles looks at what is there."""

import gc
from typing import Final

_FRESH: Final = 50_000
"""Objects made and not freed before a look; Python's own 700 suit small programs."""


def collect_seldom() -> None:
    """Look for cycles seldom.

    A file of fifty thousand rows has none, and all of them were looked at again and again: a
    third of an import's time went there.
    """
    gc.set_threshold(_FRESH, 20, 20)
