"""One statement in a transaction of its own: what the database holds, or a change beside the API."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Executable, select

from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import Database


def run(database: Database, statement: Executable, values: Mapping[str, Any] | None = None) -> None:
    """Change rows, as nothing in the API does."""
    with database.transaction() as session:
        session.execute(statement, values)


def scalar(database: Database, statement: Executable) -> Any:
    """The only value that a query returns."""
    with database.reading() as session:
        return session.execute(statement).scalar_one()


def scalars(database: Database, statement: Executable) -> list[Any]:
    """The first column of each row."""
    with database.reading() as session:
        return list(session.execute(statement).scalars())


def audit_rows(database: Database, action: str) -> list[AuditRow]:
    """The rows of the audit log for an action, oldest first."""
    rows = select(AuditRow).where(AuditRow.action == action).order_by(AuditRow.seq)
    return scalars(database, rows)


def audit_changes(database: Database, record_id: str) -> list[tuple[str, dict[str, Any]]]:
    """What was done with a record, oldest first, with the changes."""
    rows = select(AuditRow).where(AuditRow.record_id == record_id).order_by(AuditRow.seq)
    return [(row.action, json.loads(row.changes)) for row in scalars(database, rows)]
