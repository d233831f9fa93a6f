"""One model for many clients: what each holds of it and its targets, as arrays.

A client's problem is that of `plan_rebalance`. Stocks of the model are columns; other holdings are
one figure: their value if kept, or the charges of selling them. Solved one at a time, the clients
get exactly the same shares, so that an advice can be computed again years later.

Whole numbers throughout: rupees are ten-thousandths, targets parts of the investment (`WHOLE`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tarazu.domain.charges import FINE, ChargeRates, Side, Tariff
from tarazu.domain.money import UNITS_PER_RUPEE, Percent, Rupees, to_units
from tarazu.domain.rebalancing.batch import BatchResult, PortfolioBatch, solve_batch
from tarazu.domain.rebalancing.dual import Integers
from tarazu.domain.rebalancing.plan import Options, PlanRow
from tarazu.domain.rebalancing.problem import BASIS_POINTS, WHOLE, TradeCosts
from tarazu.domain.restrictions import Restriction, bounds_of

UNBOUNDED = 2**52
"""More shares than any plan may come to."""

PER_PERCENT = WHOLE // 100


@dataclass(frozen=True, slots=True)
class ClientBook:
    """Clients of one model and one tariff; arrays of (clients, stocks) or (clients,).

    `least` and `most` bound the shares (`UNBOUNDED`: as many as can be paid for), `aside` is what
    of the investment is not to be had for the model's stocks: the cash target, what is held
    besides, the charges of selling what is to go.
    """

    prices: Integers
    held: Integers
    targets: Integers
    least: Integers
    most: Integers
    investment: Integers
    means: Integers
    aside: Integers

    @property
    def budget(self) -> Integers:
        """What may be spent on the model's stocks and their charges."""
        return self.means - self.aside


def can_be_solved_together(options: Options, exchanges: Sequence[str]) -> bool:
    """Whether the batch can solve it: it knows one exchange, and no bands or buffers."""
    is_plain = not (options.band or options.minimum_trade or options.price_buffer)
    return is_plain and set(exchanges) <= {"NSE"}


def is_fundable(book: ClientBook, trade: TradeCosts) -> NDArray[np.bool_]:
    """Which clients are sure to keep their budget by selling all that may be sold.

    Those whose funds do not reach their targets are not: the batch has one target for all, and
    theirs are met in proportion.
    """
    low = np.minimum(book.least, book.held)
    floor = low @ book.prices
    if trade.tariff is not None:
        step = trade.tariff.rates.steps(Side.SELL)[-1]
        first = trade.tariff.rates.steps(Side.SELL)[0]
        fixed = float(max(step.fixed, first.fixed)) * UNITS_PER_RUPEE
        sold = (book.held - low) @ book.prices
        slope = max(float(step.slope) for step in trade.tariff.rates.steps(Side.SELL))
        floor = floor + np.ceil(slope * sold + fixed * (book.held > low).sum(axis=1)).astype(
            np.int64
        )
        floor = floor + 3 * UNITS_PER_RUPEE
    requested = book.targets.sum(axis=1).astype(object) * book.investment.astype(object)
    short = (book.means < book.investment) & (requested > book.budget.astype(object) * WHOLE)
    fits: NDArray[np.bool_] = (floor <= book.budget) & ~short.astype(np.bool_)
    return fits


def solve_book(book: ClientBook, trade: TradeCosts) -> BatchResult:
    """Whole shares nearest the model for every client, each of whom `is_fundable`."""
    return solve_batch(
        PortfolioBatch(
            book.prices,
            book.held,
            book.targets,
            book.investment,
            book.budget,
            least=book.least,
            most=book.most,
            whole=WHOLE,
        ),
        trade,
    )


def trade_of(rates: ChargeRates, options: Options) -> TradeCosts:
    """How trades are weighed in the batch."""
    tariff = Tariff(rates) if options.include_charges else None
    return TradeCosts(tariff, penalty=float(options.trade_penalty))


