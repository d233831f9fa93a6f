"""Consents of clients: given on the client's page or on paper, and withdrawn."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.formatting import day_of
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.translation import Language
from tarazu.papers import queries
from tarazu.papers.errors import (
    AlreadyWithdrawn,
    ConsentChanged,
    ConsentNotFound,
    NotWithdrawable,
    UnfitPaper,
)
from tarazu.papers.tables import Consent, ConsentKind, ConsentMethod, ConsentText
from tarazu.papers.texts import VersionedText, hash_of, shown_text, texts_on
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.registers import service as registers
from tarazu.registers.service import StoredFile

WITHDRAWABLE: Final = frozenset({ConsentKind.DATA, ConsentKind.HOLDINGS})
"""Consents that a client may withdraw; the terms of a service end with the service."""
CLIENT_ROLE: Final = "CLIENT"
"""The role in the audit trail of a client, who has no account."""


class ConsentState(StrEnum):
    """Where a client's consent to a text is today.

    ASKED_AGAIN: it was given to an earlier version; NO_TEXT: the firm has none in force.
    """

    GIVEN = "GIVEN"
    ASKED_AGAIN = "ASKED_AGAIN"
    WITHDRAWN = "WITHDRAWN"
    NOT_GIVEN = "NOT_GIVEN"
    NO_TEXT = "NO_TEXT"


@dataclass(frozen=True, slots=True)
class GivenConsent:
    """A consent with the version it was given to, and who recorded or withdrew it; "" for the client."""

    entry: Consent
    text: ConsentText
    recorded_by: str
    withdrawn_by: str


@dataclass(frozen=True, slots=True)
class ConsentToText:
    """A text, and a client's consents to its versions, the newest first."""

    text: VersionedText
    state: ConsentState
    given: Sequence[GivenConsent]

    @property
    def kind(self) -> ConsentKind:
        """Which text it is."""
        return self.text.kind

    @property
    def newest(self) -> GivenConsent | None:
        """The newest consent; None without one."""
        return self.given[0] if self.given else None

    @property
    def is_withdrawable(self) -> bool:
        """Whether there is a consent that the client may withdraw."""
        newest = self.newest
        return self.kind in WITHDRAWABLE and newest is not None and not newest.entry.withdrawn_at


@dataclass(frozen=True, slots=True)
class PageVisit:
    """Where a client's call on the page came from, and the language in which it was shown."""

    ip: str
    agent: str
    language: Language
    request_id: str


@dataclass(frozen=True, slots=True)
class PaperConsent:
    """A consent on paper as staff record it: the version, its language, the day, the signed file."""

    kind: ConsentKind
    number: int
    language: Language
    given_on: dt.date
    file_name: str
    content: bytes


