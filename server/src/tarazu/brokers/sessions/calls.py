"""Calls with a session: made, and what follows when the broker says that the session is over."""

import datetime as dt
import uuid
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerFault,
    BrokerPort,
    BrokerSession,
    Denied,
    LoginTokens,
    SessionDead,
    Upstream,
)
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.live import (
    LiveBrokerSession,
    StoredSession,
    T,
    open_stored,
    seal_tokens,
)
from tarazu.brokers.tables import BrokerName, ClientSession, EndReason
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database

log = structlog.get_logger()

BrokerAction = Callable[[BrokerPort, BrokerSession], Coroutine[Any, Any, T]]
"""What to do with a broker and a session there: `lambda broker, login: broker.holdings(login)`."""
RENEWAL_TAKES = dt.timedelta(seconds=30)
"""For so long no other process renews a session whose renewal has started."""
RENEW_BEFORE = {
    # A session ends at a time of the day, so that only one that ended gains by renewal.
    BrokerName.ANGEL_ONE: dt.timedelta(),
    BrokerName.ZERODHA: dt.timedelta(),
}
RENEWED_AT_MOST_EVERY = dt.timedelta(minutes=5)
GIVE_UP_AFTER = 5
"""Log-outs in a row that the broker did not take."""
RENEWABLE_FOR = dt.timedelta(hours=2)
"""How long after its end a session may still be renewed; then its tokens are dropped."""


class Gateway(Protocol):
    """The way to the brokers, for callers that may wait."""

    def exchange(
        self, name: BrokerName, app: BrokerApp, login_tokens: LoginTokens, now: dt.datetime
    ) -> BrokerSession:
        """Turn what a log-in handed over into a session, once.

        Raises:
            BrokerFault: the broker cannot be reached, or does not take it.
        """

    def run(
        self,
        name: BrokerName,
        app: BrokerApp,
        act: Callable[[BrokerPort], Coroutine[Any, Any, T]],
    ) -> T:
        """Do `act` with a broker, and wait for what it makes of it.

        Raises:
            BrokerFault: as the port says.
        """


def ask_broker(
    database: Database,
    gateway: Gateway,
    live: LiveBrokerSession,
    act: "BrokerAction[T]",
    now: dt.datetime,
) -> T:
    """Do `act` with a session; one found dead is marked as ended at once.

    Where renewal is allowed the session is renewed first, and `act` starts again.
    For threads that may wait and hold no transaction open.

    Raises:
        SessionDead: the session is over, and marked so.
        BrokerFault: as the port says.
    """
    try:
        return _run(gateway, live, act)
    except SessionDead as dead:
        again = _after_death(database, gateway, live, dead, now)
        if again is None:
            raise
    try:
        return _run(gateway, again, act)
    except SessionDead:
        _end_if_same(database, again, now)
        raise


def renew_session(
    database: Database, gateway: Gateway, live: LiveBrokerSession, now: dt.datetime
) -> LiveBrokerSession | None:
    """Renew a session and store its new tokens; None if it is over, which is recorded.

    If another process renewed it in between, that session is returned.

    Raises:
        Upstream: another process is renewing it, or the broker does not answer; it stays live.
        BrokerFault: as the port says.
    """
    with database.transaction() as session:
        stored = session_queries.stored_session(session, live.id)
        opened = (
            open_stored(session, stored) if stored is not None and stored.ended_at is None else None
        )
        if stored is None or opened is None:
            return None
        if opened.login.access_token != live.login.access_token:
            return opened
        if not opened.may_renew:
            end_dead_session(session, stored, now, EndReason.BROKER_ENDED)
            return None
        if not session_queries.claim_renewal(session, stored, now, now - RENEWAL_TAKES):
            raise Upstream("the session is being renewed", retry_after=2)
    try:
        login = gateway.run(live.broker, live.app, lambda broker: broker.renew(live.login, now))
    except (SessionDead, Denied) as refused:
        log.warning("broker_renewal_refused", broker=live.broker, reason=refused.reason)
        login = None
    return _store_renewed(database, live, login, now)


def verify_session(
    database: Database, gateway: Gateway, live: LiveBrokerSession, now: dt.datetime
) -> LiveBrokerSession | None:
    """A session that counts as over, until its next end, if a call with it works; else None.

    One that the broker knows no more is marked as ended.

    Raises:
        BrokerFault: the broker gives no answer; the session stays over.
    """
    with database.transaction() as session:
        stored = session_queries.stored_session(session, live.id)
        if stored is None or not session_queries.claim_renewal(
            session, stored, now, now - RENEWAL_TAKES
        ):
            return None
    try:
        login = gateway.run(live.broker, live.app, lambda broker: broker.prove(live.login, now))
    except (SessionDead, Denied) as refused:
        log.info("broker_session_over", broker=live.broker, reason=refused.reason)
        login = None
    return _store_renewed(database, live, login, now)


