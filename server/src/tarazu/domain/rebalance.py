"""A client's holdings brought to their targets in whole shares, as near as the money allows.

The plan minimises the squared deviations from the targets, cash among them, plus the charges times
a small penalty; it never spends more than the budget, charges included, counted exactly. How near
the best possible it is comes with it as a proved gap. Every percent is a share of the investment.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, sqrt

import numpy as np

from tarazu.domain.charges import ChargeRates, Charges, Order, Side, Tariff
from tarazu.domain.money import (
    HUNDRED,
    UNITS_PER_RUPEE,
    ZERO,
    Percent,
    Rupees,
    from_units,
    rounded,
    to_units,
)
from tarazu.domain.rebalance_problem import BASIS_POINTS, WHOLE, Freedom, Problem, Stock, Trade
from tarazu.domain.rebalance_search import Found, search
from tarazu.domain.rebalance_words import (
    Bar,
    Facts,
    Settings,
    plain,
    restricted_reason,
    rupees,
)
from tarazu.domain.restrictions import Bounds, Kind, Restriction, bounds_of, words_of

MOST_ROWS = 300
MOST_UNITS = 10**13 * UNITS_PER_RUPEE
DEAREST = 10**6 * UNITS_PER_RUPEE
MOST_NODES = 240
MOST_SHARES = 2**52
PER_PERCENT = 100
PER_POINT = WHOLE // BASIS_POINTS
RULES = 2
"""The version of the rules below, raised whenever the same question may have another answer.