def charges_of_sales(tariff: Tariff, sales: Sequence[tuple[int, str]]) -> int:
    """At most what selling these costs, in units; each is worth units on an exchange.

    Unrounded and then rounded up: what a day's rounding adds is kept back by the batch.
    """
    parts = 0
    for units, exchange in sales:
        steps = tariff.rates.steps(Side.SELL, exchange)
        step = next(
            step
            for step in reversed(steps)
            if units > step.above * UNITS_PER_RUPEE or step is steps[0]
        )
        fixed, slope = int(step.fixed * UNITS_PER_RUPEE * FINE), int(step.slope * FINE) + 1
        parts += fixed + units * slope
    return -(-parts // FINE)


class BookClient(NamedTuple):
    """One client of a book, in units; `outside` are not of the model.

    `restrictions` and `uncredited` shares, which cannot be sold yet, are by column.

    Rows outside the model are sold where they have a target (of 0), and kept otherwise.
    """

    cash: int
    cash_target: int
    outside: Sequence[PlanRow]
    restrictions: Mapping[int, Restriction]
    uncredited: Mapping[int, int]


def book_of(
    prices: Integers,
    holdings: tuple[Integers, Integers, Integers],
    clients: Sequence[BookClient],
    rates: ChargeRates,
    options: Options,
) -> ClientBook:
    """The book of these clients.

    Args:
        prices: of the model's stocks, in units.
        holdings: shares and targets, (clients, stocks), and investments in units, (clients,).
    """
    held, targets, investment = holdings
    least = np.zeros_like(held)
    most = np.where(targets == 0, 0, UNBOUNDED)
    means, aside = investment.copy(), np.zeros_like(investment)
    for row, client in enumerate(clients):
        units = int(investment[row])
        taken, worth = aside_of(client.outside, units, rates, options)
        aside[row] = taken + reserve_of(units, client.cash_target)
        if not options.allow_fresh_funds:
            means[row] = min(units, int(held[row] @ prices) + worth + client.cash)
        for column, restriction in client.restrictions.items():
            shares, target = int(held[row, column]), int(targets[row, column])
            bounds = bounds_of(restriction, shares, int(prices[column]), units, target)
            least[row, column] = bounds.least
            most[row, column] = UNBOUNDED if bounds.most is None else bounds.most
        for column, shares in client.uncredited.items():
            least[row, column] = max(least[row, column], min(shares, held[row, column]))
            most[row, column] = max(most[row, column], least[row, column])
    return ClientBook(prices, held, targets, least, most, investment, means, aside)


def book_of_one(
    rows: Sequence[PlanRow],
    columns: int,
    money: tuple[Rupees, Rupees, Percent],
    rates: ChargeRates,
    options: Options,
) -> ClientBook:
    """One client as a book, from the rows of a plan: the first `columns` are the model's stocks."""
    investment, cash, cash_target = money
    model, outside = rows[:columns], rows[columns:]
    held = np.array([[row.held for row in model]], dtype=np.int64)
    targets = [int((row.target or 0) * PER_PERCENT) for row in model]
    restrictions = {
        column: row.restriction for column, row in enumerate(model) if row.restriction is not None
    }
    uncredited = {column: row.uncredited for column, row in enumerate(model) if row.uncredited}
    reserve = int(cash_target * PER_PERCENT)
    client = BookClient(to_units(cash), reserve, outside, restrictions, uncredited)
    return book_of(
        np.array([to_units(row.last_price or Rupees(0)) for row in model], dtype=np.int64),
        (held, np.array([targets], dtype=np.int64), np.array([to_units(investment)])),
        [client],
        rates,
        options,
    )


def reserve_of(investment: int, cash_target: int) -> int:
    """Units that the cash target keeps back, rounded up."""
    return -(-cash_target * investment // WHOLE)


def aside_of(
    outside: Sequence[PlanRow], investment: int, rates: ChargeRates, options: Options
) -> tuple[int, int]:
    """What rows outside the model take of the budget, and what they are worth, in units."""
    taken, worth, sales = 0, 0, []
    for row in outside:
        price = to_units(row.last_price or Rupees(0))
        units = price * row.held
        worth += units
        remaining = row.held
        if row.target is not None:
            kept = bounds_of(row.restriction, row.held, price, investment, 0).least
            remaining = max(kept, min(row.uncredited, row.held))
        taken += remaining * price
        if remaining < row.held:
            sales.append((units - remaining * price, row.exchange))
    if sales and options.include_charges:
        taken += charges_of_sales(Tariff(rates), sales)
    return taken, worth


def scaled_targets(model: Integers, part: Integers, whole: Integers) -> Integers:
    """Parts of `WHOLE` of `whole` that the model's basis points of `part` come to, rounded down.

    Args:
        model: (stocks,), the cash target among them if it is wanted too.
        part, whole: (clients,) in units, `whole` above zero.
    """
    parts = model.astype(object) * (WHOLE // BASIS_POINTS)
    shares = np.clip(part, 0, None)[:, None].astype(object) * parts[None, :]
    scaled: Integers = (shares // whole.astype(object)[:, None]).astype(np.int64)
    return scaled
