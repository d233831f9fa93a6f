"""Less tax over HTTP: five stops of one rebalance, what is not known, and the one that is chosen."""

import datetime as dt
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from tarazu.kit import clock
from tarazu.orders.tables import OrderSide, TradeSource
from tests.advice.conftest import AdviceDesk, seal_of
from tests.orders.trades_of import record, trade
from tests.people_of import Desk

TARGETS = {"INFY": 20, "TCS": 30, "RELIANCE": 25, "ITC": 15, "CASH": 10}


def path_of(rebalance: dict[str, Any]) -> str:
    return f"/admin/advice/rebalances/{rebalance['rebalanceId']}/less-tax"


def buy(advice: AdviceDesk, number: str, days_ago: int, shares: int, price: str) -> None:
    """Shares of INFY bought so many days ago."""
    at = dt.datetime.combine(clock.today() - dt.timedelta(days=days_ago), dt.time(5), dt.UTC)
    made = trade(number, at, side=OrderSide.BUY, quantity=shares, price=Decimal(price))
    record(advice.database, advice.client_id, made, source=TradeSource.FILE)


def test_the_stops_have_ever_less_tax_and_the_last_has_none(advice: AdviceDesk) -> None:
    buy(advice, "1", 60, 100, "1000")
    full = advice.rebalanced(targets=TARGETS)

    answer = advice.desk.get(path_of(full))

    assert answer.status_code == 200, answer.text
    found = answer.json()["data"]
    assert (found["reasonText"], found["leftOut"]) == ("", [])
    stops = found["stops"]
    assert [stop["stop"] for stop in stops] == [0, 1, 2, 3, 4]
    assert stops[0]["data"] == full["data"]
    assert stops[0]["summary"] == full["summary"]
    taxes = [stop["tax"] for stop in stops]
    assert taxes[0] == full["summary"]["estimatedTax"] > 0
    assert taxes == sorted(taxes, reverse=True)
    assert taxes[-1] == 0
    assert len(set(taxes)) > 2
    errors = [stop["summary"]["trackingErrorBps"] for stop in stops]
    assert errors == sorted(errors)
    assert {stop["summary"]["provedGapBps"] for stop in stops} == {0}
    for stop in stops:
        assert stop["summary"]["estimatedTax"] == stop["tax"]
    kept = next(row for row in stops[-1]["data"] if row["symbol"] == "INFY")
    assert (kept["type"], kept["message"][:30]) == ("HOLD", "Hold: not sold, for less tax (")


def test_the_stop_that_is_chosen_is_sealed_with_its_lots_and_computed_again(
    advice: AdviceDesk,
) -> None:
    buy(advice, "1", 60, 100, "1000")
    full = advice.rebalanced(targets=TARGETS)
    shown = advice.desk.get(path_of(full)).json()["data"]["stops"][2]

    chosen = advice.desk.post(path_of(full), {"stop": 2})

    assert chosen.status_code == 200, chosen.text
    answer = chosen.json()
    assert answer["data"] == shown["data"]
    assert answer["summary"] == shown["summary"]
    sent = advice.send(advice.advice_of(answer))
    assert sent.status_code == 201, sent.text
    advice_id = sent.json()["data"]["_id"]
    verified = advice.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]
    assert verified["holds"]
    (check,) = (check for check in verified["checks"] if check["name"] == "Rebalance")
    assert check["message"].startswith("Computed again: the same quantities")
    assert '"taxed"' in seal_of(advice.database, advice_id).package


def test_the_first_stop_is_stored_without_any_lots(advice: AdviceDesk) -> None:
    buy(advice, "1", 60, 100, "1000")
    full = advice.rebalanced(targets=TARGETS)

    answer = advice.desk.post(path_of(full), {"stop": 0}).json()

    sent = advice.send(advice.advice_of(answer)).json()["data"]["_id"]
    assert '"taxed"' not in seal_of(advice.database, sent).package


def test_without_lots_there_are_no_stops_and_a_reason(advice: AdviceDesk) -> None:
    full = advice.rebalanced(targets=TARGETS)

    found = advice.desk.get(path_of(full)).json()["data"]
    chosen = advice.desk.post(path_of(full), {"stop": 1})

    assert found["stops"] == []
    assert found["leftOut"] == ["INFY"]
    reason = "The tax is not known: the lots of the stocks that are sold are not known."
    assert found["reasonText"] == reason
    assert (chosen.status_code, chosen.json()["message"]) == (422, reason)


def test_an_unknown_sale_of_the_year_is_the_reason(advice: AdviceDesk) -> None:
    buy(advice, "1", 60, 100, "1000")
    at = dt.datetime.combine(clock.today() - dt.timedelta(days=20), dt.time(5), dt.UTC)
    sold = trade("9", at, side=OrderSide.SELL, quantity=5, price=Decimal(1200))
    early = replace(sold, symbol="TCS", isin="INE467B01029")
    record(advice.database, advice.client_id, early, source=TradeSource.FILE)
    full = advice.rebalanced(targets=TARGETS)

    found = advice.desk.get(path_of(full)).json()["data"]

    assert found["stops"] == []
    assert "the gain of a sale of this tax year is not known" in found["reasonText"]


@pytest.mark.parametrize("stop", [-1, 5, 1.5, None, "x"])
def test_a_stop_that_is_not_there_is_refused(advice: AdviceDesk, stop: Any) -> None:
    full = advice.rebalanced(targets=TARGETS)

    assert advice.desk.post(path_of(full), {"stop": stop}).status_code == 422


def test_a_rebalance_that_is_not_kept_is_said(advice: AdviceDesk) -> None:
    answer = advice.desk.get(path_of({"rebalanceId": uuid.uuid4()}))

    assert (answer.status_code, answer.json()["message"]) == (
        422,
        "This rebalance is no longer available. Rebalance again.",
    )


def test_only_an_admin_sees_less_tax(advice: AdviceDesk, user: Desk) -> None:
    full = advice.rebalanced(targets=TARGETS)

    assert user.get(path_of(full)).status_code == 403
    assert user.post(path_of(full), {"stop": 1}).status_code == 403
