"""Versions of the fee schedule."""

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain.fees import FeeSchedule, FixedSchedule, Slab, SlabSchedule
from tarazu.domain.money import Rupees
from tarazu.firm import queries
from tarazu.firm.tables import FeeSchedule as FeeScheduleRow
from tarazu.firm.tables import ScheduleKind
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """What a version of the fee schedule says, and the day from which it holds.

    `yearly_limit` is in rupees a financial year and family; None for no limit.
    """

    effective_on: dt.date
    schedule: FeeSchedule
    is_above_high_water_mark: bool
    yearly_limit: Rupees | None
    source: str

    @property
    def kind(self) -> ScheduleKind:
        """Whether the fee is a fixed amount or a share of the gain."""
        return ScheduleKind.SLABS if self.slabs else ScheduleKind.FIXED

    @property
    def slabs(self) -> Sequence[Slab]:
        """The slabs of the gain; none for a fixed amount."""
        return self.schedule.slabs if isinstance(self.schedule, SlabSchedule) else ()

    @property
    def fixed_amount(self) -> Rupees | None:
        """The fixed amount a period; None with slabs."""
        return self.schedule.amount if isinstance(self.schedule, FixedSchedule) else None


@dataclass(frozen=True, slots=True)
class DatedFeeSchedule:
    """A version of the fee schedule as it is kept."""

    id: uuid.UUID
    terms: FeeTerms
    created_at: dt.datetime


def fee_schedules(session: Session) -> list[DatedFeeSchedule]:
    """All versions of the fee schedule, newest first."""
    return [_version(row) for row in queries.fee_schedules(session)]


def fee_schedule_on(session: Session, day: dt.date) -> DatedFeeSchedule:
    """The version in force on a day; before the first one's day it is the first."""
    versions = fee_schedules(session)
    return next(
        (version for version in versions if version.terms.effective_on <= day), versions[-1]
    )


def keep_fee_schedule(
    session: Session, actor: Actor, now: dt.datetime, terms: FeeTerms
) -> DatedFeeSchedule:
    """Add a version; or change the one that holds from the same day.

    Whoever calls knows that no fee was computed with the version that changes.
    """
    row = queries.fee_schedule_from(session, terms.effective_on)
    if row is None:
        row = FeeScheduleRow(id=new_id(), effective_on=terms.effective_on)
        session.add(row)
    row.kind = terms.kind
    row.slabs = json.dumps(
        [{"from": str(slab.gain_from), "percentage": str(slab.percentage)} for slab in terms.slabs]
    )
    row.fixed_amount = terms.fixed_amount
    row.is_above_high_water_mark = terms.is_above_high_water_mark
    row.yearly_limit = terms.yearly_limit
    row.source = terms.source
    row.created_at = now
    row.created_by = actor.account_id
    session.flush()
    changes = {
        "effectiveOn": row.effective_on,
        "kind": row.kind,
        "slabs": row.slabs,
        "fixedAmount": row.fixed_amount,
        "isAboveHighWaterMark": row.is_above_high_water_mark,
        "yearlyLimit": row.yearly_limit,
        "source": row.source,
    }
    audit_log.record(session, actor, now, "fee_schedule_set", ("fee_schedule", row.id), changes)
    return _version(row)


def _version(row: FeeScheduleRow) -> DatedFeeSchedule:
    schedule: FeeSchedule
    if row.kind == ScheduleKind.FIXED:
        schedule = FixedSchedule(row.fixed_amount or Decimal(0))
    else:
        slabs = json.loads(row.slabs)
        schedule = SlabSchedule(
            tuple(Slab(Decimal(slab["from"]), Decimal(slab["percentage"])) for slab in slabs)
        )
    terms = FeeTerms(
        row.effective_on,
        schedule,
        row.is_above_high_water_mark,
        row.yearly_limit,
        row.source,
    )
    return DatedFeeSchedule(row.id, terms, row.created_at)
