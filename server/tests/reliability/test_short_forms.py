"""The checks of `make check-reliability` in their shortest form; times are left to the long one."""

from typing import Any

import pytest

from tests.conftest import IN_CI

pytestmark = pytest.mark.long


def _wrong(rows: list[tuple[str, str, str, bool | None]]) -> list[str]:
    assert rows
    return [f"{name}: {figure}" for name, figure, _, is_fine in rows if is_fine is False]


def _need_compiler(checks: Any) -> None:
    if checks("disk").library() is None:
        if IN_CI:
            pytest.fail("there is no C compiler")
        pytest.skip("power cuts need a C compiler, and Linux")


def test_a_server_killed_under_writers_loses_and_doubles_nothing(checks: Any) -> None:
    rows = checks("r1").one("sqlite", kills=1, apart=1.0, enough=1, restarts=0)

    assert _wrong([row for row in rows if "ready" not in row[0]]) == []


def test_a_power_cut_takes_nothing_that_was_acknowledged(checks: Any) -> None:
    _need_compiler(checks)

    assert _wrong([checks("r2").honest(1)]) == []


def test_the_power_cut_takes_what_was_not_synced(checks: Any) -> None:
    _need_compiler(checks)

    assert _wrong([checks("r2").lying()]) == []


def test_mails_survive_a_kill(checks: Any) -> None:
    assert _wrong([checks("r5").one("sqlite", kills=1, mails=12)]) == []


def test_a_killed_migration_is_finished_by_the_next_start(checks: Any) -> None:
    assert _wrong(checks("r9").main(kinds=["sqlite"], points=2)) == []
