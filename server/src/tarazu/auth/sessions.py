"""Live sessions: who sees them, and who ends them."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import browsers, queries
from tarazu.auth.tables import SignIn
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import NotThere
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Staff
from tarazu.people.tables import Role


@dataclass(frozen=True, slots=True)
class LiveSession:
    id: uuid.UUID
    created_at: dt.datetime
    last_seen_at: dt.datetime
    ip: str
    user_agent: str
    is_current: bool
    name: str
    email: str
    role: Role


def live_sessions(
    session: Session, settings: Settings, caller: Actor, now: dt.datetime, *, of_all: bool
) -> list[LiveSession]:
    """The caller's own live sessions, or everybody's; last seen first, the present one before."""
    whose = None if of_all else caller.account_id
    idle = dt.timedelta(minutes=settings.session_idle_minutes)
    found = queries.live_sessions(session, whose, now, now - idle)
    owners = {
        account_id: people.staff_by_id(session, account_id)
        for account_id in {one.account_id for one in found}
    }
    live = [
        _shown(one, owner, caller)
        for one in found
        if (owner := owners[one.account_id]) is not None and _is_let_in(one, owner)
    ]
    return sorted(live, key=lambda one: not one.is_current)


def end_session(
    session: Session,
    settings: Settings,
    caller: Actor,
    now: dt.datetime,
    session_id: uuid.UUID,
    *,
    of_all: bool,
) -> None:
    """End a live session, one's own or, for an ADMIN, anybody's.

    Raises:
        NotThere: no live session of these has the id.
    """
    live = live_sessions(session, settings, caller, now, of_all=of_all)
    if session_id not in {one.id for one in live}:
        raise NotThere
    queries.end(session, session_id, now)
    audit_log.record(session, caller, now, "session_ended", ("session", session_id))


def _is_let_in(one: SignIn, owner: Staff) -> bool:
    void_at = owner.sessions_void_at
    return owner.is_active and (void_at is None or one.created_at >= void_at)


def _shown(one: SignIn, owner: Staff, caller: Actor) -> LiveSession:
    return LiveSession(
        one.id,
        one.created_at,
        one.seen_at,
        one.ip,
        browsers.in_words(one.user_agent),
        one.id == caller.session_id,
        owner.name,
        owner.email,
        owner.role,
    )
