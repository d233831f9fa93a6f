"""Sessions at the brokers, the firm's and the clients': which live, calls with them, their end."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers.broker_settings import app_of
from tarazu.brokers.errors import BrokerNotReady
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerSession,
)
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.tables import BrokerName, ClientSession, FirmSession
from tarazu.kit.encryption import cipher_of

log = structlog.get_logger()
T = TypeVar("T")
StoredSession = FirmSession | ClientSession
"""A session as stored."""


@dataclass(frozen=True, slots=True)
class LiveBrokerSession:
    """A session that may be used now: its tokens readable, with the app it was made for.

    Attributes:
        id: of the session, whose ever it is.
        client_id: None for the firm's own.
        login: what the calls of `BrokerPort` take.
    """

    id: uuid.UUID
    client_id: uuid.UUID | None
    broker: BrokerName
    app: BrokerApp
    login: BrokerSession

    @property
    def may_renew(self) -> bool:
        """Whether the firm's app and the log-in have what a renewal takes."""
        return self.app.is_renewal_allowed and bool(self.login.refresh_token)


@dataclass(frozen=True, slots=True)
class LiveLogin:
    """A client's log-in that may be used: which, where, since when and until when at most."""

    session_id: uuid.UUID
    broker: str
    connected_at: dt.datetime
    expires_at: dt.datetime


def connected_clients(
    session: Session, client_ids: Collection[uuid.UUID] | None, now: dt.datetime
) -> set[uuid.UUID]:
    """Of these clients (None: of all), those who have a valid session with their broker.

    The only definition: a session counts once it is confirmed, until it expires or ends.
    """
    return session_queries.clients_with_live_session(session, client_ids, now)


def live_logins(session: Session, now: dt.datetime) -> dict[uuid.UUID, LiveLogin]:
    """Of every connected client the log-in that counts, without its tokens."""
    return {row[0]: LiveLogin(*row[1:]) for row in session_queries.live_logins(session, now)}


def live_firm_session(session: Session, now: dt.datetime) -> LiveBrokerSession | None:
    """The firm's own session, if it has one that may be used; it feeds the prices."""
    stored = session_queries.live_firm_session(session, now)
    return None if stored is None else open_stored(session, stored)


def sessions_for_instrument_lists(session: Session, now: dt.datetime) -> list[LiveBrokerSession]:
    """A session for each broker with which its list of instruments can be read now.

    Zerodha's takes any live session. Angel One's list is public: without a live session it is
    read with an empty one, as long as its app is set up.
    """
    by_broker: dict[BrokerName, LiveBrokerSession] = {}
    firm_session = live_firm_session(session, now)
    if firm_session is not None:
        by_broker[firm_session.broker] = firm_session
    for login in session_queries.live_logins(session, now):
        name = BrokerName(login.broker)
        if name not in by_broker:
            live = live_client_session(session, login.client_id, now)
            if live is not None:
                by_broker[name] = live
    app = _usable_app(session, BrokerName.ANGEL_ONE)
    if app is not None and BrokerName.ANGEL_ONE not in by_broker:
        none = BrokerSession(broker_user_id="", access_token="", expires_at=now)
        by_broker[BrokerName.ANGEL_ONE] = LiveBrokerSession(
            uuid.UUID(int=0), None, BrokerName.ANGEL_ONE, app, none
        )
    return list(by_broker.values())


def live_client_session(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> LiveBrokerSession | None:
    """A client's confirmed session, if there is one that may be used."""
    return live_client_sessions(session, now, [client_id]).get(client_id)


def live_client_sessions(
    session: Session, now: dt.datetime, client_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, LiveBrokerSession]:
    """Of these clients, or of all, the confirmed sessions that may be used, by client."""
    by_client: dict[uuid.UUID, LiveBrokerSession] = {}
    apps: dict[str, BrokerApp | None] = {}
    for stored in session_queries.live_client_sessions(session, client_ids, now):
        if stored.broker not in apps:
            apps[stored.broker] = _usable_app(session, BrokerName(stored.broker))
        app = apps[stored.broker]
        if app is not None and stored.access_token:
            by_client[stored.client_id] = _live(session, stored, app)
    return by_client


def seal_tokens(session: Session, stored: StoredSession, login: BrokerSession) -> None:
    """Store the tokens of a log-in in its row, encrypted."""
    cipher = cipher_of(session)
    table = type(stored)
    for column in (table.access_token, table.refresh_token, table.feed_token):
        token = getattr(login, column.key)
        setattr(stored, column.key, cipher.seal(token, column, stored.id) if token else None)


def open_stored(session: Session, stored: StoredSession) -> LiveBrokerSession | None:
    app = _usable_app(session, BrokerName(stored.broker))
    return None if app is None or not stored.access_token else _live(session, stored, app)


def _usable_app(session: Session, name: BrokerName) -> BrokerApp | None:
    try:
        return app_of(session, name)
    except BrokerNotReady:
        return None


def _live(session: Session, stored: StoredSession, app: BrokerApp) -> LiveBrokerSession:
    table, cipher = type(stored), cipher_of(session)
    tokens = {
        column.key: cipher.unseal(sealed, column, stored.id) if sealed else ""
        for column, sealed in (
            (table.access_token, stored.access_token),
            (table.refresh_token, stored.refresh_token),
            (table.feed_token, stored.feed_token),
        )
    }
    login = BrokerSession(
        broker_user_id=stored.broker_user_id, expires_at=stored.expires_at, **tokens
    )
    client_id = stored.client_id if isinstance(stored, ClientSession) else None
    return LiveBrokerSession(stored.id, client_id, BrokerName(stored.broker), app, login)
