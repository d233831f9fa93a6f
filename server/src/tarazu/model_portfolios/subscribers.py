"""Subscribers: the clients who follow a model portfolio.

A client follows one model at most: two would both claim all of the client's money.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.kit.db import new_id
from tarazu.model_portfolios import queries
from tarazu.model_portfolios.errors import FollowsAnother
from tarazu.model_portfolios.tables import ModelFollowing, ModelPortfolio, ModelSubscriber
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

MOST_CANDIDATES = 20
MOST_CLIENTS_NAMED = 100
"""In one row of the audit trail."""


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A client who follows a model; `investment` None: with all holdings and cash."""

    client: ClientSummary
    investment: Rupees | None
    subscribed_at: dt.datetime
    portfolio_value: Rupees | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active client by code, and the model that the client follows."""

    id: uuid.UUID
    client_id: str
    name: str
    model_id: uuid.UUID | None
    model_name: str | None


def subscribers_of(
    session: Session,
    model_id: uuid.UUID,
    query: str,
    skipped: int,
    limit: int,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[list[Subscriber], int]:
    """One page of the clients who follow a model, by code; and how many match."""
    rows = {row.client_id: row for row in queries.subscribers(session, model_id)}
    listed = people.client_summaries(session, query, visible)
    clients = [client for client in listed if client.id in rows]
    values = portfolio.client_values(session)
    subscribers = []
    for client in clients[skipped : skipped + limit]:
        row, worth = rows[client.id], values.get(client.id)
        value = worth.portfolio_value if worth else None
        subscribers.append(Subscriber(client, row.investment, row.subscribed_at, value))
    return subscribers, len(clients)


def investments_of(session: Session, model_id: uuid.UUID) -> dict[uuid.UUID, Rupees | None]:
    """How much follows a model, by client; None for all holdings and cash."""
    return {row.client_id: row.investment for row in queries.subscribers(session, model_id)}


def followings_of(session: Session, model_id: uuid.UUID) -> Sequence[ModelFollowing]:
    """All times during which clients followed a model, those who left included, by client."""
    return queries.followings_of(session, model_id)


def followers_among(
    session: Session, model_id: uuid.UUID, client_ids: Collection[uuid.UUID]
) -> set[uuid.UUID]:
    """Those of these clients who follow a model."""
    rows = queries.subscriptions_of(session, client_ids)
    return {client_id for client_id, row in rows.items() if row.model_id == model_id}


def models_followed(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, uuid.UUID]:
    """The model that each of these clients follows; those who follow none are left out."""
    rows = queries.subscriptions_of(session, client_ids)
    return {client_id: row.model_id for client_id, row in rows.items()}


def candidates(
    session: Session, query: str, visible: VisibleClients = ALL_CLIENTS
) -> list[Candidate]:
    """At most twenty active clients that match, by code, with the models they follow."""
    clients = people.client_summaries(session, query, visible)
    active = [client for client in clients if client.status is Status.ACTIVE][:MOST_CANDIDATES]
    rows = queries.subscriptions_of(session, [client.id for client in active])
    names = queries.names_of_models(session)
    listed = []
    for client in active:
        row = rows.get(client.id)
        model_id = row.model_id if row else None
        model_name = names[row.model_id] if row else None
        listed.append(Candidate(client.id, client.code, client.name, model_id, model_name))
    return listed


def subscribe(
    session: Session,
    now: dt.datetime,
    model: ModelPortfolio,
    added: Mapping[uuid.UUID, Rupees | None],
) -> None:
    """Let clients follow a model; of those who do already the amount is changed.

    Raises:
        ClientNotFound: there is no such client.
        FollowsAnother: a client follows another model.
    """
    clients = (
        {client.id: client for client in people.client_summaries(session, "")} if added else {}
    )
    present = queries.subscriptions_of(session, added.keys())
    for client_id, investment in added.items():
        client, subscription = clients.get(client_id), present.get(client_id)
        if client is None:
            raise ClientNotFound
        people.refuse_sample(client)
        if subscription is None:
            session.add(
                ModelSubscriber(
                    client_id=client_id,
                    model_id=model.id,
                    investment=investment,
                    subscribed_at=now,
                )
            )
            session.add(_following(model.id, client_id, investment, now))
            continue
        if subscription.model_id != model.id:
            name = queries.names_of_models(session)[subscription.model_id]
            raise FollowsAnother(
                f"{client.name} ({client.code}) follows {name}. Take the client out there first."
            )
        if (subscription.investment is None) != (investment is None):
            queries.end_followings(session, model.id, [client_id], now)
            session.add(_following(model.id, client_id, investment, now))
        subscription.investment = investment


def unsubscribe(
    session: Session, now: dt.datetime, model_id: uuid.UUID, removed: Collection[uuid.UUID]
) -> int:
    """Let clients follow a model no more; how many of them did."""
    gone = queries.delete_subscriptions(session, model_id, removed) if removed else []
    if gone:
        queries.end_followings(session, model_id, gone, now)
    return len(gone)


def _following(
    model_id: uuid.UUID, client_id: uuid.UUID, investment: Rupees | None, now: dt.datetime
) -> ModelFollowing:
    return ModelFollowing(
        id=new_id(),
        model_id=model_id,
        client_id=client_id,
        is_whole=investment is None,
        since=now,
        until=None,
    )


def audit_details(
    added: Mapping[uuid.UUID, Rupees | None], removed: Collection[uuid.UUID]
) -> dict[str, object]:
    """The clients by id, where one row of the audit trail has room for them."""
    if len(added) + len(removed) > MOST_CLIENTS_NAMED:
        return {}
    return {
        "clientsAdded": {
            str(key): None if value is None else str(value) for key, value in added.items()
        },
        "clientsRemoved": [str(key) for key in removed],
    }
