"""Past advice of the demo: computed and sent as it is in earnest, on days of the last months."""

import datetime as dt
import random
import uuid
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.package import Row
from tarazu.advice.service import AdviceToSend, RebalanceRequest, StockToSend, TargetHolding
from tarazu.demo.histories import History
from tarazu.demo.market import Market
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded, share_of
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewHolding
from tarazu.prices import service as prices

DAYS_AGO = (58, 47, 36, 25, 17, 9)
CLIENTS_A_DAY = 2
LATE = 3
"""Business days after the advice on which a slow client places the orders, inside the window."""
OPPOSED = 10
"""One in so many shares of a stock is sold by a client who was advised to buy more of it."""
CASH_TARGET = Percent(3)
SENT_AT = dt.time(15, 20, tzinfo=clock.INDIA)


class Acted(StrEnum):
    """What a client made of an advice."""

    FULLY = "FULLY"
    LATE = "LATE"
    PARTLY = "PARTLY"
    NOT = "NOT"
    OPPOSITELY = "OPPOSITELY"


AFTERWARDS = (*[Acted.FULLY] * 7, Acted.PARTLY, Acted.PARTLY, Acted.NOT)
RECENT = {
    4: (Acted.NOT, Acted.FULLY),
    1: (Acted.FULLY, Acted.FULLY, Acted.PARTLY, Acted.NOT, Acted.NOT),
}
"""What clients made of the advice of the last week, by business days before the end.

The first is the same client on both days: the later advice supersedes the earlier one. The last one
has not logged in since, so that nobody knows.
"""
RATIONALES = (
    "Quarterly results are in: the weights return to the model, and the weakest name leaves it.",
    "Valuations in the favourites have run ahead of earnings; profits are taken in part.",
    "The model is reviewed every month. Drift beyond a third of a percent is brought back.",
)


def send(
    session: Session,
    actor: Actor,
    market: Market,
    history_of: Mapping[uuid.UUID, History],
    days: Iterable[int],
    chance: random.Random,
) -> None:
    """Send advice on a few days; most of the clients follow it the same afternoon.

    Args:
        history_of: of the clients with a portfolio of their own.
        days: of `market`.
    """
    for day in days:
        now = dt.datetime.combine(market.days[day], SENT_AT)
        record_prices(session, market, day, now)
        settled = [key for key, history in history_of.items() if _last_event(history) < day]
        for client_id in chance.sample(settled, min(CLIENTS_A_DAY, len(settled))):
            client = (client_id, history_of[client_id])
            acted = chance.choice(AFTERWARDS)
            _advise(session, actor, market, client, day, acted, chance)


def send_lately(
    session: Session,
    actor: Actor,
    market: Market,
    history_of: Mapping[uuid.UUID, History],
    chance: random.Random,
) -> None:
    """Send the advice of the last week.

    Args:
        history_of: of as many clients as `RECENT` needs, who did nothing else lately.
    """
    ids = list(history_of)
    for days_ago, afterwards in RECENT.items():
        day = len(market.days) - days_ago
        now = dt.datetime.combine(market.days[day], SENT_AT)
        record_prices(session, market, day, now)
        for client_id, acted in zip(ids, afterwards, strict=False):
            client = (client_id, history_of[client_id])
            _advise(session, actor, market, client, day, acted, chance)


def record_prices(session: Session, market: Market, day: int, at: dt.datetime) -> None:
    """Take one day's closes into the price book."""
    new = {
        stock.instrument_token: market.close(day, place)
        for place, stock in enumerate(market.stocks)
    }
    prices.record_prices(session, new, at, "SIMULATED")


def keep_account(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    market: Market,
    client_id: uuid.UUID,
    history: History,
) -> Rupees:
    """Record what a client holds by now; the cash."""
    held = {
        market.stocks[stock].id: NewHolding(lot.quantity, lot.average)
        for stock, lot in history.lots.items()
    }
    cash = rounded(history.cash)
    portfolio.replace_holdings(session, actor, now, client_id, held, "DEMO")
    portfolio.set_funds(session, actor, now, client_id, Funds(cash, cash, ZERO))
    return cash


def _last_event(history: History) -> int:
    return max(
        [
            history.start,
            *(trade.day for trade in history.trades),
            *(day for day, _ in history.flows),
        ]
    )


