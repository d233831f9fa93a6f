"""The drift monitor: how far every subscriber is from the newest version of the model followed."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, from_units, rounded
from tarazu.model_portfolios import queries, service
from tarazu.model_portfolios.positions import PER_PERCENT, ModelPositions, positions_of
from tarazu.model_portfolios.queries import DriftFilter
from tarazu.model_portfolios.tables import ModelStatus, Outside
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status


@dataclass(frozen=True, slots=True)
class Drift:
    """One subscriber, in percent points of the Investment Value; None where a price is missing.

    `max_drift` is the largest, with its sign, of a stock or of CASH; `total_drift` half the sum of
    all without their signs; holdings outside the model count as overweight.
    """

    id: uuid.UUID
    client_id: str
    name: str
    model_id: uuid.UUID
    model_name: str
    version_number: int
    max_drift: Percent | None
    max_drift_symbol: str
    total_drift: Percent | None
    investment_value: Rupees | None
    cash_percentage: Percent | None
    outside_percentage: Percent | None
    price_missing: list[str]
    synced_at: dt.datetime | None


def monitor(session: Session, filters: DriftFilter, now: dt.datetime) -> list[Drift]:
    """Active subscribers that match, worst first; those without all prices last.

    Drift is measured against the whole model: holdings outside it are drift, as if all were sold.
    """
    clients = {
        client.id: client
        for client in people.client_summaries(session, filters.query)
        if client.status is Status.ACTIVE
    }
    by_model: dict[uuid.UUID, dict[uuid.UUID, Rupees | None]] = {}
    for row in queries.subscribers(session, filters.model_id):
        if row.client_id in clients:
            by_model.setdefault(row.model_id, {})[row.client_id] = row.investment
    names = queries.names_of_models(session)
    drifts: list[Drift] = []
    for model_id, investments in by_model.items():
        if service.model(session, model_id).row.status is not ModelStatus.ACTIVE:
            continue
        version = service.newest_version(session, model_id)
        positions = positions_of(session, version, Outside.SELL, investments, now)
        drifts += _rows(positions, clients, (model_id, names[model_id]))
    return sorted(
        drifts,
        key=lambda row: (row.max_drift is None, -abs(row.max_drift or ZERO), row.client_id),
    )


def _rows(
    positions: ModelPositions,
    clients: dict[uuid.UUID, ClientSummary],
    model: tuple[uuid.UUID, str],
) -> Sequence[Drift]:
    base = np.maximum(positions.investment, 1)
    outside = positions.outside_worth * float(HUNDRED) / base
    total = (np.abs(positions.drift).sum(axis=1) + np.abs(positions.cash_drift) + outside) / 2
    cash = positions.cash_drift + positions.cash_targets / PER_PERCENT
    rows = []
    for row, (follower, other) in enumerate(
        zip(positions.followers, positions.others, strict=True)
    ):
        client = clients[follower.account.client_id]
        is_known = not other.missing and positions.investment[row] > 0
        worst, symbol = positions.worst_drift(row) if is_known else (0.0, "")
        rows.append(
            Drift(
                client.id,
                client.code,
                client.name,
                *model,
                positions.terms.version.row.number,
                _percent(worst) if is_known else None,
                symbol,
                _percent(float(total[row])) if is_known else None,
                None if other.missing else from_units(int(positions.investment[row])),
                _percent(float(cash[row])) if is_known else None,
                _percent(float(outside[row])) if is_known else None,
                sorted(set(other.missing)),
                follower.account.synced_at,
            )
        )
    return rows


def _percent(value: float) -> Percent:
    return rounded(Decimal(repr(value)))
