"""The brokers' records, and the sessions that the firm and its clients have with them.

Keys, secrets and tokens are stored encrypted (`kit.encryption`).
"""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table
from tarazu.kit.encryption import SEALED


class BrokerName(StrEnum):
    ZERODHA = "ZERODHA"
    ANGEL_ONE = "ANGEL_ONE"


class BrokerStatus(StrEnum):
    ACTIVE = "ACTIVE"
    INACTIVE = "INACTIVE"


class Missing(StrEnum):
    """What a broker's record lacks before anybody can log in there."""

    API_KEY = "API_KEY"
    API_SECRET = "API_SECRET"  # noqa: S105 - the word, not one


class EndReason(StrEnum):
    """Why a session at a broker is over before its time."""

    REPLACED = "REPLACED"
    LOGGED_OUT = "LOGGED_OUT"
    BROKER_ENDED = "BROKER_ENDED"
    BROKER_INACTIVE = "BROKER_INACTIVE"
    CLIENT_DELETED = "CLIENT_DELETED"
    EXPIRED = "EXPIRED"
    REFUSED = "REFUSED"
    WRONG_ID = "WRONG_ID"


class Broker(Table):
    __tablename__ = "brokers"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[BrokerName] = mapped_column(unique=True)
    description: Mapped[str] = mapped_column(Text)
    logo: Mapped[str] = mapped_column(Text)
    api_key: Mapped[str] = mapped_column(Text, info=SEALED)
    api_secret: Mapped[str] = mapped_column(Text, info=SEALED)
    api_url: Mapped[str] = mapped_column(Text)
    is_renew_session_allowed: Mapped[bool]
    status: Mapped[BrokerStatus]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]


class FirmSession(Table):
    """The firm's own log-in with a broker; it feeds the prices."""

    __tablename__ = "firm_broker_sessions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    broker: Mapped[str]
    broker_user_id: Mapped[str]
    account_id: Mapped[uuid.UUID | None]
    access_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    refresh_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    feed_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    connected_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    ended_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    end_reason: Mapped[str | None]
    # Only one process may use the refresh token: others wait for a while.
    renewal_begun_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class ClientSession(Table):
    """A client's log-in with a broker, by which holdings, funds and orders are read."""

    __tablename__ = "client_broker_sessions"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    broker: Mapped[str]
    broker_user_id: Mapped[str]
    access_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    refresh_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    feed_token: Mapped[str | None] = mapped_column(Text, info=SEALED)
    connected_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    ended_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # A broker id seen for the first time feeds nothing until staff confirm whose it is.
    confirmed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # None where the id was known already.
    confirmed_by: Mapped[uuid.UUID | None]
    end_reason: Mapped[str | None]
    renewal_begun_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)

    __table_args__ = (
        Index("ix_client_broker_sessions_client_id_expires_at", "client_id", "expires_at"),
    )


class LoginState(Table):
    """A log-in at a broker that was started: who may return with its tokens, once, and until when."""

    __tablename__ = "broker_login_states"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    broker: Mapped[str]
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    session_id: Mapped[uuid.UUID | None]
    client_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    # Of a client's log-in: the link that started it.
    link_id: Mapped[uuid.UUID | None]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class ConnectLink(Table):
    """A link with which a client logs in at a broker, once, without an account of ours."""

    __tablename__ = "broker_connect_links"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    made_by: Mapped[uuid.UUID | None]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # None of a link that was only copied.
    mail_id: Mapped[uuid.UUID | None]


class CallSlot(Table):
    """When the next call may be made on each line whose calls a broker limits.

    `free_at` is in microseconds since 1970 by the database's clock.
    """

    __tablename__ = "pace"

    line: Mapped[str] = mapped_column(primary_key=True)
    free_at: Mapped[int] = mapped_column(BigInteger)
