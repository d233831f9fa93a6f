"""Accounts: signing up, logging in, logging out, and who a token belongs to."""

import contextlib
import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import queries
from tarazu.auth.errors import (
    AccountInactive,
    AwaitsApproval,
    OnlyAdminCanLogIn,
    PasswordTooCommon,
    SetupCodeWrong,
    SignUpClosed,
    WrongCredentials,
)
from tarazu.auth.tables import SignIn
from tarazu.kit import security, trail
from tarazu.kit.access import SessionExpired
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.errors import Invalid
from tarazu.kit.fields import checked_account
from tarazu.kit.settings import Settings
from tarazu.kit.trail import Actor
from tarazu.people import service as people
from tarazu.people.errors import EmailTaken
from tarazu.people.service import Login, NewPerson, Staff
from tarazu.people.tables import Role

SEEN_EVERY = dt.timedelta(minutes=1)
_FIRST_ACCOUNT_LOCK = 7_270_003
APPROVAL_NOTE = "Your account was created and awaits approval by an administrator."


@dataclass(frozen=True, slots=True)
class Visitor:
    """Where a call comes from."""

    ip: str
    user_agent: str
    request_id: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What a successful sign-up or log-in hands out; no token while approval is awaited."""

    token: str | None
    role: Role
    name: str
    is_first_time: bool = False


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who holds a live token."""

    account_id: uuid.UUID
    session_id: uuid.UUID
    role: Role
    name: str
    email: str
    is_first_time: bool
    is_seen_long_ago: bool


def register(
    session: Session,
    settings: Settings,
    new: NewPerson,
    password: str,
    setup_code: str,
    visitor: Visitor,
    now: dt.datetime,
) -> Entry:
    """Sign up: the first account becomes ADMIN; later ones follow the sign-up mode.

    Raises:
        SignUpClosed: the firm takes no sign-ups, or none from this e-mail domain.
        EmailTaken: open sign-up, and the e-mail address is in use.
        PasswordTooCommon: the password is the account's own e-mail or name.
        SetupCodeWrong: the first sign-up came without the installation's code.
    """
    refuse_own_name(password, new)
    take_turns(session, _FIRST_ACCOUNT_LOCK)
    if not people.has_staff(session):
        if settings.admin_setup_code not in {"", setup_code}:
            raise SetupCodeWrong
        return _enter_new(session, settings, new, password, Role.ADMIN, visitor, now)
    mode = settings.signup_mode
    if mode == "closed" or _is_foreign(mode, new.email):
        raise SignUpClosed
    if mode == "open":
        return _enter_new(session, settings, new, password, Role.USER, visitor, now)
    password_hash = security.hash_password(password)
    # The same answer for an address in use: sign-up must not tell who has an account.
    with contextlib.suppress(EmailTaken):
        people.add_staff(
            session, _nobody(visitor), now, new, Login(Role.USER, password_hash, awaits=True)
        )
    return Entry(None, Role.USER, new.name)


def log_in(
    session: Session,
    settings: Settings,
    email: str,
    password: str,
    visitor: Visitor,
    now: dt.datetime,
) -> Entry:
    """Check a password and open a session.

    Raises:
        WrongCredentials: no such account, or another password; after the same work.
        OnlyAdminCanLogIn, AwaitsApproval, AccountInactive: only once the password is right.
    """
    account = people.staff_by_email(session, email)
    stored = account.password_hash if account else None
    if not security.is_password(password, stored) or account is None or stored is None:
        raise WrongCredentials
    if account.role == Role.CLIENT:
        raise OnlyAdminCanLogIn
    if account.awaits_approval:
        raise AwaitsApproval
    if not account.is_active:
        raise AccountInactive
    if security.is_outdated(stored):
        fresh = security.hash_password(password)
        people.set_password_hash(
            session, account.id, fresh, must_change=account.must_change_password
        )
    return _enter(session, settings, account, visitor, now)


def log_out(session: Session, caller: Actor, now: dt.datetime) -> None:
    """End the caller's session for good."""
    if caller.session_id is not None:
        queries.end(session, caller.session_id, now)
        trail.record(session, caller, now, "logged_out", ("session", caller.session_id))


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
    refuse_own_name(password, new)
    login = Login(Role.ADMIN, security.hash_password(password))
    people.add_staff(session, trail.SYSTEM, now, new, login)


def bearer_of(session: Session, settings: Settings, token: str, now: dt.datetime) -> Bearer:
    """Who holds `token`.

    Raises:
        SessionExpired: unknown, ended, idle or old token, or an account that may not enter.
    """
    found = queries.sign_in_by_digest(session, security.token_digest(token))
    idle = dt.timedelta(minutes=settings.session_idle_minutes)
    if found is None or found.ended_at or found.expires_at <= now or found.seen_at + idle <= now:
        raise SessionExpired
    account = people.staff_by_id(session, found.account_id)
    if account is None or not account.is_active or account.role not in people.STAFF_ROLES:
        raise SessionExpired
    return Bearer(
        account.id,
        found.id,
        account.role,
        account.name,
        account.email,
        account.must_change_password,
        now - found.seen_at >= SEEN_EVERY,
    )


def mark_seen(session: Session, bearer: Bearer, now: dt.datetime) -> None:
    """Keep an active session from idling out."""
    queries.mark_seen(session, bearer.session_id, now)


def refuse_own_name(password: str, new: NewPerson) -> None:
    """Refuse a password that is the account's own e-mail address or name.

    Raises:
        PasswordTooCommon: it is.
    """
    own = {new.email.casefold(), new.email.split("@")[0].casefold(), new.name.casefold()}
    if password.casefold() in own:
        raise PasswordTooCommon


def _enter_new(
    session: Session,
    settings: Settings,
    new: NewPerson,
    password: str,
    role: Role,
    visitor: Visitor,
    now: dt.datetime,
) -> Entry:
    password_hash = security.hash_password(password)
    login = Login(role, password_hash)
    account = people.add_staff(session, _nobody(visitor), now, new, login)
    return _enter(session, settings, account, visitor, now)


def _enter(
    session: Session, settings: Settings, account: Staff, visitor: Visitor, now: dt.datetime
) -> Entry:
    live = queries.live_of(session, account.id, now)
    for oldest in live[: max(0, len(live) - queries.LIVE_SESSIONS + 1)]:
        queries.end(session, oldest.id, now)
    token = security.new_token()
    sign_in = SignIn(
        id=new_id(),
        token_digest=security.token_digest(token),
        account_id=account.id,
        is_first_time=account.must_change_password,
        created_at=now,
        seen_at=now,
        expires_at=now + dt.timedelta(hours=settings.session_hours),
        ip=visitor.ip,
        user_agent=visitor.user_agent[:200],
    )
    session.add(sign_in)
    session.flush()
    who = Actor(account.id, account.role, account.name, sign_in.id, visitor.ip, visitor.request_id)
    trail.record(session, who, now, "logged_in", ("session", sign_in.id))
    return Entry(token, account.role, account.name, account.must_change_password)


def _nobody(visitor: Visitor) -> Actor:
    return Actor(None, "NONE", "", None, visitor.ip, visitor.request_id)


def _is_foreign(mode: str, email: str) -> bool:
    domain = mode.removeprefix("domain:")
    return domain != mode and email.rpartition("@")[2] != domain.casefold()
