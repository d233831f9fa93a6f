"""Every client of a model worked out at one reading of the prices.

What is read is read once for all clients; what can be worked out for all together is worked out in
arrays (`domain/rebalance_book.py`). A client whom the arrays do not fit is worked out alone: where
bands, least trades or price buffers are set, where a stock of the model is not on NSE, or where
the budget may not be kept by selling all that may be sold.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import structlog
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.charges import ChargeRates, Order, Side, Tariff
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, from_units, to_units
from tarazu.domain.rebalance import Options, Row, Summary
from tarazu.domain.rebalance_batch import BatchFound
from tarazu.domain.rebalance_book import (
    UNBOUNDED,
    Book,
    aside_of,
    can_be_solved_together,
    is_fundable,
    reserve_of,
    scaled_targets,
    solve_book,
    trade_of,
)
from tarazu.domain.rebalance_problem import WHOLE
from tarazu.domain.rebalance_search import Floats, Whole
from tarazu.domain.restrictions import Kind, bounds_of
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.models.faults import FAULTS, words_of_fault
from tarazu.models.records import DECIMALS, Rebuilder, Snapshot, Worked, by_symbol, stock_of
from tarazu.models.service import Version
from tarazu.models.tables import Outside
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import StockRestricted, WholeAccount
from tarazu.prices import service as prices
from tarazu.prices.book import Quote

log = structlog.get_logger(__name__)

PER_PERCENT = WHOLE / 100
CASH = "CASH"
AT_ONCE = 2_500
"""Clients that are solved together: what comes out for one does not depend on the others."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all clients of a run are worked out with; `quotes` by instrument token."""

    version: Version
    outside: Outside
    options: Options
    rates: Mapping[str, ChargeRates]
    charged_on: dt.date
    quotes: Mapping[int, Quote]
    priced_at: dt.datetime

    def price_of(self, stock: Listed) -> int | None:
        """Units a share; None without a price."""
        price = advice.price_in(self.quotes.get(stock.instrument_token))
        return None if price is None else to_units(price)


@dataclass(frozen=True, slots=True)
class Holder:
    """What is known of one client: `investment` None is all holdings and cash."""

    account: WholeAccount
    investment: Rupees | None
    restricted: tuple[StockRestricted, ...] = ()


