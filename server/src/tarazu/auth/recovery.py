"""Getting in again: the mailed link, the one-time code, and setting a new password.

An address without an account costs the same work and gets the same answer as one with.
"""

import datetime as dt
import secrets
import uuid

from sqlalchemy.orm import Session

from tarazu.auth import letters, passwords, queries, throttle
from tarazu.auth.errors import (
    CurrentPasswordNeeded,
    CurrentPasswordWrong,
    OtpInvalid,
    ResetLinkInvalid,
)
from tarazu.auth.tables import OtpChallenge
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn
from tarazu.kit.db import new_id
from tarazu.people import service as people
from tarazu.people.service import STAFF_ROLES, Staff

LINK_LASTS = dt.timedelta(minutes=30)
CODE_LASTS = dt.timedelta(minutes=10)
CODES_APART = dt.timedelta(seconds=60)
CODES_A_DAY = 5
FRESH_LOGIN = dt.timedelta(minutes=10)
KEPT = dt.timedelta(days=2)
DEVICES_KEPT = dt.timedelta(days=400)
_NO_ACCOUNT = uuid.UUID(int=0)
_CHALLENGE_BYTES = 16


def ask_reset_link(session: Session, visit: Visit, email: str) -> None:
    """Mail a link to whoever has an account under this address; at most three an hour.

    Raises:
        TooManyAttempts: too many requests from this address of the network.
    """
    visit.limits.take(f"forgot:{visit.place}", throttle.AN_HOUR)
    account = _who_may_enter(people.staff_by_email(session, email))
    key = f"forgot:{throttle.digest_of(email)}"
    is_too_often = throttle.is_one_too_many(session, visit, key, throttle.MAILS_AN_HOUR)
    stand_in = people.any_staff_id(session)
    owner = account.id if account else stand_in
    if owner is not None:
        token = security.new_token()
        link = f"{visit.settings.address}/auth/forgot-password/{token}"
        minutes = int(LINK_LASTS.total_seconds()) // 60
        # Written in every case, and taken back where nobody shall get it: the work is the same.
        with session.begin_nested() as written:
            digest = security.token_digest(token)
            queries.add_reset_link(session, owner, digest, visit.now, visit.now + LINK_LASTS)
            mail.queue(session, letters.reset_link(email, link, minutes), visit.now)
            if account is None or is_too_often:
                written.rollback()
    who = account.id if account else "unknown"
    audit_log.record(session, visit.nobody, visit.now, "reset_link_asked", ("user", who))


def confirm_reset(session: Session, visit: Visit, token: str, password: str) -> None:
    """Set a new password by a mailed link, or by the token of a one-time code.

    Raises:
        ResetLinkInvalid: unknown, used, replaced or old, or its account may not enter.
        TooManyAttempts: too many wrong links from this address.
        PasswordTooCommon, PasswordUnchanged: the link stays good for another try.
    """
    link = queries.reset_link(session, security.token_digest(token))
    found = people.staff_by_id(session, link.account_id) if link else None
    account = _who_may_enter(found)
    if link is None or account is None or link.expires_at <= visit.now:
        raise _wrong_link(visit)
    void_at = account.sessions_void_at
    if link.used_at is not None or (void_at is not None and link.made_at < void_at):
        raise _wrong_link(visit)
    passwords.refuse_unfit(password, account)
    if not queries.use_reset_link(session, link.id, visit.now):
        raise _wrong_link(visit)
    passwords.replace(session, visit, account, password, visit.nobody, "password_reset")


