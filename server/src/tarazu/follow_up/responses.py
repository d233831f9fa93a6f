"""What clients answer to an advice: read, declined, taken back, a question; and the firm's reply."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.firm import service as firm
from tarazu.follow_up import letters, response_queries
from tarazu.follow_up.errors import (
    AlreadyReplied,
    NothingDeclined,
    QuestionNotFound,
    TooManyQuestions,
    UnknownLines,
)
from tarazu.follow_up.executions import RecordedResponse, recorded
from tarazu.follow_up.response_queries import AskedQuestion, QuestionFilter
from tarazu.follow_up.tables import AdviceResponse, Answer
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.translation import Language
from tarazu.orders import service as orders
from tarazu.people import service as people
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

CLIENT_ROLE = "CLIENT"
"""The role in the audit trail of a client, who has no account."""
MOST_QUESTIONS = 20
"""Questions of one client about one advice."""


@dataclass(frozen=True, slots=True)
class NewResponse:
    """An answer of a client on the page.

    Attributes:
        lines: places of the lines that are declined or taken back; none for the whole advice.
        ip, agent, request_id: where the answer came from.
        language: in which the page was shown.
    """

    answer: Answer
    text: str = ""
    lines: tuple[int, ...] = ()
    ip: str = ""
    agent: str = ""
    language: Language = Language.EN
    request_id: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question in the inbox; `user_id` is the client's id and `client_id` the code."""

    id: uuid.UUID
    advice_id: uuid.UUID
    sent_at: dt.datetime
    user_id: uuid.UUID
    client_id: str
    name: str
    at: dt.datetime
    language: Language
    text: str
    lines: list[int]
    reply: str
    replied_at: dt.datetime | None
    replied_by: str | None


def record_response(
    session: Session, advice_id: uuid.UUID, response: NewResponse, now: dt.datetime
) -> RecordedResponse:
    """Record an answer of a client; the same answer again is answered with the first one.

    Raises:
        AdviceNotFound, ClientNotFound: there is no such advice, or its client was deleted.
        UnknownLines: a place is not one of the advice's lines.
        NothingDeclined: nothing was declined that could be taken back.
        TooManyQuestions: the client asked too many questions about this advice.
    """
    sent, client = advice.recipient(session, advice_id)
    # The answers of one client come one after another, so that none is recorded twice.
    response_queries.lock_answers(session, advice_id)
    answers = response_queries.responses_of(session, advice_id)
    places = [row.place for row in advice.sealed_rows(session, [advice_id])[advice_id]]
    same = _same(answers, response, places)
    if same is not None:
        return recorded(same)
    row = AdviceResponse(
        id=new_id(),
        advice_id=advice_id,
        client_id=client.id,
        answer=response.answer,
        text=response.text,
        lines=json.dumps(sorted(set(response.lines))),
        answered_at=now,
        ip=response.ip,
        agent=response.agent,
        language=response.language,
        package_hash=advice.package_hash_of(session, advice_id),
        reply="",
        replied_at=None,
        replied_by=None,
    )
    session.add(row)
    session.flush()
    if response.answer in {Answer.DECLINED, Answer.WITHDRAWN}:
        orders.mark_matching_due(session, [client.id], now)
    actor = Actor(None, CLIENT_ROLE, client.name, None, response.ip, response.request_id)
    audit_log.record(session, actor, now, "advice_answered", ("advice", advice_id), _details(row))
    if response.answer is Answer.QUESTION:
        for recipient in _who_answers(session, sent.account_id):
            draft = letters.question(recipient, client, sent.created_at, response.text)
            mail.queue(session, draft, now)
    return recorded(row)


