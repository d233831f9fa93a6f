"""The drift monitor: how far every subscriber is from the newest version of the model followed."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, from_units, rounded
from tarazu.models import queries, service
from tarazu.models.reckoning import PER_PERCENT, Reckoning, holders_of, reckon, terms_of
from tarazu.models.tables import ModelStatus, ModelSubscriber, Outside
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status


@dataclass(frozen=True, slots=True)
class Drift:
    """One subscriber, in percent points of the Investment Value; None where a price is missing.

    `max_drift` is the largest, with its sign, of a stock or of CASH; `total_drift` half the sum of
    all without their signs, what is held outside the model counting as overweight.
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


def monitor(
    session: Session, model_id: uuid.UUID | None, query: str, now: dt.datetime
) -> list[Drift]:
    """Active subscribers that match, worst first; those without all prices last.

    Drift is against the whole model, whatever is held besides: nothing is scaled down here.
    """
    cards = {
        card.id: card
        for card in people.client_cards(session, query)
        if card.status is Status.ACTIVE
    }
    by_model: dict[uuid.UUID, list[ModelSubscriber]] = {}
    for row in queries.subscribers(session, model_id):
        if row.client_id in cards:
            by_model.setdefault(row.model_id, []).append(row)
    names = queries.names_of_models(session)
    found: list[Drift] = []
    for key, rows in by_model.items():
        if service.model(session, key).row.status is not ModelStatus.ACTIVE:
            continue
        version = service.newest_version(session, key)
        # As if all besides were sold: what is held outside the model is drift, not an excuse.
        terms, listed = terms_of(session, version, Outside.SELL, now)
        holders = holders_of(session, {row.client_id: row.investment for row in rows})
        reckoning = reckon(terms, holders, listed)
        found += _rows(reckoning, cards, (key, names[key]))
    return sorted(
        found, key=lambda one: (one.max_drift is None, -abs(one.max_drift or ZERO), one.client_id)
    )


def _rows(
    reckoning: Reckoning, cards: dict[uuid.UUID, ClientSummary], model: tuple[uuid.UUID, str]
) -> Sequence[Drift]:
    besides = np.array([one.kept + one.sold for one in reckoning.sums], dtype=np.int64)
    base = np.maximum(reckoning.investment, 1)
    outside = besides * float(HUNDRED) / base
    total = (np.abs(reckoning.drift).sum(axis=1) + np.abs(reckoning.cash_drift) + outside) / 2
    cash = reckoning.cash_drift + reckoning.cash_targets / PER_PERCENT
    rows = []
    for row, (holder, sums) in enumerate(zip(reckoning.holders, reckoning.sums, strict=True)):
        card = cards[holder.account.client_id]
        is_known = not sums.missing and reckoning.investment[row] > 0
        worst, symbol = reckoning.worst_drift(row) if is_known else (0.0, "")
        rows.append(
            Drift(
                card.id,
                card.code,
                card.name,
                model[0],
                model[1],
                reckoning.terms.version.row.number,
                _percent(worst) if is_known else None,
                symbol,
                _percent(float(total[row])) if is_known else None,
                None if sums.missing else from_units(int(reckoning.investment[row])),
                _percent(float(cash[row])) if is_known else None,
                _percent(float(outside[row])) if is_known else None,
                sorted(set(sums.missing)),
                holder.account.synced_at,
            )
        )
    return rows


def _percent(value: float) -> Percent:
    return rounded(Decimal(repr(value)))
