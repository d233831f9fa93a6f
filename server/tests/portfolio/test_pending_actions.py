"""A bonus or a split shows neither gain nor loss, whatever is shown of it and when it is entered."""

import datetime as dt
from decimal import Decimal
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.upkeep import jobs
from tests.portfolio.actions import EX_ON, SYMBOL, ActionDesk, add_action, at, record, remove
from tests.portfolio.test_closing import Firm

BONUS, SPLIT = (2, 1), (10, 1)
NEVER = at(400, 0)
Factor = tuple[int, int]

# What is shown on the ex-date, the day after and two days after: number and average in parts of
# those after the action.
COURSES = {
    "old quantity and average, then both new": ["old old", "old old", "new new"],
    "old quantity, then new with the old average": ["old old", "old old", "new old", "new new"],
    "old quantity, then new without an average": ["old old", "old old", "new none", "new new"],
    "new average first, then the new quantity": ["old old", "old new", "new new"],
    "adjusted at once": ["new new", "new new", "new new"],
}


@pytest.fixture
def desk(database: Database) -> ActionDesk:
    firm = Firm(database)
    client = firm.add("Kavya", at(-9, 10))
    desk = ActionDesk(firm, client)
    desk.read(at(-8, 10), 100, "80")
    desk.price(at(-1, 15), "100")
    firm.close(at(-1, 15, 50))
    return desk


def show(desk: ActionDesk, factor: Factor, day: int, what: str) -> None:
    quantity, average = what.split()
    new, old = factor
    shares = 100 if quantity == "old" else 100 * new // old
    cost = Decimal(80) if average == "old" else round(Decimal(80) * old / new, 4)
    desk.read(at(day, 10), shares, "0" if average == "none" else str(cost))


def play(
    desk: ActionDesk, factor: Factor, course: list[str], action: UUID, when: dt.datetime
) -> None:
    """Let the days pass; the action is entered at `when`, between other events."""
    days = [0, 1, 2, 5, 6]
    moments = [(at(day, 10), day) for day in days]
    new, old = factor
    is_recorded = False
    for moment, day in moments:
        if not is_recorded and when < moment:
            record(desk.firm.database, action, when)
            is_recorded = True
        show(desk, factor, day, course[min(days.index(day), len(course) - 1)])
        if not is_recorded and when < moment + dt.timedelta(hours=2):
            record(desk.firm.database, action, when)
            is_recorded = True
        desk.price(at(day, 14), str(round(Decimal(100) * old / new, 4)))
        desk.close(day)
    if not is_recorded and when < NEVER:
        record(desk.firm.database, action, when)


ENTERED = {
    "before the market": at(0, 1),
    "on the day": at(0, 11),
    "a day late": at(1, 9),
    "a week late": at(7, 12),
    "a month late": at(30, 12),
}


@pytest.mark.parametrize(
    ("factor", "course", "entered"),
    [
        *((BONUS, course, entered) for course in COURSES for entered in ENTERED),
        *(
            (factor, "old quantity, then new with the old average", entered)
            for factor in (SPLIT, (7, 4), (1, 10))
            for entered in ("before the market", "a week late")
        ),
    ],
)
def test_nothing_is_gained_or_lost_whenever_it_is_entered(
    desk: ActionDesk, factor: Factor, course: str, entered: str
) -> None:
    action = add_action(desk.firm.database, *factor)

    play(desk, factor, COURSES[course], action, ENTERED[entered])

    shown = desk.shown()
    shares = 100 * factor[0] // factor[1]
    assert [stock[:2] for stock in shown["stocks"]] == [(shares, 0)]
    # 175 shares at 57.1429 are a paisa more than 100 at 100.
    worth = [value for _, value, _ in shown["closes"]]
    worth += [*(value for _, value in shown["firm closes"]), shown["value"], shown["firm"]]
    assert {round(value, 1) for value in worth} == {10_000}
    assert abs(shown["invested"] - 8000) < Decimal("0.02")
    assert shown["total"] == (shares, shown["invested"])
    assert shown["book"] == (shown["value"], shown["pnl"])
    assert (shown["suspected"], shown["pending"]) == ([False], [False])


@pytest.mark.on_both
@pytest.mark.parametrize("factor", [BONUS, (1, 10)])
@pytest.mark.parametrize("course", COURSES)
def test_an_action_that_is_taken_back_leaves_every_figure_as_it_was(
    desk: ActionDesk, factor: Factor, course: str
) -> None:
    action = add_action(desk.firm.database, *factor)
    play(desk, factor, COURSES[course], action, NEVER)
    before = desk.shown()
    record(desk.firm.database, action, at(30, 12))
    assert desk.shown() != before or course == "adjusted at once"

    remove(desk.firm.database, action, at(31, 9))

    assert desk.shown() == before
    with desk.firm.database.reading() as session:
        for table in ("pending_actions", "close_adjustments", "firm_close_adjustments"):
            assert session.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0


