"""What is left of an advice: one client's rebalance, and runs of the book."""

import uuid

import pytest

from tarazu.follow_up import service
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer
from tarazu.kit import clock
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.models_of import Bench
from tests.people_of import Desk, data_of, new_key, reply_of
from tests.rows_of import audit_rows


@pytest.mark.on_both
def test_a_follow_up_is_a_rebalance_of_the_lines_that_are_left(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    advised = desk.line(advice_id, "RELIANCE")
    desk.carry_out(advice_id, clock.now() + MINUTE, "TCS", "INFY")
    desk.match(clock.now() + 2 * MINUTE)
    shares = {"INFY": 66, "TCS": 66, "ITC": 10}
    desk.advice.hold(shares, cash="250000")
    desk.advice.priced({"RELIANCE": "1300.00"})

    answer = desk.post(f"/admin/advice/{advice_id}/follow-up")

    rows = {row["symbol"]: row for row in answer.json()["data"]}
    assert answer.status_code == 200, answer.text
    assert rows["RELIANCE"]["type"] == "BUY"
    assert rows["RELIANCE"]["ltp"] == 1300
    assert abs(rows["RELIANCE"]["quantity"] - advised["advisedQuantity"]) <= 3
    assert {rows[symbol]["type"] for symbol in ("TCS", "INFY", "ITC")} == {"HOLD"}
    assert answer.json()["rebalanceId"]
    assert [row.kind for row in audit_rows(desk.database, "rebalance_computed")] == [
        "rebalance",
        "rebalance",
    ]


def test_a_follow_up_before_any_matching_has_all_lines(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()

    answer = desk.post(f"/admin/advice/{advice_id}/follow-up")

    rows = {row["symbol"]: row for row in answer.json()["data"]}
    advised = {line["tradingSymbol"]: line for line in desk.execution(advice_id)["lines"]}
    assert {symbol: rows[symbol]["quantity"] for symbol in advised} == {
        symbol: line["advisedQuantity"] for symbol, line in advised.items()
    }


def test_nothing_is_planned_where_nothing_is_left(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.carry_out(advice_id, clock.now() + MINUTE)
    desk.match(clock.now() + 2 * MINUTE)

    answer = desk.post(f"/admin/advice/{advice_id}/follow-up")

    assert answer.status_code == 409
    assert answer.json()["code"] == "nothing_left"


@pytest.mark.parametrize("is_matched", [False, True])
def test_nothing_is_left_of_advice_that_later_advice_replaces(
    desk: FollowUpDesk, is_matched: bool
) -> None:
    # Nobody reads the client's trades, so all lines of both are UNKNOWN.
    older = desk.advice.sent()
    newer = desk.advice.sent()
    if is_matched:
        desk.match()

    answer = desk.post(f"/admin/advice/{older}/follow-up")

    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_left")
    assert desk.post(f"/admin/advice/{newer}/follow-up").status_code == 200


def test_staff_compute_no_follow_up(desk: FollowUpDesk, user: Desk) -> None:
    advice_id = desk.advice.sent()

    assert user.post(f"/admin/advice/{advice_id}/follow-up").status_code == 403


# ------------------------------------------------------------------------------ runs of the book


def _sent_to(bench: Bench, *names: str) -> dict[str, str]:
    """Clients of the model with an advice of a run; the advice by client."""
    clients = [bench.client(name, {"INFY": 100}, "200000") for name in names]
    run = bench.sent(bench.begun(outside="SELL"))
    assert run["sending"]["sent"] == len(clients)
    return {client_id: bench.history(client_id)[0]["_id"] for client_id in clients}


def _match(bench: Bench) -> None:
    service.match_due(bench.database, clock.now())


def test_a_run_computes_the_clients_of_the_chosen_advice_alone(bench: Bench) -> None:
    advices = _sent_to(bench, "Kavya Menon", "Rohan Shah", "Meera Nair")
    _match(bench)
    kavya, rohan, _ = advices
    body = {"adviceIds": [advices[kavya], advices[rohan]]}

    begun = data_of(bench.desk.post("/admin/follow-up/run", body, **new_key()), 202)

    (run,) = begun["runs"]
    settled = bench.settled(run["_id"])
    assert (run["modelName"], run["clients"], begun["leftOut"]) == ("Large Cap", 2, [])
    assert settled["state"] == "REVIEW"
    assert {row["_id"] for row in bench.rows(settled)} == {kavya, rohan}
    again = bench.begun(after=run["_id"])
    assert {row["_id"] for row in bench.rows(again)} == {kavya, rohan}


@pytest.mark.on_both
def test_a_run_takes_all_advice_that_matches_a_filter(bench: Bench) -> None:
    _sent_to(bench, "Kavya Menon", "Rohan Shah")
    _match(bench)

    def clients_of(wanted: dict[str, object]) -> int:
        body = {"filter": wanted}
        answer = bench.desk.post("/admin/follow-up/run", body, **new_key())
        return sum(run["clients"] for run in data_of(answer, 202)["runs"])

    assert clients_of({"state": "UNKNOWN", "model": "Large Cap"}) == 2
    assert clients_of({"query": "rohan"}) == 1
    refused = bench.desk.post("/admin/follow-up/run", {"filter": {"state": "ACTED"}}, **new_key())
    assert reply_of(refused) == (422, "Choose the advice to follow up.")
    assert bench.books.wait(600)


def test_clients_without_a_model_or_with_nothing_left_are_named(bench: Bench) -> None:
    advices = _sent_to(bench, "Kavya Menon", "Rohan Shah", "Meera Nair")
    kavya, rohan, meera = advices
    new = NewResponse(Answer.DECLINED)
    with bench.database.transaction() as session:
        service.record_response(session, uuid.UUID(advices[kavya]), new, clock.now())
    _match(bench)
    path = f"/admin/models/{bench.model['_id']}/subscribers"
    bench.desk.put(path, {"add": [], "remove": [rohan]})

    body = {"adviceIds": list(advices.values())}
    begun = data_of(bench.desk.post("/admin/follow-up/run", body, **new_key()), 202)

    assert [run["clients"] for run in begun["runs"]] == [1]
    reasons = {row["userId"]: row["reason"] for row in begun["leftOut"]}
    assert reasons == {
        kavya: "The client declined the advice.",
        rohan: "The client follows no model: draft the follow-up from the advice itself.",
    }
    assert meera not in reasons
    assert bench.books.wait(600)


@pytest.mark.parametrize("body", [{}, {"adviceIds": [], "filter": {}}, {"adviceIds": ["x"]}])
def test_an_unfit_choice_is_refused(admin: Desk, body: dict[str, object]) -> None:
    assert admin.post("/admin/follow-up/run", body).status_code == 422


def test_advice_that_is_not_followed_is_refused(admin: Desk) -> None:
    answer = admin.post("/admin/follow-up/run", {"adviceIds": [str(uuid.uuid4())]})

    assert reply_of(answer) == (404, "Advice not found")
