"""Many at one record, many at one counter, and the same write twice at once: nobody is overwritten."""

from typing import Any

import pytest

pytestmark = pytest.mark.long


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_one_wins_each_code_is_given_once_and_nothing_is_doubled(
    checks: Any, request: pytest.FixtureRequest, kind: str
) -> None:
    if kind == "postgres":
        request.getfixturevalue("postgres_server")
        if not checks("places").has_postgres():
            pytest.skip("PostgreSQL tests are left out: no server answers on 127.0.0.1:5432")

    figures = checks("r7").main(kinds=(kind,))

    assert [row for row in figures if not row[-1]] == []
    assert len(figures) == 9