@pytest.mark.on_both
@pytest.mark.parametrize("factor", [BONUS, SPLIT])
def test_from_the_ex_date_on_the_expected_shares_count(desk: ActionDesk, factor: Factor) -> None:
    action = add_action(desk.firm.database, *factor)
    record(desk.firm.database, action, at(0, 1))
    shares = 100 * factor[0]

    early = desk.shown()
    desk.price(at(0, 10), str(Decimal(101) / factor[0]))
    later = desk.shown()

    # Before the first trade the last price is that of before, in the new units.
    assert early["stocks"] == [(shares, shares - 100, Decimal(80) / factor[0])]
    assert (early["value"], early["pnl"], early["firm"]) == (10_000, 2_000, 10_000)
    assert early["total"] == (shares, Decimal(8000))
    assert (early["pending"], early["suspected"]) == ([True], [False])
    assert (later["value"], later["pnl"]) == (10_100, 2_100)
    assert later["book"] == (10_100, 2_100)


def test_the_second_recording_changes_nothing(desk: ActionDesk) -> None:
    action = add_action(desk.firm.database, *BONUS)
    record(desk.firm.database, action, at(0, 1))
    before = desk.shown()

    record(desk.firm.database, action, at(0, 2))

    assert desk.shown() == before


def test_an_action_of_a_later_day_changes_nothing_yet(desk: ActionDesk) -> None:
    action = add_action(desk.firm.database, *BONUS)
    before = desk.shown()

    record(desk.firm.database, action, at(-1, 20))

    assert desk.shown() == before
    with desk.firm.database.reading() as session:
        assert portfolio.action_states(session, [action]) == {}


def test_the_change_of_the_day_is_against_the_close_in_the_new_units(desk: ActionDesk) -> None:
    record(desk.firm.database, add_action(desk.firm.database, *SPLIT), at(0, 1))
    desk.price(at(0, 11), "10.10")

    with desk.firm.database.reading() as session:
        changes = portfolio.day_changes(session, EX_ON, 5, set())

    assert changes is not None
    (change,) = changes.rising
    assert (change.change, change.points) == (100 * 10_000, 100)


@pytest.mark.parametrize("in_order", [True, False])
def test_two_actions_of_one_day_give_the_same_in_either_order(
    desk: ActionDesk, in_order: bool
) -> None:
    desk.read(at(-7, 10), 5, "350")
    bonus = add_action(desk.firm.database, 7, 4)
    split = add_action(desk.firm.database, 10, 1, kind=ActionKind.SPLIT)
    for action in (bonus, split) if in_order else (split, bonus):
        record(desk.firm.database, action, at(0, 1))

    assert desk.shown()["stocks"][0][0] == 87
    desk.read(at(1, 10), 50, "35")
    assert desk.shown()["stocks"][0][:2] == (87, 37)
    desk.read(at(2, 10), 87, "20.1149")
    assert desk.shown()["stocks"][0][:2] == (87, 0)
    remove(desk.firm.database, split, at(3, 9))
    remove(desk.firm.database, bonus, at(3, 9))
    assert desk.shown()["stocks"] == [(87, 0, Decimal("20.1149"))]


def test_own_trades_while_the_shares_wait_do_not_end_the_waiting(desk: ActionDesk) -> None:
    action = add_action(desk.firm.database, *BONUS)
    record(desk.firm.database, action, at(0, 1))
    desk.price(at(0, 10), "50")

    desk.read(at(0, 12), 70, "80", traded=-30)
    sold = desk.shown()
    desk.read(at(2, 12), 170, "40")
    credited = desk.shown()

    assert sold["stocks"][0][:2] == (170, 100)
    assert (sold["value"], sold["invested"]) == (8_500, 6_800)
    assert sold["total"] == (170, Decimal(6_800))
    assert credited["stocks"] == [(170, 0, Decimal(40))]
    assert credited["total"] == (170, Decimal(6_800))


def test_all_that_is_credited_may_be_sold_while_the_others_wait(desk: ActionDesk) -> None:
    record(desk.firm.database, add_action(desk.firm.database, *BONUS), at(0, 1))
    desk.price(at(0, 10), "50")

    desk.read(at(0, 12), 0, "0", traded=-100)

    shown = desk.shown()
    assert shown["stocks"] == [(100, 100, Decimal(40))]
    assert (shown["value"], shown["firm"], shown["book"][0]) == (5_000, 5_000, 5_000)
    desk.close(0)
    assert desk.shown()["closes"][-1][1] == 5_000


