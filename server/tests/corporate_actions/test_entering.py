"""Corporate actions entered by hand, listed, exported and removed."""

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import delete, select

from tarazu.corporate_actions import jobs
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.orders.tables import MatchingDue
from tests.advice.conftest import AdviceDesk, advice
from tests.corporate_actions.conftest import INFY, NEW_INFY, PATH, TCS, ActionDesk, isin_of
from tests.people_of import Desk, data_of, reply_of
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_rows, run, scalars

__all__ = ["advice"]

pytestmark = pytest.mark.on_both


def test_an_action_is_listed_with_what_it_does_and_who_holds_the_share(
    actions: ActionDesk,
) -> None:
    client_id = actions.desk.add_client()
    give_holdings(actions.database, client_id, {"INFY": (10, "1500")})

    entered = actions.enter(
        "BONUS", factor={"new": 7, "old": 4}, recordOn=actions.day(1), isin=INFY
    )

    assert actions.list() == [entered]
    shown = {name: entered[name] for name in ("tradingSymbol", "isin", "newIsin", "kind", "exOn")}
    assert shown == {
        "tradingSymbol": "INFY",
        "isin": INFY,
        "newIsin": None,
        "kind": "BONUS",
        "exOn": actions.day(),
    }
    assert (entered["factor"], entered["amount"]) == ({"new": 7, "old": 4}, None)
    assert (entered["effect"], entered["source"]) == ("3 new for 4 held", "MANUAL")
    assert (entered["state"], entered["clients"]) == ("DONE", 1)
    assert entered["recordOn"] == actions.day(1)


def test_what_each_kind_does_is_said_in_words(actions: ActionDesk) -> None:
    ratio = {"new": 1, "old": 2}
    fields: dict[str, dict[str, Any]] = {
        "SPLIT": {"factor": {"new": 10, "old": 1}, "newIsin": NEW_INFY},
        "CONSOLIDATION": {"factor": {"new": 1, "old": 10}},
        "DIVIDEND": {"amount": 3.5},
        "RIGHTS": {"factor": ratio, "amount": 1250.25},
        "DEMERGER": {"factor": ratio, "newIsin": TCS, "costShare": 12.5},
        "MERGER": {},
        "BUYBACK": {"amount": 1500},
    }
    for place, (kind, values) in enumerate(fields.items()):
        actions.enter(kind, after=10 + place, **values)

    assert {row["kind"]: row["effect"] for row in actions.list()} == {
        "SPLIT": f"10 for 1 · new ISIN {NEW_INFY}",
        "CONSOLIDATION": "1 for 10 · new ISIN not known yet",
        "DIVIDEND": "₹3.50 a share",
        "RIGHTS": "1 right for 2 held · ₹1,250.25 a share",
        "DEMERGER": f"1 of {TCS} for 2 held · 12.50 % of the cost",
        "MERGER": "Terms not entered",
        "BUYBACK": "₹1,500.00 a share",
    }


def test_the_list_is_filtered_by_days_state_text_and_holders(actions: ActionDesk) -> None:
    client_id = actions.desk.add_client()
    give_holdings(actions.database, client_id, {"TCS": (10, "3000")})
    past = actions.enter(after=-30)
    coming = actions.enter(after=30, tradingSymbol="TCS")
    today = actions.enter("DIVIDEND", amount=2)

    assert actions.list() == [coming, today, past]
    assert actions.list(sort="exOn") == [past, today, coming]
    assert actions.list(**{"from": actions.day(-1), "to": actions.day(1)}) == [today]
    assert actions.list(state="ANNOUNCED") == [coming]
    assert actions.list(state="DONE") == [today, past]
    assert actions.list(state="PENDING") == []
    assert actions.list(query="tc") == [coming]
    assert actions.list(held="true") == [coming]
    second = actions.desk.get(PATH, page=2, limit=2).json()
    assert (second["data"], second["pagination"]["totalUsers"]) == ([past], 3)