@dataclass(slots=True)
class Sums:
    """One client before anything is solved; amounts in units.

    `besides` are stocks outside the model with their shares and whether they are to be sold;
    `missing` the symbols of stocks that have no price.
    """

    besides: list[tuple[Listed, int, bool]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    kept: int = 0
    sold: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What one client comes to. `alone` is the plan's summary where it was solved by itself.

    `shares` are of the model's stocks, in their order; `phi` and `bound` shares of V^2.
    """

    shares: tuple[int, ...]
    phi: float
    bound: float
    alone: Summary | None = None


@dataclass(slots=True)
class Reckoning:
    """All clients of a model, in one order; arrays of (clients, stocks) or (clients,).

    `investment` is V; it is nought or less where there is nothing to invest, and means nothing
    where a price is missing. Targets are parts of `WHOLE`; `drift` and `cash_drift` are
    before any trade, in percent of V.
    """

    terms: Terms
    holders: Sequence[Holder]
    stocks: Sequence[Listed]
    prices: Whole
    held: Whole
    sums: Sequence[Sums]
    investment: Whole
    targets: Whole
    cash_targets: Whole
    listed: Mapping[uuid.UUID, Listed]
    drift: Floats = field(init=False)
    cash_drift: Floats = field(init=False)
    faults: dict[int, str] = field(default_factory=dict)
    """By row, why a client could not be solved, in words for the screen."""

    def __post_init__(self) -> None:
        base = np.maximum(self.investment, 1)[:, None]
        self.drift = self.held * self.prices * float(HUNDRED) / base - self.targets / PER_PERCENT
        besides = np.array([one.kept + one.sold for one in self.sums], dtype=np.int64)
        cash = self.investment - self.held @ self.prices - besides
        self.cash_drift = cash * float(HUNDRED) / base[:, 0] - self.cash_targets / PER_PERCENT

    @property
    def is_priced(self) -> list[bool]:
        """Which clients have a price for all that matters."""
        return [not one.missing for one in self.sums]

    def worst_drift(self, row: int) -> tuple[float, str]:
        """The largest drift of a client, signed, and of what: a stock or CASH."""
        column = int(np.abs(self.drift[row]).argmax())
        worst, symbol = float(self.drift[row, column]), self.stocks[column].symbol
        if abs(self.cash_drift[row]) > abs(worst):
            worst, symbol = float(self.cash_drift[row]), CASH
        base = max(int(self.investment[row]), 1)
        for listed, quantity, is_sold in self.sums[row].besides:
            share = (self.terms.price_of(listed) or 0) * quantity * float(HUNDRED) / base
            if is_sold and share > abs(worst):
                worst, symbol = share, listed.symbol
        return worst, symbol


def terms_of(
    session: Session,
    version: Version,
    outside: Outside,
    now: dt.datetime,
    options: Options | None = None,
) -> tuple[Terms, dict[uuid.UUID, Listed]]:
    """What to work out with, at one reading of all prices; and every stock by its id.

    Args:
        options: of the plans; None: the firm's.
    """
    listed = {one.id: one for one in instruments.all_listed(session)}
    stocks = {one.instrument.id: one.instrument for one in version.constituents}
    tokens = {one.instrument_token for one in (*listed.values(), *stocks.values())}
    quotes = prices.last_prices(session, tokens)
    brokers = {account.broker for account in portfolio.synced_accounts(session).values()}
    rates = {name: advice.rates_of(session, name, now) for name in {*brokers, ""}}
    terms = Terms(
        version,
        outside,
        options or advice.usual_options(session),
        {name: one[0] for name, one in rates.items()},
        rates[""][1],
        quotes,
        now,
    )
    return terms, listed | stocks


def holders_of(session: Session, wanted: Mapping[uuid.UUID, Rupees | None]) -> list[Holder]:
    """Money, shares and restrictions of these clients; by client, how much follows the model."""
    restricted = portfolio.restrictions_of_all(session, wanted.keys())
    return [
        Holder(account, wanted[account.client_id], restricted.get(account.client_id, ()))
        for account in portfolio.holders_at_work(session, wanted.keys())
    ]


def reckon(
    terms: Terms, holders: Sequence[Holder], listed: Mapping[uuid.UUID, Listed]
) -> Reckoning:
    """What every client holds of the model and besides, and what each stock's target is."""
    stocks = [one.instrument for one in terms.version.constituents]
    unpriced = [one.symbol for one in stocks if terms.price_of(one) is None]
    units = np.array([terms.price_of(one) or 1 for one in stocks], dtype=np.int64)
    column_of = {one.isin: column for column, one in enumerate(stocks)}
    places = {key: column_of.get(one.isin) for key, one in listed.items()}
    held = np.zeros((len(holders), len(stocks)), dtype=np.int64)
    sums = []
    for row, holder in enumerate(holders):
        mine = Sums(missing=list(unpriced))
        for instrument_id, quantity, *_ in holder.account.held:
            column = places.get(instrument_id)
            if column is None:
                _lay_aside(mine, terms, holder, listed[instrument_id], quantity)
            else:
                held[row, column] += quantity
        sums.append(mine)
    kept = np.array([one.kept for one in sums], dtype=np.int64)
    besides = kept + np.array([one.sold for one in sums], dtype=np.int64)
    cash = np.array([to_units(one.account.net) for one in holders], dtype=np.int64)
    worth = held @ units + besides + cash
    investment = np.array(
        [
            whole if one.investment is None else to_units(one.investment)
            for one, whole in zip(holders, worth.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    model = np.array(
        [int(one.allocation * 100) for one in terms.version.constituents]
        + [int(terms.version.cash * 100)],
        dtype=np.int64,
    )
    targets = scaled_targets(model, investment - kept, np.maximum(investment, 1))
    return Reckoning(
        terms,
        holders,
        stocks,
        units,
        held,
        sums,
        investment,
        targets[:, :-1],
        targets[:, -1],
        listed,
    )


def _lay_aside(mine: Sums, terms: Terms, holder: Holder, stock: Listed, quantity: int) -> None:
    """Note a holding that is not in the model."""
    price = terms.price_of(stock)
    if price is None:
        mine.missing.append(stock.symbol)
        return
    is_sold = terms.outside is Outside.SELL and not _stays(holder, stock)
    mine.besides.append((stock, quantity, is_sold))
    if is_sold:
        mine.sold += price * quantity
    else:
        mine.kept += price * quantity


def _stays(holder: Holder, stock: Listed) -> bool:
    """Whether a restriction forbids selling all of a stock."""
    return any(
        one.instrument.isin == stock.isin
        and (
            one.restriction.kind is Kind.LOCKED
            or (one.restriction.kind is Kind.RANGE and bool(one.restriction.minimum))
        )
        for one in holder.restricted
    )


def solve(
    reckoning: Reckoning, rebuilder: Rebuilder, tell: Callable[[int], None] = lambda _: None
) -> dict[int, Answer]:
    """The answers of all clients that have prices and something to invest, by row.

    A client who cannot be solved is named in `reckoning.faults`, and the others are solved.

    Args:
        tell: is told how many are solved, again and again.
    """
    rows = [
        row
        for row, is_priced in enumerate(reckoning.is_priced)
        if is_priced and reckoning.investment[row] > 0
    ]
    exchanges = [one.exchange for one in reckoning.stocks]
    answers: dict[int, Answer] = {}
    if can_be_solved_together(reckoning.terms.options, exchanges):
        by_broker: dict[str, list[int]] = {}
        for row in rows:
            by_broker.setdefault(reckoning.holders[row].account.broker, []).append(row)
        for broker, some in by_broker.items():
            for start in range(0, len(some), AT_ONCE):
                rates = reckoning.terms.rates[broker]
                answers |= _solved_if_sound(reckoning, some[start : start + AT_ONCE], rates)
                tell(len(answers))
    for row in rows:
        if row not in answers:
            try:
                answers[row] = _solved_alone(reckoning, rebuilder, row)
            except FAULTS as error:
                client_id = reckoning.holders[row].account.client_id
                reckoning.faults[row] = words_of_fault(error, client_id)
            tell(len(answers))
    return answers


def _solved_if_sound(
    reckoning: Reckoning, rows: Sequence[int], rates: ChargeRates
) -> dict[int, Answer]:
    """The same as `_solved`; nothing where one of the clients is at fault: each is solved alone."""
    try:
        return _solved(reckoning, rows, rates)
    except FAULTS as error:
        log.exception("book_batch_not_solved", error=type(error).__name__)
        return {}


def _solved(reckoning: Reckoning, rows: Sequence[int], rates: ChargeRates) -> dict[int, Answer]:
    """Those of these clients whose budget is sure to be kept, solved together."""
    options = reckoning.terms.options
    trade = trade_of(rates, options)
    book = _book(reckoning, rows, rates)
    fit = np.flatnonzero(is_fundable(book, trade))
    if not fit.size:
        return {}
    found: BatchFound = solve_book(_some_of(book, fit), trade)
    phi, bound = found.phi.tolist(), found.bound.tolist()
    return {
        rows[place]: Answer(tuple(found.shares[number].tolist()), phi[number], bound[number])
        for number, place in enumerate(fit.tolist())
    }


def _some_of(book: Book, which: Whole) -> Book:
    return Book(
        book.prices,
        *(
            getattr(book, name)[which]
            for name in ("held", "targets", "least", "most", "investment", "means", "aside")
        ),
    )


def _book(reckoning: Reckoning, rows: Sequence[int], rates: ChargeRates) -> Book:
    terms = reckoning.terms
    held, targets = reckoning.held[rows], reckoning.targets[rows]
    investment = reckoning.investment[rows]
    least = np.zeros_like(held)
    most = np.where(targets == 0, 0, UNBOUNDED)
    means, aside = investment.copy(), np.zeros_like(investment)
    for place, row in enumerate(rows):
        units, holder = int(investment[place]), reckoning.holders[row]
        besides = _besides(reckoning, row)
        taken, worth = aside_of(besides, units, rates, terms.options) if besides else (0, 0)
        aside[place] = taken + reserve_of(units, int(reckoning.cash_targets[row]))
        if not terms.options.allow_fresh_funds:
            whole = int(held[place] @ reckoning.prices) + worth + to_units(holder.account.net)
            means[place] = min(units, whole)
        for one in holder.restricted:
            column = _column_of(reckoning, one.instrument.isin)
            if column is not None:
                bounds = bounds_of(
                    one.restriction,
                    int(held[place, column]),
                    int(reckoning.prices[column]),
                    units,
                    int(targets[place, column]),
                )
                least[place, column] = bounds.least
                most[place, column] = UNBOUNDED if bounds.most is None else bounds.most
    return Book(reckoning.prices, held, targets, least, most, investment, means, aside)


def _besides(reckoning: Reckoning, row: int) -> list[Row]:
    """What a client holds outside the model, as rows of a plan."""
    return [
        Row(
            stock.symbol,
            from_units(reckoning.terms.price_of(stock) or 0),
            quantity,
            ZERO if is_sold else None,
            exchange=stock.exchange,
        )
        for stock, quantity, is_sold in reckoning.sums[row].besides
    ]


def _column_of(reckoning: Reckoning, isin: str) -> int | None:
    for column, stock in enumerate(reckoning.stocks):
        if stock.isin == isin:
            return column
    return None


def _solved_alone(reckoning: Reckoning, rebuilder: Rebuilder, row: int) -> Answer:
    worked = replace(worked_of(reckoning, row, Answer((), 0.0, 0.0)), is_alone=True)
    planned = rebuilder.rebalance_of(worked)
    shares = tuple(one.new_quantity for one in planned.rows[: len(reckoning.stocks)])
    return Answer(shares, 0.0, 0.0, planned.summary)


def worked_of(reckoning: Reckoning, row: int, answer: Answer) -> Worked:
    """What is kept of a client, so that the rebalance can be made again."""
    holder, sums = reckoning.holders[row], reckoning.sums[row]
    account = holder.account
    return Worked(
        investment=int(reckoning.investment[row]),
        cash=to_units(account.net),
        cash_target=int(reckoning.cash_targets[row]),
        targets=tuple(reckoning.targets[row].tolist()),
        shares=answer.shares,
        phi=answer.phi,
        bound=answer.bound,
        is_alone=answer.alone is not None,
        positions=by_symbol(
            [
                (reckoning.listed[key], quantity, pledged, exchange)
                for key, quantity, pledged, exchange in account.held
            ]
        ),
        sold=tuple(
            stock.instrument_token
            for stock in sorted(
                (one for one, _, is_sold in sums.besides if is_sold), key=lambda one: one.symbol
            )
        ),
        restricted=tuple(
            (
                one.instrument.instrument_token,
                one.restriction.kind.value,
                _written(one.restriction.minimum),
                _written(one.restriction.maximum),
                one.reason,
            )
            for one in holder.restricted
        ),
        broker=account.broker,
        source=account.holdings_source,
        synced_at=account.synced_at.isoformat() if account.synced_at else None,
        decimals=DECIMALS,
    )


def _written(percent: Percent | None) -> str | None:
    return None if percent is None else str(percent)


def snapshot_of(reckoning: Reckoning, model_name: str) -> Snapshot:
    """What is kept of all clients together."""
    terms = reckoning.terms
    wanted = {one.instrument_token: one for one in reckoning.stocks}
    for holder in reckoning.holders:
        for instrument_id, *_ in holder.account.held:
            stock = reckoning.listed[instrument_id]
            wanted[stock.instrument_token] = stock
        for one in holder.restricted:
            wanted.setdefault(one.instrument.instrument_token, one.instrument)
    priced, unpriced = [], []
    for token, stock in wanted.items():
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
        tuple(one.instrument_token for one in reckoning.stocks),
        tuple(priced),
        tuple(unpriced),
    )


def charges_of(
    reckoning: Reckoning, row: int, shares: Sequence[int], tariff: Tariff
) -> tuple[int, int, int, int]:
    """Bought, sold, charges in units, and trades, when a client comes to these shares."""
    change = (np.array(shares, dtype=np.int64) - reckoning.held[row]) * reckoning.prices
    orders: list[Order] = [
        Order(Side.BUY if units > 0 else Side.SELL, abs(units), stock.exchange)
        for stock, units in zip(reckoning.stocks, change.tolist(), strict=True)
        if units
    ]
    orders += [
        Order(Side.SELL, (reckoning.terms.price_of(stock) or 0) * quantity, stock.exchange)
        for stock, quantity, is_sold in reckoning.sums[row].besides
        if is_sold
    ]
    bought = sum(order.units for order in orders if order.side is Side.BUY)
    sold = sum(order.units for order in orders if order.side is Side.SELL)
    return bought, sold, sum(tariff.units(orders)), len(orders)
