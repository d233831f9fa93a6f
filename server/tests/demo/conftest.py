"""The demo firm of one day, made once: each module has a copy."""

import datetime as dt
import shutil
from pathlib import Path

import pytest

from tarazu.app import open_database
from tarazu.demo import service as demo
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.prices import service as prices
from tests.made_of import made_once

NOW = dt.datetime(2026, 11, 21, 10, tzinfo=clock.INDIA)
"""A Saturday."""


def filled(folder: Path, now: dt.datetime = NOW) -> Database:
    """A demo firm that is made in this folder."""
    database = open_database(Settings(data_dir=folder))
    demo.fill(database, lambda _: None, now)
    # As a server does at its end: a copy begins with the last prices.
    prices.save_last_prices(database)
    return database


def copied(factory: pytest.TempPathFactory) -> Database:
    """A copy of the demo firm of `NOW`."""
    made = made_once(factory, "demo", lambda folder: filled(folder).dispose())
    folder = factory.mktemp("demo-copy")
    shutil.copytree(made, folder, dirs_exist_ok=True)
    return open_database(Settings(data_dir=folder))
