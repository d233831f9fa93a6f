"""Model portfolios: named, versioned, followed by clients; the firm's limits for runs."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.money import Percent, Rupees
from tarazu.firm import service as firm
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.model_portfolios import queries
from tarazu.model_portfolios.drift import count_outside_tolerance
from tarazu.model_portfolios.errors import (
    ModelExists,
    ModelNotFound,
    ModelRetired,
    NothingDiffers,
)
from tarazu.model_portfolios.positions import ModelPositions, positions_of
from tarazu.model_portfolios.queries import ModelFilter
from tarazu.model_portfolios.subscribers import (
    Subscriber,
    audit_details,
    candidates,
    followers_among,
    followings_of,
    investments_of,
    models_followed,
    subscribe,
    subscribers_of,
    unsubscribe,
)
from tarazu.model_portfolios.tables import BookLimits, ModelPortfolio, ModelStatus
from tarazu.model_portfolios.versions import (
    CASH,
    Constituent,
    Version,
    Words,
    checked,
    newest_version,
    publish,
    version,
    with_constituents,
)
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class Limits:
    """The firm's limits for runs.

    `holdings_days` (business days) and `price_minutes` apply to every advice and are in the firm's
    record; clients whose largest drift is below `tolerance`, in percent points, are skipped.
    """

    holdings_days: int
    price_minutes: int
    tolerance: Percent
    version: int


@dataclass(frozen=True, slots=True)
class Model:
    """A model with its versions, newest first, and how many clients follow it."""

    row: ModelPortfolio
    versions: tuple[Version, ...]
    subscribers: int


def list_models(
    session: Session, filters: ModelFilter, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[Model], int]:
    """One page of models by name, each with all its versions; and how many match."""
    rows, total = queries.models(session, filters)
    return _models(session, rows, visible), total


def model(session: Session, model_id: uuid.UUID, visible: VisibleClients = ALL_CLIENTS) -> Model:
    """One model.

    Raises:
        ModelNotFound: there is none.
    """
    return _models(session, [_row(session, model_id)], visible)[0]


def names_of_models(session: Session) -> dict[uuid.UUID, str]:
    """The name of every model."""
    return queries.names_of_models(session)


def add_model(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    name: str,
    words: Words,
    constituents: Sequence[Constituent],
) -> Model:
    """Add a model with its first version.

    Raises:
        ModelExists: there is a model of this name, capitals aside.
        UnfitModel: the constituents are not valid.
    """
    acquire_lock(session, AdvisoryLock.MODELS)
    _refuse_taken(session, name, None)
    content = (1, words, checked(constituents))
    row = ModelPortfolio(
        id=new_id(),
        name=name,
        name_key=name.lower(),
        status=ModelStatus.ACTIVE,
        created_at=now,
        version=1,
    )
    session.add(row)
    session.flush()
    details = {"name": name, **publish(session, actor, now, row, content)}
    audit_log.record(session, actor, now, "model_added", ("model", row.id), details)
    return model(session, row.id)


def add_version(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    words: Words,
    constituents: Sequence[Constituent],
) -> Model:
    """Publish a new version; earlier ones stay as they are.

    Raises:
        ModelNotFound: there is no such model.
        UnfitModel: the constituents are not valid.
        NothingDiffers: the newest version is the same.
    """
    row = _row(session, model_id, lock=True)
    constituents = checked(constituents)
    newest = newest_version(session, model_id)
    number = newest.row.number
    if newest.words == words and newest.constituents == constituents:
        raise NothingDiffers(f"Nothing differs from version {number}.")
    details = publish(session, actor, now, row, (number + 1, words, constituents))
    audit_log.record(session, actor, now, "model_version_published", ("model", row.id), details)
    return model(session, model_id)


def edit_model(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    changes: Mapping[str, object],
    seen: int | None,
) -> Model:
    """Rename a model, retire it or reactivate it.

    Args:
        changes: the new `name` and `status`, either or both.
        seen: the version of the record that the editor saw.

    Raises:
        ModelNotFound: there is no such model.
        StaleVersion: it was changed since.
        ModelExists: another one has the name.
    """
    acquire_lock(session, AdvisoryLock.MODELS)
    row = _row(session, model_id, lock=True)
    if seen is not None and seen != row.version:
        raise StaleVersion
    changed = {
        name: [getattr(row, name), value]
        for name, value in changes.items()
        if getattr(row, name) != value
    }
    if "name" in changed:
        name = str(changes["name"])
        _refuse_taken(session, name, model_id)
        row.name_key = name.lower()
    for field in changed:
        setattr(row, field, changes[field])
    if changed:
        row.version += 1
        session.flush()
        audit_log.record(session, actor, now, "model_edited", ("model", row.id), changed)
    return model(session, model_id)


def subscribers(
    session: Session,
    model_id: uuid.UUID,
    query: str,
    skipped: int,
    limit: int,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[list[Subscriber], int]:
    """One page of the clients who follow a model, by code; and how many match.

    Raises:
        ModelNotFound: there is no such model.
    """
    _row(session, model_id)
    return subscribers_of(session, model_id, query, skipped, limit, visible)


def change_subscribers(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    added: Mapping[uuid.UUID, Rupees | None],
    removed: Collection[uuid.UUID],
) -> Model:
    """Add and remove subscribers; adding a subscriber again changes the amount.

    Args:
        added: by client, how much follows; None for all holdings and cash.

    Raises:
        ModelNotFound, ClientNotFound: there is no such model or client.
        ModelRetired: the model takes no subscribers any more.
        FollowsAnother: a client follows another model.
    """
    row = _row(session, model_id, lock=True)
    if added and row.status is ModelStatus.RETIRED:
        raise ModelRetired
    acquire_lock(session, AdvisoryLock.MODELS)
    gone = unsubscribe(session, now, model_id, removed)
    subscribe(session, now, row, added)
    session.flush()
    if added or gone:
        details = {"added": len(added), "removed": gone, **audit_details(added, removed)}
        audit_log.record(session, actor, now, "subscribers_changed", ("model", model_id), details)
    return model(session, model_id)


def followed_instruments(session: Session) -> set[uuid.UUID]:
    """Stocks in the newest version of every active model."""
    return queries.constituent_instruments(session)


def limits(session: Session) -> Limits:
    """The firm's limits for the book."""
    return _limits_of(session, queries.limits(session))


