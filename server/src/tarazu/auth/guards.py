"""Who may pass: the token of a call, turned into its caller.

What the database said of a token is kept for a few seconds, where every change that could end a
session is heard of at once: in a process alone, and in several while the bus carries their words.
Anywhere else, and while the bus is away, the database is asked at every call.
"""

import asyncio
import datetime as dt
import hashlib
import hmac
import time
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import event
from sqlalchemy.orm import ORMExecuteState, Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from tarazu.auth import queries, service
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
    SessionExpired,
)
from tarazu.kit.db import Database
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.rate_limit import Limit, Limiter
from tarazu.kit.settings import Settings, networks_in
from tarazu.people import service as people
from tarazu.people.tables import Person, Role

CALLS = (Limit(300, 60), Limit(60, 1))
REBALANCES = Limit(30, 60)
DELETIONS = Limit(200, 3600)

_NOT_YET = {AccessLevel.STAFF, AccessLevel.ADMIN, AccessLevel.ENROLLING}
"""What an account cannot do before it has a password of its own."""


SESSIONS = "sessions"
"""The bus's topic: somebody may not enter any more, or in another role."""
KNOWN_FOR = dt.timedelta(seconds=3)
"""How long a token need not be looked up again."""
MOST_KNOWN = 10_000
_SECONDS = KNOWN_FOR.total_seconds()


@dataclass(frozen=True, slots=True)
class _Known:
    """What was found of a token, from when until when it counts: by the clock, and by time passed."""

    bearer: Bearer
    found_at: dt.datetime
    until: dt.datetime
    passed_at: float

    def is_good(self, now: dt.datetime) -> bool:
        """Whether it still counts, wherever the clock was set meanwhile."""
        return self.found_at <= now < self.until and time.monotonic() < self.passed_at


class KnownSessions:
    """The bearers of tokens that were looked up just now.

    Whatever changes or deletes a session, an account of staff or a second factor drops them all,
    in every process, as soon as it is committed: it does so by itself, wherever it is written.

    Args:
        database: whose transactions are watched.
        settings: the installation's settings.
        bus: the way to the other processes.
    """

    def __init__(self, database: Database, settings: Settings, bus: MessageBus) -> None:
        self._database, self._settings, self._bus = database, settings, bus
        self._known: dict[bytes, _Known] = {}
        self._turn = 0
        bus.subscribe(SESSIONS, self._forget)
        bus.on_change(self._forget)
        for name, act in (
            ("after_flush", self._note_flush),
            ("do_orm_execute", self._note_statement),
            ("after_commit", self._tell),
        ):
            event.listen(database.sessions, name, act)

    @property
    def is_kept(self) -> bool:
        """Whether anything may be kept: every end is heard of here at once."""
        return self._bus.is_up or (self._database.is_sqlite and not self._bus.is_shared)

    def bearer_of(self, token: str) -> Bearer:
        """Who holds `token`.

        Raises:
            SessionExpired: the token is dead.
        """
        cached = self.cached_bearer_of(token)
        if cached is not None:
            return cached
        digest = _digest_of(token)
        # Read before the database is: what ends a session while it is read must not be missed.
        turn, now = self._turn, clock.now()
        bearer = _bearer_of(self._database, self._settings, token, now)
        if self.is_kept:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            until = min(bearer.lives_until, now + KNOWN_FOR)
            self._known[digest] = _Known(bearer, now, until, time.monotonic() + _SECONDS)
            if turn != self._turn:
                self._known.pop(digest, None)
        return bearer

    def cached_bearer_of(self, token: str) -> Bearer | None:
        """Who holds `token`, where that was looked up just now."""
        known = self._known.get(_digest_of(token))
        is_good = known is not None and known.is_good(clock.now()) and self.is_kept
        return known.bearer if known is not None and is_good else None

    def _forget(self, _: object) -> None:
        self._turn += 1
        self._known.clear()

    def _note_flush(self, session: Session, _: object) -> None:
        if any(map(_may_end, (*session.dirty, *session.deleted))):
            session.info[self] = True

    def _note_statement(self, state: ORMExecuteState) -> None:
        if not (state.is_update or state.is_delete):
            return
        mapper = state.bind_mapper
        keeps = state.execution_options.get(queries.KEEPS_SESSIONS, False)
        if mapper is not None and mapper.class_ in _ENDING and not keeps:
            state.session.info[self] = True

    def _tell(self, session: Session) -> None:
        # A savepoint's end is no commit.
        if session.in_nested_transaction() or not session.info.pop(self, False):
            return
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            # In a thread of its own: the call is answered once the others can know.
            self._bus.publish(SESSIONS, b"", wait=True)
        else:
            self._bus.publish(SESSIONS, b"")