1: where the funds do not reach the targets, what is short is taken in equal rupees of every stock.
2: the targets are met in proportion.
"""
UNTRADED = frozenset({Bar.NOT_IN_TARGET, Bar.LOCKED})


class CannotPlan(ValueError):
    """The request cannot be planned; the text says why, fit for the screen."""


class TargetsOver100(CannotPlan):
    """Targets and the cash target add up to more than 100 %."""


class BeyondLimits(CannotPlan):
    """A figure is negative, too fine or too large to be planned exactly."""


@dataclass(frozen=True, slots=True)
class Row:
    """One stock of the problem.

    `last_price` is None when there is none: the row is then left alone and its target given to no
    other. `target` is None for a holding that is not in the target; 0 sells all of it that the
    `restriction` lets go.
    """

    symbol: str
    last_price: Rupees | None
    held: int
    target: Percent | None
    locked: bool = False
    exchange: str = "NSE"
    restriction: Restriction | None = None

    @property
    def is_locked(self) -> bool:
        """Whether it is to be neither bought nor sold."""
        return self.locked or (
            self.restriction is not None and self.restriction.kind is Kind.LOCKED
        )


@dataclass(frozen=True, slots=True)
class Options:
    """How a plan is to be made.

    Drift below `band` is left alone, trades under `minimum_trade` are not made (selling all is
    always allowed), charges count `trade_penalty` times in what is minimised. `price_buffer` is
    kept back of each purchase for prices that move. Without fresh funds the budget ends at the
    holdings and cash.
    """

    band: Percent = ZERO
    minimum_trade: Rupees = ZERO
    trade_penalty: Decimal = Decimal("0.01")
    include_charges: bool = True
    allow_fresh_funds: bool = True
    price_buffer: Percent = ZERO


@dataclass(frozen=True, slots=True)
class Leg:
    """What is done with one row. Figures that need a price are None without one.

    Percents are unrounded shares of `investment`; `drift` is before the trade, above zero when
    overweight. `target` is None when the row is not in the target, and so is `drift` then.
    """

    symbol: str
    side: Side
    held: int
    new_quantity: int
    last_price: Rupees | None
    target: Percent | None
    investment: Rupees
    bar: Bar
    settings: Settings
    restricted: str = ""

    @property
    def message(self) -> str:
        """The one reason for what is done with the row."""
        share = (self.last_price or ZERO) * HUNDRED / self.investment
        target = self.target or ZERO
        facts = Facts(
            self.bar,
            self.side,
            self.held,
            self.new_quantity,
            self.last_price or ZERO,
            self.investment * target / HUNDRED,
            share * self.held,
            target,
            share * self.new_quantity,
            share,
        )
        return restricted_reason(facts, self.settings, self.restricted)

    @property
    def quantity(self) -> int:
        return abs(self.new_quantity - self.held)

    @property
    def current_value(self) -> Rupees | None:
        return None if self.last_price is None else self.last_price * self.held

    @property
    def projected_value(self) -> Rupees | None:
        return None if self.last_price is None else self.last_price * self.new_quantity

    @property
    def additional_value(self) -> Rupees:
        """Value of the shares bought, before charges; 0 when none are."""
        return self._traded if self.side is Side.BUY else ZERO

    @property
    def freed_value(self) -> Rupees:
        """Value of the shares sold, before charges; 0 when none are."""
        return self._traded if self.side is Side.SELL else ZERO

    @property
    def _traded(self) -> Rupees:
        return ZERO if self.last_price is None else self.last_price * self.quantity

    @property
    def previous_percent(self) -> Percent | None:
        return self._share(self.current_value)

    @property
    def possible_percent(self) -> Percent | None:
        return self._share(self.projected_value)

    @property
    def drift(self) -> Percent | None:
        previous = self.previous_percent
        return None if previous is None or self.target is None else previous - self.target

    def _share(self, part: Rupees | None) -> Percent | None:
        return None if part is None else part * HUNDRED / self.investment


@dataclass(frozen=True, slots=True)
class Summary:
    """What the plan comes to.

    `tracking_error_bps` is the root of the sum of squared deviations, cash among them;
    `proved_gap_bps` how much lower what was minimised might at most be, as such a root (0: proved
    best). `active_share`: half the sum of absolute deviations. `turnover_percent`: half of what is
    bought and sold. `cash_after` is what is left of the investment, after charges when they are
    included; without fresh funds of the holdings and cash if these are less. `funds_to_add` is what
    the investment needs beyond holdings and cash. `charges` are estimated in any case.
    """

    tracking_error_bps: Decimal
    proved_gap_bps: Decimal
    active_share: Percent
    cash_after: Rupees
    cash_after_percent: Percent
    charges: Charges
    turnover_percent: Percent
    funds_to_add: Rupees
    buy_value: Rupees
    sell_value: Rupees
    trades: int

    @property
    def estimated_charges(self) -> Rupees:
        return self.charges.total


@dataclass(frozen=True, slots=True)
class Plan:
    """One leg a row, in input order; the totals; and what could not be kept, in words."""

    legs: tuple[Leg, ...]
    summary: Summary
    notices: tuple[str, ...]


def plan_rebalance(
    rows: Sequence[Row],
    investment: Rupees,
    cash: Rupees,
    cash_target: Percent,
    rates: ChargeRates,
    options: Options = Options(),
    rules: int = RULES,
) -> Plan:
    """Plan the whole-share trades that bring holdings nearest their targets.

    Args:
        rows: the stocks, at most 300; prices to ₹10,00,000 with four decimals at most.
        investment: rupees to spread, above zero and at most ten lakh crore (1e13).
        cash: rupees with the broker, not invested; may be negative.
        cash_target: percent of the investment to be left as cash.
        rates: the broker's charges on the day.
        options: see `Options`.
        rules: by which version of the rules (see `RULES`).

    A row's restriction is never broken: where it keeps the budget from being kept, that is said.

    Of plans equally near: fewest trades, then least turnover, then more of the row that is first.

    Raises:
        TargetsOver100: targets and cash target add up to more than 100 %.
        BeyondLimits: a figure is outside the limits above, or finer than ₹0.0001, a target than
            ten decimals of a percent, another percent than two.
    """
    draft = _Draft(rows, investment, cash, cash_target, rates, options, rules)
    return draft.plan()


def cheapest_share(rows: Sequence[Row], rates: ChargeRates, options: Options) -> Rupees | None:
    """Rupees for one share of the cheapest stock with a target, and for its charges if they count.

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


def plan_of_shares(
    rows: Sequence[Row],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
    found: tuple[Sequence[int], float, float],
    rules: int = RULES,
) -> Plan:
    """The plan that comes to shares found elsewhere, checked in whole numbers.

    Args:
        rows, rates, options, rules: as for `plan_rebalance`.
        money: its investment, cash and cash target.
        found: whole shares, one a row; what was minimised and its proved bound, as shares of V^2.

    Raises:
        CannotPlan: as `plan_rebalance`; or the shares cost more than there is, or trade a row that
            may not be.
    """
    investment, cash, cash_target = money
    draft = _Draft(rows, investment, cash, cash_target, rates, options, rules)
    return draft.plan_of(*found)


