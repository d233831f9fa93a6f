"""Computes a rebalance of one client, with everything it is computed from."""

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from tarazu.advice import package
from tarazu.advice.errors import AllocationOver100, UnfitRequest
from tarazu.advice.package import Package, Position, PriceUsed, Restricted, Row, Stock, Target
from tarazu.advice.requests import (
    CASH,
    AdviceOptions,
    AdviceToSend,
    AskedOptions,
    RebalanceRequest,
    StockToSend,
    TargetHolding,
)
from tarazu.advice.validation import investment_of
from tarazu.domain.charges import ChargeRates, NoRates, rates_for
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded
from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.plan import MOST_ROWS, CannotPlan, Options
from tarazu.domain.rebalancing.planner import cheapest_share, plan_rebalance
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.instruments.service import Listed
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import rupees
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.restrictions import service as restrictions
from tarazu.restrictions.service import ClientRestriction

USUAL_BROKER = "ZERODHA"
"""The broker whose charges are assumed while a client's broker is not known."""

OF_THE_SENDER = "SENDER"
"""The source of a price that the sender named and that differs from ours at that moment."""


def rebalance(session: Session, request: RebalanceRequest, now: dt.datetime) -> Package:
    """Plan the trades that bring a client's holdings to the targets, all at one price reading.

    Rows come in the order of the request, then the holdings without a target, by symbol.

    Raises:
        ClientNotFound: there is no such client.
        UnfitRequest: a figure or row is invalid; the message says which.
        AllocationOver100: the targets exceed 100 %.
    """
    client = people.client(session, request.client_id)
    investment = investment_of("targetInvestmentValue", request.target_investment_value)
    cash_target, stocks = _without_cash(request.target_holdings)
    inputs = replace(
        _package(session, client.id, investment, now),
        cash_target=cash_target,
        targets=tuple(_targets(session, stocks, cash_target)),
        options=_options_of_one(session, request.options or AdviceOptions()),
    )
    rows = package.rows_to_plan(inputs.targets, inputs.positions)
    inputs = replace(inputs, prices=tuple(price_of_stocks(session, [row.stock for row in rows])))
    if inputs.options.mode in {Mode.FULL, Mode.NEW_MONEY}:
        cheapest = cheapest_share(package.rows_of(inputs), inputs.rates, inputs.options)
        if cheapest is not None and investment < cheapest:
            raise UnfitRequest(
                "targetInvestmentValue",
                f"An Investment Value of {rupees(investment)} does not buy one share of any stock "
                f"in the target. Enter at least {rupees(cheapest)}, or choose a cheaper stock.",
            )
    try:
        return package.computed(inputs)
    except CannotPlan as error:
        raise UnfitRequest("options", f"{error}.") from error


def package_of_sent_rows(
    session: Session,
    advice: AdviceToSend,
    rows: Sequence[Row],
    quotes: Mapping[int, PriceUsed],
    now: dt.datetime,
) -> Package:
    """The rebalance of rows that were sent without one of ours, at the prices of the rows.

    The cash target is not known and taken as 0.

    Raises:
        UnfitRequest: a figure is beyond what can be computed exactly.
    """
    inputs = _package(session, advice.user_id, advice.total_invested_value, now)
    targets = tuple(Target(row.stock, row.allocation) for row in rows)
    others = [
        target.stock for target in package.rows_to_plan(targets, inputs.positions)[len(targets) :]
    ]
    held = package.held_by_isin(inputs.positions)
    inputs = replace(
        inputs,
        targets=targets,
        prices=(
            *(_price_of_row(row, quotes[row.stock.instrument_token], now) for row in rows),
            *price_of_stocks(session, others),
        ),
        given=(*(row.new_quantity for row in rows), *(held[stock.isin] for stock in others)),
    )
    try:
        return package.computed(inputs)
    except CannotPlan as error:
        raise UnfitRequest("stocks", f"{error}.") from error


def _package(
    session: Session, client_id: uuid.UUID, investment: Rupees, now: dt.datetime
) -> Package:
    """What is known of a client before anything is asked for, without prices or rows."""
    account = portfolio.account_summary(session, client_id)
    rates, charged_on = rates_of(session, account.broker, now)
    return Package(
        investment=investment,
        cash=account.funds.net,
        cash_target=ZERO,
        targets=(),
        options=usual_options(session),
        rates=rates,
        charged_on=charged_on,
        holdings_source=account.holdings_source,
        synced_at=account.synced_at,
        positions=positions_of(session, client_id),
        prices=(),
        priced_at=now,
        rows=(),
        summary=package.UNPLANNED,
        notices=(),
        restrictions=restrictions_of(session, client_id),
    )


