"""Less tax: the plan as asked for and four with ever less tax on its sales, down to none.

What is minimised counts the tax that sales add to the year. The optimum with a tax T is then nearest
the targets of all plans with at most that tax (Everett, Operations Research 11, 1963).
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import exp, inf, log
from typing import NamedTuple

from tarazu.domain.charges import ChargeRates
from tarazu.domain.money import Percent, Rupees
from tarazu.domain.rebalancing.draft import PlanDraft
from tarazu.domain.rebalancing.dual import SearchBox
from tarazu.domain.rebalancing.plan import HIGHEST_TAX_WEIGHT, Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tarazu.domain.rebalancing.taxes import LEAST_TAX_WEIGHT, first_mix, settle
from tarazu.domain.tax.added import TaxLine, added_tax

PARTS = (Fraction(3, 4), Fraction(1, 2), Fraction(1, 4))
"""About which part of the tax the stops between the first and the last leave."""

TAX_STOPS = 2 + len(PARTS)
LOWEST, HIGHEST, PLACES = 1e-3, 5.0, 9
DIGITS = 3


class TaxStop(NamedTuple):
    """One stop: its options, which give the same plan again, the plan, and its tax.

    `tax` is what its sales add to the tax of the year, without those whose lots are not known.
    """

    options: Options
    plan: Plan
    tax: Fraction


def less_tax(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
    lines: tuple[TaxLine, ...],
) -> tuple[TaxStop, ...]:
    """The plan as asked for, then four with ever less tax; the last has none if that can be.

    A stop that would bring no less tax is the one before it again.

    Args:
        rows, rates, options: as for `plan_rebalance`.
        money: its investment, cash and cash target.
        lines: what sales add to the tax of the year.

    Raises:
        CannotPlan: as `plan_rebalance`.
    """

    def stop_at(weight: Decimal) -> TaxStop:
        weighed = replace(options, tax_weight=weight)
        plan = plan_rebalance(rows, *money, rates, weighed, lines)
        return TaxStop(weighed, plan, tax_of_plan(rows, plan, lines))

    stops = [stop_at(Decimal(0))]
    if stops[0].tax == 0:
        return tuple(stops * TAX_STOPS)
    draft = PlanDraft(rows, money, rates, replace(options, tax_weight=Decimal(1)), lines)
    for weight in _weights(draft):
        stops.append(_less(stops[-1], stop_at(weight)))
    last = stop_at(Decimal(HIGHEST_TAX_WEIGHT))
    if last.tax > 0:
        # Some tax cannot be avoided: the least of it, at a weight that still proves something.
        last = stop_at(Decimal(int(LEAST_TAX_WEIGHT)))
    stops.append(_less(stops[-1], last))
    return tuple(stops)


def _less(before: TaxStop, stop: TaxStop) -> TaxStop:
    return stop if stop.tax < before.tax else before


def tax_of_plan(rows: Sequence[PlanRow], plan: Plan, lines: tuple[TaxLine, ...]) -> Fraction:
    """What a plan's sales add to the tax of the year; sales of unknown lots are left out."""
    gains = [Fraction(0), Fraction(0)]
    for row, leg in zip(rows, plan.legs, strict=True):
        left = max(0, leg.held - leg.new_quantity)
        for lot in row.lots or ():
            part = min(left, lot.shares)
            gains[lot.is_long_term] += part * Fraction(lot.gain)
            left -= part
    return added_tax(lines, *gains)


def _weights(draft: PlanDraft) -> list[Decimal]:
    """Weights at which about these parts of the tax are left, by the bounds of some weights."""
    steps = [log(LOWEST) + (log(HIGHEST / LOWEST)) * at / (PLACES - 1) for at in range(PLACES)]
    draft.keep_unknown([draft.rows[number].held for number in draft.priced])
    question = draft.problem().question()
    tax = question.tax
    if tax is None:
        return []
    at, mix = 0.0, first_mix(question)
    taxes: list[float] = []
    for step in (-inf, *steps):
        weighed = replace(tax, weight=exp(step))
        settled = settle(SearchBox(replace(question, tax=weighed)), at, mix, inf, 3 if taxes else 1)
        at, mix = settled.point.at, settled.mix
        ends = [settled.below, settled.above]
        taxes.append(sum(tax.cost(end.short, end.long) / tax.weight for end in ends) / len(ends))
    found = []
    for part in PARTS:
        wanted = float(part) * taxes[0]
        place = next((n for n, value in enumerate(taxes[1:]) if value <= wanted), PLACES - 1)
        high, low = taxes[place], taxes[place + 1]
        # Between two of the weights, as far as the tax is; below the first one there is none.
        back = min(1.0, (wanted - low) / (high - low)) if place and low <= wanted < high else 0.0
        found.append(_rounded(exp(steps[place] - back * (steps[1] - steps[0]))))
    return found


def _rounded(weight: float) -> Decimal:
    return Decimal(f"{weight:.{DIGITS}g}")
