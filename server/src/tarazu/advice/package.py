"""A computed rebalance with all that it was computed from, and its form in the database.

It is what a send is checked against, and what stands behind an advice years later: the request,
the options, the holdings and prices as they were read, the charges in force, the rows as shown.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version

from pydantic import TypeAdapter

from tarazu.domain.charges import ChargeRates, Charges, Side
from tarazu.domain.money import ZERO, Percent, Rupees, rounded
from tarazu.domain.rebalancing.book import book_of_one, solve_book, trade_of
from tarazu.domain.rebalancing.plan import RULES, Leg, Options, Plan, PlanRow, Summary
from tarazu.domain.rebalancing.planner import plan_as_given, plan_of_shares, plan_rebalance
from tarazu.domain.restrictions import Restriction

PRODUCT = "DELIVERY"
"""How all advice is traded: shares that are delivered."""

ENGINE = f"tarazu {version('tarazu')}, rules {RULES}"
"""What computes a rebalance: the product, and the version of its rules (`domain/rebalancing`)."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What a row names: one instrument, as our own list knows it."""

    symbol: str
    name: str
    exchange: str
    isin: str
    instrument_token: int


@dataclass(frozen=True, slots=True)
class Target:
    """One row that was asked for; `allocation` is None where no target was given."""

    stock: Stock
    allocation: Percent | None


@dataclass(frozen=True, slots=True)
class Position:
    """Whole shares that the client held, and how many of them were pledged.

    The stock's exchange is the one on which the broker has them: a sale must name it.
    """

    stock: Stock
    quantity: int
    pledged: int


@dataclass(frozen=True, slots=True)
class Restricted:
    """A stock that the client restricted, and how."""

    stock: Stock
    restriction: Restriction
    reason: str


