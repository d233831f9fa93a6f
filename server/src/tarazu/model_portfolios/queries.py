"""Every SQL statement of model portfolios and their subscribers."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.orm import Session

from tarazu.kit.schemas import ListParams
from tarazu.model_portfolios.tables import (
    BookLimits,
    ModelConstituent,
    ModelFollowing,
    ModelPortfolio,
    ModelStatus,
    ModelSubscriber,
    ModelVersion,
)
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_AT_ONCE = 5_000


class ModelFilter(ListParams):
    """Which models of the list."""

    status: ModelStatus | None = None


class DriftFilter(ListParams):
    """Which rows of the drift monitor; `outside_tolerance`: drift of the firm's tolerance or more."""

    model_id: uuid.UUID | None = None
    outside_tolerance: bool = False


def model_by_id(
    session: Session, model_id: uuid.UUID, *, lock: bool = False
) -> ModelPortfolio | None:
    statement = select(ModelPortfolio).where(ModelPortfolio.id == model_id)
    if lock:
        statement = statement.with_for_update()
    return session.execute(statement).scalar_one_or_none()


def model_by_name(session: Session, name_key: str) -> ModelPortfolio | None:
    statement = select(ModelPortfolio).where(ModelPortfolio.name_key == name_key)
    return session.execute(statement).scalar_one_or_none()


def models(session: Session, filters: ModelFilter) -> tuple[Sequence[ModelPortfolio], int]:
    """One page by name, and how many match."""
    conditions: list[ColumnElement[bool]] = []
    if filters.status is not None:
        conditions.append(ModelPortfolio.status == filters.status)
    name = filters.query.strip().lower()
    if name:
        conditions.append(ModelPortfolio.name_key.contains(name, autoescape=True))
    statement = select(ModelPortfolio).where(*conditions).order_by(ModelPortfolio.name_key)
    page = session.execute(statement.offset(filters.skipped).limit(filters.limit))
    count = select(func.count()).select_from(ModelPortfolio).where(*conditions)
    return page.scalars().all(), session.execute(count).scalar_one()


def versions_of(session: Session, model_ids: Collection[uuid.UUID]) -> Sequence[ModelVersion]:
    """All versions of these models, newest first."""
    statement = select(ModelVersion).where(ModelVersion.model_id.in_(model_ids))
    return session.execute(statement.order_by(ModelVersion.number.desc())).scalars().all()


def version_by_id(session: Session, version_id: uuid.UUID) -> ModelVersion | None:
    return session.get(ModelVersion, version_id)


def newest_version(session: Session, model_id: uuid.UUID) -> ModelVersion:
    statement = select(ModelVersion).where(ModelVersion.model_id == model_id)
    newest = statement.order_by(ModelVersion.number.desc()).limit(1)
    return session.execute(newest).scalar_one()


def constituents_of(
    session: Session, version_ids: Collection[uuid.UUID]
) -> Sequence[ModelConstituent]:
    """In the order in which they were given."""
    statement = select(ModelConstituent).where(ModelConstituent.version_id.in_(version_ids))
    return session.execute(statement.order_by(ModelConstituent.place)).scalars().all()


def constituent_instruments(session: Session) -> set[uuid.UUID]:
    """Stocks of the newest version of every active model."""
    newest = (
        select(ModelVersion.model_id, func.max(ModelVersion.number).label("number"))
        .join(ModelPortfolio, ModelPortfolio.id == ModelVersion.model_id)
        .where(ModelPortfolio.status == ModelStatus.ACTIVE)
        .group_by(ModelVersion.model_id)
        .subquery()
    )
    statement = (
        select(ModelConstituent.instrument_id)
        .join(ModelVersion, ModelVersion.id == ModelConstituent.version_id)
        .join(
            newest,
            (newest.c.model_id == ModelVersion.model_id) & (newest.c.number == ModelVersion.number),
        )
        .distinct()
    )
    return set(session.execute(statement).scalars())


def subscriber_counts(
    session: Session, model_ids: Collection[uuid.UUID], visible: VisibleClients = ALL_CLIENTS
) -> dict[uuid.UUID, int]:
    statement = (
        select(ModelSubscriber.model_id, func.count())
        .where(
            ModelSubscriber.model_id.in_(model_ids),
            *visible.condition(ModelSubscriber.client_id),
        )
        .group_by(ModelSubscriber.model_id)
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def subscribers(session: Session, model_id: uuid.UUID | None = None) -> Sequence[ModelSubscriber]:
    """Of one model, or of all."""
    statement = select(ModelSubscriber)
    if model_id is not None:
        statement = statement.where(ModelSubscriber.model_id == model_id)
    return session.execute(statement).scalars().all()


def subscriptions_of(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, ModelSubscriber]:
    """The subscription of each of these clients who has one, by client."""
    ids = list(client_ids)
    subscriptions: dict[uuid.UUID, ModelSubscriber] = {}
    for start in range(0, len(ids), _AT_ONCE):
        chunk = ids[start : start + _AT_ONCE]
        statement = select(ModelSubscriber).where(ModelSubscriber.client_id.in_(chunk))
        subscriptions |= {row.client_id: row for row in session.execute(statement).scalars()}
    return subscriptions


def delete_subscriptions(
    session: Session, model_id: uuid.UUID, client_ids: Collection[uuid.UUID]
) -> list[uuid.UUID]:
    """Delete the subscriptions of these clients to a model. Returns those who had one."""
    ids, gone = list(client_ids), list[uuid.UUID]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = delete(ModelSubscriber).where(
            ModelSubscriber.model_id == model_id,
            ModelSubscriber.client_id.in_(ids[start : start + _AT_ONCE]),
        )
        gone += session.execute(statement.returning(ModelSubscriber.client_id)).scalars()
    return gone


def followings_of(session: Session, model_id: uuid.UUID) -> Sequence[ModelFollowing]:
    """All times during which clients followed a model, by client and oldest first."""
    statement = select(ModelFollowing).where(ModelFollowing.model_id == model_id)
    ordered = statement.order_by(ModelFollowing.client_id, ModelFollowing.since)
    return session.execute(ordered).scalars().all()


def end_followings(
    session: Session, model_id: uuid.UUID, client_ids: Collection[uuid.UUID], at: dt.datetime
) -> None:
    """Let these clients' current following of a model end."""
    ids = list(client_ids)
    for start in range(0, len(ids), _AT_ONCE):
        statement = update(ModelFollowing).where(
            ModelFollowing.model_id == model_id,
            ModelFollowing.client_id.in_(ids[start : start + _AT_ONCE]),
            ModelFollowing.until.is_(None),
        )
        session.execute(statement.values(until=at))


def names_of_models(session: Session) -> dict[uuid.UUID, str]:
    statement = select(ModelPortfolio.id, ModelPortfolio.name)
    return {row.id: row.name for row in session.execute(statement)}


def limits(session: Session) -> BookLimits:
    return session.execute(select(BookLimits)).scalar_one()
