"""The rebalance worked out the slow way, to compare with: every whole-share portfolio, in fractions.

Nothing here uses the solver or the table of charges: the rates are written out again.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import ceil
from typing import NamedTuple

from tarazu.domain.rebalancing.plan import Options, PlanRow

STT = Fraction(1, 1000)
STAMP = Fraction(15, 100_000)
SEBI = Fraction(1, 1_000_000)
GST = Fraction(18, 100)
MARKET = {"NSE": Fraction(307, 10_000_000), "BSE": Fraction(375, 10_000_000)}
DEPOSITORY = {"ZERODHA": 13, "ANGEL_ONE": 20}


class Optimum(NamedTuple):
    """What is minimised, how many trades, their value, and the shares (negative, for ties)."""

    phi: Fraction
    trades: int
    turnover: Fraction
    shares: tuple[int, ...]


def brokerage_of(broker: str, worth: Fraction) -> Fraction:
    if broker == "ZERODHA":
        return Fraction(0)
    return max(min(worth / 1000, Fraction(20)), Fraction(2))


def charges_of_order(broker: str, exchange: str, change: Fraction) -> Fraction:
    """Unrounded charges of one order: bought above zero, sold below."""
    if change == 0:
        return Fraction(0)
    worth = abs(change)
    served = brokerage_of(broker, worth) + worth * (MARKET[exchange] + SEBI)
    if change > 0:
        return worth * (STT + STAMP) + served * (1 + GST)
    return worth * STT + (served + DEPOSITORY[broker]) * (1 + GST)


def charges_of_day(broker: str, orders: Sequence[tuple[str, Fraction]]) -> Fraction:
    """A day's charges: the tax rounded up to the rupee a side, each other charge to the paisa."""
    bought = sum((change for _, change in orders if change > 0), Fraction(0))
    sold = sum((-change for _, change in orders if change < 0), Fraction(0))
    fees = sum((brokerage_of(broker, abs(change)) for _, change in orders if change), Fraction(0))
    market = sum((abs(change) * MARKET[exchange] for exchange, change in orders), Fraction(0))
    depository = Fraction(DEPOSITORY[broker] * sum(1 for _, change in orders if change < 0))
    sebi = (bought + sold) * SEBI
    paid = [
        fees,
        market,
        sebi,
        bought * STAMP,
        depository,
        (fees + market + sebi + depository) * GST,
    ]
    tax = ceil(bought * STT) + ceil(sold * STT)
    return tax + sum((Fraction(ceil(charge * 100), 100) for charge in paid), Fraction(0))


def spend_of(
    rows: Sequence[PlanRow], shares: Sequence[int], broker: str, options: Options
) -> Fraction:
    """What the shares take of the budget, in rupees: value, charges and buffer."""
    changes = [
        Fraction(row.last_price or 0) * (count - row.held)
        for row, count in zip(rows, shares, strict=True)
    ]
    worth = sum(
        (Fraction(row.last_price or 0) * count for row, count in zip(rows, shares, strict=True)),
        Fraction(0),
    )
    if options.include_charges:
        orders = [(row.exchange, change) for row, change in zip(rows, changes, strict=True)]
        worth += charges_of_day(broker, orders)
    bought = sum((change for change in changes if change > 0), Fraction(0))
    return worth + Fraction(ceil(bought * Fraction(options.price_buffer) * 100), 10_000)


def means_of(
    rows: Sequence[PlanRow], investment: Decimal, cash: Decimal, options: Options
) -> Fraction:
    means = Fraction(investment)
    if not options.allow_fresh_funds:
        worth = sum((Fraction(row.last_price or 0) * row.held for row in rows), Fraction(0))
        means = min(means, worth + Fraction(cash))
    return means