@dataclass(frozen=True, slots=True)
class PriceUsed:
    """The last price of a stock, when it was traded, and who told us."""

    stock: Stock
    price: Rupees
    at: dt.datetime
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it was shown; percents are shares of the investment, with two decimals.

    Figures that need a price are None without one. `allocation` is the target, None where there is
    none; `drift` is before the trade, above zero when overweight.
    """

    stock: Stock
    side: Side
    held: int
    quantity: int
    new_quantity: int
    last_price: Rupees | None
    previous: Percent | None
    allocation: Percent | None
    possible: Percent | None
    drift: Percent | None
    current_value: Rupees | None
    additional_value: Rupees
    freed_value: Rupees
    projected_value: Rupees | None
    message: str


@dataclass(frozen=True, slots=True)
class Package:
    """One rebalance, whole. `charged_on` is the day in India whose `rates` were in force.

    `columns` is the number of targets, the first ones, that were solved together with those of
    other clients (`domain/rebalancing/book.py`); None where this client was solved alone. Either
    way the same comes out once more. `given` are the shares that a sender chose without a rebalance
    of ours, a row each: nothing was searched for, and what they come to is computed.
    """

    investment: Rupees
    cash: Rupees
    cash_target: Percent
    targets: tuple[Target, ...]
    options: Options
    rates: ChargeRates
    charged_on: dt.date
    holdings_source: str
    synced_at: dt.datetime | None
    positions: tuple[Position, ...]
    prices: tuple[PriceUsed, ...]
    priced_at: dt.datetime
    rows: tuple[Row, ...]
    summary: Summary
    notices: tuple[str, ...]
    engine: str = ENGINE
    restrictions: tuple[Restricted, ...] = ()
    columns: int | None = None
    given: tuple[int, ...] | None = None


UNPLANNED = Summary(ZERO, ZERO, ZERO, ZERO, ZERO, Charges(), ZERO, ZERO, ZERO, ZERO, 0)
"""The summary of a package whose rows are still to be computed."""

OF_THE_SENDER = "SENDER"
"""The source of a price that the sender named and that was not ours at that moment."""


def is_by_these_rules(engine: str) -> bool:
    """Whether an engine plans by the rules of this one."""
    return engine.endswith(f", rules {RULES}")


def rows_to_plan(targets: Sequence[Target], positions: Sequence[Position]) -> list[Target]:
    """The targets, then the holdings that are not among them, without a target."""
    wanted = {target.stock.isin for target in targets}
    others = {
        one.stock.isin: Target(one.stock, None) for one in positions if one.stock.isin not in wanted
    }
    return [*targets, *others.values()]


def plan_row(
    target: Target,
    held: Mapping[str, int],
    quotes: Mapping[int, PriceUsed],
    restrictions: Mapping[str, Restriction],
) -> PlanRow:
    """One row as the sums want it: `held` and `restrictions` by ISIN, `quotes` by token."""
    stock = target.stock
    quote = quotes.get(stock.instrument_token)
    return PlanRow(
        stock.symbol,
        quote.price if quote else None,
        held.get(stock.isin, 0),
        target.allocation,
        exchange=stock.exchange,
        restriction=restrictions.get(stock.isin),
    )


def restrictions_by_isin(restricted: Sequence[Restricted]) -> dict[str, Restriction]:
    """Restrictions by ISIN: a share is the same share on every exchange."""
    return {one.stock.isin: one.restriction for one in restricted}


def rows_of(package: Package) -> list[PlanRow]:
    """The rows to plan, in their order, from what the package says was known then."""
    held = held_by_isin(package.positions)
    quotes = {one.stock.instrument_token: one for one in package.prices}
    restrictions = restrictions_by_isin(package.restrictions)
    targets = rows_to_plan(package.targets, package.positions)
    return [plan_row(target, held, quotes, restrictions) for target in targets]


def plan_with(package: Package, shares: Sequence[int], phi: float, bound: float) -> Plan:
    """The plan of a package whose first rows come to these shares, found for many together.

    Rows that follow are sold where they have a target (of 0), and left alone otherwise.

    Raises:
        CannotPlan: the shares cost more than there is, or trade what may not be traded.
    """
    rows = rows_of(package)
    besides = rows[len(shares) :]
    quantities = [*shares, *(row.held if row.target is None else 0 for row in besides)]
    money = package.investment, package.cash, package.cash_target
    return plan_of_shares(rows, money, package.rates, package.options, (quantities, phi, bound))


def planned_anew(package: Package) -> tuple[Row, ...]:
    """The rows as they come out once more, from what the package says was known then.

    Raises:
        CannotPlan: what the package asks for cannot be planned.
    """
    targets = rows_to_plan(package.targets, package.positions)
    if package.given is not None:
        plan = plan_given(package)
    elif package.columns is not None:
        plan = _planned_together(package)
    else:
        plan = plan_alone(package)
    return rows_of_plan(targets, package.positions, plan)


def plan_given(package: Package) -> Plan:
    """The plan that the shares come to which the sender gave."""
    money = package.investment, package.cash, package.cash_target
    return plan_as_given(
        rows_of(package), money, package.rates, package.options, package.given or ()
    )


def plan_alone(package: Package) -> Plan:
    """The plan of a package by the solver for one client."""
    return plan_rebalance(
        rows_of(package),
        package.investment,
        package.cash,
        package.cash_target,
        package.rates,
        package.options,
    )


def _planned_together(package: Package) -> Plan:
    """By the solver of many, given this client alone: who else there was makes no difference."""
    columns = package.columns or 0
    money = package.investment, package.cash, package.cash_target
    book = book_of_one(rows_of(package), columns, money, package.rates, package.options)
    found = solve_book(book, trade_of(package.rates, package.options))
    shares = found.shares[0].tolist()
    return plan_with(package, shares, float(found.phi[0]), float(found.bound[0]))


def rows_of_plan(
    targets: Sequence[Target], positions: Sequence[Position], plan: Plan
) -> tuple[Row, ...]:
    """The planned legs as the rows that are shown; a sale names where the shares are held.

    Args:
        targets: one for each leg, in their order.
        positions: what the client holds.
        plan: the legs.
    """
    exchanges = sold_on(positions)
    return tuple(
        _row_of(named(one.stock, leg.side, exchanges), leg)
        for one, leg in zip(targets, plan.legs, strict=True)
    )


def sold_on(positions: Sequence[Position]) -> dict[str, str]:
    """The exchange that a sale names, by ISIN; of several the one with the most shares."""
    ordered = sorted(positions, key=lambda one: (one.quantity, one.stock.exchange))
    return {one.stock.isin: one.stock.exchange for one in ordered}


def named(stock: Stock, side: Side, exchanges: Mapping[str, str]) -> Stock:
    """A stock as a row of that side names it, with the exchanges that sales name."""
    exchange = exchanges.get(stock.isin, stock.exchange) if side is Side.SELL else stock.exchange
    return stock if exchange == stock.exchange else replace(stock, exchange=exchange)


def _row_of(stock: Stock, leg: Leg) -> Row:
    return Row(
        stock,
        leg.side,
        leg.held,
        leg.quantity,
        leg.new_quantity,
        leg.last_price,
        _shown(leg.previous_percent),
        _shown(leg.target),
        _shown(leg.possible_percent),
        _shown(leg.drift),
        leg.current_value,
        leg.additional_value,
        leg.freed_value,
        leg.projected_value,
        leg.message,
    )


def _shown(share: Percent | None) -> Percent | None:
    return None if share is None else rounded(share)


def held_by_isin(positions: Sequence[Position]) -> dict[str, int]:
    """Whole shares by ISIN: a demat account does not know on which exchange one was bought."""
    held: dict[str, int] = {}
    for one in positions:
        held[one.stock.isin] = held.get(one.stock.isin, 0) + one.quantity
    return held


def pledges_to_release(positions: Sequence[Position], plan: Plan) -> list[str]:
    """What must be released before it can be sold."""
    free = {one.stock.symbol: one.quantity - one.pledged for one in positions}
    return [
        f"{leg.symbol}: {leg.quantity - free[leg.symbol]} of the {leg.quantity} shares to be sold "
        "are pledged and must be released first"
        for leg in plan.legs
        if leg.side is Side.SELL and leg.quantity > free.get(leg.symbol, leg.quantity)
    ]


@cache
def _form() -> TypeAdapter[Package]:
    # Made when it is first needed: the start is shorter without it.
    return TypeAdapter(Package)


def to_text(package: Package) -> str:
    """The package as JSON; decimals are texts, so no figure changes."""
    return _form().dump_json(package).decode()


def from_text(text: str) -> Package:
    """The package that `to_text` wrote."""
    return _form().validate_json(text)
