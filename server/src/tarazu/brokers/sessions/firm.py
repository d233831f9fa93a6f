"""The firm's own log-in at a broker."""

import datetime as dt
from dataclasses import dataclass

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers.broker_settings import app_of, only_broker
from tarazu.brokers.errors import BrokerUnreachable, FirmNotLoggedIn, LoginNotBegun
from tarazu.brokers.protocol.port import BrokerFault, BrokerSession, LoginTokens
from tarazu.brokers.sessions import login_queries, logins
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.calls import Gateway, log_out_at_broker
from tarazu.brokers.sessions.live import LiveBrokerSession, open_stored, seal_tokens
from tarazu.brokers.sessions.logins import LoginOwner, StartedLogin
from tarazu.brokers.tables import BrokerName, EndReason, FirmSession
from tarazu.kit import audit_log, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database, new_id
from tarazu.kit.settings import Settings

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FirmConnection:
    """Whether the firm is logged in with a broker, with which one, and until when at most."""

    is_connected: bool
    broker: BrokerName | None = None
    connected_until: dt.datetime | None = None


def connection(session: Session, now: dt.datetime) -> FirmConnection:
    """The firm's own session with a broker, if one is live."""
    live = session_queries.live_firm_session(session, now)
    if live is None:
        return FirmConnection(is_connected=False)
    return FirmConnection(
        is_connected=True, broker=BrokerName(live.broker), connected_until=live.expires_at
    )


def begin_login(
    session: Session, settings: Settings, actor: Actor, name: BrokerName | None, now: dt.datetime
) -> StartedLogin:
    """Begin a log-in of the firm at a broker: its address, with a mark that comes back once.

    Without a name it is the one broker that can be used.

    Raises:
        BrokerNotReady: there is no broker to log in at, or its record is not complete.
    """
    started = logins.begin(
        session,
        settings,
        name or only_broker(session),
        LoginOwner(account_id=actor.account_id, session_id=actor.session_id),
        now,
    )
    audit_log.record(session, actor, now, "broker_login_begun", ("broker", started.broker))
    return started


def connect(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    state: str,
    login_tokens: LoginTokens,
    now: dt.datetime,
) -> FirmConnection:
    """Finish a log-in of the firm: exchange what the broker handed over, once, and keep it.

    The broker is called between two transactions, so that a slow one blocks no other call.

    Raises:
        LoginNotBegun: this session began no such log-in, or it is used or too old.
        BrokerNotReady: the broker's record is gone, inactive or not complete.
        BrokerUnreachable: the broker does not answer, or refuses.
    """
    with database.transaction() as session:
        digest = security.token_digest(state)
        broker = login_queries.use_login_state(session, digest, actor.session_id, now)
        if broker is None:
            raise LoginNotBegun
        name, app = BrokerName(broker), app_of(session, BrokerName(broker))
    try:
        login = gateway.exchange(name, app, login_tokens, now)
    except BrokerFault as fault:
        log.warning("broker_login_failed", broker=name, reason=fault.reason)
        raise BrokerUnreachable from fault
    with database.transaction() as session:
        _keep_login(session, actor, name, login, now)
        return connection(session, now)


def disconnect(database: Database, gateway: Gateway, actor: Actor, now: dt.datetime) -> bool:
    """Log the firm out at its broker; whether the broker took it.

    Here the session ends first, and its tokens are forgotten: from then on nothing uses it,
    whatever the broker answers.

    Raises:
        FirmNotLoggedIn: there is no session to end.
    """
    with database.transaction() as session:
        lives = _end_all(session, actor, now)
    logged_out = [live is not None and log_out_at_broker(gateway, live) for live in lives]
    return all(logged_out)


def _end_all(session: Session, actor: Actor, now: dt.datetime) -> list[LiveBrokerSession | None]:
    """End the firm's sessions; those to log out at the broker, None where that is not possible.

    One that ran out may still be renewed, so it ends too; at the broker it is over.
    """
    open_sessions = session_queries.open_firm_sessions(session)
    if not open_sessions:
        raise FirmNotLoggedIn
    lives = [open_stored(session, stored) for stored in open_sessions if stored.expires_at > now]
    for stored in open_sessions:
        session_queries.end_session(session, stored, now, EndReason.LOGGED_OUT)
        changes = {
            "broker": stored.broker,
            "brokerUserId": stored.broker_user_id,
            "reason": EndReason.LOGGED_OUT,
        }
        audit_log.record(
            session, actor, now, "broker_session_ended", ("broker_session", stored.id), changes
        )
    return lives


def was_connected(session: Session) -> bool:
    """Whether the firm was ever logged in to a broker."""
    return session_queries.has_firm_session(session)


def _keep_login(
    session: Session, actor: Actor, name: BrokerName, login: BrokerSession, now: dt.datetime
) -> None:
    session_queries.end_firm_sessions(session, now, EndReason.REPLACED)
    stored = FirmSession(
        id=new_id(),
        broker=name,
        broker_user_id=login.broker_user_id,
        account_id=actor.account_id,
        connected_at=now,
        expires_at=login.expires_at,
        ended_at=None,
    )
    seal_tokens(session, stored, login)
    session.add(stored)
    session.flush()
    changes = {"broker": name, "brokerUserId": login.broker_user_id, "until": login.expires_at}
    audit_log.record(
        session, actor, now, "broker_connected", ("broker_session", stored.id), changes
    )
