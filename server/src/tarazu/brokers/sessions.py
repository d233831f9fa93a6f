"""Sessions at the brokers, the firm's and the clients': which live, calls with them, their end."""

import datetime as dt
import uuid
from collections.abc import Callable, Collection, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers import broker_settings, queries
from tarazu.brokers.adapters.port import (
    BrokerApp,
    BrokerFault,
    BrokerPort,
    BrokerSession,
    Denied,
    HandedOver,
    SessionDead,
    Upstream,
)
from tarazu.brokers.broker_settings import BrokerFields, BrokerView, app_of
from tarazu.brokers.errors import BrokerNotReady
from tarazu.brokers.tables import BrokerName, BrokerStatus, ClientSession, EndReason, FirmSession
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import Database
from tarazu.kit.encryption import cipher_of
from tarazu.kit.settings import Settings

log = structlog.get_logger()

T = TypeVar("T")
Kept = FirmSession | ClientSession
"""A session as it is kept."""
Act = Callable[[BrokerPort, BrokerSession], Coroutine[Any, Any, T]]
"""What to do with a broker and a session there: `lambda broker, login: broker.holdings(login)`."""

RENEWAL_TAKES = dt.timedelta(seconds=30)
"""For so long nobody else renews a session that somebody began to renew."""
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


@dataclass(frozen=True, slots=True)
class LiveSession:
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


