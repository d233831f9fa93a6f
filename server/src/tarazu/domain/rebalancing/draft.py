"""From the input of a plan to the problem in whole numbers."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil

from tarazu.domain.charges import ChargeRates, Tariff
from tarazu.domain.money import (
    HUNDRED,
    UNITS_PER_RUPEE,
    ZERO,
    Percent,
    Rupees,
    from_units,
    plain,
    rounded,
)
from tarazu.domain.rebalancing.plan import MOST_ROWS, BeyondLimits, Options, PlanRow, TargetsOver100
from tarazu.domain.rebalancing.problem import (
    BASIS_POINTS,
    WHOLE,
    Freedom,
    ProblemStock,
    TradeCosts,
    WholeShareProblem,
)
from tarazu.domain.rebalancing.reasons import NoTrade, rupees
from tarazu.domain.restrictions import Bounds, bounds_of

MOST_UNITS = 10**13 * UNITS_PER_RUPEE
HIGHEST_PRICE = 10**6 * UNITS_PER_RUPEE
MOST_SHARES = 2**52
PER_PERCENT = 100
PER_POINT = WHOLE // BASIS_POINTS
UNTRADED = frozenset({NoTrade.NOT_IN_TARGET, NoTrade.LOCKED})


class PlanDraft:
    """The input of a plan in whole units, checked, and the problem that it makes."""

    def __init__(
        self,
        rows: Sequence[PlanRow],
        money: tuple[Rupees, Rupees, Percent],
        rates: ChargeRates,
        options: Options,
    ) -> None:
        investment, cash, cash_target = money
        self.rows = rows
        self.options = options
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
        worth = max(self.investment, self._worth())
        if any(price and worth // price > MOST_SHARES for price in self.prices):
            raise BeyondLimits("A price is too small for an investment of this size")

    def _worth(self) -> int:
        return sum(
            price * row.held for price, row in zip(self.prices, self.rows, strict=True) if price
        )

    def _bar(self, number: int) -> NoTrade:
        row, price, target = self.rows[number], self.prices[number], self.targets[number]
        if price is None:
            return NoTrade.NO_PRICE
        if row.target is None:
            return NoTrade.NOT_IN_TARGET
        if row.is_locked:
            return NoTrade.LOCKED
        drift = price * row.held * WHOLE - target * self.investment
        inside = abs(drift) < self.band * PER_POINT * self.investment
        return NoTrade.BAND if inside and (target > 0 or row.held == 0) else NoTrade.NONE

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

    def problem(self) -> WholeShareProblem:
        """The problem with a budget that can be kept; notices say what had to give way."""
        if self.proportion < 1:
            reached = plain(Decimal(int(self.proportion * BASIS_POINTS)) / PER_PERCENT)
            self.notices.append(
                f"Funds reach {reached} % of the Investment Value: targets are met in that proportion"
            )
        budget = self.budget()
        problem = self.problem_within(budget)
        needed = problem.spend_of(problem.fewest())
        while needed > budget and NoTrade.BAND in self.bars:
            self._release()
            problem = self.problem_within(budget)
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
        if self.options.allow_fresh_funds:
            return Fraction(1)
        tradable = [number for number in self.priced if self.bars[number] not in UNTRADED]
        fixed = sum(
            (self.prices[number] or 0) * self.rows[number].held
            for number in self.priced
            if number not in tradable
        )
        requested = sum(self.targets[number] for number in tradable) + self.cash_target
        if not requested:
            return Fraction(1)
        reached = max(0, self.means - fixed) * WHOLE
        return min(Fraction(1), Fraction(reached, requested * self.investment))

    def budget(self) -> int:
        """What may be spent if the cash target is kept, which is rounded up."""
        reserve = self.proportion * self.cash_target * self.investment / WHOLE
        return self.means - ceil(reserve)

    def _release(self) -> None:
        """Free the most overweight of the rows that the band holds."""
        banded = [number for number, bar in enumerate(self.bars) if bar is NoTrade.BAND]
        over = [self._excess(number) for number in banded]
        number = banded[over.index(max(over))]
        self.bars[number] = NoTrade.NONE
        self.notices.append(
            f"{self.rows[number].symbol} is traded inside the "
            f"{plain(self.options.band)} pp band: the budget cannot be kept otherwise"
        )

    def _excess(self, number: int) -> int:
        worth = (self.prices[number] or 0) * self.rows[number].held
        return worth * WHOLE - self.targets[number] * self.investment

    def _say_short(self, needed: int) -> None:
        left = from_units(self.means - needed)
        target = plain(rounded(self.cash_percent))
        if left >= 0:
            self.notices.append(
                f"The cash target of {target} % cannot be reached: {rupees(left)} is left "
                "after selling all that may be sold and paying charges"
            )
        else:
            self.notices.append(
                "The holdings that are kept, and the charges, exceed the money available by "
                f"{rupees(-left)}: no cash is left"
            )

    def problem_within(self, budget: int) -> WholeShareProblem:
        return WholeShareProblem(
            [self._stock(number) for number in self.priced], self.investment, budget, self._trade
        )

    def _stock(self, number: int) -> ProblemStock:
        row, price, bar = self.rows[number], self.prices[number] or 0, self.bars[number]
        target = int(self.proportion * self.targets[number] * self.investment / PER_POINT)
        if bar is NoTrade.NOT_IN_TARGET or (bar is NoTrade.LOCKED and self.proportion < 1):
            target = price * row.held * BASIS_POINTS
        if bar is not NoTrade.NONE:
            return ProblemStock(price, row.held, target, row.exchange, Freedom.FIXED)
        freedom = Freedom.EXIT if target == 0 else Freedom.FREE
        least, most = self.bounds(number)
        return ProblemStock(price, row.held, target, row.exchange, freedom, least, most)

    def bounds(self, number: int) -> Bounds:
        """The fewest and the most shares that the restriction of a row allows."""
        row = self.rows[number]
        price, target = self.prices[number] or 1, self.targets[number]
        return bounds_of(row.restriction, row.held, price, self.investment, target)

    @cached_property
    def _trade(self) -> TradeCosts:
        return TradeCosts(
            self.tariff if self.options.include_charges else None,
            _units("Minimum trade", self.options.minimum_trade, least=0),
            float(self.options.trade_penalty),
            _basis_points("Price buffer", self.options.price_buffer),
        )


def _price_of(row: PlanRow) -> int | None:
    if row.last_price is None:
        return None
    price = _units(row.symbol, row.last_price, least=1)
    if price > HIGHEST_PRICE:
        raise BeyondLimits(
            f"{row.symbol}: a price may be {rupees(from_units(HIGHEST_PRICE))} at most"
        )
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
