"""Closes and corporate actions that come in after the matching of the evening."""

import datetime as dt

import pytest
from sqlalchemy import func, select, update

from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.follow_up.windows import end_of_day
from tarazu.imports import price_files
from tarazu.instruments.tables import ActionKind, CorporateAction, Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import new_id
from tarazu.orders import service as orders
from tarazu.orders.tables import IsinsDue, MatchingDue
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.imports.bhavcopies import udiff
from tests.rows_of import run, scalar, scalars

pytestmark = pytest.mark.on_both

CLOSES = {"INFY": "1500", "TCS": "3300", "RELIANCE": "1250.50"}


def _over(desk: FollowUpDesk, advice_id: str) -> dt.datetime:
    """A minute after the window."""
    ends_on = dt.date.fromisoformat(desk.execution(advice_id)["windowEndsOn"])
    return end_of_day(ends_on) + MINUTE


def _import(desk: FollowUpDesk, day: dt.date, now: dt.datetime) -> None:
    """Import the exchange's file of a day."""
    isins = {line: _isin(desk, line) for line in CLOSES}
    rows = [(symbol, "EQ", isins[symbol], price) for symbol, price in CLOSES.items()]
    file = price_files.read_price_file(udiff(*rows, day=day), "bhav.csv")
    price_files.import_prices(desk.database, SYSTEM, now, file, is_dry_run=False)


def _isin(desk: FollowUpDesk, symbol: str) -> str:
    isin = scalar(desk.database, select(Instrument.isin).where(Instrument.symbol == symbol))
    return str(isin)


def _missed(desk: FollowUpDesk) -> tuple[str, dt.datetime]:
    """An advice of which nothing was traded in its window, matched without any close."""
    advice_id = desk.advice.sent()
    desk.match()
    over = _over(desk, advice_id)
    desk.read(over)
    desk.match(over)
    assert desk.execution(advice_id)["shortfallGap"] == "NO_CLOSE"
    return advice_id, over


def test_a_price_file_after_the_matching_completes_the_shortfall(desk: FollowUpDesk) -> None:
    advice_id, over = _missed(desk)
    assert not orders_due(desk)

    _import(desk, over.date(), over + MINUTE)

    assert orders_due(desk)
    assert desk.match(over + 2 * MINUTE) == 1
    execution = desk.execution(advice_id)
    assert execution["shortfallGap"] is None
    assert execution["shortfall"]["notTraded"] > 0
    assert not orders_due(desk)


def test_the_same_file_again_marks_nobody(desk: FollowUpDesk) -> None:
    _, over = _missed(desk)
    _import(desk, over.date(), over + MINUTE)
    desk.match(over + 2 * MINUTE)

    _import(desk, over.date(), over + 3 * MINUTE)

    assert not orders_due(desk)


def test_a_file_of_a_day_outside_the_window_marks_nobody(desk: FollowUpDesk) -> None:
    _, over = _missed(desk)
    with desk.database.reading() as session:
        day = next_business_day(over.date(), firm.holidays(session))

    _import(desk, day, end_of_day(day))

    # Nothing but the note itself is done.
    assert desk.match(end_of_day(day)) == 0
    assert scalar(desk.database, select(func.count()).select_from(IsinsDue)) == 0


def test_a_corporate_action_marks_the_clients_of_the_share_it_came_from(
    desk: FollowUpDesk,
) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    advised, tomorrow = desk.line(advice_id, "TCS"), clock.today() + dt.timedelta(days=1)
    with desk.database.transaction() as session:
        action = {"kind": ActionKind.SPLIT, "ex_on": tomorrow, "new": 5, "old": 1}
        names = {"isin": advised["isin"], "new_isin": "INE000A01099", "source": "TEST"}
        session.add(CorporateAction(id=new_id(), created_at=clock.now(), **action, **names))
        # The new ISIN alone: the advice named the old one.
        orders.mark_isins_due(session, {"INE000A01099"}, tomorrow, tomorrow)
    over = _over(desk, advice_id)
    desk.read(over - 30 * MINUTE)
    run(desk.database, update(MatchingDue).values(number=0))
    with desk.database.transaction() as session:
        orders.clear_due(session, {desk.client_id: 0})

    desk.match(over - 20 * MINUTE)

    assert desk.line(advice_id, "TCS")["advisedQuantity"] == advised["advisedQuantity"] * 5


def orders_due(desk: FollowUpDesk) -> bool:
    """Whether the job has anything to match, but for windows that end."""
    with desk.database.reading() as session:
        waiting = orders.has_due(session)
    return waiting or bool(scalars(desk.database, select(MatchingDue.client_id)))