def sessions_to_verify(session: Session, now: dt.datetime) -> list[LiveBrokerSession]:
    """Angel One's sessions that count as over since a while ago at most, and cannot be renewed.

    The token may be valid for longer than the broker says, which only a call can show.
    """
    stored = session_queries.sessions_to_verify(
        session, BrokerName.ANGEL_ONE, now, now - RENEWED_AT_MOST_EVERY
    )
    opened = [open_stored(session, row) for row in stored]
    return [live for live in opened if live is not None and not live.may_renew]


def sessions_to_renew(session: Session, now: dt.datetime) -> list[LiveBrokerSession]:
    """Sessions that are about to end, or just did, and may be renewed now."""
    stored = session_queries.sessions_to_renew(
        session, RENEW_BEFORE, now, now - RENEWED_AT_MOST_EVERY
    )
    opened = [open_stored(session, row) for row in stored]
    return [live for live in opened if live is not None and live.may_renew]


def close_expired(session: Session, now: dt.datetime) -> None:
    """Close the sessions that ran out; the tokens of those that nobody can renew are dropped."""
    session_queries.close_expired(session, now, now - RENEWABLE_FOR)


def mark_session_dead(session: Session, session_id: uuid.UUID, now: dt.datetime) -> None:
    """A broker knows this session no more: from now on nobody uses it. Its tokens are dropped.

    For callers that do not use `ask_broker`, such as a ticker. It may be repeated.
    """
    stored = session_queries.stored_session(session, session_id)
    if stored is not None:
        end_dead_session(session, stored, now, EndReason.BROKER_ENDED)


def log_out_at_broker(gateway: Gateway, live: LiveBrokerSession) -> bool:
    """End a session at the broker too; whether the broker took it.

    Here it is over already, so a failure is only logged: there it expires in time.
    """
    try:
        gateway.run(live.broker, live.app, lambda broker: broker.log_out(live.login))
    except BrokerFault as fault:
        log.warning("broker_logout_failed", broker=live.broker, reason=fault.reason)
        return False
    return True


def log_out_all_at_broker(gateway: Gateway, lives: Sequence[LiveBrokerSession]) -> None:
    """End sessions at their broker, one after the other; given up where it does not answer.

    For threads that may wait: of thousands it takes as long as the broker's limits say.
    """
    failed = 0
    for place, live in enumerate(lives, 1):
        failed = 0 if log_out_at_broker(gateway, live) else failed + 1
        if failed == GIVE_UP_AFTER:
            log.warning("broker_logouts_given_up", broker=live.broker, left=len(lives) - place)
            return


def _run(gateway: Gateway, live: LiveBrokerSession, act: "BrokerAction[T]") -> T:
    return gateway.run(live.broker, live.app, lambda broker: act(broker, live.login))


def _after_death(
    database: Database,
    gateway: Gateway,
    live: LiveBrokerSession,
    dead: SessionDead,
    now: dt.datetime,
) -> LiveBrokerSession | None:
    """The session for a second attempt; None after it was marked as ended."""
    if dead.may_renew and live.may_renew:
        return renew_session(database, gateway, live, now)
    return _end_if_same(database, live, now)


def _end_if_same(
    database: Database, live: LiveBrokerSession, now: dt.datetime
) -> LiveBrokerSession | None:
    """End a session, unless it has new tokens by now: then it is what those open."""
    with database.transaction() as session:
        stored = session_queries.stored_session(session, live.id)
        if stored is None or stored.ended_at is not None:
            return None
        opened = open_stored(session, stored)
        if opened is not None and opened.login.access_token != live.login.access_token:
            return opened
        end_dead_session(session, stored, now, EndReason.BROKER_ENDED)
        return None


def _store_renewed(
    database: Database, live: LiveBrokerSession, login: BrokerSession | None, now: dt.datetime
) -> LiveBrokerSession | None:
    with database.transaction() as session:
        stored = session_queries.stored_session(session, live.id)
        if stored is None or stored.ended_at is not None:
            return None
        if login is None or login.broker_user_id != stored.broker_user_id:
            end_dead_session(session, stored, now, EndReason.BROKER_ENDED)
            return None
        seal_tokens(session, stored, login)
        stored.expires_at = login.expires_at
        stored.renewal_begun_at = None
        session.flush()
        log.info("broker_session_renewed", broker=stored.broker, session_id=str(stored.id))
        return open_stored(session, stored)


def end_dead_session(
    session: Session, stored: StoredSession, now: dt.datetime, reason: EndReason
) -> None:
    if not session_queries.end_session(session, stored, now, reason):
        return
    log.info("broker_session_ended", broker=stored.broker, session_id=str(stored.id), reason=reason)
    changes = {"broker": stored.broker, "brokerUserId": stored.broker_user_id, "reason": reason}
    whose: tuple[str, object] = ("broker_session", stored.id)
    if isinstance(stored, ClientSession):
        whose = ("client", stored.client_id)
    audit_log.record(session, SYSTEM, now, "broker_session_ended", whose, changes)
