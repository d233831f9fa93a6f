"""What the database holds against what was acknowledged: lost, double, half, phantom, and the sums."""

import uuid
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal

from sqlalchemy import text


@dataclass
class Reckoning:
    """Each number is a count of records; `faults` are sentences on sums and chains."""

    acknowledged: int = 0
    lost: int = 0
    double: int = 0
    half: int = 0
    phantom: int = 0
    audit_rows: int = 0
    faults: list = field(default_factory=list)

    @property
    def holds(self):
        return not (self.lost or self.double or self.half or self.phantom or self.faults)

    def __str__(self):
        counts = f"{self.lost} lost, {self.double} double, {self.half} half, {self.phantom} phantom"
        return f"{self.acknowledged} kept: {counts}{'; ' if self.faults else ''}{'; '.join(self.faults[:3])}"


MARKS = {
    "remark": "SELECT id, text FROM remarks",
    "transaction": "SELECT id, amount / 10000 FROM cash_flows",
    "fee": "SELECT id, starting_value / 10000 FROM fees",
    "client": "SELECT id, email FROM people WHERE role = 'CLIENT' AND email LIKE 'new%'",
    "advice": "SELECT id, rationale FROM advices",
}
BIRTHS = {
    "remark": "remark_added",
    "transaction": "cash_flow_recorded",
    "fee": "fee_added",
    "client": "client_added",
    "advice": "advice_sent",
}
SUMS = {
    "the funds of a client differ from its rows": (
        "SELECT count(*) FROM accounts a WHERE funds_added <> (SELECT coalesce(sum(amount), 0) "
        "FROM cash_flows c WHERE c.client_id = a.client_id AND c.type = 'FUNDS_ADDED' "
        "AND c.deleted_at IS NULL)"
    ),
    "a client is without its account": (
        "SELECT count(*) FROM people p LEFT JOIN accounts a ON a.client_id = p.id "
        "WHERE p.role = 'CLIENT' AND a.client_id IS NULL"
    ),
    "the fees that were paid differ from their total": (
        "SELECT count(*) FROM fee_totals WHERE paid <> "
        "(SELECT coalesce(sum(amount), 0) FROM fees WHERE status = 'PAID' AND deleted_at IS NULL)"
    ),
    "the counter of client codes differs from the clients": (
        "SELECT count(*) FROM client_code_counter WHERE last_number <> "
        "(SELECT count(*) FROM people WHERE role = 'CLIENT')"
    ),
    "an answer is kept that was never given": (
        "SELECT count(*) FROM idempotency WHERE status <> 201"
    ),
}
HALVES = {
    "stocks": (
        "SELECT count(*) FROM advices a WHERE total_stocks <> "
        "(SELECT count(*) FROM advice_stocks s WHERE s.advice_id = a.id)"
    ),
    "seal": (
        "SELECT count(*) FROM advices a WHERE 1 <> "
        "(SELECT count(*) FROM advice_seals s WHERE s.advice_id = a.id)"
    ),
    "mail": (
        "SELECT count(*) FROM advices a LEFT JOIN outbox m ON m.id = a.mail_id WHERE m.id IS NULL"
    ),
}


def compare(place, acknowledged, lenient=frozenset()):
    """Compare the database with what was acknowledged to the writers.

    Args:
        place: whose server may run or not.
        acknowledged: by kind, the id that was given for each mark.
        lenient: marks that may be there or not, as their answer never came.
    """
    from tarazu.advice import vouching
    from tarazu.audit import service as audit

    database = place.opened()
    found = Reckoning(sum(map(len, acknowledged.values())))
    try:
        with database.reading() as session:
            for kind, statement in MARKS.items():
                _compare_kind(session, found, kind, statement, acknowledged[kind], lenient)
            for fault, statement in SUMS.items():
                if session.execute(text(statement)).scalar_one():
                    found.faults.append(fault)
            for statement in HALVES.values():
                found.half += session.execute(text(statement)).scalar_one()
            checked = audit.verify(session, place.folder / "audit-heads.log")
            found.audit_rows = checked.rows
            if checked.fault is not None:
                found.faults.append("the audit trail is broken")
            found.faults += vouching.verify_all(session, lambda _: None)
            if place.kind == "sqlite":
                said = session.execute(text("PRAGMA integrity_check")).scalar_one()
                orphan = session.execute(text("PRAGMA foreign_key_check")).first()
                if said != "ok" or orphan:
                    found.faults.append(f"the database is damaged: {said}, {orphan}")
    finally:
        database.dispose()
    return found


def _compare_kind(session, found, kind, statement, acknowledged, lenient):
    rows = [(_plain(row[0]), _mark(row[1])) for row in session.execute(text(statement))]
    kept = Counter(mark for _, mark in rows)
    ids = dict((mark, row_id) for row_id, mark in rows)
    found.lost += sum(ids.get(mark) != _plain(given) for mark, given in acknowledged.items())
    found.double += sum(many - 1 for many in kept.values() if many > 1)
    found.phantom += sum(mark not in acknowledged and mark not in lenient for mark in kept)
    births = "SELECT record_id, count(*) FROM audit WHERE action = :action GROUP BY record_id"
    births = session.execute(text(births), {"action": BIRTHS[kind]})
    born = {_plain(row[0]): row[1] for row in births}
    found.half += sum(born.get(row_id) != 1 for row_id, _ in rows)


def _plain(row_id):
    return row_id.hex if isinstance(row_id, uuid.UUID) else str(row_id).replace("-", "")


def _mark(value):
    return int(value) if isinstance(value, int | float | Decimal) else value
