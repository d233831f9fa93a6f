"""SQL statements of what clients answered, and of reminders."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, case, exists, func, select
from sqlalchemy.orm import Session

from tarazu.advice.tables import Advice, AdviceStock
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceReminder,
    AdviceResponse,
    Answer,
    LineExecution,
    WithoutReminders,
)
from tarazu.kit.schemas import ListParams
from tarazu.people.tables import Person, Status
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_AT_ONCE = 500
_OPEN: Final = (
    LineStatus.UNKNOWN,
    LineStatus.PENDING,
    LineStatus.PARTIAL,
    LineStatus.REJECTED,
)
"""What a client is reminded of; an open order needs no reminder."""


class QuestionFilter(ListParams):
    """Questions of clients, newest first; `isAnswered` chooses those with or without a reply."""

    is_answered: bool | None = None


def responses_of(session: Session, advice_id: uuid.UUID) -> Sequence[AdviceResponse]:
    """What a client answered to an advice, in order of time."""
    statement = (
        select(AdviceResponse)
        .where(AdviceResponse.advice_id == advice_id)
        .order_by(AdviceResponse.answered_at, AdviceResponse.id)
    )
    return session.execute(statement).scalars().all()


def responses_to(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[AdviceResponse]]:
    """The answers to each of these advices, in order of time; without an answer it is missing."""
    answers: dict[uuid.UUID, list[AdviceResponse]] = {}
    ids = list(advice_ids)
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceResponse)
            .where(AdviceResponse.advice_id.in_(ids[start : start + _AT_ONCE]))
            .order_by(AdviceResponse.answered_at, AdviceResponse.id)
        )
        for row in session.execute(statement).scalars():
            answers.setdefault(row.advice_id, []).append(row)
    return answers


class AskedQuestion(NamedTuple):
    """A question with its client and the advice it is about."""

    response: AdviceResponse
    sent_at: dt.datetime
    code: str
    name: str


def questions(
    session: Session,
    filters: QuestionFilter,
    client_ids: Collection[uuid.UUID] | None,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[list[AskedQuestion], int]:
    """One page of the questions of live clients, newest first, and how many match."""
    conditions: list[ColumnElement[bool]] = [
        AdviceResponse.answer == Answer.QUESTION,
        Person.deleted_at.is_(None),
        *visible.condition(AdviceResponse.client_id),
    ]
    if filters.is_answered is not None:
        is_open = AdviceResponse.replied_at.is_(None)
        conditions.append(~is_open if filters.is_answered else is_open)
    if client_ids is not None:
        conditions.append(AdviceResponse.client_id.in_(client_ids))
    statement = (
        _questions()
        .where(*conditions)
        .order_by(AdviceResponse.answered_at.desc(), AdviceResponse.id.desc())
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    total = (
        select(func.count())
        .select_from(AdviceResponse)
        .join(Person, Person.id == AdviceResponse.client_id)
        .where(*conditions)
    )
    rows = [AskedQuestion(*row) for row in session.execute(statement)]
    return rows, session.execute(total).scalar_one()


def question_by_id(
    session: Session, response_id: uuid.UUID, *, lock: bool = False
) -> AskedQuestion | None:
    """A question; with `lock` locked until the transaction ends, so that it is answered once."""
    statement = _questions().where(
        AdviceResponse.id == response_id, AdviceResponse.answer == Answer.QUESTION
    )
    if lock:
        statement = statement.with_for_update(of=AdviceResponse)
    row = session.execute(statement).first()
    return None if row is None else AskedQuestion(*row)


def _questions() -> Any:
    return (
        select(AdviceResponse, Advice.created_at, Person.client_code, Person.name)
        .join(Advice, Advice.id == AdviceResponse.advice_id)
        .join(Person, Person.id == AdviceResponse.client_id)
    )


def count_open_questions(session: Session, visible: VisibleClients = ALL_CLIENTS) -> int:
    """Questions of live clients that await a reply."""
    statement = (
        select(func.count())
        .select_from(AdviceResponse)
        .join(Person, Person.id == AdviceResponse.client_id)
        .where(
            AdviceResponse.answer == Answer.QUESTION,
            AdviceResponse.replied_at.is_(None),
            Person.deleted_at.is_(None),
            *visible.condition(AdviceResponse.client_id),
        )
    )
    return session.execute(statement).scalar_one()


def reminders_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[AdviceReminder]]:
    """The reminders of each of these advices, the first one first; without one it is missing."""
    reminders: dict[uuid.UUID, list[AdviceReminder]] = {}
    ids = list(advice_ids)
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceReminder)
            .where(AdviceReminder.advice_id.in_(ids[start : start + _AT_ONCE]))
            .order_by(AdviceReminder.number)
        )
        for row in session.execute(statement).scalars():
            reminders.setdefault(row.advice_id, []).append(row)
    return reminders


def without_reminders(session: Session, client_id: uuid.UUID) -> WithoutReminders | None:
    return session.get(WithoutReminders, client_id)


def lock_answers(session: Session, advice_id: uuid.UUID) -> None:
    """Wait until no other transaction records an answer to this advice.

    Rows that refer to the advice may be added meanwhile: whoever adds one, such as a reminder, may
    hold the audit trail, for which this transaction will wait.
    """
    statement = select(Advice.id).where(Advice.id == advice_id)
    session.execute(statement.with_for_update(key_share=True))


class DueReminder(NamedTuple):
    """An advice of whose lines some are open, and which reminder of it is due."""

    advice_id: uuid.UUID
    client_id: uuid.UUID
    sent_at: dt.datetime
    window_ends_on: dt.date
    state: AdviceState
    number: int


def due_reminders(
    session: Session, second_before: dt.datetime, first_before: dt.datetime, limit: int
) -> list[DueReminder]:
    """The reminders that are due, of the oldest advice first.

    Args:
        second_before: advice sent before this gets its second reminder, all later one its first.
        first_before: later advice gets none yet.
    """
    number = case((AdviceExecution.sent_at < second_before, 2), else_=1)
    # A line of unread trades is UNKNOWN also where later advice names its share.
    is_replaced = exists().where(
        Advice.client_id == AdviceExecution.client_id,
        Advice.created_at > AdviceExecution.sent_at,
        AdviceStock.advice_id == Advice.id,
        AdviceStock.isin == LineExecution.isin,
    )
    is_open = exists().where(
        LineExecution.advice_id == AdviceExecution.advice_id,
        LineExecution.status.in_(_OPEN),
        ~is_replaced.correlate(AdviceExecution, LineExecution),
    )
    is_sent = exists().where(
        AdviceReminder.advice_id == AdviceExecution.advice_id, AdviceReminder.number >= number
    )
    is_unwanted = exists().where(WithoutReminders.client_id == AdviceExecution.client_id)
    statement = (
        select(
            AdviceExecution.advice_id,
            AdviceExecution.client_id,
            AdviceExecution.sent_at,
            AdviceExecution.window_ends_on,
            AdviceExecution.state,
            number,
        )
        .join(Person, Person.id == AdviceExecution.client_id)
        .where(
            AdviceExecution.is_over.is_(False),
            AdviceExecution.sent_at < first_before,
            AdviceExecution.state != AdviceState.DECLINED,
            Person.deleted_at.is_(None),
            Person.status == Status.ACTIVE,
            is_open,
            ~is_sent,
            ~is_unwanted,
        )
        .order_by(AdviceExecution.sent_at, AdviceExecution.advice_id)
        .limit(limit)
    )
    return [DueReminder(*row) for row in session.execute(statement)]
