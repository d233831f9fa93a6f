"""A rebalance in whole numbers: what it may spend, and the question the search answers.

Rupees are whole ten-thousandths, shares whole, targets `parts`: ten-thousandths of those units, so
that a target of whole basis points of the investment is a whole number. The doubles given to the
search are made from these and never read back: only whole shares come back, and this module
decides whether they keep the budget.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import NamedTuple

import numpy as np

from tarazu.domain.charges import EXCHANGES, Order, Side, Step, Tariff
from tarazu.domain.money import UNITS_PER_RUPEE
from tarazu.domain.rebalancing.dual import Branches, Floats, SearchProblem

BASIS_POINTS = 10_000
WHOLE = 10**12
"""Targets are counted in so many parts of the investment: percents with ten decimals.

A share of a share, such as what a model is of the money that follows it, is no whole hundredth of
a percent; rounded to one, up to a fifth of a percent of the money would lie idle.
"""
EXACT_SLACK = 1e-12
# What rounding up may add to a day's charges: two rupees of tax, seven times a paisa.
ROUNDED_UP = 2 * UNITS_PER_RUPEE + 7 * UNITS_PER_RUPEE // 100


class Freedom(Enum):
    """What may be done with a stock: anything, nothing, or only selling all of it."""

    FREE = "free"
    FIXED = "fixed"
    EXIT = "exit"


class ProblemStock(NamedTuple):
    """One stock: `price` in units, `held` shares, `target` in parts.

    Shares stay from `least` to `most` (None: as many as can be paid for); of a stock to be left
    all are sold down to `least`.
    """

    price: int
    held: int
    target: int
    exchange: str = "NSE"
    freedom: Freedom = Freedom.FREE
    least: int = 0
    most: int | None = None

    @property
    def is_fixed(self) -> bool:
        return self.freedom is Freedom.FIXED

    @property
    def is_exit(self) -> bool:
        return self.freedom is Freedom.EXIT

    @property
    def fewest(self) -> int:
        """The fewest shares it may come to."""
        return self.held if self.is_fixed else self.least

    @property
    def must_shrink(self) -> bool:
        """Whether shares have to be sold, whatever that costs."""
        return not self.is_fixed and self.held > self.highest(self.held)

    def highest(self, affordable: int) -> int:
        """The most shares it may come to, of so many that can be paid for."""
        if self.is_fixed:
            return self.held
        if self.is_exit:
            return self.least
        return affordable if self.most is None else min(affordable, self.most)


class TradeCosts(NamedTuple):
    """What trading costs, and which trades are made: at least `least` units each, priced with a `buffer` on each buy.

    `penalty` weighs the charges in what is minimised; `buffer` is basis points of a buy's value.
    No tariff: trading is free of charges.
    """

    tariff: Tariff | None = None
    least: int = 0
    penalty: float = 0.0
    buffer: int = 0

    @property
    def is_free(self) -> bool:
        return self.tariff is None and self.least == 0 and self.buffer == 0


@dataclass(frozen=True, slots=True)
class WholeShareProblem:
    """Stocks to be brought near their targets with `budget` units, charges included.

    `investment` is V in units. `budget` is not below what `fewest()` spends.
    """

    stocks: Sequence[ProblemStock]
    investment: int
    budget: int
    trade: TradeCosts

    def orders_for(self, shares: Sequence[int]) -> list[Order]:
        """The orders that take the holdings to `shares`, in input order."""
        orders = []
        for stock, count in zip(self.stocks, shares, strict=True):
            change = count - stock.held
            if change > 0:
                orders.append(Order(Side.BUY, change * stock.price, stock.exchange))
            elif change < 0:
                orders.append(Order(Side.SELL, -change * stock.price, stock.exchange))
        return orders

    def spend_of(self, shares: Sequence[int]) -> int:
        """Units of the budget that `shares` take: their value, the charges and the buffer."""
        worth = sum(stock.price * count for stock, count in zip(self.stocks, shares, strict=True))
        if self.trade.is_free:
            return worth
        orders = self.orders_for(shares)
        if self.trade.tariff is not None:
            worth += sum(self.trade.tariff.units(orders))
        bought = sum(order.units for order in orders if order.side is Side.BUY)
        return worth - (-bought * self.trade.buffer // BASIS_POINTS)

    def fewest(self) -> list[int]:
        """The shares that tie up least: all sold but the fixed, and what costs more to sell."""
        dear = {exchange: self._sold_for_nothing(exchange) for exchange in EXCHANGES}
        return [
            stock.held
            if stock.is_fixed
            or (
                not stock.must_shrink
                and stock.price * (stock.held - stock.least) <= dear[stock.exchange]
            )
            else stock.least
            for stock in self.stocks
        ]

    def _sold_for_nothing(self, exchange: str) -> int:
        """Units up to which the charges of a sale eat up all that it brings."""
        if self.trade.tariff is None:
            return -1
        steps = self.trade.tariff.rates.steps(Side.SELL, exchange)
        ends = [*(step.above for step in steps[1:]), Decimal("Infinity")]
        eaten = (
            step.fixed / (1 - step.slope)
            for step, end in zip(steps, ends, strict=True)
            if step.fixed <= end * (1 - step.slope)
        )
        return int(next(eaten) * UNITS_PER_RUPEE)

    def question(self) -> SearchProblem:
        """The question in shares of V, for the search."""
        whole = self.investment * BASIS_POINTS
        room = self.budget * BASIS_POINTS - sum(stock.target for stock in self.stocks)
        rounding = 0 if self.trade.is_free else ROUNDED_UP
        return SearchProblem(
            price=np.array([stock.price / self.investment for stock in self.stocks]),
            target=np.array([stock.target / whole for stock in self.stocks]),
            cap=room / whole,
            branches=self._free_branches() if self.trade.is_free else self._branches(),
            is_free=self.trade.is_free,
            slack=rounding / self.investment + EXACT_SLACK,
            fits=self._fits,
            rank=self._rank,
            fallback=np.array(self.fewest(), dtype=np.float64),
        )

    def _fits(self, shares: Floats) -> bool:
        return self.spend_of(shares.astype(np.int64).tolist()) <= self.budget

    def _rank(self, shares: Floats) -> tuple[int, ...]:
        """Fewest trades, then least turnover, then more shares of the stock that comes first."""
        counts = shares.astype(np.int64).tolist()
        orders = self.orders_for(counts)
        return (len(orders), sum(order.units for order in orders), *(-count for count in counts))

    def _free_branches(self) -> Branches:
        lowest = [stock.fewest for stock in self.stocks]
        highest = [
            max(stock.fewest, stock.highest(self.budget // stock.price)) for stock in self.stocks
        ]
        none = np.zeros((1, len(self.stocks)))
        return Branches(
            np.array([lowest], dtype=np.float64),
            np.array([highest], dtype=np.float64),
            none,
            none,
            none,
            none,
        )

    def _branches(self) -> Branches:
        """HOLD, then each step of a sale's charges, then each step of a purchase's."""
        return BranchTable(self).branches()


class BranchTable:
    """Works out the branches of a problem where trading costs something or must be worth it."""

    def __init__(self, problem: WholeShareProblem) -> None:
        stocks = problem.stocks
        self.trade = problem.trade
        self.scale = UNITS_PER_RUPEE / problem.investment
        self.exchanges = [stock.exchange for stock in stocks]
        self.held = np.array([stock.held for stock in stocks])
        price = np.array([stock.price for stock in stocks])
        self.value = price * self.held / problem.investment
        self.target = np.array([stock.target / BASIS_POINTS for stock in stocks])
        self.target /= problem.investment
        self.price = price
        least = np.maximum(1, -(-self.trade.least // price))
        shrinks = np.array([stock.must_shrink for stock in stocks])
        self.least_hold = np.where(shrinks, self.held + 1, self.held).astype(np.float64)
        self.most_sale = self.held - np.array([stock.fewest for stock in stocks])
        # A sale that has to be is made however small it is.
        forced = self.held - np.array([stock.highest(stock.held) for stock in stocks])
        smallest = np.where(shrinks, forced, np.minimum(least, self.most_sale))
        self.least_sale = np.maximum(1, smallest)
        self.least_buy = least
        reach = [stock.highest(problem.budget // stock.price) for stock in stocks]
        self.most_buy = np.maximum(np.array(reach) - self.held, 0)

    def branches(self) -> Branches:
        none = np.zeros(self.held.size)
        held = self.held.astype(np.float64)
        rows: list[tuple[Floats, ...]] = [(self.least_hold, held, none, none, none, none)]
        rows += self._side(Side.SELL)
        rows += self._side(Side.BUY)
        return Branches(*(np.array(column) for column in zip(*rows, strict=True)))

    def _side(self, side: Side) -> list[tuple[Floats, ...]]:
        ladders = {exchange: self._steps(side, exchange) for exchange in set(self.exchanges)}
        steps = len(next(iter(ladders.values())))
        buffer = self.trade.buffer / BASIS_POINTS if side is Side.BUY else 0.0
        penalty = self.trade.penalty
        sign = 1.0 if side is Side.BUY else -1.0
        rows: list[tuple[Floats, ...]] = []
        for step in range(steps):
            ladder = [ladders[exchange][step] for exchange in self.exchanges]
            fixed = np.array([float(rung.fixed) for rung in ladder]) * self.scale
            slope = np.array([float(rung.slope) for rung in ladder]) * sign
            shift = self.target - self.value
            lowest, highest = self._range(side, ladders, step)
            base = fixed + slope * shift
            rows.append(
                (
                    lowest,
                    highest,
                    base + buffer * shift,
                    slope + buffer,
                    penalty * base,
                    penalty * slope,
                )
            )
        return rows

    def _steps(self, side: Side, exchange: str) -> tuple[Step, ...]:
        if self.trade.tariff is None:
            return (Step(Decimal(0), Decimal(0), Decimal(0)),)
        return self.trade.tariff.rates.steps(side, exchange)

    def _range(
        self, side: Side, ladders: dict[str, tuple[Step, ...]], step: int
    ) -> tuple[Floats, Floats]:
        """Whole shares held after a trade whose value is on this step: lowest and highest."""
        ladder = next(iter(ladders.values()))
        above = int(ladder[step].above * UNITS_PER_RUPEE) // self.price + 1 if step else 1
        least = self.least_buy if side is Side.BUY else self.least_sale
        most = self.most_buy if side is Side.BUY else self.most_sale
        fewest = np.maximum(least, above)
        if step + 1 < len(ladder):
            most = np.minimum(most, int(ladder[step + 1].above * UNITS_PER_RUPEE) // self.price)
        if side is Side.BUY:
            return (self.held + fewest).astype(np.float64), (self.held + most).astype(np.float64)
        return (self.held - most).astype(np.float64), (self.held - fewest).astype(np.float64)
