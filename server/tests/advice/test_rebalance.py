"""The rebalance over HTTP: its rows, its summary, and what it refuses."""

import json
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tarazu.advice import jobs
from tarazu.advice.tables import Rebalance
from tarazu.domain.tax.gains import WhyUnknown
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.tax.wording import REASONS
from tests.advice.conftest import AdviceDesk
from tests.people_of import reply_of
from tests.rows_of import run, scalar, scalars

PATH = "/admin/advice/rebalance-portfolio"


@pytest.fixture
def unpriced(database: Database) -> str:
    """A stock of which no price was ever seen."""
    run(
        database,
        update(Instrument).where(Instrument.symbol == "WIPRO").values(reference_close=Decimal(0)),
    )
    return "WIPRO"


def test_rows_are_in_the_order_of_the_request_then_the_untraded_holdings(
    advice: AdviceDesk,
) -> None:
    rows = advice.rebalanced()["data"]

    assert [row["symbol"] for row in rows] == ["INFY", "TCS", "RELIANCE", "ITC"]
    assert rows[3]["type"] == "HOLD"
    assert rows[3]["message"] == "No target set: not traded"
    assert rows[3]["allocationPercentage"] is None
    assert rows[3]["newQuantity"] == rows[3]["currentQuantity"] == 10


def test_a_row_carries_every_field_of_the_spec(advice: AdviceDesk) -> None:
    sale = advice.rebalanced()["data"][0]
    traded_at = datetime.fromisoformat(sale.pop("priceAt"))

    assert timedelta(0) <= clock.now() - traded_at < timedelta(minutes=1)
    assert sale == {
        "type": "SELL",
        "symbol": "INFY",
        "currentQuantity": 100,
        "quantity": 34,
        "newQuantity": 66,
        "previousAllocationPercentage": 30.0,
        "allocationPercentage": 20.0,
        "possibleAllocationPercentage": 19.8,
        "ltp": 1500.0,
        "priceSource": "SIMULATED",
        "isPriceStale": False,
        "currentInvestmentValue": 150000.0,
        "additionalInvestmentValue": 0.0,
        "valueToBeFreed": 51000.0,
        "projectedInvestmentValue": 99000.0,
        "exchange": "NSE",
        "product": "DELIVERY",
        "instrumentToken": 408065,
        "isin": "INE009A01021",
        "drift": 10.0,
        "message": "Overweight: 30 % against a target of 20 %. Sell 34, leaves 19.8 %",
        "cause": "ABOVE_TARGET",
        "charges": 68.25,
        "isDust": False,
        "tax": {
            "reasonText": REASONS[WhyUnknown.NOT_MATCHED],
            "shortGain": None,
            "longGain": None,
            "tax": None,
            "daysToLongTerm": None,
            "waits": [],
        },
    }


def test_every_row_adds_up(advice: AdviceDesk) -> None:
    for row in advice.rebalanced()["data"]:
        sign = {"BUY": 1, "SELL": -1, "HOLD": 0}[row["type"]]

        assert row["newQuantity"] == row["currentQuantity"] + sign * row["quantity"]
        assert row["projectedInvestmentValue"] == pytest.approx(
            row["currentInvestmentValue"]
            + row["additionalInvestmentValue"]
            - row["valueToBeFreed"],
            abs=0.001,
        )


def test_the_summary_has_the_exact_order_values_and_charges(advice: AdviceDesk) -> None:
    answer = advice.rebalanced()

    summary, rows = answer["summary"], answer["data"]
    assert summary["sellValue"] == 51000
    assert summary["buyValue"] == sum(row["additionalInvestmentValue"] for row in rows)
    assert summary["trades"] == 3
    assert summary["estimatedCharges"] == pytest.approx(sum(summary["chargesBreakdown"].values()))
    assert summary["chargesBreakdown"]["depository"] == 13
    assert summary["chargesBroker"] == "ZERODHA"
    assert summary["estimatedTax"] is None
    assert summary["priceTime"] == answer["pricedAt"]
    assert {
        "trackingErrorBps", "provedGapBps", "activeSharePct", "cashAfter", "cashAfterPct",
        "turnoverPct", "fundsToAdd",
    } < set(summary)  # fmt: skip


@pytest.mark.on_both(suite="long")
def test_charges_are_those_of_the_clients_own_broker(advice: AdviceDesk) -> None:
    brokers = {}
    for broker in ("ANGEL_ONE", "ZERODHA", "SOME BROKER OF A FILE"):
        with advice.database.transaction() as session:
            portfolio.set_broker(session, uuid.UUID(advice.client_id), broker, "")
        summary = advice.rebalanced()["summary"]
        depository = summary["chargesBreakdown"]["depository"]
        brokers[broker] = (summary["chargesBroker"], depository)

    assert brokers == {
        "ANGEL_ONE": ("ANGEL_ONE", 20),
        "ZERODHA": ("ZERODHA", 13),
        "SOME BROKER OF A FILE": ("ZERODHA", 13),
    }


