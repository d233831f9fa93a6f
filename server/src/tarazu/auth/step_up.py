"""Step-up: a fresh proof by the signed-in person, noted on the session, for exports, keys and roles.

A sign-in is a proof as well. What a call needs is declared beside its access level
(`kit.auth_route.StepUp`).
"""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import queries, throttle, two_factor
from tarazu.auth.errors import (
    CodeWrong,
    PasswordWrong,
    StepUpCodeRequired,
    TotpRequired,
    TotpWrong,
)
from tarazu.auth.service import Bearer
from tarazu.auth.tables import SignInMethod
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn, StepUp, StepUpRequired
from tarazu.kit.errors import ApiError
from tarazu.people import service as people
from tarazu.people.service import Staff


@dataclass(frozen=True, slots=True)
class ProofChoices:
    """How a person may prove who they are."""

    has_totp: bool
    has_passkey: bool


def require(session: Session, bearer: Bearer, rule: StepUp, now: dt.datetime) -> None:
    """Let a call pass that needs a fresh proof.

    Raises:
        StepUpRequired: there is none, or it is too old.
    """
    settings = queries.sign_in_settings(session)
    if rule is StepUp.IF_REQUIRED and not settings.step_up:
        return
    limit = dt.timedelta(minutes=settings.step_up_minutes)
    # A proof from the future is from before the clock was set back: it proves nothing.
    if bearer.proved_at is None or not dt.timedelta() <= now - bearer.proved_at < limit:
        raise StepUpRequired


def choices_of(session: Session, caller: Actor) -> ProofChoices:
    """How the caller may prove who they are."""
    account = own_account(session, caller)
    has_passkey = bool(queries.passkeys_of(session, account.id))
    return ProofChoices(two_factor.is_on(session, account.id), has_passkey)


def prove_by_password(
    session: Session, visit: Visit, caller: Actor, password: str, totp_code: str
) -> None:
    """Note a fresh proof on the session: the password, and the code where a second factor is on.

    Raises:
        TooManyAttempts: there were wrong proofs before.
        PasswordWrong, CodeWrong: the attempt is counted.
        StepUpCodeRequired: the password is right, and the code is missing.
    """
    account = own_account(session, caller)
    key = proof_key(account.id)
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if not security.is_password(password, account.password_hash):
        raise refused_proof(session, visit, caller, PasswordWrong())
    try:
        two_factor.check_code(session, account.id, totp_code, visit.now)
    except TotpRequired:
        raise StepUpCodeRequired from None
    except TotpWrong:
        raise refused_proof(session, visit, caller, CodeWrong("totpCode")) from None
    note_proof(session, visit, caller, SignInMethod.PASSWORD)


def note_proof(session: Session, visit: Visit, caller: Actor, method: SignInMethod) -> None:
    """Note on the caller's session that a proof was given now."""
    if caller.session_id is None or caller.account_id is None:
        raise NotSignedIn
    throttle.forget(session, proof_key(caller.account_id))
    queries.mark_proved(session, caller.session_id, visit.now)
    about = ("session", caller.session_id)
    audit_log.record(session, caller, visit.now, "identity_confirmed", about, {"method": method})


def refused_proof(session: Session, visit: Visit, caller: Actor, refusal: ApiError) -> ApiError:
    """Count and record a wrong proof; returns the refusal."""
    account = own_account(session, caller)
    throttle.count_failure(session, visit, proof_key(account.id))
    reason = {"reason": refusal.stable_code}
    about = ("user", account.id)
    audit_log.record(session, caller, visit.now, "confirmation_refused", about, reason)
    return refusal


def proof_key(account_id: uuid.UUID) -> str:
    """The key that counts wrong proofs of a signed-in account, the same as for its password."""
    return f"password:{account_id}"


def own_account(session: Session, caller: Actor) -> Staff:
    """The caller's own account."""
    account = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    if account is None:
        raise NotSignedIn
    return account
