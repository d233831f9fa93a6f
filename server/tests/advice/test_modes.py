"""Modes and limits of a rebalance over HTTP, its causes, its dust, and the analyst's notes."""

import json
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tarazu.advice.tables import Rebalance
from tarazu.instruments import service as instruments
from tarazu.kit.db import Database
from tarazu.portfolio.tables import Holding
from tests.advice.conftest import AdviceDesk, seal_of

RAISING = {"mode": "RAISE_CASH", "raiseAmount": 30000}


def by_symbol(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["symbol"]: row for row in answer["data"]}


def kept_rebalances(database: Database) -> int:
    with database.reading() as session:
        return session.execute(select(func.count()).select_from(Rebalance)).scalar_one()


def tie_up(advice: AdviceDesk, **parts: int) -> None:
    """Say of the client's INFY how many are pledged, or not delivered yet."""
    with advice.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        session.execute(update(Holding).where(Holding.instrument_id == infy).values(**parts))


def test_new_money_buys_and_says_what_is_not_sold(advice: AdviceDesk) -> None:
    answer = advice.rebalanced(options={"mode": "NEW_MONEY"})

    rows = by_symbol(answer)
    assert {row["type"] for row in answer["data"]} == {"BUY", "HOLD"}
    assert answer["notices"] == ["New money: stocks are only bought; 1 above target are not sold"]
    assert rows["INFY"]["cause"] == "MODE"
    assert rows["INFY"]["message"] == (
        "Overweight: 30 % against a target of 20 %. New money only buys"
    )
    assert rows["TCS"]["cause"] == "NEW"


def test_raising_cash_sells_for_the_amount_after_charges(advice: AdviceDesk) -> None:
    answer = advice.rebalanced(options=RAISING)

    summary, rows = answer["summary"], by_symbol(answer)
    assert summary["buyValue"] == 0
    assert 30000 <= summary["sellValue"] - summary["estimatedCharges"] < 31500
    assert rows["INFY"]["cause"] == "CASH"
    assert rows["INFY"]["message"].startswith(
        "To raise cash: overweight, 30 % against a target of 20 %. Sell 21, leaves"
    )
    assert answer["notices"][0].startswith("Raising cash: stocks are only sold. The sales bring ₹")


def test_exits_only_sells_what_has_a_target_of_nought(advice: AdviceDesk) -> None:
    answer = advice.rebalanced(
        targets={"INFY": 20, "ITC": 0, "TCS": 40}, options={"mode": "EXITS_ONLY"}
    )

    rows = by_symbol(answer)
    assert [(rows[name]["type"], rows[name]["cause"]) for name in ("INFY", "ITC", "TCS")] == [
        ("HOLD", "MODE"),
        ("SELL", "EXIT"),
        ("HOLD", "MODE"),
    ]
    assert rows["ITC"]["message"] == "Sell all 10: exit"
    assert answer["summary"]["trades"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mode": "RAISE_CASH"}, "Enter the amount to raise: more than ₹0."),
        ({"mode": "RAISE_CASH", "raiseAmount": 0}, "Enter the amount to raise: more than ₹0."),
        ({"mode": "RAISE_CASH", "raiseAmount": -1}, "Raise amount must be at least 0."),
        ({"raiseAmount": 500}, "An amount goes with raising cash only."),
        (
            {"mode": "RAISE_CASH", "raiseAmount": 150001},
            "Selling brings ₹1,49,829.04 at most after charges, less than the ₹1,50,001 to be raised.",
        ),
        ({"usableProceedsPercentage": 101}, "Usable proceeds percentage must be at most 100."),
        (
            {"orderDriftPercentage": 0.00001},
            "Order drift percentage has at most 4 decimals.",
        ),
    ],
)
def test_options_that_cannot_be_are_refused_and_nothing_is_kept(
    advice: AdviceDesk, options: dict[str, Any], message: str
) -> None:
    answer = advice.rebalance(options=options)

    assert (answer.status_code, answer.json()["message"]) == (422, message)
    assert kept_rebalances(advice.database) == 0


def test_an_unknown_mode_is_refused(advice: AdviceDesk) -> None:
    answer = advice.rebalance(options={"mode": "GAMBLE"})

    assert answer.status_code == 422
    assert "mode" in answer.json()["errors"][0]["field"]


@pytest.mark.on_both(suite="long")
def test_pledged_shares_stay_where_the_firm_does_not_sell_them(advice: AdviceDesk) -> None:
    tie_up(advice, pledged=90)
    saved = advice.desk.put("/settings/firm", {"sellsPledged": False})
    assert saved.json()["data"]["sellsPledged"] is False

    answer = advice.rebalanced(targets={"INFY": 0})

    row = by_symbol(answer)["INFY"]
    assert (row["type"], row["newQuantity"], row["cause"]) == ("SELL", 90, "RESTRICTION")
    assert row["message"] == (
        "90 pledged shares cannot be sold. Sell 10, leaves 27 % against a target of 0 %"
    )
    assert answer["notices"] == []


