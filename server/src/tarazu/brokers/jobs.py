"""Timed work on the sessions at the brokers: renewed, checked and closed."""

import datetime as dt

import structlog

from tarazu.brokers import service
from tarazu.brokers.protocol.port import BrokerFault
from tarazu.brokers.service import Gateway
from tarazu.kit.db import Database

log = structlog.get_logger()


def renew_due(database: Database, gateway: Gateway, now: dt.datetime) -> int:
    """Renew sessions that ended, if the broker's record allows it; returns how many.

    Angel One's that cannot be renewed continue if a call shows that they are live.
    """
    with database.reading() as session:
        due = service.sessions_to_renew(session, now)
        over = service.sessions_to_verify(session, now)
    renewed = 0
    for live in due:
        try:
            renewed += service.renew_session(database, gateway, live, now) is not None
        except BrokerFault as fault:
            log.warning("broker_renewal_failed", broker=live.broker, reason=fault.reason)
    for live in over:
        try:
            renewed += service.verify_session(database, gateway, live, now) is not None
        except BrokerFault as fault:
            log.warning("broker_session_not_proved", broker=live.broker, reason=fault.reason)
    with database.transaction() as session:
        service.close_expired(session, now)
    return renewed


def check_firm_session(database: Database, gateway: Gateway, now: dt.datetime) -> None:
    """Check the firm's session with a call; if the broker ended it, end it here too."""
    with database.reading() as session:
        live = service.live_firm_session(session, now)
    if live is None:
        return
    try:
        service.ask_broker(
            database, gateway, live, lambda broker, login: broker.profile(login), now
        )
    except BrokerFault as fault:
        log.warning("broker_check_failed", broker=live.broker, reason=fault.reason)
