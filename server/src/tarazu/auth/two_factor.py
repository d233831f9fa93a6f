"""The second factor: enrolment, checking codes, removal (TOTP, RFC 6238).

One-time passwords use SHA-1, six digits and steps of 30 seconds, as authenticator apps do.
"""

import datetime as dt
import secrets
import uuid
from dataclasses import dataclass

import pyotp
from sqlalchemy.orm import Session

from tarazu.auth import letters, passwords, queries, throttle
from tarazu.auth.errors import (
    CodeWrong,
    PasswordWrong,
    SecondFactorIsOn,
    SecondFactorNeeded,
    SecondFactorNotBegun,
    TotpRequired,
    TotpWrong,
)
from tarazu.auth.tables import RecoveryCode, SecondFactor, SignInMethod
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, encryption, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Staff
from tarazu.people.tables import Role

ISSUER = "Tarazu"
STEP_SECONDS = 30
DIGITS = 6
DRIFT = 1
"""Steps by which the clocks may differ, in either direction."""
RECOVERY_CODES = 10
# Without letters and digits that look like each other.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_HALF = 5


@dataclass(frozen=True, slots=True)
class TwoFactorState:
    """Whether an account has a second factor, and needs one."""

    is_on: bool
    is_required: bool
    recovery_codes_left: int


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What the authenticator app needs; shown once."""

    secret: str
    uri: str


def is_due(
    session: Session,
    settings: Settings,
    account_id: uuid.UUID,
    role: Role,
    method: SignInMethod,
) -> bool:
    """Whether the account must set up a second factor before anything else.

    A passkey is two factors: what the person has, unlocked by what they know or are.
    """
    if method is SignInMethod.PASSKEY or not _is_required(settings, role):
        return False
    return not is_on(session, account_id)


def is_on(session: Session, account_id: uuid.UUID) -> bool:
    """Whether the account has a confirmed second factor."""
    factor = queries.second_factor(session, account_id)
    return factor is not None and factor.confirmed_at is not None


def check_code(session: Session, account_id: uuid.UUID, code: str, now: dt.datetime) -> None:
    """Check the code, or recovery code, of an account that has a second factor.

    Raises:
        TotpRequired: no code was given.
        TotpWrong: a wrong code, or one that was used before.
    """
    factor = queries.second_factor(session, account_id)
    if factor is None or factor.confirmed_at is None:
        return
    code = code.replace(" ", "").lower()
    if not code:
        raise TotpRequired
    if not _accepts(session, factor, code, now):
        raise TotpWrong


def state_of(session: Session, settings: Settings, caller: Actor) -> TwoFactorState:
    account = _own(session, caller)
    has_factor = is_on(session, account.id)
    left = queries.unused_recovery_codes(session, account.id) if has_factor else 0
    return TwoFactorState(has_factor, _is_required(settings, account.role), left)


def enrol(session: Session, visit: Visit, caller: Actor, password: str) -> Enrolment:
    """Make a seed; it takes effect once a code is confirmed. An unconfirmed one is replaced.

    Raises:
        PasswordWrong, TooManyAttempts: not the owner's password.
        SecondFactorIsOn: remove the current one first.
    """
    account = _own(session, caller)
    passwords.confirm(session, visit, account, password, PasswordWrong)
    acquire_lock(session, AdvisoryLock.SETTINGS)
    if is_on(session, account.id):
        raise SecondFactorIsOn
    queries.drop_second_factor(session, account.id)
    seed = pyotp.random_base32()
    sealed = encryption.cipher_of(session).seal(seed, SecondFactor.seed, account.id)
    session.add(SecondFactor(account_id=account.id, seed=sealed, last_step=0, made_at=visit.now))
    session.flush()
    audit_log.record(session, caller, visit.now, "second_factor_begun", ("user", account.id))
    return Enrolment(
        seed, pyotp.TOTP(seed).provisioning_uri(name=account.email, issuer_name=ISSUER)
    )


def confirm(session: Session, visit: Visit, caller: Actor, code: str) -> list[str]:
    """Turn the second factor on; returns the recovery codes, shown once.

    Raises:
        SecondFactorNotBegun, SecondFactorIsOn: there is nothing to confirm.
        CodeWrong, TooManyAttempts: not the current code; the attempt is counted.
    """
    account = _own(session, caller)
    factor = queries.second_factor(session, account.id)
    if factor is None:
        raise SecondFactorNotBegun
    if factor.confirmed_at is not None:
        raise SecondFactorIsOn
    key = f"totp:{account.id}"
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if not _accepts(session, factor, code.replace(" ", ""), visit.now):
        throttle.count_failure(session, visit, key)
        raise CodeWrong
    throttle.forget(session, key)
    factor.confirmed_at = visit.now
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    session.add_all(
        RecoveryCode(id=new_id(), account_id=account.id, digest=security.token_digest(code))
        for code in codes
    )
    session.flush()
    _report(session, visit, caller, account, is_on=True)
    return codes


def disable(session: Session, visit: Visit, caller: Actor, password: str) -> None:
    """Remove the second factor and its recovery codes.

    Raises:
        SecondFactorNeeded: the installation requires one for this role.
        PasswordWrong, TooManyAttempts: not the owner's password.
    """
    account = _own(session, caller)
    if _is_required(visit.settings, account.role):
        raise SecondFactorNeeded
    passwords.confirm(session, visit, account, password, PasswordWrong)
    queries.drop_second_factor(session, account.id)
    _report(session, visit, caller, account, is_on=False)


def _accepts(session: Session, factor: SecondFactor, given: str, now: dt.datetime) -> bool:
    if len(given) != DIGITS or not given.isdecimal():
        digest = security.token_digest(given)
        return queries.use_recovery_code(session, factor.account_id, digest, now)
    seed = encryption.cipher_of(session).unseal(factor.seed, SecondFactor.seed, factor.account_id)
    step = step_of(seed, given, now)
    return step is not None and queries.advance_step(session, factor.account_id, step)


def _report(session: Session, visit: Visit, caller: Actor, account: Staff, *, is_on: bool) -> None:
    action = "second_factor_set_up" if is_on else "second_factor_taken_away"
    audit_log.record(session, caller, visit.now, action, ("user", account.id))
    mail.queue(session, letters.second_factor_changed(account.email, is_on=is_on), visit.now)


def _own(session: Session, caller: Actor) -> Staff:
    account = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    if account is None:
        raise NotSignedIn
    return account


def _is_required(settings: Settings, role: Role) -> bool:
    return settings.require_totp in {"ALL", role.value}


def _recovery_code() -> str:
    letters_ = "".join(secrets.choice(_ALPHABET) for _ in range(2 * _HALF))
    return f"{letters_[:_HALF]}-{letters_[_HALF:]}"


def step_at(now: dt.datetime) -> int:
    """The number of the step that `now` is in."""
    return int(now.timestamp()) // STEP_SECONDS


def step_of(seed: str, code: str, now: dt.datetime) -> int | None:
    """The step that `code` belongs to, of those that are near enough; None when of none."""
    here = step_at(now)
    one_time = pyotp.HOTP(seed)
    matching = None
    # Every step is compared, so that the duration reveals nothing.
    for step in range(here - DRIFT, here + DRIFT + 1):
        if one_time.verify(code, step):
            matching = step
    return matching
