"""The firm's rules for past performance: dates, words and papers that an administrator keeps."""

import json

import pytest

from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows

PATH = "/settings/past-performance"


def test_a_new_firm_has_the_rules_of_the_circulars_and_no_papers(admin: Desk) -> None:
    shown = data_of(admin.get(PATH))

    assert (shown["verifiedFrom"], shown["enrolUntil"], shown["certifiedUntil"]) == (
        "2026-05-04",
        "2026-09-03",
        "2028-05-03",
    )
    assert "SEBI circular of 30 October 2025" in shown["source"]
    assert shown["enrolledOn"] is None
    assert shown["certifiedFirst"] is None


@pytest.mark.on_both(suite="long")
def test_rules_and_papers_are_edited_and_the_trail_has_both_values(
    admin: Desk, database: Database
) -> None:
    body = {"enrolledOn": "2026-08-01", "verifiedFrom": "2026-07-01", "version": 1}

    shown = data_of(admin.put(PATH, body))

    assert (shown["enrolledOn"], shown["version"]) == ("2026-08-01", 2)
    (row,) = audit_rows(database, "past_performance_edited")
    assert json.loads(row.changes) == {
        "enrolled_on": [None, "2026-08-01"],
        "verified_from": ["2026-05-04", "2026-07-01"],
    }
    assert data_of(admin.put(PATH, {"enrolledOn": None}))["enrolledOn"] is None


def test_a_period_has_two_ends_in_order(admin: Desk) -> None:
    half = admin.put(PATH, {"certifiedFirst": "2025-01-01"})
    turned = admin.put(PATH, {"verifiedFirst": "2025-01-02", "verifiedLast": "2025-01-01"})

    assert reply_of(half) == (422, "Enter the first and the last day of the period, or neither.")
    assert reply_of(turned) == (422, "The period ends before it begins.")
    assert data_of(admin.get(PATH))["version"] == 1


def test_a_stale_version_and_another_role_change_nothing(admin: Desk, user: Desk) -> None:
    assert admin.put(PATH, {"enrolment": "42", "version": 7}).status_code == 409
    assert user.put(PATH, {"enrolment": "42"}).status_code == 403
    assert data_of(admin.get(PATH))["enrolment"] == ""
