"""Sending advice: what is stored, what is refused, and that nothing is sent twice."""

import datetime as dt
import json
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import func, select, update

from tarazu.advice import service
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal, Rebalance
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail
from tarazu.people.tables import Person, Status
from tests.advice.conftest import AdviceDesk
from tests.people_of import new_key, reply_of
from tests.rows_of import audit_rows, run, scalar

Body = dict[str, Any]


def _count(database: Database, table: Any) -> int:
    return int(scalar(database, select(func.count()).select_from(table)))


def _infy(body: Body) -> Body:
    stock: Body = body["stocks"][0]
    assert stock["symbol"] == "INFY"
    return stock


def test_a_rebalance_is_sent_and_stored_as_shown(advice: AdviceDesk, database: Database) -> None:
    rebalance = advice.rebalanced()
    body = advice.advice_of(rebalance)

    answer = advice.send(body)

    sent = answer.json()
    assert answer.status_code == 201
    assert sent["message"] == "Advice created successfully"
    assert sent["data"]["status"] == "QUEUED"
    (kept,) = advice.history()
    assert kept["_id"] == sent["data"]["_id"]
    assert kept["createdAt"] == sent["data"]["createdAt"]
    for name in ("totalStocks", "totalInvestedValue", "totalBuyValue", "totalSellValue"):
        assert kept[name] == body[name]
    for stored, shown in zip(kept["stocks"], body["stocks"], strict=True):
        assert stored | shown == stored
    assert kept["stocks"][0]["valueToBeFreed"] == 51000


def test_advice_mail_and_audit_row_are_stored_together_or_not_at_all(
    advice: AdviceDesk, database: Database
) -> None:
    advice_id = advice.sent()
    early = advice.desk.get(f"/admin/advice/{advice_id}/letter.pdf").content
    advice.set_letters()

    with database.reading() as session:
        letter = session.get_one(AdviceLetter, uuid.UUID(advice_id)).letter
        kept = session.get_one(Advice, uuid.UUID(advice_id))
        mail = session.execute(select(Mail)).scalar_one()
    assert kept.mail_id == mail.id
    (row,) = audit_rows(database, "advice_sent")
    assert (row.kind, row.record_id) == ("advice", advice_id)
    assert mail.recipient == "kavya@home.example"
    assert early == letter == mail.attachment
    assert letter.startswith(b"%PDF-")


def test_what_the_advice_was_made_from_is_kept_with_it(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent(disclosures={"holdings": "The analyst holds 5 shares of TCS."})

    record = _sealed(database)

    assert (record["sender"]["name"], record["sender"]["role"]) == ("Ananya Kulkarni", "ADMIN")
    assert record["firm"]["registration_number"] == "INH000012345"
    assert record["disclosures"]["holdings"] == "The analyst holds 5 shares of TCS."
    assert record["rebalance"]["positions"][0]["quantity"] == 100
    assert record["rebalance_id"] is not None


def _sealed(database: Database) -> Body:
    return dict(json.loads(scalar(database, select(AdviceSeal.package))))


@pytest.mark.parametrize("kept", ["rebalanceId", None])
def test_each_price_is_kept_with_its_time_and_source(
    advice: AdviceDesk, database: Database, kept: str | None
) -> None:
    """With the rebalance that it came from, and without one."""
    body = advice.advice_of(advice.rebalanced())
    if kept is None:
        del body["rebalanceId"]

    assert advice.send(body).status_code == 201

    used = _sealed(database)["prices"]["used"]
    assert {price["stock"]["symbol"] for price in used} == {
        stock["symbol"] for stock in body["stocks"] if stock["type"] != "HOLD"
    }
    assert all(price["source"] == "SIMULATED" and price["at"] for price in used)
    infy = next(price for price in used if price["stock"]["symbol"] == "INFY")
    assert Decimal(infy["price"]) == 1500


def test_what_was_advised_is_followed_for_a_month(advice: AdviceDesk, database: Database) -> None:
    advice.sent()
    now = clock.now()

    with database.reading() as session:
        tcs = instruments.by_symbol(session, "NSE", "TCS").id
        wipro = instruments.by_symbol(session, "NSE", "WIPRO").id
        followed = service.advised_instruments(session, now)
        later = service.advised_instruments(session, now + dt.timedelta(days=31))

    assert tcs in followed
    assert wipro not in followed
    assert later == set()


@pytest.mark.on_both(suite="long")
def test_what_was_advised_is_followed_under_a_new_token(
    advice: AdviceDesk, database: Database
) -> None:
    advice.sent()
    with database.transaction() as session:
        tcs = instruments.by_symbol(session, "NSE", "TCS").id
        renewed = update(Instrument).where(Instrument.id == tcs).values(zerodha_token=999_936)
        session.execute(renewed)

    with database.reading() as session:
        assert tcs in service.advised_instruments(session, clock.now())


def test_unknown_fields_are_ignored(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced(), status="SENT", _id="mine", createdAt="1999-01-01")
    body["stocks"][0] |= {"copied": True, "prevTarget": 4}

    answer = advice.send(body)

    assert answer.status_code == 201
    assert answer.json()["data"]["createdAt"] > "2020"


def test_all_rows_of_the_rebalance_may_be_counted(advice: AdviceDesk) -> None:
    answer = advice.send(advice.advice_of(advice.rebalanced(), totalStocks=4))

    assert answer.status_code == 201
    assert advice.history()[0]["totalStocks"] == 4


def test_advice_without_a_rebalance_is_checked_too(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]

    first, second = advice.send(body), advice.send(body, **new_key())

    assert (first.status_code, second.status_code) == (201, 201)
    assert len(advice.history()) == 2


# ---- once ----------------------------------------------------------------------------------------


def _at_once(calls: list[Callable[[], Response]]) -> list[Response]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]


