"""Authentication: finds the caller of a request by its token, and checks the access level.

What the database said about a token is cached for a few seconds if every change that could end a
session is known at once: in a single process, and in several while the message bus is up. Otherwise
the database is read at every call.
"""

import asyncio
import datetime as dt
import hmac
import time
from contextlib import nullcontext
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Request
from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from tarazu.auth import queries, service
from tarazu.auth import step_up as step_up_rules
from tarazu.auth.errors import SecondFactorDue, SessionRanOut
from tarazu.auth.service import Bearer
from tarazu.auth.tables import SecondFactor, SignIn
from tarazu.auth.visits import Visit, cookie_name
from tarazu.kit import clock, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import (
    AccessLevel,
    NotAllowed,
    NotSignedIn,
    PasswordChangeRequired,
    Reach,
    SessionExpired,
    StepUp,
)
from tarazu.kit.db import Database, parts_of
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.rate_limit import Limit, Limiter
from tarazu.kit.settings import Settings, networks_in
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.tables import Person, Role
from tarazu.teams import service as teams
from tarazu.teams.errors import OnlyForAllClients

CALLS = (Limit(300, 60), Limit(60, 1))
REBALANCES = Limit(30, 60)
DELETIONS = Limit(200, 3600)

_NOT_YET = {AccessLevel.STAFF, AccessLevel.ADMIN, AccessLevel.ENROLLING}
"""Levels that an account does not reach with a temporary password."""


SESSIONS = "sessions"
"""The bus topic of ended sessions and changed roles."""
KNOWN_FOR = dt.timedelta(seconds=3)
"""How long a token is not looked up again."""
MOST_KNOWN = 10_000
_SECONDS = KNOWN_FOR.total_seconds()


@dataclass(frozen=True, slots=True)
class _CachedBearer:
    """The bearer of a token, and how long it is valid: by the clock, and by elapsed time."""

    bearer: Bearer
    found_at: dt.datetime
    until: dt.datetime
    passed_at: float

    def is_good(self, now: dt.datetime) -> bool:
        """Whether it is still valid, even if the clock was changed."""
        return self.found_at <= now < self.until and time.monotonic() < self.passed_at


