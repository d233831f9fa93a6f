"""A bonus or a split from its entry on: what clients own, what may be sold, and the way back."""

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from httpx2 import Response
from sqlalchemy import delete, update

from tarazu.advice import service as advising
from tarazu.corporate_actions import jobs
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import new_id
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding
from tarazu.portfolio.tables import Account, HoldingChange, PendingAction
from tarazu.upkeep import service as upkeep
from tests.advice.conftest import AdviceDesk, advice
from tests.corporate_actions.conftest import ActionDesk
from tests.people_of import data_of, reply_of
from tests.portfolio.actions import known_for_long
from tests.rows_of import run

__all__ = ["advice"]

EXIT = {"INFY": 0, "TCS": 40, "RELIANCE": 30, "CASH": 10}


@pytest.fixture
def desk(advice: AdviceDesk) -> ActionDesk:
    """C0001 has held 100 INFY at ₹100 for long; INFY costs ₹1,500."""
    known_for_long(advice.database)
    return ActionDesk(advice.desk, advice.database)


def credit(advice: AdviceDesk, quantity: int, average: str) -> None:
    """The next reading shows so many shares of INFY."""
    with advice.database.transaction() as session:
        held = portfolio.present_of(session, [UUID(advice.client_id)])[UUID(advice.client_id)]
        infy = max(held.holdings, key=lambda key: held.holdings[key].quantity)
        new = {**held.holdings, infy: NewHolding(quantity, Decimal(average))}
        owner = UUID(advice.client_id)
        portfolio.replace_holdings(session, SYSTEM, clock.now(), owner, new, "FILE")


def infy_of(advice: AdviceDesk) -> dict[str, Any]:
    path = f"/admin/clients/client/{advice.client_id}/holdings"
    return next(row for row in data_of(advice.desk.get(path)) if row["tradingSymbol"] == "INFY")


def portfolio_of(advice: AdviceDesk) -> dict[str, Any]:
    return dict(data_of(advice.desk.get(f"/admin/clients/client/{advice.client_id}/portfolio")))


