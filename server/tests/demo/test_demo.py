"""The demo firm: believable, the same for the same day, and never beside real records."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.queries import Period
from tarazu.app import open_database
from tarazu.clients import remarks
from tarazu.clients import service as clients
from tarazu.dashboard import service as dashboard
from tarazu.demo import service as demo
from tarazu.fees import service as fees
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.downloads import whole
from tarazu.kit.fields import DayRange
from tarazu.kit.schemas import ListParams
from tarazu.kit.settings import Settings
from tarazu.orders import service as orders
from tarazu.orders.queries import OrderFilter
from tarazu.orders.tables import OrderStatus
from tarazu.portfolio import service as portfolio

TODAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    yield from _filled(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    yield from _filled(tmp_path_factory.mktemp("demo-again"))


def _filled(folder: Path) -> Iterator[Database]:
    database = open_database(Settings(data_dir=folder))
    with database.transaction() as session:
        demo.fill(session, lambda _: None, TODAY)
    yield database
    database.dispose()


def _story(session: Session) -> list[object]:
    rows, _ = clients.list_clients(session, clock.now(), ListParams(limit=100))
    return [(row.card.code, row.card.name, row.worth) for row in rows]


def test_it_has_forty_clients_or_more_with_fifteen_to_forty_stocks_each(firm: Database) -> None:
    with firm.reading() as session:
        rows, total = clients.list_clients(session, clock.now(), ListParams(limit=100))
        counts = [len(portfolio.stocks_of(session, row.card.id)) for row in rows]

    assert total >= 40
    assert min(counts) >= 15
    assert max(counts) <= 40
    assert all(row.worth.net > 0 for row in rows)
    losers = sum((row.worth.total_pnl or 0) < 0 for row in rows)
    assert 0 < losers < total / 2


def test_its_last_close_is_what_its_holdings_are_worth(firm: Database) -> None:
    with firm.reading() as session:
        stats = dashboard.stats(session)
        closes = dashboard.daily_aum(session, DayRange())

    assert closes[0] == (dt.date(2026, 11, 20), stats.total_current_aum)
    assert len(closes) > 480
    assert closes[-1][0] <= dt.date(2024, 11, 25)


def test_it_has_fees_and_past_advice_with_letters(firm: Database) -> None:
    with firm.reading() as session:
        rows, _ = clients.list_clients(session, clock.now(), ListParams(limit=100))
        charged = [fees.charged_to(session, row.card.id) for row in rows]
        sent = [
            one for row in rows for one in advice.history(session, row.card.id, Period(), 0, 9)[0]
        ]
        name, letter, _ = advice.letter(session, sent[0].advice.id)

    assert sum(amount > 0 for amount in charged) > 5
    assert len(sent) >= 15
    assert all(one.stocks for one in sent)
    assert name.endswith(".pdf")
    assert letter.startswith(b"%PDF")


def test_it_has_remarks_and_orders_of_every_status(firm: Database) -> None:
    with firm.reading() as session:
        rows, _ = clients.list_clients(session, clock.now(), ListParams(limit=100))
        noted = [one for row in rows for one in remarks.remarks_of(session, row.card.id)]
        books = [orders.order_book(session, row.card.id, OrderFilter())[0] for row in rows]

    assert {one.author for one in noted} == {"Ananya Kulkarni", "Ravi Deshmukh"}
    assert sum(bool(book) for book in books) > len(rows) / 2
    assert {order.status for book in books for order in book} == set(OrderStatus)


def test_it_has_fees_paid_due_and_overdue_and_one_family_past_the_limit(firm: Database) -> None:
    with firm.reading() as session:
        rows, _ = fees.list_client_fees(session, whole(fees.ClientFeeFilter()), clock.today())
        in_force = fees.schedules(session, TODAY)[0].version.terms

    due = [row.due_date for row in rows if row.due_date]
    assert 3 <= len(due) <= len(rows) / 4
    assert any(day < TODAY for day in due)
    assert any(day > TODAY for day in due)
    assert sum(row.passed_limit is not None for row in rows) == 1
    assert in_force.yearly_limit == 151_000


@pytest.mark.long
def test_the_same_day_makes_the_same_demo_firm(firm: Database, again: Database) -> None:
    with firm.reading() as one, again.reading() as two:
        assert _story(one) == _story(two)


def test_it_is_made_once(firm: Database) -> None:
    with firm.transaction() as session:
        assert demo.fill(session, lambda _: None, TODAY) is False


def test_it_is_refused_where_anybody_else_has_been(database: Database, admin: object) -> None:
    with database.transaction() as session, pytest.raises(demo.NotEmpty, match="in use"):
        demo.fill(session, lambda _: None, TODAY)
