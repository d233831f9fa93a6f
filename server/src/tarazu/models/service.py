"""Model portfolios: named, versioned, followed by clients; the firm's limits for the book.

A client follows one model at most: two would each lay claim to the whole of the client's money.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.models import queries
from tarazu.models.errors import (
    FollowsAnother,
    ModelExists,
    ModelNotFound,
    ModelRetired,
    ModelVersionNotFound,
    NothingDiffers,
    UnfitModel,
)
from tarazu.models.tables import (
    BookLimits,
    ModelConstituent,
    ModelPortfolio,
    ModelStatus,
    ModelSubscriber,
    ModelVersion,
)
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio

CASH = "CASH"
CANDIDATES = 20


@dataclass(frozen=True, slots=True)
class Limits:
    """The firm's limits for runs.

    `holdings_days` (business days) and `price_minutes` hold for every advice and are the firm's;
    `tolerance` is the drift in percent points that is left alone.
    """

    holdings_days: int
    price_minutes: int
    tolerance: Percent
    version: int


@dataclass(frozen=True, slots=True)
class ModelFilter:
    """One constituent as it was asked for."""

    symbol: str
    exchange: str
    instrument_token: int | None
    allocation: Percent


@dataclass(frozen=True, slots=True)
class Words:
    """What a version says of itself, all of it required of a published model."""

    rationale: str
    benchmark: str
    universe: str
    selection_method: str
    risks: str


@dataclass(frozen=True, slots=True)
class Constituent:
    instrument: Listed
    allocation: Percent


@dataclass(frozen=True, slots=True)
class Version:
    """A version with its constituents in their order; cash is what they leave of 100 %."""

    row: ModelVersion
    constituents: tuple[Constituent, ...]

    @property
    def cash(self) -> Percent:
        """The cash target."""
        return HUNDRED - sum((one.allocation for one in self.constituents), ZERO)


@dataclass(frozen=True, slots=True)
class Model:
    """A model with its versions, newest first, and how many clients follow it."""

    row: ModelPortfolio
    versions: tuple[Version, ...]
    subscribers: int


@dataclass(frozen=True, slots=True)
class Subscriber:
    """A client who follows a model; `investment` None: with all that there is."""

    client: ClientSummary
    investment: Rupees | None
    subscribed_at: dt.datetime
    portfolio_value: Rupees | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active client, and the model that the client follows."""

    client: ClientSummary
    model_id: uuid.UUID | None
    model_name: str | None


def list_models(
    session: Session, status: ModelStatus | None, query: str, skipped: int, limit: int
) -> tuple[list[Model], int]:
    """One page of models by name, each with all its versions; and how many match."""
    rows, total = queries.models(session, status, query, skipped, limit)
    return _models(session, rows), total


def model(session: Session, model_id: uuid.UUID) -> Model:
    """One model.

    Raises:
        ModelNotFound: there is none.
    """
    return _models(session, [_row(session, model_id)])[0]


def version(session: Session, version_id: uuid.UUID) -> Version:
    """One version.

    Raises:
        ModelVersionNotFound: there is none.
    """
    row = queries.version_by_id(session, version_id)
    if row is None:
        raise ModelVersionNotFound
    return _versions(session, [row])[0]


def newest_version(session: Session, model_id: uuid.UUID) -> Version:
    """The version of a model that was published last."""
    return _versions(session, [queries.newest_version(session, model_id)])[0]


def add_model(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    name: str,
    words: Words,
    wanted: Sequence[ModelFilter],
) -> Model:
    """Found a model with its first version.

    Raises:
        ModelExists: one of this name exists, capitals aside.
        UnfitModel: a constituent cannot be.
    """
    take_turns(session, AdvisoryLock.MODELS)
    _refuse_taken(session, name, None)
    constituents = _constituents(session, wanted)
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
    told = _publish(session, actor, now, row, (1, words, constituents))
    audit_log.record(session, actor, now, "model_added", ("model", row.id), {"name": name, **told})
    return model(session, row.id)


def add_version(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    words: Words,
    wanted: Sequence[ModelFilter],
) -> Model:
    """Publish a new version; those before it stay as they are.

    Raises:
        ModelNotFound: there is no such model.
        UnfitModel: a constituent cannot be.
        NothingDiffers: it says what the newest version says.
    """
    row = _row(session, model_id, lock=True)
    constituents = _constituents(session, wanted)
    newest = newest_version(session, model_id)
    if _words_of(newest.row) == words and newest.constituents == constituents:
        raise NothingDiffers(f"Nothing differs from version {newest.row.number}.")
    told = _publish(session, actor, now, row, (newest.row.number + 1, words, constituents))
    audit_log.record(session, actor, now, "model_version_published", ("model", row.id), told)
    return model(session, model_id)


