"""Papers of clients: KYC, the firm's texts to which clients consent, and their consents."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.translation import Language


class KycStatus(StrEnum):
    """What the KYC Registration Agency (KRA) says of a client."""

    NOT_DONE = "NOT_DONE"
    REGISTERED = "REGISTERED"
    VALIDATED = "VALIDATED"
    ON_HOLD = "ON_HOLD"
    REJECTED = "REJECTED"


class ConsentKind(StrEnum):
    """What a client consents to, in the order of the screens.

    MITC are the most important terms and conditions; DATA is the processing of personal data, AI
    the firm's use of AI tools, HOLDINGS the reading of the client's holdings.
    """

    TERMS = "TERMS"
    MITC = "MITC"
    DATA = "DATA"
    AI = "AI"
    HOLDINGS = "HOLDINGS"


class ConsentMethod(StrEnum):
    """How a consent was given; PAPER is recorded by staff, with the signed file."""

    PAGE = "PAGE"
    PAPER = "PAPER"


class ClientKyc(Table):
    """The KYC of a client as it is known now; the audit trail has what it was before."""

    __tablename__ = "client_kyc"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    # "" while it is not known.
    pan: Mapped[str] = mapped_column(String(10), index=True)
    status: Mapped[KycStatus]
    # Since when the status holds; None of one that is not done.
    status_on: Mapped[dt.date | None]
    note: Mapped[str]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]


class ConsentText(Table):
    """One version of a text to which clients consent. Rows are added, never changed."""

    __tablename__ = "consent_texts"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[ConsentKind]
    # 1 for the first version of its kind, and so on.
    number: Mapped[int]
    effective_on: Mapped[dt.date]
    text: Mapped[str] = mapped_column(Text)
    # "" where there is none: then the page in Hindi shows the English text.
    text_hi: Mapped[str] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]

    __table_args__ = (UniqueConstraint("kind", "number"), UniqueConstraint("kind", "effective_on"))


class Consent(Table):
    """A client's consent to one version of a text. Only its withdrawal is ever added to a row."""

    __tablename__ = "client_consents"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    text_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("consent_texts.id"))
    given_on: Mapped[dt.date]
    recorded_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    method: Mapped[ConsentMethod]
    language: Mapped[Language]
    # SHA-256 of the text in this language, in UTF-8.
    text_hash: Mapped[str] = mapped_column(String(64))
    # Of the page: where the consent came from; "" on paper.
    ip: Mapped[str]
    agent: Mapped[str]
    # On paper: who recorded it, and the signed file.
    recorded_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    file: Mapped[str | None] = mapped_column(String(64), ForeignKey("register_files.sha256"))
    withdrawn_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # None of a client who withdrew it on the page.
    withdrawn_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))

    __table_args__ = (Index("ix_client_consents_client_id", "client_id", "text_id"),)
