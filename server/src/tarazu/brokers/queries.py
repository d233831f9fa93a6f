"""Every SQL statement of the brokers."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    cast,
    delete,
    extract,
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
    LoginState,
    Pace,
)
from tarazu.kit.db import insert_into, read

T = TypeVar("T", FirmSession, ClientSession)

MICROSECONDS = 1_000_000
LONGEST_HOLD = 60
"""Seconds."""


def brokers(session: Session) -> list[Broker]:
    """All of them, by name."""
    return list(session.execute(select(Broker).order_by(Broker.name)).scalars())


def broker(session: Session, broker_id: uuid.UUID, *, for_update: bool = False) -> Broker | None:
    return session.get(Broker, broker_id, with_for_update=for_update or None)


def broker_named(session: Session, name: BrokerName) -> Broker | None:
    return session.execute(select(Broker).where(Broker.name == name)).scalar_one_or_none()


def live_firm_session(session: Session, now: dt.datetime) -> FirmSession | None:
    """The newest of the firm's own sessions that has neither expired nor ended."""
    statement = (
        select(FirmSession)
        .where(FirmSession.expires_at > now, FirmSession.ended_at.is_(None))
        .order_by(FirmSession.connected_at.desc(), FirmSession.id.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def open_firm_sessions(session: Session) -> list[FirmSession]:
    """The firm's own sessions that nobody has ended, run out or not; to be changed."""
    statement = (
        select(FirmSession)
        .where(FirmSession.ended_at.is_(None))
        .order_by(FirmSession.connected_at)
        .with_for_update()
    )
    return list(session.execute(statement).scalars())


def kept_session(session: Session, session_id: uuid.UUID) -> FirmSession | ClientSession | None:
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


def sessions_to_feed(
    session: Session, now: dt.datetime, most: int
) -> list[tuple[uuid.UUID, str, str]]:
    """Id, broker and sealed token of live sessions that can carry prices, the better ones first.

    The firm's own before its clients', Zerodha's before Angel One's, which takes fewer instruments;
    then the newest. Angel One's need a feed token.

    Args:
        most: of each broker.
    """
    found: list[tuple[uuid.UUID, str, str]] = []
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
            found += [
                (row.id, row.broker, row.access_token or "") for row in session.execute(newest)
            ]
    return found


def session_to_feed(session: Session, session_id: uuid.UUID) -> FirmSession | ClientSession | None:
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


def telling_session(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> ClientSession | None:
    """The session by which a client is spoken of: the one that lives, else the newest."""
    lives = case((and_(*_is_live(now)), 0), else_=1)
    statement = (
        select(ClientSession)
        .where(ClientSession.client_id == client_id)
        .order_by(lives, ClientSession.connected_at.desc(), ClientSession.id.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def end_session(
    session: Session, kept: FirmSession | ClientSession, now: dt.datetime, reason: EndReason
) -> bool:
    """End a session and forget its tokens; False if it had ended before."""
    if kept.ended_at is not None:
        return False
    kept.ended_at, kept.end_reason = now, reason
    kept.access_token = kept.refresh_token = kept.feed_token = None
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


def begin_renewal(
    session: Session, kept: FirmSession | ClientSession, now: dt.datetime, before: dt.datetime
) -> bool:
    """Take up the renewal of a session; False while somebody who began after `before` is at it."""
    table = type(kept)
    statement = (
        update(table)
        .where(
            table.id == kept.id,
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

    Those of the firm first; of clients those that are confirmed. Whose renewal was begun after
    `tried_before` has to wait.
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


def sessions_to_prove(
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


def put_away_expired(session: Session, now: dt.datetime, renewable_since: dt.datetime) -> None:
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


def use_login_state(
    session: Session, digest: str, session_id: uuid.UUID | None, now: dt.datetime
) -> str | None:
    """The broker of a log-in that this session began; it is used up by that. Else None."""
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
    """The log-in that a client began by this link; it is used up by that. Else None."""
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
    """Drop log-ins that ran out a day ago."""
    oldest = now - dt.timedelta(days=1)
    session.execute(delete(LoginState).where(LoginState.expires_at < oldest))


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
        wanted: BindParameter[uuid.UUID] = bindparam("client_ids", expanding=True)
        statement = statement.where(ClientSession.client_id.in_(wanted))
    return statement.distinct()


def live_logins(session: Session, now: dt.datetime) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, session, broker, begin and end of all confirmed log-ins that live; newest last."""
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


def next_end(session: Session, now: dt.datetime) -> dt.datetime | None:
    """When the next log-in of a client, or link that is still good, runs out by itself."""
    ends = (
        select(func.min(ClientSession.expires_at)).where(*_is_live(now)),
        select(func.min(ConnectLink.expires_at)).where(
            ConnectLink.expires_at > now, ConnectLink.used_at.is_(None)
        ),
    )
    found = [session.execute(statement).scalar_one() for statement in ends]
    return min((end for end in found if end is not None), default=None)


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
    """Let no link of a client work any more, nor a log-in that was begun by one."""
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
    """Use a link up; False if it was already."""
    statement = (
        update(ConnectLink)
        .where(ConnectLink.id == link_id, ConnectLink.used_at.is_(None))
        .values(used_at=now)
        .returning(ConnectLink.id)
    )
    return session.execute(statement).scalar_one_or_none() is not None


def take_turn(session: Session, line: str, interval: int, longest: int) -> int | None:
    """Give the line's next turn to the caller: in how many microseconds it is.

    One row a line, one statement a turn: turns are `interval` apart however many processes ask.
    The clock is the database's, which all of them share. A row from further ahead than anyone
    may queue tells of a clock that was set back, and counts as none.

    Args:
        session: of a transaction that ends at once.
        line: what calls are counted on.
        interval: microseconds between two turns.
        longest: microseconds that may be waited for; None is answered, and no turn taken,
            when it would be more.
    """
    now = _database_microseconds(session)
    furthest = now + 2 * MICROSECONDS * LONGEST_HOLD
    begin = case(
        (or_(Pace.free_at < now, Pace.free_at > furthest), now),
        else_=Pace.free_at,
    )
    taken = (
        insert_into(session, Pace)
        .values(line=line, free_at=now + interval)
        .on_conflict_do_update(
            index_elements=[Pace.line],
            set_={"free_at": begin + interval},
            where=or_(Pace.free_at <= now + longest, Pace.free_at > furthest),
        )
        .returning(Pace.free_at - interval - now)
    )
    wait = session.execute(taken).scalar_one_or_none()
    return None if wait is None else max(0, int(wait))


def hold_turns(session: Session, line: str, microseconds: int) -> None:
    """Give out no turn of the line for a while, at most a minute."""
    until = _database_microseconds(session) + min(microseconds, MICROSECONDS * LONGEST_HOLD)
    session.execute(
        insert_into(session, Pace)
        .values(line=line, free_at=until)
        .on_conflict_do_update(
            index_elements=[Pace.line],
            set_={"free_at": case((Pace.free_at < until, until), else_=Pace.free_at)},
        )
    )


def _database_microseconds(session: Session) -> ColumnElement[int]:
    if session.get_bind().dialect.name == "postgresql":
        seconds: ColumnElement[Any] = extract("epoch", func.clock_timestamp())
    else:
        seconds = func.unixepoch("now", "subsec")
    return cast(seconds * MICROSECONDS, BigInteger)
