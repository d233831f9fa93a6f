"""Every SQL statement of sign-in, sessions and password resets."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import Row, case, delete, func, select, update
from sqlalchemy.orm import Session

from tarazu.auth.tables import (
    Attempts,
    Device,
    OtpChallenge,
    Passkey,
    PasskeyChallenge,
    PasskeyPurpose,
    RecoveryCode,
    ResetLink,
    SecondFactor,
    SignIn,
    SignInSettings,
    SsoIdentity,
    SsoSignIn,
)
from tarazu.kit.db import insert_into, new_id
from tarazu.people.tables import Person, Role, Status

LIVE_SESSIONS = 10
OTP_TRIES = 5


def sign_in_by_digest(session: Session, digest: str) -> SignIn | None:
    statement = select(SignIn).where(SignIn.token_digest == digest)
    return session.execute(statement).scalar_one_or_none()


def live_digests(
    session: Session,
    digests: Collection[str],
    roles: Collection[Role],
    now: dt.datetime,
    seen_after: dt.datetime,
) -> set[str]:
    """Of these digests, those of live sessions of accounts with these roles that may sign in.

    The same conditions as in `bearer_of`, in one statement for all.
    """
    statement = (
        select(SignIn.token_digest)
        .join(Person, Person.id == SignIn.account_id)
        .where(
            SignIn.token_digest.in_(digests),
            SignIn.ended_at.is_(None),
            SignIn.expires_at > now,
            SignIn.seen_at > seen_after,
            Person.deleted_at.is_(None),
            Person.status == Status.ACTIVE,
            Person.role.in_(roles),
            Person.must_change_password.is_(False),
            Person.sessions_void_at.is_(None) | (SignIn.created_at >= Person.sessions_void_at),
        )
    )
    return set(session.execute(statement).scalars())


def sign_in_by_id(session: Session, sign_in_id: uuid.UUID) -> SignIn | None:
    statement = select(SignIn).where(SignIn.id == sign_in_id)
    return session.execute(statement).scalar_one_or_none()


KEEPS_SESSIONS = "tarazu_keeps_sessions"
"""Execution option of a statement that changes sessions or accounts without ending any."""


def mark_proved(session: Session, sign_in_id: uuid.UUID, now: dt.datetime) -> None:
    # Every process forgets what it knows of the session, so that the next call is let through.
    session.execute(update(SignIn).where(SignIn.id == sign_in_id).values(proved_at=now))


def passkeys_of(session: Session, account_id: uuid.UUID) -> Sequence[Passkey]:
    """Oldest first."""
    statement = select(Passkey).where(Passkey.account_id == account_id).order_by(Passkey.id)
    return session.execute(statement).scalars().all()


def passkey(session: Session, credential_id: str, *, lock: bool = False) -> Passkey | None:
    """The passkey with this id; the lock makes two uses at once wait for each other."""
    statement = select(Passkey).where(Passkey.credential_id == credential_id)
    statement = statement.with_for_update() if lock else statement
    return session.execute(statement).scalar_one_or_none()


def use_challenge(
    session: Session,
    digest: str,
    purpose: PasskeyPurpose,
    session_id: uuid.UUID | None,
    now: dt.datetime,
) -> bool:
    """Delete a challenge; returns whether it was good for this. Of parallel calls one gets True."""
    statement = delete(PasskeyChallenge).where(PasskeyChallenge.digest == digest)
    used = session.execute(statement.returning(PasskeyChallenge)).scalar_one_or_none()
    if used is None or used.expires_at <= now:
        return False
    return used.purpose is purpose and used.session_id == session_id


def take_sso_begun(
    session: Session, cookie_digest: str, state_digest: str, now: dt.datetime
) -> bool:
    """Delete a sign-in that is at the provider; whether it was there, with this state."""
    statement = delete(SsoSignIn).where(
        SsoSignIn.cookie_digest == cookie_digest,
        SsoSignIn.state_digest == state_digest,
        SsoSignIn.expires_at > now,
    )
    return session.execute(statement.returning(SsoSignIn.cookie_digest)).first() is not None


def sso_returned(session: Session, cookie_digest: str, now: dt.datetime) -> SsoSignIn | None:
    """A sign-in that came back from the provider."""
    statement = select(SsoSignIn).where(
        SsoSignIn.cookie_digest == cookie_digest,
        SsoSignIn.state_digest.is_(None),
        SsoSignIn.expires_at > now,
    )
    return session.execute(statement).scalar_one_or_none()


def drop_sso_sign_in(session: Session, cookie_digest: str) -> bool:
    """Whether it was there: of parallel calls only one gets True."""
    statement = delete(SsoSignIn).where(SsoSignIn.cookie_digest == cookie_digest)
    return session.execute(statement.returning(SsoSignIn.cookie_digest)).first() is not None


def sso_subject_of(session: Session, account_id: uuid.UUID, issuer: str) -> str | None:
    statement = select(SsoIdentity.subject).where(
        SsoIdentity.account_id == account_id, SsoIdentity.issuer == issuer
    )
    return session.execute(statement).scalar_one_or_none()


def sso_owner(session: Session, issuer: str, subject: str) -> uuid.UUID | None:
    statement = select(SsoIdentity.account_id).where(
        SsoIdentity.issuer == issuer, SsoIdentity.subject == subject
    )
    return session.execute(statement).scalar_one_or_none()


def drop_sso_identities(session: Session, account_id: uuid.UUID) -> bool:
    statement = delete(SsoIdentity).where(SsoIdentity.account_id == account_id)
    return session.execute(statement.returning(SsoIdentity.id)).first() is not None


def sign_in_settings(session: Session, *, for_update: bool = False) -> SignInSettings:
    statement = select(SignInSettings)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def mark_seen(session: Session, sign_in_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(SignIn).where(SignIn.id == sign_in_id).values(seen_at=now)
    session.execute(statement, execution_options={KEEPS_SESSIONS: True})


def end(session: Session, sign_in_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(SignIn).where(SignIn.id == sign_in_id, SignIn.ended_at.is_(None))
    session.execute(statement.values(ended_at=now))


def end_expired(
    session: Session, digests: Collection[str], now: dt.datetime, seen_before: dt.datetime
) -> None:
    """End those sessions that are too old, or not used since then."""
    statement = update(SignIn).where(
        SignIn.token_digest.in_(digests),
        SignIn.ended_at.is_(None),
        (SignIn.expires_at <= now) | (SignIn.seen_at <= seen_before),
    )
    session.execute(statement.values(ended_at=now))


def end_all_of(session: Session, account_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(SignIn).where(SignIn.account_id == account_id, SignIn.ended_at.is_(None))
    session.execute(statement.values(ended_at=now))


def live_of(session: Session, account_id: uuid.UUID, now: dt.datetime) -> list[Row[uuid.UUID]]:
    """Oldest first."""
    statement = (
        select(SignIn.id)
        .where(SignIn.account_id == account_id, SignIn.ended_at.is_(None), SignIn.expires_at > now)
        .order_by(SignIn.id)
    )
    return list(session.execute(statement).all())


def live_sessions(
    session: Session, account_id: uuid.UUID | None, now: dt.datetime, seen_after: dt.datetime
) -> Sequence[SignIn]:
    """Sessions that are neither ended, old nor idle, of one account or all; last used first."""
    statement = select(SignIn).where(
        SignIn.ended_at.is_(None), SignIn.expires_at > now, SignIn.seen_at > seen_after
    )
    if account_id is not None:
        statement = statement.where(SignIn.account_id == account_id)
    return session.execute(statement.order_by(SignIn.seen_at.desc(), SignIn.id)).scalars().all()


def knows_device(session: Session, account_id: uuid.UUID, digest: str) -> bool:
    statement = select(Device.id).where(Device.account_id == account_id, Device.digest == digest)
    return session.execute(statement).first() is not None


def keep_device(session: Session, account_id: uuid.UUID, digest: str, now: dt.datetime) -> None:
    statement = insert_into(session, Device).values(
        id=new_id(), account_id=account_id, digest=digest, seen_at=now
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=[Device.account_id, Device.digest], set_={"seen_at": now}
        )
    )


def blocked_until(session: Session, key: str, *, lock: bool) -> dt.datetime | None:
    """Until when no attempt is allowed; the lock makes parallel attempts wait for each other."""
    statement = select(Attempts.blocked_until).where(Attempts.key == key)
    statement = statement.with_for_update() if lock else statement
    return session.execute(statement).scalar_one_or_none()


def count_attempt(session: Session, key: str, now: dt.datetime, within: dt.timedelta) -> int:
    """Count one more; returns the number since the first that is younger than `within`."""
    is_past = Attempts.since <= now - within
    statement = insert_into(session, Attempts).values(key=key, count=1, since=now)
    counted = statement.on_conflict_do_update(
        index_elements=[Attempts.key],
        set_={
            "count": case((is_past, 1), else_=Attempts.count + 1),
            "since": case((is_past, now), else_=Attempts.since),
        },
    )
    return session.execute(counted.returning(Attempts.count)).scalar_one()


def block(session: Session, key: str, until: dt.datetime) -> None:
    session.execute(update(Attempts).where(Attempts.key == key).values(blocked_until=until))


def forget_attempts(session: Session, key: str) -> None:
    session.execute(delete(Attempts).where(Attempts.key == key))


def forget_attempts_like(session: Session, start: str) -> None:
    session.execute(delete(Attempts).where(Attempts.key.startswith(start, autoescape=True)))


def add_reset_link(
    session: Session, account_id: uuid.UUID, digest: str, now: dt.datetime, expires_at: dt.datetime
) -> None:
    """Add a link; older ones of the account become void."""
    void_reset_links(session, account_id, now)
    link = ResetLink(
        id=new_id(), account_id=account_id, token_digest=digest, made_at=now, expires_at=expires_at
    )
    session.add(link)
    session.flush()


def reset_link(session: Session, digest: str) -> ResetLink | None:
    statement = select(ResetLink).where(ResetLink.token_digest == digest)
    return session.execute(statement).scalar_one_or_none()


def use_reset_link(session: Session, link_id: uuid.UUID, now: dt.datetime) -> bool:
    """Mark it as used; returns whether it was unused. Of parallel calls only one gets True."""
    statement = update(ResetLink).where(ResetLink.id == link_id, ResetLink.used_at.is_(None))
    used = session.execute(statement.values(used_at=now).returning(ResetLink.id))
    return used.first() is not None


def void_reset_links(session: Session, account_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(ResetLink).where(
        ResetLink.account_id == account_id, ResetLink.used_at.is_(None)
    )
    session.execute(statement.values(used_at=now))


def challenges_since(
    session: Session, account_id: uuid.UUID, since: dt.datetime
) -> Row[int, dt.datetime | None]:
    """The number of one-time codes mailed since then, and the time of the last one."""
    statement = select(func.count(OtpChallenge.id), func.max(OtpChallenge.made_at)).where(
        OtpChallenge.account_id == account_id, OtpChallenge.made_at > since
    )
    return session.execute(statement).one()


def claim_otp_try(session: Session, digest: str, now: dt.datetime) -> OtpChallenge | None:
    """A live challenge, after one attempt was counted; None if there is none."""
    statement = (
        update(OtpChallenge)
        .where(
            OtpChallenge.challenge_digest == digest,
            OtpChallenge.used_at.is_(None),
            OtpChallenge.expires_at > now,
            OtpChallenge.tries < OTP_TRIES,
        )
        .values(tries=OtpChallenge.tries + 1)
        .returning(OtpChallenge)
    )
    return session.execute(statement).scalar_one_or_none()


def void_challenges(session: Session, account_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(OtpChallenge).where(
        OtpChallenge.account_id == account_id, OtpChallenge.used_at.is_(None)
    )
    session.execute(statement.values(used_at=now))


def second_factor(session: Session, account_id: uuid.UUID) -> SecondFactor | None:
    return session.get(SecondFactor, account_id)


def advance_step(session: Session, account_id: uuid.UUID, step: int) -> bool:
    """Mark the step as used; returns whether it is newer than every used one."""
    statement = update(SecondFactor).where(
        SecondFactor.account_id == account_id, SecondFactor.last_step < step
    )
    advanced = session.execute(
        statement.values(last_step=step).returning(SecondFactor.account_id),
        execution_options={"synchronize_session": False},
    )
    return advanced.first() is not None


def use_recovery_code(
    session: Session, account_id: uuid.UUID, digest: str, now: dt.datetime
) -> bool:
    statement = update(RecoveryCode).where(
        RecoveryCode.account_id == account_id,
        RecoveryCode.digest == digest,
        RecoveryCode.used_at.is_(None),
    )
    used = session.execute(statement.values(used_at=now).returning(RecoveryCode.id))
    return used.first() is not None


def unused_recovery_codes(session: Session, account_id: uuid.UUID) -> int:
    statement = select(func.count(RecoveryCode.id)).where(
        RecoveryCode.account_id == account_id, RecoveryCode.used_at.is_(None)
    )
    return session.execute(statement).scalar_one()


def drop_second_factor(session: Session, account_id: uuid.UUID) -> None:
    session.execute(delete(RecoveryCode).where(RecoveryCode.account_id == account_id))
    session.execute(delete(SecondFactor).where(SecondFactor.account_id == account_id))


def purge(session: Session, before: dt.datetime, devices_before: dt.datetime) -> int:
    """Delete links, codes and counts of before then, and unused devices; the number of rows."""
    dropped = 0
    for statement in (
        delete(ResetLink).where(ResetLink.expires_at < before),
        delete(OtpChallenge).where(OtpChallenge.expires_at < before),
        delete(PasskeyChallenge).where(PasskeyChallenge.expires_at < before),
        delete(SsoSignIn).where(SsoSignIn.expires_at < before),
        delete(Attempts).where(
            Attempts.since < before,
            Attempts.blocked_until.is_(None) | (Attempts.blocked_until < before),
        ),
        delete(Device).where(Device.seen_at < devices_before),
    ):
        dropped += session.execute(statement).rowcount  # type: ignore[attr-defined]
    return dropped
