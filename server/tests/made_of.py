"""What is costly to make, made once for all workers of a run."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker to ask for it fills; nobody may change it.

    Args:
        name: one for each thing that is made.
        make: fills the empty folder. If it fails, the next to ask tries again.
    """
    base = factory.getbasetemp()
    # Each worker has its own folder in that of the run.
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = run / f"made-{name}"
    with (run / f"made-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = factory.mktemp(name)
            make(making)
            making.rename(folder)
    return folder