def test_the_export_has_the_same_rows(actions: ActionDesk) -> None:
    actions.split(after=3)
    actions.enter("DIVIDEND", amount=2, after=-3)

    answer = actions.desk.get(f"{PATH}/export", state="ANNOUNCED")

    assert answer.status_code == 200
    heading, row, *rest = answer.text.lstrip("\ufeff").splitlines()
    assert heading.startswith("Stock,Name,ISIN,Action,Ex-date")
    assert row.startswith("INFY,")
    assert f"5 for 1 · new ISIN {NEW_INFY}" in row
    assert not any("Dividend" in line for line in rest)


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"factor": None}, "factor", "Enter the ratio"),
        ({"factor": {"new": 1, "old": 2}}, "factor", "adds shares"),
        ({"isin": "INE009A01022", "tradingSymbol": ""}, "isin", "is not an ISIN"),
        ({"tradingSymbol": ""}, "isin", "Choose the stock"),
        ({"isin": TCS}, "isin", "INFY has the ISIN"),
        ({"kind": "SPLIT", "newIsin": INFY}, "newIsin", "must differ"),
        ({"kind": "SPLIT", "newIsin": TCS}, "newIsin", "two companies"),
        ({"kind": "DIVIDEND", "factor": None}, "amount", "Enter the dividend"),
        ({"kind": "DEMERGER", "newIsin": TCS, "costShare": 101}, "costShare", "0 to 100"),
        ({"exOn": "2029-01-01"}, "exOn", "more than a year ahead"),
        ({"recordOn": "2020-01-01"}, "recordOn", "The record date"),
    ],
)
def test_what_cannot_be_right_is_refused_with_its_field(
    actions: ActionDesk, fields: dict[str, Any], field: str, words: str
) -> None:
    answer = actions.post(**({"factor": {"new": 2, "old": 1}} | fields))

    assert answer.status_code == 422, answer.text
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert words in error["message"]
    assert actions.list() == []


def test_an_unknown_symbol_is_refused(actions: ActionDesk) -> None:
    answer = actions.post(tradingSymbol="NOSUCHCO", factor={"new": 2, "old": 1})

    assert reply_of(answer) == (404, "Stock NOSUCHCO is not known on NSE.")


def test_one_kind_once_a_day_and_another_kind_beside_it(actions: ActionDesk) -> None:
    actions.enter()
    actions.split()

    answer = actions.post(factor={"new": 3, "old": 1})

    assert answer.status_code == 409
    assert "INFY has a bonus on" in answer.json()["message"]
    assert "1 new for 1 held" in answer.json()["message"]
    assert len(actions.list()) == 2


def test_an_action_is_changed_by_one_that_replaces_it(actions: ActionDesk) -> None:
    wrong = actions.enter(factor={"new": 3, "old": 1})

    right = actions.enter(factor={"new": 2, "old": 1}, replaces=wrong["_id"])

    assert actions.list() == [right]
    assert actions.post(factor={"new": 2, "old": 1}, replaces=wrong["_id"]).status_code == 404
    kinds = ("corporate_action_entered", "corporate_action_removed")
    assert [len(audit_rows(actions.database, kind)) for kind in kinds] == [2, 1]


def test_a_removed_action_leaves_the_list_and_stays_in_the_audit_trail(
    actions: ActionDesk,
) -> None:
    action = actions.enter()

    answer = actions.remove(action)

    ex_on = dt.date.fromisoformat(action["exOn"])
    assert reply_of(answer) == (200, f"Bonus of {ex_on:%d-%m-%Y} removed.")
    assert actions.list() == []
    assert actions.remove(action).status_code == 404
    (row,) = audit_rows(actions.database, "corporate_action_removed")
    assert row.record_id == action["_id"]


def test_a_user_reads_the_list_and_changes_nothing(actions: ActionDesk, user: Desk) -> None:
    action = actions.enter()
    theirs = ActionDesk(user, actions.database)

    assert theirs.list() == [action]
    assert theirs.post(factor={"new": 2, "old": 1}).status_code == 403
    assert theirs.remove(action).status_code == 403


# ------------------------------------------------------------------------------------ the new ISIN


