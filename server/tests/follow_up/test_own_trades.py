"""What a client traded of shares that nobody advised, beside what became of an advice."""

import datetime as dt
from typing import Any

import pytest

from tarazu.kit import clock
from tarazu.orders.tables import TradeSource
from tests.follow_up.conftest import MINUTE, FollowUpDesk

pytestmark = pytest.mark.on_both


def own_trades(desk: FollowUpDesk, advice_id: str) -> list[dict[str, Any]] | None:
    found: list[dict[str, Any]] | None = desk.execution(advice_id)["ownTrades"]
    return found


def test_own_trades_are_unknown_until_trades_were_read_after_the_sending(
    desk: FollowUpDesk,
) -> None:
    advice_id = desk.advice.sent()
    desk.trade("ITC", 5, "400", clock.now() + MINUTE)

    assert own_trades(desk, advice_id) is None

    desk.read(clock.now() + 2 * MINUTE)
    assert [trade["tradingSymbol"] for trade in own_trades(desk, advice_id) or []] == ["ITC"]


def test_trades_of_shares_that_nobody_advised_are_shown_in_order_of_time(
    desk: FollowUpDesk,
) -> None:
    desk.trade("ITC", 50, "400", clock.now() - MINUTE)
    advice_id = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.trade("WIPRO", -3, None, at + MINUTE, source=TradeSource.INFERRED, after=at)
    desk.trade("ITC", 7, "401.50", at, trade_id="A1")
    desk.trade("TCS", 2, "3000", at)
    desk.read(at + 2 * MINUTE)
    desk.match(at + 2 * MINUTE)

    itc, wipro = own_trades(desk, advice_id) or []

    assert itc.pop("isin").startswith("INE")
    assert dt.datetime.fromisoformat(itc.pop("at")) == at
    assert itc == {
        "tradeId": "A1",
        "tradingSymbol": "ITC",
        "exchange": "NSE",
        "side": "BUY",
        "quantity": 7,
        "price": 401.5,
        "source": "BROKER",
    }
    assert (wipro["tradingSymbol"], wipro["side"], wipro["price"]) == ("WIPRO", "SELL", None)


def test_what_was_bought_and_sold_again_on_one_day_is_no_own_trade(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.trade("ITC", 7, "400", at)
    desk.trade("ITC", -4, "402", at + MINUTE)
    desk.read(at + 2 * MINUTE)

    (left,) = own_trades(desk, advice_id) or []
    assert (left["side"], left["quantity"]) == ("BUY", 3)


def test_a_share_that_other_advice_names_is_no_own_trade(desk: FollowUpDesk) -> None:
    first = desk.advice.sent()
    second = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.trade("TCS", 500, "3000", at)
    desk.read(at + MINUTE)

    assert own_trades(desk, first) == own_trades(desk, second) == []