def plan_as_given(
    rows: Sequence[Row],
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
    shares: Sequence[int],
) -> Plan:
    """What shares come to that somebody else chose, whether or not they keep the budget.

    Args:
        rows, money, rates, options: as for `plan_of_shares`.
        shares: whole shares, one a row.

    Nothing is proved of such a plan: its proved gap is all of its tracking error.

    Raises:
        TargetsOver100, BeyondLimits: as `plan_rebalance`.
    """
    investment, cash, cash_target = money
    return _Draft(rows, investment, cash, cash_target, rates, options, RULES).plan_given(shares)


class _Draft:
    """One plan in the making: what is asked in whole units, then the budget, then the legs."""

    def __init__(
        self,
        rows: Sequence[Row],
        investment: Rupees,
        cash: Rupees,
        cash_target: Percent,
        rates: ChargeRates,
        options: Options,
        rules: int,
    ) -> None:
        self.rows = rows
        self.options = options
        self.rules = rules
        self.investment = _units("Investment value", investment, least=1)
        self.cash = _units("Cash", cash, least=-MOST_UNITS)
        self.cash_target = _parts("Cash target", cash_target)
        self.cash_percent = cash_target
        self.rupees = investment
        self.tariff = Tariff(rates)
        self.prices = [_price_of(row) for row in rows]
        self.targets = [_parts(row.symbol, row.target or ZERO) for row in rows]
        self.band = _basis_points("Band", options.band)
        self.notices: list[str] = []
        self._check()
        self.bars = [self._bar(number) for number in range(len(rows))]

    def _check(self) -> None:
        if len(self.rows) > MOST_ROWS:
            raise BeyondLimits(f"At most {MOST_ROWS} stocks can be rebalanced at once")
        if sum(self.targets) + self.cash_target > WHOLE:
            raise TargetsOver100("Total target allocation cannot exceed 100%")
        if any(row.held < 0 for row in self.rows):
            raise BeyondLimits("A holding cannot be below zero shares")
        if self.options.trade_penalty < 0:
            raise BeyondLimits("The trade penalty cannot be below zero")
        if self._worth() > MOST_UNITS:
            raise BeyondLimits("The holdings are worth too much to be planned exactly")
        dearest = max(self.investment, self._worth())
        if any(price and dearest // price > MOST_SHARES for price in self.prices):
            raise BeyondLimits("A price is too small for an investment of this size")

    def _worth(self) -> int:
        return sum(
            price * row.held for price, row in zip(self.prices, self.rows, strict=True) if price
        )

    def _bar(self, number: int) -> Bar:
        row, price, target = self.rows[number], self.prices[number], self.targets[number]
        if price is None:
            return Bar.NO_PRICE
        if row.target is None:
            return Bar.NOT_IN_TARGET
        if row.is_locked:
            return Bar.LOCKED
        drift = price * row.held * WHOLE - target * self.investment
        inside = abs(drift) < self.band * PER_POINT * self.investment
        return Bar.BAND if inside and (target > 0 or row.held == 0) else Bar.NONE

    def plan_of(self, quantities: Sequence[int], phi: float, bound: float) -> Plan:
        """The plan that comes to these whole shares, a row each, found elsewhere.

        Raises:
            CannotPlan: they cost more than there is, or a row that may not be traded is.
        """
        problem = self._with_budget(self._budget())
        shares = [quantities[number] for number in self.priced]
        spent = problem.spend_of(shares)
        if spent > problem.budget:
            problem = self._problem()
        for stock, count in zip(problem.stocks, shares, strict=True):
            most = stock.highest(max(count, stock.held))
            if not stock.fewest <= count <= most:
                raise CannotPlan("The plan trades what is not to be traded")
        if spent > problem.budget:
            raise CannotPlan("The plan costs more than there is to spend")
        found = Found(np.array(shares, dtype=np.float64), phi, bound, 0)
        return _Outcome(self, problem, shares, spent, found).plan()

    def plan_given(self, quantities: Sequence[int]) -> Plan:
        """The plan that comes to these whole shares, a row each, whatever they cost."""
        shares = [quantities[number] for number in self.priced]
        problem = self._with_budget(self.means)
        spent = problem.spend_of(shares)
        off = [
            stock.price * count - stock.target / BASIS_POINTS
            for stock, count in zip(problem.stocks, shares, strict=True)
        ]
        phi = (sum(one * one for one in off) + sum(off) ** 2) / self.investment**2
        found = Found(np.array(shares, dtype=np.float64), phi, 0.0, 0)
        return _Outcome(self, problem, shares, spent, found).plan()

    def plan(self) -> Plan:
        problem = self._problem()
        if problem.stocks:
            found = search(problem.question(), MOST_NODES)
            shares = [int(count) for count in found.shares]
        else:
            found, shares = None, []
        return _Outcome(self, problem, shares, problem.spend_of(shares), found).plan()

    @cached_property
    def priced(self) -> list[int]:
        """The numbers of the rows that have a price."""
        return [number for number, price in enumerate(self.prices) if price is not None]

    @cached_property
    def means(self) -> int:
        """Units that may be spread: the investment, or holdings and cash when that is the limit."""
        if self.options.allow_fresh_funds:
            return self.investment
        return min(self.investment, self._worth() + self.cash)

    def _problem(self) -> Problem:
        """The problem with a budget that can be kept, saying what had to give way."""
        if self.proportion < 1:
            reached = plain(Decimal(int(self.proportion * BASIS_POINTS)) / PER_PERCENT)
            self.notices.append(
                f"Funds reach {reached} % of the Investment Value: targets are met in that proportion"
            )
        budget = self._budget()
        problem = self._with_budget(budget)
        needed = problem.spend_of(problem.fewest())
        while needed > budget and Bar.BAND in self.bars:
            self._release()
            problem = self._with_budget(budget)
            needed = problem.spend_of(problem.fewest())
        if needed <= budget:
            return problem
        self._say_short(needed)
        return replace(problem, budget=needed)

    @cached_property
    def proportion(self) -> Fraction:
        """The part of every target that the means reach: 1 where they reach all of it.

        Holdings that are not to be traded keep their worth; the rest of the means is shared among
        the targets and the cash target in proportion, so that a small target does not vanish.
        """
        if self.options.allow_fresh_funds or self.rules < 2:  # noqa: PLR2004 - see `RULES`
            return Fraction(1)
        tradable = [number for number in self.priced if self.bars[number] not in UNTRADED]
        fixed = sum(
            (self.prices[number] or 0) * self.rows[number].held
            for number in self.priced
            if number not in tradable
        )
        wanted = sum(self.targets[number] for number in tradable) + self.cash_target
        if not wanted:
            return Fraction(1)
        reached = max(0, self.means - fixed) * WHOLE
        return min(Fraction(1), Fraction(reached, wanted * self.investment))

    def _budget(self) -> int:
        """What may be spent if the cash target is kept, which is rounded up."""
        reserve = self.proportion * self.cash_target * self.investment / WHOLE
        return self.means - ceil(reserve)

    def _release(self) -> None:
        """Free the most overweight of the rows that the band holds."""
        banded = [number for number, bar in enumerate(self.bars) if bar is Bar.BAND]
        over = [self._excess(number) for number in banded]
        number = banded[over.index(max(over))]
        self.bars[number] = Bar.NONE
        self.notices.append(
            f"{self.rows[number].symbol} is traded inside the "
            f"{plain(self.options.band)} pp band: the budget cannot be kept otherwise"
        )

    def _excess(self, number: int) -> int:
        worth = (self.prices[number] or 0) * self.rows[number].held
        return worth * WHOLE - self.targets[number] * self.investment

    def _say_short(self, needed: int) -> None:
        left = from_units(self.means - needed)
        wanted = plain(rounded(self.cash_percent))
        if left >= 0:
            self.notices.append(
                f"The cash target of {wanted} % cannot be reached: {rupees(left)} is left "
                "when all that may be sold is sold and charges are paid"
            )
        else:
            self.notices.append(
                "The holdings that are not to be traded are worth more than there is to spread: "
                f"{rupees(-left)} over, nothing is left for cash"
            )

    def _with_budget(self, budget: int) -> Problem:
        return Problem(
            [self._stock(number) for number in self.priced], self.investment, budget, self._trade
        )

    def _stock(self, number: int) -> Stock:
        row, price, bar = self.rows[number], self.prices[number] or 0, self.bars[number]
        target = int(self.proportion * self.targets[number] * self.investment / PER_POINT)
        if bar is Bar.NOT_IN_TARGET or (bar is Bar.LOCKED and self.proportion < 1):
            target = price * row.held * BASIS_POINTS
        if bar is not Bar.NONE:
            return Stock(price, row.held, target, row.exchange, Freedom.FIXED)
        freedom = Freedom.EXIT if target == 0 else Freedom.FREE
        least, most = self.bounds(number)
        return Stock(price, row.held, target, row.exchange, freedom, least, most)

    def bounds(self, number: int) -> Bounds:
        """The fewest and the most shares that the restriction of a row allows."""
        row = self.rows[number]
        price, target = self.prices[number] or 1, self.targets[number]
        return bounds_of(row.restriction, row.held, price, self.investment, target)

    @cached_property
    def _trade(self) -> Trade:
        return Trade(
            self.tariff if self.options.include_charges else None,
            _units("Minimum trade", self.options.minimum_trade, least=0),
            float(self.options.trade_penalty),
            _basis_points("Price buffer", self.options.price_buffer),
        )


class _Outcome:
    """The legs and the totals of a draft, from the shares found, all in whole units."""

    def __init__(
        self, draft: _Draft, problem: Problem, shares: list[int], spent: int, found: Found | None
    ) -> None:
        self.draft = draft
        self.problem = problem
        self.shares = shares
        self.spent = spent
        self.found = found
        self.new = dict(zip(draft.priced, shares, strict=True))
        self.deviations = [
            stock.price * count * BASIS_POINTS - stock.target
            for stock, count in zip(problem.stocks, shares, strict=True)
        ]

    def plan(self) -> Plan:
        legs = tuple(self._leg(number) for number in range(len(self.draft.rows)))
        return Plan(legs, self._summary(), tuple(self.draft.notices))

    @cached_property
    def _settings(self) -> Settings:
        """Money was short when the dearest share wanted more was not to be had for what is left."""
        options = self.draft.options
        room = self.problem.budget - self.spent
        dearest = max((stock.price for stock in self.problem.stocks), default=0)
        return Settings(options.band, options.minimum_trade, room < dearest)

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
        wanted = draft.targets[number] * draft.investment // WHOLE
        binds = draft.bounds(number).binds(new, price, wanted)
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
        wanted = max(investment, spent) if draft.options.allow_fresh_funds else 0
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
            funds_to_add=from_units(max(0, wanted - held - draft.cash + bought - sold)),
            buy_value=from_units(bought),
            sell_value=from_units(sold),
            trades=len(orders),
        )

    def _gap(self) -> Decimal:
        if self.found is None or self.found.bound >= self.found.phi:
            return ZERO
        gap = (sqrt(self.found.phi) - sqrt(max(0.0, self.found.bound))) * BASIS_POINTS
        return Decimal(gap).quantize(Decimal("0.000001"), rounding=ROUND_CEILING)


