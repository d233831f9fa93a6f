"""The brokers of the firm: the door to their records, the sessions with them, and calls.

A call with a client's session, from a thread that holds no transaction open:

    with database.reading() as session:
        live = brokers.live_client_session(session, client_id, now)
    if live is not None:
        held = brokers.ask_broker(
            database, gateway, live, lambda broker, login: broker.holdings(login), now
        )
"""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.brokers import broker_settings
from tarazu.brokers.broker_settings import (
    DISPLAY_NAMES,
    BrokerFields,
    BrokerView,
    add_broker,
    api_key_of,
    basket_key,
    list_brokers,
    show_broker,
    usable_brokers,
)
from tarazu.brokers.market_feeds import FeedConnection, FeedSession, MarketFeeds
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerFault,
    BrokerFunds,
    BrokerHolding,
    BrokerOrder,
    BrokerPort,
    BrokerPosition,
    BrokerProfile,
    BrokerRows,
    BrokerSession,
    BrokerTrade,
    Denied,
    LoginTokens,
    Malformed,
    MasterRow,
    RateLimited,
    SessionDead,
    UnreadableRow,
    Upstream,
)
from tarazu.brokers.protocol.token_mapping import angel_token
from tarazu.brokers.requests import EditedBroker, NewBroker
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.calls import (
    Gateway,
    ask_broker,
    close_expired,
    log_out_all_at_broker,
    log_out_at_broker,
    mark_session_dead,
    renew_session,
    sessions_to_renew,
    sessions_to_verify,
    verify_session,
)
from tarazu.brokers.sessions.client import (
    ClientLogin,
    CurrentConnection,
    Identity,
    LoginReturn,
    confirm_broker_id,
    connection_of,
    end_client_sessions,
    finish_basket_login,
    finish_client_login,
    refuse_broker_id,
    store_client_login,
)
from tarazu.brokers.sessions.firm import begin_login, connect, connection, disconnect, was_connected
from tarazu.brokers.sessions.links import (
    LINK_LASTS,
    NewLink,
    begin_client_login,
    make_connect_link,
    open_link,
    pending_logins,
    send_connect_links,
    unconnected_clients,
)
from tarazu.brokers.sessions.live import (
    LiveBrokerSession,
    connected_clients,
    live_client_session,
    live_client_sessions,
    live_firm_session,
    live_logins,
    open_stored,
    sessions_for_instrument_lists,
)
from tarazu.brokers.sessions.logins import StartedLogin
from tarazu.brokers.tables import BrokerStatus
from tarazu.kit.audit_log import Actor
from tarazu.kit.settings import Settings


def edit_broker(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    broker_id: uuid.UUID,
    entered: BrokerFields,
    version: int | None,
    *,
    is_approved: bool = False,
) -> tuple[BrokerView, list[LiveBrokerSession]]:
    """Change a broker's record; what is not given stays. One that is inactive has no sessions.

    Returns:
        The record, and the sessions that ended by it, to be logged out at the broker once this is
        committed.

    Raises:
        BrokerNotFound, StaleVersion, UnfitAddress, SecretWanted, ApprovalRequired: as `broker_settings.edit_broker` says.
    """
    # Before the record changes: they are logged out with the app that they were made for.
    lives = []
    if entered.status == BrokerStatus.INACTIVE:
        opened = [
            open_stored(session, stored)
            for stored in session_queries.open_sessions_at(session, broker_id, now)
        ]
        lives = [live for live in opened if live is not None]
    view = broker_settings.edit_broker(
        session, settings, actor, now, broker_id, entered, version, is_approved=is_approved
    )
    return view, lives
