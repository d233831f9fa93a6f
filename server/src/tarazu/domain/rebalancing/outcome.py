"""From whole shares to the legs and the totals of a plan."""

from decimal import ROUND_CEILING, Decimal
from functools import cached_property
from math import sqrt

from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, from_units, to_units
from tarazu.domain.rebalancing.draft import PER_PERCENT, PlanDraft
from tarazu.domain.rebalancing.plan import Leg, Plan, Summary
from tarazu.domain.rebalancing.problem import BASIS_POINTS, WHOLE, WholeShareProblem
from tarazu.domain.rebalancing.reasons import ReasonSettings
from tarazu.domain.rebalancing.search import SearchResult
from tarazu.domain.restrictions import words_of


class PlanOutcome:
    """The legs and the totals of a draft at the chosen shares, in whole units."""

    def __init__(
        self,
        draft: PlanDraft,
        problem: WholeShareProblem,
        shares: list[int],
        spent: int,
        result: SearchResult | None,
    ) -> None:
        self.draft = draft
        self.problem = problem
        self.shares = shares
        self.spent = spent
        self.result = result
        self.new = dict(zip(draft.priced, shares, strict=True))
        self.deviations = [
            stock.price * count * BASIS_POINTS - stock.target
            for stock, count in zip(problem.stocks, shares, strict=True)
        ]

    def plan(self) -> Plan:
        legs = tuple(self._leg(number) for number in range(len(self.draft.rows)))
        return Plan(legs, self._summary(), tuple(self.draft.notices))

    @cached_property
    def _settings(self) -> ReasonSettings:
        """Money was short when what is left does not pay for one more of the most expensive share."""
        options = self.draft.options
        room = self.problem.budget - self.spent
        highest = max((stock.price for stock in self.problem.stocks), default=0)
        return ReasonSettings(options.band, options.minimum_trade, room < highest)

    def _leg(self, number: int) -> Leg:
        draft, row = self.draft, self.draft.rows[number]
        held = row.held
        new = self.new.get(number, held)
        return Leg(
            row.symbol,
            Side.BUY if new > held else Side.SELL if new < held else Side.HOLD,
            held,
            new,
            row.last_price,
            row.target,
            draft.rupees,
            draft.bars[number],
            self._settings,
            self._restricted(number, new),
        )

    def _restricted(self, number: int, new: int) -> str:
        """The restriction that keeps a row from its target, in words; "" where none does."""
        draft, row = self.draft, self.draft.rows[number]
        price = draft.prices[number]
        if row.restriction is None or price is None or row.target is None:
            return ""
        worth = draft.targets[number] * draft.investment // WHOLE
        binds = draft.bounds(number).binds(new, price, worth)
        return words_of(row.restriction) if binds else ""

    def _summary(self) -> Summary:
        draft, investment = self.draft, self.draft.investment
        orders = self.problem.orders_for(self.shares)
        charges = draft.tariff.estimate(orders)
        bought = sum(order.units for order in orders if order.side is Side.BUY)
        sold = sum(order.units for order in orders if order.side is Side.SELL)
        held = sum(
            stock.price * count
            for stock, count in zip(self.problem.stocks, self.shares, strict=True)
        )
        spent = held + (to_units(charges.total) if draft.options.include_charges else 0)
        means = max(draft.means, spent)
        needed = max(investment, spent) if draft.options.allow_fresh_funds else 0
        off = sum(self.deviations)
        error = Decimal(sum(off_by * off_by for off_by in self.deviations) + off * off).sqrt()
        active = Decimal(sum(abs(off_by) for off_by in self.deviations) + abs(off))
        return Summary(
            tracking_error_bps=error / investment,
            proved_gap_bps=self._gap(),
            active_share=active / (2 * PER_PERCENT * investment),
            cash_after=from_units(means - spent),
            cash_after_percent=Decimal(means - spent) * PER_PERCENT / investment,
            charges=charges,
            turnover_percent=Decimal(bought + sold) * PER_PERCENT / (2 * investment),
            funds_to_add=from_units(max(0, needed - held - draft.cash + bought - sold)),
            buy_value=from_units(bought),
            sell_value=from_units(sold),
            trades=len(orders),
        )

    def _gap(self) -> Decimal:
        if self.result is None or self.result.bound >= self.result.phi:
            return ZERO
        gap = (sqrt(self.result.phi) - sqrt(max(0.0, self.result.bound))) * BASIS_POINTS
        return Decimal(gap).quantize(Decimal("0.000001"), rounding=ROUND_CEILING)
