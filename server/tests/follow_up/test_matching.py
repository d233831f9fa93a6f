"""What became of an advice, from the trades that come in to the statuses on the screen."""

import datetime as dt
import uuid
from collections.abc import Sized
from fractions import Fraction

import pytest
from sqlalchemy import func, select, update

from tarazu.domain.calendar import business_days_later
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.follow_up import computing, matching, recompute
from tarazu.follow_up.tables import AdviceExecution, LineFill
from tarazu.follow_up.windows import end_of_day
from tarazu.instruments.tables import CorporateAction, Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import new_id
from tarazu.orders.tables import MatchingDue, OrderStatus, Trade, TradeSource
from tests.advice.conftest import seal_of
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.people_of import data_of, reply_of
from tests.rows_of import audit_rows, run, scalar, scalars

CHANGED = "advice_execution_changed"


def _window_end(desk: FollowUpDesk, advice_id: str) -> dt.datetime:
    """A minute after the window."""
    ends_on = dt.date.fromisoformat(desk.execution(advice_id)["windowEndsOn"])
    return end_of_day(ends_on) + MINUTE


def test_an_advice_is_shown_as_unknown_before_anything_was_matched(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()

    execution = desk.execution(advice_id)

    assert execution["state"] == "UNKNOWN"
    assert set(desk.statuses(advice_id).values()) == {"UNKNOWN"}
    assert execution["followedPercentage"] is execution["shortfall"] is None
    assert execution["advisedValue"] > 0


def test_a_sent_advice_appears_on_the_board_at_once(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()

    changed = desk.match()

    (row,) = desk.board()["data"]
    assert changed == 1
    assert (row["_id"], row["state"], row["clientId"]) == (advice_id, "UNKNOWN", "C0001")
    assert audit_rows(desk.database, CHANGED) == []
    assert [(each.id, each.state) for each in desk.told] == [("follow-up", "CHANGED")]


def test_the_window_ends_after_the_business_days_of_the_settings(desk: FollowUpDesk) -> None:
    data_of(desk.advice.desk.put("/admin/settings/follow-up", {"windowDays": 2}))
    advice_id = desk.advice.sent()
    desk.match()
    data_of(desk.advice.desk.put("/admin/settings/follow-up", {"windowDays": 9}))
    desk.read(clock.now() + MINUTE)
    desk.match(clock.now() + MINUTE)

    holidays = {
        dt.date.fromisoformat(row["date"])
        for row in data_of(desk.advice.desk.get("/settings/holidays"))
    }

    # An advice keeps the window with which it was first computed.
    assert desk.execution(advice_id)["windowEndsOn"] == str(
        business_days_later(clock.today(), 2, holidays)
    )


@pytest.mark.on_both
def test_trades_of_all_lines_make_an_advice_acted(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + 30 * MINUTE
    desk.carry_out(advice_id, at)

    desk.match(at + 2 * MINUTE)

    execution = desk.execution(advice_id)
    assert set(desk.statuses(advice_id).values()) == {"DONE"}
    assert (execution["state"], execution["followedPercentage"]) == ("ACTED", 100)
    assert execution["minutesToFirstFill"] == execution["minutesToNinety"] == 30
    assert execution["filledValue"] == execution["advisedValue"]
    shortfall = execution["shortfall"]
    assert shortfall["price"] == shortfall["notTraded"] == 0
    assert shortfall["amount"] == shortfall["charges"] > 0


def test_a_line_shows_its_trades_its_price_and_its_shortfall(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    advised = desk.line(advice_id, "TCS")
    at = clock.now() + 10 * MINUTE
    desk.trade("TCS", 4, "3010", at, trade_id="A1")
    desk.trade("TCS", 6, "3020", at + MINUTE, trade_id="A2")
    desk.read(at + 2 * MINUTE)

    desk.match(at + 3 * MINUTE)

    line = desk.line(advice_id, "TCS")
    assert [(fill["tradeId"], fill["quantity"], fill["price"]) for fill in line["fills"]] == [
        ("A1", 4, 3010),
        ("A2", 6, 3020),
    ]
    assert {fill["source"] for fill in line["fills"]} == {"BROKER"}
    assert line["filledQuantity"] == 10 < advised["advisedQuantity"]
    assert line["averagePrice"] == 3016
    assert line["status"] == "PARTIAL"
    # 16 rupees of 3,000: 53.33 basis points.
    assert line["slippageBps"] == 53.33
    assert desk.execution(advice_id)["state"] == "PART"


def test_each_change_of_a_status_is_one_event_with_the_statuses(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    at = clock.now() + 10 * MINUTE
    desk.carry_out(advice_id, at, "TCS")
    desk.match(at + MINUTE)
    desk.match(at + 2 * MINUTE)

    (event,) = audit_rows(desk.database, CHANGED)

    place = str(desk.line(advice_id, "TCS")["place"])
    assert event.record_id == advice_id
    assert '"state": ["UNKNOWN", "PART"]' in event.changes
    assert f'"{place}": ["UNKNOWN", "DONE"]' in event.changes


@pytest.mark.on_both
def test_the_same_input_again_writes_nothing(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + 10 * MINUTE
    desk.carry_out(advice_id, at, "TCS")
    desk.match(at + MINUTE)
    computed = scalar(desk.database, select(AdviceExecution.computed_at))
    rows = scalar(desk.database, select(func.count()).select_from(AuditRow))
    desk.read(at)

    changed = desk.match(at + 5 * MINUTE)

    assert changed == 0
    assert scalar(desk.database, select(AdviceExecution.computed_at)) == computed
    assert scalar(desk.database, select(func.count()).select_from(AuditRow)) == rows
    assert scalars(desk.database, select(MatchingDue.client_id)) == []


def test_the_sealed_advice_is_never_touched(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    package = seal_of(desk.database, advice_id).package
    desk.carry_out(advice_id, clock.now() + MINUTE)
    desk.match(clock.now() + 2 * MINUTE)

    assert seal_of(desk.database, advice_id).package == package
    assert data_of(desk.advice.desk.get(f"/admin/advice/{advice_id}/verify"))["holds"] is True


def test_after_the_window_what_was_not_traded_is_missed_or_short(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.trade("TCS", 1, "3000", clock.now() + MINUTE)
    desk.match(clock.now() + MINUTE)
    over = _window_end(desk, advice_id)
    desk.read(over)
    desk.close(over.date(), {"TCS": "3300", "RELIANCE": "1250.50", "INFY": "1500"})

    desk.match(over)

    statuses = desk.statuses(advice_id)
    assert statuses["TCS"] == "SHORT"
    assert statuses["RELIANCE"] == "MISSED"
    execution = desk.execution(advice_id)
    assert execution["isOver"] is True
    rest = desk.line(advice_id, "TCS")["advisedQuantity"] - 1
    assert execution["shortfall"]["notTraded"] == 300 * rest


def test_the_evening_of_a_windows_last_day_marks_its_client(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    over = _window_end(desk, advice_id)

    assert desk.match(over - 2 * MINUTE) == 0
    assert desk.match(over) == 1
    assert desk.match(over + MINUTE) == 0


def test_without_a_close_since_the_sending_the_shortfall_is_unknown(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.trade("TCS", 1, "3000", clock.now() + MINUTE)
    desk.read(clock.now() + MINUTE)
    desk.match(clock.now() + 2 * MINUTE)

    assert desk.execution(advice_id)["shortfall"] is None
    assert desk.line(advice_id, "TCS")["shortfall"] is None


def test_a_shortfall_that_is_not_known_says_why(desk: FollowUpDesk) -> None:
    def gaps(advice_id: str) -> tuple[str | None, set[str | None]]:
        execution = desk.execution(advice_id)
        return execution["shortfallGap"], {line["shortfallGap"] for line in execution["lines"]}

    advice_id = desk.advice.sent()
    assert gaps(advice_id) == ("TRADES_NOT_READ", {"TRADES_NOT_READ"})
    at = clock.now() + 60 * MINUTE
    desk.carry_out(advice_id, at, "TCS")
    desk.match(at + 2 * MINUTE)
    assert gaps(advice_id) == ("NO_CLOSE", {None, "NO_CLOSE"})
    assert desk.line(advice_id, "TCS")["shortfallGap"] is None

    shares = desk.line(advice_id, "INFY")["advisedQuantity"]
    after, source = at - 50 * MINUTE, TradeSource.INFERRED
    desk.trade("INFY", -shares, None, at, source=source, after=after, trade_id="I1")
    desk.carry_out(advice_id, at, "RELIANCE")
    desk.match(at + 2 * MINUTE)
    assert gaps(advice_id) == ("NO_SALE_PRICE", {None, "NO_SALE_PRICE"})
    assert desk.line(advice_id, "INFY")["averagePrice"] is None
    assert desk.execution(advice_id)["shortfall"]["amount"] > 0


def test_an_advice_names_its_client(desk: FollowUpDesk) -> None:
    execution = desk.execution(desk.advice.sent())

    assert (execution["clientCode"], execution["name"]) == ("C0001", "Kavya Menon")


def test_the_close_of_an_advised_share_that_nobody_holds_is_kept(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    evening = dt.datetime.combine(clock.today(), dt.time(15, 50), clock.INDIA)
    desk.read(evening)
    desk.match(evening)
    desk.advice.priced({"TCS": "3900"})
    over = _window_end(desk, advice_id)
    desk.read(over)

    desk.match(over)

    # Of the day of the sending, at the advised price: the last close that is known.
    assert desk.line(advice_id, "TCS")["status"] == "MISSED"
    assert desk.execution(advice_id)["shortfall"]["amount"] == 0


def test_an_open_order_is_working_and_a_rejected_one_says_why(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + MINUTE
    desk.order("TCS", at, OrderStatus.OPEN)
    desk.order("RELIANCE", at, OrderStatus.REJECTED, "Insufficient funds")
    desk.read(at + MINUTE)
    desk.match(at + MINUTE)

    assert desk.line(advice_id, "TCS")["status"] == "WORKING"
    rejected = desk.line(advice_id, "RELIANCE")
    assert (rejected["status"], rejected["statusText"]) == ("REJECTED", "Insufficient funds")


def test_later_advice_on_the_same_share_ends_the_earlier_line(desk: FollowUpDesk) -> None:
    first = desk.advice.sent()
    desk.read(clock.now())
    second = desk.advice.sent()
    desk.read(clock.now())

    desk.match(clock.now())

    assert set(desk.statuses(first).values()) == {"SUPERSEDED"}
    assert set(desk.statuses(second).values()) <= {"PENDING", "UNKNOWN"}


def test_a_split_inside_the_window_changes_quantity_and_price(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    advised = desk.line(advice_id, "TCS")
    desk.match()
    over = _window_end(desk, advice_id)
    tomorrow = clock.today() + dt.timedelta(days=1)
    with desk.database.transaction() as session:
        session.add(
            CorporateAction(
                id=new_id(),
                isin=advised["isin"],
                new_isin="INE000A01099",
                kind=ActionKind.SPLIT,
                ex_on=tomorrow,
                new=5,
                old=1,
                source="TEST",
                created_at=clock.now(),
            )
        )
    shares = advised["advisedQuantity"] * 5
    run(
        desk.database,
        update(Instrument).where(Instrument.symbol == "TCS").values(isin="INE000A01099"),
    )
    desk.trade("TCS", shares, "610", over - dt.timedelta(hours=2))
    desk.read(over)
    desk.match(over)

    line = desk.line(advice_id, "TCS")
    assert (line["status"], line["advisedQuantity"], line["advisedPrice"]) == ("DONE", shares, 600)
    assert Fraction(line["filledQuantity"], 5) == advised["advisedQuantity"]


def test_a_better_known_trade_takes_the_place_of_an_inferred_one(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + 60 * MINUTE
    desk.trade(
        "TCS", 5, "3100", at, source=TradeSource.INFERRED, after=at - 50 * MINUTE, trade_id="I1"
    )
    desk.match(at)
    before = desk.line(advice_id, "TCS")["fills"]
    desk.trade("TCS", 5, "3005", at - MINUTE, trade_id="B1")

    desk.match(at + MINUTE)

    after = desk.line(advice_id, "TCS")["fills"]
    assert [fill["source"] for fill in before] == ["INFERRED"]
    assert [(fill["tradeId"], fill["price"]) for fill in after] == [("B1", 3005)]


@pytest.mark.on_both
def test_a_trade_that_is_removed_is_counted_no_more(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.carry_out(advice_id, clock.now() + MINUTE, "TCS")
    desk.match(clock.now() + 2 * MINUTE)
    with desk.database.transaction() as session:
        session.execute(Trade.__table__.delete())  # type: ignore[attr-defined]
    desk.read(clock.now() + 3 * MINUTE)

    desk.match(clock.now() + 3 * MINUTE)

    assert desk.line(advice_id, "TCS")["filledQuantity"] == 0
    assert desk.line(advice_id, "TCS")["fills"] == []


def test_a_client_who_cannot_be_computed_stays_due_and_the_others_are_done(
    desk: FollowUpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice_id = desk.advice.sent()
    other = desk.advice.desk.add_client("Rohan Shah", "rohan@home.example")
    desk.read(clock.now(), uuid.UUID(other))
    at = clock.now() + MINUTE
    real = recompute.computed_advice

    def failing(client: computing.ClientInput, terms: computing.Terms) -> object:
        if any(str(one.id) == advice_id for one in client.sent):
            raise ValueError("cannot be computed")
        return real(client, terms)

    monkeypatch.setattr(recompute, "computed_advice", failing)
    with pytest.raises(Exception, match="1 clients cannot be matched"):
        desk.match(at)

    assert scalars(desk.database, select(MatchingDue.client_id)) == [desk.client_id]
    monkeypatch.undo()
    desk.match(at)
    assert scalars(desk.database, select(MatchingDue.client_id)) == []


@pytest.mark.parametrize(
    ("seconds_each", "sizes"),
    [(0.001, [1, 2, 4, 8, 16]), (0.03, [1, 2, 4, 6, 6, 6]), (5.0, [1] * 6)],
)
def test_a_batch_is_as_large_as_others_may_wait_for(
    desk: FollowUpDesk, monkeypatch: pytest.MonkeyPatch, seconds_each: float, sizes: list[int]
) -> None:
    clients = [
        uuid.UUID(desk.advice.desk.add_client(f"Client {number}", f"client{number}@home.example"))
        for number in range(sum(sizes))
    ]
    with desk.database.transaction() as session:
        matching.orders.mark_matching_due(session, clients, clock.now())
    computed: list[int] = []

    def slow(_session: object, client_ids: Sized, *_: object) -> int:
        computed.append(len(client_ids))
        return 0

    monkeypatch.setattr(matching, "recompute", slow)
    monkeypatch.setattr(matching, "monotonic", lambda: sum(computed) * seconds_each)
    desk.match()

    assert computed == sizes


@pytest.mark.on_both
def test_who_is_marked_while_being_matched_stays_due(
    desk: FollowUpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.advice.sent()
    real, calls = matching.recompute, []

    def marking(*args: object, **more: object) -> int:
        changed = real(*args, **more)  # type: ignore[arg-type]
        calls.append(changed)
        if len(calls) == 1:
            session = args[0]
            matching.orders.mark_matching_due(session, [desk.client_id], clock.now())  # type: ignore[arg-type]
        return changed

    monkeypatch.setattr(matching, "recompute", marking)
    desk.match()

    assert len(calls) == 2
    assert scalars(desk.database, select(MatchingDue.client_id)) == []


@pytest.mark.on_both
def test_a_process_that_dies_before_it_clears_loses_nothing(
    desk: FollowUpDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice_id = desk.advice.sent()
    desk.carry_out(advice_id, clock.now() + MINUTE)
    at = clock.now() + 2 * MINUTE

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tarazu.orders.service.clear_due", die)
    with pytest.raises(KeyboardInterrupt):
        desk.match(at)
    monkeypatch.undo()

    assert desk.execution(advice_id)["state"] == "ACTED"
    assert scalars(desk.database, select(MatchingDue.client_id)) == [desk.client_id]
    assert desk.match(at) == 0
    assert scalars(desk.database, select(MatchingDue.client_id)) == []


def test_advice_that_nobody_sent_is_not_there(desk: FollowUpDesk) -> None:
    answer = desk.advice.desk.get(f"/admin/advice/{uuid.uuid4()}/execution")

    assert reply_of(answer) == (404, "Advice not found")


@pytest.mark.on_both
def test_the_fills_of_a_line_are_stored_once_each(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    at = clock.now() + MINUTE
    desk.carry_out(advice_id, at)
    desk.match(at)
    desk.match(at + MINUTE)

    lines = len(desk.statuses(advice_id))
    assert scalar(desk.database, select(func.count()).select_from(LineFill)) == lines
