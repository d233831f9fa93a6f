"""Single sign-on by the firm's OpenID Connect provider (authorisation code with PKCE).

No account is made by it: who signs in has an active staff account with the e-mail address that the
provider has verified. The first sign-in links the account with the provider's subject.

A sign-in lives in one row, found by a cookie of the browser. State, nonce and verifier are derived
from the cookie or stored as digests, so that the database alone opens nothing. Back from the
provider the browser gets a new cookie, which the page exchanges once for a session.
"""

import datetime as dt
import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

import structlog
from sqlalchemy.orm import Session

from tarazu.auth import queries, throttle, two_factor
from tarazu.auth.adapters.identity_provider import (
    Identity,
    IdentityProvider,
    ProviderFailed,
    TokenRefused,
)
from tarazu.auth.entry import Entry, closed, enter, refused
from tarazu.auth.errors import (
    SsoEmailUnknown,
    SsoEmailUnverified,
    SsoExpired,
    SsoForeignDomain,
    SsoNotSetUp,
    SsoOtherPerson,
    SsoProviderFailed,
    SsoRefused,
    TotpWrong,
)
from tarazu.auth.tables import SignInMethod, SsoIdentity, SsoSignIn
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, security
from tarazu.kit.db import new_id
from tarazu.kit.errors import ApiError
from tarazu.people import service as people
from tarazu.people.service import Staff

log = structlog.get_logger()

AT_PROVIDER: Final = dt.timedelta(minutes=10)
"""How long a person may take at the provider."""
BACK: Final = dt.timedelta(minutes=5)
"""How long the page has for the exchange, with the authenticator's code where one is asked for."""
CALLBACK: Final = "/api/v1/auth/sso/callback"
PAGE: Final = "/auth/sso"
"""The page that ends a sign-in; its address says nothing of how it went."""

_REFUSALS: Final[dict[str, type[ApiError]]] = {
    kind.__name__: kind
    for kind in (
        SsoEmailUnknown,
        SsoEmailUnverified,
        SsoExpired,
        SsoForeignDomain,
        SsoOtherPerson,
        SsoProviderFailed,
        SsoRefused,
    )
}


@dataclass(frozen=True, slots=True)
class Begun:
    """Where the browser goes, and the cookie it takes along."""

    address: str
    cookie: str


def begin(visit: Visit) -> Begun:
    """Begin a sign-in at the provider.

    Raises:
        SsoNotSetUp: there is no provider.
        SsoProviderFailed: it does not answer.
        TooManyAttempts: too many from this network address.
    """
    if not visit.settings.has_sso:
        raise SsoNotSetUp
    visit.limits.take(f"sso:{visit.place}", throttle.PASSKEYS)
    cookie, state = security.new_token(), security.new_token()
    try:
        address = _provider(visit).authorization_address(
            state, _derived("nonce", cookie), _derived("verifier", cookie)
        )
    except ProviderFailed as failure:
        log.warning("sso_provider_failed", error=str(failure))
        raise SsoProviderFailed from None
    with visit.database.transaction() as session:
        row = SsoSignIn(
            cookie_digest=security.token_digest(cookie),
            state_digest=security.token_digest(state),
            refusal="",
            expires_at=visit.now + AT_PROVIDER,
        )
        session.add(row)
    return Begun(address, cookie)


def come_back(visit: Visit, cookie: str, state: str, code: str) -> str | None:
    """End what the provider sent back; returns the new cookie, whichever way it went.

    None where this browser has begun nothing: the page then says that it has expired.

    Each refusal is recorded; the page says what the person should know.

    Raises:
        SsoNotSetUp: there is no provider.
        TooManyAttempts: too many from this network address.
    """
    if not visit.settings.has_sso:
        raise SsoNotSetUp
    visit.limits.take(f"sso-return:{visit.place}", throttle.PASSKEYS)
    identity, refusal, reason = _returned(visit, cookie, state, code)
    fresh = security.new_token()
    with visit.database.transaction() as session:
        account = None
        if identity is not None:
            account, refusal = _account_of(session, visit, identity)
        if refusal is not None:
            _record(session, visit, account, refusal, reason)
        if isinstance(refusal, SsoExpired):
            return None
        row = SsoSignIn(
            cookie_digest=security.token_digest(fresh),
            account_id=account.id if account and refusal is None else None,
            proved_at=identity.proved_at if identity else None,
            refusal=type(refusal).__name__ if refusal else "",
            expires_at=visit.now + BACK,
        )
        session.add(row)
    return fresh