class KnownSessions:
    """A short-lived cache of the bearers of tokens.

    A commit that changes or deletes a session, a staff account or a second factor clears it in
    every process; it listens to all transactions of the database.

    Args:
        database: whose transactions it listens to.
        settings: the installation's settings.
        bus: connects the processes.
    """

    def __init__(self, database: Database, settings: Settings, bus: MessageBus) -> None:
        self._database, self._settings, self._bus = database, settings, bus
        self._known: dict[str, _CachedBearer] = {}
        self._generation = 0
        bus.subscribe(SESSIONS, self._forget)
        bus.on_change(self._forget)
        database.parts[KnownSessions] = self
        for name, act in (
            ("after_flush", _note_flush),
            ("do_orm_execute", _note_statement),
            ("after_commit", _publish),
        ):
            event.listen(database.sessions, name, act)

    @property
    def is_enabled(self) -> bool:
        """Whether this process learns at once of every session that ends."""
        return self._bus.is_up or (self._database.is_sqlite and not self._bus.is_shared)

    def bearer_of(self, token: str) -> Bearer:
        """Who holds `token`.

        Raises:
            SessionExpired: the token is dead.
        """
        cached = self.cached_bearer_of(token)
        if cached is not None:
            return cached
        digest = security.token_digest(token)
        # Read before the database: a session that ends meanwhile must not be missed.
        generation, now = self._generation, clock.now()
        bearer = _bearer_of(self._database, self._settings, token, now)
        if self.is_enabled:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            until = min(bearer.lives_until, now + KNOWN_FOR)
            self._known[digest] = _CachedBearer(bearer, now, until, time.monotonic() + _SECONDS)
            if generation != self._generation:
                self._known.pop(digest, None)
        return bearer

    def cached_bearer_of(self, token: str) -> Bearer | None:
        """Who holds `token`, if it is cached; None otherwise."""
        known = self._known.get(security.token_digest(token))
        is_good = known is not None and known.is_good(clock.now()) and self.is_enabled
        return known.bearer if known is not None and is_good else None

    def _forget(self, _: object) -> None:
        self._generation += 1
        self._known.clear()

    def publish(self) -> None:
        """Clear the cache of every process."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            # In a thread: the call is answered once the other processes can know.
            self._bus.publish(SESSIONS, b"", wait=True)
        else:
            self._bus.publish(SESSIONS, b"")


_ENDING = {SignIn, Person, SecondFactor}
_HAS_ENDED: Final = "tarazu_session_ended"


# SQLAlchemy keeps listeners as long as the process runs: these hold no database.
def _note_flush(session: Session, _: object) -> None:
    if any(map(_can_end_session, (*session.dirty, *session.deleted))):
        session.info[_HAS_ENDED] = True


def _note_statement(state: ORMExecuteState) -> None:
    if not (state.is_update or state.is_delete):
        return
    mapper = state.bind_mapper
    keeps = state.execution_options.get(queries.KEEPS_SESSIONS, False)
    if mapper is not None and mapper.class_ in _ENDING and not keeps:
        state.session.info[_HAS_ENDED] = True


def _publish(session: Session) -> None:
    # A savepoint's end is no commit.
    if not session.in_nested_transaction() and session.info.pop(_HAS_ENDED, False):
        known: KnownSessions = parts_of(session)[KnownSessions]
        known.publish()


def _can_end_session(changed: object) -> bool:
    """Whether this change could end a session or change its bearer; clients have none."""
    if isinstance(changed, Person):
        return changed.role in people.STAFF_ROLES
    return type(changed) in _ENDING


async def authenticate(
    request: HTTPConnection, level: AccessLevel, step_up: StepUp | None = None
) -> Actor:
    """The caller of `request`, as the database knows it; nothing of it comes from the client.

    Raises:
        NotSignedIn: no bearer token.
        SessionExpired: the token is dead, or bound to another browser.
        PasswordChangeRequired: the account must set a password first.
        SecondFactorDue: the account must set up a second factor first.
        NotAllowed: the role is too low for the access level.
        StepUpRequired: the call needs a fresh proof of who is signed in.
        TooManyAttempts: the session calls too often.
    """
    token = _token_of(request)
    if not token:
        raise NotSignedIn
    known: KnownSessions = request.app.state.known_sessions
    limits: Limiter = request.app.state.limits
    must_wait = limits.is_shared or step_up is not None
    bearer = None if must_wait else known.cached_bearer_of(token)
    # A refused role writes to the audit trail.
    if bearer is not None and (level is not AccessLevel.ADMIN or bearer.role == Role.ADMIN):
        return _admitted(request, level, bearer)

    def look_up() -> Actor:
        bearer = known.bearer_of(token)
        caller = _admitted(request, level, bearer)
        if step_up is not None:
            with request.app.state.database.reading() as session:
                step_up_rules.require(session, bearer, step_up, clock.now())
        return caller

    return await run_in_threadpool(look_up)


def refuse_unseen(request: Request, reach: Reach, session: Session | None) -> None:
    """Refuse a call to a USER who may not see its clients.

    Raises:
        ClientNotFound: the client of the path is not one of the caller's; as if there were none.
        OnlyForAllClients: the call is about all clients, and the caller sees some.
    """
    with nullcontext(session) if session else request.app.state.database.reading() as reading:
        visible = teams.visible_clients(reading, request.state.caller)
    if visible.is_all:
        return
    if reach is not Reach.CLIENT:
        raise OnlyForAllClients
    if not visible.includes(UUID(request.path_params["client_id"])):
        raise ClientNotFound


def _token_of(request: HTTPConnection) -> str:
    """The bearer token of a call, empty where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _admitted(request: HTTPConnection, level: AccessLevel, bearer: Bearer) -> Actor:
    database, settings = request.app.state.database, request.app.state.settings
    if settings.bind_sessions and not _is_own_browser(request, bearer):
        raise SessionExpired
    _refuse_too_many(request, bearer)
    _refuse_unready(bearer, level)
    request_id = getattr(request.state, "request_id", "")
    caller = Actor(
        bearer.account_id, bearer.role, bearer.name, bearer.session_id, ip_of(request), request_id
    )
    if level is AccessLevel.ADMIN and bearer.role != Role.ADMIN:
        with database.transaction() as session:
            service.record_refused_call(
                session,
                caller,
                clock.now(),
                f"{request.scope['method']} {request.scope['route'].path}",
            )
        raise NotAllowed
    return caller


