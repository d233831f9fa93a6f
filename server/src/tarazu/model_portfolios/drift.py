"""The drift monitor: how far every subscriber is from the newest version of the model followed."""

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from threading import Lock

import numpy as np
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.money import Percent, Rupees, from_points, from_units, rounded, to_units
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import table_versions
from tarazu.kit.db import part_of
from tarazu.model_portfolios import queries
from tarazu.model_portfolios.follower_drift import (
    ALL,
    CASH_COLUMN,
    Floats,
    FollowerDrift,
    Followers,
    ModelStocks,
    drift_of,
    followers_of,
)
from tarazu.model_portfolios.queries import DriftFilter
from tarazu.model_portfolios.tables import ModelStatus
from tarazu.model_portfolios.versions import CASH, Version, with_constituents
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.book import ClientArrays, Whole
from tarazu.prices import service as prices
from tarazu.prices.book import PriceBook
from tarazu.restrictions import service as restrictions
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_TABLES = (
    "model_portfolios", "model_versions", "model_subscribers", "restriction_lists", "instruments",
    "pending_actions",
)  # fmt: skip
"""What the followed models and their stocks are read from."""


class Sort(StrEnum):
    """What the monitor can be sorted by, rising, or falling with a minus before it."""

    CLIENT = "clientId"
    LARGEST = "maxDrift"
    TOTAL = "totalDrift"
    CASH = "cashPercentage"
    OUTSIDE = "outsidePercentage"
    INVESTMENT = "investmentValue"


@dataclass(frozen=True, slots=True)
class Drift:
    """One subscriber, in percent points of the Investment Value; None where a price is missing.

    `max_drift` is the largest, with its sign, of a stock or of CASH; `total_drift` half the sum of
    all without their signs; holdings outside the model count as overweight. `tolerance` is the
    firm's: drift of as much or more is outside it. `action_pending`: shares of a corporate action
    count that are not credited yet.
    """

    id: uuid.UUID
    client_id: str
    name: str
    model_id: uuid.UUID
    model_name: str
    version_number: int
    max_drift: Percent | None
    max_drift_symbol: str
    tolerance: Percent
    total_drift: Percent | None
    investment_value: Rupees | None
    cash_percentage: Percent | None
    outside_percentage: Percent | None
    price_missing: list[str]
    synced_at: dt.datetime | None
    action_pending: bool


def monitor(
    session: Session,
    filters: DriftFilter,
    visible: VisibleClients = ALL_CLIENTS,
    *,
    is_whole: bool = False,
) -> tuple[list[Drift], int]:
    """One page of the active subscribers that match, and how many match.

    The largest drift first unless sorted by another figure of `Sort`; ties by client code. Those
    whose figure is not known come last. Drift is measured against the whole model: holdings outside
    it are drift, as if all were sold. For sessions that read.

    Args:
        is_whole: return all matching subscribers rather than one page.
    """
    models = [
        model for model in _model_drifts(session) if filters.model_id in {None, model.followed.id}
    ]
    matching: AbstractSet[uuid.UUID] | None = visible.ids
    if filters.query.strip():
        matching = people.clients_matching(session, filters.query, visible)
    tolerance = _tolerance_points(session) if filters.outside_tolerance else None
    places = [model.rows_matching(matching, tolerance) for model in models]
    keys = [model.ranks_of(rows, filters.sort) for model, rows in zip(models, places, strict=True)]
    order = np.lexsort(np.concatenate([np.empty((3, 0)), *keys], axis=1))
    matches = [
        (model, row) for model, rows in zip(models, places, strict=True) for row in rows.tolist()
    ]
    page = order if is_whole else order[filters.skipped : filters.skipped + filters.limit]
    return _drifts(session, [matches[place] for place in page.tolist()]), len(matches)


@dataclass(frozen=True, slots=True)
class Followed:
    """The model that a client follows, the client's drift from it, and the last advice.

    Without an active model all but `advised_at` is None or empty.
    """

    id: uuid.UUID
    model_id: uuid.UUID | None
    model_name: str
    max_drift: Percent | None
    max_drift_symbol: str
    tolerance: Percent
    advised_at: dt.datetime | None


def followed_by(session: Session, client_ids: Sequence[uuid.UUID]) -> list[Followed]:
    """What each of these clients follows, in their order. For sessions that read."""
    models = _model_drifts(session)
    tolerance = queries.limits(session).tolerance
    advised = advice.advised_at(session, client_ids)
    rows: dict[uuid.UUID, tuple[_ModelDrift, int]] = {}
    for model in models:
        known = model.clients.places
        places = [known[key] for key in client_ids if key in known]
        for row in np.flatnonzero(np.isin(model.followers.places, places)).tolist():
            rows[model.client_of(row)] = model, row
    followed = []
    for client_id in client_ids:
        entry = rows.get(client_id)
        is_known = entry is not None and bool(entry[0].drift.is_known.item(entry[1]))
        followed.append(
            Followed(
                client_id,
                entry[0].followed.id if entry else None,
                entry[0].followed.name if entry else "",
                from_points(entry[0].drift.points.item(entry[1])) if entry and is_known else None,
                entry[0].symbol_of(entry[1]) if entry and is_known else "",
                tolerance,
                advised.get(client_id),
            )
        )
    return followed


