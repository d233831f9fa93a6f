"""Modes and limits worked out the slow way: every whole-share portfolio that they allow.

Nothing here uses the solver. Charges, budgets and targets are those of `oracle`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import ceil, floor
from random import Random
from typing import NamedTuple

from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.plan import Options, PlanRow
from tests.domain.rebalancing.oracle import (
    budget_of,
    charges_of_day,
    charges_of_order,
    choices_of,
    reached_of,
    spend_of,
    targets_of,
)

CENT = Decimal("0.01")
BROKER = "ZERODHA"
Shares = tuple[int, ...]


class Asked(NamedTuple):
    """A small rebalance; `money` is the investment, the cash and the cash target."""

    rows: list[PlanRow]
    money: tuple[Decimal, Decimal, Decimal]
    options: Options

    @property
    def prices(self) -> list[Fraction]:
        return [Fraction(row.last_price or 0) for row in self.rows]

    @property
    def worth(self) -> Fraction:
        pairs = zip(self.prices, self.rows, strict=True)
        return sum((price * row.held for price, row in pairs), Fraction(0))


def problem_of(random: Random, options: Options, count: int = 3) -> Asked:
    """Up to some dozen shares of each stock, some pledged, not delivered or not credited yet."""
    investment = Decimal(random.choice((5000, 20_000, 90_000)))
    cash_target = random.choice((0, 0, 1000))
    cuts = sorted(random.randint(0, 10_000 - cash_target) for _ in range(count - 1))
    parts = [
        high - low for low, high in zip([0, *cuts], [*cuts, 10_000 - cash_target], strict=True)
    ]
    rows = []
    for number, part in enumerate(parts):
        price = (investment / Decimal(random.randint(300, 1100)) * 100).quantize(CENT)
        held = random.randint(0, 9)
        target = random.choice((None, Decimal(0), *[Decimal(part) / 100] * 6))
        pledged = random.randint(0, held) if random.random() < 0.5 else 0
        late = random.randint(0, held - pledged) if random.random() < 0.7 else 0
        waiting = (held - pledged - late) * (part % 3) // 2
        is_locked = random.random() < 0.05
        row = PlanRow(f"S{number}", price, held, target, is_locked)
        rows.append(replace(row, pledged=pledged, undelivered=late, uncredited=waiting))
    cash = Decimal(random.randint(0, int(investment) // 3))
    return Asked(rows, (investment, cash, Decimal(cash_target) / 100), options)


def unsellable(row: PlanRow, options: Options) -> int:
    """Shares that stay whatever is sold."""
    return row.uncredited + (0 if options.sells_pledged else row.pledged)


def choices(asked: Asked, number: int) -> list[int]:
    """The numbers of shares that the mode, the restriction to free shares and the rules allow."""
    row, options = asked.rows[number], asked.options
    investment = asked.money[0]
    if row.target is None or row.locked:
        return [row.held]
    if options.mode is Mode.EXITS_ONLY:
        return [0 if row.target == 0 else row.held]
    least = unsellable(row, options)
    budget = budget_of(asked.rows, *asked.money, options)
    allowed = set(choices_of(row, investment, budget, options))
    if options.mode is Mode.RAISE_CASH:
        trade = max(1, ceil(Fraction(options.minimum_trade) / Fraction(row.last_price or 1)))
        allowed = {least, row.held, *range(row.held - trade + 1)}
    if options.mode is Mode.NEW_MONEY:
        allowed = {count for count in allowed if count >= row.held} | {row.held}
    if options.mode is Mode.NEW_MONEY and row.target == 0:
        allowed = {row.held}
    return sorted({max(count, least) for count in allowed})


def aims_and_budget(asked: Asked) -> tuple[list[Fraction], Fraction]:
    """What each row is brought near, in rupees, and what may be spent."""
    rows, options = asked.rows, asked.options
    if options.mode is Mode.RAISE_CASH:
        return ideal_sale(asked), asked.worth - Fraction(options.raised)
    reached = reached_of(rows, *asked.money, options)
    budget = budget_of(rows, *asked.money, options)
    return targets_of(rows, asked.money[0], reached), budget


def ideal_sale(asked: Asked) -> list[Fraction]:
    """Each row's value after selling parts of shares: those furthest above target down to a level."""
    values = [price * row.held for price, row in zip(asked.prices, asked.rows, strict=True)]
    sold = [
        number for number, row in enumerate(asked.rows) if row.target is not None and not row.locked
    ]
    left = sum((values[number] for number in sold), Fraction(0)) - Fraction(asked.options.raised)
    whole = {
        number: Fraction(asked.rows[number].target or 0) * Fraction(asked.money[0]) / 100
        for number in sold
    }
    wanted = sum(whole.values(), Fraction(0))
    part = min(Fraction(1), max(Fraction(0), left) / wanted) if wanted else Fraction(1)
    least = {
        number: asked.prices[number] * unsellable(asked.rows[number], asked.options)
        for number in sold
    }

    def at(level: Fraction) -> dict[int, Fraction]:
        return {
            number: min(values[number], max(part * whole[number] + level, least[number]))
            for number in sold
        }

    low, high = -sum(values) - wanted, sum(values) + wanted
    for _ in range(90):
        level = (low + high) / 2
        low, high = (level, high) if sum(at(level).values()) <= left else (low, level)
    after = at(low)
    return [after.get(number, values[number]) for number in range(len(asked.rows))]


