"""Advice that a second administrator must approve: it is sent by the approval, once, or not at all."""

import datetime as dt
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tarazu.advice.tables import Advice, AdviceSeal
from tarazu.approvals.tables import Approval
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail
from tests.advice.conftest import AdviceDesk
from tests.approvals.conftest import PATH, ask, asked_id, decide, switch_on
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import audit_changes, run, scalar, scalars

NEEDED = (403, "A second administrator must approve this. Ask for the approval.")


def _asked(advice: AdviceDesk, **changes: Any) -> dict[str, Any]:
    body = advice.advice_of(advice.rebalanced(), rationale="Quality.", **changes)
    return {"action": "ADVICE", "advice": body}


def _sent(database: Database) -> int:
    return int(scalar(database, select(func.count()).select_from(Advice)))


@pytest.mark.on_both
def test_it_is_sent_when_another_administrator_approves_and_both_are_sealed(
    advice: AdviceDesk, second: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    asked = _asked(advice)
    alone = advice.send(asked["advice"])
    before = _sent(database)

    approval_id = asked_id(advice.desk, asked, "Before the results.")
    answer = decide(second, approval_id, answer="Read.")

    assert reply_of(alone) == NEEDED
    assert alone.json()["code"] == "APPROVAL_REQUIRED"
    assert alone.json()["details"] == {"action": "ADVICE"}
    assert before == 0
    row = data_of(answer)
    assert (row["state"], row["askedBy"], row["decidedBy"]) == (
        "APPROVED",
        ADMIN["name"],
        "Meera Joshi",
    )
    (kept,) = advice.history()
    assert row["result"] == kept["_id"]
    sealed = json.loads(scalar(database, select(AdviceSeal.package)))
    assert sealed["sender"]["name"] == ADMIN["name"]
    assert sealed["approval"]["approval_id"] == approval_id
    assert sealed["approval"]["approver"]["name"] == "Meera Joshi"
    assert sealed["approval"]["asked_at"] < sealed["approval"]["approved_at"]
    check = data_of(advice.desk.get(f"/admin/advice/{kept['_id']}/verify"))
    assert check["holds"]
    actions = [action for action, _ in audit_changes(database, approval_id)]
    assert actions == ["approval_asked", "approval_approved"]


def test_without_the_setting_it_is_sent_as_before_and_nothing_can_be_asked_for(
    advice: AdviceDesk, second: Desk, database: Database
) -> None:
    asked = _asked(advice)

    assert reply_of(ask(advice.desk, asked)) == (409, "This needs no approval.")
    assert advice.send(asked["advice"]).status_code == 201
    sealed = json.loads(scalar(database, select(AdviceSeal.package)))
    assert sealed["approval"] is None


def test_the_one_who_decides_sees_the_orders_the_reason_and_the_checks_of_now(
    advice: AdviceDesk, second: Desk
) -> None:
    switch_on(advice.desk, "ADVICE")
    asked = _asked(advice)
    approval_id = asked_id(advice.desk, asked, "Before the results.")

    shown = data_of(second.get(f"{PATH}/{approval_id}"))

    assert (
        shown["about"] == f"Advice to Kavya Menon (C0001), {len(asked['advice']['stocks'])} orders"
    )
    assert (shown["note"], shown["isOwn"]) == ("Before the results.", False)
    assert shown["facts"] == [{"label": "Rationale", "text": "Quality."}]
    assert {row["symbol"]: row["quantity"] for row in shown["orders"]} == {
        stock["symbol"]: stock["quantity"] for stock in asked["advice"]["stocks"]
    }
    for name, side in (("buyValue", "BUY"), ("sellValue", "SELL")):
        orders = [row for row in asked["advice"]["stocks"] if row["type"] == side]
        assert shown[name] == pytest.approx(sum(row["quantity"] * row["ltp"] for row in orders))
    assert {check["id"] for check in shown["checks"]} >= {"kyc", "terms"}
    assert shown["fault"] == ""
    assert data_of(advice.desk.get(f"{PATH}/{approval_id}"))["isOwn"]


def test_an_own_approval_is_refused_and_in_the_audit_trail(
    advice: AdviceDesk, second: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    approval_id = asked_id(advice.desk, _asked(advice))

    answers = [decide(advice.desk, approval_id, verb) for verb in ("approve", "refuse")]

    sentence = "You asked for this yourself. Another administrator must decide."
    assert [reply_of(answer) for answer in answers] == [(403, sentence)] * 2
    assert _sent(database) == 0
    refused = [
        c for a, c in audit_changes(database, approval_id) if a == "approval_decision_refused"
    ]
    assert [changes["reason"] for changes in refused] == [sentence] * 2


@pytest.mark.on_both
@pytest.mark.parametrize("turn", range(20))
def test_of_two_approvers_at_once_one_sends_and_the_other_is_told(
    advice: AdviceDesk, second: Desk, third: Desk, database: Database, turn: int
) -> None:
    if turn == 0:
        switch_on(advice.desk, "ADVICE")
    else:
        switch_on(advice.desk, "ADVICE", "RUN")
    approval_id = asked_id(advice.desk, _asked(advice))
    verbs = ("approve", "refuse") if turn % 2 else ("approve", "approve")

    with ThreadPoolExecutor(2) as pool:
        answers = list(
            pool.map(
                lambda case: decide(case[0], approval_id, case[1]),
                zip((second, third), verbs, strict=True),
            )
        )

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    first = next(answer for answer in answers if answer.status_code == 200).json()["data"]
    late = next(answer for answer in answers if answer.status_code == 409)
    word = "approved" if first["state"] == "APPROVED" else "refused"
    assert late.json()["message"] == f"This was already {word} by {first['decidedBy']}."
    assert _sent(database) == (1 if first["state"] == "APPROVED" else 0)
    actions = [action for action, _ in audit_changes(database, approval_id)]
    assert actions == ["approval_asked", f"approval_{word}", "approval_decision_refused"]


def test_what_cannot_be_sent_is_refused_when_it_is_asked_for(
    advice: AdviceDesk, second: Desk
) -> None:
    switch_on(advice.desk, "ADVICE")
    asked = _asked(advice)
    body = {"guards": [{"id": "kyc", "level": "BLOCK"}]}
    data_of(advice.desk.put("/admin/settings/guards", body))

    answer = ask(advice.desk, asked)

    assert answer.status_code == 422
    assert "KRA status" in answer.json()["message"]
    assert data_of(second.get(PATH)) == []


def test_what_can_no_longer_be_sent_stays_waiting_and_says_why(
    advice: AdviceDesk, second: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    approval_id = asked_id(advice.desk, _asked(advice))
    advice.hold({"INFY": 90}, cash="200000")

    answer = decide(second, approval_id)

    assert answer.status_code in {409, 422}
    assert "holdings changed since the rebalance" in answer.json()["message"]
    shown = data_of(second.get(f"{PATH}/{approval_id}"))
    assert shown["state"] == "WAITING"
    assert "holdings changed since the rebalance" in shown["fault"]
    assert _sent(database) == 0


def test_a_refusal_and_a_withdrawal_send_nothing(
    advice: AdviceDesk, second: Desk, third: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    refused = asked_id(advice.desk, _asked(advice))
    row = data_of(decide(second, refused, "refuse", "Wait for the results."))
    withdrawn = asked_id(advice.desk, _asked(advice))
    foreign = decide(third, withdrawn, "withdraw")
    own = data_of(decide(advice.desk, withdrawn, "withdraw"))

    assert (row["state"], row["answer"]) == ("REFUSED", "Wait for the results.")
    assert reply_of(foreign) == (404, "Approval not found")
    assert own["state"] == "WITHDRAWN"
    assert reply_of(decide(second, withdrawn)) == (
        409, f"This was already withdrawn by {ADMIN['name']}.",
    )  # fmt: skip
    assert _sent(database) == 0


@pytest.mark.on_both(suite="long")
def test_after_a_day_it_must_be_asked_for_again(
    advice: AdviceDesk, second: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    approval_id = asked_id(advice.desk, _asked(advice))
    (asked_at,), (expires_at,) = (
        scalars(database, select(column)) for column in (Approval.asked_at, Approval.expires_at)
    )
    run(database, update(Approval).values(expires_at=clock.now()))

    answer = decide(second, approval_id)
    listed = data_of(second.get(PATH, state="EXPIRED"))
    waiting = data_of(second.get(PATH, state="WAITING"))

    assert expires_at - asked_at == dt.timedelta(hours=24)

    assert reply_of(answer) == (
        409, "Nobody decided within 24 hours. It must be asked for again.",
    )  # fmt: skip
    assert [row["_id"] for row in listed] == [approval_id]
    assert waiting == []
    assert _sent(database) == 0


def test_one_who_lost_the_role_gets_nothing_sent(
    advice: AdviceDesk, second: Desk, third: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    approval_id = asked_id(advice.desk, _asked(advice))
    rows = data_of(second.get("/users"))
    asker = next(row for row in rows if row["email"] == ADMIN["email"])
    data_of(second.put("/users/edit", {"id": asker["_id"], "role": "USER"}))

    answer = decide(third, approval_id)

    assert reply_of(answer) == (
        409, "Whoever asked for this may no longer do it. It must be asked for again.",
    )  # fmt: skip
    assert _sent(database) == 0


def test_the_same_request_waits_once(advice: AdviceDesk, second: Desk) -> None:
    switch_on(advice.desk, "ADVICE")
    asked = _asked(advice)

    first = asked_id(advice.desk, asked, "One.")
    again = asked_id(advice.desk, asked, "Two.")

    assert first == again
    assert [row["_id"] for row in data_of(second.get(PATH))] == [first]


@pytest.mark.on_both(suite="long")
def test_the_other_administrators_are_mailed_and_then_whoever_asked(
    advice: AdviceDesk, second: Desk, third: Desk, database: Database
) -> None:
    switch_on(advice.desk, "ADVICE")
    approval_id = asked_id(advice.desk, _asked(advice))
    asked = scalars(database, select(Mail.recipient).order_by(Mail.recipient))

    decide(second, approval_id, "refuse", "No.")

    assert asked == ["meera@desk.example", "ravi@desk.example"]
    to_asker = select(Mail.subject).where(Mail.recipient == ADMIN["email"])
    assert scalar(database, to_asker) == "Your request was refused"


def test_a_user_can_neither_ask_for_advice_nor_see_what_others_asked_for(
    advice: AdviceDesk, second: Desk, user: Desk
) -> None:
    switch_on(advice.desk, "ADVICE")
    asked = _asked(advice)
    approval_id = asked_id(advice.desk, asked)

    assert reply_of(ask(user, asked)) == (403, "You do not have permission to do this.")
    assert data_of(user.get(PATH)) == []
    assert reply_of(user.get(f"{PATH}/{approval_id}")) == (404, "Approval not found")
    assert decide(user, approval_id).status_code == 403
