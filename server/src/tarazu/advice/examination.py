"""Examines one advice that is sent or checked: is it what our own figures say?"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from sqlalchemy.orm import Session

from tarazu.advice import package, queries, validation
from tarazu.advice.errors import (
    AlreadySent,
    ClientInactive,
    NotAsRebalanced,
    RebalanceNotKnown,
    RebalanceOfAnother,
    UnfitStock,
)
from tarazu.advice.package import Package, Position, PriceUsed, Row, Stock
from tarazu.advice.rebalancing import (
    package_of_sent_rows,
    positions_of,
    price_of_stocks,
    rates_of,
    stock_of,
    stocks_sent,
)
from tarazu.advice.requests import AdviceToSend
from tarazu.advice.sealing import AtSending, PriceNote
from tarazu.advice.sending import price_note
from tarazu.advice.validation import StockNow
from tarazu.domain.charges import ChargeRates, Side
from tarazu.firm import service as firm
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio


@dataclass(frozen=True, slots=True)
class Examined:
    """An advice whose rows and totals were checked, before the checks before a send."""

    order: AdviceToSend
    client: Client
    rebalance: Package
    rows: tuple[Row, ...]
    prices: PriceNote
    rates: ChargeRates
    at_sending: AtSending


def examine(session: Session, order: AdviceToSend, now: dt.datetime, *, lock: bool) -> Examined:
    """Check the rows and totals of an advice against the client's holdings and the prices now.

    Args:
        lock: lock the rebalance until the transaction ends, so that it is sent once.

    Raises:
        ApiError: the advice cannot be sent; see `service.send`.
    """
    client = people.client(session, order.user_id)
    people.refuse_sample(client)
    if client.status != Status.ACTIVE:
        raise ClientInactive
    validation.refuse_unfit_rows(order)
    investment = validation.investment_of("totalInvestedValue", order.total_invested_value)
    order = order.model_copy(update={"total_invested_value": investment})
    rebalance = _rebalance_to_send(session, order, lock=lock)
    positions = positions_of(session, client.id)
    stocks = _stocks_sent(session, order, positions)
    quotes = {price.stock.instrument_token: price for price in price_of_stocks(session, stocks)}
    if rebalance is not None:
        changed = package.changed_holdings(rebalance.positions, positions)
        if changed:
            raise NotAsRebalanced(
                f"The client's holdings changed since the rebalance: {', '.join(changed)}. "
                "Rebalance again."
            )
    rows = validation.checked_rows(
        order,
        _known(stocks, positions, quotes),
        firm.advice_settings(session).price_tolerance,
        rebalance,
    )
    used = rebalance.prices if rebalance else tuple(quotes.values())
    account = portfolio.account_summary(session, client.id)
    rates, _ = rates_of(session, account.broker, now)
    return Examined(
        order,
        client,
        rebalance or package_of_sent_rows(session, order, rows, quotes, now),
        rows,
        price_note(used, rows, rebalance.priced_at if rebalance else now),
        rates,
        AtSending(
            account.holdings_source,
            account.synced_at,
            account.funds.net,
            positions,
            tuple(quotes.values()),
        ),
    )


def _rebalance_to_send(session: Session, order: AdviceToSend, *, lock: bool) -> Package | None:
    if order.rebalance_id is None:
        return None
    row = queries.rebalance_to_send(session, order.rebalance_id, lock=lock)
    if queries.is_sent(session, order.rebalance_id):
        raise AlreadySent
    if row is None:
        raise RebalanceNotKnown
    if row.client_id != order.user_id:
        raise RebalanceOfAnother
    try:
        return package.from_text(row.package)
    except ValidationError as error:
        # Stored by another version in another form: it must be computed again.
        raise RebalanceNotKnown from error


def _stocks_sent(
    session: Session, order: AdviceToSend, positions: Sequence[Position]
) -> list[Stock]:
    """The stocks of the rows, in their order; a sale names the exchange where they are held."""
    exchanges = package.sold_on(positions)
    stocks: list[Stock] = []
    seen: set[str] = set()
    for place, listed in enumerate(stocks_sent(session, order.stocks, exchanges)):
        if listed.isin in seen:
            raise UnfitStock(place, listed.symbol, "is in the list twice.")
        seen.add(listed.isin)
        side = Side(order.stocks[place].type)
        stocks.append(package.named(stock_of(listed), side, exchanges))
    return stocks


def _known(
    stocks: Sequence[Stock], positions: Sequence[Position], quotes: Mapping[int, PriceUsed]
) -> list[StockNow]:
    held = package.held_by_isin(positions)
    known = []
    for stock in stocks:
        quote = quotes.get(stock.instrument_token)
        known.append(StockNow(stock, held.get(stock.isin, 0), quote.price if quote else None))
    return known
