"""How far each client's value has moved since the last daily close before today."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from sqlalchemy.orm import Session

from tarazu.domain.money import points_of, to_units
from tarazu.kit import table_versions
from tarazu.kit.db import part_of
from tarazu.portfolio import close_queries
from tarazu.portfolio.book import ClientArrays, Whole
from tarazu.portfolio.cash_flows import net_flows_after
from tarazu.portfolio.tables import CashFlow, CloseAdjustment
from tarazu.portfolio.valuation import client_values
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class ValueChange:
    """One client: the value now, and its change since the close without cash flows; in units.

    `points` is the change in basis points of the value at the close and the cash flows since;
    None where that is not above zero.
    """

    client_id: uuid.UUID
    value: int
    change: int
    points: int | None


@dataclass(frozen=True, slots=True)
class DayChanges:
    """The clients whose value moved most since the close of `closed_on`, most first."""

    closed_on: dt.date
    rising: Sequence[ValueChange]
    falling: Sequence[ValueChange]


def day_changes(
    session: Session,
    today: dt.date,
    most: int,
    without: AbstractSet[uuid.UUID],
    visible: VisibleClients = ALL_CLIENTS,
) -> DayChanges | None:
    """The active clients whose value moved most since the last close before today.

    None before the first close. Clients without that close are left out. For sessions that read.

    Args:
        most: clients that rose, and as many that fell.
        without: clients whose value now is not known.
    """
    closed_on = close_queries.last_close_before(session, today)
    if closed_on is None:
        return None
    values = client_values(session)
    totals = values.totals
    cache = part_of(session, _BaseCache)
    with cache.lock:
        places, bases = cache.bases(session, values.clients, closed_on)
    if visible.ids is not None:
        seen = np.isin(places, values.clients.places_of(visible.ids))
        places, bases = places[seen], bases[seen]
    changes = totals[places] - bases
    order = np.argsort(changes, kind="stable")
    fell, rose = order[changes[order] < 0], order[changes[order] > 0][::-1]

    def largest(ranked: Whole) -> list[ValueChange]:
        chosen = []
        for row in ranked[: most + len(without)].tolist():
            client_id = values.clients.ids[places.item(row)]
            if client_id not in without:
                value, base = totals.item(places.item(row)), bases.item(row)
                points = points_of(value - base, base) if base > 0 else None
                chosen.append(ValueChange(client_id, value, value - base, points))
        return chosen[:most]

    return DayChanges(closed_on, largest(rose), largest(fell))


@dataclass(slots=True)
class _BaseCache:
    """What values are compared with: the closes of a day, and the cash flows since."""

    lock: Lock = field(default_factory=Lock)
    _closed_on: dt.date | None = None
    _closes: Mapping[uuid.UUID, int] = field(default_factory=dict)
    _flows_version: int = -1
    _adjusted: int = -1
    _clients: ClientArrays | None = None
    _bases: tuple[Whole, Whole] | None = None

    def bases(
        self, session: Session, clients: ClientArrays, closed_on: dt.date
    ) -> tuple[Whole, Whole]:
        """Places of active clients among all, and the close with the flows since, in units."""
        flows_version = table_versions.number_of(session, CashFlow)
        adjusted = table_versions.number_of(session, CloseAdjustment)
        if (self._closed_on, self._adjusted) != (closed_on, adjusted):
            rows = close_queries.client_closes_on(session, closed_on, clients.ids)
            self._closes = {row[0]: to_units(row[1]) + to_units(row[2]) for row in rows}
            self._closed_on, self._adjusted, self._bases = closed_on, adjusted, None
        is_same = self._clients is clients and self._flows_version == flows_version
        if self._bases is None or not is_same:
            self._bases = self._aligned(session, clients, closed_on)
            self._flows_version, self._clients = flows_version, clients
        return self._bases

    def _aligned(
        self, session: Session, clients: ClientArrays, closed_on: dt.date
    ) -> tuple[Whole, Whole]:
        flows = net_flows_after(session, dict.fromkeys(self._closes, closed_on))
        rows = [
            (place, units + to_units(flows[client_id]) if client_id in flows else units)
            for client_id, units in self._closes.items()
            if (place := clients.places.get(client_id)) is not None
            and clients.is_counted.item(place)
        ]
        places, bases = np.array(rows, dtype=np.int64).reshape(-1, 2).T.copy()
        return places, bases
