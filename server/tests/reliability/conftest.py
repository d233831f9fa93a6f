"""The parts of `make check-reliability`, for the tests that use them."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tarazu.kit import deadline

SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.fixture(autouse=True)
def _fresh_deadline() -> Iterator[None]:
    """A test that acts as a call must not leave its used-up deadline to the next."""
    yield
    deadline._CURRENT.set(None)


@pytest.fixture(autouse=True)
def _time_of_other_processes(real_clock: None) -> None:
    """These tests share an installation with processes of their own."""


@pytest.fixture(scope="session")
def checks() -> Iterator[Any]:
    """Imports a module of `scripts/reliability` by its name."""
    sys.path.insert(0, str(SCRIPTS))
    yield lambda name: importlib.import_module(f"reliability.{name}")
    sys.path.remove(str(SCRIPTS))