def positions_of(session: Session, client_id: uuid.UUID) -> tuple[Position, ...]:
    """What a client holds, by symbol."""
    return tuple(_position(held) for held in portfolio.stocks_of(session, client_id))


def restrictions_of(session: Session, client_id: uuid.UUID) -> tuple[Restricted, ...]:
    """What a client does not want traded, by symbol."""
    return restricted_stocks(restrictions.restrictions_of(session, client_id).restrictions)


def restricted_stocks(rows: Iterable[ClientRestriction]) -> tuple[Restricted, ...]:
    """Restrictions as a package has them."""
    return tuple(Restricted(stock_of(row.instrument), row.restriction, row.reason) for row in rows)


def rates_of(session: Session, broker: str, now: dt.datetime) -> tuple[ChargeRates, dt.date]:
    """A broker's charges in force, the usual broker's where it is not known; and of which day."""
    today = day_in_india(now)
    lines = firm.charge_lines_on(session, today)
    try:
        return rates_for(broker or USUAL_BROKER, today, lines), today
    except NoRates:
        # A broker named by a file, whose charges are not in our table.
        return rates_for(USUAL_BROKER, today, lines), today


def options_of(session: Session, entered: AskedOptions | None, now: dt.datetime) -> Options:
    """The firm's options, replaced by those that are asked for.

    Raises:
        UnfitRequest: nothing can be planned with them; the message says why.
    """
    options = _options(session, entered)
    rates, _ = rates_of(session, "", now)
    try:
        # A plan of nothing checks the options alone.
        plan_rebalance([], Rupees(1), ZERO, ZERO, rates, options)
    except CannotPlan as error:
        raise UnfitRequest("options", f"{error}.") from error
    return options


def usual_options(session: Session) -> Options:
    """The firm's options."""
    usual = firm.advice_settings(session)
    return Options(
        usual.band,
        usual.minimum_trade,
        usual.trade_penalty,
        usual.include_charges,
        usual.allow_fresh_funds,
        usual.price_buffer,
    )


def _options(session: Session, entered: AskedOptions | None) -> Options:
    options = usual_options(session)
    if entered is None:
        return options
    given: dict[str, Any] = {
        "band": entered.band_percentage,
        "minimum_trade": entered.minimum_trade_value,
        "trade_penalty": entered.trade_penalty,
        "include_charges": entered.include_charges,
        "allow_fresh_funds": entered.allow_fresh_funds,
        "price_buffer": entered.price_buffer_percentage,
    }
    return replace(options, **{name: value for name, value in given.items() if value is not None})


def _options_of_one(session: Session, advice_options: AdviceOptions) -> Options:
    """The options of one client's rebalance: its mode and limits, and the least order.

    Raises:
        UnfitRequest: an amount is missing, or goes with no mode.
    """
    usual, options = firm.advice_settings(session), _options(session, advice_options)
    if advice_options.minimum_trade_value is None:
        least = max(options.minimum_trade, usual.advice_minimum_trade)
        options = replace(options, minimum_trade=least)
    raised = advice_options.raise_amount or ZERO
    if advice_options.mode is Mode.RAISE_CASH and raised == ZERO:
        raise UnfitRequest("options.raiseAmount", "Enter the amount to raise: more than ₹0.")
    if advice_options.mode is not Mode.RAISE_CASH and raised:
        raise UnfitRequest("options.raiseAmount", "An amount goes with raising cash only.")
    limits, percent = advice_options.limits_purchases, advice_options.usable_proceeds_percentage
    if limits is None:
        limits = usual.limits_purchases or percent is not None
    proceeds = usual.usable_proceeds if percent is None else percent
    sells = (
        usual.sells_pledged
        if advice_options.sells_pledged is None
        else advice_options.sells_pledged
    )
    return replace(
        options,
        mode=advice_options.mode,
        raised=rounded(raised),
        order_drift=advice_options.order_drift_percentage or ZERO,
        sells_pledged=sells,
        usable_proceeds=proceeds if limits else None,
    )


def _without_cash(rows: Sequence[TargetHolding]) -> tuple[Percent, list[TargetHolding]]:
    """The target of the CASH row, 0 without one, and the rows of stocks."""
    cash = [row.allocation_percentage for row in rows if row.trading_symbol == CASH]
    if len(cash) > 1:
        raise UnfitRequest("targetHoldings", f"{CASH} is in the list twice.")
    target = (cash[0] if cash else None) or ZERO
    _refuse_unfit_target("targetHoldings", CASH, target)
    return target, [row for row in rows if row.trading_symbol != CASH]


