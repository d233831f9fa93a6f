"""What the demo firm owes the regulator: what was due lately is done, the rest comes."""

import datetime as dt
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.domain.obligations.values import Form
from tarazu.inspection import service as inspection
from tarazu.inspection.service import NewPack
from tarazu.inspection.tables import PackKind
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.obligations import service as obligations
from tarazu.obligations.service import EvidenceGiven

BEFORE: Final = dt.timedelta(days=2)
"""How long before its due day something was done."""
HOUR: Final = dt.time(11)
SAMPLE: Final = 10
"""One in so many advices is in the pack of the last audit."""


def comply(session: Session, analyst: Actor, now: dt.datetime) -> None:
    """Settings, evidence of everything that was due since the firm began to keep it here, a pack."""
    entered = {"is_part_time": False, "deposit": Decimal(100_000)}
    obligations.edit_settings(session, analyst, now, entered, None)
    today = day_in_india(now)
    due = [
        (dated.instance.due_on or dated.instance.opens_on, state.obligation.id, dated.instance)
        for state in obligations.list_obligations(session, now)
        for dated in state.instances
        if dated.instance.obligation.form is not Form.EVENT
    ]
    for due_on, obligation_id, instance in sorted(due, key=lambda one: one[:2]):
        if due_on > today:
            break
        day = max(due_on - BEFORE, instance.opens_on)
        at = dt.datetime.combine(day, HOUR, INDIA)
        note = "Done; the papers are in the compliance folder."
        given = EvidenceGiven(instance.key, analyst.name, note)
        obligations.record_evidence(session, analyst, min(at, now), obligation_id, given)
    year_end = dt.date(fiscal_year_end(today).year - 1, 3, 31)
    year = NewPack(PackKind.AUDIT, dt.date(year_end.year - 1, 4, 1), year_end, None, SAMPLE)
    inspection.ask_for_pack(session, analyst, now, year)
