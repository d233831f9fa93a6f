"""Everyone with a record: staff who may sign in, and clients who are advised."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.translation import Language


class Role(StrEnum):
    ADMIN = "ADMIN"
    USER = "USER"
    CLIENT = "CLIENT"


class Status(StrEnum):
    """SAMPLE is the status of one client alone, made up to try the screens with; it never changes."""

    ACTIVE = "ACTIVE"
    INACTIVE = "INACTIVE"
    SAMPLE = "SAMPLE"


class ClientKind(StrEnum):
    """What a client is in law; limits of fees are for individuals and Hindu undivided families."""

    INDIVIDUAL = "INDIVIDUAL"
    HUF = "HUF"
    OTHER = "OTHER"


class Person(Table):
    __tablename__ = "people"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    role: Mapped[Role]
    name: Mapped[str]
    search_text: Mapped[str]
    email: Mapped[str]
    country_code: Mapped[str]
    contact_number: Mapped[str]
    status: Mapped[Status]
    awaits_approval: Mapped[bool]
    client_code: Mapped[str | None] = mapped_column(unique=True)
    address: Mapped[str]
    born_on: Mapped[dt.date | None]
    password_hash: Mapped[str | None]
    must_change_password: Mapped[bool]
    password_changed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # A temporary password is good until then; None for one the person chose.
    temporary_until: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # Sessions opened before then are dead: a new role, a deactivation, a deletion, a new password.
    sessions_void_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # Clients of one family share this word; their fees count together against the yearly limit.
    family: Mapped[str] = mapped_column(server_default="", index=True)
    kind: Mapped[ClientKind] = mapped_column(server_default=ClientKind.INDIVIDUAL)
    # The first and last day of an accredited investor's certificate; None while not known or not accredited.
    accredited_from: Mapped[dt.date | None]
    accredited_until: Mapped[dt.date | None]
    # Of what a client gets: letters and mails.
    language: Mapped[Language] = mapped_column(server_default=Language.EN)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]
    deleted_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    deleted_by: Mapped[uuid.UUID | None]

    __table_args__ = (
        # An e-mail may be used again once its record is deleted.
        Index(
            "uq_people_email_live",
            "email",
            unique=True,
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
        Index("ix_people_role_client_code", "role", "client_code"),
        # A page of clients and their number cost the same however many were ever deleted.
        Index(
            "ix_people_live_clients",
            "client_code",
            sqlite_where=text("deleted_at IS NULL AND role = 'CLIENT'"),
            postgresql_where=text("deleted_at IS NULL AND role = 'CLIENT'"),
        ),
        Index(
            "ix_people_deleted",
            "deleted_at",
            sqlite_where=text("deleted_at IS NOT NULL"),
            postgresql_where=text("deleted_at IS NOT NULL"),
        ),
        CheckConstraint("(role = 'CLIENT') = (client_code IS NOT NULL)", name="client_has_code"),
    )


class ClientCodeCounter(Table):
    __tablename__ = "client_code_counter"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    last_number: Mapped[int]