def _targets(session: Session, rows: Sequence[TargetHolding], cash_target: Percent) -> list[Target]:
    if len(rows) > MOST_ROWS:
        raise UnfitRequest(
            "targetHoldings", f"At most {MOST_ROWS} stocks can be rebalanced at once."
        )
    by_token = listed_by_token(session, [row.instrument_token for row in rows])
    targets: list[Target] = []
    seen: set[str] = set()
    for place, row in enumerate(rows):
        field = f"targetHoldings.{place}"
        listed = listed_stock(
            session, (row.trading_symbol, row.exchange, row.instrument_token), by_token, field
        )
        if listed.isin in seen:
            raise UnfitRequest(field, f"{listed.symbol} is in the list twice.")
        seen.add(listed.isin)
        if row.allocation_percentage is not None:
            _refuse_unfit_target(field, listed.symbol, row.allocation_percentage)
        before = row.previous_target_percentage
        _refuse_unfit_target(field, listed.symbol, before or ZERO)
        targets.append(Target(stock_of(listed), row.allocation_percentage, before))
    given = sum((target.allocation for target in targets if target.allocation is not None), ZERO)
    if given + cash_target > HUNDRED:
        raise AllocationOver100
    return targets


def _refuse_unfit_target(field: str, symbol: str, target: Percent) -> None:
    if not ZERO <= target <= HUNDRED or target != rounded(target):
        raise UnfitRequest(field, f"{symbol}: a target is 0 to 100 % in steps of 0.01.")


def listed_by_token(session: Session, tokens: Sequence[int | None]) -> dict[int, Listed]:
    """The known instruments with these tokens."""
    known = {token for token in tokens if token is not None}
    return instruments.by_tokens(session, known) if known else {}


def listed_stock(
    session: Session,
    named: tuple[str, str, int | None],
    by_token: Mapping[int, Listed],
    field: str,
) -> Listed:
    """The instrument of a row's symbol, exchange and token.

    Raises:
        UnfitRequest: it is not known, or the token is of another stock.
    """
    symbol, exchange, token = named[0].upper(), named[1].upper(), named[2]
    listed = by_token.get(token) if token is not None else None
    if listed is not None and (listed.symbol, listed.exchange) == (symbol, exchange):
        return listed
    try:
        by_name = instruments.by_symbol(session, exchange, symbol)
    except InstrumentNotFound as error:
        raise UnfitRequest(field, error.message) from error
    if token is not None:
        raise UnfitRequest(field, f"{symbol}: the instrument token is of another stock.")
    return by_name


def price_of_stocks(session: Session, stocks: Iterable[Stock]) -> list[PriceUsed]:
    """The price of each stock that has one, all read at one instant, in their order."""
    by_token = {stock.instrument_token: stock for stock in stocks}
    quotes = prices.last_prices(session, list(by_token))
    return [
        PriceUsed(stock, quote.price, quote.at, quote.source)
        for token, stock in by_token.items()
        if (quote := quotes.get(token)) is not None and price_in(quote) is not None
    ]


def _price_of_row(row: Row, quote: PriceUsed, now: dt.datetime) -> PriceUsed:
    """The price of a row: ours where it is the same, otherwise the sender's own."""
    if row.last_price in {None, quote.price}:
        return quote
    return PriceUsed(row.stock, row.last_price or ZERO, now, OF_THE_SENDER)


def price_in(quote: Quote | None) -> Rupees | None:
    """The price of a quote; None without a quote, or where the price is 0."""
    return quote.price if quote is not None and quote.price > ZERO else None


def stocks_sent(
    session: Session, rows: Sequence[StockToSend], exchanges: Mapping[str, str]
) -> list[Listed]:
    """The instruments of rows that were sent, in their order.

    Args:
        exchanges: by ISIN, the exchange on which shares are held; a sale names it.
    """
    by_token = listed_by_token(session, [row.instrument_token for row in rows])
    listed = []
    for place, row in enumerate(rows):
        known = by_token.get(row.instrument_token or 0)
        is_held_there = known is not None and row.exchange.upper() == exchanges.get(known.isin)
        exchange = known.exchange if known and is_held_there else row.exchange
        named = row.symbol, exchange, row.instrument_token
        listed.append(listed_stock(session, named, by_token, f"stocks.{place}"))
    return listed


def stock_of(listed: Listed, exchange: str = "") -> Stock:
    """A stock; on the exchange where it is held, if that is known."""
    return Stock(
        listed.symbol,
        listed.name,
        exchange or listed.exchange,
        listed.isin,
        listed.instrument_token,
    )


def _position(held: HeldStock) -> Position:
    stock = stock_of(held.instrument, held.exchange)
    undelivered = held.t1 + held.bought_today
    return Position(stock, held.quantity, held.pledged, undelivered, held.uncredited)