def test_one_key_sends_once_however_often_it_comes(advice: AdviceDesk, database: Database) -> None:
    body = advice.advice_of(advice.rebalanced())
    key = {"Idempotency-Key": "one form"}

    answers = _at_once([lambda: advice.send(body, **key)] * 4)

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.text for answer in answers}) == 1
    assert (_count(database, Advice), _count(database, Mail)) == (1, 1)


def test_a_key_is_not_taken_for_another_advice(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced())
    advice.send(body, **{"Idempotency-Key": "one form"})

    answer = advice.send(body | {"rationale": "x"}, **{"Idempotency-Key": "one form"})

    assert answer.status_code == 422


def test_one_rebalance_is_sent_once_by_separate_calls_too(
    advice: AdviceDesk, database: Database
) -> None:
    body = advice.advice_of(advice.rebalanced())

    answers = _at_once([lambda: advice.send(body, **new_key())] * 4)

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    late = [answer for answer in answers if answer.status_code == 409]
    assert {answer.json()["message"] for answer in late} == {"This rebalance was already sent."}
    assert (_count(database, Advice), _count(database, Mail)) == (1, 1)


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"symbol": "NOSUCH", "instrumentToken": None}, "Stock NOSUCH is not known on NSE."),
        ({"type": "HOLD"}, "INFY: only BUY and SELL rows are sent."),
        ({"quantity": 1.5}, "INFY: the quantity must be a whole number above 0."),
        ({"quantity": 0}, "INFY: the quantity must be a whole number above 0."),
        ({"quantity": -34}, "INFY: the quantity must be a whole number above 0."),
        ({"quantity": 101}, "INFY: cannot sell 101: 100 are held."),
        (
            {"projectedInvestmentValue": 99_001},
            "INFY: the projected value does not add up; it is ₹99,000.00.",
        ),
        (
            {"currentInvestmentValue": 0},
            "INFY: the current value does not add up; it is ₹1,50,000.00.",
        ),
        (
            {"additionalInvestmentValue": 51000},
            "INFY: the additional investment does not add up; it is ₹0.00.",
        ),
        (
            {"possibleAllocationPercentage": 19.9},
            "INFY: the possible allocation does not add up; it is 19.80 %.",
        ),
        ({"drift": -10}, "INFY: the drift does not add up; it is 10.00 %."),
        ({"instrumentToken": 2953217}, "INFY: the instrument token is of another stock."),
        ({"allocationPercentage": 20.005}, "INFY: a target is 0 to 100 % in steps of 0.01."),
        ({"ltp": 1e30}, "INFY: the price must be above ₹0 with four decimals."),
    ],
)
def test_a_row_that_does_not_hold_is_refused(
    advice: AdviceDesk, database: Database, changes: Body, message: str
) -> None:
    body = advice.advice_of(advice.rebalanced())
    _infy(body).update(changes)

    answers = [advice.send(body), advice.send(body | {"rebalanceId": None})]

    assert [reply_of(answer) for answer in answers] == [(422, message)] * 2
    assert [_count(database, table) for table in (Advice, Mail)] == [0, 0]


