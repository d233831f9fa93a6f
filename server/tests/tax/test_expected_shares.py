"""Lots are compared with what is owned: with shares of an action that are not credited yet."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.tax.gains import WhyUnknown
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.orders.service import NewTrade, record_trades
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.portfolio import service as portfolio
from tarazu.tax import service as tax
from tarazu.tax.service import StockLots
from tests.portfolio.actions import SYMBOL, ActionDesk, add_action, at, record
from tests.portfolio.test_pending_actions import BONUS, SPLIT, desk, show

__all__ = ["desk"]


def buy(desk: ActionDesk, shares: int) -> None:
    """A purchase of a year before."""
    with desk.firm.database.transaction() as session:
        made = NewTrade(
            "NSE", "1", "1", at(-400, 10), SYMBOL, "", OrderSide.BUY, shares, Decimal(80)
        )
        record_trades(session, desk.client, [made], TradeSource.FILE, at(-9, 10))


def stock(desk: ActionDesk, now: dt.datetime) -> StockLots:
    with desk.firm.database.reading() as session:
        lots = tax.lots_of(session, desk.client, now)
        assert lots.today == day_in_india(now)
        (found,) = lots.stocks
        return found


def test_shares_that_are_not_credited_yet_belong_to_the_lots(desk: ActionDesk) -> None:
    buy(desk, 100)
    assert stock(desk, at(-1, 16)).why is None
    action = add_action(desk.firm.database, *BONUS)
    record(desk.firm.database, action, at(0, 1))
    desk.price(at(0, 10), "50")
    show(desk, BONUS, 0, "old old")

    waiting = stock(desk, at(0, 11))

    assert (waiting.quantity, waiting.in_lots, waiting.why) == (200, 200, None)
    assert [(lot.quantity, float(lot.cost or 0)) for lot in waiting.lots] == [
        (100, 8_000),
        (100, 0),
    ]
    show(desk, BONUS, 1, "new new")
    assert stock(desk, at(1, 11)).why is None


def test_a_split_leaves_the_cost_and_shows_no_false_loss(desk: ActionDesk) -> None:
    buy(desk, 100)
    action = add_action(desk.firm.database, *SPLIT, kind=ActionKind.SPLIT)
    record(desk.firm.database, action, at(0, 1))
    desk.price(at(0, 10), "10")
    show(desk, SPLIT, 0, "old old")

    waiting = stock(desk, at(0, 11))

    assert sum(step.shares * step.gain for step in waiting.steps or ()) == Fraction(2_000)
    assert waiting.harvest == ()


def test_with_a_suspected_action_the_lots_are_not_known(desk: ActionDesk) -> None:
    buy(desk, 100)
    desk.price(at(0, 10), "10")
    with desk.firm.database.transaction() as session:
        key = instruments.by_symbol(session, "NSE", SYMBOL).id
        portfolio.suspect_actions(session, at(0, 10), [key])

    doubted = stock(desk, at(0, 11))

    assert doubted.steps is None
    assert doubted.why is WhyUnknown.SUSPECTED
    assert doubted.harvest == ()