def _price_of(row: Row) -> int | None:
    if row.last_price is None:
        return None
    price = _units(row.symbol, row.last_price, least=1)
    if price > DEAREST:
        raise BeyondLimits(f"{row.symbol}: a price may be {rupees(from_units(DEAREST))} at most")
    return price


def _units(name: str, amount: Rupees, least: int) -> int:
    """Whole units of an amount within the limits."""
    if not amount.is_finite() or amount * UNITS_PER_RUPEE % 1:
        raise BeyondLimits(f"{name}: more than four decimals")
    units = int(amount * UNITS_PER_RUPEE)
    if not least <= units <= MOST_UNITS:
        raise BeyondLimits(f"{name}: {amount} rupees is outside what can be planned")
    return units


def _basis_points(name: str, percent: Percent) -> int:
    """Whole basis points of a percent from 0 to 100."""
    if not percent.is_finite() or percent * PER_PERCENT % 1 or not 0 <= percent <= HUNDRED:
        raise BeyondLimits(f"{name}: a percent from 0 to 100 with two decimals at most")
    return int(percent * PER_PERCENT)


def _parts(name: str, target: Percent) -> int:
    """Parts of `WHOLE` that a target of 0 to 100 percent comes to."""
    parts = target * PER_POINT * PER_PERCENT if target.is_finite() else target
    if not target.is_finite() or parts % 1 or not 0 <= target <= HUNDRED:
        raise BeyondLimits(f"{name}: a percent from 0 to 100 with ten decimals at most")
    return int(parts)
