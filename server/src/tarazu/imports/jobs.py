"""Timed work of imports: those whose process ended, and the folder of files of prices."""

import datetime as dt
from pathlib import Path

from tarazu.imports import price_folder, running
from tarazu.kit.db import Database


def look_after(database: Database, now: dt.datetime) -> None:
    """Go on with large imports that a dead process left; mark the others as failed."""
    running.take_up(database, now)
    running.fail_abandoned(database, now)


def read_price_folder(database: Database, folder: Path, now: dt.datetime) -> int:
    """Take in the files of closing prices that are new in a folder; how many there were."""
    return price_folder.read_folder(database, folder, now)
