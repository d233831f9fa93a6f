"""The options of a run: chosen before it is computed, kept with it, kept to by every plan."""

import json
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select, update

from tarazu.advice.tables import AdviceSeal
from tarazu.firm.tables import Firm
from tarazu.kit.sockets import Progress
from tests.models_of import PRICES, Bench
from tests.rows_of import scalar

FIRM = {
    "bandPercentage": 0,
    "minimumTradeValue": 0,
    "includeCharges": True,
    "allowFreshFunds": True,
    "priceBufferPercentage": 0,
}


@pytest.mark.on_both(suite="long")
def test_what_is_not_chosen_is_the_firms_of_then(bench: Bench) -> None:
    bench.client("Asha Rao", {"INFY": 100}, "200000")

    first = bench.begun()
    with bench.database.transaction() as session:
        session.execute(update(Firm).values(minimum_trade=Decimal(2500)))
    second = bench.begun(options={"bandPercentage": 0.25})

    assert bench.settled(first["_id"])["options"] == FIRM
    assert second["options"] == FIRM | {"bandPercentage": 0.25, "minimumTradeValue": 2500}
    told = {
        change["field"]: change["after"] for change in bench.trail("book_run_begun")[0]["changes"]
    }
    assert (told["band"], told["minimumTrade"]) == ("0.25", "2500.0000")


def test_a_band_leaves_small_drifts_alone_in_every_advice(bench: Bench) -> None:
    # INFY 42.9 % for 30, the others nothing: only INFY is within fifteen points.
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")

    run = bench.begun(options={"bandPercentage": 15})

    legs = {leg["symbol"]: leg for leg in bench.legs(run, client)["legs"]}
    assert legs["INFY"]["message"] == "Hold: inside the 15 pp band (drift 12.86 pp)"
    assert {legs[name]["type"] for name in ("TCS", "RELIANCE")} == {"BUY"}
    bench.sent(run)
    past = bench.history(client)
    assert "INFY" not in {stock["symbol"] for stock in past[0]["stocks"]}
    sealed = json.loads(scalar(bench.database, select(AdviceSeal.package)))
    assert sealed["rebalance"]["options"]["band"] == "15.00"
    assert bench.desk.get(f"/admin/advice/{past[0]['_id']}/verify").json()["data"]["holds"]


def test_no_trade_is_smaller_than_the_least(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 76, "TCS": 28}, "150000")
    prices = {name: float(price) for name, price in PRICES.items()}

    def trades(**more: Any) -> list[float]:
        legs = bench.legs(bench.begun(**more), client)["legs"]
        return [leg["quantity"] * prices[leg["symbol"]] for leg in legs if leg["quantity"]]

    assert min(trades()) < 10_000
    assert min(trades(options={"minimumTradeValue": 10_000})) >= 10_000


def test_without_fresh_funds_no_more_is_spent_than_there_is(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.follow(client, amount=500000)

    run = bench.begun(options={"allowFreshFunds": False})

    row = bench.row(run, client)
    assert (row["tile"], row["fundsToAdd"]) == ("READY", 0)
    spent = row["buyValue"] - row["sellValue"] + row["estimatedCharges"]
    # The funds are 70 % of the amount, and so much of the cash target of five percent is kept.
    assert 177_500 < spent <= 182_500
    assert run["options"]["allowFreshFunds"] is False
    assert bench.sent(run)["sending"]["sent"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bandPercentage": 101}, "Band percentage must be at most 100."),
        ({"bandPercentage": -1}, "Band percentage must be at least 0."),
        ({"minimumTradeValue": -1}, "Minimum trade value must be at least 0."),
        (
            {"bandPercentage": 0.123},
            "Band: a percent from 0 to 100 with two decimals at most.",
        ),
        ({"minimumTradeValue": 0.00001}, "Minimum trade: more than four decimals."),
        ({"allowFreshFunds": "yes"}, "Allow fresh funds must be true or false."),
    ],
)
def test_unfit_options_are_refused_as_for_one_client(
    bench: Bench, options: dict[str, Any], message: str
) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    alone = {
        "clientId": client,
        "targetInvestmentValue": 100000,
        "targetHoldings": [{"tradingSymbol": "INFY", "allocationPercentage": 50}],
        "options": options,
    }

    one = bench.desk.post("/admin/advice/rebalance-portfolio", alone)
    all_ = bench.desk.post("/admin/book-runs", {"modelId": bench.model["_id"], "options": options})

    assert one.status_code == all_.status_code == 422
    assert message in all_.text
    assert (one.json()["code"], one.json()["message"]) == (
        all_.json()["code"], all_.json()["message"],
    )  # fmt: skip


@pytest.mark.parametrize("options", [None, {"bandPercentage": 1}])
def test_the_progress_of_the_computing_is_sent(bench: Bench, options: Any) -> None:
    for letter in "ABCD":
        bench.client(f"Client {letter}", {"INFY": 100}, "200000")
    told: list[Progress] = []
    bench.books.tell = told.append

    bench.begun(options=options)

    steps = [(one.done, one.total) for one in told if one.total == 4]
    done = [number for number, _ in steps]
    assert done == sorted(set(done))
    assert done[-1] == 4
    assert {2, 3} <= set(done)
    assert [one.state for one in told if one.done == one.total] == ["REVIEW"]
