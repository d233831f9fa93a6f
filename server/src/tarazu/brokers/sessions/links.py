"""Links with which clients connect their brokers: made, mailed, opened, and used once."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.brokers.broker_settings import usable_brokers
from tarazu.brokers.errors import BrokerNotReady, ClientNotActive, LinkInvalid
from tarazu.brokers.sessions import login_queries, logins, mails
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.logins import LoginOwner, StartedLogin
from tarazu.brokers.tables import BrokerName, ConnectLink
from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import Client
from tarazu.people.tables import Status

LINK_LASTS = dt.timedelta(hours=48)
BROWSER_MARK, APP_MARK = "client.", "app."
"""The start of a client's login state, by which the return page knows where to bring the tokens."""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that was just made; its address is known here alone, and stored as a digest."""

    client_id: uuid.UUID
    url: str
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that may be used now, and by whom."""

    id: uuid.UUID
    client: Client
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class UnconnectedClient:
    """An active client without a session that may be used.

    Attributes:
        reported_id: the id at the broker that staff have to confirm, where the client did log in.
        linked_at: when the newest link was made that is still good.
    """

    client_id: uuid.UUID
    code: str
    name: str
    reported_id: str | None
    linked_at: dt.datetime | None


class PendingLogins(NamedTuple):
    """Open log-ins and links of clients.

    Attributes:
        reported_ids: by client, the id at the broker that staff have to confirm.
        linked_at: by client, when the newest link was made that is still good.
        until: when the next of these, or of the confirmed log-ins, ends; None without any.
    """

    reported_ids: Mapping[uuid.UUID, str]
    linked_at: Mapping[uuid.UUID, dt.datetime]
    until: dt.datetime | None


def pending_logins(session: Session, now: dt.datetime) -> PendingLogins:
    """The log-ins and links of all clients that are open."""
    return PendingLogins(
        session_queries.unconfirmed_ids(session, now),
        login_queries.open_links(session, now),
        session_queries.next_end(session, now),
    )


def unconnected_clients(session: Session, now: dt.datetime) -> list[UnconnectedClient]:
    """Every active client without a confirmed session at the broker, by code."""
    connected = session_queries.clients_with_live_session(session, None, now)
    waiting = session_queries.unconfirmed_ids(session, now)
    linked = login_queries.open_links(session, now)
    return [
        UnconnectedClient(card.id, card.code, card.name, waiting.get(card.id), linked.get(card.id))
        for card in people.client_summaries(session, "")
        if card.status == Status.ACTIVE and card.id not in connected
    ]


def send_connect_links(
    session: Session,
    settings: Settings,
    actor: Actor,
    client_ids: Collection[uuid.UUID],
    now: dt.datetime,
) -> list[NewLink]:
    """Mail each of these clients a link of their own, or none of them; earlier links end.

    Raises:
        ClientNotFound: one of them is not there.
        ClientNotActive: one of them is inactive.
        BrokerNotReady: there is no broker at which to log in.
    """
    registration = firm.registration(session)
    made = []
    for client_id in client_ids:
        new, link, client = _make(session, settings, actor, client_id, now)
        draft = mails.connect_link(registration, client.name, client.email, new.url, new.expires_at)
        link.mail_id = mail.queue(session, draft, now)
        made.append(new)
        _send(session, actor, now, client_id, "broker_link_sent", new)
    return made


def make_connect_link(
    session: Session, settings: Settings, actor: Actor, client_id: uuid.UUID, now: dt.datetime
) -> NewLink:
    """A link to be handed over in another way than by our mail; earlier links end.

    Raises:
        ClientNotFound, ClientNotActive, BrokerNotReady: as above.
    """
    new, _, _ = _make(session, settings, actor, client_id, now)
    _send(session, actor, now, client_id, "broker_link_made", new)
    return new


def open_link(session: Session, token: str, now: dt.datetime) -> OpenLink:
    """The link of a token. Opening does not use it up.

    Raises:
        LinkInvalid: it is unknown, used, replaced or too old, or its client is gone or inactive.
    """
    link = login_queries.open_link(session, security.token_digest(token), now)
    if link is None:
        raise LinkInvalid
    return OpenLink(link.id, client_of(session, link), link.expires_at)


def client_of(session: Session, link: ConnectLink) -> Client:
    """The client of a link.

    Raises:
        LinkInvalid: the client is gone or inactive.
    """
    try:
        client = people.client(session, link.client_id)
    except ClientNotFound:
        raise LinkInvalid from None
    if client.status != Status.ACTIVE:
        raise LinkInvalid
    return client


def begin_client_login(
    session: Session,
    settings: Settings,
    link: OpenLink,
    name: BrokerName,
    now: dt.datetime,
    *,
    in_app: bool = False,
) -> StartedLogin:
    """Begin the log-in of a link's client: at the broker's page, and back to the browser or app.

    Raises:
        BrokerNotReady: the broker's record is missing, inactive or not complete.
    """
    whose = LoginOwner(client_id=link.client.id, link_id=link.id)
    mark = APP_MARK if in_app else BROWSER_MARK
    return logins.begin(session, settings, name, whose, now, mark)


def _make(
    session: Session, settings: Settings, actor: Actor, client_id: uuid.UUID, now: dt.datetime
) -> tuple[NewLink, ConnectLink, Client]:
    client = people.client(session, client_id)
    people.refuse_sample(client)
    if client.status != Status.ACTIVE:
        raise ClientNotActive(f"{client.code} is inactive. Set the client active first.")
    if not usable_brokers(session):
        raise BrokerNotReady
    login_queries.end_links(session, client_id, now)
    token = security.new_token()
    link = ConnectLink(
        id=new_id(),
        digest=security.token_digest(token),
        client_id=client_id,
        made_by=actor.account_id,
        made_at=now,
        expires_at=now + LINK_LASTS,
        used_at=None,
        mail_id=None,
    )
    session.add(link)
    session.flush()
    url = f"{settings.address}/connect/{token}"
    return NewLink(client_id, url, link.expires_at), link, client


def _send(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    action: str,
    new: NewLink,
) -> None:
    changes = {"until": new.expires_at}
    audit_log.record(session, actor, now, action, ("client", client_id), changes)
