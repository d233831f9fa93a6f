"""Passes figures of models and calls through the firm's gate for past performance."""

import datetime as dt
from typing import Annotated

from fastapi import Query
from pydantic import AfterValidator, Field
from sqlalchemy.orm import Session

from tarazu.domain.past_performance import Audience, Request, Span
from tarazu.firm import service as firm
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Schema
from tarazu.people.tables import Role
from tarazu.track_record.errors import NotOwnAccount


def _plain(text: str) -> str:
    if not is_plain(text):
        raise ValueError("Enter the name without control characters.")
    return text.strip()


class ShownTo(Schema):
    """For whom the figures are, and who asked for them; see `domain.past_performance`."""

    audience: Audience = Audience.FIRM
    asked_by: Annotated[str, Field(max_length=200), AfterValidator(_plain)] = ""


ShownToQuery = Annotated[ShownTo, Query()]


def pass_gate(
    session: Session,
    trail_session: Session,
    actor: Actor,
    now: dt.datetime,
    about: tuple[str, object],
    shown_to: ShownTo,
    period: tuple[dt.date, dt.date],
    *,
    is_file: bool = False,
) -> str:
    """The words that go with the figures of a model or of calls.

    Args:
        is_file: they are downloaded, not shown on a screen.

    Raises:
        NotOwnAccount: a client is named as the audience, whose own account these figures are not.
        PerformanceRefused: they may not be shown; the text says why, and it is in the audit trail.
    """
    if shown_to.audience is Audience.OWN_CLIENT:
        raise NotOwnAccount
    request = Request(
        shown_to.audience,
        Span(*period),
        day_in_india(now),
        shown_to.asked_by,
        taken_by_user=is_file and actor.role != Role.ADMIN,
    )
    return firm.pass_performance_gate(session, trail_session, actor, now, about, request)
