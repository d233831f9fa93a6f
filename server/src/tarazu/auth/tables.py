"""Sessions, reset links, codes and devices; stored as digests and hashes only."""

import datetime as dt
import uuid

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.encryption import SEALED


class SignIn(Table):
    __tablename__ = "sessions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    token_digest: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    is_first_time: Mapped[bool]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    seen_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    ended_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    ip: Mapped[str]
    user_agent: Mapped[str]
    device_digest: Mapped[str | None]


class ResetLink(Table):
    """A one-time right to set a new password: by a mailed link, or after a one-time code."""

    __tablename__ = "reset_links"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    token_digest: Mapped[str] = mapped_column(unique=True)
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class OtpChallenge(Table):
    """A requested one-time code; without an account it exists only to answer alike."""

    __tablename__ = "otp_challenges"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    challenge_digest: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"), index=True)
    code_hash: Mapped[str]
    tries: Mapped[int]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class Device(Table):
    """A browser from which an account logged in, known by the digest of its cookie."""

    __tablename__ = "devices"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    digest: Mapped[str]
    seen_at: Mapped[dt.datetime] = mapped_column(InstantColumn)

    __table_args__ = (Index("uq_devices_account_id_digest", "account_id", "digest", unique=True),)


class Attempts(Table):
    """Failed attempts, by a key that names who and what."""

    __tablename__ = "attempts"

    key: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int]
    since: Mapped[dt.datetime] = mapped_column(InstantColumn)
    blocked_until: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class SecondFactor(Table):
    """The sealed seed of an account's one-time passwords, and the last step that was used."""

    __tablename__ = "second_factors"

    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    seed: Mapped[str] = mapped_column(info=SEALED)
    last_step: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    confirmed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class RecoveryCode(Table):
    __tablename__ = "recovery_codes"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    digest: Mapped[str]
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
