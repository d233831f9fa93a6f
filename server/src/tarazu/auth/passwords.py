"""Passwords: which are refused, changing one, and resetting one by mailed link or one-time code.

A request for an address without an account costs the same work and gets the same answer.
"""

import datetime as dt
import secrets
import uuid
from functools import cache
from pathlib import Path

from sqlalchemy.orm import Session

from tarazu.auth import letters, queries, throttle
from tarazu.auth.errors import (
    CurrentPasswordNeeded,
    CurrentPasswordWrong,
    OtpInvalid,
    PasswordTooCommon,
    PasswordUnchanged,
    PasswordWrong,
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
_COMMON = Path(__file__).with_name("common_passwords.txt")


def refuse_guessable(password: str, email: str, name: str) -> None:
    """Refuse what an attacker tries first: a common password, or the account's e-mail or name.

    Raises:
        PasswordTooCommon: it is one of the 3,000 most common, or the account's e-mail or name.
    """
    typed = password.casefold()
    if typed in {email.casefold(), email.rpartition("@")[0].casefold(), name.casefold()}:
        raise PasswordTooCommon
    if typed in _common_passwords():
        raise PasswordTooCommon


def refuse_unfit(password: str, account: Staff) -> None:
    """Refuse a new password that is guessable or the old one.

    Raises:
        PasswordTooCommon, PasswordUnchanged: it is.
    """
    refuse_guessable(password, account.email, account.name)
    if security.is_password(password, account.password_hash):
        raise PasswordUnchanged


def confirm(
    session: Session,
    visit: Visit,
    account: Staff,
    password: str,
    wrong: type[CurrentPasswordWrong | PasswordWrong],
) -> None:
    """Check that the password is that of the signed-in account.

    Raises:
        TooManyAttempts: there were wrong ones before.
        CurrentPasswordWrong, PasswordWrong: as `wrong` says; the attempt is counted.
    """
    key = f"password:{account.id}"
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if not security.is_password(password, account.password_hash):
        throttle.count_failure(session, visit, key)
        raise wrong
    throttle.forget(session, key)


def replace(
    session: Session, visit: Visit, account: Staff, password: str, actor: Actor, action: str
) -> None:
    """Set a new password: every session ends, every way to reset is void, a notice is mailed."""
    now = visit.now
    people.set_password(session, account.id, security.hash_password(password), now)
    queries.end_all_of(session, account.id, now)
    queries.void_reset_links(session, account.id, now)
    queries.void_challenges(session, account.id, now)
    throttle.forget_account(session, account.email)
    audit_log.record(session, actor, now, action, ("user", account.id), {"password": "changed"})
    mail.queue(session, letters.password_changed(account.email, visit.settings.address), now)


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(_COMMON.read_text(encoding="utf-8").split())


def ask_reset_link(session: Session, visit: Visit, email: str) -> None:
    """Mail a reset link to the account of this address; at most three an hour.

    Raises:
        TooManyAttempts: too many requests from this address of the network.
    """
    visit.limits.take(f"forgot:{visit.place}", throttle.AN_HOUR)
    account = _if_may_sign_in(people.staff_by_email(session, email))
    key = f"forgot:{throttle.digest_of(email)}"
    is_too_often = throttle.is_one_too_many(session, visit, key, throttle.MAILS_AN_HOUR)
    owner = account.id if account else people.any_staff_id(session)
    if owner is not None:
        token = security.new_token()
        link = f"{visit.settings.address}/auth/forgot-password/{token}"
        minutes = int(LINK_LASTS.total_seconds()) // 60
        # Written in every case, and rolled back if nobody may get it: the work is the same.
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
        ResetLinkInvalid: unknown, used, replaced or expired, or its account may not sign in.
        TooManyAttempts: too many wrong links from this address.
        PasswordTooCommon, PasswordUnchanged: the link can be used again.
    """
    link = queries.reset_link(session, security.token_digest(token))
    owner = people.staff_by_id(session, link.account_id) if link else None
    account = _if_may_sign_in(owner)
    if link is None or account is None or link.expires_at <= visit.now:
        raise _wrong_link(visit)
    void_at = account.sessions_void_at
    if link.used_at is not None or (void_at is not None and link.made_at < void_at):
        raise _wrong_link(visit)
    refuse_unfit(password, account)
    if not queries.use_reset_link(session, link.id, visit.now):
        raise _wrong_link(visit)
    replace(session, visit, account, password, visit.nobody, "password_reset")


def change_password(
    session: Session, visit: Visit, caller: Actor, password: str, current: str
) -> None:
    """Set a new password while signed in; an older session must give the current one.

    Raises:
        CurrentPasswordNeeded, CurrentPasswordWrong, TooManyAttempts: the session is older than
            ten minutes, and the current password is missing, wrong, or was wrong too often.
        PasswordTooCommon, PasswordUnchanged: choose another one.
    """
    account = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    entry = queries.sign_in_by_id(session, caller.session_id) if caller.session_id else None
    if account is None or entry is None:
        raise NotSignedIn
    is_old = entry.created_at + FRESH_LOGIN < visit.now
    if is_old and not account.must_change_password:
        if not current:
            raise CurrentPasswordNeeded
        confirm(session, visit, account, current, CurrentPasswordWrong)
    refuse_unfit(password, account)
    replace(session, visit, account, password, caller, "password_changed")


def ask_code(session: Session, visit: Visit, email: str) -> str:
    """Mail a four-digit code; returns the id of the challenge, which reveals nothing.

    One a minute and five a day for an account; other challenges accept no code.

    Raises:
        TooManyAttempts: too many requests from this address.
    """
    visit.limits.take(f"otp:{visit.place}", throttle.AN_HOUR)
    challenge, code = secrets.token_hex(_CHALLENGE_BYTES), f"{secrets.randbelow(10_000):04d}"
    # Hashed before the transaction starts to write.
    code_hash = security.hash_password(code)
    account = _if_may_sign_in(people.staff_by_email(session, email))
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
        OtpInvalid: a wrong, dead or unknown one; the attempt is counted.
    """
    otp = queries.claim_otp_try(session, security.token_digest(challenge), visit.now)
    if otp is None or not security.is_password(code, otp.code_hash):
        raise OtpInvalid
    owner = people.staff_by_id(session, otp.account_id) if otp.account_id else None
    account = _if_may_sign_in(owner)
    if account is None:
        raise OtpInvalid
    void_at = account.sessions_void_at
    if void_at is not None and otp.made_at < void_at:
        raise OtpInvalid
    otp.used_at = visit.now
    token = security.new_token()
    digest, until = security.token_digest(token), visit.now + LINK_LASTS
    queries.add_reset_link(session, account.id, digest, visit.now, until)
    audit_log.record(session, visit.nobody, visit.now, "one_time_code_met", ("user", account.id))
    return token


def purge(session: Session, now: dt.datetime) -> int:
    """Delete expired links, codes and counts, and devices unseen for over a year."""
    return queries.purge(session, now - KEPT, now - DEVICES_KEPT)


def _if_may_sign_in(account: Staff | None) -> Staff | None:
    if account is None or account.role not in STAFF_ROLES:
        return None
    return account if account.is_active and not account.awaits_approval else None


def _wrong_link(visit: Visit) -> ResetLinkInvalid:
    # Only wrong links are limited: a valid one passes whatever others at its address tried.
    visit.limits.take(f"confirm:{visit.place}", throttle.WRONG_LINKS)
    return ResetLinkInvalid()
