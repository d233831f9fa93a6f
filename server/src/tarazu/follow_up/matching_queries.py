"""SQL statements of the matching: what was computed of a client's advice, and its windows."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import delete, select, type_coerce, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import AdviceStock
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceResponse,
    Answer,
    LineExecution,
    LineFill,
)
from tarazu.kit.clock import start_of
from tarazu.kit.db import RepeatedId, add_rows

_AT_ONCE = 500


class KnownExecution(NamedTuple):
    """What is stored of an advice and decides whether it is written again."""

    advice_id: uuid.UUID
    window_ends_on: dt.date
    model_name: str
    state: AdviceState
    fingerprint: str


def known_executions(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, KnownExecution]:
    """What is stored of the advice of these clients, by advice."""
    ids, known = list(client_ids), dict[uuid.UUID, KnownExecution]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(
            AdviceExecution.advice_id,
            AdviceExecution.window_ends_on,
            AdviceExecution.model_name,
            AdviceExecution.state,
            AdviceExecution.fingerprint,
        ).where(AdviceExecution.client_id.in_(ids[start : start + _AT_ONCE]))
        known |= {row[0]: KnownExecution(*row) for row in session.execute(statement)}
    return known


def statuses_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[int, LineStatus]]:
    """The status of each line of these advices, by advice and place."""
    ids, statuses = list(advice_ids), dict[uuid.UUID, dict[int, LineStatus]]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(
            type_coerce(LineExecution.advice_id, RepeatedId()),
            LineExecution.place,
            LineExecution.status,
        ).where(LineExecution.advice_id.in_(ids[start : start + _AT_ONCE]))
        for advice_id, place, status in session.execute(statement):
            statuses.setdefault(advice_id, {})[place] = status
    return statuses


def refusals_of(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[AdviceResponse]]:
    """What these clients declined or took back, in order of time, by advice."""
    ids, answers = list(client_ids), dict[uuid.UUID, list[AdviceResponse]]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceResponse)
            .where(
                AdviceResponse.client_id.in_(ids[start : start + _AT_ONCE]),
                AdviceResponse.answer.in_((Answer.DECLINED, Answer.WITHDRAWN)),
            )
            .order_by(AdviceResponse.answered_at, AdviceResponse.id)
        )
        for row in session.execute(statement).scalars():
            answers.setdefault(row.advice_id, []).append(row)
    return answers


def write_executions(
    session: Session,
    new: Sequence[Mapping[str, Any]],
    changed: Sequence[Mapping[str, Any]],
    lines: Sequence[Mapping[str, Any]],
    fills: Sequence[Mapping[str, Any]],
) -> None:
    """Store advice that is new or changed, with all lines and trades of it; others stay."""
    ids = [row["advice_id"] for row in changed]
    for start in range(0, len(ids), _AT_ONCE):
        batch = ids[start : start + _AT_ONCE]
        session.execute(delete(LineFill).where(LineFill.advice_id.in_(batch)))
        session.execute(delete(LineExecution).where(LineExecution.advice_id.in_(batch)))
    for row in changed:
        values = {name: value for name, value in row.items() if name != "advice_id"}
        statement = update(AdviceExecution).where(AdviceExecution.advice_id == row["advice_id"])
        session.execute(statement.values(**values))
    add_rows(session, AdviceExecution, new)
    add_rows(session, LineExecution, lines)
    add_rows(session, LineFill, fills)


def clients_with_ended_windows(session: Session, last_over: dt.date) -> list[uuid.UUID]:
    """Clients with advice whose window ended on or before this day and is not noted as over."""
    statement = (
        select(AdviceExecution.client_id)
        .where(AdviceExecution.is_over.is_(False), AdviceExecution.window_ends_on <= last_over)
        .distinct()
    )
    return list(session.execute(statement).scalars())


def has_ended_windows(session: Session, last_over: dt.date) -> bool:
    """Whether there is any such advice."""
    statement = (
        select(AdviceExecution.advice_id)
        .where(AdviceExecution.is_over.is_(False), AdviceExecution.window_ends_on <= last_over)
        .limit(1)
    )
    return session.execute(statement).first() is not None


def clients_advised_on(
    session: Session, isins: Collection[str], days: tuple[dt.date, dt.date], since: dt.datetime
) -> set[uuid.UUID]:
    """Clients with orders advised in these shares, whose window has one of these days.

    Args:
        days: the first and the last, both included.
        since: earlier advice is left out.
    """
    ids, clients, (first, last) = list(isins), set[uuid.UUID](), days
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceExecution.client_id)
            .join(LineExecution, LineExecution.advice_id == AdviceExecution.advice_id)
            .where(
                AdviceExecution.window_ends_on >= first,
                AdviceExecution.sent_at >= since,
                AdviceExecution.sent_at < start_of(last + dt.timedelta(days=1)),
                LineExecution.isin.in_(ids[start : start + _AT_ONCE]),
            )
            .distinct()
        )
        clients |= set(session.execute(statement).scalars())
    return clients


def followed_tokens(session: Session, today: dt.date) -> set[int]:
    """The instrument tokens of advice whose window is open, or ended today."""
    statement = (
        select(AdviceStock.instrument_token)
        .join(AdviceExecution, AdviceExecution.advice_id == AdviceStock.advice_id)
        .where(AdviceExecution.window_ends_on >= today)
        .distinct()
    )
    return set(session.execute(statement).scalars())