def count_outside_tolerance(session: Session, visible: VisibleClients = ALL_CLIENTS) -> int:
    """How many active subscribers drifted by the firm's tolerance or more."""
    points = _tolerance_points(session)
    return sum(len(model.rows_matching(visible.ids, points)) for model in _model_drifts(session))


@dataclass(frozen=True, slots=True)
class _FollowedModel:
    """An active model with followers; `investments` in units or `ALL`, by client."""

    id: uuid.UUID
    name: str
    version: Version
    investments: dict[uuid.UUID, int]


@dataclass(frozen=True, slots=True)
class _ModelDrift:
    """A model and the drift of its followers; `listed` are the stocks that any client holds."""

    followed: _FollowedModel
    followers: Followers
    drift: FollowerDrift
    clients: ClientArrays
    listed: Sequence[Listed]

    def client_of(self, row: int) -> uuid.UUID:
        """The client of a row."""
        return self.clients.ids[self.followers.places.item(row)]

    def rows_matching(
        self, client_ids: AbstractSet[uuid.UUID] | None, tolerance_points: int | None
    ) -> Whole:
        """The rows of these clients, or of all, whose drift is outside a tolerance, or of all."""
        rows = np.arange(len(self.followers.places))
        if tolerance_points is not None:
            rows = np.flatnonzero(self.drift.exceeds(tolerance_points))
        if client_ids is None:
            return rows
        return np.array(
            [row for row in rows.tolist() if self.client_of(row) in client_ids], dtype=np.int64
        )

    def ranks_of(self, rows: Whole, sort: str) -> Floats:
        """What these rows are sorted by, the first key last: the figure's absence, it, the code."""
        codes = self.clients.codes[self.followers.places[rows]].astype(np.float64)
        key, falls = sort.removeprefix("-"), sort.startswith("-")
        if key == Sort.CLIENT:
            return np.stack([codes, -codes if falls else codes, np.zeros(len(rows))])
        if key not in set(Sort):
            key, falls = Sort.LARGEST, True
        is_known = self.drift.is_known[rows]
        figures = np.where(is_known, self._figures_of(rows, Sort(key)), 0)
        return np.stack([codes, -figures if falls else figures, ~is_known])

    def _figures_of(self, rows: Whole, sort: Sort) -> Floats:
        drift = self.drift
        match sort:
            case Sort.TOTAL:
                return drift.totals_of(rows)
            case Sort.CASH:
                return drift.cash[rows]
            case Sort.OUTSIDE:
                return drift.outside[rows]
            case Sort.INVESTMENT:
                return drift.investment[rows].astype(np.float64)
            case _:
                return np.abs(drift.points[rows]).astype(np.float64)

    def symbol_of(self, row: int) -> str:
        """The stock of the largest drift, or CASH."""
        if self.drift.is_outside.item(row):
            first, end = self.followers.bounds[row : row + 2].tolist()
            entry = first + int(self.drift.sold[first:end].argmax())
            return self.listed[self.followers.outside_columns.item(entry)].symbol
        column = self.drift.column.item(row)
        if column == CASH_COLUMN:
            return CASH
        return self.followed.version.constituents[column].instrument.symbol

    def unpriced_of(self, row: int, book: PriceBook) -> list[str]:
        """The stocks of the model and of the client that have no price, by symbol."""
        if self.drift.is_priced.item(row):
            return []
        parts = [part.instrument for part in self.followed.version.constituents]
        first, end = self.followers.bounds[row : row + 2].tolist()
        columns = self.followers.outside_columns[first:end].tolist()
        stocks = [*parts, *(self.listed[column] for column in columns)]
        units = book.units(stock.instrument_token for stock in stocks)
        return sorted({stock.symbol for stock in stocks if not units.get(stock.instrument_token)})


def _tolerance_points(session: Session) -> int:
    return int(queries.limits(session).tolerance * 100)


