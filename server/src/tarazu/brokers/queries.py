"""Every SQL statement of the brokers."""

import datetime as dt

from sqlalchemy import select
from sqlalchemy.orm import Session

from tarazu.brokers.tables import FirmSession


def has_live_session(session: Session, now: dt.datetime) -> bool:
    statement = select(FirmSession.id).where(FirmSession.expires_at > now).limit(1)
    return session.execute(statement).first() is not None
