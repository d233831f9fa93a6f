"""The papers of clients as records, one after another: what an inspection asks for."""

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.papers import queries
from tarazu.papers.tables import ClientKyc, Consent, ConsentText


@dataclass(frozen=True, slots=True)
class RecordedKyc:
    """The KYC of a client, whose record may be deleted."""

    entry: ClientKyc
    client_code: str
    client_name: str


@dataclass(frozen=True, slots=True)
class RecordedConsent:
    """A consent with its text, of a client whose record may be deleted."""

    entry: Consent
    text: ConsentText
    client_code: str
    client_name: str


def recorded_kyc(session: Session, client_id: uuid.UUID | None) -> Iterator[RecordedKyc]:
    """The KYC of a client, or of all, as it is known now, by code."""
    return (RecordedKyc(*row) for row in queries.kyc_records(session, client_id))


def recorded_consents(
    session: Session, client_id: uuid.UUID | None, since: dt.datetime, last: dt.date
) -> Iterator[RecordedConsent]:
    """The consents of a client, or of all, given up to `last` and not withdrawn before `since`."""
    rows = queries.consent_records(session, client_id, since, last)
    return (RecordedConsent(*row) for row in rows)


def recorded_texts(session: Session, last: dt.date) -> list[ConsentText]:
    """The versions of the firm's texts that were in force up to a day, oldest first."""
    return [row for row in queries.texts(session) if row.effective_on <= last]
