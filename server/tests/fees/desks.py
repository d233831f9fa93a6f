"""What staff do with fees, in the tests."""

import json
from typing import Any

from sqlalchemy import select

from tarazu.kit import clock, security
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tests.people_of import Desk, anew

FILL_ALL = "Please fill all required fields."
USER = {"email": "ravi@desk.example", "password": "seven oaks 8"}


def fees_path(client_id: str) -> str:
    return f"/admin/clients/client/{client_id}/fees"


def period(starting_value: float, final_value: float) -> dict[str, Any]:
    """A year of a client, from April to March."""
    return {
        "startingDate": "2025-04-01",
        "dueDate": "2026-04-30",
        "finalDate": "2026-03-31",
        "startingValue": starting_value,
        "finalValue": final_value,
    }


def add_fee(desk: Desk, client_id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Add a fee; its row."""
    answer = desk.post(fees_path(client_id), body, **anew())
    assert answer.status_code == 201, answer.text
    row: dict[str, Any] = answer.json()["data"]
    return row


def earnings(desk: Desk) -> float:
    """Total Earnings on the dashboard."""
    return float(desk.get("/admin/dashboard/stats").json()["data"]["fees"])


def user_desk(admin: Desk) -> Desk:
    """A signed-in USER beside the ADMIN."""
    database: Database = admin.web.app.state.database  # type: ignore[attr-defined]
    with database.transaction() as session:
        login = Login(Role.USER, security.hash_password(USER["password"]))
        new = NewPerson("Ravi Deshmukh", USER["email"])
        people.add_staff(session, SYSTEM, clock.now(), new, login)
    answer = admin.web.post("/api/v1/auth/login", json=USER)
    assert answer.status_code == 200, answer.text
    return Desk(admin.web, answer.json()["accessToken"])


def trail_of(database: Database, record_id: str) -> list[tuple[str, dict[str, Any]]]:
    """What was done with a record, oldest first, with the changes."""
    with database.reading() as session:
        statement = (
            select(AuditRow.action, AuditRow.changes)
            .where(AuditRow.record_id == record_id)
            .order_by(AuditRow.seq)
        )
        return [(row.action, json.loads(row.changes)) for row in session.execute(statement)]
