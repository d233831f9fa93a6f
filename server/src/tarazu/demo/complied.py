"""What the demo firm owes the regulator: what was due lately is done, the rest comes."""

import datetime as dt
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.obligations import service as obligations
from tarazu.obligations.service import EvidenceGiven

SINCE: Final = dt.timedelta(days=200)
BEFORE: Final = dt.timedelta(days=2)
"""How long before its due day something was done."""
HOUR: Final = dt.time(11)


def comply(session: Session, analyst: Actor, now: dt.datetime) -> None:
    """Settings, and evidence of everything that was due since the firm began to keep it here."""
    audit_log.record(session, SYSTEM, now - SINCE, "compliance_begun", ("firm", 1), {})
    entered = {"is_part_time": False, "deposit": Decimal(100_000)}
    obligations.edit_settings(session, analyst, now, entered, None)
    today = day_in_india(now)
    due = [
        (dated.instance.due_on, state.obligation.id, dated.instance)
        for state in obligations.list_obligations(session, now)
        for dated in state.instances
        if dated.instance.due_on is not None and dated.instance.due_on <= today
    ]
    for due_on, obligation_id, instance in sorted(due, key=lambda one: one[:2]):
        day = max(due_on - BEFORE, instance.opens_on)
        at = dt.datetime.combine(day, HOUR, INDIA)
        note = "Done; the papers are in the compliance folder."
        given = EvidenceGiven(instance.key, analyst.name, note)
        obligations.record_evidence(session, analyst, min(at, now), obligation_id, given)