def consents_of(session: Session, client_id: uuid.UUID, today: dt.date) -> list[ConsentToText]:
    """A client's consents to every text.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    texts, rows = texts_on(session, today), queries.consents_of(session, client_id)
    known = {row.id: row for text in texts for row in text.versions}
    ids = {person for row in rows for person in (row.recorded_by, row.withdrawn_by) if person}
    given = _named(rows, known, people.names_of(session, ids))
    return [
        _consent_to(text, [one for one in given if one.text.kind is text.kind]) for text in texts
    ]


def give_on_page(
    session: Session, client: Client, now: dt.datetime, text_id: uuid.UUID, visit: PageVisit
) -> Consent:
    """Record the consent of a client on the page; the same consent again is the first one.

    Raises:
        ConsentChanged: the text is not, or no longer, the version in force.
    """
    acquire_lock(session, AdvisoryLock.PAPERS)
    text = _in_force(session, text_id, day_in_india(now))
    same = _same(session, client.id, text)
    if same is not None:
        return same
    row = _row_of(client.id, text, now, day_in_india(now), visit.language)
    row.method, row.ip, row.agent = ConsentMethod.PAGE, visit.ip, visit.agent
    _record(session, _actor(client, visit), now, row, text, "consent_given")
    return row


def record_on_paper(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, paper: PaperConsent
) -> Consent:
    """Record a consent that the client signed, with the file; the same again is the first one.

    Raises:
        ClientNotFound: there is no such client.
        UnfitPaper: there is no such version, the day does not fit, or the client agreed before.
        DocumentTooLarge, WrongDocument: the file cannot be stored.
    """
    people.client(session, client_id)
    acquire_lock(session, AdvisoryLock.PAPERS)
    versions = queries.texts(session, paper.kind)
    text = next((row for row in versions if row.number == paper.number), None)
    if text is None:
        raise UnfitPaper("number", "The firm has no such version of this text.")
    _refuse_unfit_day(paper.given_on, text, day_in_india(now))
    kept, _ = registers.keep_file(session, actor, now, paper.file_name, paper.content)
    same = _same(session, client_id, text)
    if same is not None and (same.file, same.given_on) == (kept.sha256, paper.given_on):
        return same
    if same is not None:
        raise UnfitPaper(
            "number",
            f"The client agreed to version {text.number} on {day_of(same.given_on)} already.",
        )
    row = _row_of(client_id, text, now, paper.given_on, paper.language)
    row.recorded_by, row.file = actor.account_id, kept.sha256
    _record(session, actor, now, row, text, "consent_recorded")
    return row


def withdraw(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, consent_id: uuid.UUID
) -> None:
    """Record that a client withdrew a consent; the consent stays in the record.

    Raises:
        ClientNotFound, ConsentNotFound: there is no such client, or no such consent of the client.
        NotWithdrawable, AlreadyWithdrawn: it cannot be withdrawn.
    """
    people.client(session, client_id)
    acquire_lock(session, AdvisoryLock.PAPERS)
    row = queries.consent_by_id(session, client_id, consent_id)
    if row is None:
        raise ConsentNotFound
    text = next(text for text in queries.texts(session) if text.id == row.text_id)
    if text.kind not in WITHDRAWABLE:
        raise NotWithdrawable
    if row.withdrawn_at is not None:
        raise AlreadyWithdrawn
    row.withdrawn_at, row.withdrawn_by = now, actor.account_id
    session.flush()
    changes = {"consentId": row.id, "kind": text.kind, "number": text.number}
    audit_log.record(session, actor, now, "consent_withdrawn", ("client", client_id), changes)


def withdraw_on_page(
    session: Session, client: Client, now: dt.datetime, kind: ConsentKind, visit: PageVisit
) -> None:
    """Withdraw the client's newest consent to a text; without one nothing changes.

    Raises:
        NotWithdrawable: it cannot be withdrawn.
    """
    given = {one.kind: one for one in consents_of(session, client.id, day_in_india(now))}[kind]
    if given.newest is None or given.newest.entry.withdrawn_at is not None:
        return
    withdraw(session, _actor(client, visit), now, client.id, given.newest.entry.id)


def consent_file(session: Session, client_id: uuid.UUID, consent_id: uuid.UUID) -> StoredFile:
    """The signed file of a consent.

    Raises:
        ConsentNotFound, DocumentNotFound: there is no such consent, or it was given on the page.
        LookupError: the file was changed in the database.
    """
    row = queries.consent_by_id(session, client_id, consent_id)
    if row is None:
        raise ConsentNotFound
    return registers.stored_file(session, row.file)


def _named(
    rows: Sequence[Consent],
    texts: Mapping[uuid.UUID, ConsentText],
    names: Mapping[uuid.UUID, str],
) -> list[GivenConsent]:
    return [
        GivenConsent(
            row,
            texts[row.text_id],
            names.get(row.recorded_by, "") if row.recorded_by else "",
            names.get(row.withdrawn_by, "") if row.withdrawn_by else "",
        )
        for row in rows
    ]


def _consent_to(text: VersionedText, given: Sequence[GivenConsent]) -> ConsentToText:
    in_force = text.in_force
    valid = [one for one in given if one.entry.withdrawn_at is None]
    state = ConsentState.NOT_GIVEN
    if in_force is None:
        state = ConsentState.NO_TEXT
    elif any(one.text.id == in_force.id for one in valid):
        state = ConsentState.GIVEN
    elif given and given[0].entry.withdrawn_at is not None:
        state = ConsentState.WITHDRAWN
    elif valid:
        state = ConsentState.ASKED_AGAIN
    return ConsentToText(text, state, given)


def _in_force(session: Session, text_id: uuid.UUID, today: dt.date) -> ConsentText:
    for text in texts_on(session, today):
        if text.in_force is not None and text.in_force.id == text_id:
            return text.in_force
    raise ConsentChanged


def _same(session: Session, client_id: uuid.UUID, text: ConsentText) -> Consent | None:
    """The consent to this version that was not withdrawn, if there is one."""
    rows = queries.consents_of(session, client_id)
    return next((row for row in rows if row.text_id == text.id and not row.withdrawn_at), None)


def _row_of(
    client_id: uuid.UUID, text: ConsentText, now: dt.datetime, given_on: dt.date, language: Language
) -> Consent:
    return Consent(
        id=new_id(),
        client_id=client_id,
        text_id=text.id,
        given_on=given_on,
        recorded_at=now,
        method=ConsentMethod.PAPER,
        language=shown_text(text, language)[1],
        text_hash=hash_of(text, language),
        ip="",
        agent="",
    )


def _record(
    session: Session, actor: Actor, now: dt.datetime, row: Consent, text: ConsentText, action: str
) -> None:
    session.add(row)
    session.flush()
    changes = {
        "consentId": row.id,
        "kind": text.kind,
        "number": text.number,
        "givenOn": row.given_on,
        "method": row.method,
        "language": row.language,
        "textHash": row.text_hash,
        "agent": row.agent,
        "file": row.file,
    }
    audit_log.record(session, actor, now, action, ("client", row.client_id), changes)


def _actor(client: Client, visit: PageVisit) -> Actor:
    return Actor(None, CLIENT_ROLE, client.name, None, visit.ip, visit.request_id)


def _refuse_unfit_day(given_on: dt.date, text: ConsentText, today: dt.date) -> None:
    # A client may have signed long before the firm entered them here: the record has both days.
    if given_on > today:
        raise UnfitPaper("givenOn", "This day is in the future.")
    if given_on < text.effective_on:
        raise UnfitPaper(
            "givenOn",
            f"Version {text.number} is in force from {day_of(text.effective_on)}: nobody could "
            "consent to it before that day.",
        )
