"""Fewer orders: a computed rebalance at five stops, from all of its orders to few of them.

Everything is computed from the stored package, at its own prices and holdings, so a stop that is
chosen has the rows that were shown.
"""

import uuid
from dataclasses import replace

from pydantic import ValidationError
from sqlalchemy.orm import Session

from tarazu.advice import package, queries
from tarazu.advice.errors import RebalanceNotKnown
from tarazu.advice.package import ENGINE, Package
from tarazu.domain.rebalancing.fewer_orders import fewer_orders
from tarazu.people import service as people


def stops_of(session: Session, rebalance_id: uuid.UUID) -> tuple[uuid.UUID, list[Package]]:
    """The client of a rebalance, and the rebalance at each stop, as it was asked for first.

    Raises:
        RebalanceNotKnown, ClientNotFound: as `stored_rebalance`.
    """
    client_id, computed = stored_rebalance(session, rebalance_id)
    money = computed.investment, computed.cash, computed.cash_target
    stops = fewer_orders(package.rows_of(computed), money, computed.rates, computed.options)
    packages = [
        package.with_plan(replace(computed, options=stop.options, engine=ENGINE), stop.plan)
        for stop in stops
    ]
    return client_id, packages


def stored_rebalance(session: Session, rebalance_id: uuid.UUID) -> tuple[uuid.UUID, Package]:
    """The client of a rebalance, and the rebalance.

    Raises:
        RebalanceNotKnown: it was dropped, or another version of the product stored it.
        ClientNotFound: its client was deleted.
    """
    row = queries.rebalance_to_send(session, rebalance_id, lock=False)
    if row is None:
        raise RebalanceNotKnown
    people.client(session, row.client_id)
    try:
        return row.client_id, package.from_text(row.package)
    except ValidationError as error:
        raise RebalanceNotKnown from error
