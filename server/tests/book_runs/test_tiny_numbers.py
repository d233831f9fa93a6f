"""Numbers that would be kept as nothing, or otherwise than they were sent, are refused."""

from typing import Any

import pytest

from tests.advice.conftest import AdviceDesk, advice
from tests.models_of import Bench

__all__ = ["advice"]

TINY = [0.00001, "0.00001", "0.0000000001"]


@pytest.mark.parametrize("tiny", TINY)
def test_in_models_limits_runs_and_restrictions(bench: Bench, tiny: Any) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    model = bench.model["_id"]
    limits = {"holdingsDays": 1, "priceMinutes": 30, "tolerancePercentage": tiny}
    share = {"tradingSymbol": "INFY", "kind": "RANGE", "minimumPercentage": tiny}

    answers = [
        bench.desk.put(
            f"/admin/models/{model}/subscribers",
            {"add": [{"clientId": client, "investmentValue": tiny}]},
        ),
        bench.desk.put("/admin/book-limits", limits),
        bench.desk.post("/admin/book-runs", {"modelId": model, "tolerancePercentage": tiny}),
        bench.desk.post(
            "/admin/book-runs", {"modelId": model, "options": {"bandPercentage": tiny}}
        ),
        bench.desk.post(
            "/admin/book-runs", {"modelId": model, "options": {"minimumTradeValue": tiny}}
        ),
        bench.desk.put(
            f"/admin/clients/client/{client}/restrictions", {"version": 0, "restrictions": [share]}
        ),
        bench.desk.put("/settings/firm", {"minimumTradeValue": tiny}),
        bench.desk.post(
            f"/admin/clients/client/{client}/starting-capital", {"startingCapital": tiny}
        ),
    ]

    assert [answer.status_code for answer in answers] == [422] * len(answers), [
        answer.text[:120] for answer in answers
    ]


@pytest.mark.parametrize("tiny", TINY)
def test_in_a_rebalance(advice: AdviceDesk, tiny: Any) -> None:
    answers = [
        advice.rebalance(investment=tiny),
        advice.rebalance({"INFY": tiny}),
        advice.rebalance(options={"priceBufferPercentage": tiny}),
        advice.rebalance(options={"tradePenalty": tiny}),
    ]

    assert [answer.status_code for answer in answers] == [422] * len(answers), [
        answer.text[:120] for answer in answers
    ]
