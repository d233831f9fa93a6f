"""Solve all clients of a run: in arrays where they fit, one by one where they do not.

A client is solved alone where bands, minimum trades or price buffers are set, where a stock of the
model is not on NSE, or where selling all that may be sold may not keep the budget.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import structlog

from tarazu.advice import service as advice
from tarazu.book_runs.faults import FAULTS, fault_text
from tarazu.book_runs.records import PlanRecord, Rebuilder, Snapshot, by_symbol, stock_of
from tarazu.domain.charges import ChargeRates, Order, Side, Tariff
from tarazu.domain.money import ZERO, from_units, to_units
from tarazu.domain.rebalancing.batch import BatchResult
from tarazu.domain.rebalancing.book import (
    BookClient,
    ClientBook,
    book_of,
    can_be_solved_together,
    is_fundable,
    solve_book,
    trade_of,
)
from tarazu.domain.rebalancing.dual import Integers
from tarazu.domain.rebalancing.plan import PlanRow, Summary
from tarazu.model_portfolios.service import ModelPositions
from tarazu.tax.service import Sale

log = structlog.get_logger(__name__)

AT_ONCE = 2_500
"""Clients solved together; the result for one does not depend on the others."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The solved shares of one client.

    `shares` are of the model's stocks, in their order; `phi` and `bound` shares of V^2. `alone` is
    the plan's summary where the client was solved alone.
    """

    shares: tuple[int, ...]
    phi: float
    bound: float
    alone: Summary | None = None


def solve(
    positions: ModelPositions, rebuilder: Rebuilder, report: Callable[[int], None] = lambda _: None
) -> dict[int, Solution]:
    """The solutions of all clients that have prices and something to invest, by row.

    A client who cannot be solved gets an entry in `positions.faults`; the others are solved.

    Args:
        report: called with the number of clients solved so far.
    """
    rows = [
        row
        for row, is_priced in enumerate(positions.is_priced)
        if is_priced and positions.investment[row] > 0
    ]
    exchanges = [stock.exchange for stock in positions.stocks]
    solutions: dict[int, Solution] = {}
    if can_be_solved_together(positions.terms.options, exchanges):
        by_broker: dict[str, list[int]] = {}
        for row in rows:
            by_broker.setdefault(positions.followers[row].account.broker, []).append(row)
        for broker, its_rows in by_broker.items():
            for start in range(0, len(its_rows), AT_ONCE):
                rates = positions.terms.rates[broker]
                chunk = its_rows[start : start + AT_ONCE]
                solutions |= _solve_together_or_none(positions, chunk, rates)
                report(len(solutions))
    for row in rows:
        if row not in solutions:
            try:
                solutions[row] = _solve_alone(positions, rebuilder, row)
            except FAULTS as error:
                client_id = positions.followers[row].account.client_id
                positions.faults[row] = fault_text(error, client_id)
            report(len(solutions))
    return solutions


def _solve_together_or_none(
    positions: ModelPositions, rows: Sequence[int], rates: ChargeRates
) -> dict[int, Solution]:
    """As `_solve_together`; nothing where one client fails: each is then solved alone."""
    try:
        return _solve_together(positions, rows, rates)
    except FAULTS as error:
        log.exception("book_batch_not_solved", error=type(error).__name__)
        return {}


def _solve_together(
    positions: ModelPositions, rows: Sequence[int], rates: ChargeRates
) -> dict[int, Solution]:
    """Solve together those of these clients whose budget is sure to be kept."""
    options = positions.terms.options
    trade = trade_of(rates, options)
    book = _book(positions, rows, rates)
    fit = np.flatnonzero(is_fundable(book, trade))
    if not fit.size:
        return {}
    result: BatchResult = solve_book(_rows_of(book, fit), trade)
    phi, bound = result.phi.tolist(), result.bound.tolist()
    return {
        rows[place]: Solution(tuple(result.shares[number].tolist()), phi[number], bound[number])
        for number, place in enumerate(fit.tolist())
    }


def _rows_of(book: ClientBook, which: Integers) -> ClientBook:
    return ClientBook(
        book.prices,
        *(
            getattr(book, name)[which]
            for name in ("held", "targets", "least", "most", "investment", "means", "aside")
        ),
    )


def _book(positions: ModelPositions, rows: Sequence[int], rates: ChargeRates) -> ClientBook:
    columns = {stock.isin: column for column, stock in enumerate(positions.stocks)}
    clients = []
    for row in rows:
        follower = positions.followers[row]
        restrictions = {
            columns[restricted.instrument.isin]: restricted.restriction
            for restricted in follower.restricted
            if restricted.instrument.isin in columns
        }
        cash, cash_target = to_units(follower.account.net), int(positions.cash_targets[row])
        # What a client holds outside the model, as rows of a plan.
        outside = [
            PlanRow(
                stock.symbol,
                from_units(positions.terms.price_of(stock) or 0),
                quantity,
                ZERO if is_sold else None,
                exchange=stock.exchange,
            )
            for stock, quantity, is_sold in positions.others[row].stocks
        ]
        uncredited = Counter[int]()
        for key, shares in follower.account.uncredited.items():
            column = columns.get(positions.listed[key].isin)
            if column is not None:
                uncredited[column] += shares
        clients.append(BookClient(cash, cash_target, outside, restrictions, uncredited))
    holdings = positions.held[rows], positions.targets[rows], positions.investment[rows]
    return book_of(positions.prices, holdings, clients, rates, positions.terms.options)


def _solve_alone(positions: ModelPositions, rebuilder: Rebuilder, row: int) -> Solution:
    record = replace(record_of(positions, row, Solution((), 0.0, 0.0)), is_alone=True)
    planned = rebuilder.rebalance_of(record)
    shares = tuple(row.new_quantity for row in planned.rows[: len(positions.stocks)])
    return Solution(shares, 0.0, 0.0, planned.summary)


def record_of(positions: ModelPositions, row: int, solution: Solution) -> PlanRecord:
    """The record of one client, from which the rebalance can be made again."""
    follower, others = positions.followers[row], positions.others[row]
    account = follower.account
    return PlanRecord(
        investment=int(positions.investment[row]),
        cash=to_units(account.net),
        cash_target=int(positions.cash_targets[row]),
        targets=tuple(positions.targets[row].tolist()),
        shares=solution.shares,
        phi=solution.phi,
        bound=solution.bound,
        is_alone=solution.alone is not None,
        positions=by_symbol(
            [
                (positions.listed[key], quantity, pledged, exchange)
                for key, quantity, pledged, exchange in account.held
            ]
        ),
        sold=tuple(
            stock.instrument_token
            for stock in sorted(
                (stock for stock, _, is_sold in others.stocks if is_sold),
                key=lambda stock: stock.symbol,
            )
        ),
        restricted=tuple(
            (
                restricted.instrument.instrument_token,
                restricted.restriction,
                restricted.reason,
            )
            for restricted in follower.restricted
        ),
        broker=account.broker,
        source=account.holdings_source,
        synced_at=account.synced_at,
        uncredited=tuple(
            sorted(
                (positions.listed[key].instrument_token, shares)
                for key, shares in account.uncredited.items()
            )
        ),
    )


def snapshot_of(positions: ModelPositions, model_name: str) -> Snapshot:
    """The common data of all clients of a run."""
    terms = positions.terms
    stocks = {stock.instrument_token: stock for stock in positions.stocks}
    for follower in positions.followers:
        for instrument_id, *_ in follower.account.held:
            stock = positions.listed[instrument_id]
            stocks[stock.instrument_token] = stock
        for restricted in follower.restricted:
            instrument = restricted.instrument
            stocks.setdefault(instrument.instrument_token, instrument)
    priced, unpriced = [], []
    for token, stock in stocks.items():
        quote = terms.quotes.get(token)
        if advice.price_in(quote) is None or quote is None:
            unpriced.append(stock_of(stock))
        else:
            used = advice.PriceUsed(stock_of(stock), quote.price, quote.at, quote.source)
            priced.append(used)
    return Snapshot(
        model_name,
        terms.version.row.number,
        terms.version.row.created_at,
        terms.priced_at,
        terms.charged_on,
        terms.options,
        terms.rates,
        tuple(stock.instrument_token for stock in positions.stocks),
        tuple(priced),
        tuple(unpriced),
    )


def charges_of(
    positions: ModelPositions, row: int, shares: Sequence[int], tariff: Tariff
) -> tuple[int, int, int, int]:
    """Bought, sold and charges in units, and the number of trades, at these shares."""
    change = (np.array(shares, dtype=np.int64) - positions.held[row]) * positions.prices
    orders: list[Order] = [
        Order(Side.BUY if units > 0 else Side.SELL, abs(units), stock.exchange)
        for stock, units in zip(positions.stocks, change.tolist(), strict=True)
        if units
    ]
    orders += [
        Order(Side.SELL, (positions.terms.price_of(stock) or 0) * quantity, stock.exchange)
        for stock, quantity, is_sold in positions.others[row].stocks
        if is_sold
    ]
    bought = sum(order.units for order in orders if order.side is Side.BUY)
    sold = sum(order.units for order in orders if order.side is Side.SELL)
    return bought, sold, sum(tariff.units(orders)), len(orders)


def sales_of(positions: ModelPositions, row: int, shares: Sequence[int]) -> dict[str, Sale]:
    """What a client sells at these shares, by ISIN."""
    prices, held = positions.prices.tolist(), positions.held[row].tolist()
    sales = {
        stock.isin: Sale(had - count, from_units(price))
        for stock, price, had, count in zip(positions.stocks, prices, held, shares, strict=True)
        if count < had
    }
    for stock, quantity, is_sold in positions.others[row].stocks:
        if is_sold:
            price = from_units(positions.terms.price_of(stock) or 0)
            before = sales.get(stock.isin)
            sales[stock.isin] = Sale(quantity + (before.shares if before else 0), price)
    return sales
