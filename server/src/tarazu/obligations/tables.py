"""Obligations of the firm's own, evidence, reminders that were sent, and the daily count of clients."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.obligations.values import Form, Trigger
from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class EvidenceKind(StrEnum):
    """PREPARED: a file that the product made, and nobody recorded as evidence: nothing is done by it."""

    FILE = "FILE"
    NOTE = "NOTE"
    PREPARED = "PREPARED"


class ObligationVersion(Table):
    """A version of the firm's own; see `domain.obligations.values.Obligation`. Never changed."""

    __tablename__ = "obligation_versions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    obligation_id: Mapped[str] = mapped_column(index=True)
    title: Mapped[str]
    form: Mapped[Form]
    trigger: Mapped[Trigger]
    rule: Mapped[str]
    duty: Mapped[str] = mapped_column(Text)
    evidence: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    terms: Mapped[str] = mapped_column(Text)
    effective_on: Mapped[dt.date]
    is_ended: Mapped[bool]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]


class ObligationFile(Table):
    """What was uploaded as evidence, once for each content."""

    __tablename__ = "obligation_files"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Evidence(Table):
    """That an instance was done: when it was recorded, by whom, and the hash that the trail has."""

    __tablename__ = "obligation_evidence"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    obligation_id: Mapped[str]
    instance: Mapped[str]
    kind: Mapped[EvidenceKind]
    # Who vouches for it, and what it says; both may be "" for a file.
    name: Mapped[str]
    note: Mapped[str] = mapped_column(Text)
    file_name: Mapped[str]
    media_type: Mapped[str]
    file_sha256: Mapped[str | None] = mapped_column(
        String(64), ForeignKey("obligation_files.sha256")
    )
    proof: Mapped[str] = mapped_column(String(64))
    recorded_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    recorded_by: Mapped[uuid.UUID | None]

    __table_args__ = (Index("ix_obligation_evidence_instance", "obligation_id", "instance"),)


class ObligationReminder(Table):
    """A step of an instance of which administrators were reminded: once, whoever runs the job."""

    __tablename__ = "obligation_reminders"

    obligation_id: Mapped[str] = mapped_column(primary_key=True)
    instance: Mapped[str] = mapped_column(primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    sent_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class ClientCount(Table):
    """How many clients there were on a day, as it was counted when the day was over."""

    __tablename__ = "client_counts"

    day: Mapped[dt.date] = mapped_column(primary_key=True)
    clients: Mapped[int]


class ComplianceSettings(Table):
    """What only the firm knows; None until somebody entered it."""

    __tablename__ = "compliance_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    is_part_time: Mapped[bool | None]
    deposit: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