class Gateway(Protocol):
    """The way to the brokers, for callers that may wait."""

    def exchange(
        self, name: BrokerName, app: BrokerApp, handed: HandedOver, now: dt.datetime
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


def connected_clients(
    session: Session, client_ids: Collection[uuid.UUID] | None, now: dt.datetime
) -> set[uuid.UUID]:
    """Of these clients (None: of all), those who have a valid session with their broker.

    The one place that says so: a session counts once it is confirmed, until it expires or ends.
    """
    return queries.clients_with_live_session(session, client_ids, now)


def live_logins(session: Session, now: dt.datetime) -> dict[uuid.UUID, LiveLogin]:
    """Of every connected client the log-in that counts, without its tokens."""
    return {row[0]: LiveLogin(*row[1:]) for row in queries.live_logins(session, now)}


def live_firm_session(session: Session, now: dt.datetime) -> LiveSession | None:
    """The firm's own session, if it has one that may be used; it feeds the prices."""
    kept = queries.live_firm_session(session, now)
    return None if kept is None else _opened(session, kept)


def ways_to_lists(session: Session, now: dt.datetime) -> list[LiveSession]:
    """A session for each broker with which its list of instruments can be read now.

    Zerodha's takes any live session. Angel One's list is public: without a live session it is
    read with an empty one, as long as its app is set up.
    """
    found: dict[BrokerName, LiveSession] = {}
    firm_session = live_firm_session(session, now)
    if firm_session is not None:
        found[firm_session.broker] = firm_session
    for login in queries.live_logins(session, now):
        name = BrokerName(login.broker)
        if name not in found:
            live = live_client_session(session, login.client_id, now)
            if live is not None:
                found[name] = live
    app = _usable_app(session, BrokerName.ANGEL_ONE)
    if app is not None and BrokerName.ANGEL_ONE not in found:
        none = BrokerSession(broker_user_id="", access_token="", expires_at=now)
        found[BrokerName.ANGEL_ONE] = LiveSession(
            uuid.UUID(int=0), None, BrokerName.ANGEL_ONE, app, none
        )
    return list(found.values())


def live_client_session(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> LiveSession | None:
    """A client's confirmed session, if there is one that may be used."""
    return live_client_sessions(session, now, [client_id]).get(client_id)


def live_client_sessions(
    session: Session, now: dt.datetime, client_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, LiveSession]:
    """Of these clients, or of all, the confirmed sessions that may be used, by client."""
    found: dict[uuid.UUID, LiveSession] = {}
    apps: dict[str, BrokerApp | None] = {}
    for kept in queries.live_client_sessions(session, client_ids, now):
        if kept.broker not in apps:
            apps[kept.broker] = _usable_app(session, BrokerName(kept.broker))
        app = apps[kept.broker]
        if app is not None:
            found[kept.client_id] = _live(session, kept, app)
    return found


def ask_broker(
    database: Database, gateway: Gateway, live: LiveSession, act: "Act[T]", now: dt.datetime
) -> T:
    """Do `act` with a session; one found dead is marked as ended at once.

    Where renewal is allowed it is renewed first, and `act` done once more from its beginning.
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
    database: Database, gateway: Gateway, live: LiveSession, now: dt.datetime
) -> LiveSession | None:
    """The session with new tokens, which are kept; None once it is over and marked so.

    Where somebody else renewed it meanwhile, it is theirs.

    Raises:
        Upstream: somebody else is at it, or the broker does not answer; it lives as it did.
        BrokerFault: as the port says.
    """
    with database.transaction() as session:
        kept = queries.kept_session(session, live.id)
        found = _opened(session, kept) if kept is not None and kept.ended_at is None else None
        if kept is None or found is None:
            return None
        if found.login.access_token != live.login.access_token:
            return found
        if not found.may_renew:
            _end(session, kept, now, EndReason.BROKER_ENDED)
            return None
        if not queries.begin_renewal(session, kept, now, now - RENEWAL_TAKES):
            raise Upstream("the session is being renewed", retry_after=2)
    try:
        login = gateway.run(live.broker, live.app, lambda broker: broker.renew(live.login, now))
    except (SessionDead, Denied) as refused:
        log.warning("broker_renewal_refused", broker=live.broker, reason=refused.reason)
        login = None
    return _keep_renewed(database, live, login, now)


def prove_session(
    database: Database, gateway: Gateway, live: LiveSession, now: dt.datetime
) -> LiveSession | None:
    """A session that counts as over, until its next end, if a call with it works; else None.

    One that the broker knows no more is marked as ended.

    Raises:
        BrokerFault: the broker gives no answer; the session stays over.
    """
    with database.transaction() as session:
        kept = queries.kept_session(session, live.id)
        if kept is None or not queries.begin_renewal(session, kept, now, now - RENEWAL_TAKES):
            return None
    try:
        login = gateway.run(live.broker, live.app, lambda broker: broker.prove(live.login, now))
    except (SessionDead, Denied) as refused:
        log.info("broker_session_over", broker=live.broker, reason=refused.reason)
        login = None
    return _keep_renewed(database, live, login, now)


def sessions_to_prove(session: Session, now: dt.datetime) -> list[LiveSession]:
    """Angel One's sessions that count as over since a while ago at most, and cannot be renewed.

    Its token may be good for longer than the broker says, which only a call tells.
    """
    kept = queries.sessions_to_prove(
        session, BrokerName.ANGEL_ONE, now, now - RENEWED_AT_MOST_EVERY
    )
    found = [_opened(session, one) for one in kept]
    return [live for live in found if live is not None and not live.may_renew]


def sessions_to_renew(session: Session, now: dt.datetime) -> list[LiveSession]:
    """Sessions that are about to end, or just did, and may be renewed now."""
    kept = queries.sessions_to_renew(session, RENEW_BEFORE, now, now - RENEWED_AT_MOST_EVERY)
    found = [_opened(session, one) for one in kept]
    return [live for live in found if live is not None and live.may_renew]


def put_away_expired(session: Session, now: dt.datetime) -> None:
    """Close the sessions that ran out; the tokens of those that nobody can renew are dropped."""
    queries.put_away_expired(session, now, now - RENEWABLE_FOR)


def note_session_dead(session: Session, session_id: uuid.UUID, now: dt.datetime) -> None:
    """A broker knows this session no more: from now on nobody uses it. Its tokens are dropped.

    For who calls a broker past `ask_broker`, as a ticker does. Twice does no harm.
    """
    kept = queries.kept_session(session, session_id)
    if kept is not None:
        _end(session, kept, now, EndReason.BROKER_ENDED)


def log_out_at_broker(gateway: Gateway, live: LiveSession) -> bool:
    """End a session at the broker too; whether the broker took it.

    Here it is over already, so a failure is only logged: there it ends by itself at its time.
    """
    try:
        gateway.run(live.broker, live.app, lambda broker: broker.log_out(live.login))
    except BrokerFault as fault:
        log.warning("broker_logout_failed", broker=live.broker, reason=fault.reason)
        return False
    return True


def log_out_all_at_broker(gateway: Gateway, lives: Sequence[LiveSession]) -> None:
    """End sessions at their broker, one after the other; given up where it does not answer.

    For threads that may wait: of thousands it takes as long as the broker's limits say.
    """
    failed = 0
    for place, live in enumerate(lives, 1):
        failed = 0 if log_out_at_broker(gateway, live) else failed + 1
        if failed == GIVE_UP_AFTER:
            log.warning("broker_logouts_given_up", broker=live.broker, left=len(lives) - place)
            return


def edit_broker(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    broker_id: uuid.UUID,
    entered: BrokerFields,
    version: int | None,
) -> tuple[BrokerView, list[LiveSession]]:
    """Change a broker's record; what is not given stays. One that is inactive has no sessions.

    Returns:
        The record, and the sessions that ended by it, to be logged out at the broker once this is
        committed.

    Raises:
        BrokerNotFound, StaleVersion, UnfitAddress, SecretWanted: as `records.edit_broker` says.
    """
    # Before the record changes: they are logged out with the app that they were made for.
    lives = []
    if entered.status == BrokerStatus.INACTIVE:
        found = [
            _opened(session, kept) for kept in queries.open_sessions_at(session, broker_id, now)
        ]
        lives = [live for live in found if live is not None]
    view = broker_settings.edit_broker(session, settings, actor, now, broker_id, entered, version)
    return view, lives


def seal_tokens(session: Session, kept: Kept, login: BrokerSession) -> None:
    """Put the tokens of a log-in into its row; they stand there sealed."""
    vault = cipher_of(session)
    table = type(kept)
    for column in (table.access_token, table.refresh_token, table.feed_token):
        token = getattr(login, column.key)
        setattr(kept, column.key, vault.seal(token, column, kept.id) if token else None)


def opened(session: Session, kept: Kept) -> LiveSession | None:
    """A session that is kept, to be used once more; None without tokens or a usable app."""
    return _opened(session, kept) if kept.access_token else None


def _run(gateway: Gateway, live: LiveSession, act: "Act[T]") -> T:
    return gateway.run(live.broker, live.app, lambda broker: act(broker, live.login))


def _after_death(
    database: Database, gateway: Gateway, live: LiveSession, dead: SessionDead, now: dt.datetime
) -> LiveSession | None:
    """The session to try once more; None after it was marked as ended."""
    if dead.may_renew and live.may_renew:
        return renew_session(database, gateway, live, now)
    return _end_if_same(database, live, now)


def _end_if_same(database: Database, live: LiveSession, now: dt.datetime) -> LiveSession | None:
    """End a session, unless it has new tokens by now: then it is what those open."""
    with database.transaction() as session:
        kept = queries.kept_session(session, live.id)
        if kept is None or kept.ended_at is not None:
            return None
        found = _opened(session, kept)
        if found is not None and found.login.access_token != live.login.access_token:
            return found
        _end(session, kept, now, EndReason.BROKER_ENDED)
        return None


def _keep_renewed(
    database: Database, live: LiveSession, login: BrokerSession | None, now: dt.datetime
) -> LiveSession | None:
    with database.transaction() as session:
        kept = queries.kept_session(session, live.id)
        if kept is None or kept.ended_at is not None:
            return None
        if login is None or login.broker_user_id != kept.broker_user_id:
            _end(session, kept, now, EndReason.BROKER_ENDED)
            return None
        seal_tokens(session, kept, login)
        kept.expires_at = login.expires_at
        kept.renewal_begun_at = None
        session.flush()
        log.info("broker_session_renewed", broker=kept.broker, session_id=str(kept.id))
        return _opened(session, kept)


def _end(session: Session, kept: Kept, now: dt.datetime, reason: EndReason) -> None:
    if not queries.end_session(session, kept, now, reason):
        return
    log.info("broker_session_ended", broker=kept.broker, session_id=str(kept.id), reason=reason)
    changes = {"broker": kept.broker, "brokerUserId": kept.broker_user_id, "reason": reason}
    whose: tuple[str, object] = ("broker_session", kept.id)
    if isinstance(kept, ClientSession):
        whose = ("client", kept.client_id)
    audit_log.record(session, SYSTEM, now, "broker_session_ended", whose, changes)


def _opened(session: Session, kept: Kept) -> LiveSession | None:
    app = _usable_app(session, BrokerName(kept.broker))
    return None if app is None or not kept.access_token else _live(session, kept, app)


def _usable_app(session: Session, name: BrokerName) -> BrokerApp | None:
    try:
        return app_of(session, name)
    except BrokerNotReady:
        return None


def _live(session: Session, kept: Kept, app: BrokerApp) -> LiveSession:
    table, vault = type(kept), cipher_of(session)
    tokens = {
        column.key: vault.unseal(sealed, column, kept.id) if sealed else ""
        for column, sealed in (
            (table.access_token, kept.access_token),
            (table.refresh_token, kept.refresh_token),
            (table.feed_token, kept.feed_token),
        )
    }
    login = BrokerSession(broker_user_id=kept.broker_user_id, expires_at=kept.expires_at, **tokens)
    client_id = kept.client_id if isinstance(kept, ClientSession) else None
    return LiveSession(kept.id, client_id, BrokerName(kept.broker), app, login)
