"""Timed jobs: imports whose process died, and the folder of price files."""

import datetime as dt
from pathlib import Path

from tarazu.imports import price_folder, running
from tarazu.kit.db import Database


def resume(database: Database, now: dt.datetime) -> None:
    """Finish large imports whose process died; mark small ones as failed."""
    running.resume(database, now)


def read_price_folder(database: Database, folder: Path, now: dt.datetime) -> int:
    """Import the new price files of a folder; return how many."""
    return price_folder.read_folder(database, folder, now)
