"""How clients are connected with their brokers: by links, with an id that staff confirm."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.errors import BrokerIdTaken, BrokerNotReady
from tarazu.brokers.service import (
    ClientLogin,
    CurrentConnection,
    Gateway,
    Identity,
    LoginReturn,
    LoginTokens,
    NewLink,
    StartedLogin,
)
from tarazu.brokers.tables import BrokerName
from tarazu.firm import service as firm
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class LinkView:
    """The page behind a link: the firm, the client and the brokers to log in at."""

    firm_name: str
    client_name: str
    brokers: list[BrokerName]
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """A client's connection as staff see it.

    Attributes:
        broker, broker_user_id: as the client's record knows them; empty where it does not.
        confirmed_by: the name of who confirmed the id; empty where it was known already.
    """

    broker: str
    broker_user_id: str
    connection: CurrentConnection
    confirmed_by: str
    is_ready: bool


@dataclass(frozen=True, slots=True)
class UnconfirmedId:
    """A client whose broker ID, reported at log-in, staff must confirm."""

    id: uuid.UUID
    client_id: str
    name: str
    reported_id: str


def show_link(session: Session, token: str, now: dt.datetime) -> LinkView:
    """What a client sees behind a link; opening does not use it up.

    Raises:
        LinkInvalid: it is unknown, used, replaced or too old, or its client is gone.
    """
    link = brokers.open_link(session, token, now)
    return LinkView(
        firm.registration(session).name,
        link.client.name,
        _offered(session, link.client.id),
        link.expires_at,
    )


def begin_login(
    session: Session,
    settings: Settings,
    token: str,
    name: BrokerName | None,
    now: dt.datetime,
    *,
    in_app: bool,
) -> StartedLogin:
    """Begin a client's log-in by a link: at the broker of the record, else at the one chosen.

    Raises:
        LinkInvalid: as above.
        BrokerNotReady: the broker is not offered, or none is named of many.
    """
    link = brokers.open_link(session, token, now)
    offered = _offered(session, link.client.id)
    if name is None and len(offered) == 1:
        name = offered[0]
    if name is None or name not in offered:
        raise BrokerNotReady("Choose your broker.")
    return brokers.begin_client_login(session, settings, link, name, now, in_app=in_app)


def finish_login(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    back: LoginReturn,
    handed: LoginTokens,
    now: dt.datetime,
) -> ClientLogin:
    """Finish a client's log-in with the tokens of the broker.

    Raises:
        Refusal: as `brokers.finish_client_login` says.
    """
    return brokers.finish_client_login(database, gateway, actor, back, handed, _identity_of, now)


def connection_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> ConnectionView:
    """A client's connection with the broker.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    account = portfolio.account_summary(session, client_id)
    connection = brokers.connection_of(session, client_id, now)
    by = connection.session.confirmed_by if connection.session else None
    name = people.names_of(session, [by]).get(by, "") if by else ""
    is_ready = bool(_offered(session, client_id))
    return ConnectionView(account.broker, account.broker_user_id, connection, name, is_ready)