def test_a_row_that_is_there_twice_is_refused(advice: AdviceDesk, database: Database) -> None:
    body = advice.advice_of(advice.rebalanced())
    body["stocks"].append(dict(_infy(body)))

    answers = [advice.send(body), advice.send(body | {"rebalanceId": None})]

    assert [reply_of(answer) for answer in answers] == [(422, "INFY: is in the list twice.")] * 2
    assert [_count(database, table) for table in (Advice, Mail)] == [0, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"totalBuyValue": 1}, "Total Buy does not add up: the rows come to ₹3,45,559.00."),
        ({"totalSellValue": 1}, "Total Sell does not add up: the rows come to ₹99,000.00."),
        ({"totalStocks": 2}, "Total Stock does not add up: 3 are sent."),
        ({"stocks": []}, "There is nothing to send: every row is HOLD."),
        (
            {"totalInvestedValue": 0},
            "Investment Value must be more than ₹0 and at most ₹1,00,000 crore.",
        ),
        ({"rationale": "x" * 5001}, "The rationale has at most 5,000 characters."),
        ({"rationale": "a\u202eb"}, "The rationale has no control characters."),
    ],
)
def test_totals_and_texts_that_do_not_hold_are_refused(
    advice: AdviceDesk, changes: Body, message: str
) -> None:
    answer = advice.send(advice.advice_of(advice.rebalanced(), **changes))

    assert reply_of(answer) == (422, message)


def test_targets_over_100_are_refused(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]
    for stock in body["stocks"]:
        stock["allocationPercentage"] = 33.34
        stock["drift"] = None

    answer = advice.send(body)

    assert reply_of(answer) == (422, "Total target allocation cannot exceed 100%")


def test_rows_that_are_not_of_the_rebalance_are_refused(advice: AdviceDesk) -> None:
    rebalance = advice.rebalanced()
    fewer = advice.advice_of(rebalance)
    gone = fewer["stocks"].pop()
    fewer["totalBuyValue"] -= gone["projectedInvestmentValue"]
    other = advice.advice_of(rebalance)
    _infy(other)["allocationPercentage"] = 19
    _infy(other)["drift"] = 11

    missing, changed = advice.send(fewer), advice.send(other)

    assert (missing.status_code, changed.status_code) == (422, 422)
    assert missing.json()["message"] == (
        "RELIANCE is missing from the rebalance's rows. Rebalance again."
    )
    assert changed.json()["message"] == "INFY differs from the rebalance. Rebalance again."


def test_another_investment_than_that_of_the_rebalance_is_refused(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced(), totalInvestedValue=500000.01)

    answer = advice.send(body)

    assert answer.status_code == 422
    assert answer.json()["message"] == (
        "The Investment Value differs from the rebalance. Rebalance again."
    )


def test_a_rebalance_of_another_client_is_refused(advice: AdviceDesk) -> None:
    other = advice.desk.add_client("Rohan Rao", "rohan@home.example")
    advice.hold({"INFY": 100, "ITC": 10}, client_id=other)

    answer = advice.send(advice.advice_of(advice.rebalanced(), userId=other))

    assert reply_of(answer) == (422, "This rebalance belongs to another client.")


@pytest.mark.on_both(suite="long")
def test_a_rebalance_that_is_not_known_is_refused(advice: AdviceDesk, database: Database) -> None:
    unknown = advice.send(advice.advice_of(advice.rebalanced(), rebalanceId=str(uuid.uuid4())))
    body = advice.advice_of(advice.rebalanced())
    run(database, update(Rebalance).values(package='{"engine": "older"}'))
    unreadable = advice.send(body)

    for answer in (unknown, unreadable):
        assert reply_of(answer) == (422, "This rebalance is no longer available. Rebalance again.")


def test_holdings_that_changed_since_the_rebalance_are_named(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced())
    advice.hold({"INFY": 100, "TCS": 5}, cash="200000")

    answer = advice.send(body)

    assert answer.status_code == 422
    assert answer.json()["message"] == (
        "The client's holdings changed since the rebalance: ITC, TCS. Rebalance again."
    )