def test_the_age_of_the_oldest_price_is_shown(advice: AdviceDesk) -> None:
    answer = advice.rebalanced(targets={"INFY": 20, "HDFCBANK": 10})

    source = answer["priceSource"]
    # HDFC Bank was not ticked since the start: its price is the close that is shipped.
    assert source["sources"] == ["CLOSE", "SIMULATED"]
    assert source["oldestSymbol"] == "HDFCBANK"
    age = datetime.fromisoformat(answer["pricedAt"]) - datetime.fromisoformat(source["oldestAt"])
    assert source["oldestAgeSeconds"] == int(age.total_seconds()) > 0


def test_a_stock_without_a_price_is_held(unpriced: str, advice: AdviceDesk) -> None:
    row = advice.rebalanced(targets={"INFY": 20, unpriced: 10})["data"][1]

    assert (row["type"], row["quantity"], row["ltp"]) == ("HOLD", 0, None)
    assert row["message"] == "No price: not traded"
    assert row["projectedInvestmentValue"] is None


def test_a_target_of_zero_sells_all(advice: AdviceDesk) -> None:
    row = advice.rebalanced(targets={"INFY": 0})["data"][0]

    assert (row["type"], row["newQuantity"]) == ("SELL", 0)
    assert row["message"] == "Sell all 100: exit"


def test_a_holding_without_a_target_is_not_traded(advice: AdviceDesk) -> None:
    row = advice.rebalanced(targets={"INFY": ""})["data"][0]

    assert (row["type"], row["message"]) == ("HOLD", "No target set: not traded")


def test_pledged_shares_to_be_sold_are_named(advice: AdviceDesk) -> None:
    advice.hold({"INFY": 100}, pledged=90)

    notices = advice.rebalanced(targets={"INFY": 0})["notices"]

    assert notices == [
        "INFY: 90 of the 100 shares to be sold are pledged and must be released first"
    ]


@pytest.mark.on_both(suite="long")
def test_options_of_the_request_override_those_of_the_firm(advice: AdviceDesk) -> None:
    advice.set_firm(band=Decimal(30))

    usual = advice.rebalanced(targets={"INFY": 20})["data"][0]
    asked = advice.rebalanced(targets={"INFY": 20}, options={"bandPercentage": 0})["data"][0]

    assert (usual["type"], asked["type"]) == ("HOLD", "SELL")


def test_a_book_exactly_on_target_has_nothing_to_do(advice: AdviceDesk) -> None:
    advice.hold({"INFY": 100, "TCS": 50}, cash="0")

    told = advice.rebalanced(targets={"INFY": 50, "TCS": 50}, investment=300000)

    assert [row["type"] for row in told["data"]] == ["HOLD", "HOLD"]
    assert told["summary"]["trades"] == 0
    assert told["summary"]["trackingErrorBps"] == told["summary"]["provedGapBps"] == 0


def test_an_investment_that_buys_no_share_is_refused(advice: AdviceDesk) -> None:
    answer = advice.rebalance(targets={"INFY": 60, "TCS": 40}, investment=1400)

    assert answer.status_code == 422
    assert answer.json()["message"].startswith(
        "An Investment Value of ₹1,400.00 does not buy one share of any stock in the target. "
        "Enter at least ₹1,50"
    )


def test_noise_of_a_sum_of_doubles_is_not_held_against_a_target(advice: AdviceDesk) -> None:
    answer = advice.rebalance({"INFY": 0.1 + 0.2}, investment=250000.1 + 250000.2)

    assert answer.status_code == 200
    assert answer.json()["data"][0]["allocationPercentage"] == 0.3


@pytest.mark.on_both(suite="long")
def test_the_whole_computation_is_kept(advice: AdviceDesk, database: Database) -> None:
    rebalance_id = advice.rebalanced()["rebalanceId"]

    with database.reading() as session:
        rebalance = session.get_one(Rebalance, uuid.UUID(rebalance_id))
        trail = session.execute(
            select(AuditRow).where(AuditRow.action == "rebalance_computed")
        ).scalar_one()
    package = json.loads(rebalance.package)
    assert str(rebalance.client_id) == advice.client_id
    assert package["investment"] == "500000.00"
    assert package["holdings_source"] == "FILE"
    assert package["synced_at"] is not None
    assert [position["quantity"] for position in package["positions"]] == [100, 10]
    assert {price["source"] for price in package["prices"]} == {"SIMULATED"}
    assert package["rates"]["broker"] == "ZERODHA"
    assert package["engine"].startswith("tarazu ")
    assert trail.record_id == rebalance_id


def test_rebalances_are_dropped_after_thirty_days(advice: AdviceDesk, database: Database) -> None:
    advice.rebalanced()

    early = jobs.drop_old_rebalances(database, clock.now() + timedelta(days=29))
    late = jobs.drop_old_rebalances(database, clock.now() + timedelta(days=31))

    left = scalar(database, select(func.count()).select_from(Rebalance))
    assert (early, late, left) == (0, 1, 0)


