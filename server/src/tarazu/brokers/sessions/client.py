"""Clients' log-ins at their brokers: finished, confirmed by staff, ended."""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers.broker_settings import DISPLAY_NAMES, app_of
from tarazu.brokers.errors import (
    BrokerIdGone,
    LinkInvalid,
    LoginNotBegun,
    LoginRefused,
    WrongBrokerId,
)
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerFault,
    BrokerSession,
    Denied,
    LoginTokens,
    SessionDead,
)
from tarazu.brokers.sessions import links, login_queries
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.calls import Gateway, log_out_at_broker
from tarazu.brokers.sessions.live import LiveBrokerSession, open_stored, seal_tokens
from tarazu.brokers.tables import BrokerName, ClientSession, EndReason
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database, new_id
from tarazu.kit.mail import DeliveryState

log = structlog.get_logger()


class Identity(StrEnum):
    """What is known of an id at a broker: the client's own, nobody's yet, or somebody else's."""

    KNOWN = "KNOWN"
    NEW = "NEW"
    OTHER = "OTHER"


IdentityCheck = Callable[[Session, uuid.UUID, BrokerName, str], Identity]
"""Whose an id is at a broker, as seen from a client."""


@dataclass(frozen=True, slots=True)
class LoginReturn:
    """What a client's log-in comes back with: the link's token, and the mark of its beginning.

    The state is in an address that anyone could send; the token is not. An app may return without a
    state: the token proves as much.
    """

    state: str = ""
    link_token: str = ""


@dataclass(frozen=True, slots=True)
class ClientLogin:
    """A client's log-in as shown to the client."""

    broker: BrokerName
    broker_user_id: str
    is_confirmed: bool
    expires_at: dt.datetime


class ConnectionState(StrEnum):
    CONNECTED = "CONNECTED"
    AWAITING = "AWAITING"
    LOGGED_OUT = "LOGGED_OUT"


@dataclass(frozen=True, slots=True)
class LinkState:
    """The link that a client can use now, and the state of its mail; None if it was copied."""

    made_at: dt.datetime
    expires_at: dt.datetime
    mailed: DeliveryState | None


@dataclass(frozen=True, slots=True)
class CurrentConnection:
    """A client's connection to the broker: the current session, else the last one."""

    state: ConnectionState
    session: ClientSession | None
    link: LinkState | None


@dataclass(frozen=True, slots=True)
class _PendingLogin:
    client_id: uuid.UUID
    link_id: uuid.UUID
    broker: BrokerName
    app: BrokerApp


def finish_client_login(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    back: LoginReturn,
    login_tokens: LoginTokens,
    read_answer: IdentityCheck,
    now: dt.datetime,
) -> ClientLogin:
    """Finish a client's log-in, once: exchange the tokens, check whose they are, and store them.

    A new broker id is not used until staff confirm it. The broker is called between two
    transactions.

    Raises:
        LoginNotBegun, LinkInvalid: no link of ours started it, or that is used or too old.
        BrokerNotReady: the broker's record is gone, inactive or not complete.
        LoginRefused: the broker does not take what was handed over.
        WrongBrokerId: it is another person's; the audit log records the attempt.
        BrokerFault: the broker does not answer.
    """
    with database.transaction() as session:
        started = _take_up(session, back, login_tokens, now)
    login = _exchanged(gateway, started.broker, started.app, login_tokens, now)
    with database.transaction() as session:
        stored = _keep(session, actor, started, login, read_answer, now)
    if stored is None:
        live = LiveBrokerSession(
            started.link_id, started.client_id, started.broker, started.app, login
        )
        log_out_at_broker(gateway, live)
        raise WrongBrokerId(
            f"You logged in at {DISPLAY_NAMES[started.broker]} as {login.broker_user_id}, which is "
            "not the ID we have for you. Log in with your own ID, or contact us."
        )
    return ClientLogin(
        started.broker, stored.broker_user_id, stored.confirmed_at is not None, stored.expires_at
    )