def caller_of_token(database: Database, settings: Settings, token: str) -> Actor:
    """The holder of a live token whose account has nothing to set up first.

    Raises:
        SessionExpired: the token is dead.
        PasswordChangeRequired, SecondFactorDue: something must be set up first.
    """
    bearer = _bearer_of(database, settings, token, clock.now())
    _refuse_unready(bearer, AccessLevel.STAFF)
    return Actor(bearer.account_id, bearer.role, bearer.name, bearer.session_id)


def ip_of(request: HTTPConnection) -> str:
    """The address of the peer; if that is a trusted proxy, the address it names."""
    peer = request.client.host if request.client else ""
    trusted = request.app.state.settings.trusted_proxies
    named = request.headers.get("X-Forwarded-For", "")
    # From the right: each proxy appends its peer, and only ours are trusted.
    for address in reversed([part.strip() for part in named.split(",") if part.strip()]):
        if not _is_in(peer, trusted):
            break
        peer = address
    return peer


async def _visit(request: Request) -> Visit:
    state = request.app.state
    headers = request.headers
    return Visit(
        state.database,
        state.settings,
        state.limits,
        clock.now(),
        ip_of(request),
        headers.get("User-Agent", ""),
        getattr(request.state, "request_id", ""),
        request.cookies.get(cookie_name(state.settings), ""),
        # Browsers send these with every POST, programs do not.
        "Origin" in headers or "Sec-Fetch-Site" in headers,
    )


Visiting = Annotated[Visit, Depends(_visit)]


def _bearer_of(database: Database, settings: Settings, token: str, now: dt.datetime) -> Bearer:
    try:
        with database.reading() as session:
            bearer = service.bearer_of(session, settings, token, now)
    except SessionRanOut:
        with database.transaction() as session:
            service.end_expired(session, settings, [token], now)
        raise
    if bearer.is_seen_long_ago:
        with database.transaction() as session:
            service.mark_seen(session, bearer, now)
    return bearer


def _refuse_unready(bearer: Bearer, level: AccessLevel) -> None:
    if bearer.is_first_time and level in _NOT_YET:
        raise PasswordChangeRequired
    if bearer.is_second_factor_due and level in _NOT_YET - {AccessLevel.ENROLLING}:
        raise SecondFactorDue


def _is_own_browser(request: HTTPConnection, bearer: Bearer) -> bool:
    if bearer.device_digest is None:
        return True
    device = request.cookies.get(cookie_name(request.app.state.settings), "")
    return hmac.compare_digest(security.token_digest(device), bearer.device_digest)


def _refuse_too_many(request: HTTPConnection, bearer: Bearer) -> None:
    limits: Limiter = request.app.state.limits
    path = request.scope["route"].path
    limits.take(f"session:{bearer.session_id}", *CALLS)
    if path.endswith("/rebalance-portfolio"):
        limits.take(f"rebalance:{bearer.session_id}", REBALANCES)
    if path.endswith("/delete") or request.scope["method"] == "DELETE":
        limits.take(f"delete:{bearer.session_id}", DELETIONS)


def _is_in(address: str, listed: str) -> bool:
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks_in(listed))
