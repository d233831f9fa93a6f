"""Every SQL statement of signing in."""

import datetime as dt
import uuid

from sqlalchemy import Row, select, update
from sqlalchemy.orm import Session

from tarazu.auth.tables import SignIn

LIVE_SESSIONS = 10


def sign_in_by_digest(session: Session, digest: str) -> SignIn | None:
    statement = select(SignIn).where(SignIn.token_digest == digest)
    return session.execute(statement).scalar_one_or_none()


def mark_seen(session: Session, sign_in_id: uuid.UUID, now: dt.datetime) -> None:
    session.execute(update(SignIn).where(SignIn.id == sign_in_id).values(seen_at=now))


def end(session: Session, sign_in_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(SignIn).where(SignIn.id == sign_in_id, SignIn.ended_at.is_(None))
    session.execute(statement.values(ended_at=now))


def end_all_of(session: Session, account_id: uuid.UUID, now: dt.datetime) -> None:
    statement = update(SignIn).where(SignIn.account_id == account_id, SignIn.ended_at.is_(None))
    session.execute(statement.values(ended_at=now))


def live_of(session: Session, account_id: uuid.UUID, now: dt.datetime) -> list[Row[uuid.UUID]]:
    """Oldest first."""
    statement = (
        select(SignIn.id)
        .where(SignIn.account_id == account_id, SignIn.ended_at.is_(None), SignIn.expires_at > now)
        .order_by(SignIn.id)
    )
    return list(session.execute(statement).all())
