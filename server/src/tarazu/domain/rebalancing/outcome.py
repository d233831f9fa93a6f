"""From whole shares to the legs and the totals of a plan."""

from decimal import ROUND_CEILING, Decimal
from functools import cached_property
from math import sqrt

import numpy as np

from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, from_units, grouped, to_units
from tarazu.domain.rebalancing.causes import Mode, NoTrade
from tarazu.domain.rebalancing.draft import PER_PERCENT, PlanDraft
from tarazu.domain.rebalancing.plan import Leg, Plan, Summary
from tarazu.domain.rebalancing.problem import BASIS_POINTS, WHOLE, WholeShareProblem
from tarazu.domain.rebalancing.reasons import ReasonSettings, rupees
from tarazu.domain.rebalancing.search import SearchResult, tax_cost_of
from tarazu.domain.restrictions import Bounds, words_of


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
            stock.price * count * BASIS_POINTS - aim
            for stock, count, aim in zip(problem.stocks, shares, self._aims(), strict=True)
        ]
        # The cash of a plan is off by what all stocks together are off.
        self.off = sum(
            stock.price * count * BASIS_POINTS - stock.target
            for stock, count in zip(problem.stocks, shares, strict=True)
        )

    def _aims(self) -> list[int]:
        """What each priced row is compared with, in parts: its target, scaled if funds are short."""
        draft = self.draft
        return [
            int(draft.aim(number) * BASIS_POINTS)
            if draft.options.mode is Mode.RAISE_CASH and draft.bars[number] is NoTrade.NONE
            else stock.target
            for number, stock in zip(draft.priced, self.problem.stocks, strict=True)
        ]

    def plan(self) -> Plan:
        legs = tuple(self._leg(number) for number in range(len(self.draft.rows)))
        summary = self._summary()
        notices = (
            *self._of_mode(legs, summary),
            *self._of_tax(legs),
            *self._of_day(),
            *self.draft.notices,
        )
        return Plan(legs, summary, notices)

    def _of_mode(self, legs: tuple[Leg, ...], summary: Summary) -> list[str]:
        """What the mode did, in a sentence; nothing for the full rebalance."""
        options = self.draft.options
        if options.mode is Mode.NEW_MONEY:
            over = sum(leg.side is Side.HOLD and (leg.drift or ZERO) > ZERO for leg in legs)
            unsold = f"; {over} above target are not sold" if over else ""
            return [f"New money: stocks are only bought{unsold}"]
        if options.mode is Mode.RAISE_CASH:
            charges = summary.estimated_charges if options.include_charges else ZERO
            brought = rupees(summary.sell_value - charges)
            text = (
                f"The sales bring {brought} after charges; {rupees(options.raised)} is to be raised"
            )
            return [f"Raising cash: stocks are only sold. {text}"]
        if options.mode is Mode.EXITS_ONLY:
            text = f"{summary.trades} stocks with a target of 0 % are sold, nothing else is traded"
            return [f"Exits only: {text if summary.trades else 'no stock has a target of 0 %'}"]
        return []

    def _of_tax(self, legs: tuple[Leg, ...]) -> list[str]:
        """Which sales are in no tax, because their lots are not known."""
        if self.draft.tax is None:
            return []
        unknown = self.draft.unknown
        sold = [leg.symbol for leg in legs if leg.side is Side.SELL and leg.symbol in unknown]
        if not sold:
            return []
        names = ", ".join(sold)
        return [f"Lots not known, sold as without the tax and in no sum of tax: {names}"]

    def _of_day(self) -> list[str]:
        if self.problem.day is None:
            return []
        cash = rupees(from_units(self.problem.day.money))
        text = f"cash of {cash} and the usable part of the sales"
        return [f"Purchases are limited to what can be paid today: {text}"]

    @cached_property
    def _settings(self) -> ReasonSettings:
        """Money was short when what is left does not pay for one more of the most expensive share."""
        options = self.draft.options
        room = self.problem.budget - self.spent
        highest = max((stock.price for stock in self.problem.stocks), default=0)
        return ReasonSettings(
            options.band,
            options.minimum_trade,
            room < highest or self.problem.day is not None,
            options.mode,
            options.order_drift,
            self.draft.tax is not None,
        )

    def _leg(self, number: int) -> Leg:
        draft, row = self.draft, self.draft.rows[number]
        held = row.held
        new = self.new.get(number, held)
        side = Side.BUY if new > held else Side.SELL if new < held else Side.HOLD
        value = (row.last_price or ZERO) * abs(new - held)
        return Leg(
            row.symbol,
            side,
            held,
            new,
            row.last_price,
            row.target,
            draft.rupees,
            draft.bars[number],
            self._settings,
            self._restricted(number, new),
            draft.tariff.rates.charges_of_order(side, value, row.exchange),
            row.target_before,
        )

    def _restricted(self, number: int, new: int) -> str:
        """What keeps a row from its target, a restriction or shares that cannot be sold."""
        draft, row = self.draft, self.draft.rows[number]
        price = draft.prices[number]
        if price is None or row.target is None:
            return ""
        worth = draft.targets[number] * draft.investment // WHOLE
        bounds = draft.restricted_bounds(number)
        if row.restriction is not None and bounds.binds(new, price, worth):
            return words_of(row.restriction)
        uncredited, pledged = draft.unsellable(number)
        if Bounds(uncredited + pledged, None).binds(new, price, worth):
            return _unsellable(uncredited, pledged)
        return ""

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
        adds = draft.options.allow_fresh_funds and draft.options.mode in {Mode.FULL, Mode.NEW_MONEY}
        needed = max(investment, spent) if adds else 0
        off = self.off
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
        """How much the tracking error may be above the best; what orders and tax cost is in neither."""
        if self.result is None or self.result.bound >= self.result.phi:
            return ZERO
        apart = len(self.problem.orders_for(self.shares)) * self.problem.trade.order
        if self.problem.trade.tax is not None:
            shares = np.array(self.shares, dtype=np.float64)
            apart += tax_cost_of(self.problem.question(), shares)
        phi, bound = self.result.phi - apart, self.result.bound - apart
        gap = (sqrt(max(0.0, phi)) - sqrt(max(0.0, bound))) * BASIS_POINTS
        return Decimal(gap).quantize(Decimal("0.000001"), rounding=ROUND_CEILING)


def _unsellable(uncredited: int, pledged: int) -> str:
    """The shares that cannot be sold, and why."""
    waiting = f"{grouped(uncredited)} {'share is' if uncredited == 1 else 'shares are'}"
    if not uncredited:
        return f"{grouped(pledged)} pledged shares cannot be sold"
    if not pledged:
        return f"{waiting} not credited yet and cannot be sold"
    return f"{waiting} not credited yet, {grouped(pledged)} are pledged: they cannot be sold"
