"""What stands before a send: each check refuses or warns with its own sentence, and is sealed."""

import datetime as dt
import json
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tarazu.advice.tables import Advice, AdviceSeal
from tarazu.firm.service import UNNAMED
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.tables import Account, Holding
from tarazu.prices import service as prices
from tests.advice.conftest import PRICES, TARGETS, AdviceDesk
from tests.people_of import NO_TO_ALL, Desk, data_of, reply_of
from tests.rows_of import run, scalar

TRADING = dt.datetime(2026, 11, 23, 11, 0, tzinfo=INDIA)
"""A Monday on which the market is open."""


class Clock:
    """The clock of the product, which stands until it is set."""

    def __init__(self) -> None:
        self.at = TRADING

    def __call__(self) -> dt.datetime:
        return self.at.astimezone(dt.UTC)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    monkeypatch.setattr(clock, "now", standing)
    return standing


@pytest.fixture
def desk(now: Clock, advice: AdviceDesk) -> AdviceDesk:
    """The desk of `advice` on a trading day."""
    return advice


def price(desk: AdviceDesk, at: dt.datetime, source: str = "SIMULATED") -> None:
    """Send the prices of that time again."""
    with desk.database.reading() as session:
        tokens = {
            symbol: instruments.by_symbol(session, "NSE", symbol).instrument_token
            for symbol in PRICES
        }
        told = {tokens[symbol]: Decimal(text) for symbol, text in PRICES.items()}
        prices.record_prices(session, told, at, source)


def checks_of(desk: AdviceDesk, body: Any) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in data_of(desk.desk.post("/admin/advice/preflight", body))}


def refused(desk: AdviceDesk, body: Any, check: str) -> str:
    """The sentence with which this check, and no other, refuses the send; nothing is stored."""
    found = checks_of(desk, body)[check]
    answer = desk.send(body)
    assert (answer.status_code, answer.json()["code"]) == (422, "send_blocked"), answer.text
    assert found["level"] == "BLOCK"
    assert answer.json()["errors"] == [{"field": check, "message": found["text"]}]
    assert answer.json()["message"] == found["text"]
    assert scalar(desk.database, select(func.count()).select_from(Advice)) == 0
    return str(found["text"])


def warned(desk: AdviceDesk, body: Any, check: str) -> str:
    """The sentence with which this check warns; the send goes through."""
    found = checks_of(desk, body)[check]
    assert found["level"] == "WARN", found
    assert desk.send(body).status_code == 201
    return str(found["text"])


@pytest.mark.on_both
def test_the_checks_of_a_firm_that_is_set_up_all_pass(desk: AdviceDesk) -> None:
    checks = checks_of(desk, desk.advice_of(desk.rebalanced(), rationale="Quality."))

    assert {name: one["level"] for name, one in checks.items()} == {
        "registration": "OK",
        "mail": "WARN",
        "price_age": "OK",
        "price_source": "WARN",
        "holdings_age": "OK",
        "disclosures": "OK",
        "rationale": "OK",
        "possible_duplicate": "OK",
        "unsettled": "OK",
        "corporate_action": "OK",
        # Nobody recorded a certificate yet.
        "certificate": "WARN",
        "restricted": "OK",
        # Nor papers of the client, nor the firm's texts.
        "kyc": "WARN",
        "terms": "WARN",
        "holdings_consent": "OK",
        "client_specific": "OK",
    }
    assert checks["mail"]["fix"] == {"label": "Set up mail", "to": "/home/settings?section=mail"}
    assert checks["price_source"]["text"] == "Practice: simulated prices, not investment advice."
    assert all(one["text"].endswith(".") and one["fix"]["to"] for one in checks.values())


