"""A computed rebalance with everything it was computed from, and its form in the database.

A send is checked against it, and it is sealed with the advice: the request, the options, the
holdings and prices as they were read, the charges in force, the rows as shown.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version

from pydantic import TypeAdapter

from tarazu.advice.canonical import WRITTEN_IF_SET
from tarazu.domain.charges import ChargeRates, Charges, Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded
from tarazu.domain.rebalancing.book import book_of_one, solve_book, trade_of
from tarazu.domain.rebalancing.causes import Cause
from tarazu.domain.rebalancing.plan import RULES, Leg, Options, Plan, PlanRow, Summary
from tarazu.domain.rebalancing.planner import plan_as_given, plan_of_shares, plan_rebalance
from tarazu.domain.restrictions import Restriction
from tarazu.domain.tax.added import LotStep, TaxLine

PRODUCT = "DELIVERY"
"""The product of all advice: delivered shares."""

DUST = Percent("0.5")
"""An order whose charges are a larger percent of it is marked."""

ENGINE = f"tarazu {version('tarazu')}, rules {RULES}"
"""What computes a rebalance: the product, and the version of its rules (`domain/rebalancing`)."""


@dataclass(frozen=True, slots=True)
class Stock:
    """One instrument, as in our own list."""

    symbol: str
    name: str
    exchange: str
    isin: str
    instrument_token: int


@dataclass(frozen=True, slots=True)
class Target:
    """One requested row; `allocation` is None where no target was given.

    `before` is the target of the model's version before; None where it is not known.
    """

    stock: Stock
    allocation: Percent | None
    before: Percent | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Whole shares that the client held; of them the pledged, and those not delivered yet.

    `uncredited` are those that a corporate action brought and the broker had not credited yet.
    The stock's exchange is the one on which the broker has them: a sale must name it.
    """

    stock: Stock
    quantity: int
    pledged: int
    undelivered: int = 0
    uncredited: int = field(default=0, metadata={WRITTEN_IF_SET: True})


@dataclass(frozen=True, slots=True)
class Restricted:
    """A stock that the client restricted, and how."""

    stock: Stock
    restriction: Restriction
    reason: str


@dataclass(frozen=True, slots=True)
class PriceUsed:
    """The last price of a stock, when it was traded, and its source."""

    stock: Stock
    price: Rupees
    at: dt.datetime
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it was shown; percents are shares of the investment, with two decimals.

    Figures that need a price are None without one. `allocation` is the target, None where there is
    none; `drift` is before the trade, above zero when overweight. `cause` and `charges` (of this
    order alone, an estimate) are None where an earlier version or the sender computed the row.
    `note` is the analyst's own sentence, "" without one; the sealed text then has no such field.
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
    cause: Cause | None = None
    charges: Rupees | None = None
    note: str = field(default="", metadata={WRITTEN_IF_SET: True})

    @property
    def is_dust(self) -> bool:
        """Whether the charges are above 0.5 % of the order."""
        traded = self.additional_value + self.freed_value
        return self.charges is not None and self.charges * HUNDRED > DUST * traded


@dataclass(frozen=True, slots=True)
class StockLots:
    """The lots of all shares of a stock, in the order of sale, at the price of the rebalance."""

    isin: str
    lots: tuple[LotStep, ...]


