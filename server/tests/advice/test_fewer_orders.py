"""Fewer orders over HTTP: five stops of one rebalance, and the one that is chosen."""

import uuid
from typing import Any

import pytest

from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk

TARGETS = {"INFY": 20, "TCS": 30, "RELIANCE": 25, "ITC": 15, "CASH": 10}


def path_of(rebalance: dict[str, Any]) -> str:
    return f"/admin/advice/rebalances/{rebalance['rebalanceId']}/fewer-orders"


def test_the_first_stop_is_the_rebalance_itself_and_the_others_have_fewer_orders(
    advice: AdviceDesk,
) -> None:
    full = advice.rebalanced(targets=TARGETS)

    answer = advice.desk.get(path_of(full))

    assert answer.status_code == 200, answer.text
    stops = answer.json()["data"]
    assert [stop["stop"] for stop in stops] == [0, 1, 2, 3, 4]
    assert stops[0]["data"] == full["data"]
    assert stops[0]["summary"] == full["summary"]
    orders = [stop["orders"] for stop in stops]
    assert orders == sorted(orders, reverse=True)
    assert orders[-1] < orders[0]
    errors = [stop["summary"]["trackingErrorBps"] for stop in stops]
    assert errors == sorted(errors)
    assert {stop["summary"]["provedGapBps"] for stop in stops} == {0}
    left_out = [row["message"] for row in stops[-1]["data"] if row["type"] == "HOLD"]
    assert any(text.startswith("Hold: left out for fewer orders") for text in left_out)


def test_the_stop_that_is_chosen_has_the_rows_that_were_shown_and_can_be_sent(
    advice: AdviceDesk,
) -> None:
    full = advice.rebalanced(targets=TARGETS)
    shown = advice.desk.get(path_of(full)).json()["data"][4]
    # Prices that move meanwhile, within the tolerance, change nothing of what was shown.
    advice.priced({"INFY": "1501.00"})

    chosen = advice.desk.post(path_of(full), {"stop": 4})

    assert chosen.status_code == 200, chosen.text
    answer = chosen.json()
    assert answer["data"] == shown["data"]
    assert answer["rebalanceId"] != full["rebalanceId"]
    sent = advice.send(advice.advice_of(answer))
    assert sent.status_code == 201, sent.text
    advice_id = sent.json()["data"]["_id"]
    assert advice.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]["holds"]


@pytest.mark.parametrize("stop", [-1, 5, 1.5, None, "x"])
def test_a_stop_that_is_not_there_is_refused(advice: AdviceDesk, stop: Any) -> None:
    full = advice.rebalanced(targets=TARGETS)

    answer = advice.desk.post(path_of(full), {"stop": stop})

    assert answer.status_code == 422


def test_a_rebalance_that_is_not_kept_is_said(advice: AdviceDesk) -> None:
    answer = advice.desk.get(path_of({"rebalanceId": uuid.uuid4()}))

    assert (answer.status_code, answer.json()["message"]) == (
        422,
        "This rebalance is no longer available. Rebalance again.",
    )


def test_only_an_admin_sees_fewer_orders(advice: AdviceDesk, user: Desk) -> None:
    full = advice.rebalanced(targets=TARGETS)

    assert user.get(path_of(full)).status_code == 403
    assert user.post(path_of(full), {"stop": 1}).status_code == 403
