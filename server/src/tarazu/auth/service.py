"""Accounts: sign-up, log-in, log-out, and the bearer of a token."""

import contextlib
import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import passwords, queries, sign_in_settings, throttle, two_factor
from tarazu.auth.entry import Entry, closed, enter, refused
from tarazu.auth.errors import (
    PasswordsOff,
    SessionRanOut,
    SetupCodeWrong,
    SignUpClosed,
    TotpWrong,
    WrongCredentials,
)
from tarazu.auth.tables import SignIn, SignInMethod
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import SessionExpired
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import ApiError, Invalid
from tarazu.kit.fields import checked_account
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.errors import EmailTaken
from tarazu.people.service import Login, NewPerson, Staff
from tarazu.people.tables import Role

SEEN_EVERY = dt.timedelta(minutes=1)
_NO_ACCOUNT = uuid.UUID(int=0)
APPROVAL_NOTE = "Your account was created and awaits approval by an administrator."


@dataclass(frozen=True, slots=True)
class ComparedPassword:
    """A password after its comparison: with which hash, and whether it matches."""

    email: str
    password: str
    stored: str | None
    matches: bool
    key: str


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who holds a live token; valid until `lives_until`, or longer if the session is used."""

    account_id: uuid.UUID
    session_id: uuid.UUID
    role: Role
    name: str
    email: str
    is_first_time: bool
    is_seen_long_ago: bool
    is_second_factor_due: bool
    device_digest: str | None
    lives_until: dt.datetime
    proved_at: dt.datetime | None


def register(
    session: Session, visit: Visit, new: NewPerson, password: str, setup_code: str
) -> Entry:
    """Sign up: the first account becomes ADMIN; later ones follow the sign-up mode.

    Raises:
        TooManyAttempts: too many sign-ups from this address within the hour.
        SignUpClosed: sign-up is closed, or closed to this e-mail domain.
        EmailTaken: open sign-up, and the e-mail address is in use.
        PasswordTooCommon: the password is a common one, or the account's own e-mail or name.
        SetupCodeWrong: the first sign-up came without the installation's code.
    """
    visit.limits.take(f"register:{visit.place}", throttle.AN_HOUR)
    passwords.refuse_guessable(password, new.email, new.name)
    # Hashed before the transaction starts to write.
    password_hash = security.hash_password(password)
    settings = visit.settings
    acquire_lock(session, AdvisoryLock.FIRST_ACCOUNT)
    if not people.has_staff(session):
        if settings.admin_setup_code not in {"", setup_code}:
            raise SetupCodeWrong
        return _enter_new(session, visit, new, Login(Role.ADMIN, password_hash))
    mode = settings.signup_mode
    if mode == "closed" or _is_foreign(mode, new.email):
        raise SignUpClosed
    if mode == "open":
        return _enter_new(session, visit, new, Login(Role.USER, password_hash))
    # The same answer for an address in use: sign-up must not reveal who has an account.
    with contextlib.suppress(EmailTaken):
        people.add_staff(
            session, visit.nobody, visit.now, new, Login(Role.USER, password_hash, awaits=True)
        )
    return Entry(None, Role.USER, new.name)


def needs_setup_code(session: Session, settings: Settings) -> bool:
    """Whether the next sign-up needs the set-up code: only the first one, if a code is set."""
    return settings.admin_setup_code != "" and not people.has_staff(session)


def attempt_key(visit: Visit, email: str) -> str:
    """The key by which log-ins are counted: the account, and the browser if the account knows it.

    A known browser is not limited by its network address, which a whole mobile network may share.

    Raises:
        TooManyAttempts: this network address must wait.
    """
    with visit.database.reading() as session:
        account = people.staff_by_email(session, email)
        digest = visit.device_digest
        owner = account.id if account else _NO_ACCOUNT
        is_known = digest is not None and queries.knows_device(session, owner, digest)
    if not is_known:
        visit.limits.check(f"login:{visit.place}", throttle.FAILED_LOGINS)
    return throttle.login_key(email, digest if is_known else None)


def check_password(visit: Visit, email: str, password: str, key: str) -> ComparedPassword:
    """Compare a password, at the same cost whether the account exists or not.

    Before the transaction of the log-in, so that no hash blocks a writer; one at a time for each
    `key`, so that many requests at once cannot exceed the limit.

    Raises:
        TooManyAttempts: this account must wait.
    """
    with visit.database.reading() as session:
        account = people.staff_by_email(session, email)
        throttle.refuse_waiting(session, key, visit.now)
    stored = account.password_hash if account else None
    return ComparedPassword(email, password, stored, security.is_password(password, stored), key)


def log_in(session: Session, visit: Visit, checked: ComparedPassword, totp_code: str) -> Entry:
    """Open a session after the right password, and the right code if a second factor is set up.

    Raises:
        WrongCredentials: no such account, a wrong password, or an expired temporary one.
        OnlyAdminCanLogIn, AwaitsApproval, AccountInactive, PasswordsOff: only once the password
            is right.
        TotpRequired, TotpWrong: the code of the second factor is missing or wrong.
        TooManyAttempts: the account must wait after other attempts.
    """
    # Checked again: other requests may have failed since the password was compared.
    throttle.refuse_waiting(session, checked.key, visit.now, lock=True)
    account = people.staff_by_email(session, checked.email)
    if account is None or not _fits(account, checked, visit.now):
        raise refused(session, visit, account, WrongCredentials(), checked.key)
    if (closed_by := closed(account)) is not None:
        raise refused(session, visit, account, closed_by)
    if not sign_in_settings.admits_password(session, visit.settings, account.role):
        raise refused(session, visit, account, PasswordsOff())
    try:
        two_factor.check_code(session, account.id, totp_code, visit.now)
    except TotpWrong as wrong:
        raise refused(session, visit, account, wrong, checked.key) from None
    throttle.forget(session, checked.key)
    if security.is_outdated(checked.stored or ""):
        fresh = security.hash_password(checked.password)
        people.set_password_hash(
            session, account.id, fresh, must_change=account.must_change_password
        )
    queries.void_reset_links(session, account.id, visit.now)
    return enter(session, visit, account, SignInMethod.PASSWORD, visit.now)


def log_out(session: Session, caller: Actor, now: dt.datetime) -> None:
    """End the caller's session for good."""
    if caller.session_id is not None:
        queries.end(session, caller.session_id, now)
        audit_log.record(session, caller, now, "logged_out", ("session", caller.session_id))