def test_an_investment_that_cannot_be_is_refused(advice: AdviceDesk) -> None:
    for investment in (0, -1, 0.001, 10**15, 10**40, 1e300):
        answer = advice.rebalance(investment=investment)

        assert answer.status_code == 422
        assert answer.json()["message"] == (
            "Investment Value must be more than ₹0 and at most ₹1,00,000 crore."
        )


@pytest.mark.parametrize("place", ["investment", "target", "band"])
def test_figures_that_are_no_numbers_are_refused(advice: AdviceDesk, place: str) -> None:
    for figure in ("NaN", "Infinity", "-Infinity", "1e999", '"nan"'):
        figures = {"investment": "500000", "target": "20", "band": "0"} | {place: figure}
        body = (
            f'{{"clientId": "{advice.client_id}", '
            f'"targetInvestmentValue": {figures["investment"]}, '
            f'"targetHoldings": [{{"tradingSymbol": "INFY", '
            f'"allocationPercentage": {figures["target"]}}}], '
            f'"options": {{"bandPercentage": {figures["band"]}}}}}'
        )

        answer = advice.desk.web.post(
            f"/api/v1{PATH}",
            content=body,
            headers=advice.desk.headers | {"Content-Type": "application/json"},
        )

        assert answer.status_code == 422
        words = answer.json()["message"]
        assert "must be a number" in words or words.startswith("Enter a number in plain digits")


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ({"INFY": 60, "TCS": 40.01}, "Total target allocation cannot exceed 100%"),
        ({"INFY": 60, "CASH": 41}, "Total target allocation cannot exceed 100%"),
        ({"INFY": -1}, "INFY: a target is 0 to 100 % in steps of 0.01."),
        ({"INFY": 101}, "INFY: a target is 0 to 100 % in steps of 0.01."),
        ({"INFY": 12.345}, "INFY: a target is 0 to 100 % in steps of 0.01."),
        ({"INFY": 1e30}, "INFY: a target is 0 to 100 % in steps of 0.01."),
        ({"CASH": 101}, "CASH: a target is 0 to 100 % in steps of 0.01."),
        ({"NOSUCH": 10}, "Stock NOSUCH is not known on NSE."),
    ],
)
def test_targets_that_cannot_be_are_refused(
    advice: AdviceDesk, targets: Mapping[str, Any], message: str
) -> None:
    answer = advice.rebalance(targets)

    assert reply_of(answer) == (422, message)


@pytest.mark.parametrize("symbol", ["INFY", "CASH"])
def test_a_row_that_is_there_twice_is_refused(advice: AdviceDesk, symbol: str) -> None:
    wanted = [{"tradingSymbol": symbol, "allocationPercentage": 10}] * 2

    answer = advice.rebalance(targetHoldings=wanted)

    assert reply_of(answer) == (422, f"{symbol} is in the list twice.")


def test_a_token_of_another_stock_is_refused(advice: AdviceDesk) -> None:
    wanted = [{"tradingSymbol": "TCS", "instrumentToken": 408065, "allocationPercentage": 10}]

    answer = advice.rebalance(targetHoldings=wanted)

    assert reply_of(answer) == (422, "TCS: the instrument token is of another stock.")


@pytest.mark.on_both(suite="long")
def test_more_than_three_hundred_stocks_are_refused(advice: AdviceDesk, database: Database) -> None:
    symbols = scalars(database, select(Instrument.symbol).limit(301))

    full = advice.rebalance(dict.fromkeys(symbols[:300], 0))
    over = advice.rebalance(dict.fromkeys(symbols, 0))

    assert full.status_code == 200
    assert reply_of(over) == (422, "At most 300 stocks can be rebalanced at once.")


def test_a_client_that_is_not_there_is_not_found(advice: AdviceDesk) -> None:
    answer = advice.rebalance(clientId=str(uuid.uuid4()))

    assert reply_of(answer) == (404, "Client not found")


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"exchange": None, "instrumentToken": None},
        {"exchange": "", "instrumentToken": ""},
        {"exchange": None, "instrumentToken": {}, "quantity": None, "ltp": "-"},
    ],
)
@pytest.mark.parametrize("symbol", ["CASH", " cash "])
def test_the_row_of_cash_needs_no_field_of_a_stock(
    advice: AdviceDesk, symbol: str, others: dict[str, Any]
) -> None:
    cash = {"tradingSymbol": symbol, "allocationPercentage": 60} | others
    stock = {"tradingSymbol": "INFY", "exchange": "NSE", "allocationPercentage": 40}

    answer = advice.rebalance(targetHoldings=[stock, cash])

    assert answer.status_code == 200, answer.text
    assert advice.rebalance(targetHoldings=[stock, others | {"tradingSymbol": symbol}]).is_success
