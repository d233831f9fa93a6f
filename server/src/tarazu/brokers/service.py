"""The brokers of the firm: whether its own session with one is live."""

import datetime as dt

from sqlalchemy.orm import Session

from tarazu.brokers import queries


def is_connected(session: Session, now: dt.datetime) -> bool:
    """Whether the firm's own session with a broker is live."""
    return queries.has_live_session(session, now)
