"""Less tax: a computed rebalance at five stops, from the closest one to one without tax.

Everything but the lots is computed from the stored package, at its own prices and holdings. The lots
and the gains of the year are those of now; a stop that is chosen stores them with the rebalance.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.advice import package
from tarazu.advice.fewer_orders import stored_rebalance
from tarazu.advice.package import ENGINE, Package, StockLots, Taxed
from tarazu.domain.charges import Side
from tarazu.domain.rebalancing.less_tax import less_tax
from tarazu.domain.rebalancing.plan import Plan, PlanRow
from tarazu.tax.service import Sale, SalesOfDay

NO_LOTS = "The tax is not known: the lots of the stocks that are sold are not known."


@dataclass(frozen=True, slots=True)
class TaxStops:
    """The stops of a rebalance, each with the tax of its sales; none where `reason` says why.

    `left_out` are the stocks that are sold and whose lots are not known: no tax includes them.
    """

    stops: Sequence[tuple[Package, Fraction]]
    left_out: Sequence[str]
    reason: str


def tax_stops_of(session: Session, rebalance_id: uuid.UUID) -> tuple[uuid.UUID, TaxStops]:
    """The client of a rebalance, and the rebalance at each stop, as it was asked for first.

    Raises:
        RebalanceNotKnown, ClientNotFound: as `stops_of`.
    """
    client_id, computed = stored_rebalance(session, rebalance_id)
    facts = SalesOfDay(session, client_id, computed.priced_at).facts_of(_holdings(computed))
    if facts.lines is None:
        return client_id, TaxStops((), (), facts.reason)
    lots = tuple(StockLots(isin, known) for isin, known in facts.lots.items() if known)
    taxed = replace(computed, taxed=Taxed(facts.lines, lots), engine=ENGINE)
    rows = package.rows_of(taxed)
    money = computed.investment, computed.cash, computed.cash_target
    stops = less_tax(rows, money, computed.rates, computed.options, facts.lines)
    left_out = _unknown_sales(rows, stops[0].plan)
    if left_out and stops[0].tax == 0:
        return client_id, TaxStops((), left_out, NO_LOTS)
    packages = []
    for stop in stops:
        # The lots are a part of a rebalance that was computed from them, and of no other.
        base = taxed if stop.options.tax_weight else computed
        made = package.with_plan(replace(base, options=stop.options, engine=ENGINE), stop.plan)
        packages.append((made, stop.tax))
    return client_id, TaxStops(packages, left_out, "")


def _holdings(computed: Package) -> dict[str, Sale]:
    """All shares of each stock that has a price, by ISIN, as if they were sold."""
    held = package.held_by_isin(computed.positions)
    prices = {used.stock.isin: used.price for used in computed.prices}
    return {isin: Sale(held[isin], price) for isin, price in prices.items() if held.get(isin)}


def _unknown_sales(rows: Sequence[PlanRow], plan: Plan) -> list[str]:
    return [
        leg.symbol
        for row, leg in zip(rows, plan.legs, strict=True)
        if leg.side is Side.SELL and row.lots is None
    ]
