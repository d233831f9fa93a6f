"""Fewer orders: the full rebalance and four plans with ever fewer orders, each solved exactly.

What is minimised counts each order as a drift that it must be worth. The optimum with N orders is
then nearest the targets of all plans with at most N orders (Everett, Operations Research 11, 1963):
a nearer one would have been cheaper with its orders counted.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from tarazu.domain.charges import ChargeRates
from tarazu.domain.money import HUNDRED, Percent, Rupees, rounded
from tarazu.domain.rebalancing.causes import Cause
from tarazu.domain.rebalancing.plan import HIGHEST_ORDER_DRIFT, Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance

PARTS_LEFT = (Decimal("0.8"), Decimal("0.6"), Decimal("0.4"), Decimal("0.2"))
"""About how many of the orders that need not be placed each further stop leaves."""

STOPS = 1 + len(PARTS_LEFT)
DECIMALS = 4


class Stop(NamedTuple):
    """One stop of the slider: its options, which give the same plan again, and the plan."""

    options: Options
    plan: Plan


def fewer_orders(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
) -> tuple[Stop, ...]:
    """The plan as asked for, then four with ever fewer orders.

    Args:
        rows, rates, options: as for `plan_rebalance`.
        money: its investment, cash and cash target.

    Raises:
        CannotPlan: as `plan_rebalance`.
    """
    plan = plan_rebalance(rows, *money, rates, options)
    stops = [Stop(options, plan)]
    for drift in order_drifts(plan, options.order_drift):
        fewer = replace(options, order_drift=drift)
        stops.append(Stop(fewer, plan_rebalance(rows, *money, rates, fewer)))
    return tuple(stops)


def order_drifts(plan: Plan, least: Percent) -> list[Percent]:
    """For each further stop the drift, in percent, that an order must be worth.

    The orders of the full plan are put in order of size, and each drift lies between the largest
    order to be left out and the smallest to be kept.

    Args:
        least: of the full plan itself; no drift is below it.
    """
    sizes = sorted(
        (leg.additional_value + leg.freed_value) * HUNDRED / leg.investment
        for leg in plan.legs
        if leg.quantity and leg.cause is not Cause.EXIT
    )
    drifts = []
    for part in PARTS_LEFT:
        out = int(len(sizes) * (1 - part))
        between = (sizes[out - 1] + sizes[out]) / 2 if out else least
        drifts.append(min(max(least, rounded(between, DECIMALS)), Percent(HIGHEST_ORDER_DRIFT)))
    return drifts
