"""The orders of an advice that a client still has to place, with limits at live prices."""

import datetime as dt
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice.service import Row, SealedAdvice
from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import Chains
from tarazu.domain.money import HUNDRED, Percent, Rupees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.instruments.service import Listed
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.prices import service as prices
from tarazu.prices.service import Quote, is_market_open

_SMALLEST_TICK: Final = Decimal("0.01")
LIVE_SOURCES: Final = frozenset({"ZERODHA", "ANGEL_ONE"})
"""Only prices that were traded at are turned into limits of real orders."""


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """What is left of one line of an advice.

    Attributes:
        place: of the line in the advice.
        exchange: where to place it; of a sale the exchange on which the broker has the shares.
        uncredited: of a sale, shares that are left besides and cannot be sold yet: a corporate
            action brought them, and the broker does not show them.
        limit, last_price: None without a live price.
        listed: the instrument, on that exchange if our list has it there; None if it has none.
    """

    place: int
    symbol: str
    company: str
    exchange: str
    side: Side
    quantity: int
    limit: Rupees | None
    last_price: Rupees | None
    listed: Listed | None
    uncredited: int = 0


def limit_price(last: Rupees, side: Side, away: Percent, tick: Rupees) -> Rupees:
    """A limit `away` percent from the last price, rounded away from it to a whole tick.

    A purchase may cost so much more, a sale bring so much less.
    """
    step = tick if tick > 0 else _SMALLEST_TICK
    if side is Side.BUY:
        raw, mode = last * (HUNDRED + away) / HUNDRED, ROUND_CEILING
    else:
        raw, mode = last * (HUNDRED - away) / HUNDRED, ROUND_FLOOR
    return max((raw / step).to_integral_value(mode), Decimal(1)) * step


def open_orders(
    session: Session,
    advice: SealedAdvice,
    closed_isins: Collection[str],
    done_part: Callable[[int], Fraction],
    now: dt.datetime,
) -> list[OpenOrder]:
    """Sales, then purchases, in the order of the advice; what is done is left out.

    After a split or a bonus the shares are those of now: the price is. Only credited shares are
    sold; an order of 0 shares waits for the credit.

    Args:
        closed_isins: stocks that are not to be traded any more.
        done_part: how much of a line was traded already, 0 to 1, by place.
    """
    stocks = portfolio.stocks_of(session, advice.client.client_id)
    held = {stock.instrument.isin: stock.exchange for stock in stocks}
    credited = _credited(stocks)
    away = firm.follow_up_settings(session).limit_percentage
    is_open = is_market_open(now, firm.holidays(session))
    is_stale = prices.staleness_at(session, now)
    factors = _factors_of(session, advice, now)
    known = instruments.by_isins(session, {row.stock.isin for row in advice.rows} - {""})
    found = []
    for place, row in enumerate(advice.rows):
        advised = int(row.quantity * factors.get(row.stock.isin, Fraction(1)))
        left = advised - int(advised * done_part(place))
        if left <= 0 or row.stock.isin in closed_isins or row.side is Side.HOLD:
            continue
        exchange, uncredited = row.stock.exchange, 0
        if row.side is Side.SELL:
            exchange = held.get(row.stock.isin, exchange)
            uncredited = max(0, left - credited.get(row.stock.isin, left))
        listed = _listed(session, row, exchange, known)
        quote = _quote(session, row, listed)
        is_live = (
            quote is not None and is_open and quote.source in LIVE_SOURCES and not is_stale(quote)
        )
        last = quote.price if quote is not None and is_live else None
        tick = listed.tick_size if listed else _SMALLEST_TICK
        limit = limit_price(last, row.side, away, tick) if last is not None else None
        found.append(
            OpenOrder(
                place=place,
                symbol=listed.symbol if listed else row.stock.symbol,
                company=row.stock.name,
                exchange=exchange,
                side=row.side,
                quantity=left - uncredited,
                limit=limit,
                last_price=last,
                listed=listed,
                uncredited=uncredited,
            )
        )
    return sorted(found, key=lambda order: order.side is Side.BUY)


def _credited(stocks: Sequence[HeldStock]) -> dict[str, int]:
    """By ISIN the credited shares of stocks of which some are not; others are left out."""
    waiting = {stock.instrument.isin for stock in stocks if stock.uncredited}
    credited = dict.fromkeys(waiting, 0)
    for stock in stocks:
        if stock.instrument.isin in credited:
            credited[stock.instrument.isin] += stock.quantity - stock.uncredited
    return credited


def _factors_of(session: Session, advice: SealedAdvice, now: dt.datetime) -> dict[str, Fraction]:
    """How many shares each advised one has become since the sending, by ISIN; others are left out."""
    isins = {row.stock.isin for row in advice.rows}
    chains = Chains(instruments.unit_changes_of(session, isins - {""}))
    return {
        isin: units.at(now) / units.at(advice.sent_at)
        for isin in isins
        if (units := chains.units_of(chains.of(isin))) is not None
    }


def steps_of(orders: Sequence[OpenOrder], most: int) -> list[list[OpenOrder]]:
    """Baskets of at most so many orders: those of sales first, and never both in one."""
    baskets = []
    for side in (Side.SELL, Side.BUY):
        rows = [order for order in orders if order.side is side]
        baskets += [rows[start : start + most] for start in range(0, len(rows), most)]
    return baskets


def _listed(
    session: Session, row: Row, exchange: str, known: Mapping[str, Listed]
) -> Listed | None:
    """The instrument of a row under the symbol that it has now; on this exchange, if listed there.

    Args:
        known: instruments by ISIN.
    """
    listed = known.get(row.stock.isin)
    if listed is not None and listed.exchange == exchange:
        return listed
    try:
        return instruments.by_symbol(
            session, exchange, listed.symbol if listed else row.stock.symbol
        )
    except InstrumentNotFound:
        return listed


def _quote(session: Session, row: Row, listed: Listed | None) -> Quote | None:
    token = listed.instrument_token if listed else row.stock.instrument_token
    return prices.last_prices(session, [token]).get(token)
