"""The advice history of a client."""

import datetime as dt
import uuid

import pytest
from sqlalchemy import update

from tarazu.advice.tables import Advice
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Mail
from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, reply_of
from tests.prices.test_guard import statements_of
from tests.rows_of import run
from tests.tampering import drop_triggers

pytestmark = pytest.mark.on_both


def _sent_on(database: Database, advice_id: str, at: dt.datetime) -> None:
    with database.transaction() as session:
        drop_triggers(session)
        session.execute(
            update(Advice).where(Advice.id == uuid.UUID(advice_id)).values(created_at=at)
        )


def test_the_newest_advice_comes_first(advice: AdviceDesk) -> None:
    first, second = advice.sent(), advice.sent()

    assert [row["_id"] for row in advice.history()] == [second, first]


def test_stocks_are_in_the_order_in_which_they_were_sent(advice: AdviceDesk) -> None:
    advice.sent()

    (row,) = advice.history()
    assert [stock["symbol"] for stock in row["stocks"]] == ["INFY", "TCS", "RELIANCE"]


def test_an_advice_has_the_order_values_of_its_purchases_and_sales(advice: AdviceDesk) -> None:
    summary = advice.rebalanced()["summary"]
    advice.sent()

    (row,) = advice.history()
    assert (row["buyValue"], row["sellValue"]) == (summary["buyValue"], summary["sellValue"])
    assert row["sellValue"] > 0


def test_delivery_is_shown_as_in_the_outbox(advice: AdviceDesk, database: Database) -> None:
    advice.sent()
    queued = advice.history()[0]["delivery"]
    run(
        database,
        update(Mail).values(
            status=Delivery.FAILED,
            finished_at=dt.datetime(2026, 11, 22, tzinfo=dt.UTC),
            error="The mail server refused the address.",
        ),
    )

    failed = advice.history()[0]["delivery"]

    assert (queued["status"], queued["error"]) == ("QUEUED", None)
    assert failed == {
        "status": "FAILED",
        "at": "2026-11-22T00:00:00Z",
        "error": "The mail server refused the address.",
    }


def test_days_are_those_of_india_both_ends_included(advice: AdviceDesk, database: Database) -> None:
    midnight = dt.datetime(2026, 11, 20, 18, 30, tzinfo=dt.UTC)  # 21 November in India
    before, at, after = advice.sent(), advice.sent(), advice.sent()
    _sent_on(database, before, midnight - dt.timedelta(microseconds=1))
    _sent_on(database, at, midnight)
    _sent_on(database, after, midnight + dt.timedelta(days=1))

    on_the_day = advice.history(**{"from": "2026-11-21", "to": "2026-11-21"})
    until = advice.history(to="2026-11-20")
    since = advice.history(**{"from": "2026-11-22"})

    found = [[row["_id"] for row in rows] for rows in (on_the_day, until, since)]
    assert found == [[at], [before], [after]]


def test_the_history_pages(advice: AdviceDesk) -> None:
    sent = [advice.sent() for _ in range(3)]

    answer = advice.desk.get(f"/admin/advice/clients/{advice.client_id}", page=2, limit=2).json()

    assert [row["_id"] for row in answer["data"]] == [sent[0]]
    assert answer["pagination"] == {
        "currentPage": 2, "totalPages": 2, "totalUsers": 3, "limit": 2,
    }  # fmt: skip


def test_one_history_takes_as_many_queries_as_ten(advice: AdviceDesk, database: Database) -> None:
    # How often the session is looked up depends on the clock, and is not counted.
    tables = ("FROM advices", "FROM advice_stocks", "FROM outbox")
    counts = []

    for _ in range(2):
        advice.sent()
        with statements_of(database) as statements:
            advice.history()
        counts.append(sum(any(table in statement for table in tables) for statement in statements))

    assert counts[0] == counts[1] > 2


def test_a_user_reads_the_history(advice: AdviceDesk, user: Desk) -> None:
    advice.sent()

    answer = user.get(f"/admin/advice/clients/{advice.client_id}")

    assert (answer.status_code, len(answer.json()["data"])) == (200, 1)


def test_a_client_without_advice_has_an_empty_history(advice: AdviceDesk) -> None:
    assert advice.history() == []


def test_an_unknown_client_has_no_history(advice: AdviceDesk) -> None:
    answer = advice.desk.get(f"/admin/advice/clients/{uuid.uuid4()}")

    assert reply_of(answer) == (404, "Client not found")
