"""What the demo's clients did with their advice: the trades at their brokers, and their answers."""

import datetime as dt
import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import SentRows
from tarazu.demo.histories import History, Trade
from tarazu.demo.market import Market
from tarazu.demo.synced import STORIES, SYNCED_AT
from tarazu.domain.money import Rupees
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import NewResponse, RecordedResponse
from tarazu.follow_up.tables import Answer
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.orders import service as orders
from tarazu.orders.service import NewTrade
from tarazu.orders.tables import OrderSide, TradeSource

SEED = 2_611_2026
DAYS = 62
"""Business days of which the brokers' trades are known: those of all advice."""
WINDOW: Final = 5
"""Business days from an advice to the last orders that clients place on it."""
SAME_DAY: Final = 0.6
"""Of the clients, those who act on the afternoon of the advice; the others on the next morning."""
TICK: Final = Decimal("0.05")
DECLINED: Final = (
    "I want to keep these shares until the results.",
    "I need the cash for a house this quarter.",
)
QUESTIONS: Final = (
    "Why do we sell at a loss now? Could we wait for the results?",
    "I can invest only half of this amount this month. Which purchases come first?",
    "Does this change the tax that I pay this year?",
)
REPLY: Final = (
    "The results were out last week and the reason to hold these shares is gone. The loss can be set "
    "off against this year's gains; please ask your tax adviser."
)


@dataclass(frozen=True, slots=True)
class Stories:
    """Who has a story of their own.

    Attributes:
        unread: the client who has not logged in since the last advice.
        run_on: the day of the run over the book. The one who traded most on its advice did so on a
            day that was never read, so that only the holdings show it.
    """

    analyst: Actor
    unread: uuid.UUID
    run_on: dt.date


def record(
    session: Session,
    market: Market,
    history_of: Mapping[uuid.UUID, History],
    stories: Stories,
    now: dt.datetime,
) -> None:
    """Record the trades of the last months, and what clients answered to their advice.

    The advice itself is matched with the trades by the job that matches all advice.
    """
    # Its own story: the rest of the demo is the same with and without it.
    chance = random.Random(SEED)  # noqa: S311 - a story, not a secret
    since = dt.datetime.combine(market.days[-DAYS], dt.time(tzinfo=clock.INDIA))
    by_client = advice.sent_rows(session, list(history_of), since)
    # The newest first; of one day, in the order in which the clients joined.
    sent = [one for key in history_of for one in by_client[key]]
    sent.sort(key=lambda one: one.sent_at, reverse=True)
    count_of = {one.id: _count_trades(market, history_of[one.client_id], one) for one in sent}
    done = [one for one in sent if count_of[one.id]]
    of_run = [one for one in done if day_in_india(one.sent_at) == stories.run_on]
    inferred = max(of_run, key=lambda one: count_of[one.id])
    for client_id, history in history_of.items():
        trades = _trades_of(market, history, chance)
        if client_id == inferred.client_id:
            trades = _infer(session, client_id, trades, inferred.sent_at, now)
        orders.record_trades(session, client_id, trades, TradeSource.BROKER, now)
    _record_tradebook(session, market, history_of, inferred.client_id, now)
    read = {client_id: now for client_id in history_of if client_id != stories.unread}
    orders.record_trades_read(session, read, now)
    not_done = [one for one in sent if not count_of[one.id]]
    _answer(session, stories, done, not_done)


def _record_tradebook(
    session: Session,
    market: Market,
    history_of: Mapping[uuid.UUID, History],
    inferred: uuid.UUID,
    now: dt.datetime,
) -> None:
    """Record the earlier trades of one of the first clients, so that all purchases are known.

    Tax lots, gains and losses to harvest can then be seen. The others have what their brokers show.

    Args:
        inferred: the client of whom some trades have no time, who is not chosen.
    """
    chance = random.Random(SEED)  # noqa: S311 - a story, not a secret
    ids = list(history_of)
    told = {inferred, *(ids[place] for place in STORIES)}
    client_id = min(set(ids) - told, key=lambda key: (history_of[key].start, ids.index(key)))
    trades = [
        _trade(market, trade, chance, is_same_day=True)
        for trade in history_of[client_id].trades
        if trade.day < len(market.days) - DAYS
    ]
    orders.record_trades(session, client_id, trades, TradeSource.FILE, now)