def phi_of(asked: Asked, shares: Sequence[int], *, counts_orders: bool = True) -> Fraction:
    """What is minimised, in rupees squared."""
    aims, _ = aims_and_budget(asked)
    off = [
        price * count - aim for price, count, aim in zip(asked.prices, shares, aims, strict=True)
    ]
    phi = sum((part * part for part in off), Fraction(0)) + sum(off, Fraction(0)) ** 2
    changes = changes_of(asked, shares)
    investment, options = Fraction(asked.money[0]), asked.options
    if options.include_charges:
        charges = sum((charges_of_order(BROKER, "NSE", change) for change in changes), Fraction(0))
        phi += Fraction(options.trade_penalty) * investment * charges
    if counts_orders:
        worth = Fraction(options.order_drift) * investment / 100
        phi += worth**2 * sum(1 for change in changes if change)
    return phi


def changes_of(asked: Asked, shares: Sequence[int]) -> list[Fraction]:
    return [
        price * (count - row.held)
        for price, count, row in zip(asked.prices, shares, asked.rows, strict=True)
    ]


def _free(row: PlanRow) -> int:
    return row.held - row.pledged - row.undelivered - row.uncredited


def can_pay_today(asked: Asked, shares: Sequence[int]) -> bool:
    """Whether cash, fresh funds and the usable part of the sales pay for the purchases."""
    options = asked.options
    if options.usable_proceeds is None:
        return True
    investment, cash = Fraction(asked.money[0]), Fraction(asked.money[1])
    fresh = max(Fraction(0), investment - asked.worth - cash) if options.allow_fresh_funds else 0
    buys = [change for change in changes_of(asked, shares) if change > 0]
    paid = sum(buys, Fraction(0))
    paid += Fraction(ceil(paid * Fraction(options.price_buffer) * 100), 10_000)
    if options.include_charges:
        paid += charges_of_day(BROKER, [("NSE", change) for change in buys])
    sold = sum(
        (
            price * min(max(0, row.held - count), _free(row))
            for price, row, count in zip(asked.prices, asked.rows, shares, strict=True)
        ),
        Fraction(0),
    )
    usable = Fraction(floor(sold * Fraction(options.usable_proceeds) * 100), 10_000)
    return paid <= max(Fraction(0), cash + fresh) + usable


def every_portfolio(asked: Asked) -> list[Shares]:
    """All that keep the budget and the day's limit."""
    _, budget = aims_and_budget(asked)
    return [
        shares
        for shares in product(*(choices(asked, number) for number in range(len(asked.rows))))
        if spend_of(asked.rows, shares, BROKER, asked.options) <= budget
        and can_pay_today(asked, shares)
    ]


def ranked(asked: Asked) -> Callable[[Shares], tuple[object, ...]]:
    """The order of portfolios: least Phi, fewest trades, least turnover, more of the first row."""

    def key(shares: Shares) -> tuple[object, ...]:
        changes = changes_of(asked, shares)
        trades = sum(1 for change in changes if change)
        turnover = sum(map(abs, changes))
        return phi_of(asked, shares), trades, turnover, tuple(-count for count in shares)

    return key
