"""The ways to make a plan: solved here, from shares that the batch solved, or from given shares.

Amounts, prices and shares are checked and solved in whole numbers (`draft`, `problem`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tarazu.domain.charges import ChargeRates, Order, Side, Tariff
from tarazu.domain.money import ZERO, Percent, Rupees, to_units
from tarazu.domain.rebalancing.draft import PlanDraft
from tarazu.domain.rebalancing.outcome import PlanOutcome
from tarazu.domain.rebalancing.plan import DEFAULT_OPTIONS, CannotPlan, Options, Plan, PlanRow
from tarazu.domain.rebalancing.problem import BASIS_POINTS, WholeShareProblem
from tarazu.domain.rebalancing.search import EXACT_NODES, SearchResult, search
from tarazu.domain.tax.added import TaxLine

MOST_NODES = 240
TAXED_NODES = (20, 8)
FEW_STOCKS = 12
"""Up to so many a node takes little time, so that with the tax too all of them may be searched."""


def plan_rebalance(
    rows: Sequence[PlanRow],
    investment: Rupees,
    cash: Rupees,
    cash_target: Percent,
    rates: ChargeRates,
    options: Options = DEFAULT_OPTIONS,
    tax_lines: tuple[TaxLine, ...] = (),
) -> Plan:
    """Plan the whole-share trades that bring holdings nearest their targets.

    A row's restriction is never broken: where it keeps the budget from being kept, a notice says
    so. Of plans equally near: fewest trades, then least turnover, then more of the first row.

    Args:
        rows: the stocks, at most 300; prices to ₹10,00,000 with four decimals at most.
        investment: rupees to spread, above zero and at most ten lakh crore (1e13).
        cash: rupees with the broker, not invested; may be negative.
        cash_target: percent of the investment to be left as cash.
        rates: the broker's charges on the day.
        options: see `Options`.
        tax_lines: what sales add to the tax of the year, see `added_tax_lines`. With a weight of
            the tax stocks whose lots are not known are sold as without one, and a stock to be left
            may stay where its sale is taxed.

    Raises:
        TargetsOver100: targets and cash target add up to more than 100 %.
        CannotRaise: the sales cannot bring the amount that is to be raised.
        BeyondLimits: a figure is outside the limits above, or finer than ₹0.0001, a target than
            ten decimals of a percent, another percent than two.
    """
    money = investment, cash, cash_target
    draft = PlanDraft(rows, money, rates, options, tax_lines)
    if draft.tax is not None and draft.unknown:
        draft.keep_unknown(_shares_without_tax(rows, money, rates, options))
    problem = draft.problem()
    if not problem.stocks:
        return PlanOutcome(draft, problem, [], 0, None).plan()
    result, shares = _solved(problem)
    limited = replace(problem, day=draft.day)
    if not limited.keeps_day(shares):
        # The best plan is rarely more than the day's money pays for: only then is that a limit.
        problem = limited
        result, shares = _solved(problem)
    return PlanOutcome(draft, problem, shares, problem.spend_of(shares), result).plan()


def _shares_without_tax(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
) -> list[int]:
    """The shares of the rows with a price, in the plan that does not look at the tax."""
    plan = plan_rebalance(rows, *money, rates, replace(options, tax_weight=ZERO))
    return [leg.new_quantity for leg in plan.legs if leg.last_price is not None]


def _solved(problem: WholeShareProblem) -> tuple[SearchResult, list[int]]:
    nodes = (MOST_NODES, EXACT_NODES)
    if problem.trade.tax is not None and len(problem.stocks) > FEW_STOCKS:
        nodes = TAXED_NODES
    result = search(problem.question(), *nodes)
    return result, [int(count) for count in result.shares]


def plan_of_shares(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
    solution: tuple[Sequence[int], float, float],
) -> Plan:
    """The plan that comes to shares solved by the batch, checked in whole numbers.

    Args:
        rows, rates, options: as for `plan_rebalance`.
        money: its investment, cash and cash target.
        solution: whole shares, one a row; what was minimised and its proved bound, as shares of
            V^2.

    Raises:
        CannotPlan: as `plan_rebalance`; or the shares cost more than there is, or trade a row that
            may not be traded.
    """
    quantities, phi, bound = solution
    draft = PlanDraft(rows, money, rates, options)
    problem = draft.problem_within(draft.budget())
    shares = [quantities[number] for number in draft.priced]
    spent = problem.spend_of(shares)
    if spent > problem.budget:
        problem = draft.problem()
    for stock, count in zip(problem.stocks, shares, strict=True):
        most = stock.highest(max(count, stock.held))
        if not stock.fewest <= count <= most:
            raise CannotPlan("The plan trades a stock that may not be traded")
    if spent > problem.budget:
        raise CannotPlan("The plan costs more than the budget")
    result = SearchResult(np.array(shares, dtype=np.float64), phi, bound, 0)
    return PlanOutcome(draft, problem, shares, spent, result).plan()


def plan_as_given(
    rows: Sequence[PlanRow],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
    quantities: Sequence[int],
) -> Plan:
    """The plan that comes to shares chosen by the sender, whether or not they keep the budget.

    Nothing is proved of such a plan: its proved gap is all of its tracking error.

    Args:
        rows, money, rates, options: as for `plan_of_shares`.
        quantities: whole shares, one a row.

    Raises:
        TargetsOver100, BeyondLimits: as `plan_rebalance`.
    """
    draft = PlanDraft(rows, money, rates, options)
    problem = draft.problem_within(draft.means)
    shares = [quantities[number] for number in draft.priced]
    off = [
        stock.price * count - stock.target / BASIS_POINTS
        for stock, count in zip(problem.stocks, shares, strict=True)
    ]
    phi = (sum(deviation * deviation for deviation in off) + sum(off) ** 2) / draft.investment**2
    result = SearchResult(np.array(shares, dtype=np.float64), phi, 0.0, 0)
    return PlanOutcome(draft, problem, shares, problem.spend_of(shares), result).plan()


def cheapest_share(rows: Sequence[PlanRow], rates: ChargeRates, options: Options) -> Rupees | None:
    """Rupees for one share of the cheapest stock with a target, its charges included if they count.

    None where no stock with a price has a target above 0.
    """
    tariff = Tariff(rates)
    costs = []
    for row in rows:
        if row.last_price and row.target:
            order = Order(Side.BUY, to_units(row.last_price), row.exchange)
            charges = tariff.estimate([order]).total if options.include_charges else ZERO
            costs.append(row.last_price + charges)
    return min(costs, default=None)
