"""Dividends that a client is to be paid: for which shares, until when, and when nobody knows."""

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from tarazu.corporate_actions import service
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding
from tarazu.portfolio.tables import Account
from tests.advice.conftest import AdviceDesk, advice
from tests.corporate_actions.conftest import ActionDesk
from tests.people_of import data_of
from tests.portfolio.actions import known_for_long
from tests.rows_of import run

__all__ = ["advice"]

pytestmark = pytest.mark.on_both


@pytest.fixture
def desk(advice: AdviceDesk) -> ActionDesk:
    """C0001 has held 100 INFY for long."""
    known_for_long(advice.database)
    return ActionDesk(advice.desk, advice.database)


def shown(advice: AdviceDesk) -> list[dict[str, Any]]:
    return list(data_of(advice.desk.get(f"/admin/clients/client/{advice.client_id}/dividends")))


def on_day(advice: AdviceDesk, after: int) -> list[str]:
    """The stocks of the dividends that are expected so many days from today."""
    with advice.database.reading() as session:
        now = clock.now() + dt.timedelta(days=after)
        expected = service.expected_dividends(session, UUID(advice.client_id), now)
        return [one.symbol for one in expected]


def read_holding(advice: AdviceDesk, at: dt.datetime, quantity: int) -> None:
    """A reading shows so many shares of INFY."""
    owner = UUID(advice.client_id)
    with advice.database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        held = portfolio.present_of(session, [owner])[owner].holdings
        new = {key: holding for key, holding in held.items() if key != infy}
        if quantity:
            new[infy] = NewHolding(quantity, Decimal(100))
        portfolio.replace_holdings(session, SYSTEM, at, owner, new, "FILE")


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    """A time of a day that is so many days from today, in India."""
    on = clock.today() + dt.timedelta(days=day)
    return dt.datetime.combine(on, dt.time(hour, minute), clock.INDIA).astimezone(dt.UTC)


def test_a_dividend_is_expected_from_the_ex_date_until_it_is_paid(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter("DIVIDEND", -2, amount=7.25, payOn=desk.day(10))
    desk.enter("DIVIDEND", 3, amount=5)

    (row,) = shown(advice)

    assert row["tradingSymbol"] == "INFY"
    assert (row["shares"], row["perShare"], row["amount"]) == (100, 7.25, 725)
    assert (row["exOn"], row["payOn"]) == (desk.day(-2), desk.day(10))
    assert on_day(advice, 10) == ["INFY", "INFY"]
    assert on_day(advice, 11) == ["INFY"]


def test_without_a_payment_date_it_is_expected_for_sixty_days(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter("DIVIDEND", amount=7.25)

    assert on_day(advice, 60) == ["INFY"]
    assert on_day(advice, 61) == []


def test_what_is_sold_from_the_ex_date_on_keeps_its_dividend(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter("DIVIDEND", -3, amount=10)
    read_holding(advice, at(-3, 9, 0), 80)
    read_holding(advice, at(-3, 16), 30)
    read_holding(advice, at(-1, 16), 0)

    (row,) = shown(advice)

    # The reading before the opening of the ex-date shows the shares of the evening before.
    assert (row["shares"], row["amount"]) == (80, 800)


def test_what_is_bought_from_the_ex_date_on_has_none(desk: ActionDesk, advice: AdviceDesk) -> None:
    read_holding(advice, at(-5, 16), 0)
    desk.enter("DIVIDEND", -3, amount=10)
    read_holding(advice, at(-3, 16), 50)

    assert shown(advice) == []


def test_a_dividend_is_of_the_shares_before_a_bonus_of_the_same_day(
    desk: ActionDesk, advice: AdviceDesk
) -> None:
    desk.enter("DIVIDEND", amount=10)
    desk.enter("BONUS")

    (row,) = shown(advice)

    assert row["amount"] == 1000


def test_what_is_not_known_has_no_amount(desk: ActionDesk, advice: AdviceDesk) -> None:
    desk.enter("BONUS", -3)
    desk.enter("DIVIDEND", -1, amount=10)
    waiting = shown(advice)
    run(advice.database, update(Account).values(first_synced_at=at(0, 0)))
    first_read_later = shown(advice)

    for (row,) in (waiting, first_read_later):
        assert (row["perShare"], row["shares"], row["amount"]) == (10, None, None)


def test_a_dividend_that_was_removed_is_not_expected(desk: ActionDesk, advice: AdviceDesk) -> None:
    action = desk.enter("DIVIDEND", amount=10)
    desk.remove(action)

    assert shown(advice) == []


@pytest.mark.parametrize(
    ("kind", "fields", "paid_after", "sentence"),
    [
        ("DIVIDEND", {"amount": 5}, -1, "on the ex-date or up to 180 days after it"),
        ("DIVIDEND", {"amount": 5}, 181, "on the ex-date or up to 180 days after it"),
        ("BONUS", {"factor": {"new": 2, "old": 1}}, 5, "Only a dividend has a payment date"),
    ],
)
def test_a_payment_date_that_cannot_be_right_is_refused(
    desk: ActionDesk, kind: str, fields: dict[str, Any], paid_after: int, sentence: str
) -> None:
    answer = desk.post(kind, payOn=desk.day(paid_after), **fields)

    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert error["field"] == "payOn"
    assert sentence in error["message"]