def set_limits(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    values: Mapping[str, Any],
    seen: int | None,
) -> Limits:
    """Change the firm's limits.

    Raises:
        StaleVersion: they were changed since.
    """
    acquire_lock(session, AdvisoryLock.MODELS)
    row = queries.limits(session)
    if seen is not None and seen != row.version:
        raise StaleVersion
    before = _limits_of(session, row)
    changes = {
        name: [getattr(before, name), value]
        for name, value in values.items()
        if getattr(before, name) != value
    }
    if changes:
        ages = {name: value for name, value in values.items() if name != "tolerance"}
        firm.set_ages(session, now, ages)
        row.tolerance = values["tolerance"]
        row.version += 1
        session.flush()
        audit_log.record(session, actor, now, "book_limits_set", ("book_limits", row.id), changes)
    return _limits_of(session, row)


def _limits_of(session: Session, row: BookLimits) -> Limits:
    terms = firm.send_terms(session)
    minutes = int(terms.price_age.total_seconds() // 60)
    return Limits(terms.holdings_days, minutes, row.tolerance, row.version)


def _row(session: Session, model_id: uuid.UUID, *, lock: bool = False) -> ModelPortfolio:
    row = queries.model_by_id(session, model_id, lock=lock)
    if row is None:
        raise ModelNotFound
    return row


def _models(
    session: Session, rows: Sequence[ModelPortfolio], visible: VisibleClients
) -> list[Model]:
    ids = [row.id for row in rows]
    versions: dict[uuid.UUID, list[Version]] = {key: [] for key in ids}
    for published in with_constituents(session, queries.versions_of(session, ids)):
        versions[published.row.model_id].append(published)
    counts = queries.subscriber_counts(session, ids, visible)
    return [Model(row, tuple(versions[row.id]), counts.get(row.id, 0)) for row in rows]


def _refuse_taken(session: Session, name: str, mine: uuid.UUID | None) -> None:
    taken = queries.model_by_name(session, name.lower())
    if taken is not None and taken.id != mine:
        raise ModelExists
