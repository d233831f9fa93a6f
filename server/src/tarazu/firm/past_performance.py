"""The firm's rules for past performance, and the one gate that all of it passes through."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.past_performance import (
    Decision,
    Request,
    Rules,
    Span,
    Standing,
    decide,
)
from tarazu.firm import queries
from tarazu.firm.errors import PerformanceRefused, UnfitSpan
from tarazu.firm.tables import PastPerformanceSettings
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock

_SPANS = (("certified_first", "certified_last"), ("verified_first", "verified_last"))


def past_performance_settings(session: Session) -> PastPerformanceSettings:
    """The rules, and the firm's enrolment, certificate and verification."""
    return queries.past_performance(session)


def edit_past_performance(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, object],
    version: int | None,
) -> PastPerformanceSettings:
    """Change rules and papers by name; what is not given stays.

    Raises:
        StaleVersion: somebody changed them since `version`.
        UnfitSpan: a period has one end, or ends before it begins.
    """
    acquire_lock(session, AdvisoryLock.SETTINGS)
    settings = queries.past_performance(session, for_update=True)
    if version not in {None, settings.version}:
        raise StaleVersion
    for first, last in _SPANS:
        ends = [entered.get(name, getattr(settings, name)) for name in (first, last)]
        _refuse_unfit_span(ends[0], ends[1], last)
    changes: dict[str, Any] = {}
    for name, value in entered.items():
        before = getattr(settings, name)
        if before != value:
            setattr(settings, name, value)
            changes[name] = [before, value]
    settings.version += 1
    settings.updated_at = now
    session.flush()
    about = ("past_performance", settings.id)
    audit_log.record(session, actor, now, "past_performance_edited", about, changes)
    return settings


def decide_on_performance(session: Session, request: Request) -> Decision:
    """Whether past performance may be shown, and with which words; see `domain.past_performance`."""
    settings = queries.past_performance(session)
    return decide(request, _standing(settings), _rules(settings))


def pass_performance_gate(
    session: Session,
    trail_session: Session,
    actor: Actor,
    now: dt.datetime,
    about: tuple[str, object],
    request: Request,
) -> str:
    """The words that go with past performance which may be shown.

    Args:
        trail_session: writes; a refusal is kept in the audit trail.
        about: the kind of record and its id, such as a model.

    Raises:
        PerformanceRefused: it may not be shown; the text says why.
    """
    decision = decide_on_performance(session, request)
    if not decision.is_refused:
        return decision.words
    changes = {
        "audience": request.audience,
        "from": request.period.first,
        "to": request.period.last,
        "askedBy": request.asked_by,
        "reason": decision.reason,
    }
    audit_log.record(trail_session, actor, now, "performance_refused", about, changes)
    raise PerformanceRefused(decision.reason)


def _refuse_unfit_span(first: Any, last: Any, field: str) -> None:
    if (first is None) != (last is None):
        message = "Enter the first and the last day of the period, or neither."
    elif first is not None and last < first:
        message = "The period ends before it begins."
    else:
        return
    raise UnfitSpan(message, errors=[{"field": field, "message": message}])


def _standing(settings: PastPerformanceSettings) -> Standing:
    return Standing(
        settings.enrolled_on,
        _span(settings.certified_first, settings.certified_last),
        _span(settings.verified_first, settings.verified_last),
    )


def _span(first: dt.date | None, last: dt.date | None) -> Span | None:
    return None if first is None or last is None else Span(first, last)


def _rules(settings: PastPerformanceSettings) -> Rules:
    return Rules(
        settings.verified_from,
        settings.enrol_until,
        settings.certified_until,
        settings.words_own,
        settings.words_certified,
        settings.words_verified,
        settings.source,
    )
