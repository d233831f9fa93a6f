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
from tarazu.domain.rebalancing.branches import DayMoney
from tarazu.domain.rebalancing.causes import Mode, NoTrade
from tarazu.domain.rebalancing.plan import (
    HIGHEST_ORDER_DRIFT,
    HIGHEST_TAX_WEIGHT,
    MOST_ROWS,
    BeyondLimits,
    CannotRaise,
    Options,
    PlanRow,
    TargetsOver100,
)
from tarazu.domain.rebalancing.problem import (
    BASIS_POINTS,
    WHOLE,
    Freedom,
    ProblemStock,
    TaxCosts,
    TradeCosts,
    WholeShareProblem,
)
from tarazu.domain.rebalancing.raising import scaled_to, values_after
from tarazu.domain.rebalancing.reasons import rupees
from tarazu.domain.restrictions import Bounds, bounds_of
from tarazu.domain.tax.added import LotStep, TaxLine

MOST_UNITS = 10**13 * UNITS_PER_RUPEE
HIGHEST_PRICE = 10**6 * UNITS_PER_RUPEE
MOST_SHARES = 2**52
PER_PERCENT = 100
PER_PAISA = UNITS_PER_RUPEE // 100
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
        tax_lines: tuple[TaxLine, ...] = (),
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
        self.raised = _units("The amount to raise", options.raised, least=0)
        self.tax = _tax_costs(options.tax_weight, tax_lines)
        self.most_kept: dict[int, int] = {}
        self.notices: list[str] = []
        self._check()
        self.bars = [self._bar(number) for number in range(len(rows))]

    def _check(self) -> None:
        if len(self.rows) > MOST_ROWS:
            raise BeyondLimits(f"At most {MOST_ROWS} stocks can be rebalanced at once")
        if sum(self.targets) + self.cash_target > WHOLE:
            raise TargetsOver100("Total target allocation cannot exceed 100%")
        if (self.raised > 0) is not (self.options.mode is Mode.RAISE_CASH):
            raise BeyondLimits("An amount above ₹0 goes with raising cash, and only with it")
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
        if self.options.mode is Mode.EXITS_ONLY and target > 0:
            return NoTrade.MODE
        if self.options.mode is Mode.RAISE_CASH:
            return NoTrade.NONE
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
        """The problem with a budget that can be kept; notices say what had to give way.

        Raises:
            CannotRaise: the sales cannot bring the amount that is to be raised.
        """
        if self.options.mode is Mode.RAISE_CASH:
            return self._problem_of_raising()
        if self.proportion < 1:
            reached = plain(Decimal(int(self.proportion * BASIS_POINTS)) / PER_PERCENT)
            self.notices.append(
                f"Funds reach {reached} % of the Investment Value: targets are met in that proportion"
            )
        budget = self.budget()
        problem = self.problem_within(budget)
        needed = problem.spend_of(problem.fewest())
        is_full = self.options.mode is Mode.FULL
        while is_full and needed > budget and NoTrade.BAND in self.bars:
            self._release()
            problem = self.problem_within(budget)
            needed = problem.spend_of(problem.fewest())
        if needed <= budget:
            return problem
        if self.options.mode is not Mode.EXITS_ONLY:
            self._say_short(needed)
        return replace(problem, budget=needed)

    def _problem_of_raising(self) -> WholeShareProblem:
        """Stocks are only sold, and what stays is worth so much less than now, charges included."""
        worth = self._worth()
        problem = self.problem_within(worth - self.raised)
        most = worth - problem.spend_of(problem.fewest())
        if most < self.raised:
            shown = rupees(from_units(max(0, most // PER_PAISA * PER_PAISA)))
            raise CannotRaise(
                f"Selling brings {shown} at most after charges, less than the "
                f"{rupees(self.options.raised)} to be raised"
            )
        return problem

    @cached_property
    def _values_after(self) -> dict[int, int]:
        """Raising cash: by row what is to stay of it, in units, before whole shares."""
        sold = [number for number in self.priced if self.bars[number] not in UNTRADED]
        values = [(self.prices[number] or 0) * self.rows[number].held for number in sold]
        floors = [(self.prices[number] or 0) * self.bounds(number).least for number in sold]
        targets = [int(self.aim(number)) for number in sold]
        left = sum(values) - self.raised
        return dict(zip(sold, values_after(values, targets, floors, left), strict=True))

    def aim(self, number: int) -> Fraction:
        """Units that a row is to be worth: its target, or the part of it that funds reach."""
        return self.proportion * self.targets[number] * self.investment / WHOLE

    @cached_property
    def proportion(self) -> Fraction:
        """The part of every target that the means reach: 1 where they reach all of it.

        Holdings that are not to be traded keep their worth; the rest of the means is shared among
        the targets and the cash target in proportion, so that a small target does not vanish.
        When cash is raised, they share what stays invested, and the cash target has no part.
        """
        if self.options.mode is Mode.RAISE_CASH:
            return self._part_after_raising()
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

    def _part_after_raising(self) -> Fraction:
        sold = [number for number in self.priced if self.bars[number] not in UNTRADED]
        values = sum((self.prices[number] or 0) * self.rows[number].held for number in sold)
        targets = [self.targets[number] * self.investment for number in sold]
        return scaled_to(targets, (values - self.raised) * WHOLE)

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
        if self.options.mode is Mode.NEW_MONEY:
            beyond = rupees(from_units(needed - self.budget()))
            self.notices.append(
                f"No money to invest: the holdings and the cash target exceed the money by {beyond}"
            )
            return
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
        stocks = [self._stock(number) for number in self.priced]
        return WholeShareProblem(stocks, self.investment, budget, self._trade)

    @cached_property
    def day(self) -> DayMoney | None:
        """What may pay for purchases on the day: cash, fresh funds, a part of the sales.

        An overdrawn account counts as no cash. None where the options set no limit.
        """
        if self.options.usable_proceeds is None:
            return None
        usable = _basis_points("Usable proceeds", self.options.usable_proceeds)
        fresh = 0
        if self.options.allow_fresh_funds:
            fresh = max(0, self.investment - self._worth() - self.cash)
        return DayMoney(max(0, self.cash + fresh), usable)

    def _stock(self, number: int) -> ProblemStock:
        row, price, bar = self.rows[number], self.prices[number] or 0, self.bars[number]
        target = int(self.aim(number) * BASIS_POINTS)
        is_raising = self.options.mode is Mode.RAISE_CASH
        if is_raising and bar is NoTrade.NONE:
            target = self._values_after[number] * BASIS_POINTS
        is_scaled = is_raising or self.proportion < 1
        if bar is NoTrade.NOT_IN_TARGET or (bar is NoTrade.LOCKED and is_scaled):
            target = price * row.held * BASIS_POINTS
        if bar is not NoTrade.NONE:
            return ProblemStock(price, row.held, target, row.exchange, Freedom.FIXED)
        is_exit = target == 0 and not is_raising
        least, most = self.bounds(number)
        if is_exit and self._may_stay(number):
            is_exit, most = False, row.held
        if number in self.most_kept:
            least = most = self.most_kept[number]
        freedom = Freedom.EXIT if is_exit else Freedom.FREE
        usable = max(0, row.held - row.pledged - row.undelivered - row.uncredited)
        lots = () if self.tax is None else row.lots or unknown_lots(row.held)
        return ProblemStock(
            price, row.held, target, row.exchange, freedom, least, most, usable, lots
        )

    def _may_stay(self, number: int) -> bool:
        """Whether a stock with target 0 may stay, because a part of its sale would be taxed."""
        return self.tax is not None and any(lot.gain > 0 for lot in self.rows[number].lots or ())

    def keep_unknown(self, shares: Sequence[int]) -> None:
        """Sell of stocks whose lots are not known what the plan of these shares sells of them."""
        for number, count in zip(self.priced, shares, strict=True):
            row = self.rows[number]
            if row.lots is None and row.held and self.bars[number] is NoTrade.NONE:
                self.most_kept[number] = min(count, row.held)

    @property
    def unknown(self) -> list[str]:
        """The stocks that may be sold, and whose lots are not known."""
        return [
            row.symbol
            for row, bar in zip(self.rows, self.bars, strict=True)
            if row.lots is None and row.held and bar is NoTrade.NONE
        ]

    def restricted_bounds(self, number: int) -> Bounds:
        """The fewest and the most shares that the restriction of a row allows."""
        row = self.rows[number]
        price, target = self.prices[number] or 1, self.targets[number]
        if self.options.mode is Mode.RAISE_CASH:
            # A stock to be left is sold only as far as the amount asks for.
            target = 1
        return bounds_of(row.restriction, row.held, price, self.investment, target)

    def unsellable(self, number: int) -> tuple[int, int]:
        """Shares of a row that cannot be sold: those not credited yet, and the pledged ones kept."""
        row = self.rows[number]
        uncredited = min(row.uncredited, row.held)
        pledged = 0 if self.options.sells_pledged else min(row.pledged, row.held - uncredited)
        return uncredited, pledged

    def bounds(self, number: int) -> Bounds:
        """The fewest and the most shares, by the restriction, what cannot be sold, and the mode."""
        row, mode = self.rows[number], self.options.mode
        least, most = self.restricted_bounds(number)
        least = max(least, sum(self.unsellable(number)))
        if mode is Mode.NEW_MONEY:
            least = max(least, row.held)
        if mode is Mode.RAISE_CASH:
            most = row.held if most is None else min(most, row.held)
        return Bounds(least, None if most is None else max(least, most))

    @cached_property
    def _trade(self) -> TradeCosts:
        return TradeCosts(
            self.tariff if self.options.include_charges else None,
            _units("Minimum trade", self.options.minimum_trade, least=0),
            float(self.options.trade_penalty),
            _basis_points("Price buffer", self.options.price_buffer),
            float(_order_drift(self.options.order_drift)) ** 2,
            self.tax,
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


def _order_drift(percent: Percent) -> Decimal:
    """The drift that an order must be worth, as a share of the investment."""
    if not percent.is_finite() or not 0 <= percent <= HIGHEST_ORDER_DRIFT:
        raise BeyondLimits(f"Order drift: a percent from 0 to {HIGHEST_ORDER_DRIFT}")
    return percent / HUNDRED


def unknown_lots(held: int) -> tuple[LotStep, ...]:
    """All shares as one step without a gain: no tax is minimised for them."""
    return (LotStep(held, ZERO, is_long_term=False),) if held else ()


def _tax_costs(weight: Decimal, lines: tuple[TaxLine, ...]) -> TaxCosts | None:
    if not weight.is_finite() or not 0 <= weight <= HIGHEST_TAX_WEIGHT:
        raise BeyondLimits(f"Tax weight: a number from 0 to {HIGHEST_TAX_WEIGHT}")
    return TaxCosts(float(weight), lines) if weight and lines else None


def _parts(name: str, target: Percent) -> int:
    """Parts of `WHOLE` that a target of 0 to 100 percent comes to."""
    parts = target * PER_POINT * PER_PERCENT if target.is_finite() else target
    if not target.is_finite() or parts % 1 or not 0 <= target <= HUNDRED:
        raise BeyondLimits(f"{name}: a percent from 0 to 100 with ten decimals at most")
    return int(parts)
