"""The tax of a rebalance's sales: by row and for the year, and in nothing that is sealed."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from tarazu.kit import clock
from tarazu.orders.tables import OrderSide, TradeSource
from tests.advice.conftest import AdviceDesk, seal_of
from tests.orders.trades_of import record, trade


def buy(advice: AdviceDesk, number: str, days_ago: int, shares: int, price: str) -> None:
    """Shares of INFY bought a year and so many days ago; fewer than 0 are less than a year."""
    today = clock.today()
    day = today.replace(year=today.year - 1) - dt.timedelta(days=days_ago)
    at = dt.datetime.combine(day, dt.time(5), dt.UTC)
    made = trade(number, at, side=OrderSide.BUY, quantity=shares, price=Decimal(price))
    record(advice.database, advice.client_id, made, source=TradeSource.FILE)


def sale_of(answer: dict[str, Any]) -> dict[str, Any]:
    (row,) = (row for row in answer["data"] if row["type"] == "SELL")
    return dict(row)


def test_a_sale_shows_its_gains_its_tax_and_what_waiting_saves(advice: AdviceDesk) -> None:
    # 34 shares are sold at 1,500: 10 long-term ones, then 24 that are in twelve days.
    buy(advice, "1", 100, 10, "1000")
    buy(advice, "2", -11, 90, "500")

    answer = advice.rebalanced()

    tax = sale_of(answer)["tax"]
    assert (tax["longGain"], tax["shortGain"]) == (5_000, 24_000)
    assert tax["tax"] == pytest.approx(5_000 * 0.13 + 24_000 * 0.208)
    assert tax["daysToLongTerm"] == 12
    assert tax["waits"] == [{"days": 12, "saving": pytest.approx(24_000 * (0.208 - 0.13))}]
    # The exemption takes the long-term gain.
    assert answer["summary"]["estimatedTax"] == pytest.approx(24_000 * 0.208)


def test_without_lots_there_is_a_reason_and_no_figure(advice: AdviceDesk) -> None:
    answer = advice.rebalanced()

    tax = sale_of(answer)["tax"]
    assert "do not add up" in tax["reasonText"]
    assert [tax[name] for name in ("shortGain", "longGain", "tax", "daysToLongTerm")] == [None] * 4
    assert answer["summary"]["estimatedTax"] is None
    assert all(row["tax"] is None for row in answer["data"] if row["type"] != "SELL")


def test_a_rebalance_without_sales_adds_no_tax(advice: AdviceDesk) -> None:
    answer = advice.rebalanced(targets={"TCS": 10})

    assert answer["summary"]["sellValue"] == 0
    assert answer["summary"]["estimatedTax"] == 0


def test_the_tax_is_in_nothing_that_is_sent(advice: AdviceDesk) -> None:
    buy(advice, "1", 100, 100, "1000")
    assert sale_of(advice.rebalanced())["tax"]["tax"] is not None

    sealed = seal_of(advice.database, advice.sent()).package

    assert '"tax"' not in sealed
    assert "estimatedTax" not in sealed