@pytest.mark.on_both(suite="long")
def test_purchases_wait_for_shares_that_are_not_delivered(advice: AdviceDesk) -> None:
    advice.hold({"INFY": 100}, cash="10000")
    tie_up(advice, t1=100)
    request: dict[str, Any] = {"targets": {"INFY": 20, "TCS": 80}, "investment": 160000}

    free = advice.rebalanced(**request)["summary"]
    limited = advice.rebalanced(**request, options={"limitsPurchases": True})

    assert free["buyValue"] > 100_000
    assert limited["summary"]["buyValue"] <= 10_000
    assert limited["notices"][0].startswith(
        "Purchases are limited to what can be paid today: cash of ₹10,000 and the usable part of"
    )


def test_a_target_that_the_model_changed_says_so(advice: AdviceDesk) -> None:
    holding = {"tradingSymbol": "INFY", "allocationPercentage": 20}

    changed = advice.rebalanced(
        targetHoldings=[holding | {"previousTargetPercentage": 30}], targets={}
    )

    row = by_symbol(changed)["INFY"]
    assert row["cause"] == "MODEL_CHANGED"
    assert row["message"] == ("Model changed: target 20 %, before 30 %. Sell 33, leaves 20.1 %")


def test_an_order_that_its_charges_eat_up_is_marked_as_dust(advice: AdviceDesk) -> None:
    # Ten ITC are ₹4,103.50; of two the depository's charge alone is 1.9 %.
    advice.hold({"INFY": 100, "ITC": 2}, cash="200000")

    rows = by_symbol(advice.rebalanced(targets={"INFY": 20, "ITC": 0}))

    assert (rows["ITC"]["isDust"], rows["INFY"]["isDust"]) == (True, False)
    assert rows["ITC"]["charges"] == pytest.approx(15.34 + 0.85, abs=0.01)


def test_a_fresh_firm_skips_orders_under_a_thousand_rupees_in_one_clients_advice(
    advice: AdviceDesk,
) -> None:
    # ₹503.50 too much of ITC: one share.
    request: dict[str, Any] = {"targets": {"ITC": 0.72}, "investment": 500000}
    advice.hold({"ITC": 10}, cash="200000")

    usual = by_symbol(advice.rebalanced(**request))["ITC"]
    none = by_symbol(advice.rebalanced(**request, options={"minimumTradeValue": 0}))["ITC"]

    assert (usual["type"], usual["cause"]) == ("HOLD", "NEAR_TARGET")
    assert usual["message"] == "Hold: below the minimum trade of ₹1,000"
    assert (none["type"], none["quantity"]) == ("SELL", 1)


def test_the_analysts_own_sentence_is_sealed_with_its_row(
    advice: AdviceDesk, database: Database
) -> None:
    body = advice.advice_of(advice.rebalanced())
    body["stocks"][0]["note"] = "  Results were weak,\n and the margin fell. "

    sent = advice.send(body)

    assert sent.status_code == 201, sent.text
    advice_id = sent.json()["data"]["_id"]
    sealed = json.loads(seal_of(database, advice_id).package)["rows"]
    assert sealed[0]["note"] == "Results were weak, and the margin fell."
    assert not any("note" in row for row in sealed[1:])
    assert sealed[0]["cause"] == "ABOVE_TARGET"
    assert advice.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]["holds"]
    notes = [stock["note"] for stock in advice.history()[0]["stocks"]]
    assert notes == ["Results were weak, and the margin fell.", "", ""]


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("x" * 301, "A note has at most 300 characters."),
        ("a\u202eb", "A note has no control characters."),
    ],
)
def test_a_note_that_is_too_long_or_not_plain_is_refused(
    advice: AdviceDesk, note: str, message: str
) -> None:
    body = advice.advice_of(advice.rebalanced())
    body["stocks"][0]["note"] = note

    answer = advice.send(body)

    assert (answer.status_code, answer.json()["message"]) == (422, message)
    assert advice.history() == []


@pytest.mark.on_both(suite="long")
def test_an_advice_of_a_mode_is_sent_and_computed_again(advice: AdviceDesk) -> None:
    advice.set_firm(sells_pledged=False, limits_purchases=True, usable_proceeds=Decimal(80))

    advice_id = advice.send(advice.advice_of(advice.rebalanced(options=RAISING))).json()

    verified = advice.desk.get(f"/admin/advice/{advice_id['data']['_id']}/verify").json()["data"]
    checks = {check["name"]: check["holds"] for check in verified["checks"]}
    assert checks["Rebalance"] is True
