"""Passkeys (WebAuthn): adding, removing, signing in, and proving who is signed in.

A challenge is good once, for a few minutes, for one purpose and one session; the database has its
digest. The domain and the origin that a passkey is bound to are those of TARAZU_PUBLIC_URL.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import webauthn
from sqlalchemy.orm import Session
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    generate_challenge,
    options_to_json_dict,
    parse_client_data_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tarazu.auth import letters, queries, step_up, throttle
from tarazu.auth.entry import Entry, closed, enter, refused
from tarazu.auth.errors import (
    PasskeyNotAdded,
    PasskeyRefused,
    PasskeysUnavailable,
    ProofWrong,
    TooManyPasskeys,
)
from tarazu.auth.tables import Passkey, PasskeyChallenge, PasskeyPurpose, SignInMethod
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import NotThere
from tarazu.kit.settings import Settings
from tarazu.people import service as people

CHALLENGE_LASTS = dt.timedelta(minutes=5)
MOST_PASSKEYS = 20
NAME = "Tarazu"
_ON_THIS_COMPUTER = "localhost"


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Whom a passkey is for: the domain, and the origin of our pages."""

    id: str
    origin: str


def relying_party(settings: Settings) -> RelyingParty | None:
    """The domain and origin of TARAZU_PUBLIC_URL; None where browsers have no passkeys for it."""
    url = urlsplit(settings.public_url)
    host = (url.hostname or "").lower()
    is_secure = url.scheme == "https" or host == _ON_THIS_COMPUTER
    if not host or not is_secure or _is_address(host):
        return None
    return RelyingParty(host, f"{url.scheme}://{url.netloc.lower()}")


def passkeys_of(session: Session, caller: Actor) -> Sequence[Passkey]:
    """The caller's passkeys, oldest first."""
    return queries.passkeys_of(session, step_up.own_account(session, caller).id)


def begin_adding(session: Session, visit: Visit, caller: Actor) -> dict[str, Any]:
    """The options with which the browser makes a passkey.

    Raises:
        PasskeysUnavailable: no address is set.
        TooManyPasskeys: the account has as many as it may.
    """
    party, account = _party_of(visit), step_up.own_account(session, caller)
    present = queries.passkeys_of(session, account.id)
    if len(present) >= MOST_PASSKEYS:
        raise TooManyPasskeys
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=NAME,
        user_id=account.id.bytes,
        user_name=account.email,
        user_display_name=account.name,
        challenge=_new_challenge(session, visit, PasskeyPurpose.ADD, caller.session_id),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_descriptors(present),
    )
    return options_to_json_dict(options)


def add(
    session: Session, visit: Visit, caller: Actor, name: str, credential: Mapping[str, Any]
) -> Passkey:
    """Add a passkey that the browser made.

    Raises:
        PasskeyNotAdded: it does not answer a challenge of this session, or is here already.
    """
    party, account = _party_of(visit), step_up.own_account(session, caller)
    challenge = _used_challenge(session, visit, PasskeyPurpose.ADD, caller.session_id, credential)
    if challenge is None:
        raise _not_added(session, visit, caller, "challenge")
    try:
        verified = webauthn.verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise _not_added(session, visit, caller, type(error).__name__) from None
    credential_id = bytes_to_base64url(verified.credential_id)
    if queries.passkey(session, credential_id) is not None:
        raise _not_added(session, visit, caller, "known")
    passkey = Passkey(
        id=new_id(),
        account_id=account.id,
        credential_id=credential_id,
        public_key=verified.credential_public_key,
        sign_count=verified.sign_count,
        name=name,
        made_at=visit.now,
        used_at=None,
    )
    session.add(passkey)
    session.flush()
    about = ("passkey", passkey.id)
    audit_log.record(session, caller, visit.now, "passkey_added", about, {"name": name})
    mail.queue(session, letters.passkey_changed(account.email, is_added=True), visit.now)
    return passkey


def remove(session: Session, visit: Visit, caller: Actor, passkey_id: uuid.UUID) -> None:
    """Remove one of the caller's passkeys.

    Raises:
        NotThere: the caller has none with this id.
    """
    account = step_up.own_account(session, caller)
    own = {passkey.id: passkey for passkey in queries.passkeys_of(session, account.id)}
    if passkey_id not in own:
        raise NotThere
    passkey = own[passkey_id]
    session.delete(passkey)
    session.flush()
    about = ("passkey", passkey_id)
    audit_log.record(session, caller, visit.now, "passkey_removed", about, {"name": passkey.name})
    mail.queue(session, letters.passkey_changed(account.email, is_added=False), visit.now)


def begin_sign_in(session: Session, visit: Visit) -> dict[str, Any]:
    """The options with which a browser offers the passkeys that it has for us.

    Raises:
        PasskeysUnavailable: no address is set.
        TooManyAttempts: too many from this network address.
    """
    visit.limits.take(f"passkey:{visit.place}", throttle.PASSKEYS)
    return _options(session, visit, PasskeyPurpose.SIGN_IN, None, ())


