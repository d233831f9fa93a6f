"""Shared work under kills, with real processes; the long form is scripts/reliability/jobs.py."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long

SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.fixture
def shared_work(monkeypatch: pytest.MonkeyPatch, postgres_server: str) -> Any:
    monkeypatch.setenv("RELIABILITY_POSTGRES", postgres_server)
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    return importlib.import_module("reliability.jobs")


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_each_piece_has_one_effect_whoever_is_killed(shared_work: Any, kind: str) -> None:
    figures = shared_work.pieces(kind, many=60, kills=2)

    assert all(is_good for *_, is_good in figures), figures


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_days_are_closed_once_and_no_mail_is_lost_whoever_is_killed(
    shared_work: Any, kind: str
) -> None:
    figures = shared_work.firm(kind, mails=20, kills=2)

    assert all(is_good for *_, is_good in figures), figures