def edit_model(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    wanted: Mapping[str, object],
    seen: int | None,
) -> Model:
    """Rename a model, retire it or take it up again.

    Args:
        wanted: `name` and `status`, as far as they are to change.
        seen: the record's version that somebody saw.

    Raises:
        ModelNotFound: there is no such model.
        StaleVersion: it was changed since.
        ModelExists: another one has the name.
    """
    take_turns(session, AdvisoryLock.MODELS)
    row = _row(session, model_id, lock=True)
    if seen is not None and seen != row.version:
        raise StaleVersion
    changes = {
        name: [getattr(row, name), value]
        for name, value in wanted.items()
        if getattr(row, name) != value
    }
    if "name" in changes:
        name = str(wanted["name"])
        _refuse_taken(session, name, model_id)
        row.name_key = name.lower()
    for field in changes:
        setattr(row, field, wanted[field])
    if changes:
        row.version += 1
        session.flush()
        audit_log.record(session, actor, now, "model_edited", ("model", row.id), changes)
    return model(session, model_id)


def subscribers(
    session: Session, model_id: uuid.UUID, query: str, skipped: int, limit: int
) -> tuple[list[Subscriber], int]:
    """One page of the clients who follow a model, by code; and how many match.

    Raises:
        ModelNotFound: there is no such model.
    """
    _row(session, model_id)
    rows = {row.client_id: row for row in queries.subscribers(session, model_id)}
    cards = [card for card in people.client_cards(session, query) if card.id in rows]
    values = portfolio.client_values(session)
    found = []
    for card in cards[skipped : skipped + limit]:
        row, worth = rows[card.id], values.get(card.id)
        value = worth.portfolio_value if worth else None
        found.append(Subscriber(card, row.investment, row.subscribed_at, value))
    return found, len(cards)


def change_subscribers(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    added: Mapping[uuid.UUID, Rupees | None],
    removed: Collection[uuid.UUID],
) -> Model:
    """Let clients follow a model, or follow it no more; once more changes the amount.

    Args:
        added: by client, how much follows; None for all holdings and cash.

    Raises:
        ModelNotFound, ClientNotFound: there is no such model or client.
        ModelRetired: nobody can begin to follow it.
        FollowsAnother: a client follows another model.
    """
    row = _row(session, model_id, lock=True)
    if added and row.status is ModelStatus.RETIRED:
        raise ModelRetired
    take_turns(session, AdvisoryLock.MODELS)
    gone = queries.delete_subscriptions(session, model_id, removed) if removed else 0
    _subscribe(session, now, row, added)
    session.flush()
    if added or gone:
        told = {"added": len(added), "removed": gone, **_few(added, removed)}
        audit_log.record(session, actor, now, "subscribers_changed", ("model", model_id), told)
    return model(session, model_id)


def candidates(session: Session, query: str) -> list[Candidate]:
    """At most twenty active clients that match, by code, and whom they follow."""
    cards = [one for one in people.client_cards(session, query) if one.status is Status.ACTIVE]
    cards = cards[:CANDIDATES]
    rows = queries.subscriptions_of(session, [card.id for card in cards])
    names = queries.names_of_models(session)
    return [
        Candidate(card, row.model_id, names[row.model_id])
        if (row := rows.get(card.id)) is not None
        else Candidate(card, None, None)
        for card in cards
    ]


def followed_instruments(session: Session) -> set[uuid.UUID]:
    """Stocks of the newest version of every active model: their prices matter."""
    return queries.constituent_instruments(session)


def limits(session: Session) -> Limits:
    """The firm's limits for the book."""
    return _limits_of(session, queries.limits(session))


def set_limits(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    wanted: Mapping[str, Any],
    seen: int | None,
) -> Limits:
    """Change the firm's limits.

    Raises:
        StaleVersion: they were changed since.
    """
    take_turns(session, AdvisoryLock.MODELS)
    row = queries.limits(session)
    if seen is not None and seen != row.version:
        raise StaleVersion
    before = _limits_of(session, row)
    changes = {
        name: [getattr(before, name), value]
        for name, value in wanted.items()
        if getattr(before, name) != value
    }
    if changes:
        ages = {name: value for name, value in wanted.items() if name != "tolerance"}
        firm.set_ages(session, now, ages)
        row.tolerance = wanted["tolerance"]
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


def _models(session: Session, rows: Sequence[ModelPortfolio]) -> list[Model]:
    ids = [row.id for row in rows]
    versions: dict[uuid.UUID, list[Version]] = {key: [] for key in ids}
    for one in _versions(session, queries.versions_of(session, ids)):
        versions[one.row.model_id].append(one)
    counts = queries.subscriber_counts(session, ids)
    return [Model(row, tuple(versions[row.id]), counts.get(row.id, 0)) for row in rows]


