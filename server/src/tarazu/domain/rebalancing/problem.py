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

from tarazu.domain.charges import EXCHANGES, Order, Side, Tariff
from tarazu.domain.money import UNITS_PER_RUPEE
from tarazu.domain.rebalancing.branches import BranchTable, DayMoney
from tarazu.domain.rebalancing.dual import Branches, Floats, SearchProblem
from tarazu.domain.tax.added import LotStep, TaxLine

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
    all are sold down to `least`. The sale of the first `usable` shares (None: of all) pays for
    purchases of the same day. Sales go through `lots`, where their tax is minimised.
    """

    price: int
    held: int
    target: int
    exchange: str = "NSE"
    freedom: Freedom = Freedom.FREE
    least: int = 0
    most: int | None = None
    usable: int | None = None
    lots: tuple[LotStep, ...] = ()

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
    def usable_shares(self) -> int:
        return self.held if self.usable is None else self.usable

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


class TaxCosts(NamedTuple):
    """The tax of sales in what is minimised: `weight` times the largest of the lines, over V."""

    weight: float
    lines: tuple[TaxLine, ...]


class TradeCosts(NamedTuple):
    """What trading costs, and which trades are made: at least `least` units each, priced with a `buffer` on each buy.

    `penalty` weighs the charges in what is minimised; `buffer` is basis points of a buy's value.
    No tariff: trading is free of charges. `order` is added to what is minimised for each order, as
    a share of V^2. `tax` is None where the tax of sales is not minimised.
    """

    tariff: Tariff | None = None
    least: int = 0
    penalty: float = 0.0
    buffer: int = 0
    order: float = 0.0
    tax: TaxCosts | None = None

    @property
    def is_free(self) -> bool:
        none = not (self.least or self.buffer or self.order)
        return self.tariff is None and self.tax is None and none


@dataclass(frozen=True, slots=True)
class WholeShareProblem:
    """Stocks to be brought near their targets with `budget` units, charges included.

    `investment` is V in units. `budget` is not below what `fewest()` spends. `day` limits what is
    bought on one day (None: it does not).
    """

    stocks: Sequence[ProblemStock]
    investment: int
    budget: int
    trade: TradeCosts
    day: DayMoney | None = None

    @property
    def is_free(self) -> bool:
        return self.trade.is_free and self.day is None

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

    def keeps_day(self, shares: Sequence[int]) -> bool:
        """Whether the purchases, with their charges, can be paid on the day itself."""
        if self.day is None:
            return True
        pairs = list(zip(self.stocks, shares, strict=True))
        buys = [order for order in self.orders_for(shares) if order.side is Side.BUY]
        bought = sum(order.units for order in buys)
        paid = bought - (-bought * self.trade.buffer // BASIS_POINTS)
        if self.trade.tariff is not None:
            paid += sum(self.trade.tariff.units(buys))
        sold = sum(
            stock.price * min(max(0, stock.held - count), stock.usable_shares)
            for stock, count in pairs
        )
        return paid <= self.day.money + sold * self.day.usable // BASIS_POINTS

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
        rounding = 0 if self.is_free else ROUNDED_UP
        table = None if self.is_free else BranchTable(self)
        return SearchProblem(
            price=np.array([stock.price / self.investment for stock in self.stocks]),
            target=np.array([stock.target / whole for stock in self.stocks]),
            cap=room / whole,
            branches=table.branches() if table else self._free_branches(),
            is_free=table is None,
            slack=rounding / self.investment + EXACT_SLACK,
            fits=self._fits,
            rank=self._rank,
            fallback=np.array(self.fewest(), dtype=np.float64),
            day=table.day_limit() if table else None,
            order=self.trade.order,
            tax=table.tax_term() if table else None,
        )

    def _fits(self, shares: Floats) -> bool:
        counts = shares.astype(np.int64).tolist()
        return self.spend_of(counts) <= self.budget and self.keeps_day(counts)

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
