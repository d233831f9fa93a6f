"""Small rebalances with tax lots, and their best plan by trying every portfolio, in fractions.

Nothing here uses the solver or the lines of the tax: the tax is that of a year with the sales less
that of a year without them.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from random import Random
from typing import NamedTuple

from tarazu.domain.charges import ChargeRates, rates_for
from tarazu.domain.rebalancing.plan import Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tarazu.domain.tax.added import LotStep, TaxLine, added_tax_lines
from tarazu.domain.tax.rates import SurchargeClass, rates_on
from tarazu.domain.tax.set_off import YearGains, tax_of_year
from tests.domain.rebalancing.oracle import (
    budget_of,
    charges_of_order,
    reached_of,
    spend_of,
    targets_of,
)

TODAY = dt.date(2026, 11, 20)
RATES = rates_on(TODAY)
CENT = Decimal("0.01")


class TaxCase(NamedTuple):
    """A rebalance: its rows with lots, its money, the gains of the year before it, its broker."""

    rows: list[PlanRow]
    investment: Decimal
    cash_target: Decimal
    before: YearGains
    income: SurchargeClass | None
    broker: str
    options: Options

    @property
    def lines(self) -> tuple[TaxLine, ...]:
        lines = added_tax_lines(self.before, RATES, self.income)
        assert lines is not None
        return lines

    @property
    def rates(self) -> ChargeRates:
        return rates_for(self.broker, TODAY)

    def plan(self, weight: Decimal) -> Plan:
        options = replace(self.options, tax_weight=weight)
        money = self.investment, Decimal(0), self.cash_target
        return plan_rebalance(self.rows, *money, self.rates, options, self.lines)

    def tax(self, shares: Sequence[int]) -> Fraction:
        """What the sales add to the tax of the year; 0 where they save tax."""
        now = [[Fraction(0), Fraction(0)], [Fraction(0), Fraction(0)]]
        for row, count in zip(self.rows, shares, strict=True):
            left = row.held - count
            for lot in row.lots or ():
                part = min(max(left, 0), lot.shares)
                gain = part * Fraction(lot.gain)
                now[lot.is_long_term][gain < 0] += abs(gain)
                left -= part
        both = YearGains(
            self.before.short_gain + now[0][0],
            self.before.short_loss + now[0][1],
            self.before.long_gain + now[1][0],
            self.before.long_loss + now[1][1],
        )
        taxes = [tax_of_year(gains, RATES, self.income).better.tax for gains in (both, self.before)]
        return max(Fraction(0), taxes[0] - taxes[1])

    def cost(self, shares: Sequence[int], weight: Decimal) -> Fraction:
        """What is minimised, as a share of V^2."""
        v = Fraction(self.investment)
        reached = reached_of(self.rows, self.investment, Decimal(0), self.cash_target, self.options)
        targets = targets_of(self.rows, self.investment, reached)
        prices = [Fraction(row.last_price or 0) for row in self.rows]
        off = [p * count - t for p, count, t in zip(prices, shares, targets, strict=True)]
        phi = sum((part * part for part in off), Fraction(0)) + sum(off, Fraction(0)) ** 2
        if self.options.include_charges:
            charges = sum(
                (
                    charges_of_order(self.broker, row.exchange, price * (count - row.held))
                    for row, price, count in zip(self.rows, prices, shares, strict=True)
                ),
                Fraction(0),
            )
            phi += Fraction(self.options.trade_penalty) * v * charges
        return (phi + Fraction(weight) * v * self.tax(shares)) / v**2

    def fits(self, shares: Sequence[int]) -> bool:
        money = self.investment, Decimal(0), self.cash_target
        budget = budget_of(self.rows, *money, self.options)
        return spend_of(self.rows, shares, self.broker, self.options) <= budget

    def everything(self) -> list[tuple[int, ...]]:
        """Every portfolio that the budget allows."""
        most = [
            0 if row.target == 0 else int(self.investment // (row.last_price or 1))
            for row in self.rows
        ]
        choices = [
            range(max(top, 0 if row.target else self._most_kept(row)) + 1)
            for row, top in zip(self.rows, most, strict=True)
        ]
        return [shares for shares in product(*choices) if self.fits(shares)]

    @staticmethod
    def _most_kept(row: PlanRow) -> int:
        return row.held if any(lot.gain > 0 for lot in row.lots or ()) else 0


def lots_of(random: Random, held: int, price: Decimal, most: int) -> tuple[LotStep, ...]:
    """Up to so many lots that come to the shares held; old ones first."""
    count = min(held, random.randint(1, most))
    if not count:
        return ()
    cuts = [0, *sorted(random.sample(range(1, held), count - 1)), held]
    longs = sorted((random.random() < 0.6 for _ in range(count)), reverse=True)
    return tuple(
        LotStep(
            last - first,
            (price * Decimal(random.randint(-40, 70)) / 100).quantize(CENT),
            is_long,
        )
        for first, last, is_long in zip(cuts, cuts[1:], longs, strict=False)
    )


def before_of(random: Random, scale: Decimal) -> YearGains:
    """The gains of a year near the exemption, or far from it."""
    near = 125_000 - int(scale) * random.randint(0, 30) // 100
    return YearGains(
        Fraction(random.choice((0, 0, int(scale) // 10))),
        Fraction(random.choice((0, 0, int(scale) // 20))),
        Fraction(random.choice((0, near, near, 200_000))),
        Fraction(random.choice((0, 0, int(scale) // 20))),
    )


def small_case(seed: int) -> TaxCase:
    """One to three stocks with up to three lots each, few enough to try every portfolio."""
    random = Random(seed)
    investment = Decimal(random.choice((10_000, 30_000, 90_000)))
    cash_target = random.choice((0, 0, 500, 2000))
    size = random.choice((1, 2, 3, 3, 3))
    cuts = sorted(random.randint(0, 10_000 - cash_target) for _ in range(size))
    rows = []
    for number, (first, last) in enumerate(zip([0, *cuts], cuts, strict=False)):
        price = (investment / Decimal(random.randint(90, 1400)) * 100).quantize(CENT)
        held = random.randint(0, int(investment / price) + 1)
        target = Decimal(0) if random.random() < 0.1 else Decimal(last - first) / 100
        row = PlanRow(f"S{number}", price, held, target)
        rows.append(replace(row, lots=lots_of(random, held, price, 3)))
    options = Options(
        trade_penalty=Decimal(random.choice(("0", "0.01"))),
        include_charges=random.random() < 0.6,
    )
    return TaxCase(
        rows,
        investment,
        Decimal(cash_target) / 100,
        before_of(random, investment),
        random.choice((None, *SurchargeClass)),
        random.choice(("ZERODHA", "ANGEL_ONE")),
        options,
    )
