"""What a client does not want traded, in the single rebalance and in a run."""

from typing import Any

import pytest

from tests.models_of import Bench
from tests.people_of import data_of, reply_of


def _rebalance(bench: Bench, client: str, targets: dict[str, float]) -> dict[str, dict[str, Any]]:
    rows = [
        {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": target}
        for symbol, target in targets.items()
    ]
    body = {"clientId": client, "clientName": "", "targetInvestmentValue": 500000,
            "targetHoldings": rows}  # fmt: skip
    return {
        row["symbol"]: row
        for row in data_of(bench.desk.post("/admin/advice/rebalance-portfolio", body))
    }


@pytest.mark.on_both(suite="long")
def test_restrictions_act_in_the_rebalance_of_one_client(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 200, "TCS": 10, "ITC": 100}, "128965")
    answer = bench.restrict(
        client,
        {"tradingSymbol": "INFY", "kind": "LOCKED", "reason": "Inherited"},
        {"tradingSymbol": "TCS", "kind": "NEVER_BUY"},
        {"tradingSymbol": "ITC", "kind": "RANGE", "minimumPercentage": 4, "maximumPercentage": 12},
    )
    assert answer.status_code == 200

    rows = _rebalance(bench, client, {"INFY": 10, "TCS": 30, "RELIANCE": 20, "ITC": 0})

    assert (rows["INFY"]["type"], rows["INFY"]["newQuantity"]) == ("HOLD", 200)
    assert rows["INFY"]["message"] == "Locked: 60 % against a target of 10 %"
    assert rows["TCS"]["newQuantity"] == 10
    assert rows["TCS"]["message"] == "Never buy: 6 % against a target of 30 %"
    assert rows["ITC"]["newQuantity"] == 49  # 4 % of ₹5,00,000 and not a share less
    assert "Range: at least 4 % and at most 12 %" in rows["ITC"]["message"]


def test_a_range_caps_what_is_bought_and_sells_down_to_it(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 200}, "200000")
    bench.restrict(
        client,
        {"tradingSymbol": "INFY", "kind": "RANGE", "maximumPercentage": 20},
        {"tradingSymbol": "TCS", "kind": "RANGE", "maximumPercentage": 6},
    )

    rows = _rebalance(bench, client, {"INFY": 50, "TCS": 30})

    assert rows["INFY"]["newQuantity"] == 66
    assert rows["TCS"]["newQuantity"] == 10


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"kind": "RANGE"}, "INFY: a range has a minimum, a maximum or both."),
        ({"kind": "LOCKED", "maximumPercentage": 5},
         "INFY: only a range has a minimum or a maximum."),
        ({"kind": "RANGE", "minimumPercentage": 6, "maximumPercentage": 5},
         "INFY: the minimum is above the maximum."),
        ({"kind": "RANGE", "maximumPercentage": 101},
         "INFY: a percent is 0 to 100 in steps of 0.01."),
    ],
)  # fmt: skip
def test_unfit_restrictions_are_named(bench: Bench, row: dict[str, Any], message: str) -> None:
    client = bench.client("Asha Rao", {"INFY": 200})

    answer = bench.restrict(client, {"tradingSymbol": "INFY", **row})

    assert reply_of(answer) == (422, message)
    assert answer.json()["errors"][0]["field"] == "restrictions.0"


@pytest.mark.on_both(suite="long")
def test_the_list_is_replaced_whole_and_a_stale_one_is_refused(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 200})
    path = f"/admin/clients/client/{client}/restrictions"
    first = {"tradingSymbol": "INFY", "kind": "LOCKED"}
    second = {"tradingSymbol": "TCS", "kind": "NEVER_BUY"}
    assert bench.desk.put(path, {"version": 0, "restrictions": [first]}).status_code == 200

    stale = bench.desk.put(path, {"version": 0, "restrictions": [second]})
    fresh = bench.desk.put(path, {"version": 1, "restrictions": [second]})

    assert (stale.status_code, fresh.status_code) == (409, 200)
    (row,) = bench.desk.get(path).json()["data"]["restrictions"]
    assert (row["tradingSymbol"], row["kind"]) == ("TCS", "NEVER_BUY")
    told = str(bench.trail("restrictions_set")[0]["changes"])
    assert "INFY LOCKED" in told
    assert "TCS NEVER_BUY" in told


@pytest.mark.on_both(suite="long")
def test_a_sealed_advice_of_a_restricted_client_verifies(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 400, "SBIN": 20}, "200000")
    bench.restrict(
        client,
        {"tradingSymbol": "INFY", "kind": "NEVER_BUY"},
        {"tradingSymbol": "TCS", "kind": "RANGE", "maximumPercentage": 10},
        {"tradingSymbol": "SBIN", "kind": "LOCKED"},
    )
    run = bench.begun(outside="SELL")
    at = f"/admin/book-runs/{run['_id']}"
    bench.desk.put(f"{at}/clients/{client}", {"isIncluded": True, "note": "Seen"})

    bench.sent(bench.settled(run["_id"]))

    (advice,) = bench.history(client)
    checked = bench.desk.get(f"/admin/advice/{advice['_id']}/verify").json()["data"]
    assert checked["holds"], checked["checks"]
    assert "SBIN" not in {row["symbol"] for row in advice["stocks"]}