def reached_of(
    rows: Sequence[PlanRow],
    investment: Decimal,
    cash: Decimal,
    cash_target: Decimal,
    options: Options,
) -> Fraction:
    """The part of every target that the funds reach; 1 with fresh funds."""
    if options.allow_fresh_funds:
        return Fraction(1)
    priced = [row for row in rows if row.last_price is not None]
    traded = [row for row in priced if row.target is not None and not row.locked]
    kept = [row for row in priced if row.target is None or row.locked]
    worth = sum((Fraction(row.last_price or 0) * row.held for row in kept), Fraction(0))
    percents = (Fraction(row.target or 0) for row in traded)
    wanted = sum(percents, Fraction(cash_target)) * Fraction(investment) / 100
    left = max(Fraction(0), means_of(rows, investment, cash, options) - worth)
    return min(Fraction(1), left / wanted) if wanted else Fraction(1)


def budget_of(
    rows: Sequence[PlanRow],
    investment: Decimal,
    cash: Decimal,
    cash_target: Decimal,
    options: Options,
) -> Fraction:
    reached = reached_of(rows, investment, cash, cash_target, options)
    reserve = reached * Fraction(cash_target) * Fraction(investment) / 100
    return means_of(rows, investment, cash, options) - reserve


def targets_of(
    rows: Sequence[PlanRow], investment: Decimal, reached: Fraction = Fraction(1)
) -> list[Fraction]:
    """Each row's target in rupees: a holding that is left as it is while funds are short, its own."""
    return [
        Fraction(row.last_price or 0) * row.held
        if row.target is None or row.last_price is None or (row.locked and reached < 1)
        else reached * Fraction(row.target) * Fraction(investment) / 100
        for row in rows
    ]


def choices_of(row: PlanRow, investment: Decimal, budget: Fraction, options: Options) -> list[int]:
    """The numbers of shares that the rules allow for a row."""
    price = Fraction(row.last_price or 1)
    if row.target is None or row.locked:
        return [row.held]
    drift = abs(100 * price * row.held / Fraction(investment) - Fraction(row.target))
    if drift < Fraction(options.band) and (row.target > 0 or row.held == 0):
        return [row.held]
    if row.target == 0:
        return [0]
    least = max(1, ceil(Fraction(options.minimum_trade) / price))
    most = int(max(budget, Fraction(0)) // price)
    bought = range(row.held + least, most + 1)
    kept = range(row.held - least + 1)
    return sorted({0, row.held, *bought, *kept})


def best_by_trying_all(
    rows: Sequence[PlanRow],
    investment: Decimal,
    cash: Decimal,
    cash_target: Decimal,
    broker: str,
    options: Options,
) -> Optimum | None:
    """The optimum over the full grid, ties by the rules; None when nothing keeps the budget."""
    budget = budget_of(rows, investment, cash, cash_target, options)
    reached = reached_of(rows, investment, cash, cash_target, options)
    targets = targets_of(rows, investment, reached)
    weight = Fraction(options.trade_penalty) * Fraction(investment)
    prices = [Fraction(row.last_price or 0) for row in rows]
    best: Optimum | None = None
    for shares in product(*(choices_of(row, investment, budget, options) for row in rows)):
        values = [price * count for price, count in zip(prices, shares, strict=True)]
        if sum(values) > budget:
            continue
        off = [value - target for value, target in zip(values, targets, strict=True)]
        phi = sum((part * part for part in off), Fraction(0)) + sum(off, Fraction(0)) ** 2
        if best is not None and phi > best.phi:
            continue
        changes = [
            price * (count - row.held)
            for price, count, row in zip(prices, shares, rows, strict=True)
        ]
        if options.include_charges:
            phi += weight * sum(
                (
                    charges_of_order(broker, row.exchange, change)
                    for row, change in zip(rows, changes, strict=True)
                ),
                Fraction(0),
            )
        turnover = sum((abs(change) for change in changes), Fraction(0))
        found = Optimum(
            phi, sum(1 for change in changes if change), turnover, tuple(-count for count in shares)
        )
        is_better = best is None or found < best
        if is_better and spend_of(rows, shares, broker, options) <= budget:
            best = found
    return best
