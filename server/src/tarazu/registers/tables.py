"""The registers that a Research Analyst keeps; an entry is changed or closed, never removed."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.charges import Side
from tarazu.kit.db import InstantColumn, Table


class RuleName(StrEnum):
    """What a dated rule is about."""

    COMPLAINT_DAYS = "COMPLAINT_DAYS"
    COMPLAINT_WARNING_DAYS = "COMPLAINT_WARNING_DAYS"
    COMPLAINT_TABLE_DAY = "COMPLAINT_TABLE_DAY"
    COMPLAINT_CHANNELS = "COMPLAINT_CHANNELS"
    CERTIFICATE_SERIES = "CERTIFICATE_SERIES"
    CERTIFICATE_WARNING_DAYS = "CERTIFICATE_WARNING_DAYS"
    TRADING_DAYS_BEFORE = "TRADING_DAYS_BEFORE"
    TRADING_DAYS_AFTER = "TRADING_DAYS_AFTER"
    ADVERTISEMENT_WORDS = "ADVERTISEMENT_WORDS"
    ADVERTISEMENT_APPROVAL = "ADVERTISEMENT_APPROVAL"
    INCIDENT_HOURS = "INCIDENT_HOURS"


class Holder(StrEnum):
    """Whose holding or trade a member of staff declares."""

    SELF = "SELF"
    RELATIVE = "RELATIVE"


class InterestKind(StrEnum):
    HOLDING = "HOLDING"
    TRADE = "TRADE"


class RegisterRule(Table):
    """A rule of the registers as the firm entered it; it is in force from its day on."""

    __tablename__ = "register_rules"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[RuleName]
    effective_on: Mapped[dt.date]
    # JSON: a list of texts; days are one number, a yes or no is "yes" or "no".
    content: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]

    __table_args__ = (UniqueConstraint("name", "effective_on"),)


class RegisterFile(Table):
    """A document of an entry, stored by its SHA-256. Never removed."""

    __tablename__ = "register_files"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str]
    media_type: Mapped[str]
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]


class RegisterEntry(Table):
    """What the entries of every register have."""

    __abstract__ = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, sort_order=-1)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn, sort_order=1)
    created_by: Mapped[uuid.UUID | None] = mapped_column(sort_order=1)
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn, sort_order=1)
    version: Mapped[int] = mapped_column(sort_order=1)


class ComplaintEntry(RegisterEntry):
    """A complaint; `client_id` is None of one that is not from a client."""

    __tablename__ = "complaints"

    received_on: Mapped[dt.date] = mapped_column(index=True)
    client_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    complainant: Mapped[str]
    channel: Mapped[str]
    # The number that SCORES or ODR gave it; "" without one.
    reference: Mapped[str]
    subject: Mapped[str]
    nature: Mapped[str]
    resolved_on: Mapped[dt.date | None]
    resolution: Mapped[str] = mapped_column(Text)


class StaffCertificate(RegisterEntry):
    """A certificate of NISM that a member of staff has."""

    __tablename__ = "staff_certificates"

    staff_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    series: Mapped[str]
    number: Mapped[str]
    valid_from: Mapped[dt.date]
    valid_until: Mapped[dt.date]
    # None while no file was uploaded.
    file: Mapped[str | None] = mapped_column(String(64), ForeignKey("register_files.sha256"))

    __table_args__ = (UniqueConstraint("staff_id", "series", "valid_until"),)


class DeclaredInterest(RegisterEntry):
    """A holding or a trade that a member of staff declares, the own one or of a relative.

    A holding is there from `dated_on` until `ended_on`, None while it goes on; of a trade
    `dated_on` is its day.
    """

    __tablename__ = "declared_interests"

    staff_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    holder: Mapped[Holder]
    # Which relative: "Spouse"; "" for the member of staff.
    relative: Mapped[str]
    kind: Mapped[InterestKind]
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), index=True)
    # None of a holding.
    side: Mapped[Side | None]
    quantity: Mapped[int] = mapped_column(BigInteger)
    dated_on: Mapped[dt.date] = mapped_column(index=True)
    ended_on: Mapped[dt.date | None]


class Advertisement(RegisterEntry):
    __tablename__ = "advertisements"

    title: Mapped[str]
    medium: Mapped[str]
    text: Mapped[str] = mapped_column(Text)
    # Of the body that approves advertisements; "" without one.
    approval_number: Mapped[str]
    approved_on: Mapped[dt.date | None]
    released_on: Mapped[dt.date | None]


class AiTool(RegisterEntry):
    """A tool of artificial intelligence and how far the firm uses it."""

    __tablename__ = "ai_tools"

    name: Mapped[str]
    # A sentence for letters: "It summarises company filings."
    extent: Mapped[str] = mapped_column(Text)
    extent_hi: Mapped[str] = mapped_column(Text)
    since: Mapped[dt.date]
    until: Mapped[dt.date | None]


class Handle(RegisterEntry):
    """A site of the firm, or its name on a platform."""

    __tablename__ = "handles"

    platform: Mapped[str]
    handle: Mapped[str]
    since: Mapped[dt.date]
    until: Mapped[dt.date | None]


class Incident(RegisterEntry):
    """A breach of security or of personal data."""

    __tablename__ = "incidents"

    noticed_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    summary: Mapped[str]
    details: Mapped[str] = mapped_column(Text)
    reported_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # To whom, and under which number.
    report: Mapped[str]