def _advise(
    session: Session,
    actor: Actor,
    market: Market,
    client: tuple[uuid.UUID, History],
    day: int,
    acted: Acted,
    chance: random.Random,
) -> None:
    client_id, history = client
    now = dt.datetime.combine(market.days[day], SENT_AT)
    cash = keep_account(session, actor, now, market, client_id, history)
    worth = {s: lot.quantity * market.close(day, s) for s, lot in history.lots.items()}
    value = sum(worth.values(), cash)
    shares = {s: share_of(part, value) for s, part in worth.items()}
    targets = _targets(market, shares, chance)
    rows = [
        TargetHolding(
            trading_symbol=market.stocks[s].symbol,
            exchange=market.stocks[s].exchange,
            allocation_percentage=target,
        )
        for s, target in sorted(targets.items())
    ]
    target_holdings = [
        *rows,
        TargetHolding(trading_symbol=advice.CASH, allocation_percentage=CASH_TARGET),
    ]
    request = RebalanceRequest(
        client_id=client_id,
        target_investment_value=rounded(value, 0),
        target_holdings=target_holdings,
    )
    computed = advice.rebalance(session, request, now)
    if not any(row.quantity for row in computed.rows):
        return
    rebalance_id = advice.keep_rebalance(session, actor, client_id, computed)
    rationale = chance.choice(RATIONALES)
    order = _order_of(client_id, rebalance_id, computed, rationale)
    # A story of the past: whichever mail server is set up, it is practice.
    advice.send(session, actor, order, now, has_mail_server=False)
    follow(market, history, day, computed.rows, acted)


def _order_of(
    client_id: uuid.UUID, rebalance_id: uuid.UUID, rebalance: advice.Package, rationale: str
) -> AdviceToSend:
    """A stored rebalance as it is sent: its BUY and SELL rows, with their totals."""
    traded = [row for row in rebalance.rows if row.quantity]
    return AdviceToSend(
        user_id=client_id,
        total_stocks=len(traded),
        total_invested_value=rebalance.investment,
        total_buy_value=_value_after(traded, "BUY"),
        total_sell_value=_value_after(traded, "SELL"),
        stocks=[
            StockToSend(
                type=row.side,
                symbol=row.stock.symbol,
                exchange=row.stock.exchange,
                quantity=row.quantity,
                instrument_token=row.stock.instrument_token,
                allocation_percentage=row.allocation or ZERO,
                possible_allocation_percentage=row.possible or ZERO,
                ltp=row.last_price or ZERO,
                current_investment_value=row.current_value or ZERO,
                additional_investment_value=row.additional_value,
                projected_investment_value=row.projected_value or ZERO,
            )
            for row in traded
        ],
        rebalance_id=rebalance_id,
        rationale=rationale,
    )


def _value_after(rows: Sequence[Row], side: str) -> Rupees:
    return sum((row.projected_value or ZERO for row in rows if row.side == side), ZERO)


def _targets(
    market: Market, shares: Mapping[int, Percent], chance: random.Random
) -> dict[int, Percent]:
    """Shares drawn towards their middle; the smallest stock leaves, a new one comes."""
    left = HUNDRED - CASH_TARGET
    leaving = min(shares, key=lambda stock: shares[stock])
    coming = chance.choice([s for s in range(len(market.stocks)) if s not in shares])
    middle = left / len(shares)
    drawn = {s: (share + middle) / 2 for s, share in shares.items() if s != leaving}
    drawn[coming] = middle
    scale = left / sum(drawn.values())
    targets = {
        s: (part * scale).quantize(Decimal("0.01"), "ROUND_DOWN") for s, part in drawn.items()
    }
    return targets | {leaving: ZERO}


def follow(market: Market, history: History, day: int, rows: Iterable[Row], acted: Acted) -> None:
    """Place the orders of an advice at a day's close: all, every second one, none or the opposite."""
    places = {stock.symbol: place for place, stock in enumerate(market.stocks)}
    # What is sold pays for what is bought.
    orders = [row for side in ("SELL", "BUY") for row in rows if row.side == side]
    if acted is Acted.NOT:
        return
    if acted is Acted.OPPOSITELY:
        _oppose(market, history, day, {places[row.stock.symbol]: row.side for row in orders})
        return
    if acted is Acted.LATE:
        day = min(day + LATE, len(market.days) - 1)
    for row in orders[:: 2 if acted is Acted.PARTLY else 1]:
        sign = -1 if row.side == "SELL" else 1
        history.trade(market, day, places[row.stock.symbol], sign * row.quantity)


def _oppose(market: Market, history: History, day: int, sides: Mapping[int, str]) -> None:
    """Sell some of what was to be bought; if nothing of that is held, buy what was to be sold."""
    lots = history.lots
    bought = [
        s for s, side in sides.items() if side == "BUY" and s in lots and lots[s].quantity > 1
    ]
    for stock in bought[:1]:
        history.trade(market, day, stock, -max(1, lots[stock].quantity // OPPOSED))
    if not bought:
        sold = [stock for stock, side in sides.items() if side == "SELL"]
        cheapest = min(sold, key=lambda stock: market.close(day, stock))
        history.trade(market, day, cheapest, 1)
