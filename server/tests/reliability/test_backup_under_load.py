"""A backup made while the firm works comes back whole, with all that was acknowledged before it."""

from typing import Any

import pytest

pytestmark = pytest.mark.long


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_under_load_has_every_acknowledged_write(
    checks: Any, request: pytest.FixtureRequest, kind: str
) -> None:
    if kind == "postgres":
        request.getfixturevalue("postgres_server")
        if not checks("places").has_postgres():
            pytest.skip("PostgreSQL tests are left out: no server answers on 127.0.0.1:5432")

    figures = checks("r8").main(kinds=(kind,), backups=1)

    # The third is how many writes were refused as busy, and sent again: a figure of the machine.
    restored, went_on, _ = figures
    assert restored[-1], restored
    assert went_on[-1], went_on