def create_admin(session: Session, name: str, email: str, password: str, now: dt.datetime) -> None:
    """Make an ADMIN from the command line, whatever the sign-up mode.

    Raises:
        Invalid: the e-mail address or the password does not fit.
        EmailTaken: the e-mail address is in use.
    """
    try:
        new = NewPerson(name.strip(), checked_account(email, password)[0])
    except ValueError as error:
        raise Invalid(str(error)) from error
    passwords.refuse_guessable(password, new.email, new.name)
    login = Login(Role.ADMIN, security.hash_password(password))
    people.add_staff(session, audit_log.SYSTEM, now, new, login)


def bearer_of(session: Session, settings: Settings, token: str, now: dt.datetime) -> Bearer:
    """Who holds `token`.

    Raises:
        SessionExpired: an unknown or ended token, or an account that may not sign in.
        SessionRanOut: an idle or old token; the caller must call `end_expired`.
    """
    sign_in = queries.sign_in_by_digest(session, security.token_digest(token))
    idle = dt.timedelta(minutes=settings.session_idle_minutes)
    if sign_in is None or sign_in.ended_at:
        raise SessionExpired
    if sign_in.expires_at <= now or sign_in.seen_at + idle <= now:
        raise SessionRanOut
    account = people.staff_by_id(session, sign_in.account_id)
    if account is None or not account.is_active or account.role not in people.STAFF_ROLES:
        raise SessionExpired
    if account.sessions_void_at is not None and sign_in.created_at < account.sessions_void_at:
        raise SessionExpired
    return Bearer(
        account.id,
        sign_in.id,
        account.role,
        account.name,
        account.email,
        account.must_change_password,
        now - sign_in.seen_at >= SEEN_EVERY,
        two_factor.is_due(session, settings, account.id, account.role, sign_in.method),
        sign_in.device_digest,
        min(sign_in.expires_at, sign_in.seen_at + idle),
        sign_in.proved_at,
    )


def is_second_factor_due(session: Session, settings: Settings, caller: Actor) -> bool:
    """Whether the caller's session is good for nothing before a second factor is set up."""
    sign_in = queries.sign_in_by_id(session, caller.session_id) if caller.session_id else None
    account = people.staff_by_id(session, sign_in.account_id) if sign_in else None
    if sign_in is None or account is None:
        return False
    return two_factor.is_due(session, settings, account.id, account.role, sign_in.method)


def live_tokens(
    session: Session, settings: Settings, tokens: Collection[str], now: dt.datetime
) -> set[str]:
    """Those of `tokens` that `bearer_of` would accept, of accounts with nothing to set up first.

    One query for all; it does not keep a session alive.
    """
    by_digest = {security.token_digest(token): token for token in tokens}
    seen_after = now - dt.timedelta(minutes=settings.session_idle_minutes)
    live = queries.live_digests(session, by_digest, people.STAFF_ROLES, now, seen_after)
    return {by_digest[digest] for digest in live}


def end_expired(
    session: Session, settings: Settings, tokens: Collection[str], now: dt.datetime
) -> None:
    """End those sessions that are idle or old in the database: the clock may be set back."""
    digests = [security.token_digest(token) for token in tokens]
    seen_before = now - dt.timedelta(minutes=settings.session_idle_minutes)
    queries.end_expired(session, digests, now, seen_before)


def mark_seen(session: Session, bearer: Bearer, now: dt.datetime) -> None:
    """Keep an active session from idling out."""
    queries.mark_seen(session, bearer.session_id, now)


def record_refused_call(session: Session, caller: Actor, now: dt.datetime, call: str) -> None:
    """Record that somebody called what the role does not allow."""
    audit_log.record(session, caller, now, "permission_refused", ("call", call))


def _fits(account: Staff, checked: ComparedPassword, now: dt.datetime) -> bool:
    is_past = account.temporary_until is not None and account.temporary_until <= now
    # If the hash has changed since, the password must be entered again.
    return checked.matches and checked.stored == account.password_hash and not is_past


def _enter_new(session: Session, visit: Visit, new: NewPerson, login: Login) -> Entry:
    account = people.add_staff(session, visit.nobody, visit.now, new, login)
    return enter(session, visit, account, SignInMethod.PASSWORD, visit.now)


def _is_foreign(mode: str, email: str) -> bool:
    domain = mode.removeprefix("domain:")
    return domain != mode and email.rpartition("@")[2] != domain.casefold()