def _same(
    answers: Sequence[AdviceResponse], response: NewResponse, places: Collection[int]
) -> AdviceResponse | None:
    """The answer that says the same already, if there is one.

    Raises:
        UnknownLines, NothingDeclined, TooManyQuestions: as for `record_response`.
    """
    if not set(response.lines) <= set(places):
        raise UnknownLines
    meant = set(response.lines) or set(places)
    declined = declined_places(answers, places)
    if response.answer is Answer.WITHDRAWN and not declined & meant:
        raise NothingDeclined
    asked = [row for row in answers if row.answer is Answer.QUESTION]
    same_text = [row for row in asked if row.text == response.text]
    of_kind = [row for row in answers if row.answer is response.answer]
    match response.answer:
        case Answer.READ:
            return of_kind[0] if of_kind else None
        case Answer.DECLINED:
            return of_kind[-1] if of_kind and meant <= declined else None
        case Answer.QUESTION:
            if not same_text and len(asked) >= MOST_QUESTIONS:
                raise TooManyQuestions
            return same_text[0] if same_text else None
        case Answer.WITHDRAWN:
            return None


def declined_places(answers: Iterable[AdviceResponse], places: Collection[int]) -> set[int]:
    """The lines that a client will not carry out, from all answers in order of time."""
    declined: set[int] = set()
    for row in answers:
        meant = set(json.loads(row.lines)) or set(places)
        if row.answer is Answer.DECLINED:
            declined |= meant
        elif row.answer is Answer.WITHDRAWN:
            declined -= meant
    return declined


def _details(row: AdviceResponse) -> dict[str, object]:
    return {
        "clientId": row.client_id,
        "responseId": row.id,
        "answer": row.answer,
        "text": row.text,
        "lines": json.loads(row.lines),
        "agent": row.agent,
        "language": row.language,
        "packageHash": row.package_hash,
    }


def _who_answers(session: Session, sender_id: uuid.UUID) -> list[str]:
    """The addresses to which a question goes: of the sender, or of all administrators."""
    sender = people.staff_by_id(session, sender_id)
    if sender is not None and sender.is_active:
        return [sender.email]
    return people.administrators_emails(session)


def responses_of(session: Session, advice_id: uuid.UUID) -> list[RecordedResponse]:
    """What a client answered to an advice, in order of time."""
    return [recorded(row) for row in response_queries.responses_of(session, advice_id)]


def questions(
    session: Session, filters: QuestionFilter, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[Question], int]:
    """One page of the questions of clients, newest first, and how many match."""
    client_ids = people.clients_matching(session, filters.query) if filters.query.strip() else None
    asked, total = response_queries.questions(session, filters, client_ids, visible)
    names = people.names_of(
        session, {row.response.replied_by for row in asked if row.response.replied_by}
    )
    return [
        _question(row, names.get(row.response.replied_by or uuid.UUID(int=0))) for row in asked
    ], total


def reply_to(
    session: Session, actor: Actor, now: dt.datetime, response_id: uuid.UUID, text: str
) -> Question:
    """Answer a question by mail to the client; the text stays with the question.

    Raises:
        QuestionNotFound: there is no such question.
        ClientNotFound: its client was deleted.
        AlreadyReplied: it was answered before.
    """
    asked = response_queries.question_by_id(session, response_id, lock=True)
    if asked is None:
        raise QuestionNotFound
    row = asked.response
    client = people.client(session, row.client_id)
    if row.replied_at is not None:
        raise AlreadyReplied
    row.reply, row.replied_at, row.replied_by = text, now, actor.account_id
    registration = firm.registration(session, client.language)
    draft = letters.answer(client, registration, asked.sent_at, (row.text, text))
    mail_id = mail.queue(session, draft, now)
    session.flush()
    details = {"clientId": client.id, "responseId": row.id, "mailId": mail_id, "text": text}
    about = ("advice", row.advice_id)
    audit_log.record(session, actor, now, "question_answered", about, details)
    return _question(asked, actor.name)


def _question(asked: AskedQuestion, replied_by: str | None) -> Question:
    row = asked.response
    return Question(
        id=row.id,
        advice_id=row.advice_id,
        sent_at=asked.sent_at,
        user_id=row.client_id,
        client_id=asked.code,
        name=asked.name,
        at=row.answered_at,
        language=row.language,
        text=row.text,
        lines=json.loads(row.lines),
        reply=row.reply,
        replied_at=row.replied_at,
        replied_by=replied_by,
    )
