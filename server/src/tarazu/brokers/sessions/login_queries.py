"""Every SQL statement on log-ins that were started and on connect links."""

import datetime as dt
import uuid

from sqlalchemy import (
    delete,
    select,
    update,
)
from sqlalchemy.orm import Session

from tarazu.brokers.tables import (
    ConnectLink,
    LoginState,
)


def use_login_state(
    session: Session, digest: str, session_id: uuid.UUID | None, now: dt.datetime
) -> str | None:
    """The broker of a log-in that this session started, and mark it as used; else None."""
    statement = (
        update(LoginState)
        .where(
            LoginState.digest == digest,
            LoginState.session_id == session_id,
            LoginState.client_id.is_(None),
            LoginState.expires_at > now,
            LoginState.used_at.is_(None),
        )
        .values(used_at=now)
        .returning(LoginState.broker)
    )
    return session.execute(statement).scalar_one_or_none()


def use_client_login(
    session: Session, digest: str, link_id: uuid.UUID, now: dt.datetime
) -> LoginState | None:
    """The log-in that a client started with this link, and mark it as used; else None."""
    statement = (
        update(LoginState)
        .where(
            LoginState.digest == digest,
            LoginState.link_id == link_id,
            LoginState.expires_at > now,
            LoginState.used_at.is_(None),
        )
        .values(used_at=now)
        .returning(LoginState)
    )
    return session.execute(statement).scalar_one_or_none()


def forget_old_logins(session: Session, now: dt.datetime) -> None:
    """Delete log-ins that expired a day ago."""
    oldest = now - dt.timedelta(days=1)
    session.execute(delete(LoginState).where(LoginState.expires_at < oldest))


def open_link(session: Session, digest: str, now: dt.datetime) -> ConnectLink | None:
    """The link with this digest, if it was neither used nor replaced and is not too old."""
    statement = select(ConnectLink).where(
        ConnectLink.digest == digest, ConnectLink.expires_at > now, ConnectLink.used_at.is_(None)
    )
    return session.execute(statement).scalar_one_or_none()


def open_links(session: Session, now: dt.datetime) -> dict[uuid.UUID, dt.datetime]:
    """By client, when the link was made that is still good."""
    statement = select(ConnectLink.client_id, ConnectLink.made_at).where(
        ConnectLink.expires_at > now, ConnectLink.used_at.is_(None)
    )
    return {row.client_id: row.made_at for row in session.execute(statement)}


def newest_link(session: Session, client_id: uuid.UUID) -> ConnectLink | None:
    """The link that was made last for a client."""
    statement = (
        select(ConnectLink)
        .where(ConnectLink.client_id == client_id)
        .order_by(ConnectLink.made_at.desc(), ConnectLink.id.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def end_links(session: Session, client_id: uuid.UUID, now: dt.datetime) -> None:
    """End all links of a client, and the log-ins started by them."""
    session.execute(
        update(ConnectLink)
        .where(ConnectLink.client_id == client_id, ConnectLink.expires_at > now)
        .values(expires_at=now)
    )
    session.execute(
        update(LoginState)
        .where(LoginState.client_id == client_id, LoginState.used_at.is_(None))
        .values(used_at=now)
    )


def use_link(session: Session, link_id: uuid.UUID, now: dt.datetime) -> bool:
    """Mark a link as used; False if it was already."""
    statement = (
        update(ConnectLink)
        .where(ConnectLink.id == link_id, ConnectLink.used_at.is_(None))
        .values(used_at=now)
        .returning(ConnectLink.id)
    )
    return session.execute(statement).scalar_one_or_none() is not None