def _count_trades(market: Market, history: History, sent: SentRows) -> int:
    """How often the client traded in the days after an advice was sent."""
    day = market.days.index(day_in_india(sent.sent_at))
    return sum(day <= trade.day <= day + WINDOW for trade in history.trades)


def _infer(
    session: Session,
    client_id: uuid.UUID,
    trades: Sequence[NewTrade],
    sent_at: dt.datetime,
    now: dt.datetime,
) -> list[NewTrade]:
    """Record the first trades after an advice as the holdings show them; the other trades."""
    first = min(trade.day for trade in trades if trade.traded_at > sent_at)
    # From the sync of one morning to that of the next.
    after, before = (
        dt.datetime.combine(first + dt.timedelta(days=days), SYNCED_AT) for days in (0, 1)
    )
    inferred = [
        orders.inferred_trade(
            trade.isin,
            (trade.exchange, trade.symbol),
            trade.quantity if trade.side is OrderSide.BUY else -trade.quantity,
            trade.price,
            (after, before),
        )
        for trade in trades
        if trade.day == first
    ]
    orders.record_inferred(session, {client_id: inferred}, now)
    return [trade for trade in trades if trade.day != first]


def _trades_of(market: Market, history: History, chance: random.Random) -> list[NewTrade]:
    """The trades as a broker reports them, near the closes at which the history has them."""
    since = len(market.days) - DAYS
    days = {trade.day for trade in history.trades if trade.day >= since}
    # All orders of a day are placed together.
    is_same_day = {day: chance.random() < SAME_DAY for day in sorted(days)}
    return [
        _trade(market, trade, chance, is_same_day=is_same_day[trade.day])
        for trade in history.trades
        if trade.day >= since
    ]


def _trade(market: Market, trade: Trade, chance: random.Random, *, is_same_day: bool) -> NewTrade:
    stock = market.stocks[trade.stock]
    if is_same_day or trade.day + 1 >= len(market.days):
        at = dt.datetime.combine(market.days[trade.day], dt.time(15, 21, tzinfo=clock.INDIA))
        at += dt.timedelta(seconds=chance.randrange(8 * 60))
    else:
        at = dt.datetime.combine(market.days[trade.day + 1], dt.time(9, 16, tzinfo=clock.INDIA))
        at += dt.timedelta(seconds=chance.randrange(2 * 3600))
    return NewTrade(
        exchange=stock.exchange,
        trade_id=f"{chance.randrange(10**8):08d}",
        order_id=f"{at:%y%m%d}{chance.randrange(10**9):09d}",
        traded_at=at,
        symbol=stock.symbol,
        isin=stock.isin,
        side=OrderSide.BUY if trade.is_purchase else OrderSide.SELL,
        quantity=abs(trade.quantity),
        price=_near(trade.price, chance),
    )


def _near(price: Rupees, chance: random.Random) -> Rupees:
    """A price within about half a percent, mostly a little worse for a buyer, on a tick."""
    moved = price * (1 + Decimal(str(round(chance.gauss(0.0006, 0.0018), 5))))
    return max(TICK, (moved / TICK).quantize(Decimal(1)) * TICK)


def _answer(
    session: Session, stories: Stories, done: Sequence[SentRows], not_done: Sequence[SentRows]
) -> None:
    """Most who acted say that they read it; some decline, some have a question, one with a reply."""
    for sent in done[::2]:
        _say(session, sent, Answer.READ, "", hours=1)
    of_run = [sent for sent in not_done if day_in_india(sent.sent_at) == stories.run_on]
    for sent, text in zip(of_run, DECLINED, strict=False):
        _say(session, sent, Answer.DECLINED, text, hours=3)
    for sent, text in zip(done, QUESTIONS, strict=False):
        question = _say(session, sent, Answer.QUESTION, text, hours=2)
        if text == QUESTIONS[0]:
            replied_at = sent.sent_at + dt.timedelta(hours=4)
            follow_up.reply_to(session, stories.analyst, replied_at, question.id, REPLY)


def _say(
    session: Session, sent: SentRows, answer: Answer, text: str, *, hours: int
) -> RecordedResponse:
    at = sent.sent_at + dt.timedelta(hours=hours)
    response = NewResponse(answer, text, ip="203.0.113.7", agent="Mozilla/5.0 (Android 15; Mobile)")
    return follow_up.record_response(session, sent.id, response, at)