def _returned(
    visit: Visit, cookie: str, state: str, code: str
) -> tuple[Identity | None, ApiError | None, str]:
    """Whom the provider sent back; or else the refusal, and its reason for the audit trail."""
    with visit.database.transaction() as session:
        is_ours = bool(cookie) and queries.take_sso_begun(
            session, security.token_digest(cookie), security.token_digest(state), visit.now
        )
    if not is_ours:
        return None, SsoExpired(), "state"
    if not code:
        # The person turned back, or the provider let nobody in.
        return None, SsoRefused(), "no_code"
    nonce, verifier = _derived("nonce", cookie), _derived("verifier", cookie)
    try:
        return _provider(visit).identity_of(code, nonce, verifier, visit.now), None, ""
    except ProviderFailed as failure:
        return None, SsoProviderFailed(), str(failure)
    except TokenRefused as fault:
        return None, SsoRefused(), str(fault)


def finish(session: Session, visit: Visit, cookie: str, totp_code: str) -> Entry:
    """Open the session for which the browser came back. A missing code may be given later.

    Raises:
        SsoExpired: nobody came back with this cookie, or too long ago, or it was used.
        SsoRefused and its like: as the provider or its token was.
        OnlyAdminCanLogIn, AwaitsApproval, AccountInactive: as at a log-in with a password.
        TotpRequired, TotpWrong: the account's own second factor is asked for as well.
        TooManyAttempts: there were wrong codes before.
    """
    digest = security.token_digest(cookie)
    row = queries.sso_returned(session, digest, visit.now)
    if row is None:
        raise SsoExpired
    if row.refusal:
        queries.drop_sso_sign_in(session, digest)
        raise _REFUSALS.get(row.refusal, SsoRefused)
    account = people.staff_by_id(session, row.account_id) if row.account_id else None
    if account is None:
        raise SsoExpired
    key = throttle.login_key(account.email, None)
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if (closed_by := closed(account)) is not None:
        queries.drop_sso_sign_in(session, digest)
        raise refused(session, visit, account, closed_by)
    try:
        two_factor.check_code(session, account.id, totp_code, visit.now)
    except TotpWrong as wrong:
        raise refused(session, visit, account, wrong, key) from None
    if not queries.drop_sso_sign_in(session, digest):
        raise SsoExpired
    throttle.forget(session, key)
    queries.void_reset_links(session, account.id, visit.now)
    return enter(session, visit, account, SignInMethod.SSO, row.proved_at)


def unlink(session: Session, email: str, now: dt.datetime) -> bool:
    """Forget whom at the provider an account was linked with; returns whether it was.

    For a person whom the provider knows under a new subject.
    """
    account = people.staff_by_email(session, email)
    if account is None or not queries.drop_sso_identities(session, account.id):
        return False
    about = ("user", account.id)
    audit_log.record(session, audit_log.SYSTEM, now, "sso_unlinked", about)
    return True


def _account_of(
    session: Session, visit: Visit, identity: Identity
) -> tuple[Staff | None, ApiError | None]:
    """The account of a person at the provider, linked at the first time; or why there is none."""
    issuer, domains = visit.settings.oidc_issuer, visit.settings.oidc_domain_names
    if not identity.email or not identity.is_email_verified:
        return None, SsoEmailUnverified()
    if domains and identity.email.rpartition("@")[2] not in domains:
        return None, SsoForeignDomain()
    account = people.staff_by_email(session, identity.email)
    if account is None or account.role not in people.STAFF_ROLES:
        return None, SsoEmailUnknown()
    linked = queries.sso_subject_of(session, account.id, issuer)
    owner = queries.sso_owner(session, issuer, identity.subject)
    if linked not in {None, identity.subject} or owner not in {None, account.id}:
        return account, SsoOtherPerson()
    # Of a closed account the exchange says so, in the words of a log-in.
    if linked is None and closed(account) is None:
        session.add(
            SsoIdentity(
                id=new_id(),
                account_id=account.id,
                issuer=issuer,
                subject=identity.subject,
                linked_at=visit.now,
            )
        )
        session.flush()
        about = ("user", account.id)
        audit_log.record(session, visit.nobody, visit.now, "sso_linked", about)
    return account, None


def _record(
    session: Session, visit: Visit, account: Staff | None, refusal: ApiError, reason: str
) -> None:
    changes = {"reason": refusal.stable_code} | ({"fault": reason[:100]} if reason else {})
    about = ("user", account.id if account else "unknown")
    audit_log.record(session, visit.nobody, visit.now, "sso_refused", about, changes)


def _provider(visit: Visit) -> IdentityProvider:
    return IdentityProvider(visit.settings, f"{visit.settings.address}{CALLBACK}")


def _derived(use: str, cookie: str) -> str:
    """A secret of its own for each use, from the cookie that the browser alone has."""
    return hmac.new(cookie.encode(), f"tarazu|sso|{use}".encode(), hashlib.sha256).hexdigest()