def test_a_split_gives_the_share_its_new_isin_and_the_undo_gives_it_back(
    actions: ActionDesk,
) -> None:
    client_id = actions.desk.add_client()
    give_holdings(actions.database, client_id, {"INFY": (10, "1500")})

    action = actions.split()

    assert actions.isin() == NEW_INFY
    holdings = data_of(actions.desk.get(f"/admin/clients/client/{client_id}/holdings"))
    assert [row["isin"] for row in holdings] == [NEW_INFY]
    (row,) = actions.list()
    assert (row["isin"], row["newIsin"], row["clients"]) == (INFY, NEW_INFY, 1)

    assert actions.remove(action).status_code == 200
    assert actions.isin() == INFY
    actions.split()
    assert actions.isin() == NEW_INFY


def test_an_announced_split_is_applied_on_its_ex_date(actions: ActionDesk) -> None:
    removed = actions.split(after=2)
    actions.remove(removed)
    actions.split(after=3)
    start = clock.start_of(clock.today() + dt.timedelta(days=3))

    jobs.apply_due(actions.database, start - dt.timedelta(seconds=1))
    assert actions.isin() == INFY
    assert jobs.apply_due(actions.database, start) == 1
    assert actions.isin() == NEW_INFY
    assert jobs.apply_due(actions.database, start) == 0


def test_a_broker_that_brings_the_new_isin_first_is_followed(actions: ActionDesk) -> None:
    with actions.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY")
        listing = instruments.BrokerListing("NSE", "INFY", NEW_INFY, infy.instrument_token)
        ((found,), _moved) = instruments.locate(session, [listing], clock.now())
        assert found is not None
        assert (found.id, found.isin) == (infy.id, NEW_INFY)

    action = actions.enter("SPLIT", factor={"new": 5, "old": 1})

    assert (action["isin"], action["newIsin"]) == (INFY, NEW_INFY)
    assert actions.isin() == NEW_INFY
    with actions.database.reading() as session:
        for isin in (INFY, NEW_INFY):
            (change,) = instruments.unit_changes_of(session, [isin])
            assert (change.isin, change.new_isin, change.factor) == (INFY, NEW_INFY, Fraction(5))


def test_a_broker_that_still_has_the_old_isin_is_understood(actions: ActionDesk) -> None:
    actions.split()

    with actions.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY")
        listing = instruments.BrokerListing("NSE", "INFY", INFY, infy.instrument_token)
        ((found,), _moved) = instruments.locate(session, [listing], clock.now())

    assert found is not None
    assert (found.id, found.isin) == (infy.id, NEW_INFY)


def test_a_second_split_follows_the_first_along_the_chain(actions: ActionDesk) -> None:
    third = isin_of("INE009A0104")
    actions.split(after=-30)
    second = actions.split(newIsin=third, factor={"new": 2, "old": 1})

    assert (second["isin"], actions.isin()) == (NEW_INFY, third)
    dividend = actions.enter("DIVIDEND", after=-31, amount=4)
    assert dividend["isin"] == INFY
    with actions.database.reading() as session:
        changes = instruments.unit_changes_of(session, [third])
    assert [change.isin for change in changes] == [INFY, NEW_INFY]


# --------------------------------------------------------------------------------------- matching


def test_clients_with_advice_on_the_share_are_matched_again(
    advice: AdviceDesk, actions: ActionDesk
) -> None:
    other = actions.desk.add_client("Ira Bose", "ira@home.example")
    give_holdings(actions.database, other, {"INFY": (5, "1500")})
    data_of(advice.send(advice.advice_of(advice.rebalanced())), 201)

    def marked() -> list[str]:
        clients = [str(key) for key in scalars(actions.database, select(MatchingDue.client_id))]
        run(actions.database, delete(MatchingDue))
        return clients

    marked()
    dividend = actions.enter("DIVIDEND", amount=3)
    assert marked() == []
    bonus = actions.enter(after=-2)
    assert marked() == [advice.client_id]
    actions.remove(bonus)
    assert marked() == [advice.client_id]
    actions.remove(dividend)
    assert marked() == []
