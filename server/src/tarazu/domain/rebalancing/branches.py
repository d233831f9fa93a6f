"""The branches of a problem: for each stock selling, holding and buying, by steps of the charges."""

from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tarazu.domain.charges import ChargeStep, Side
from tarazu.domain.money import UNITS_PER_RUPEE
from tarazu.domain.rebalancing.dual import Branches, DayLimit, Floats, Integers
from tarazu.domain.rebalancing.taxes import TaxTerm

if TYPE_CHECKING:
    from tarazu.domain.rebalancing.problem import WholeShareProblem

BASIS_POINTS = 10_000


class DayMoney(NamedTuple):
    """What may pay for purchases on the day: `money` units, and so many basis points of the sales.

    Of a sale only the `usable` shares of its stock count.
    """

    money: int
    usable: int


class _Rung(NamedTuple):
    """One branch of every stock: its range of shares, and lines in y, arrays of (stocks,).

    `charge` and `slope` are the charges, `buffer` what a purchase keeps back, `order` the cost of
    an order in what is minimised; `day` and `day_slope` count against the day's money. `gains` are
    the base and the slope of the short- and of the long-term gain, arrays of (2, 2, stocks).
    """

    lowest: Floats
    highest: Floats
    charge: Floats
    slope: Floats
    buffer: float = 0.0
    order: float = 0.0
    day: Floats | float = 0.0
    day_slope: Floats | float = 0.0
    gains: Floats | None = None


