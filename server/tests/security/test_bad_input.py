"""What does not fit its declaration is refused with 422, not taken for something near it."""

import uuid
from typing import Any

import pytest

from tests.people_of import Desk

SOMEBODY = str(uuid.UUID(int=7))
NEW_USER = {"name": "Farhan Ali", "email": "farhan@desk.example"}
FIELDS = [
    ("POST", "/users/add", {"users": [NEW_USER | {"role": {}}]}, "users.0.role"),
    ("POST", "/users/add", {"users": [NEW_USER | {"role": []}]}, "users.0.role"),
    ("PUT", "/users/edit", {"id": SOMEBODY, "role": {}}, "role"),
    ("PUT", "/users/edit", {"id": SOMEBODY, "version": "1"}, "version"),
    ("PUT", "/settings/firm", {"allowFreshFunds": 0}, "allowFreshFunds"),
    ("PUT", "/settings/firm", {"includeCharges": "false"}, "includeCharges"),
    ("PUT", "/settings/holidays", {"holidays": [], "removed": [0]}, "removed.0"),
    ("PUT", "/settings/holidays", {"holidays": [], "removed": ["0"]}, "removed.0"),
    (
        "POST",
        "/brokers/add",
        {"name": "ZERODHA", "isRenewSessionAllowed": "false"},
        "isRenewSessionAllowed",
    ),
    ("GET", "/admin/audit?to=0", None, "to"),
    ("GET", "/fees?to=0", None, "to"),
    ("GET", "/admin/dashboard/daily-aum?from=0", None, "from"),
    ("GET", "/admin/dashboard/daily-aum?to=9999-12-31", None, "to"),
]


@pytest.mark.parametrize(("method", "path", "body", "field"), FIELDS)
def test_a_value_of_another_kind_is_refused(
    admin: Desk, method: str, path: str, body: Any, field: str
) -> None:
    answer = admin.web.request(method, f"/api/v1{path}", json=body, headers=admin.headers)

    assert answer.status_code == 422, answer.text
    assert field in {fault["field"] for fault in answer.json()["errors"]}