def finish_basket_login(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    client_id: uuid.UUID,
    login_tokens: LoginTokens,
    read_answer: IdentityCheck,
    now: dt.datetime,
) -> ClientLogin:
    """Finish the log-in with which a client comes back from Zerodha's basket page.

    Only an id that is known as the client's is taken: nobody confirms another one later.

    Raises:
        BrokerNotReady: the broker's record is gone, inactive or not complete.
        LoginRefused: the broker does not take the request token.
        WrongBrokerId: it is not the client's own id; the audit log records the attempt.
        BrokerFault: the broker does not answer.
    """
    name = BrokerName.ZERODHA
    with database.reading() as session:
        app = app_of(session, name)
    login = _exchanged(gateway, name, app, login_tokens, now)
    with database.transaction() as session:
        identity = read_answer(session, client_id, name, login.broker_user_id)
        taken_as = identity if identity is Identity.KNOWN else Identity.OTHER
        stored = store_client_login(session, actor, client_id, name, login, taken_as, now)
    if taken_as is Identity.OTHER:
        live = LiveBrokerSession(stored.id, client_id, name, app, login)
        log_out_at_broker(gateway, live)
        raise WrongBrokerId(
            f"You logged in at {DISPLAY_NAMES[name]} as {login.broker_user_id}, which is not the ID "
            "we have for you. Nothing was changed."
        )
    return ClientLogin(name, stored.broker_user_id, is_confirmed=True, expires_at=stored.expires_at)


def _exchanged(
    gateway: Gateway, name: BrokerName, app: BrokerApp, login_tokens: LoginTokens, now: dt.datetime
) -> BrokerSession:
    try:
        return gateway.exchange(name, app, login_tokens, now)
    except (Denied, SessionDead) as fault:
        log.warning("broker_login_failed", broker=name, reason=fault.reason)
        raise LoginRefused(
            f"{DISPLAY_NAMES[name]} did not accept this log-in. Log in again."
        ) from fault
    except BrokerFault as fault:
        log.warning("broker_login_failed", broker=name, reason=fault.reason)
        raise


def store_client_login(
    session: Session,
    actor: Actor,
    client_id: uuid.UUID,
    broker: BrokerName,
    login: BrokerSession,
    identity: Identity,
    now: dt.datetime,
) -> ClientSession:
    """Store a client's log-in in place of the earlier ones; another person's is only recorded.

    One whose id is not known yet waits for staff to confirm it.
    """
    is_other = identity is Identity.OTHER
    for earlier in session_queries.open_sessions_of(session, client_id):
        if not is_other:
            session_queries.end_session(session, earlier, now, EndReason.REPLACED)
    stored = ClientSession(
        id=new_id(),
        client_id=client_id,
        broker=broker,
        broker_user_id=login.broker_user_id,
        connected_at=now,
        expires_at=login.expires_at,
        ended_at=now if is_other else None,
        end_reason=EndReason.WRONG_ID if is_other else None,
        confirmed_at=now if identity is Identity.KNOWN else None,
        confirmed_by=None,
    )
    if not is_other:
        seal_tokens(session, stored, login)
    session.add(stored)
    session.flush()
    action = "broker_login_refused" if is_other else "client_broker_connected"
    _send(session, actor, now, action, stored, {"identity": identity, "until": stored.expires_at})
    return stored


def connection_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> CurrentConnection:
    """A client's connection to the broker."""
    stored = session_queries.current_session(session, client_id, now)
    link = login_queries.newest_link(session, client_id)
    link_state = None
    if link is not None and link.used_at is None and link.expires_at > now:
        mailed = mail.states_of(session, [link.mail_id]) if link.mail_id else {}
        link_state = LinkState(
            link.made_at, link.expires_at, mailed.get(link.mail_id) if link.mail_id else None
        )
    return CurrentConnection(_state_of(stored, now), stored, link_state)


def confirm_broker_id(
    session: Session, actor: Actor, client_id: uuid.UUID, session_id: uuid.UUID, now: dt.datetime
) -> ClientSession:
    """Say that the id of a log-in is the client's: from now on it feeds the client's figures.

    A log-in that has expired stays over, but its id is known from then on.

    Raises:
        BrokerIdGone: there is no such log-in that awaits it.
    """
    stored = _awaiting(session, client_id, session_id)
    for other in session_queries.open_sessions_of(session, client_id):
        if other.id != stored.id:
            session_queries.end_session(session, other, now, EndReason.REPLACED)
    stored.confirmed_at, stored.confirmed_by = now, actor.account_id
    session.flush()
    _send(session, actor, now, "broker_id_confirmed", stored)
    return stored


