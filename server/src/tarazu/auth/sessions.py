"""Live sessions: listing and ending them."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.auth import queries
from tarazu.auth.tables import SignIn
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import NotThere
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Staff
from tarazu.people.tables import Role

# In this order: many name the ones they descend from as well.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


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
    """The caller's live sessions, or everybody's: the current one first, then by last use."""
    whose = None if of_all else caller.account_id
    idle = dt.timedelta(minutes=settings.session_idle_minutes)
    sign_ins = queries.live_sessions(session, whose, now, now - idle)
    owners = {
        account_id: people.staff_by_id(session, account_id)
        for account_id in {sign_in.account_id for sign_in in sign_ins}
    }
    live = [
        _live_session(sign_in, owner, caller)
        for sign_in in sign_ins
        if (owner := owners[sign_in.account_id]) is not None and _is_valid(sign_in, owner)
    ]
    return sorted(live, key=lambda session: not session.is_current)


def end_session(
    session: Session,
    settings: Settings,
    caller: Actor,
    now: dt.datetime,
    session_id: uuid.UUID,
    *,
    of_all: bool,
) -> None:
    """End a live session: the caller's, or anybody's.

    Raises:
        NotThere: none of these live sessions has the id.
    """
    live = live_sessions(session, settings, caller, now, of_all=of_all)
    if session_id not in {entry.id for entry in live}:
        raise NotThere
    queries.end(session, session_id, now)
    audit_log.record(session, caller, now, "session_ended", ("session", session_id))


def _is_valid(sign_in: SignIn, owner: Staff) -> bool:
    void_at = owner.sessions_void_at
    return owner.is_active and (void_at is None or sign_in.created_at >= void_at)


def _live_session(sign_in: SignIn, owner: Staff, caller: Actor) -> LiveSession:
    return LiveSession(
        sign_in.id,
        sign_in.created_at,
        sign_in.seen_at,
        sign_in.ip,
        browser_name(sign_in.user_agent),
        sign_in.id == caller.session_id,
        owner.name,
        owner.email,
        owner.role,
    )


def browser_name(user_agent: str) -> str:
    """Such as "Chrome on Windows"; another program's own name."""
    browser = _first_of(user_agent, _BROWSERS)
    system = _first_of(user_agent, _SYSTEMS)
    if browser and system:
        return f"{browser} on {system}"
    return browser or user_agent.partition("/")[0].strip() or "Unknown program"


def _first_of(user_agent: str, marks: tuple[tuple[str, str], ...]) -> str:
    return next((name for mark, name in marks if mark in user_agent), "")
