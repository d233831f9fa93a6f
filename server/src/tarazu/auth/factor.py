"""The second factor: setting it up, passing it, taking it away."""

import datetime as dt
import secrets
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import letters, passwords, queries, throttle, totp
from tarazu.auth.errors import (
    CodeWrong,
    PasswordWrong,
    SecondFactorIsOn,
    SecondFactorNeeded,
    SecondFactorNotBegun,
    TotpRequired,
    TotpWrong,
)
from tarazu.auth.tables import RecoveryCode, SecondFactor
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, encryption, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn
from tarazu.kit.db import new_id
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Staff
from tarazu.people.tables import Role

ISSUER = "Tarazu"
RECOVERY_CODES = 10
# Without letters and digits that look like each other.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_HALF = 5


@dataclass(frozen=True, slots=True)
class TwoFactorState:
    """How an account stands to its second factor."""

    is_on: bool
    is_required: bool
    recovery_codes_left: int


@dataclass(frozen=True, slots=True)
class Enrolment:
    """What the authenticator app needs, told once."""

    secret: str
    uri: str


def is_due(session: Session, settings: Settings, account_id: uuid.UUID, role: Role) -> bool:
    """Whether the account must set up a second factor before anything else."""
    return _is_required(settings, role) and not _is_on(session, account_id)


def pass_second(session: Session, account_id: uuid.UUID, code: str, now: dt.datetime) -> None:
    """Let pass who has no second factor, or gives its code, or one of the recovery codes.

    Raises:
        TotpRequired: there is a second factor, and no code came.
        TotpWrong: another code, or one that was used before.
    """
    found = queries.second_factor(session, account_id)
    if found is None or found.confirmed_at is None:
        return
    given = code.replace(" ", "").lower()
    if not given:
        raise TotpRequired
    if not _takes(session, found, given, now):
        raise TotpWrong


def standing(session: Session, settings: Settings, caller: Actor) -> TwoFactorState:
    account = _own(session, caller)
    is_on = _is_on(session, account.id)
    left = queries.unused_recovery_codes(session, account.id) if is_on else 0
    return TwoFactorState(is_on, _is_required(settings, account.role), left)


def enrol(session: Session, visit: Visit, caller: Actor, password: str) -> Enrolment:
    """Make a seed; it counts once a code of it is confirmed. A begun enrolment is replaced.

    Raises:
        PasswordWrong, TooManyAttempts: not the owner's password.
        SecondFactorIsOn: take the present one away first.
    """
    account = _own(session, caller)
    passwords.confirm(session, visit, account, password, PasswordWrong)
    if _is_on(session, account.id):
        raise SecondFactorIsOn
    queries.drop_second_factor(session, account.id)
    seed = totp.new_seed()
    sealed = encryption.cipher_of(session).seal(seed, SecondFactor.seed, account.id)
    session.add(SecondFactor(account_id=account.id, seed=sealed, last_step=0, made_at=visit.now))
    session.flush()
    audit_log.record(session, caller, visit.now, "second_factor_begun", ("user", account.id))
    return Enrolment(seed, totp.uri_of(seed, account.email, ISSUER))


def confirm(session: Session, visit: Visit, caller: Actor, code: str) -> list[str]:
    """Turn the second factor on; the recovery codes, told once.

    Raises:
        SecondFactorNotBegun, SecondFactorIsOn: there is nothing to confirm.
        CodeWrong, TooManyAttempts: not the code of now; it is counted.
    """
    account = _own(session, caller)
    found = queries.second_factor(session, account.id)
    if found is None:
        raise SecondFactorNotBegun
    if found.confirmed_at is not None:
        raise SecondFactorIsOn
    key = f"totp:{account.id}"
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if not _takes(session, found, code.replace(" ", ""), visit.now):
        throttle.count_failure(session, visit, key)
        raise CodeWrong
    throttle.forget(session, key)
    found.confirmed_at = visit.now
    codes = [_recovery_code() for _ in range(RECOVERY_CODES)]
    session.add_all(
        RecoveryCode(id=new_id(), account_id=account.id, digest=security.token_digest(one))
        for one in codes
    )
    session.flush()
    _tell(session, visit, caller, account, is_on=True)
    return codes


def disable(session: Session, visit: Visit, caller: Actor, password: str) -> None:
    """Take the second factor away, and its recovery codes.

    Raises:
        SecondFactorNeeded: the installation asks this role for one.
        PasswordWrong, TooManyAttempts: not the owner's password.
    """
    account = _own(session, caller)
    if _is_required(visit.settings, account.role):
        raise SecondFactorNeeded
    passwords.confirm(session, visit, account, password, PasswordWrong)
    queries.drop_second_factor(session, account.id)
    _tell(session, visit, caller, account, is_on=False)


def _takes(session: Session, found: SecondFactor, given: str, now: dt.datetime) -> bool:
    if len(given) != totp.DIGITS or not given.isdecimal():
        digest = security.token_digest(given)
        return queries.use_recovery_code(session, found.account_id, digest, now)
    seed = encryption.cipher_of(session).unseal(found.seed, SecondFactor.seed, found.account_id)
    step = totp.step_of(seed, given, now)
    return step is not None and queries.advance_step(session, found.account_id, step)


def _tell(session: Session, visit: Visit, caller: Actor, account: Staff, *, is_on: bool) -> None:
    action = "second_factor_set_up" if is_on else "second_factor_taken_away"
    audit_log.record(session, caller, visit.now, action, ("user", account.id))
    mail.queue(session, letters.second_factor_changed(account.email, is_on=is_on), visit.now)


def _own(session: Session, caller: Actor) -> Staff:
    account = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    if account is None:
        raise NotSignedIn
    return account


def _is_on(session: Session, account_id: uuid.UUID) -> bool:
    found = queries.second_factor(session, account_id)
    return found is not None and found.confirmed_at is not None


def _is_required(settings: Settings, role: Role) -> bool:
    return settings.require_totp in {"ALL", role.value}


def _recovery_code() -> str:
    letters_ = "".join(secrets.choice(_ALPHABET) for _ in range(2 * _HALF))
    return f"{letters_[:_HALF]}-{letters_[_HALF:]}"
