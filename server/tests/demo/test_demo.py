"""The demo firm: believable, the same for the same day, and never beside real records."""

import datetime as dt
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice import verification
from tarazu.advice.queries import Period
from tarazu.benchmarks import service as benchmarks
from tarazu.book_runs import service as book_runs
from tarazu.book_runs.queries import BookRunFilter, RunClientFilter
from tarazu.book_runs.tables import BookRunState
from tarazu.brokers import service as brokers
from tarazu.brokers.service import BrokerFields
from tarazu.brokers.tables import BrokerName
from tarazu.clients import remarks
from tarazu.clients import service as clients
from tarazu.corporate_actions import service as actions
from tarazu.corporate_actions.service import ActionFilter
from tarazu.dashboard import service as dashboard
from tarazu.demo import jobs
from tarazu.demo import service as demo
from tarazu.domain.obligations.values import ObligationStatus
from tarazu.fees import service as fees
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.kit.downloads import whole
from tarazu.kit.fields import DayRange
from tarazu.kit.schemas import ListParams
from tarazu.kit.settings import Settings
from tarazu.model_portfolios import drift
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.queries import DriftFilter
from tarazu.obligations import service as obligations
from tarazu.orders import service as orders
from tarazu.orders.queries import OrderFilter
from tarazu.orders.tables import OrderStatus
from tarazu.papers import service as papers
from tarazu.papers.tables import ConsentKind
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.sync.readiness import Problem, ReadinessFilter, readiness
from tarazu.track_record import service as track_record
from tests.demo.conftest import NOW, copied, filled

TODAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    yield from _open(copied(tmp_path_factory))


