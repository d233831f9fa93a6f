"""Holdings and trades that staff declare: who sees and changes them, breaches, and the check."""

from typing import Any

import pytest

from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, data_of, reply_of
from tests.registers.conftest import check_of

pytestmark = pytest.mark.on_both

PATH = "/admin/disclosures"
TRADE = {
    "kind": "TRADE",
    "holder": "SELF",
    "tradingSymbol": "INFY",
    "side": "SELL",
    "quantity": 50,
    "datedOn": "2026-11-20",
}
HOLDING = {
    "kind": "HOLDING",
    "holder": "RELATIVE",
    "relative": "Spouse",
    "tradingSymbol": "TCS",
    "quantity": 20,
    "datedOn": "2025-01-10",
}


def declare(desk: Desk, body: dict[str, Any], **fields: Any) -> dict[str, Any]:
    row: dict[str, Any] = data_of(desk.post(PATH, body | fields))
    return row


def test_a_user_declares_and_sees_the_own_ones_and_an_admin_sees_all(
    desk: Desk, user: Desk
) -> None:
    declare(desk, TRADE)
    own = declare(user, HOLDING)

    assert own["staffName"] == "Farhan Ali"
    assert data_of(user.get(PATH)) == [own]
    assert len(data_of(desk.get(PATH))) == 2
    assert "Ananya" not in user.get(f"{PATH}/export").text


def test_a_user_changes_nothing_of_others(desk: Desk, user: Desk, own_id: str) -> None:
    row = declare(desk, HOLDING)

    for answer in (
        user.put(f"{PATH}/{row['_id']}", HOLDING | {"quantity": 1}),
        user.post(f"{PATH}/{row['_id']}/end", {"endedOn": "2026-11-01"}),
        user.post(PATH, HOLDING | {"staffId": own_id}),
    ):
        assert reply_of(answer) == (
            403,
            "You can declare and change your own holdings and trades only.",
        )
    assert data_of(desk.get(PATH)) == [row]


@pytest.mark.parametrize(
    ("body", "fields", "sentence"),
    [
        (TRADE, {"side": None}, "Choose whether it was bought or sold."),
        (TRADE, {"datedOn": "2026-11-26"}, "This day is in the future."),
        (HOLDING, {"relative": ""}, "Enter which relative, such as spouse or father."),
    ],
)
def test_unfit_declarations_are_refused(
    desk: Desk, body: dict[str, Any], fields: dict[str, Any], sentence: str
) -> None:
    assert reply_of(desk.post(PATH, body | fields)) == (422, sentence)
    assert data_of(desk.get(PATH)) == []


def test_an_unknown_stock_and_no_shares_are_refused(desk: Desk) -> None:
    assert desk.post(PATH, TRADE | {"tradingSymbol": "NOSUCHCO"}).status_code == 404
    assert desk.post(PATH, TRADE | {"quantity": 0}).status_code == 422


def test_a_holding_ends_once_and_not_before_it_began(desk: Desk) -> None:
    row = declare(desk, HOLDING)
    end = f"{PATH}/{row['_id']}/end"

    assert reply_of(desk.post(end, {"endedOn": "2025-01-09"})) == (
        422,
        "The holding is declared from 10 Jan 2025: it ended later.",
    )
    assert desk.post(end, {"endedOn": "2026-11-26"}).status_code == 422
    assert data_of(desk.post(end, {"endedOn": "2026-11-24"}))["endedOn"] == "2026-11-24"
    assert desk.post(end, {"endedOn": "2026-11-24"}).status_code == 409
    trade = declare(desk, TRADE)
    assert desk.post(f"{PATH}/{trade['_id']}/end", {"endedOn": "2026-11-24"}).status_code == 422


def test_trades_in_the_window_of_an_advice_and_against_it_are_listed(advice: AdviceDesk) -> None:
    advice.sent(rationale="Quality.")
    declare(advice.desk, TRADE, side="BUY", datedOn="2026-10-26")
    declare(advice.desk, TRADE, side="BUY", datedOn="2026-10-25")
    declare(advice.desk, TRADE, tradingSymbol="TCS", side="SELL", datedOn="2026-11-25")

    rows = data_of(advice.desk.get(f"{PATH}/breaches"))

    assert [(row["tradingSymbol"], row["kind"], row["days"]) for row in rows] == [
        ("TCS", "AFTER", 0),
        ("TCS", "AGAINST", 0),
        ("INFY", "BEFORE", 30),
    ]
    assert {row["advisedOn"] for row in rows} == {"2026-11-25"}
    sheet = advice.desk.get(f"{PATH}/breaches/export")
    assert sheet.status_code == 200
    assert sheet.text.count("\n") == 4


def test_a_trade_within_the_days_warns_before_a_send_without_naming_anybody(
    advice: AdviceDesk,
) -> None:
    declare(advice.desk, TRADE)

    check = check_of(advice, "restricted")

    assert (check["level"], check["text"]) == (
        "WARN",
        "Staff or their relatives traded within the restricted days: INFY (5 days ago).",
    )
    assert advice.sent()


def test_trades_before_the_days_and_of_other_stocks_do_not_warn(advice: AdviceDesk) -> None:
    declare(advice.desk, TRADE, datedOn="2026-10-25")
    declare(advice.desk, TRADE, tradingSymbol="HDFCBANK")

    assert check_of(advice, "restricted")["level"] == "OK"


def test_the_firm_may_let_a_trade_refuse_the_send(advice: AdviceDesk) -> None:
    declare(advice.desk, TRADE)
    advice.desk.put("/admin/settings/guards", {"guards": [{"id": "restricted", "level": "BLOCK"}]})

    answer = advice.send(advice.advice_of(advice.rebalanced(), rationale="Quality."))

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "restricted")
    assert advice.history() == []


def test_a_holding_warns_until_the_sender_states_it(advice: AdviceDesk) -> None:
    row = declare(advice.desk, HOLDING)

    check = check_of(advice, "restricted")
    assert check["level"] == "WARN"
    assert "hold TCS" in check["text"]

    stated = {"holdings": "A relative of the analyst holds TCS."}
    assert check_of(advice, "restricted", disclosures=stated)["level"] == "OK"

    advice.desk.post(f"{PATH}/{row['_id']}/end", {"endedOn": "2026-11-24"})
    assert check_of(advice, "restricted")["text"] == (
        "No declared holding or trade of staff is in these stocks."
    )
