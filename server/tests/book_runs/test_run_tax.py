"""The tax of a run: the sum of what is known of the included clients, and how many are not known."""

import datetime as dt
from decimal import Decimal

import pytest

from tarazu.kit import clock
from tarazu.orders.tables import OrderSide, TradeSource
from tests.models_of import Bench
from tests.orders.trades_of import record, trade


def test_a_run_sums_the_tax_that_is_known_and_counts_the_rest(bench: Bench) -> None:
    # Asha's lots are known, Ravi's are not, Meera sells nothing.
    asha = bench.client("Asha Rao", {"INFY": 300}, "20000")
    ravi = bench.client("Ravi Iyer", {"INFY": 300}, "20000")
    meera = bench.client("Meera Shah", {"INFY": 10}, "400000")
    at = dt.datetime.combine(clock.today() - dt.timedelta(days=60), dt.time(5), dt.UTC)
    made = trade("1", at, side=OrderSide.BUY, quantity=300, price=Decimal(1000))
    record(bench.database, asha, made, source=TradeSource.FILE)

    run = bench.begun()

    row, others = bench.row(run, asha), [bench.row(run, client) for client in (ravi, meera)]
    legs = bench.legs(run, asha)["legs"]
    (sale,) = (leg for leg in legs if leg["type"] == "SELL")
    assert row["estimatedTax"] == pytest.approx(sale["tax"]["tax"])
    assert row["estimatedTax"] > 0
    assert [other["estimatedTax"] for other in others] == [None, 0]
    totals = bench.settled(run["_id"])["totals"]
    assert totals["included"] == 3
    assert (totals["estimatedTax"], totals["unknownTax"]) == (row["estimatedTax"], 1)
