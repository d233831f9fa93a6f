"""Every SQL statement on the sessions at the brokers."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from tarazu.brokers.tables import (
    Broker,
    BrokerName,
    ClientSession,
    ConnectLink,
    EndReason,
    FirmSession,
)
from tarazu.kit.db import read

T = TypeVar("T", FirmSession, ClientSession)


def live_firm_session(session: Session, now: dt.datetime) -> FirmSession | None:
    """The newest of the firm's own sessions that has neither expired nor ended."""
    statement = (
        select(FirmSession)
        .where(FirmSession.expires_at > now, FirmSession.ended_at.is_(None))
        .order_by(FirmSession.connected_at.desc(), FirmSession.id.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def has_firm_session(session: Session) -> bool:
    """Whether the firm was ever logged in to a broker."""
    return session.execute(select(FirmSession.id).limit(1)).first() is not None


def open_firm_sessions(session: Session) -> list[FirmSession]:
    """The firm's own sessions that nobody has ended, run out or not; to be changed."""
    statement = (
        select(FirmSession)
        .where(FirmSession.ended_at.is_(None))
        .order_by(FirmSession.connected_at)
        .with_for_update()
    )
    return list(session.execute(statement).scalars())


def stored_session(session: Session, session_id: uuid.UUID) -> FirmSession | ClientSession | None:
    """The session with this id, the firm's or a client's, live or not; to be changed."""
    return session.get(ClientSession, session_id, with_for_update=True) or session.get(
        FirmSession, session_id, with_for_update=True
    )


def live_client_sessions(
    session: Session, client_ids: Collection[uuid.UUID] | None, now: dt.datetime
) -> list[ClientSession]:
    """Of these clients, or of all, the confirmed log-ins that have not ended; newest last."""
    statement = select(ClientSession).where(*_is_live(now), ClientSession.confirmed_at.is_not(None))
    if client_ids is not None:
        statement = statement.where(ClientSession.client_id.in_(client_ids))
    ordered = statement.order_by(ClientSession.connected_at, ClientSession.id)
    return list(session.execute(ordered).scalars())


def _is_live(now: dt.datetime) -> tuple[ColumnElement[bool], ...]:
    return ClientSession.expires_at > now, ClientSession.ended_at.is_(None)


def sessions_for_prices(
    session: Session, now: dt.datetime, most: int
) -> list[tuple[uuid.UUID, str, str]]:
    """Id, broker and sealed token of live sessions that can carry prices, the better ones first.

    The firm's own before its clients', Zerodha's before Angel One's, which takes fewer instruments;
    then the newest. Angel One's need a feed token.

    Args:
        most: of each broker.
    """
    rows: list[tuple[uuid.UUID, str, str]] = []
    for table in (FirmSession, ClientSession):
        for broker_name in (BrokerName.ZERODHA, BrokerName.ANGEL_ONE):
            statement = select(table.id, table.broker, table.access_token).where(
                table.broker == broker_name,
                table.expires_at > now,
                table.ended_at.is_(None),
                table.access_token.is_not(None),
            )
            if table is ClientSession:
                statement = statement.where(ClientSession.confirmed_at.is_not(None))
            if broker_name == BrokerName.ANGEL_ONE:
                statement = statement.where(table.feed_token.is_not(None))
            newest = statement.order_by(table.connected_at.desc(), table.id.desc()).limit(most)
            rows += [
                (row.id, row.broker, row.access_token or "") for row in session.execute(newest)
            ]
    return rows


def session_for_prices(
    session: Session, session_id: uuid.UUID
) -> FirmSession | ClientSession | None:
    """The session with this id, the firm's or a client's, to be read only."""
    return session.get(FirmSession, session_id) or session.get(ClientSession, session_id)


def open_sessions_of(session: Session, client_id: uuid.UUID) -> list[ClientSession]:
    """The sessions of a client that nobody has ended, run out or not; to be changed."""
    statement = (
        select(ClientSession)
        .where(ClientSession.client_id == client_id, ClientSession.ended_at.is_(None))
        .order_by(ClientSession.connected_at)
        .with_for_update()
    )
    return list(session.execute(statement).scalars())


def current_session(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> ClientSession | None:
    """The live session of a client, else the newest."""
    lives = case((and_(*_is_live(now)), 0), else_=1)
    statement = (
        select(ClientSession)
        .where(ClientSession.client_id == client_id)
        .order_by(lives, ClientSession.connected_at.desc(), ClientSession.id.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def end_session(
    session: Session, stored: FirmSession | ClientSession, now: dt.datetime, reason: EndReason
) -> bool:
    """End a session and forget its tokens; False if it had ended before."""
    if stored.ended_at is not None:
        return False
    stored.ended_at, stored.end_reason = now, reason
    stored.access_token = stored.refresh_token = stored.feed_token = None
    session.flush()
    return True


def end_firm_sessions(session: Session, now: dt.datetime, reason: EndReason) -> None:
    """End the firm's sessions with every broker, and forget their tokens."""
    session.execute(
        update(FirmSession)
        .where(FirmSession.ended_at.is_(None))
        .values(ended_at=now, end_reason=reason, **_NO_TOKENS)
    )


def open_sessions_at(
    session: Session, broker_id: uuid.UUID, now: dt.datetime
) -> list[FirmSession | ClientSession]:
    """All sessions with a broker that live, the firm's before its clients'."""
    name = select(Broker.name).where(Broker.id == broker_id).scalar_subquery()

    def those_in(table: type[T]) -> list[T]:
        statement = select(table).where(
            table.broker == name, table.ended_at.is_(None), table.expires_at > now
        )
        return list(session.execute(statement.order_by(table.connected_at)).scalars())

    return [*those_in(FirmSession), *those_in(ClientSession)]


def end_sessions_at(session: Session, broker: str, now: dt.datetime, reason: EndReason) -> None:
    """End all sessions with a broker, the firm's and the clients', and forget their tokens."""
    for table in (FirmSession, ClientSession):
        session.execute(
            update(table)
            .where(table.ended_at.is_(None), table.broker == broker)
            .values(ended_at=now, end_reason=reason, **_NO_TOKENS)
        )


def claim_renewal(
    session: Session, stored: FirmSession | ClientSession, now: dt.datetime, before: dt.datetime
) -> bool:
    """Claim the renewal of a session; False while another process that started after `before` has it."""
    table = type(stored)
    statement = (
        update(table)
        .where(
            table.id == stored.id,
            or_(table.renewal_begun_at.is_(None), table.renewal_begun_at <= before),
        )
        .values(renewal_begun_at=now)
        .returning(table.id)
    )
    return session.execute(statement).scalar_one_or_none() is not None


def sessions_to_renew(
    session: Session,
    lead: Mapping[BrokerName, dt.timedelta],
    now: dt.datetime,
    tried_before: dt.datetime,
) -> list[FirmSession | ClientSession]:
    """Sessions with a refresh token that end within their broker's lead, or ended already.

    Those of the firm first; of clients those that are confirmed. Those whose renewal started
    after `tried_before` have to wait.
    """

    def of(table: type[FirmSession] | type[ClientSession]) -> tuple[ColumnElement[bool], ...]:
        return (
            table.ended_at.is_(None),
            table.refresh_token.is_not(None),
            or_(table.renewal_begun_at.is_(None), table.renewal_begun_at <= tried_before),
            or_(
                *(
                    and_(table.broker == name, table.expires_at <= now + before)
                    for name, before in lead.items()
                )
            ),
        )

    firms = select(FirmSession).where(*of(FirmSession)).order_by(FirmSession.expires_at)
    clients = (
        select(ClientSession)
        .where(*of(ClientSession), ClientSession.confirmed_at.is_not(None))
        .order_by(ClientSession.expires_at)
    )
    return [*session.execute(firms).scalars(), *session.execute(clients).scalars()]


def sessions_to_verify(
    session: Session, broker: BrokerName, now: dt.datetime, tried_before: dt.datetime
) -> list[FirmSession | ClientSession]:
    """Sessions of a broker that ran out and still have their tokens; the firm's first.

    Of clients those that are confirmed. Who was tried after `tried_before` has to wait.
    """

    def of(table: type[FirmSession] | type[ClientSession]) -> tuple[ColumnElement[bool], ...]:
        return (
            table.broker == broker,
            table.ended_at.is_(None),
            table.expires_at <= now,
            table.access_token.is_not(None),
            or_(table.renewal_begun_at.is_(None), table.renewal_begun_at <= tried_before),
        )

    firms = select(FirmSession).where(*of(FirmSession))
    clients = select(ClientSession).where(
        *of(ClientSession), ClientSession.confirmed_at.is_not(None)
    )
    return [*session.execute(firms).scalars(), *session.execute(clients).scalars()]


def close_expired(session: Session, now: dt.datetime, renewable_since: dt.datetime) -> None:
    """Close sessions that ran out and cannot be renewed any more, and forget their tokens."""
    for table in (FirmSession, ClientSession):
        session.execute(
            update(table)
            .where(
                table.ended_at.is_(None),
                table.expires_at <= now,
                or_(table.refresh_token.is_(None), table.expires_at <= renewable_since),
            )
            .values(ended_at=table.expires_at, end_reason=EndReason.EXPIRED, **_NO_TOKENS)
        )


_NO_TOKENS: Mapping[str, None] = {
    "access_token": None,
    "refresh_token": None,
    "feed_token": None,
}


def clients_with_live_session(
    session: Session, client_ids: Collection[uuid.UUID] | None, now: dt.datetime
) -> set[uuid.UUID]:
    """Of these clients, or of all, those whose confirmed log-in has not ended at `now`."""
    values = {"now": now} if client_ids is None else {"now": now, "client_ids": list(client_ids)}
    return set(
        read(session, _clients_with_live_session(of_some=client_ids is not None), values).scalars()
    )


@cache
def _clients_with_live_session(*, of_some: bool) -> Select[uuid.UUID]:
    statement = select(ClientSession.client_id).where(
        ClientSession.expires_at > bindparam("now"),
        ClientSession.ended_at.is_(None),
        ClientSession.confirmed_at.is_not(None),
    )
    if of_some:
        client_ids: BindParameter[uuid.UUID] = bindparam("client_ids", expanding=True)
        statement = statement.where(ClientSession.client_id.in_(client_ids))
    return statement.distinct()


def live_logins(session: Session, now: dt.datetime) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, session, broker, start and end of all confirmed live log-ins; newest last."""
    columns = (
        ClientSession.client_id,
        ClientSession.id,
        ClientSession.broker,
        ClientSession.connected_at,
        ClientSession.expires_at,
    )
    statement = select(*columns).where(*_is_live(now), ClientSession.confirmed_at.is_not(None))
    return session.execute(statement.order_by(ClientSession.connected_at)).all()


def unconfirmed_ids(session: Session, now: dt.datetime) -> dict[uuid.UUID, str]:
    """By client, the id at the broker of a log-in that staff have not confirmed yet."""
    statement = (
        select(ClientSession.client_id, ClientSession.broker_user_id)
        .where(*_is_live(now), ClientSession.confirmed_at.is_(None))
        .order_by(ClientSession.connected_at)
    )
    return {row.client_id: row.broker_user_id for row in session.execute(statement)}


def next_end(session: Session, now: dt.datetime) -> dt.datetime | None:
    """When the next log-in of a client, or valid link, expires."""
    ends = (
        select(func.min(ClientSession.expires_at)).where(*_is_live(now)),
        select(func.min(ConnectLink.expires_at)).where(
            ConnectLink.expires_at > now, ConnectLink.used_at.is_(None)
        ),
    )
    ends_at = [session.execute(statement).scalar_one() for statement in ends]
    return min((end for end in ends_at if end is not None), default=None)