def test_a_price_that_moved_more_than_the_firm_allows_is_refused(advice: AdviceDesk) -> None:
    body = advice.advice_of(advice.rebalanced())
    advice.priced({"INFY": "1530.05"})

    moved = advice.send(body)
    advice.priced({"INFY": "1530.00"})
    at_the_limit = advice.send(body)

    assert moved.status_code == 422
    assert moved.json()["message"] == (
        "INFY: the price moved 2.01 % since the rebalance, from ₹1,500.00 to ₹1,530.05; "
        "at most 2.00 % is allowed. Rebalance again."
    )
    assert moved.json()["errors"][0]["field"] == "stocks.0"
    assert at_the_limit.status_code == 201


@pytest.mark.on_both(suite="long")
def test_the_firm_sets_how_far_a_price_may_move(advice: AdviceDesk) -> None:
    advice.set_firm(price_tolerance=Decimal("0.5"))
    body = advice.advice_of(advice.rebalanced())
    advice.priced({"INFY": "1485.00"})

    answer = advice.send(body)

    assert answer.status_code == 422
    assert "at most 0.50 % is allowed" in answer.json()["message"]


def test_an_inactive_client_gets_no_advice(advice: AdviceDesk, database: Database) -> None:
    body = advice.advice_of(advice.rebalanced())
    run(
        database,
        update(Person)
        .where(Person.id == uuid.UUID(advice.client_id))
        .values(status=Status.INACTIVE),
    )

    answer = advice.send(body)

    assert reply_of(answer) == (409, "Advice cannot be sent: the client is inactive.")


def test_an_unknown_client_is_not_found(advice: AdviceDesk) -> None:
    answer = advice.send(advice.advice_of(advice.rebalanced(), userId=str(uuid.uuid4())))

    assert reply_of(answer) == (404, "Client not found")


def test_a_rationale_is_asked_for_where_the_firm_says_so(advice: AdviceDesk) -> None:
    advice.set_firm(rationale_required=True)
    body = advice.advice_of(advice.rebalanced())

    without = advice.send(body | {"rationale": "  \n"})
    given = advice.send(body | {"rationale": "Quality at a fair price.\r\nTwo lines."})

    assert reply_of(without) == (422, "A rationale is required to send advice.")
    assert given.status_code == 201
    assert advice.history()[0]["rationale"] == "Quality at a fair price.\nTwo lines."


def test_a_rationale_that_is_left_out_is_the_standard_one_and_says_so(advice: AdviceDesk) -> None:
    advice.sent()

    assert advice.history()[0]["rationale"] == (
        "Standard rationale: The advice brings your portfolio to the target allocation set for you: "
        "1 sale and 2 purchases in whole shares, for an Investment Value of ₹5,00,000.00."
    )


@pytest.mark.parametrize("kept", ["rebalanceId", None])
def test_a_sale_names_the_exchange_on_which_the_broker_has_the_shares(
    advice: AdviceDesk, kept: str | None
) -> None:
    """In the rebalance, the advice, its history and its export; a purchase names NSE."""
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000", on="BSE")
    rebalance = advice.rebalanced()
    body = advice.advice_of(rebalance)
    if kept is None:
        del body["rebalanceId"]

    answer = advice.send(body)

    assert answer.status_code == 201, answer.text
    (sent,) = advice.history()
    named = {row["symbol"]: (row["type"], row["exchange"]) for row in sent["stocks"]}
    assert named == {
        "INFY": ("SELL", "BSE"),
        "TCS": ("BUY", "NSE"),
        "RELIANCE": ("BUY", "NSE"),
    }
    assert {row["symbol"]: row["exchange"] for row in rebalance["data"]}["INFY"] == "BSE"
    checked = advice.desk.get(f"/admin/advice/{sent['_id']}/verify").json()["data"]
    assert checked["holds"], checked


def test_a_sale_that_names_the_other_exchange_is_put_right(advice: AdviceDesk) -> None:
    advice.hold({"INFY": 100, "ITC": 10}, cash="200000", on="BSE")
    body = advice.advice_of(advice.rebalanced())
    del body["rebalanceId"]
    _infy(body)["exchange"] = "NSE"

    assert advice.send(body).status_code == 201
    (sent,) = advice.history()
    assert _infy(sent)["exchange"] == "BSE"