def _versions(session: Session, rows: Sequence[ModelVersion]) -> list[Version]:
    found = queries.constituents_of(session, [row.id for row in rows])
    listed = instruments.by_ids(session, {one.instrument_id for one in found})
    parts: dict[uuid.UUID, list[Constituent]] = {row.id: [] for row in rows}
    for one in found:
        parts[one.version_id].append(Constituent(listed[one.instrument_id], one.allocation))
    return [Version(row, tuple(parts[row.id])) for row in rows]


def _publish(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    row: ModelPortfolio,
    said: tuple[int, Words, tuple[Constituent, ...]],
) -> dict[str, object]:
    """Store a version; what the trail is to tell of it."""
    number, words, constituents = said
    published = ModelVersion(
        id=new_id(),
        model_id=row.id,
        number=number,
        created_at=now,
        account_id=actor.account_id,
        author=actor.name,
        rationale=words.rationale,
        benchmark=words.benchmark,
        universe=words.universe,
        selection_method=words.selection_method,
        risks=words.risks,
    )
    session.add(published)
    session.flush()
    session.add_all(
        ModelConstituent(
            version_id=published.id,
            place=place,
            instrument_id=one.instrument.id,
            allocation=one.allocation,
        )
        for place, one in enumerate(constituents)
    )
    session.flush()
    return {
        "number": number,
        "benchmark": words.benchmark,
        "constituents": {one.instrument.symbol: str(one.allocation) for one in constituents},
    }


def _words_of(row: ModelVersion) -> Words:
    return Words(row.rationale, row.benchmark, row.universe, row.selection_method, row.risks)


def _constituents(session: Session, wanted: Sequence[ModelFilter]) -> tuple[Constituent, ...]:
    found: list[Constituent] = []
    seen: set[str] = set()
    for place, one in enumerate(wanted):
        field = f"constituents.{place}"
        if one.symbol == CASH:
            raise UnfitModel(
                field, "Cash is what the constituents leave of 100 %: no row is given."
            )
        listed = listed_as(session, one.exchange, one.symbol, one.instrument_token, field)
        if listed.isin in seen:
            raise UnfitModel(field, f"{listed.symbol} is in the list twice.")
        seen.add(listed.isin)
        if not ZERO < one.allocation <= HUNDRED or one.allocation != rounded(one.allocation):
            raise UnfitModel(field, f"{listed.symbol}: a target is 0.01 to 100 % in steps of 0.01.")
        found.append(Constituent(listed, rounded(one.allocation)))
    if sum((one.allocation for one in found), ZERO) > HUNDRED:
        raise UnfitModel("constituents", "Total target allocation cannot exceed 100%")
    return tuple(found)


def listed_as(
    session: Session, exchange: str, symbol: str, token: int | None, field: str
) -> Listed:
    """The instrument of that name; a token, where one is given, has to be its own.

    Raises:
        UnfitModel: there is none, or the token is of another.
    """
    try:
        listed = instruments.by_symbol(session, exchange, symbol)
    except InstrumentNotFound as error:
        raise UnfitModel(field, error.message) from error
    if token is not None and token != listed.instrument_token:
        raise UnfitModel(field, f"{symbol}: the instrument token is of another stock.")
    return listed


def _refuse_taken(session: Session, name: str, mine: uuid.UUID | None) -> None:
    taken = queries.model_by_name(session, name.lower())
    if taken is not None and taken.id != mine:
        raise ModelExists


def _subscribe(
    session: Session,
    now: dt.datetime,
    row: ModelPortfolio,
    added: Mapping[uuid.UUID, Rupees | None],
) -> None:
    cards = {card.id: card for card in people.client_cards(session, "")} if added else {}
    present = queries.subscriptions_of(session, added.keys())
    for client_id, investment in added.items():
        card, subscription = cards.get(client_id), present.get(client_id)
        if card is None:
            raise ClientNotFound
        if subscription is None:
            session.add(
                ModelSubscriber(
                    client_id=client_id,
                    model_id=row.id,
                    investment=investment,
                    subscribed_at=now,
                )
            )
            continue
        if subscription.model_id != row.id:
            name = queries.names_of_models(session)[subscription.model_id]
            raise FollowsAnother(
                f"{card.name} ({card.code}) follows {name}. Take the client out there first."
            )
        subscription.investment = investment


def _few(
    added: Mapping[uuid.UUID, Rupees | None], removed: Collection[uuid.UUID]
) -> dict[str, object]:
    """The clients by name where they are few enough to be read in one row of the trail."""
    if len(added) + len(removed) > 100:  # noqa: PLR2004
        return {}
    return {
        "clientsAdded": {
            str(key): None if value is None else str(value) for key, value in added.items()
        },
        "clientsRemoved": [str(key) for key in removed],
    }