def test_a_fresh_installation_names_all_that_is_missing(
    now: Clock, admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]
) -> None:
    desk = AdviceDesk(admin, database, priced, admin.add_client())
    priced(PRICES)
    desk.hold({"INFY": 100, "ITC": 10}, cash="200000")

    answer = desk.send(desk.advice_of(desk.rebalanced(), rationale=""))

    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == [
        "registration", "disclosures", "rationale",
    ]  # fmt: skip
    assert desk.history() == []


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        (
            {"registration_number": ""},
            "The firm's registration number must be entered before advice is sent.",
        ),
        ({"name": UNNAMED}, "The firm's name must be entered before advice is sent."),
    ],
)
def test_without_its_registration_the_firm_sends_nothing(
    desk: AdviceDesk, missing: dict[str, str], sentence: str
) -> None:
    desk.set_firm(**missing)

    assert refused(desk, desk.advice_of(desk.rebalanced()), "registration") == sentence


@pytest.mark.on_both(suite="long")
def test_a_renewal_that_is_near_warns(desk: AdviceDesk) -> None:
    desk.set_firm(renewal_on=dt.date(2027, 2, 1))

    told = warned(desk, desk.advice_of(desk.rebalanced()), "registration")

    assert told == "The registration must be renewed by 1 Feb 2027."


@pytest.mark.on_both(suite="long")
def test_prices_older_than_the_firm_allows_refuse_the_send(desk: AdviceDesk, now: Clock) -> None:
    body = desk.advice_of(desk.rebalanced())
    now.at += dt.timedelta(minutes=16)

    told = refused(desk, body, "price_age")

    assert told.startswith("INFY, RELIANCE, TCS: the price is too old; the oldest is of 23 Nov")
    desk.desk.put("/settings/firm", {"priceMinutes": 20})
    assert checks_of(desk, body)["price_age"]["level"] == "OK"
    assert desk.send(body).status_code == 201


def test_the_last_close_is_good_while_the_market_is_closed(desk: AdviceDesk, now: Clock) -> None:
    price(desk, TRADING.replace(hour=15, minute=29))
    now.at = TRADING.replace(hour=20)
    _sign_in_again(desk)

    assert desk.send(desk.advice_of(desk.rebalanced())).status_code == 201


def test_a_close_from_a_file_of_the_exchange_warns(desk: AdviceDesk, now: Clock) -> None:
    now.at = TRADING.replace(hour=20)
    _sign_in_again(desk)
    price(desk, TRADING.replace(hour=15, minute=30), "NSE_FILE")

    told = warned(desk, desk.advice_of(desk.rebalanced()), "price_age")

    assert told == "INFY, RELIANCE, TCS: the price comes from a file."


def test_simulated_prices_with_a_mail_server_refuse_the_send(desk: AdviceDesk) -> None:
    settings = desk.desk.web.app.state.settings  # type: ignore[attr-defined]
    with_mail = settings.model_copy(update={"smtp_url": "smtp://127.0.0.1:9"})
    desk.desk.web.app.state.settings = with_mail  # type: ignore[attr-defined]

    told = refused(desk, desk.advice_of(desk.rebalanced()), "price_source")

    assert told == "The prices are simulated and a mail server is set up: nothing can be sent."


def test_prices_of_a_broker_are_no_practice(desk: AdviceDesk) -> None:
    price(desk, TRADING + dt.timedelta(seconds=1), "ZERODHA")

    found = checks_of(desk, desk.advice_of(desk.rebalanced()))["price_source"]

    assert (found["level"], found["text"]) == ("OK", "Prices: Zerodha market feed.")


@pytest.mark.on_both(suite="long")
def test_holdings_older_than_the_firm_allows_refuse_the_send(desk: AdviceDesk) -> None:
    old = dt.datetime(2026, 11, 19, 12, 0, tzinfo=INDIA)
    run(desk.database, update(Account).values(synced_at=old.astimezone(dt.UTC)))
    body = desk.advice_of(desk.rebalanced())

    told = refused(desk, body, "holdings_age")

    assert told == "C0001: holdings are older than 1 business day. Update them."
    desk.set_firm(holdings_days=3)
    assert desk.send(body).status_code == 201


