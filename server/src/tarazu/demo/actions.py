"""The demo's corporate actions: a split weeks ago, and a bonus of today that is not credited to all.

Both are of stocks that no model holds, and nobody was advised on the one that was split, so that the
other stories stay as they are.
"""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.corporate_actions import service as actions
from tarazu.corporate_actions.service import NewAction
from tarazu.demo import modelled
from tarazu.demo.histories import History
from tarazu.demo.market import Market
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.portfolio import service as portfolio

SPLIT: Final = Fraction(5)
BONUS: Final = Fraction(2)
HOLDERS: Final = range(4, 12)
"""Clients who hold the stock of the bonus, at both brokers: one credits it at once, one later."""
SPLIT_BEFORE: Final = 6
"""Business days from the split to the first trade, after which every broker has its shares."""
ENTERED: Final = dt.time(9, tzinfo=clock.INDIA)


class Split(NamedTuple):
    """The stock that was split, by its place in the market, and the day on which it was."""

    stock: int
    day: int

    def factor_on(self, day: int, stock: int) -> Fraction:
        """Shares of now for one share of a day."""
        return SPLIT if stock == self.stock and day < self.day else Fraction(1)


def enter(
    session: Session,
    analyst: Actor,
    market: Market,
    history_of: Mapping[uuid.UUID, History],
    now: dt.datetime,
) -> Split | None:
    """Enter both; the split is of a stock that nobody traded before. None where there is none."""
    in_models = modelled.large_weights().keys() | modelled.mid_weights().keys()
    places = [place for place in range(len(market.stocks)) if place not in in_models]
    first, holders = _first_trades(history_of), _holders(history_of)
    fit = [
        place
        for place in places
        if holders[place]
        and first[place] > SPLIT_BEFORE
        and not advice.clients_advised_on(session, {market.stocks[place].isin})
    ]
    split = None
    if fit:
        stock = max(fit, key=lambda place: (first[place], -place))
        split = Split(stock, first[stock] - SPLIT_BEFORE)
        entered_at = dt.datetime.combine(market.days[split.day], ENTERED)
        _enter(session, analyst, market.stocks[stock], ActionKind.SPLIT, SPLIT, entered_at)
    accounts = portfolio.synced_accounts(session)
    for place in places:
        brokers = {accounts[key].broker for key in history_of if place in history_of[key].lots}
        is_other = split is None or place != split.stock
        if holders[place] in HOLDERS and len(brokers) > 1 and is_other:
            _enter(session, analyst, market.stocks[place], ActionKind.BONUS, BONUS, now)
            break
    return split


def _first_trades(history_of: Mapping[uuid.UUID, History]) -> dict[int, int]:
    """The first day on which any client traded a stock."""
    first: dict[int, int] = {}
    for history in history_of.values():
        for trade in history.trades:
            first[trade.stock] = min(first.get(trade.stock, trade.day), trade.day)
    return first


def _holders(history_of: Mapping[uuid.UUID, History]) -> Counter[int]:
    """How many clients hold each stock."""
    return Counter(place for history in history_of.values() for place in history.lots)


def _enter(
    session: Session,
    analyst: Actor,
    stock: Listed,
    kind: ActionKind,
    factor: Fraction,
    now: dt.datetime,
) -> None:
    ex_on = clock.day_in_india(now)
    action = CorporateAction(kind, stock.isin, "", ex_on, factor, record_on=ex_on)
    actions.enter_action(session, analyst, now, NewAction(action, stock.symbol))