def change_password(
    session: Session, visit: Visit, caller: Actor, password: str, current: str
) -> None:
    """Set a new password while signed in. An older session must also know the present one.

    Raises:
        CurrentPasswordNeeded, CurrentPasswordWrong, TooManyAttempts: the session is older than
            ten minutes, and the present password is missing, wrong, or was so too often.
        PasswordTooCommon, PasswordUnchanged: another one must be chosen.
    """
    account = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    entry = queries.sign_in_by_id(session, caller.session_id) if caller.session_id else None
    if account is None or entry is None:
        raise NotSignedIn
    is_old = entry.created_at + FRESH_LOGIN < visit.now
    if is_old and not account.must_change_password:
        if not current:
            raise CurrentPasswordNeeded
        passwords.confirm(session, visit, account, current, CurrentPasswordWrong)
    passwords.refuse_unfit(password, account)
    passwords.replace(session, visit, account, password, caller, "password_changed")


def ask_code(session: Session, visit: Visit, email: str) -> str:
    """Mail a four-digit code; the id of the challenge, which tells nothing about the account.

    One a minute and five a day for an account; others get a challenge that no code meets.

    Raises:
        TooManyAttempts: too many requests from this address.
    """
    visit.limits.take(f"otp:{visit.place}", throttle.AN_HOUR)
    challenge, code = secrets.token_hex(_CHALLENGE_BYTES), f"{secrets.randbelow(10_000):04d}"
    # Hashed before the transaction asks for its turn to write.
    code_hash = security.hash_password(code)
    account = _who_may_enter(people.staff_by_email(session, email))
    owner = account.id if account else _NO_ACCOUNT
    since = visit.now - dt.timedelta(days=1)
    count, last_at = queries.challenges_since(session, owner, since)
    is_early = last_at is not None and visit.now - last_at < CODES_APART
    is_too_often = count >= visit.limits.scaled(CODES_A_DAY)
    is_real = account is not None and not is_early and not is_too_often
    session.add(
        OtpChallenge(
            id=new_id(),
            challenge_digest=security.token_digest(challenge),
            account_id=owner if is_real else None,
            code_hash=code_hash,
            tries=0,
            made_at=visit.now,
            expires_at=visit.now + CODE_LASTS,
        )
    )
    session.flush()
    minutes = int(CODE_LASTS.total_seconds()) // 60
    with session.begin_nested() as written:
        mail.queue(session, letters.one_time_code(email, code, minutes), visit.now)
        if not is_real:
            written.rollback()
    who = account.id if account else "unknown"
    audit_log.record(session, visit.nobody, visit.now, "one_time_code_asked", ("user", who))
    return challenge


def verify_code(session: Session, visit: Visit, challenge: str, code: str) -> str:
    """The token that sets a new password, for the right code of a live challenge.

    Raises:
        OtpInvalid: wrong, dead or unknown; a try is used up.
    """
    found = queries.claim_otp_try(session, security.token_digest(challenge), visit.now)
    if found is None or not security.is_password(code, found.code_hash):
        raise OtpInvalid
    owner = people.staff_by_id(session, found.account_id) if found.account_id else None
    account = _who_may_enter(owner)
    if account is None:
        raise OtpInvalid
    void_at = account.sessions_void_at
    if void_at is not None and found.made_at < void_at:
        raise OtpInvalid
    found.used_at = visit.now
    token = security.new_token()
    digest, until = security.token_digest(token), visit.now + LINK_LASTS
    queries.add_reset_link(session, account.id, digest, visit.now, until)
    audit_log.record(session, visit.nobody, visit.now, "one_time_code_met", ("user", account.id))
    return token


def purge(session: Session, now: dt.datetime) -> int:
    """Drop links, codes and counts that are past, and devices unseen for over a year."""
    return queries.purge(session, now - KEPT, now - DEVICES_KEPT)


def _who_may_enter(account: Staff | None) -> Staff | None:
    if account is None or account.role not in STAFF_ROLES:
        return None
    return account if account.is_active and not account.awaits_approval else None


def _wrong_link(visit: Visit) -> ResetLinkInvalid:
    # Wrong ones alone are held up: a good link passes, whatever others at its address tried.
    visit.limits.take(f"confirm:{visit.place}", throttle.WRONG_LINKS)
    return ResetLinkInvalid()