def refuse_broker_id(
    session: Session, actor: Actor, client_id: uuid.UUID, session_id: uuid.UUID, now: dt.datetime
) -> LiveBrokerSession | None:
    """Say that the id of a log-in is not the client's; the session to log out at the broker.

    Raises:
        BrokerIdGone: there is no such log-in that awaits it.
    """
    stored = _awaiting(session, client_id, session_id)
    live = open_stored(session, stored) if stored.expires_at > now else None
    if not session_queries.end_session(session, stored, now, EndReason.REFUSED):
        stored.end_reason = EndReason.REFUSED
        session.flush()
    _send(session, actor, now, "broker_id_refused", stored)
    return live


def end_client_sessions(
    session: Session,
    actor: Actor,
    client_id: uuid.UUID,
    now: dt.datetime,
    reason: EndReason = EndReason.LOGGED_OUT,
) -> list[LiveBrokerSession]:
    """End every session and every link of a client; the sessions to log out at the broker."""
    login_queries.end_links(session, client_id, now)
    lives = []
    for stored in session_queries.open_sessions_of(session, client_id):
        live = open_stored(session, stored) if stored.expires_at > now else None
        if live is not None:
            lives.append(live)
        session_queries.end_session(session, stored, now, reason)
        _send(session, actor, now, "broker_session_ended", stored, {"reason": reason})
    return lives


def _take_up(
    session: Session, back: LoginReturn, login_tokens: LoginTokens, now: dt.datetime
) -> _PendingLogin:
    link = links.open_link(session, back.link_token, now)
    name = BrokerName.ZERODHA if login_tokens.is_request_token else BrokerName.ANGEL_ONE
    if back.state:
        state = login_queries.use_client_login(
            session, security.token_digest(back.state), link.id, now
        )
        if state is None:
            raise LoginNotBegun
        name = BrokerName(state.broker)
    return _PendingLogin(link.client.id, link.id, name, app_of(session, name))


def _keep(
    session: Session,
    actor: Actor,
    started: _PendingLogin,
    login: BrokerSession,
    read_answer: IdentityCheck,
    now: dt.datetime,
) -> ClientSession | None:
    """The stored session; None for another person's, which is only recorded."""
    identity = read_answer(session, started.client_id, started.broker, login.broker_user_id)
    is_other = identity is Identity.OTHER
    if not is_other and not login_queries.use_link(session, started.link_id, now):
        raise LinkInvalid
    stored = store_client_login(
        session, actor, started.client_id, started.broker, login, identity, now
    )
    return None if is_other else stored


def _awaiting(session: Session, client_id: uuid.UUID, session_id: uuid.UUID) -> ClientSession:
    stored = session_queries.stored_session(session, session_id)
    if not isinstance(stored, ClientSession) or stored.client_id != client_id:
        raise BrokerIdGone
    is_over = stored.ended_at is not None and stored.end_reason != EndReason.EXPIRED
    if stored.confirmed_at is not None or is_over:
        raise BrokerIdGone
    return stored


def _state_of(stored: ClientSession | None, now: dt.datetime) -> ConnectionState:
    if stored is None or stored.end_reason not in {None, EndReason.EXPIRED}:
        return ConnectionState.LOGGED_OUT
    if stored.confirmed_at is None:
        return ConnectionState.AWAITING
    is_live = stored.ended_at is None and stored.expires_at > now
    return ConnectionState.CONNECTED if is_live else ConnectionState.LOGGED_OUT


def _send(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    action: str,
    stored: ClientSession,
    more: dict[str, object] | None = None,
) -> None:
    changes = {"broker": stored.broker, "brokerUserId": stored.broker_user_id} | (more or {})
    audit_log.record(session, actor, now, action, ("client", stored.client_id), changes)