class BranchTable:
    """Works out the branches of a problem where trading costs something or must be worth it."""

    def __init__(self, problem: "WholeShareProblem") -> None:
        stocks = problem.stocks
        self.problem = problem
        self.trade = problem.trade
        self.scale = UNITS_PER_RUPEE / problem.investment
        self.exchanges = [stock.exchange for stock in stocks]
        self.held = np.array([stock.held for stock in stocks])
        price = np.array([stock.price for stock in stocks])
        self.share = price / problem.investment
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
        self.usable = np.array([stock.usable_shares for stock in stocks])
        self.rungs = [self._hold(), *self._sales(), *self._purchases()]

    def branches(self) -> Branches:
        """HOLD, then each step of a sale's charges, then each step of a purchase's."""
        shift, penalty = self.target - self.value, self.trade.penalty
        rows = [
            (
                rung.lowest,
                rung.highest,
                rung.charge + rung.buffer * shift,
                rung.slope + rung.buffer,
                penalty * rung.charge + rung.order,
                penalty * rung.slope,
            )
            for rung in self.rungs
        ]
        return Branches(*(np.array(column) for column in zip(*rows, strict=True)))

    def day_limit(self) -> DayLimit | None:
        """What each branch takes of the day's money; None where that is no limit."""
        if self.problem.day is None:
            return None
        none = np.zeros(self.held.size)
        return DayLimit(
            self.problem.day.money / self.problem.investment,
            np.array([none + rung.day for rung in self.rungs]),
            np.array([none + rung.day_slope for rung in self.rungs]),
        )

    def tax_term(self) -> TaxTerm | None:
        """The tax of sales by branch; None where it is not minimised."""
        tax = self.trade.tax
        if tax is None:
            return None
        none = np.zeros((2, 2, self.held.size))
        gains = np.array([none if rung.gains is None else rung.gains for rung in self.rungs])
        lines = [(0.0, 0.0, 0.0)]
        for line in tax.lines:
            base = float(line.base) * self.scale
            lines.append((float(line.short), float(line.long), base))
        base, slope = gains.transpose(1, 2, 0, 3)
        return TaxTerm(tax.weight, np.array(lines), base.copy(), slope.copy())

    def _hold(self) -> _Rung:
        none = np.zeros(self.held.size)
        return _Rung(self.least_hold, self.held.astype(np.float64), none, none)

    def _purchases(self) -> list[_Rung]:
        shift, buffer = self.target - self.value, self.trade.buffer / BASIS_POINTS
        rungs = []
        for step in range(len(self._ladders(Side.BUY)[0])):
            charge, slope = self._charges(Side.BUY, step, shift)
            fewest, most = self._range(Side.BUY, step)
            rungs.append(
                _Rung(
                    (self.held + fewest).astype(np.float64),
                    (self.held + most).astype(np.float64),
                    charge,
                    slope,
                    buffer,
                    self.trade.order,
                    charge + (1.0 + buffer) * shift,
                    slope + 1.0 + buffer,
                )
            )
        return rungs

    def _sales(self) -> list[_Rung]:
        """Each step once, or twice where not all that is sold pays for purchases of the day."""
        shift = self.target - self.value
        day = self.problem.day
        part = day.usable / BASIS_POINTS if day else 0.0
        rungs = []
        for step in range(len(self._ladders(Side.SELL)[0])):
            charge, slope = self._charges(Side.SELL, step, shift)
            fewest, most = self._range(Side.SELL, step)
            usable = most if day is None else np.minimum(most, self.usable)
            sale = self._sale(fewest, usable, (charge, slope))
            rungs += self._lots(sale._replace(day=part * shift, day_slope=part))
            if day is not None and (most > usable).any():
                beyond = self._sale(np.maximum(fewest, self.usable + 1), most, (charge, slope))
                rungs += self._lots(beyond._replace(day=-part * self.share * self.usable))
        return rungs

    def _lots(self, sale: _Rung) -> list[_Rung]:
        """A branch of sales, once for each lot that its shares may be of."""
        if self.trade.tax is None:
            return [sale]
        rungs = []
        for number in range(max(len(stock.lots) for stock in self.problem.stocks)):
            first, last, gains = self._lot(number)
            lowest = np.maximum(sale.lowest, self.held - last)
            highest = np.minimum(sale.highest, self.held - first)
            if (lowest <= highest).any():
                rungs.append(sale._replace(lowest=lowest, highest=highest, gains=gains))
        return rungs

    def _lot(self, number: int) -> tuple[Floats, Floats, Floats]:
        """Of each stock's lot with this number: its first and last share, and the gains up to one.

        A stock that has no such lot has an empty range.
        """
        size = self.held.size
        first, last, gains = np.full(size, inf), np.zeros(size), np.zeros((2, 2, size))
        shift = self.target - self.value
        for place, stock in enumerate(self.problem.stocks):
            if number >= len(stock.lots):
                continue
            lot, earlier = stock.lots[number], stock.lots[:number]
            before = sum(step.shares for step in earlier)
            first[place], last[place] = before + 1, before + lot.shares
            for term in (0, 1):
                brought = sum(
                    float(step.gain) * step.shares for step in earlier if step.is_long_term == term
                )
                own = float(lot.gain) if lot.is_long_term == term else 0.0
                rate = own * UNITS_PER_RUPEE / stock.price
                base = (brought - own * before) * self.scale - rate * shift[place]
                gains[:, term, place] = base, -rate
        return first, last, gains

    def _sale(self, fewest: Integers, most: Integers, lines: tuple[Floats, Floats]) -> _Rung:
        lowest, highest = (self.held - most), (self.held - fewest)
        return _Rung(
            lowest.astype(np.float64), highest.astype(np.float64), *lines, order=self.trade.order
        )

    def _charges(self, side: Side, step: int, shift: Floats) -> tuple[Floats, Floats]:
        """Charges at y = 0, and their slope in y, on one step of a side."""
        ladder = [rungs[step] for rungs in self._ladders(side)]
        sign = 1.0 if side is Side.BUY else -1.0
        fixed = np.array([float(rung.fixed) for rung in ladder]) * self.scale
        slope = np.array([float(rung.slope) for rung in ladder]) * sign
        return fixed + slope * shift, slope

    def _ladders(self, side: Side) -> list[tuple[ChargeStep, ...]]:
        """The steps of each stock's charges."""
        if self.trade.tariff is None:
            return [(ChargeStep(Decimal(0), Decimal(0), Decimal(0)),)] * len(self.exchanges)
        rates = self.trade.tariff.rates
        ladders = {exchange: rates.steps(side, exchange) for exchange in set(self.exchanges)}
        return [ladders[exchange] for exchange in self.exchanges]

    def _range(self, side: Side, step: int) -> tuple[Integers, Integers]:
        """Whole shares of a trade whose value is on this step: fewest and most."""
        ladder = self._ladders(side)[0]
        above = int(ladder[step].above * UNITS_PER_RUPEE) // self.price + 1 if step else 1
        least = self.least_buy if side is Side.BUY else self.least_sale
        most = self.most_buy if side is Side.BUY else self.most_sale
        fewest = np.maximum(least, above)
        if step + 1 < len(ladder):
            most = np.minimum(most, int(ladder[step + 1].above * UNITS_PER_RUPEE) // self.price)
        return fewest, most