def _drifts(session: Session, rows: Sequence[tuple[_ModelDrift, int]]) -> list[Drift]:
    """These rows of the monitor, in their order."""
    ids = [model.client_of(row) for model, row in rows]
    summaries = {client.id: client for client in people.summaries_of(session, ids)}
    synced = portfolio.synced_accounts(session, ids)
    price_book = prices.book_of(session)
    tolerance = queries.limits(session).tolerance
    pending = portfolio.pending_clients(session)
    drifts = []
    for (model, row), client_id in zip(rows, ids, strict=True):
        drift, client = model.drift, summaries[client_id]
        is_known = drift.is_known.item(row)
        drifts.append(
            Drift(
                client_id,
                client.code,
                client.name,
                model.followed.id,
                model.followed.name,
                model.followed.version.row.number,
                from_points(drift.points.item(row)) if is_known else None,
                model.symbol_of(row) if is_known else "",
                tolerance,
                _percent(drift.totals_of(np.array([row])).item()) if is_known else None,
                from_units(drift.investment.item(row)) if drift.is_priced.item(row) else None,
                _percent(drift.cash.item(row)) if is_known else None,
                _percent(drift.outside.item(row)) if is_known else None,
                model.unpriced_of(row, price_book),
                synced[client_id].synced_at,
                client_id in pending,
            )
        )
    return drifts


def _percent(value: float) -> Percent:
    return rounded(Decimal(repr(value)))


@dataclass(slots=True)
class _DriftCache:
    """The drift of all subscribers, each part of it kept until what it is made from changes."""

    lock: Lock = field(default_factory=Lock)
    version: tuple[object, ...] = ()
    models: Sequence[_FollowedModel] = ()
    kept: AbstractSet[tuple[uuid.UUID, str]] = frozenset()
    clients: ClientArrays | None = None
    listed: Sequence[Listed] = ()
    followers: Sequence[Followers] = ()
    priced: int = -1
    drifts: Sequence[_ModelDrift] = ()


def _model_drifts(session: Session) -> Sequence[_ModelDrift]:
    """The active models with followers, and their drift at the newest prices."""
    clients = portfolio.client_arrays(session)
    numbers = table_versions.numbers(session)
    version = tuple(numbers.get(table) for table in _TABLES)
    price_book, cache = prices.book_of(session), part_of(session, _DriftCache)
    with cache.lock:
        is_same = cache.version == version
        if not is_same:
            cache.models = _followed_models(session)
            cache.kept = _kept(session, cache.models)
        if not is_same or cache.clients is not clients:
            cache.listed = _held_stocks(session, clients)
            isins = [stock.isin for stock in cache.listed]
            cache.followers = [
                followers_of(clients, isins, _stocks(model), model.investments, cache.kept)
                for model in cache.models
            ]
            cache.version, cache.clients, cache.priced = version, clients, -1
        if cache.priced != price_book.version:
            cache.priced = price_book.version
            held_prices = _units(price_book, clients.tokens)
            cache.drifts = [
                _ModelDrift(
                    model,
                    followers,
                    drift_of(followers, _units(price_book, followers.stocks.tokens), held_prices),
                    clients,
                    cache.listed,
                )
                for model, followers in zip(cache.models, cache.followers, strict=True)
            ]
        return cache.drifts


def _units(price_book: PriceBook, tokens: Whole) -> Whole:
    return np.array(price_book.units_of(tokens.tolist()), dtype=np.int64)


def _followed_models(session: Session) -> list[_FollowedModel]:
    """The active models with subscribers, each with its newest version."""
    investments: dict[uuid.UUID, dict[uuid.UUID, int]] = {}
    for row in queries.subscribers(session):
        units = ALL if row.investment is None else to_units(row.investment)
        investments.setdefault(row.model_id, {})[row.client_id] = units
    models = [
        model
        for model_id in investments
        if (model := queries.model_by_id(session, model_id)) and model.status is ModelStatus.ACTIVE
    ]
    newest = [queries.newest_version(session, model.id) for model in models]
    versions = with_constituents(session, newest)
    return [
        _FollowedModel(model.id, model.name, version, investments[model.id])
        for model, version in zip(models, versions, strict=True)
    ]


def _kept(session: Session, models: Iterable[_FollowedModel]) -> frozenset[tuple[uuid.UUID, str]]:
    """Clients and ISINs of which not all shares may be sold: restricted, or not credited yet."""
    ids = [client_id for model in models for client_id in model.investments]
    restricted = {
        (client_id, row.instrument.isin)
        for client_id, rows in restrictions.restrictions_of_all(session, ids).items()
        for row in rows
        if row.restriction.keeps_shares
    }
    waiting = portfolio.uncredited_shares(session, ids)
    listed = instruments.by_ids(session, {key for shares in waiting.values() for key in shares})
    uncredited = {
        (client_id, listed[key].isin) for client_id, shares in waiting.items() for key in shares
    }
    return frozenset(restricted | uncredited)


def _held_stocks(session: Session, clients: ClientArrays) -> list[Listed]:
    """The stocks of the tokens that any client holds, in their order."""
    tokens = clients.tokens.tolist()
    listed = instruments.by_tokens(session, tokens)
    return [listed[token] for token in tokens]


def _stocks(model: _FollowedModel) -> ModelStocks:
    parts = model.version.constituents
    return ModelStocks(
        tuple(part.instrument.isin for part in parts),
        np.array([part.instrument.instrument_token for part in parts], dtype=np.int64),
        np.array([float(part.allocation) for part in parts]),
        float(model.version.cash),
    )
