"""Sessions, reset links, codes, passkeys and devices; secrets as digests, hashes or encrypted."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.encryption import SEALED


class SignInMethod(StrEnum):
    """How a person signed in: with a password, a passkey, or by the firm's single sign-on."""

    PASSWORD = "PASSWORD"  # noqa: S105 - the name of a method
    PASSKEY = "PASSKEY"
    SSO = "SSO"


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
    method: Mapped[SignInMethod]
    # When the person last proved who they are; None if a single sign-on did not say when.
    proved_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


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


class Passkey(Table):
    """A WebAuthn credential of an account; `credential_id` is base64url, as browsers write it."""

    __tablename__ = "passkeys"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    credential_id: Mapped[str] = mapped_column(unique=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class PasskeyPurpose(StrEnum):
    ADD = "ADD"
    SIGN_IN = "SIGN_IN"
    STEP_UP = "STEP_UP"


class PasskeyChallenge(Table):
    """A challenge that a passkey must sign; deleted by its first use.

    `session_id` is of who may use it; None while nobody is signed in.
    """

    __tablename__ = "passkey_challenges"

    digest: Mapped[str] = mapped_column(primary_key=True)
    purpose: Mapped[PasskeyPurpose]
    session_id: Mapped[uuid.UUID | None]
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class SsoSignIn(Table):
    """A single sign-on that is under way in the browser that has the cookie.

    It begins with a `state_digest`. Once the person is back, `account_id` or `refusal` says how it
    ended, until the page has asked.
    """

    __tablename__ = "sso_sign_ins"

    cookie_digest: Mapped[str] = mapped_column(primary_key=True)
    state_digest: Mapped[str | None]
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    # When the person proved to the provider who they are, if it says so.
    proved_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # The code of an error; "" without one.
    refusal: Mapped[str]
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class SsoIdentity(Table):
    """The person at the provider whom an account was linked with at the first single sign-on."""

    __tablename__ = "sso_identities"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    issuer: Mapped[str]
    subject: Mapped[str]
    linked_at: Mapped[dt.datetime] = mapped_column(InstantColumn)

    __table_args__ = (
        Index("uq_sso_identities_issuer_subject", "issuer", "subject", unique=True),
        Index("uq_sso_identities_account_id_issuer", "account_id", "issuer", unique=True),
    )


class SignInSettings(Table):
    """How staff sign in; one row."""

    __tablename__ = "sign_in_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # Whether exports, keys and roles need a fresh proof, and for how many minutes one is good.
    step_up: Mapped[bool]
    step_up_minutes: Mapped[int]
    # Whether a USER may sign in with a password where there is single sign-on.
    user_passwords: Mapped[bool]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
