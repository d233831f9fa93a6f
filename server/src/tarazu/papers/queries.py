"""Every SQL statement of the papers of clients."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, or_, select, true, type_coerce
from sqlalchemy.orm import InstrumentedAttribute, Session

from tarazu.kit.db import RepeatedId
from tarazu.papers.tables import ClientKyc, Consent, ConsentKind, ConsentText, KycStatus
from tarazu.people.tables import Person

_AT_ONCE = 500
_MOST_IDS = 500
"""Of more clients than these, all are read: the statement would be longer than the answer."""


def kyc_of(session: Session, client_id: uuid.UUID) -> ClientKyc | None:
    statement = select(ClientKyc).where(ClientKyc.client_id == client_id)
    return session.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()


def clients_with_pan(session: Session, pan: str) -> set[uuid.UUID]:
    """The clients of whom this PAN is recorded, deleted ones too."""
    statement = select(ClientKyc.client_id).where(ClientKyc.pan == pan)
    return set(session.execute(statement).scalars())


def kyc_records(session: Session, client_id: uuid.UUID | None) -> Iterator[Any]:
    """The KYC of a client, or of all, with code and name; in the order of the codes."""
    statement = (
        select(ClientKyc, Person.client_code, Person.name)
        .join(Person, Person.id == ClientKyc.client_id)
        .where(true() if client_id is None else ClientKyc.client_id == client_id)
        .order_by(Person.client_code)
    )
    yield from session.execute(statement.execution_options(yield_per=_AT_ONCE))


def consent_records(
    session: Session, client_id: uuid.UUID | None, since: dt.datetime, last: dt.date
) -> Iterator[Any]:
    """Consents given up to `last` that still held at `since`, with text, client's code and name.

    Of a client or of all, whose records may be deleted; in the order they were recorded.
    """
    statement = (
        select(Consent, ConsentText, Person.client_code, Person.name)
        .join(ConsentText, ConsentText.id == Consent.text_id)
        .join(Person, Person.id == Consent.client_id)
        .where(
            Consent.given_on <= last,
            or_(Consent.withdrawn_at.is_(None), Consent.withdrawn_at >= since),
            true() if client_id is None else Consent.client_id == client_id,
        )
        .order_by(Consent.id)
    )
    yield from session.execute(statement.execution_options(yield_per=_AT_ONCE))


def with_kyc(
    session: Session, statuses: Collection[KycStatus], client_ids: Collection[uuid.UUID] | None
) -> set[uuid.UUID]:
    """Those of these clients, or of all, with a PAN and one of these statuses; perhaps others too."""
    statement = select(type_coerce(ClientKyc.client_id, RepeatedId())).where(
        ClientKyc.status.in_(statuses), ClientKyc.pan != "", _among(ClientKyc.client_id, client_ids)
    )
    return set(session.execute(statement).scalars())


def texts(session: Session, kind: ConsentKind | None = None) -> Sequence[ConsentText]:
    """Every version of every text, or of one kind, in the order of their numbers."""
    statement = select(ConsentText).order_by(ConsentText.number)
    if kind is not None:
        statement = statement.where(ConsentText.kind == kind)
    return session.execute(statement).scalars().all()


def newest_texts(session: Session, on: dt.date) -> dict[ConsentKind, tuple[uuid.UUID, dt.date]]:
    """By kind, id and first day of the version in force on a day; the texts are not read."""
    statement = (
        select(ConsentText.kind, ConsentText.id, ConsentText.effective_on)
        .where(ConsentText.effective_on <= on)
        .order_by(ConsentText.number)
    )
    return {kind: (text_id, day) for kind, text_id, day in session.execute(statement).all()}


def consents_of(session: Session, client_id: uuid.UUID) -> Sequence[Consent]:
    """The consents of a client, the newest first."""
    statement = select(Consent).where(Consent.client_id == client_id)
    return session.execute(statement.order_by(Consent.id.desc())).scalars().all()


def consent_by_id(session: Session, client_id: uuid.UUID, consent_id: uuid.UUID) -> Consent | None:
    """One consent of this client, as it is now."""
    statement = select(Consent).where(Consent.client_id == client_id, Consent.id == consent_id)
    return session.execute(statement.execution_options(populate_existing=True)).scalar_one_or_none()


def given_to(
    session: Session, text_ids: Collection[uuid.UUID], client_ids: Collection[uuid.UUID] | None
) -> set[tuple[uuid.UUID, uuid.UUID]]:
    """Client and text of every consent to one of these that was not withdrawn, as `with_kyc`."""
    client_id = type_coerce(Consent.client_id, RepeatedId())
    statement = select(client_id, type_coerce(Consent.text_id, RepeatedId())).where(
        Consent.text_id.in_(text_ids),
        Consent.withdrawn_at.is_(None),
        _among(Consent.client_id, client_ids),
    )
    return {(row[0], row[1]) for row in session.execute(statement).all()}


def _among(
    column: InstrumentedAttribute[uuid.UUID], ids: Collection[uuid.UUID] | None
) -> ColumnElement[bool]:
    return true() if ids is None or len(ids) > _MOST_IDS else column.in_(ids)
