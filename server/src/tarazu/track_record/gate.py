"""Passes figures of models and calls through the firm's gate for past performance."""

import datetime as dt
from typing import Annotated

from fastapi import Query
from pydantic import AfterValidator, Field
from sqlalchemy.orm import Session

from tarazu.domain.past_performance import Audience, Span
from tarazu.firm import service as firm
from tarazu.kit.audit_log import Actor
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Schema
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
) -> str:
    """The words that go with the figures of a model or of calls; "" for none.

    Raises:
        NotOwnAccount: a client is named as the audience, whose own account these figures are not.
        PerformanceRefused: they may not be shown; the text says why, and it is in the audit trail.
    """
    if shown_to.audience is Audience.OWN_CLIENT:
        raise NotOwnAccount
    return firm.pass_performance_gate(
        session,
        trail_session,
        actor,
        now,
        about,
        shown_to.audience,
        Span(*period),
        shown_to.asked_by,
    )
