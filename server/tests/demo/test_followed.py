"""What the demo's clients did with their advice, on every day on which the demo is made."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tarazu.demo import advised
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.firm import service as firm
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.queries import BoardFilter, StockFilter
from tarazu.follow_up.response_queries import QuestionFilter
from tarazu.follow_up.service import Board, Execution
from tarazu.follow_up.tables import Answer
from tarazu.kit import audit_log, clock
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.orders.tables import TradeSource
from tarazu.people import service as people
from tarazu.tax import service as tax
from tests.demo.conftest import NOW, copied, filled

OTHER_DAYS = (
    dt.datetime(2026, 11, 24, 0, 41, tzinfo=clock.INDIA),
    dt.datetime(2026, 11, 25, 12, tzinfo=clock.INDIA),
    dt.datetime(2027, 1, 4, 8, tzinfo=clock.INDIA),
    dt.datetime(2028, 2, 29, 18, tzinfo=clock.INDIA),
)
"""Right after midnight, after a holiday, a Monday, a leap day after the close."""


@pytest.fixture(scope="module")
def demo_firm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    database = copied(tmp_path_factory)
    follow_up.match_due(database, NOW)
    yield database
    database.dispose()


def _matched(folder: Path, now: dt.datetime) -> Database:
    """The demo firm as its server has it a few seconds after the start."""
    database = filled(folder, now)
    follow_up.match_due(database, now)
    return database


def _board(session: Session) -> Board:
    return follow_up.board(session, BoardFilter(limit=100))


def _executions(session: Session) -> list[Execution]:
    return [follow_up.execution(session, row.id) for row in _board(session).rows]


def _expect_the_whole_story(session: Session, now: dt.datetime) -> None:
    board = _board(session)
    counts = {tile.state: tile.count for tile in board.tiles}
    assert set(counts) == set(AdviceState)
    assert min(counts.values()) >= 1, counts
    assert counts[AdviceState.ACTED] >= 10
    lines = [line for one in _executions(session) for line in one.lines]
    assert {LineStatus.SUPERSEDED, LineStatus.OPPOSITE, LineStatus.DECLINED, LineStatus.MISSED} < {
        line.status for line in lines
    }
    assert {fill.source for line in lines for fill in line.fills} == {
        TradeSource.BROKER,
        TradeSource.INFERRED,
    }
    day = follow_up.last_day(session, now)
    assert day.day == previous_business_day(day_in_india(now), firm.holidays(session))
    assert day.sent == len(advised.RECENT[1])
    assert 1 <= day.acted < day.sent
    assert day.median_slippage_bps is not None
    assert day.open_questions == 2


def test_every_tile_of_the_board_and_the_line_of_the_dashboard_has_something(
    demo_firm: Database,
) -> None:
    with demo_firm.reading() as session:
        _expect_the_whole_story(session, NOW)


@pytest.mark.long
@pytest.mark.parametrize("now", OTHER_DAYS, ids=str)
def test_the_story_is_whole_on_every_day(tmp_path: Path, now: dt.datetime) -> None:
    database = _matched(tmp_path, now)
    with database.reading() as session:
        _expect_the_whole_story(session, now)
        assert audit_log.verify(session).fault is None
    database.dispose()


def test_some_of_its_clients_act_days_later(demo_firm: Database) -> None:
    with demo_firm.reading() as session:
        minutes = [row.minutes_to_first_fill for row in _board(session).rows]

    full_days = 375 * (advised.LATE - 1)
    assert sum(known is not None and known > full_days for known in minutes) >= 2


def test_a_day_that_was_never_read_is_inferred_and_its_sales_have_no_price(
    demo_firm: Database,
) -> None:
    with demo_firm.reading() as session:
        inferred = [
            (one, line)
            for one in _executions(session)
            for line in one.lines
            if any(fill.source is TradeSource.INFERRED for fill in line.fills)
        ]

    assert len({one.advice_id for one, _ in inferred}) == 1
    assert all(line.status is LineStatus.DONE for _, line in inferred)
    prices = {(line.side, fill.price is None) for _, line in inferred for fill in line.fills}
    assert prices <= {("BUY", False), ("SELL", True)}


def test_clients_declined_with_a_reason_and_asked_with_and_without_a_reply(
    demo_firm: Database,
) -> None:
    with demo_firm.reading() as session:
        questions, _ = follow_up.questions(session, QuestionFilter(limit=10))
        answers = [
            answer
            for row in _board(session).rows
            for answer in follow_up.responses_of(session, row.id)
        ]

    counts = Counter(question.replied_at is not None for question in questions)
    assert counts == {True: 1, False: 2}
    declined = [answer for answer in answers if answer.answer is Answer.DECLINED]
    assert len(declined) == 2
    assert all(answer.text for answer in declined)
    assert sum(answer.answer is Answer.READ for answer in answers) >= 10


def test_its_stocks_show_what_the_trades_cost(demo_firm: Database) -> None:
    with demo_firm.reading() as session:
        stocks, total = follow_up.stocks(session, StockFilter(limit=100))
        known = [
            row.shortfall.bps
            for row in _board(session).rows
            if row.shortfall and row.shortfall.bps is not None
        ]

    assert total >= 20
    assert any(stock.median_slippage_bps for stock in stocks)
    days = [stock.days_of_volume for stock in stocks if stock.acted]
    assert all(known is not None for known in days)
    assert min(filter(None, days)) < 1 < max(filter(None, days))
    assert known


def test_one_client_has_whole_lots_with_losses_to_harvest(demo_firm: Database) -> None:
    with demo_firm.reading() as session:
        years = [
            tax.year_of(session, client.id, None, NOW)
            for client in people.client_summaries(session, "")
        ]

    whole = [year for year in years if all(stock.why is None for stock in year.stocks)]
    assert len(whole) == 1
    (year,) = whole
    steps = [step for stock in year.stocks for step in stock.steps or ()]
    assert {step.is_long_term for step in steps} == {True, False}
    assert any(stock.harvest for stock in year.stocks)
    assert year.gains
    assert not year.unknown
    assert year.tax is not None
    assert year.tax.short_first.exemption_left > 0