@pytest.fixture
def changeable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The demo firm, for a test that changes it."""
    yield from _open(copied(tmp_path_factory))


def _open(database: Database) -> Iterator[Database]:
    yield database
    database.dispose()


def _filled(folder: Path, now: dt.datetime = NOW) -> Iterator[Database]:
    yield from _open(filled(folder, now))


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


def test_a_split_is_done_and_a_bonus_waits_at_one_of_the_brokers(firm: Database) -> None:
    with firm.reading() as session:
        rows, _ = actions.list_actions(session, ActionFilter(), TODAY)
        waiting = portfolio.uncredited_shares(session)
        brokers_of = {portfolio.account_summary(session, key).broker for key in waiting}

    bonus, split = rows
    assert (bonus.kind, bonus.state, bonus.ex_on) == ("BONUS", "PENDING", TODAY)
    assert 0 < bonus.waiting == len(waiting) < bonus.clients
    assert "ZERODHA" in brokers_of
    assert (split.kind, split.state, split.waiting) == ("SPLIT", "DONE", 0)
    assert split.clients > 0


@pytest.mark.long
def test_its_bonus_is_credited_two_business_days_later(tmp_path: Path) -> None:
    monday, thursday = (NOW + dt.timedelta(days=days) for days in (2, 5))
    for firm in _filled(tmp_path):
        for morning in (monday, thursday):
            jobs.open_due_day(firm, morning)
        with firm.reading() as session:
            waiting = portfolio.uncredited_shares(session).keys()
            rows = readiness(session, thursday, ReadinessFilter(), is_whole=True).rows

        assert waiting <= {row.id for row in rows if Problem.SYNC in row.problems}


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
def test_a_family_is_past_the_limit_also_on_a_day_when_no_two_clients_are(tmp_path: Path) -> None:
    now = dt.datetime(2026, 11, 24, 0, 41, tzinfo=clock.INDIA)
    for firm in _filled(tmp_path, now):
        with firm.reading() as session:
            rows, _ = fees.list_client_fees(session, whole(fees.ClientFeeFilter()), now.date())

        assert any(row.passed_limit is not None for row in rows)


def test_its_clients_came_over_two_years_and_most_of_them_can_be_advised_this_morning(
    firm: Database,
) -> None:
    with firm.reading() as session:
        rows, _ = clients.list_clients(session, NOW, ListParams(limit=100))
        started = [portfolio.account_summary(session, row.card.id).started_on for row in rows]
        joined = [people.client(session, row.card.id).created_at.date() for row in rows]
        found = readiness(session, NOW, ReadinessFilter(), is_whole=True)

    months = {(day.year, day.month) for day in started if day}
    assert len(months) >= 20
    assert started == joined
    assert found.ready == len(rows) - 5
    assert {problem: count for problem, count in found.counts.items() if count} == {
        Problem.SESSION: 3,
        Problem.SYNC: 3,
        Problem.CHANGES: 1,
        Problem.MONEY: 1,
    }
    synced = [row.synced_at for row in found.rows if not row.problems]
    assert all(at and day_in_india(at) == TODAY for at in synced)


def test_its_followers_drifted_by_some_percent_and_some_of_them_are_outside_the_tolerance(
    firm: Database,
) -> None:
    with firm.reading() as session:
        rows, total = drift.monitor(session, DriftFilter(), is_whole=True)
        outside = drift.count_outside_tolerance(session)

    sizes = [abs(row.max_drift) for row in rows if row.max_drift is not None]
    assert total == 36
    assert max(sizes) <= 6
    assert sum(size >= 1 for size in sizes) > total / 2
    assert total / 4 <= outside <= total * 2 / 3


def test_its_run_over_the_book_ended_and_was_acted_on_partly_and_not(firm: Database) -> None:
    with firm.reading() as session:
        (run,), _ = book_runs.list_runs(session, BookRunFilter())
        rows, _ = book_runs.clients(session, run.run.id, RunClientFilter(limit=100))
        sent = [row for row in rows if row.advice_id]
        done = [_share_done(session, row.client_id, run.run.id) for row in sent]

    assert run.run.state is BookRunState.DONE
    assert len(sent) >= 18
    assert any(row.note for row in rows)
    assert sum(share == 1 for share in done) > len(sent) / 3
    assert any(0 < share < 1 for share in done)
    assert any(share == 0 for share in done)


def _share_done(session: Session, client_id: uuid.UUID, run_id: uuid.UUID) -> Decimal:
    """The part of a run's orders that the client's order book has."""
    row, plan = book_runs.client(session, run_id, client_id)
    assert plan is not None
    assert row.sent_at is not None
    day = day_in_india(row.sent_at)
    placed, _ = orders.order_book(session, client_id, whole(OrderFilter()))
    bought = {
        (order.symbol, order.side, order.quantity)
        for order in placed
        if day_in_india(order.ordered_at) == day and order.status is OrderStatus.COMPLETE
    }
    asked = {(row.stock.symbol, row.side, row.quantity) for row in plan.rows if row.quantity}
    return Decimal(len(bought & asked)) / len(asked)


def test_its_benchmark_is_named_as_made_up_and_covers_its_days(firm: Database) -> None:
    with firm.reading() as session:
        benchmark = benchmarks.firm_benchmark(session)
        (covered,) = benchmarks.overview(session).benchmarks
        closed = [day for day, _ in portfolio.firm_closes(session, None, None)]

    assert benchmark is not None
    assert benchmark.name == "Demo index TRI (made up)"
    assert covered.gaps == []
    assert covered.first_on is not None
    assert covered.first_on < min(closed)
    assert covered.last_on == max(closed)


def test_its_index_ends_with_the_demos_last_day(firm: Database) -> None:
    with firm.reading() as session:
        (covered,) = benchmarks.overview(session).benchmarks
        closes = dashboard.daily_aum(session, DayRange())

    assert covered.last_on == closes[0][0] == dt.date(2026, 11, 20)


def test_its_models_have_a_track_record_and_its_advice_has_calls(firm: Database) -> None:
    with firm.reading() as session:
        ids = models.names_of_models(session)
        records = [track_record.track_record(session, model_id, NOW) for model_id in ids]
        calls = track_record.calls_record(session, NOW)

    for record in records:
        assert record.figures is not None
        assert record.figures.until == dt.date(2026, 11, 20)
        assert record.beside_benchmark is not None
        assert record.followers is not None
        assert len(record.months) >= 12
        assert not record.unknown
    assert any(month.dispersion is not None for record in records for month in record.months)
    assert 0 < calls.hits.count <= len(calls.calls)
    assert calls.unknown < len(calls.calls)


def test_its_advice_and_its_audit_trail_verify(firm: Database) -> None:
    with firm.reading() as session:
        assert audit_log.verify(session).fault is None
        assert verification.verify_all(session, lambda _: None) == []


def test_its_next_morning_is_opened_once_unless_a_broker_is_set_up(
    changeable: Database, tmp_path: Path
) -> None:
    monday = NOW + dt.timedelta(days=2)
    assert jobs.is_day_due(changeable, NOW) is False
    assert jobs.is_day_due(changeable, monday) is True
    jobs.open_due_day(changeable, monday)
    assert jobs.is_day_due(changeable, monday) is False
    with changeable.reading() as session:
        found = readiness(session, monday, ReadinessFilter(), is_whole=True)
        assert found.counts[Problem.SESSION] == 3
        assert found.counts[Problem.SYNC] == 3
    with changeable.transaction() as session:
        settings = Settings(data_dir=tmp_path)
        brokers.add_broker(session, settings, SYSTEM, monday, BrokerName.ZERODHA, BrokerFields())
    assert jobs.is_day_due(changeable, monday + dt.timedelta(days=1)) is False


@pytest.mark.long
def test_the_same_day_makes_the_same_demo_firm(firm: Database, tmp_path: Path) -> None:
    for again in _filled(tmp_path):
        with firm.reading() as one, again.reading() as two:
            assert _story(one) == _story(two)


def test_it_is_made_once(firm: Database) -> None:
    assert demo.fill(firm, lambda _: None, NOW) is False


def test_it_is_refused_where_anybody_else_has_been(database: Database, admin: object) -> None:
    with pytest.raises(demo.NotEmpty, match="in use"):
        demo.fill(database, lambda _: None, NOW)


def test_it_owes_the_regulator_nothing_that_is_late(firm: Database) -> None:
    with firm.reading() as session:
        states = obligations.list_obligations(session, NOW)

    late = [state.obligation.id for state in states if state.status is ObligationStatus.LATE]
    assert len(states) > 20
    assert late == []


def test_nearly_all_its_clients_have_papers_and_a_few_lack_some(firm: Database) -> None:
    with firm.reading() as session:
        everybody = people.client_summaries(session, "")
        held = papers.held_papers(session, day_in_india(NOW))

    with_kyc = [one for one in everybody if held.has_kyc(one.id)]
    with_terms = [one for one in everybody if held.has_terms(one.id)]
    with_holdings = [one for one in everybody if held.has_agreed(one.id, ConsentKind.HOLDINGS)]
    assert set(held.in_force) == set(ConsentKind)
    assert (len(everybody), len(with_kyc), len(with_holdings)) == (46, 43, 45)
    assert 40 <= len(with_terms) < 46