def ids_to_confirm(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> list[UnconfirmedId]:
    """The clients who logged in with an id that nobody has confirmed, by code."""
    return [
        UnconfirmedId(client.client_id, client.code, client.name, client.reported_id)
        for client in brokers.unconnected_clients(session, now)
        if client.reported_id is not None and visible.includes(client.client_id)
    ]


def make_link(
    session: Session,
    settings: Settings,
    actor: Actor,
    client_id: uuid.UUID,
    now: dt.datetime,
    *,
    mailed: bool,
) -> NewLink:
    """A link for a client, mailed or to be handed over by staff; earlier ones end.

    Raises:
        ClientNotFound, ClientNotActive, BrokerNotReady: no link would lead anywhere.
    """
    if mailed:
        return brokers.send_connect_links(session, settings, actor, [client_id], now)[0]
    return brokers.make_connect_link(session, settings, actor, client_id, now)


def confirm_id(
    session: Session, actor: Actor, client_id: uuid.UUID, session_id: uuid.UUID, now: dt.datetime
) -> None:
    """Save the broker ID of a log-in as the client's.

    Raises:
        ClientNotFound: there is no such client.
        BrokerIdGone: there is no such log-in that awaits it.
        BrokerIdTaken: another client has this id.
    """
    portfolio.lock_accounts(session)
    people.client(session, client_id)
    broker_session = brokers.confirm_broker_id(session, actor, client_id, session_id, now)
    holders = _holders(session, client_id, broker_session.broker_user_id)
    if holders:
        raise BrokerIdTaken(
            f"{broker_session.broker_user_id} is the broker ID of {holders[0]} already."
        )
    portfolio.set_broker(session, client_id, broker_session.broker, broker_session.broker_user_id)


def refuse_id(
    database: Database,
    gateway: Gateway,
    actor: Actor,
    client_id: uuid.UUID,
    session_id: uuid.UUID,
    now: dt.datetime,
) -> None:
    """Reject a log-in of another person; it ends here and at the broker.

    Raises:
        ClientNotFound: there is no such client.
        BrokerIdGone: there is no such log-in that awaits it.
    """
    with database.transaction() as session:
        people.client(session, client_id)
        live = brokers.refuse_broker_id(session, actor, client_id, session_id, now)
    if live is not None:
        brokers.log_out_at_broker(gateway, live)


def end_sessions(
    database: Database, gateway: Gateway, actor: Actor, client_id: uuid.UUID, now: dt.datetime
) -> None:
    """Log a client out, here and at the broker; links end too.

    Raises:
        ClientNotFound: there is no such client.
    """
    with database.transaction() as session:
        people.client(session, client_id)
        lives = brokers.end_client_sessions(session, actor, client_id, now)
    for live in lives:
        brokers.log_out_at_broker(gateway, live)


def forget_id(
    database: Database, gateway: Gateway, actor: Actor, client_id: uuid.UUID, now: dt.datetime
) -> None:
    """Forget a client's broker ID: the next log-in must be confirmed again. Sessions end.

    Raises:
        ClientNotFound: there is no such client.
    """
    with database.transaction() as session:
        portfolio.lock_accounts(session)
        people.client(session, client_id)
        account = portfolio.account_summary(session, client_id)
        lives = brokers.end_client_sessions(session, actor, client_id, now)
        portfolio.set_broker(session, client_id, "", "")
        changes = {
            "broker": [account.broker, ""],
            "brokerUserId": [account.broker_user_id, ""],
        }
        audit_log.record(session, actor, now, "broker_id_forgotten", ("client", client_id), changes)
    for live in lives:
        brokers.log_out_at_broker(gateway, live)


def _offered(session: Session, client_id: uuid.UUID) -> list[BrokerName]:
    """Where a client can log in: where the record says, else at every broker in use."""
    usable = brokers.usable_brokers(session)
    account = portfolio.account_summary(session, client_id)
    if account.broker and account.broker_user_id:
        return [name for name in usable if name == account.broker]
    return usable


def _identity_of(
    session: Session, client_id: uuid.UUID, name: BrokerName, broker_user_id: str
) -> Identity:
    account = portfolio.account_summary(session, client_id)
    if account.broker_user_id:
        is_same = account.broker_user_id.upper() == broker_user_id.upper()
        is_there = account.broker in {"", name}
        return Identity.KNOWN if is_same and is_there else Identity.OTHER
    return Identity.OTHER if _holders(session, client_id, broker_user_id) else Identity.NEW


def _holders(session: Session, client_id: uuid.UUID, broker_user_id: str) -> list[str]:
    """The codes of other clients who have this id; a deleted client holds nothing."""
    others = portfolio.clients_of_broker_user(session, broker_user_id) - {client_id}
    return [card.code for card in people.client_summaries(session, "") if card.id in others]
