"""Obligations: what the firm owes the regulator and by when, with the evidence that it was done."""

import datetime as dt
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from tarazu.domain.obligations import states
from tarazu.domain.obligations.deposit import UnfitSlabs, slabs_of
from tarazu.domain.obligations.due_days import fault_of
from tarazu.domain.obligations.shipped import shipped
from tarazu.domain.obligations.states import part_time_limits
from tarazu.domain.obligations.values import Obligation, ObligationState, ObligationStatus, Trigger
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.calendar_file import CalendarEvent, calendar_file
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock
from tarazu.obligations import queries
from tarazu.obligations.deposits import (
    DepositState,
    client_counts,
    count_clients,
    deposit_state,
    edit_settings,
    found_installation,
    settings_of,
)
from tarazu.obligations.errors import ObligationNotFound, UnfitObligation, VersionTooEarly
from tarazu.obligations.evidence import (
    EvidenceGiven,
    evidence_between,
    evidence_file,
    record_evidence,
    record_prepared,
)
from tarazu.obligations.prepared import prepare_file, prepared_title
from tarazu.obligations.reading import all_versions, states_at
from tarazu.obligations.reminders import send_reminders
from tarazu.obligations.tables import Evidence, ObligationVersion

OPEN = frozenset({ObligationStatus.DUE_SOON, ObligationStatus.DUE, ObligationStatus.LATE})
NEXT = 3


@dataclass(frozen=True, slots=True)
class ObligationDetail:
    """An obligation with its evidence by instance, and its versions, newest first."""

    state: ObligationState
    is_own: bool
    evidence: Sequence[Evidence]
    versions: Sequence[Obligation]


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What is entered of an obligation; see `domain.obligations.values.Obligation`."""

    title: str
    form: str
    trigger: str
    rule: str
    duty: str
    evidence: str
    source: str
    effective_on: dt.date
    terms: str = ""


def list_obligations(session: Session, now: dt.datetime) -> list[ObligationState]:
    """Every obligation today: what is open first, by due day."""
    return states_at(session, day_in_india(now))


def next_obligations(session: Session, now: dt.datetime) -> list[ObligationState]:
    """The next three that are due, due soon or late."""
    return [state for state in list_obligations(session, now) if state.status in OPEN][:NEXT]


def obligation_detail(session: Session, now: dt.datetime, obligation_id: str) -> ObligationDetail:
    """One obligation with its history.

    Raises:
        ObligationNotFound: there is none of that id.
    """
    versions = all_versions(session)
    rows = versions.get(obligation_id)
    if rows is None:
        raise ObligationNotFound
    today = day_in_india(now)
    (state,) = states_at(session, today, {obligation_id: rows})
    evidence = queries.evidence_of(session, obligation_id)
    is_own = obligation_id not in {row.id for row in shipped()}
    return ObligationDetail(state, is_own, evidence, rows[::-1])


def add_obligation(session: Session, actor: Actor, now: dt.datetime, new: NewVersion) -> str:
    """Add an obligation of the firm's own; its id.

    Raises:
        UnfitObligation: its rule cannot be computed with.
    """
    acquire_lock(session, AdvisoryLock.OBLIGATIONS)
    name = re.sub(r"[^a-z0-9]+", "_", new.title.lower()).strip("_")[:40] or "own"
    obligation_id = f"{name}_{new_id().hex[-6:]}"
    _save(session, actor, now, _entered(obligation_id, new), "obligation_added")
    return obligation_id


def change_obligation(
    session: Session, actor: Actor, now: dt.datetime, obligation_id: str, new: NewVersion
) -> None:
    """Add a version of an obligation, which holds from its day; earlier ones stay as they are.

    Raises:
        ObligationNotFound, UnfitObligation, VersionTooEarly: it cannot be added.
    """
    _to_change(session, now, obligation_id, new.effective_on)
    _save(session, actor, now, _entered(obligation_id, new), "obligation_changed")


def end_obligation(
    session: Session, actor: Actor, now: dt.datetime, obligation_id: str, ends_on: dt.date
) -> None:
    """End an obligation from a day on; what was due before stays.

    Raises:
        ObligationNotFound, VersionTooEarly: it cannot be ended.
    """
    row = _to_change(session, now, obligation_id, ends_on)
    ended = replace(row, effective_on=ends_on, is_ended=True)
    _save(session, actor, now, ended, "obligation_ended")


def calendar(session: Session, now: dt.datetime) -> bytes:
    """What is not done yet and has a due day, as a calendar file."""
    events = [
        CalendarEvent(
            f"obligation-{state.obligation.id}-{dated.instance.key}",
            dated.instance.due_on,
            state.obligation.title,
            "\n".join(
                part for part in (dated.instance.text, dated.instance.obligation.duty) if part
            ),
            "P1D",
        )
        for state in list_obligations(session, now)
        for dated in state.instances
        if dated.status is not ObligationStatus.DONE
        and state.status is not ObligationStatus.NOT_APPLICABLE
        and dated.instance.due_on is not None
    ]
    return calendar_file(events, now, "Obligations")


def _to_change(
    session: Session, now: dt.datetime, obligation_id: str, from_day: dt.date
) -> Obligation:
    acquire_lock(session, AdvisoryLock.OBLIGATIONS)
    rows = all_versions(session).get(obligation_id)
    if rows is None:
        raise ObligationNotFound
    if from_day < day_in_india(now):
        raise VersionTooEarly
    return states.in_force(rows, from_day) or rows[-1]


def _entered(obligation_id: str, new: NewVersion) -> Obligation:
    values = {name: getattr(new, name) for name in NewVersion.__slots__}
    obligation = Obligation(id=obligation_id, number=None, **values)
    fault = fault_of(obligation) or _fault_of_terms(obligation)
    if fault:
        field = "rule" if fault_of(obligation) else "terms"
        raise UnfitObligation(fault, errors=[{"field": field, "message": fault}])
    return obligation


def _fault_of_terms(obligation: Obligation) -> str:
    """What is wrong with figures that the product computes with; "" where nothing is."""
    try:
        if obligation.id == "deposit":
            slabs_of(obligation.terms)
        elif obligation.trigger is Trigger.PART_TIME:
            part_time_limits(obligation.terms)
    except UnfitSlabs:
        return "Enter the slabs as 150=100000 300=200000 more=1000000."
    except ValueError:
        return "Enter the clients from which to warn, and the most there may be, as 70/75."
    return ""


def _save(session: Session, actor: Actor, now: dt.datetime, row: Obligation, action: str) -> None:
    names = ("title", "form", "trigger", "rule", "duty", "evidence", "source", "terms")
    values: Mapping[str, object] = {
        name: getattr(row, name) for name in (*names, "effective_on", "is_ended")
    }
    version_id: uuid.UUID = new_id()
    session.add(
        ObligationVersion(
            id=version_id,
            obligation_id=row.id,
            created_at=now,
            created_by=actor.account_id,
            **values,
        )
    )
    session.flush()
    audit_log.record(session, actor, now, action, ("obligation", row.id), values)
