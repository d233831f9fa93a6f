"""SQL statements of the follow-ups that are drafted when windows end."""

import datetime as dt
import uuid
from collections.abc import Collection

from sqlalchemy import Select, exists, or_, select, update
from sqlalchemy.orm import Session

from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.tables import AdviceExecution, DraftOutcome, FollowUpDraft, LineExecution
from tarazu.kit.db import insert_into
from tarazu.people.tables import Person

_AT_ONCE = 500


def due_advice(
    session: Session, ended_since: dt.date, tried_before: dt.datetime, limit: int
) -> list[uuid.UUID]:
    """Advice whose window ended with a part of it traded, and of which nothing was decided yet.

    Args:
        ended_since: windows that ended earlier are left out.
        tried_before: what waits since then is decided again.
    """
    ordered = (
        _due(ended_since, tried_before)
        .order_by(AdviceExecution.sent_at, AdviceExecution.advice_id)
        .limit(limit)
    )
    return list(session.execute(ordered).scalars())


def has_due_advice(session: Session, ended_since: dt.date, tried_before: dt.datetime) -> bool:
    """Whether there is any such advice."""
    return session.execute(_due(ended_since, tried_before).limit(1)).first() is not None


def _due(ended_since: dt.date, tried_before: dt.datetime) -> Select[uuid.UUID]:
    is_short = exists().where(
        LineExecution.advice_id == AdviceExecution.advice_id,
        LineExecution.status == LineStatus.SHORT,
    )
    return (
        select(AdviceExecution.advice_id)
        .join(Person, Person.id == AdviceExecution.client_id)
        .outerjoin(FollowUpDraft, FollowUpDraft.advice_id == AdviceExecution.advice_id)
        .where(
            AdviceExecution.is_over.is_(True),
            AdviceExecution.window_ends_on >= ended_since,
            Person.deleted_at.is_(None),
            or_(AdviceExecution.state == AdviceState.PART, is_short),
            or_(
                FollowUpDraft.advice_id.is_(None),
                (FollowUpDraft.outcome == DraftOutcome.WAITING)
                & (FollowUpDraft.decided_at < tried_before),
            ),
        )
    )


def put_decision(session: Session, row: FollowUpDraft) -> bool:
    """Store what was decided; False where that was decided before, other than to wait."""
    values = {
        "account_id": row.account_id,
        "outcome": row.outcome,
        "text": row.text,
        "decided_at": row.decided_at,
    }
    statement = insert_into(session, FollowUpDraft).values(advice_id=row.advice_id, **values)
    stored = statement.on_conflict_do_update(
        index_elements=[FollowUpDraft.advice_id],
        set_=values,
        where=FollowUpDraft.outcome == DraftOutcome.WAITING,
    ).returning(FollowUpDraft.advice_id)
    return session.execute(stored).first() is not None


def leave_out(session: Session, advice_id: uuid.UUID, text: str) -> None:
    """Change a decision to a draft that could not be stored."""
    values = {"outcome": DraftOutcome.LEFT_OUT, "account_id": None, "text": text}
    statement = update(FollowUpDraft).where(FollowUpDraft.advice_id == advice_id)
    session.execute(statement.values(**values))


def decisions_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, FollowUpDraft]:
    """What was decided about each of these advices; without a decision it is missing."""
    ids, decisions = list(advice_ids), dict[uuid.UUID, FollowUpDraft]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(FollowUpDraft).where(
            FollowUpDraft.advice_id.in_(ids[start : start + _AT_ONCE])
        )
        decisions |= {row.advice_id: row for row in session.execute(statement).scalars()}
    return decisions