@dataclass(frozen=True, slots=True)
class Taxed:
    """What the tax of the sales was computed from; a stock whose lots are not known is not there."""

    lines: tuple[TaxLine, ...]
    lots: tuple[StockLots, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """One whole rebalance. `charged_on` is the day in India whose `rates` were in force.

    `columns` is the number of targets, the first ones, that were solved together with those of
    other clients (`domain/rebalancing/book.py`); None where this client was solved alone. Either
    way it can be recomputed. `given` are the shares that a sender chose without a rebalance of
    ours, one for each row: nothing was searched for. `taxed` is None where the tax of the sales was
    not minimised.
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
    taxed: Taxed | None = field(default=None, metadata={WRITTEN_IF_SET: True})


UNPLANNED = Summary(ZERO, ZERO, ZERO, ZERO, ZERO, Charges(), ZERO, ZERO, ZERO, ZERO, 0)
"""The summary of a package whose rows are still to be computed."""


def rules_of(engine: str) -> str:
    """The version of the planning rules that an engine names; "" where it names none."""
    return engine.rpartition(", rules ")[2] if ", rules " in engine else ""


def rows_to_plan(targets: Sequence[Target], positions: Sequence[Position]) -> list[Target]:
    """The targets, then the holdings that are not among them, without a target."""
    targeted = {target.stock.isin for target in targets}
    others = {
        position.stock.isin: Target(position.stock, None)
        for position in positions
        if position.stock.isin not in targeted
    }
    return [*targets, *others.values()]


def rows_of(package: Package) -> list[PlanRow]:
    """The solver's rows, from what the package says was known."""
    held = held_by_isin(package.positions)
    pledged = _sums_by_isin(package.positions, "pledged")
    undelivered = _sums_by_isin(package.positions, "undelivered")
    uncredited = _sums_by_isin(package.positions, "uncredited")
    prices = {used.stock.instrument_token: used.price for used in package.prices}
    # By ISIN: a share is the same share on every exchange.
    restrictions = {
        restriction.stock.isin: restriction.restriction for restriction in package.restrictions
    }
    lots = {each.isin: each.lots for each in package.taxed.lots} if package.taxed else {}
    return [
        PlanRow(
            target.stock.symbol,
            prices.get(target.stock.instrument_token),
            held.get(target.stock.isin, 0),
            target.allocation,
            exchange=target.stock.exchange,
            restriction=restrictions.get(target.stock.isin),
            pledged=pledged.get(target.stock.isin, 0),
            undelivered=undelivered.get(target.stock.isin, 0),
            uncredited=uncredited.get(target.stock.isin, 0),
            target_before=target.before,
            lots=lots.get(target.stock.isin),
        )
        for target in rows_to_plan(package.targets, package.positions)
    ]


def computed(
    package: Package, shares: Sequence[int] = (), phi: float = 0.0, bound: float = 0.0
) -> Package:
    """The package with its rows, summary and notices.

    Args:
        package: what is known and asked for.
        shares: of the first `columns` rows, as the batch solver found them, with its objective
            `phi` and `bound`.

    Raises:
        CannotPlan: nothing can be planned with these figures.
    """
    return with_plan(package, _plan_of(package, shares, phi, bound))


def with_plan(package: Package, plan: Plan) -> Package:
    """The package with the rows, summary and notices of a plan of its rows."""
    targets = rows_to_plan(package.targets, package.positions)
    # The planned legs as rows; a sale names the exchange where the shares are held.
    exchanges = sold_on(package.positions)
    rows = tuple(
        _row_of(named(target.stock, leg.side, exchanges), leg)
        for target, leg in zip(targets, plan.legs, strict=True)
    )
    # A notice for each stock whose pledged shares must be released before the sale.
    free = {
        position.stock.symbol: position.quantity - position.pledged
        for position in package.positions
    }
    pledges_to_release = [
        f"{leg.symbol}: {leg.quantity - free[leg.symbol]} of the {leg.quantity} shares to be sold "
        "are pledged and must be released first"
        for leg in plan.legs
        if leg.side is Side.SELL and leg.quantity > free.get(leg.symbol, leg.quantity)
    ]
    return replace(
        package,
        rows=rows,
        summary=plan.summary,
        notices=(*plan.notices, *pledges_to_release),
    )


def recomputed_rows(package: Package) -> tuple[Row, ...]:
    """The rows computed again from the facts in the package.

    Raises:
        CannotPlan: what the package asks for cannot be planned.
    """
    if package.columns is None or package.given is not None:
        return computed(package).rows
    money = package.investment, package.cash, package.cash_target
    book = book_of_one(rows_of(package), package.columns, money, package.rates, package.options)
    # The batch solver gives a client the same shares whoever else is in the batch.
    solved = solve_book(book, trade_of(package.rates, package.options))
    shares = solved.shares[0].tolist()
    return computed(package, shares, float(solved.phi[0]), float(solved.bound[0])).rows


def _plan_of(package: Package, shares: Sequence[int], phi: float, bound: float) -> Plan:
    rows, rates, options = rows_of(package), package.rates, package.options
    money = package.investment, package.cash, package.cash_target
    if package.given is not None:
        return plan_as_given(rows, money, rates, options, package.given)
    if package.columns is None:
        lines = package.taxed.lines if package.taxed else ()
        return plan_rebalance(rows, *money, rates, options, lines)
    # Rows after those of the batch are sold where they have a target (of 0), and kept otherwise.
    others = (row.held if row.target is None else 0 for row in rows[len(shares) :])
    return plan_of_shares(rows, money, rates, options, ([*shares, *others], phi, bound))


def sold_on(positions: Sequence[Position]) -> dict[str, str]:
    """The exchange that a sale names, by ISIN; of several the one with the most shares."""
    ordered = sorted(positions, key=lambda position: (position.quantity, position.stock.exchange))
    return {position.stock.isin: position.stock.exchange for position in ordered}


def named(stock: Stock, side: Side, exchanges: Mapping[str, str]) -> Stock:
    """A stock as a row of that side names it, with the exchanges that sales name."""
    exchange = exchanges.get(stock.isin, stock.exchange) if side is Side.SELL else stock.exchange
    return stock if exchange == stock.exchange else replace(stock, exchange=exchange)


def _row_of(stock: Stock, leg: Leg) -> Row:
    reason = leg.reason
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
        reason.text,
        reason.cause,
        rounded(leg.charges, 4),
    )


def _shown(share: Percent | None) -> Percent | None:
    return None if share is None else rounded(share)


def held_by_isin(positions: Sequence[Position]) -> dict[str, int]:
    """Whole shares by ISIN: a demat account does not record on which exchange they were bought."""
    return _sums_by_isin(positions, "quantity")


def _sums_by_isin(positions: Sequence[Position], field: str) -> dict[str, int]:
    sums: dict[str, int] = {}
    for position in positions:
        isin = position.stock.isin
        sums[isin] = sums.get(isin, 0) + getattr(position, field)
    return sums


def changed_holdings(then: Sequence[Position], now: Sequence[Position]) -> list[str]:
    """The symbols of stocks whose number of shares changed, in order."""
    before, after = held_by_isin(then), held_by_isin(now)
    names = {position.stock.isin: position.stock.symbol for position in (*now, *then)}
    isins = before.keys() | after.keys()
    return sorted(names[isin] for isin in isins if before.get(isin) != after.get(isin))


@cache
def _form() -> TypeAdapter[Package]:
    # Built on first use, which shortens the start.
    return TypeAdapter(Package)


def to_text(package: Package) -> str:
    """The package as JSON; decimals are texts, so no figure changes."""
    return _form().dump_json(package).decode()


def from_text(text: str) -> Package:
    """The package that `to_text` wrote."""
    return _form().validate_json(text)
