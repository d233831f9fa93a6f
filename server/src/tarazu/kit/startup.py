"""Loads the product in the shortest time."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """What is loaded within stays, and Python's collector never looks at it."""
    # The sums here are of short rows; numpy's library would begin a thread for each further core,
    # which waits busily.
    os.putenv("OPENBLAS_NUM_THREADS", "1")
    # Loading makes only what stays: looking for garbage meanwhile is a tenth of the start.
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
