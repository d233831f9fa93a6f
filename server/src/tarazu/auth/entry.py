"""Opening a session, or refusing to: the same rules for every way to sign in."""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import queries, throttle, two_factor
from tarazu.auth.errors import AccountInactive, AwaitsApproval, OnlyAdminCanLogIn
from tarazu.auth.tables import SignIn, SignInMethod
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import ApiError
from tarazu.people.service import Staff
from tarazu.people.tables import Role


@dataclass(frozen=True, slots=True)
class Entry:
    """The result of a sign-up or log-in; without a token while approval is pending.

    `device` is the value for the browser's device cookie; None for a program.
    """

    token: str | None
    role: Role
    name: str
    is_first_time: bool = False
    is_second_factor_due: bool = False
    device: str | None = None


def closed(account: Staff) -> ApiError | None:
    """Why the account may not sign in, whatever it proves; None if it may."""
    if account.role == Role.CLIENT:
        return OnlyAdminCanLogIn()
    if account.awaits_approval:
        return AwaitsApproval()
    return None if account.is_active else AccountInactive()


def refused(
    session: Session, visit: Visit, account: Staff | None, refusal: ApiError, key: str | None = None
) -> ApiError:
    """Record a refused log-in, and count it under `key`; returns the refusal."""
    if key is not None:
        throttle.count_failure(session, visit, key)
        visit.limits.count(f"login:{visit.place}", throttle.FAILED_LOGINS)
    who = account.id if account else "unknown"
    reason = {"reason": refusal.stable_code}
    audit_log.record(session, visit.nobody, visit.now, "login_refused", ("user", who), reason)
    return refusal


def enter(
    session: Session,
    visit: Visit,
    account: Staff,
    method: SignInMethod,
    proved_at: dt.datetime | None,
) -> Entry:
    """Open a session; of more than ten the oldest ends.

    Args:
        proved_at: when the person proved who they are; None if that is not known.
    """
    now = visit.now
    live = queries.live_of(session, account.id, now)
    for oldest in live[: max(0, len(live) - queries.LIVE_SESSIONS + 1)]:
        queries.end(session, oldest.id, now)
    token, device = security.new_token(), _device_of(visit)
    sign_in = SignIn(
        id=new_id(),
        token_digest=security.token_digest(token),
        account_id=account.id,
        is_first_time=account.must_change_password,
        created_at=now,
        seen_at=now,
        expires_at=now + dt.timedelta(hours=visit.settings.session_hours),
        ip=visit.ip,
        user_agent=visit.user_agent[:200],
        device_digest=security.token_digest(device) if device else None,
        method=method,
        proved_at=proved_at,
    )
    session.add(sign_in)
    session.flush()
    if sign_in.device_digest is not None:
        queries.keep_device(session, account.id, sign_in.device_digest, now)
    who = Actor(account.id, account.role, account.name, sign_in.id, visit.ip, visit.request_id)
    about = ("session", sign_in.id)
    audit_log.record(session, who, now, "logged_in", about, {"method": method})
    return Entry(
        token,
        account.role,
        account.name,
        account.must_change_password,
        two_factor.is_due(session, visit.settings, account.id, account.role, method),
        device,
    )


def _device_of(visit: Visit) -> str | None:
    if not visit.is_browser:
        return None
    return visit.device if visit.device_digest is not None else security.new_token()