def test_cash_alone_is_no_old_holding(desk: AdviceDesk) -> None:
    other = desk.desk.add_client("Ravi", "ravi@home.example")
    desk.hold({}, cash="500000", client_id=other)
    run(
        desk.database,
        update(Account).where(Account.client_id == uuid.UUID(other)).values(synced_at=None),
    )
    desk.client_id = other

    assert desk.send(desk.advice_of(desk.rebalanced())).status_code == 201


def test_an_order_after_the_holdings_were_read_warns(desk: AdviceDesk, now: Clock) -> None:
    now.at += dt.timedelta(minutes=5)
    order = NewOrder(
        "1",
        clock.now(),
        "INFY",
        "NSE",
        OrderSide.BUY,
        1,
        Decimal(1500),
        OrderStatus.COMPLETE,
        filled_quantity=1,
    )
    with desk.database.transaction() as session:
        orders.record_orders(session, uuid.UUID(desk.client_id), [order])

    told = warned(desk, desk.advice_of(desk.rebalanced()), "holdings_age")

    assert told == "C0001: orders were placed today after the holdings were read."


def test_disclosures_nobody_answered_refuse_the_send(desk: AdviceDesk) -> None:
    desk.set_firm(disclosures_confirmed_on=None)

    told = refused(desk, desk.advice_of(desk.rebalanced()), "disclosures")

    assert told == "The firm's disclosure questions were never answered."


def test_disclosures_older_than_ninety_days_refuse_the_send(desk: AdviceDesk) -> None:
    body = desk.advice_of(desk.rebalanced())
    desk.set_firm(disclosures_confirmed_on=dt.date(2026, 8, 24))

    told = refused(desk, body, "disclosures")

    assert told == (
        "The firm's disclosures were confirmed on 24 Aug 2026, more than 90 days ago. "
        "Confirm them again."
    )
    desk.set_firm(disclosures_confirmed_on=dt.date(2026, 8, 25))
    assert desk.send(body).status_code == 201


@pytest.mark.on_both(suite="long")
def test_where_staff_hold_stocks_the_sender_answers_for_each_advice(desk: AdviceDesk) -> None:
    answers = [
        {"id": "holdings", "isYes": True, "details": "The analyst holds shares of TCS."},
        *NO_TO_ALL[1:],
    ]
    assert desk.desk.put("/settings/firm", {"disclosureAnswers": answers}).status_code == 200
    body = desk.advice_of(desk.rebalanced())

    told = refused(desk, body, "disclosures")

    assert told.startswith("Somebody in the firm holds stocks that it advises on")
    given = body | {"disclosures": {"holdings": "The analyst holds 5 shares of TCS."}}
    assert desk.send(given).status_code == 201


@pytest.mark.parametrize("empty", ["", "  \n"])
def test_an_empty_rationale_refuses_the_send_while_one_is_required(
    desk: AdviceDesk, empty: str
) -> None:
    body = desk.advice_of(desk.rebalanced(), rationale=empty)

    assert refused(desk, body, "rationale") == "A rationale is required to send advice."
    desk.set_firm(rationale_required=False)
    assert warned(desk, body, "rationale").startswith("No rationale is given")


@pytest.mark.on_both(suite="long")
def test_the_firms_own_standard_rationale_is_marked_as_such(desk: AdviceDesk) -> None:
    desk.desk.put("/settings/firm", {"standardRationale": "Monthly review of the targets."})

    told = warned(desk, desk.advice_of(desk.rebalanced()), "rationale")

    assert told == "No rationale is given: the firm's standard rationale is used."
    assert desk.history()[0]["rationale"] == "Standard rationale: Monthly review of the targets."