def shares(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["quantity"], row["uncredited"], row["free"], row["actionPending"], row["invested"]


@pytest.mark.on_both
def test_a_bonus_is_pending_until_it_is_credited(desk: ActionDesk, advice: AdviceDesk) -> None:
    action = desk.enter()
    pending = infy_of(advice)
    states = [(row["state"], row["clients"], row["waiting"]) for row in desk.list()]
    named = portfolio_of(advice)["actionPending"]

    credit(advice, 200, "50")

    assert (action["state"], states) == ("PENDING", [("PENDING", 1, 1)])
    assert shares(pending) == (200, 100, 100, True, 10_000)
    assert named == ["INFY"]
    assert shares(infy_of(advice)) == (200, 0, 200, False, 10_000)
    assert [(row["state"], row["waiting"]) for row in desk.list()] == [("DONE", 0)]
    assert portfolio_of(advice)["actionPending"] == []


@pytest.mark.on_both
@pytest.mark.parametrize("after", [0, -31])
def test_the_undo_gives_every_figure_back(desk: ActionDesk, advice: AdviceDesk, after: int) -> None:
    credited_before = clock.now() - dt.timedelta(days=60)
    run(advice.database, update(Account).values(first_synced_at=credited_before))
    before = infy_of(advice), portfolio_of(advice)
    action = desk.enter(after=after, factor={"new": 3, "old": 1})
    assert (infy_of(advice), portfolio_of(advice)) != before

    assert desk.remove(action).status_code == 200

    assert (infy_of(advice), portfolio_of(advice)) == before
    assert desk.list(state="PENDING") == []


def test_an_announced_split_takes_place_on_its_ex_date(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    action = desk.split(after=2)
    announced = infy_of(advice)
    assert action["state"] == "ANNOUNCED"

    assert jobs.apply_due(advice.database, clock.now() + dt.timedelta(days=2)) == 1

    assert shares(announced)[:2] == (100, 0)
    held = infy_of(advice)
    assert shares(held)[:2] == (500, 400)
    assert held["currentValue"] == announced["currentValue"] == 150_000


@pytest.mark.on_both
def test_the_list_is_filtered_by_how_far_an_action_has_come(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    late = desk.enter(after=-8)
    coming = desk.enter(after=3)
    done = desk.enter(after=-1, tradingSymbol="TCS")

    assert (late["state"], done["state"]) == ("LATE", "DONE")
    for state, action in (("LATE", late), ("ANNOUNCED", coming), ("DONE", done)):
        assert [row["_id"] for row in desk.list(state=state)] == [action["_id"]]
    assert desk.list(state="PENDING") == []


def test_a_rebalance_sells_only_what_is_credited_and_seals_it(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter()
    form = data_of(advice.desk.get("/admin/advice/clients/by-code/C0001/holdings"))["holdings"][0]

    rebalance = advice.rebalanced(targets=EXIT)
    row = next(row for row in rebalance["data"] if row["symbol"] == "INFY")
    answer = advice.send(advice.advice_of(rebalance))

    assert (form["actionPending"], form["uncredited"], form["quantity"]) == (True, 100, 200)
    assert (row["currentQuantity"], row["quantity"]) == (200, 100)
    assert row["message"] == (
        "100 shares are not credited yet and cannot be sold. "
        "Sell 100, leaves 30 % against a target of 0 %"
    )
    advice_id = data_of(answer, 201)["_id"]
    with advice.database.reading() as session:
        sealed, _ = advising.sealed_advice(session, UUID(advice_id))
    assert [position.uncredited for position in sealed.rebalance.positions] == [100, 0]
    verified = data_of(advice.desk.get(f"/admin/advice/{advice_id}/verify"))
    assert verified["holds"], verified


def checks_of(advice: AdviceDesk, body: Any) -> dict[str, Any]:
    answer = advice.desk.post("/admin/advice/preflight", body)
    return {check["id"]: check for check in data_of(answer)}


def blocks_of(answer: Response) -> dict[str, str]:
    """The checks that refused a send."""
    assert answer.status_code == 422, answer.text
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


def test_a_pending_action_within_what_is_credited_is_told_and_stops_nothing(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter()

    check = checks_of(advice, advice.advice_of(advice.rebalanced(targets=EXIT)))["corporate_action"]

    assert (check["level"], check["text"]) == (
        "OK",
        "C0001 (INFY): a corporate action is pending; only credited shares are sold.",
    )


def test_selling_more_than_is_credited_is_refused(desk: ActionDesk, advice: AdviceDesk) -> None:
    desk.enter()
    rebalance = advice.rebalanced(targets=EXIT)
    row = next(row for row in rebalance["data"] if row["symbol"] == "INFY")
    row |= {
        "quantity": 150,
        "projectedInvestmentValue": 75_000,
        "possibleAllocationPercentage": 15,
    }
    body = advice.advice_of(rebalance)
    del body["rebalanceId"]

    text = (
        "C0001 (INFY): more shares are sold than the broker has credited after a corporate action. "
        "Rebalance again."
    )
    assert blocks_of(advice.send(body)) == {"corporate_action": text}
    assert advice.history() == []


def test_where_it_is_not_known_what_is_credited_nothing_of_it_is_sent(advice: AdviceDesk) -> None:
    # First read today, on the ex-date itself: before or after the credit, nobody knows.
    ActionDesk(advice.desk, advice.database).enter()

    blocks = blocks_of(advice.send(advice.advice_of(advice.rebalanced(targets=EXIT))))

    assert blocks["corporate_action"].startswith(
        "C0001 (INFY): it is not known whether the broker has credited the shares"
    )


def test_advice_from_before_the_action_is_not_sent(desk: ActionDesk, advice: AdviceDesk) -> None:
    rebalance = advice.rebalanced(targets=EXIT)
    desk.enter()

    answer = advice.send(advice.advice_of(rebalance))

    assert reply_of(answer) == (
        422,
        "The client's holdings changed since the rebalance: INFY. Rebalance again.",
    )


def test_entering_the_action_ends_the_suspicion(desk: ActionDesk, advice: AdviceDesk) -> None:
    with advice.database.transaction() as session:
        key = instruments.by_symbol(session, "NSE", "INFY").id
        portfolio.suspect_actions(session, clock.now() + dt.timedelta(minutes=1), [key])
    suspected = infy_of(advice)

    action = desk.enter()

    entered = infy_of(advice)
    assert (suspected["actionSuspected"], suspected["pnl"]) == (True, None)
    assert (entered["actionSuspected"], entered["pnl"]) == (False, 290_000)
    assert portfolio_of(advice)["actionSuspected"] == []
    assert desk.remove(action).status_code == 200
    assert infy_of(advice)["actionSuspected"] is True


@pytest.mark.on_both(suite="long")
def test_a_share_on_both_exchanges_gets_its_bonus_on_both(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    with advice.database.transaction() as session:
        listed = session.get_one(Instrument, instruments.by_symbol(session, "NSE", "INFY").id)
        fields = {
            column.key: getattr(listed, column.key) for column in Instrument.__table__.columns
        }
        other = Instrument(**fields | {"id": new_id(), "exchange": "BSE", "zerodha_token": 77_001})
        session.add(other)
        session.flush()
        owner = UUID(advice.client_id)
        held = portfolio.present_of(session, [owner])[owner].holdings
        new = {**held, other.id: NewHolding(10, Decimal(100))}
        portfolio.replace_holdings(session, SYSTEM, clock.now(), owner, new, "FILE")
    # As if this had been shown before the ex-date.
    run(advice.database, delete(HoldingChange))
    desk.enter()

    path = f"/admin/clients/client/{advice.client_id}/holdings"
    rows = [row for row in data_of(advice.desk.get(path)) if row["tradingSymbol"] == "INFY"]
    assert {row["exchange"]: row["quantity"] for row in rows} == {"NSE": 200, "BSE": 20}


def test_the_client_list_marks_who_waits(desk: ActionDesk, advice: AdviceDesk) -> None:
    def marks() -> list[bool]:
        return [row["actionPending"] for row in data_of(advice.desk.get("/admin/clients"))]

    before = marks()
    desk.enter()
    pending = marks()
    credit(advice, 200, "100")

    assert (before, pending, marks()) == ([False], [True], [False])


@pytest.mark.on_both(suite="long")
def test_closes_that_could_not_be_adjusted_are_named(desk: ActionDesk, advice: AdviceDesk) -> None:
    desk.enter()
    run(advice.database, update(PendingAction).values(is_adjusted=False))

    path = f"/admin/clients/client/{advice.client_id}/performance"
    assert advice.desk.get(path).json()["closesNotAdjusted"] == ["INFY"]
    assert portfolio_of(advice)["closesNotAdjusted"] == ["INFY"]


def test_readiness_names_what_is_credited_too_late(desk: ActionDesk, advice: AdviceDesk) -> None:
    day = clock.today() - dt.timedelta(days=8)
    desk.enter(after=-1, factor={"new": 3, "old": 2})
    early = advice.desk.get("/admin/readiness").json()
    desk.enter(after=-8)

    answer = advice.desk.get("/admin/readiness", problem="ACTIONS").json()

    assert early["counts"]["actions"] == 0
    assert answer["counts"]["actions"] == 1
    (row,) = answer["data"]
    assert "ACTIONS" in row["problems"]
    first = f"INFY: 100 shares are not credited since {day.day} {day:%b %Y}."
    assert row["lateActions"][0] == first
    with advice.database.reading() as session:
        metrics = upkeep.database_metrics(session, clock.today())
    (late,) = [one for one in metrics if one.name == "tarazu_holdings_credited_late"]
    assert [sample.value for sample in late.samples] == [1]
    work = data_of(advice.desk.get("/admin/dashboard/work"))
    assert ("ACTIONS", 1) in [(line["kind"], line["count"]) for line in work]
