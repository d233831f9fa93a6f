"""Versions of the fee schedule: only fees know which of them are in use."""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.fees import queries
from tarazu.fees.errors import ScheduleInUse
from tarazu.firm import service as firm
from tarazu.firm.service import DatedFeeSchedule, FeeTerms
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import StaleVersion


@dataclass(frozen=True, slots=True)
class KeptSchedule:
    """A version of the fee schedule; `is_in_use` says whether a fee was computed with it."""

    version: DatedFeeSchedule
    is_in_force: bool
    is_in_use: bool


@dataclass(frozen=True, slots=True)
class SeenSchedule:
    """The version that a person saw before changing the terms of a day."""

    kept_at: dt.datetime | None
    """When the version of that day was last saved; None if there was none."""


def schedules(session: Session, today: dt.date) -> list[KeptSchedule]:
    """All versions of the firm's fee schedule, newest first."""
    used, in_force = queries.used_schedules(session), firm.fee_schedule_on(session, today).id
    return [
        KeptSchedule(version, version.id == in_force, version.id in used)
        for version in firm.fee_schedules(session)
    ]


def set_schedule(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    terms: FeeTerms,
    seen: SeenSchedule | None = None,
) -> None:
    """Add a version of the fee schedule, or replace one that no fee was computed with.

    Raises:
        ScheduleInUse: a fee was computed with the version of that day.
        StaleVersion: the terms of that day have changed since they were seen.
    """
    queries.lock_fees(session)
    used = queries.used_schedules(session)
    versions = {version.terms.effective_on: version for version in firm.fee_schedules(session)}
    schedule = versions.get(terms.effective_on)
    if schedule is not None and schedule.id in used:
        raise ScheduleInUse
    if seen is not None and seen.kept_at != (schedule.created_at if schedule is not None else None):
        raise StaleVersion
    firm.keep_fee_schedule(session, actor, now, terms)