@pytest.mark.on_both
def test_the_same_orders_within_a_business_day_warn(desk: AdviceDesk, now: Clock) -> None:
    assert desk.send(desk.advice_of(desk.rebalanced())).status_code == 201
    # The next business day: Tuesday is a holiday.
    now.at = TRADING + dt.timedelta(days=2)
    _sign_in_again(desk)
    price(desk, now.at)
    desk.hold({"INFY": 100, "ITC": 10}, cash="200000")

    told = warned(desk, desk.advice_of(desk.rebalanced()), "possible_duplicate")

    assert told == "C0001: the same orders were sent within the last business day."
    now.at = TRADING + dt.timedelta(days=4)
    _sign_in_again(desk)
    price(desk, now.at)
    desk.hold({"INFY": 100, "ITC": 10}, cash="200000")
    body = desk.advice_of(desk.rebalanced())
    assert checks_of(desk, body)["possible_duplicate"]["level"] == "OK"


def test_other_orders_are_no_duplicate(desk: AdviceDesk) -> None:
    assert desk.send(desk.advice_of(desk.rebalanced())).status_code == 201

    body = desk.advice_of(desk.rebalanced(targets=TARGETS | {"TCS": 30}))

    assert checks_of(desk, body)["possible_duplicate"]["level"] == "OK"


@pytest.mark.on_both(suite="long")
def test_selling_what_is_pledged_or_not_settled_warns(desk: AdviceDesk) -> None:
    desk.hold({"INFY": 100, "ITC": 10}, cash="1000", pledged=0)
    with desk.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        session.execute(
            update(Holding).where(Holding.instrument_id == infy).values(t1=60, pledged=30)
        )
    body = desk.advice_of(
        desk.rebalanced(targets={"INFY": 10, "TCS": 80}, investment=150000),
        totalInvestedValue=150000,
    )

    told = warned(desk, body, "unsettled")

    assert told == (
        "C0001 (INFY): pledged shares are sold; they must be released first. "
        "C0001 (INFY): a purchase needs money from shares not settled yet."
    )


def test_a_trade_in_a_stock_that_moved_as_in_a_split_warns(desk: AdviceDesk) -> None:
    with desk.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        portfolio.suspect_actions(session, clock.now() + dt.timedelta(minutes=1), [infy])
    body = desk.advice_of(desk.rebalanced())
    assert any(row["symbol"] == "INFY" for row in body["stocks"])

    told = warned(desk, body, "corporate_action")

    assert told == (
        "C0001 (INFY): shares or price moved as in a split or bonus. Compare the holdings with the "
        "broker before you send."
    )


def test_what_was_acknowledged_is_sealed_with_the_advice(desk: AdviceDesk) -> None:
    advice_id = desk.sent(acknowledged=["mail", "price_source"])

    sealed = json.loads(scalar(desk.database, select(AdviceSeal.package)))
    kept = {check["id"]: (check["level"], check["is_acknowledged"]) for check in sealed["checks"]}
    assert sealed["form"] == "tarazu-advice/2"
    assert kept["mail"] == ("WARN", True)
    assert kept["price_source"] == ("WARN", True)
    assert kept["rationale"] == ("WARN", False)
    assert kept["registration"] == ("OK", None)
    assert desk.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]["holds"]


def test_a_look_before_the_send_changes_nothing(desk: AdviceDesk, user: Desk) -> None:
    body = desk.advice_of(desk.rebalanced())

    checks_of(desk, body)

    assert desk.history() == []
    assert user.post("/admin/advice/preflight", body).status_code == 403


def test_a_look_refuses_what_a_send_would_refuse(desk: AdviceDesk) -> None:
    body = desk.advice_of(desk.rebalanced(), totalStocks=17)

    answer = desk.desk.post("/admin/advice/preflight", body)

    assert reply_of(answer) == (422, desk.send(body).json()["message"])


def _sign_in_again(desk: AdviceDesk) -> None:
    body = {"email": "ananya@desk.example", "password": "seven oaks 7"}
    answer = desk.desk.web.post("/api/v1/auth/login", json=body)
    token = answer.json()["accessToken"]
    desk.desk.headers = {"Authorization": f"Bearer {token}"}