def test_a_client_who_is_made_inactive_takes_the_waiting_shares_along(desk: ActionDesk) -> None:
    record(desk.firm.database, add_action(desk.firm.database, *BONUS), at(0, 1))
    for counted in (False, True):
        with desk.firm.database.transaction() as session:
            portfolio.count_in_totals(session, at(0, 9), desk.client, counted=counted)
        assert desk.shown()["total"] == ((200, Decimal(8000)) if counted else None)


def test_who_bought_after_the_ex_date_waits_for_nothing(desk: ActionDesk) -> None:
    other = desk.firm.add("Rohan", at(-9, 10))
    desk.read(at(-8, 10), 0, "0", client=other)
    desk.read(at(1, 10), 30, "50", client=other)
    action = add_action(desk.firm.database, *BONUS)

    record(desk.firm.database, action, at(2, 9))

    with desk.firm.database.reading() as session:
        (stock,) = portfolio.stocks_of(session, other)
        assert (stock.quantity, stock.is_action_pending) == (30, False)
        assert portfolio.action_states(session, [action]) == {action: (1, 1)}


def test_a_holding_that_was_first_read_after_the_ex_date_is_doubted_and_never_guessed(
    desk: ActionDesk,
) -> None:
    action = add_action(desk.firm.database, *BONUS)
    record(desk.firm.database, action, at(0, 1))
    other = desk.firm.add("Rohan", at(0, 9))

    desk.read(at(1, 10), 100, "80", client=other)

    def rohan() -> Any:
        with desk.firm.database.reading() as session:
            (stock,) = portfolio.stocks_of(session, other)
            return stock.quantity, stock.is_action_suspected, portfolio.valued([stock]).totals.pnl

    assert rohan() == (100, True, None)
    desk.read(at(8, 10), 100, "80", client=other)
    assert rohan()[:2] == (100, False)
    with desk.firm.database.reading() as session:
        assert portfolio.unadjusted_stocks(session, other) == [SYMBOL]


@pytest.mark.on_both(suite="long")
def test_a_close_of_an_unknown_price_is_left_as_it_is_and_said(desk: ActionDesk) -> None:
    action = add_action(desk.firm.database, *BONUS)
    desk.price(at(0, 14), "50")
    desk.close(0)
    with desk.firm.database.transaction() as session:
        session.execute(text("DELETE FROM day_closes"))
    before = desk.shown()["closes"]

    record(desk.firm.database, action, at(1, 9))

    assert desk.shown()["closes"] == before
    with desk.firm.database.reading() as session:
        assert portfolio.unadjusted_stocks(session, desk.client) == [SYMBOL]


def test_a_share_that_does_not_trade_on_the_ex_date_keeps_its_value(desk: ActionDesk) -> None:
    action = add_action(desk.firm.database, *BONUS)
    # Another share has a price of the day, so that the day can be closed.
    other = desk.firm.add("Rohan", at(-9, 10))
    desk.firm.hold(other, at(-8, 10), {"TCS": 1})
    desk.firm.trade(at(0, 12), {"TCS": "100"})
    desk.close(0)
    desk.price(at(1, 12), "50")
    desk.firm.trade(at(1, 12), {"TCS": "100"})
    desk.close(1)

    record(desk.firm.database, action, at(2, 9))

    values = [value for _, value, _ in desk.shown()["closes"]]
    assert {abs(later - earlier) for earlier, later in pairwise(values)} == {0}


@pytest.mark.on_both(suite="long")
def test_what_readings_changed_is_dropped_once_nobody_waits_for_it(desk: ActionDesk) -> None:
    database, later = desk.firm.database, at(500, 0)

    def changes() -> int:
        with database.reading() as session:
            statement = text("SELECT count(*) FROM holding_changes")
            return int(session.execute(statement).scalar_one())

    desk.read(at(-6, 10), 90, "80", traded=-10)
    desk.read(at(-5, 10), 100, "80", traded=10)
    record(database, add_action(database, *BONUS), at(0, 1))
    noted = changes()

    assert jobs.drop_old_changes(database, at(300, 0)) == 0
    assert jobs.drop_old_changes(database, later) == 0
    desk.read(at(2, 10), 200, "40")
    assert changes() == noted + 1
    assert jobs.drop_old_changes(database, later) == noted + 1
    assert changes() == 0


def test_it_is_late_after_four_business_days(desk: ActionDesk) -> None:
    with desk.firm.database.reading() as session:
        days = {
            day: portfolio.is_late(session, EX_ON, EX_ON + dt.timedelta(day)) for day in range(9)
        }
    # Wednesday to the next Tuesday.
    assert [day for day, is_late in days.items() if is_late] == [6, 7, 8]
