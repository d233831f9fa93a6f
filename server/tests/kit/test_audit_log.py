"""The audit trail: one row a change, chained."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from tarazu.kit import audit_log, clock, encryption
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.people_of import Desk
from tests.rows_of import scalar, scalars

pytestmark = pytest.mark.on_both


def test_rows_are_chained_and_a_changed_row_breaks_its_hash(
    database: Database, settings: Settings
) -> None:
    with database.transaction() as session:
        for number in range(3):
            audit_log.record(
                session, SYSTEM, clock.now(), "tried", ("thing", number), {"n": number}
            )
    key = encryption.read_keys(settings.secrets_keys).derived("audit")

    rows = scalars(database, select(AuditRow).order_by(AuditRow.seq))

    assert [row.previous_hash for row in rows] == ["", rows[0].hash, rows[1].hash]
    assert all(audit_log.chained_hash(row, key) == row.hash for row in rows)
    rows[1].changes = '{"n": 7}'
    assert audit_log.chained_hash(rows[1], key) != rows[1].hash


def test_rows_written_at_once_make_one_chain(database: Database) -> None:
    def write(number: int) -> None:
        with database.transaction() as session:
            audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", number))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(24)))

    rows = scalars(database, select(AuditRow).order_by(AuditRow.seq))
    assert [row.previous_hash for row in rows[1:]] == [row.hash for row in rows[:-1]]


def test_adding_a_client_leaves_its_row_with_who_and_which_request(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()

    row = scalar(database, select(AuditRow).where(AuditRow.action == "client_added"))
    assert (row.kind, row.record_id, row.role) == ("client", client_id, "ADMIN")
    assert row.account_id is not None
    assert row.request_id