_ENDING = {SignIn, Person, SecondFactor}


def _may_end(changed: object) -> bool:
    """Whether a session could end by this, or its bearer become another; clients have none."""
    if isinstance(changed, Person):
        return changed.role in people.STAFF_ROLES
    return type(changed) in _ENDING


async def authenticate(request: HTTPConnection, level: AccessLevel) -> Actor:
    """The caller of `request`, as the database knows it; nothing of it comes from the client.

    Raises:
        NotSignedIn: no bearer token.
        SessionExpired: the token is dead, or bound to another browser.
        PasswordChangeRequired: the account must set a password first.
        SecondFactorDue: the account must set up a second factor first.
        NotAllowed: the role is too low for the access level.
        TooManyAttempts: the session calls too often.
    """
    token = _token_of(request)
    if not token:
        raise NotSignedIn
    known: KnownSessions = request.app.state.known_sessions
    limits: Limiter = request.app.state.limits
    bearer = None if limits.is_shared else known.cached_bearer_of(token)
    # A refused role writes to the audit trail.
    if bearer is not None and (level is not AccessLevel.ADMIN or bearer.role == Role.ADMIN):
        return _admitted(request, level, bearer)

    def look_up() -> Actor:
        return _admitted(request, level, known.bearer_of(token))

    return await run_in_threadpool(look_up)


def _digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _token_of(request: HTTPConnection) -> str:
    """The bearer token of a call, empty where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _admitted(request: HTTPConnection, level: AccessLevel, bearer: Bearer) -> Actor:
    database, settings = request.app.state.database, request.app.state.settings
    if settings.bind_sessions and not _is_own_browser(request, bearer):
        raise SessionExpired
    _refuse_often(request, bearer)
    _refuse_unready(bearer, level)
    request_id = getattr(request.state, "request_id", "")
    caller = Actor(
        bearer.account_id, bearer.role, bearer.name, bearer.session_id, ip_of(request), request_id
    )
    if level is AccessLevel.ADMIN and bearer.role != Role.ADMIN:
        with database.transaction() as session:
            service.record_refused_call(session, caller, clock.now(), _call_of(request))
        raise NotAllowed
    return caller


def caller_of_token(database: Database, settings: Settings, token: str) -> Actor:
    """The holder of a live token, of an account that has nothing to set up first.

    Raises:
        SessionExpired: the token is dead.
        PasswordChangeRequired, SecondFactorDue: something must be set up first.
    """
    bearer = _bearer_of(database, settings, token, clock.now())
    _refuse_unready(bearer, AccessLevel.STAFF)
    return Actor(bearer.account_id, bearer.role, bearer.name, bearer.session_id)


def ip_of(request: HTTPConnection) -> str:
    """The address of the socket's peer; where that is our own proxy, whom it names."""
    peer = request.client.host if request.client else ""
    trusted = request.app.state.settings.trusted_proxies
    named = request.headers.get("X-Forwarded-For", "")
    # From the right: each proxy adds whom it heard from, and only ours are believed.
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
        # What every browser sends with a POST, and a program does not.
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


def _refuse_often(request: HTTPConnection, bearer: Bearer) -> None:
    limits: Limiter = request.app.state.limits
    path = request.scope["route"].path
    limits.take(f"session:{bearer.session_id}", *CALLS)
    if path.endswith("/rebalance-portfolio"):
        limits.take(f"rebalance:{bearer.session_id}", REBALANCES)
    if path.endswith("/delete") or request.scope["method"] == "DELETE":
        limits.take(f"delete:{bearer.session_id}", DELETIONS)


def _call_of(request: HTTPConnection) -> str:
    return f"{request.scope['method']} {request.scope['route'].path}"


def _is_in(address: str, listed: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks_in(listed))
