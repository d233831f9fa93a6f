"""What became of the follow-ups of advice, as the screens show it."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.follow_up import drafting_queries
from tarazu.follow_up.tables import DraftOutcome
from tarazu.people import service as people


@dataclass(frozen=True, slots=True)
class FollowUpNote:
    """What was decided about the follow-up of an advice; `drafted_for` is who has the draft."""

    outcome: DraftOutcome
    text: str
    decided_at: dt.datetime
    drafted_for: str | None


def notes_of(session: Session, advice_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, FollowUpNote]:
    """What was decided about each of these advices; without a decision it is missing."""
    rows = drafting_queries.decisions_of(session, advice_ids)
    names = people.names_of(session, {row.account_id for row in rows.values() if row.account_id})
    return {
        row.advice_id: FollowUpNote(
            row.outcome,
            row.text,
            row.decided_at,
            names.get(row.account_id) if row.account_id else None,
        )
        for row in rows.values()
    }