def sign_in(session: Session, visit: Visit, credential: Mapping[str, Any]) -> Entry:
    """Open a session by a passkey, which is two factors.

    Raises:
        PasskeyRefused: unknown, or wrongly signed; its counter went back; or it was used before.
        OnlyAdminCanLogIn, AwaitsApproval, AccountInactive: only once the passkey is right.
        TooManyAttempts: too many wrong ones from this network address.
    """
    visit.limits.check(f"login:{visit.place}", throttle.FAILED_LOGINS)
    passkey = _checked(session, visit, PasskeyPurpose.SIGN_IN, None, credential)
    account = people.staff_by_id(session, passkey.account_id) if passkey else None
    if passkey is None or account is None:
        visit.limits.count(f"login:{visit.place}", throttle.FAILED_LOGINS)
        raise refused(session, visit, None, PasskeyRefused())
    if (closed_by := closed(account)) is not None:
        raise refused(session, visit, account, closed_by)
    queries.void_reset_links(session, account.id, visit.now)
    return enter(session, visit, account, SignInMethod.PASSKEY, visit.now)


def begin_proof(session: Session, visit: Visit, caller: Actor) -> dict[str, Any]:
    """The options with which the browser asks for one of the caller's passkeys."""
    own = passkeys_of(session, caller)
    return _options(session, visit, PasskeyPurpose.STEP_UP, caller.session_id, own)


def prove(session: Session, visit: Visit, caller: Actor, credential: Mapping[str, Any]) -> None:
    """Note a fresh proof on the session, by one of the caller's own passkeys.

    Raises:
        ProofWrong: as `sign_in` refuses, or another account's; the attempt is counted.
        TooManyAttempts: there were wrong proofs before.
    """
    account = step_up.own_account(session, caller)
    key = step_up.proof_key(account.id)
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    purpose = PasskeyPurpose.STEP_UP
    passkey = _checked(session, visit, purpose, caller.session_id, credential, account.id)
    if passkey is None:
        raise step_up.refused_proof(session, visit, caller, ProofWrong())
    step_up.note_proof(session, visit, caller, SignInMethod.PASSKEY)


def _checked(
    session: Session,
    visit: Visit,
    purpose: PasskeyPurpose,
    session_id: uuid.UUID | None,
    credential: Mapping[str, Any],
    account_id: uuid.UUID | None = None,
) -> Passkey | None:
    """The passkey that signed a challenge of ours, its counter moved on; None where it is refused.

    Args:
        account_id: whose it must be; None for anybody's.
    """
    party = _party_of(visit)
    challenge = _used_challenge(session, visit, purpose, session_id, credential)
    passkey = queries.passkey(session, str(credential.get("id", "")), lock=True)
    if challenge is None or passkey is None or account_id not in {None, passkey.account_id}:
        return None
    try:
        handle = credential.get("response", {}).get("userHandle") or ""
        if handle and base64url_to_bytes(handle) != passkey.account_id.bytes:
            return None
        verified = webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError) as error:
        changes = {"reason": type(error).__name__, "name": passkey.name}
        about = ("passkey", passkey.id)
        audit_log.record(session, visit.nobody, visit.now, "passkey_refused", about, changes)
        return None
    passkey.sign_count, passkey.used_at = verified.new_sign_count, visit.now
    session.flush()
    return passkey


def _options(
    session: Session,
    visit: Visit,
    purpose: PasskeyPurpose,
    session_id: uuid.UUID | None,
    allowed: Sequence[Passkey],
) -> dict[str, Any]:
    options = webauthn.generate_authentication_options(
        rp_id=_party_of(visit).id,
        challenge=_new_challenge(session, visit, purpose, session_id),
        allow_credentials=_descriptors(allowed),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


def _new_challenge(
    session: Session, visit: Visit, purpose: PasskeyPurpose, session_id: uuid.UUID | None
) -> bytes:
    challenge = generate_challenge()
    session.add(
        PasskeyChallenge(
            digest=security.token_digest(bytes_to_base64url(challenge)),
            purpose=purpose,
            session_id=session_id,
            expires_at=visit.now + CHALLENGE_LASTS,
        )
    )
    session.flush()
    return challenge


def _used_challenge(
    session: Session,
    visit: Visit,
    purpose: PasskeyPurpose,
    session_id: uuid.UUID | None,
    credential: Mapping[str, Any],
) -> bytes | None:
    """The challenge that was signed, used up; None where it is not one for this."""
    try:
        signed = parse_client_data_json(
            base64url_to_bytes(credential["response"]["clientDataJSON"])
        ).challenge
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError):
        # A broken answer has no challenge; the caller refuses it.
        return None
    digest = security.token_digest(bytes_to_base64url(signed))
    is_good = queries.use_challenge(session, digest, purpose, session_id, visit.now)
    return signed if is_good else None


def _not_added(session: Session, visit: Visit, caller: Actor, reason: str) -> PasskeyNotAdded:
    about = ("user", caller.account_id)
    audit_log.record(session, caller, visit.now, "passkey_refused", about, {"reason": reason})
    return PasskeyNotAdded()


def _party_of(visit: Visit) -> RelyingParty:
    party = relying_party(visit.settings)
    if party is None:
        raise PasskeysUnavailable
    return party


def _descriptors(passkeys: Sequence[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(id=base64url_to_bytes(passkey.credential_id))
        for passkey in passkeys
    ]


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
