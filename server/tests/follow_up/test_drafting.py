"""The follow-up that is drafted when the window of an advice ended and a part of it was traded."""

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import AdviceDraft
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.follow_up import jobs, service
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer, FollowUpDraft
from tarazu.follow_up.windows import end_of_day
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.people.tables import Person, Role, Status
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tests.advice.conftest import PRICES
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.people_of import data_of, staff_desk
from tests.rows_of import run, scalar

At = Callable[[dt.datetime], AbstractContextManager[None]]
FORM = Path(__file__).parents[3] / "web/src/testing/drafted-follow-up.json"
"""A draft as the web's tests restore it."""


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """It is another time inside `with at(...)`; outside, the sessions of the test go on."""

    @contextmanager
    def be(now: dt.datetime) -> Iterator[None]:
        with monkeypatch.context() as patched:
            patched.setattr(clock, "now", lambda: now.astimezone(dt.UTC))
            yield

    return be


class Ended:
    """An advice whose window ended with a part of it traded: INFY sold, and `bought`."""

    def __init__(self, desk: FollowUpDesk, at: At, bought: tuple[str, ...] = ("TCS",)) -> None:
        self.desk, self.at, self.bought = desk, at, bought
        self.id = desk.advice.sent()
        self.lines = {line["tradingSymbol"]: line for line in desk.execution(self.id)["lines"]}
        desk.carry_out(self.id, clock.now() + MINUTE, "INFY", *bought)
        desk.match(clock.now() + 2 * MINUTE)
        ends_on = dt.date.fromisoformat(desk.execution(self.id)["windowEndsOn"])
        self.over = end_of_day(ends_on) + MINUTE

    def end(self, *, is_read: bool = True, prices: Mapping[str, str] = PRICES) -> "Ended":
        """The window ends; trades, holdings and prices are those of that evening."""
        if is_read:
            self.desk.read(self.over)
        self.sync(self.over, prices)
        self.desk.match(self.over)
        return self

    def sync(self, when: dt.datetime, prices: Mapping[str, str] = PRICES) -> None:
        with self.at(when):
            self.desk.advice.priced(dict(prices))
            shares = {symbol: self.lines[symbol]["advisedQuantity"] for symbol in self.bought}
            left = 100 - self.lines["INFY"]["advisedQuantity"]
            self.desk.advice.hold(shares | {"INFY": left, "ITC": 10}, cash="200000")

    def draft(self, after: dt.timedelta = MINUTE) -> int:
        """What the job does; how many were drafted."""
        assert jobs.has_drafts_due(self.desk.database, self.over + after)
        return self.run(after)

    def run(self, after: dt.timedelta = MINUTE) -> int:
        return jobs.draft_due(self.desk.database, self.over + after, self.desk.told.append)

    @property
    def note(self) -> dict[str, Any] | None:
        note: dict[str, Any] | None = self.desk.execution(self.id)["followUp"]
        return note

    @property
    def stored(self) -> dict[str, Any] | None:
        """The sender's draft for the client."""
        path = f"/admin/advice/drafts/{self.desk.advice.client_id}"
        draft: dict[str, Any] | None = data_of(self.desk.advice.desk.get(path))
        return draft


@pytest.fixture
def ended(desk: FollowUpDesk, at: At) -> Ended:
    return Ended(desk, at)


def _limits(desk: FollowUpDesk, tracking: float | None, idle: float | None) -> None:
    limits = {"trackingLimitPercentage": tracking, "idleCashLimitPercentage": idle}
    data_of(desk.advice.desk.put("/admin/settings/follow-up", limits))


@pytest.mark.on_both
def test_what_is_left_is_drafted_for_the_sender_at_the_prices_of_now(ended: Ended) -> None:
    ended.end(prices=PRICES | {"RELIANCE": "1300.00"})

    assert ended.draft() == 1

    draft = ended.stored
    assert draft is not None
    rows = {row["tradingSymbol"]: row for row in draft["content"]["rows"]}
    assert {symbol: row["target"] for symbol, row in rows.items()} == {
        "INFY": None, "ITC": None, "TCS": None, "RELIANCE": 3000, "CASH": 1000,
    }  # fmt: skip
    assert rows["RELIANCE"]["ltp"] == 1300
    assert rows["CASH"]["amount"] == 200_000
    assert not draft["content"]["followsValue"]
    # The Investment Value follows the shares that the advice was to end with.
    bought = ended.lines["RELIANCE"]["advisedQuantity"]
    assert draft["content"]["investment"] == 500_000 + bought * 49.5


@pytest.mark.on_both
def test_staff_see_the_draft_on_the_board_in_the_drawer_and_in_the_work_list(
    ended: Ended,
) -> None:
    ended.end().draft()

    desk = ended.desk
    (row,) = desk.board()["data"]
    note = ended.note
    assert note is not None
    assert row["followUp"] == note
    assert (note["outcome"], note["draftedFor"]) == ("DRAFTED", "Ananya Kulkarni")
    assert note["text"].startswith("Tracking error ")
    assert desk.execution(ended.id)["hasOwnDraft"] is True
    work = data_of(desk.advice.desk.get("/admin/dashboard/work"))
    assert [line["count"] for line in work if line["kind"] == "DRAFTS"] == [1]
    (listed,) = desk.advice.desk.get("/admin/advice/drafts").json()["data"]
    assert (listed["clientId"], listed["isFollowUp"]) == ("C0001", True)
    assert [told.state for told in desk.told][-1] == "CHANGED"


def test_a_draft_is_its_senders_alone_and_the_others_see_that_it_is_there(ended: Ended) -> None:
    ended.end().draft()
    desk = ended.desk.advice.desk
    other = staff_desk(desk.web, ended.desk.database, "meera@desk.example", Role.ADMIN)

    execution = data_of(other.get(f"/admin/advice/{ended.id}/execution"))

    assert execution["hasOwnDraft"] is False
    assert execution["followUp"]["draftedFor"] == "Ananya Kulkarni"
    assert other.get("/admin/advice/drafts").json()["data"] == []


@pytest.mark.on_both
def test_once_drafted_it_is_not_drafted_again_though_it_was_discarded(ended: Ended) -> None:
    ended.end().draft()
    desk = ended.desk.advice.desk
    path = f"/api/v1/admin/advice/drafts/{ended.desk.advice.client_id}"
    assert desk.web.delete(path, headers=desk.headers).status_code == 200

    assert ended.run(dt.timedelta(hours=3)) == 0

    assert ended.stored is None
    assert not jobs.has_drafts_due(ended.desk.database, ended.over + dt.timedelta(hours=3))


@pytest.mark.on_both(suite="long")
def test_a_draft_that_is_there_is_not_overwritten(ended: Ended) -> None:
    path = f"/admin/advice/drafts/{ended.desk.advice.client_id}"
    content: dict[str, Any] = {"rows": []}
    own = {"version": None, "schemaVersion": 1, "content": content}
    ended.desk.advice.desk.put(path, own)
    ended.end()

    assert ended.draft() == 0

    assert ended.stored is not None
    assert ended.stored["content"] == {"rows": []}
    assert ended.note is not None
    assert (ended.note["outcome"], ended.note["draftedFor"]) == ("LEFT_OUT", None)
    assert "not overwritten" in ended.note["text"]
    assert ended.run(dt.timedelta(hours=3)) == 0


def test_a_person_who_saves_the_draft_makes_it_their_own(ended: Ended) -> None:
    ended.end().draft()
    path = f"/admin/advice/drafts/{ended.desk.advice.client_id}"
    own = {"version": 1, "schemaVersion": 1, "content": {"rows": []}}

    data_of(ended.desk.advice.desk.put(path, own))

    (listed,) = ended.desk.advice.desk.get("/admin/advice/drafts").json()["data"]
    assert listed["isFollowUp"] is False


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("tracking", "idle", "outcome"),
    [
        (2, None, "DRAFTED"),
        (None, 5, "DRAFTED"),
        (99, None, "NOT_NEEDED"),
        (None, 99, "NOT_NEEDED"),
        (None, None, None),
    ],
)
def test_only_a_limit_that_is_set_and_exceeded_makes_a_draft(
    ended: Ended, tracking: float | None, idle: float | None, outcome: str | None
) -> None:
    _limits(ended.desk, tracking, idle)
    ended.end()

    drafted = ended.run()

    assert drafted == (outcome == "DRAFTED")
    assert (ended.note or {}).get("outcome") == outcome
    assert (ended.stored is not None) is (outcome == "DRAFTED")


def test_idle_cash_is_what_the_follow_up_would_invest_above_the_cash_target(
    ended: Ended,
) -> None:
    # The holdings leave 1,98,896.50 of the Investment Value of 5,00,000; a tenth of it is to stay.
    _limits(ended.desk, None, 29.77)
    ended.end()

    assert ended.draft() == 1

    assert ended.note is not None
    assert "idle cash 29.78 % of the Investment Value" in ended.note["text"]


def test_advice_that_was_acted_on_or_ignored_has_no_follow_up(desk: FollowUpDesk, at: At) -> None:
    advice_id = desk.advice.sent()
    ends_on = dt.date.fromisoformat(desk.execution(advice_id)["windowEndsOn"])
    over = end_of_day(ends_on) + MINUTE
    desk.read(over)
    desk.match(over)
    assert desk.execution(advice_id)["state"] == "IGNORED"

    assert jobs.draft_due(desk.database, over + MINUTE, desk.told.append) == 0

    assert desk.execution(advice_id)["followUp"] is None


def _declined(ended: Ended) -> None:
    place = ended.lines["RELIANCE"]["place"]
    with ended.desk.database.transaction() as session:
        response = NewResponse(Answer.DECLINED, lines=(place,))
        service.record_response(session, uuid.UUID(ended.id), response, clock.now())


def _advised_later(ended: Ended) -> None:
    ended.desk.advice.sent()


def _is_inactive(ended: Ended) -> None:
    changed = update(Person).where(Person.id == ended.desk.client_id)
    run(ended.desk.database, changed.values(status=Status.INACTIVE))


def _sender_left(ended: Ended) -> None:
    run(ended.desk.database, update(Person).where(Person.role == Role.ADMIN).values(role=Role.USER))


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("happens", "text"),
    [
        (_declined, "The client declined what is left."),
        (_advised_later, "Later advice names the stocks that are left."),
        (_is_inactive, "The client is not active."),
        (_sender_left, "Who sent the advice can no longer send any."),
    ],
)
def test_nothing_is_drafted_where_it_should_not_be_and_staff_see_why(
    ended: Ended, happens: Callable[[Ended], None], text: str
) -> None:
    ended.end()
    happens(ended)

    assert ended.draft() == 0

    decision = scalar(ended.desk.database, select(FollowUpDraft))
    assert (decision.outcome, decision.text) == ("LEFT_OUT", text)
    assert scalar(ended.desk.database, select(func.count()).select_from(AdviceDraft)) == 0
    assert ended.run(dt.timedelta(hours=3)) == 0


def test_later_advice_on_other_stocks_does_not_prevent_the_draft(ended: Ended) -> None:
    ended.end()
    desk = ended.desk.advice
    later = desk.rebalanced(targets={"ITC": 20, "CASH": 10})
    data_of(desk.send(desk.advice_of(later)), 201)

    assert ended.draft() == 1

    assert ended.stored is not None
    rows = ended.stored["content"]["rows"]
    assert {row["tradingSymbol"] for row in rows if row["target"] is not None} == {
        "RELIANCE", "CASH",
    }  # fmt: skip


def test_a_line_that_was_declined_is_not_in_the_draft_of_the_others(
    desk: FollowUpDesk, at: At
) -> None:
    ended = Ended(desk, at, bought=())
    with desk.database.transaction() as session:
        response = NewResponse(Answer.DECLINED, lines=(ended.lines["TCS"]["place"],))
        service.record_response(session, uuid.UUID(ended.id), response, clock.now())
    ended.end()

    assert ended.draft() == 1

    assert ended.stored is not None
    targeted = {
        row["tradingSymbol"] for row in ended.stored["content"]["rows"] if row["target"] is not None
    }
    assert targeted == {"RELIANCE", "CASH"}


def test_with_old_holdings_it_waits_and_is_drafted_after_they_were_read(ended: Ended) -> None:
    desk = ended.desk
    desk.read(ended.over)
    with ended.at(ended.over):
        desk.advice.priced(PRICES)
    desk.match(ended.over)

    assert ended.draft() == 0
    assert ended.note is not None
    assert (ended.note["outcome"], ended.note["text"]) == (
        "WAITING", "The holdings are too old: update them.",
    )  # fmt: skip
    # Not before an hour has passed.
    assert ended.run(30 * MINUTE) == 0
    with desk.database.reading() as session:
        day = next_business_day(ended.over.date(), firm.holidays(session))
    morning = dt.datetime.combine(day, dt.time(11), clock.INDIA)
    ended.sync(morning)

    assert ended.draft(morning + MINUTE - ended.over) == 1

    assert ended.note["outcome"] == "DRAFTED"


def test_without_the_trades_up_to_the_end_of_the_window_it_waits(ended: Ended) -> None:
    ended.end(is_read=False)

    assert ended.draft() == 0

    assert ended.note is not None
    assert (ended.note["outcome"], ended.note["text"]) == (
        "WAITING", "The client's trades were not read up to the end of the window.",
    )  # fmt: skip


def test_without_a_price_it_waits(ended: Ended, monkeypatch: pytest.MonkeyPatch) -> None:
    ended.end()
    with ended.desk.database.reading() as session:
        token = instruments.by_symbol(session, "NSE", "RELIANCE").instrument_token
    real = prices.last_prices

    def without(session: Session, tokens: Iterable[int]) -> dict[int, Quote]:
        return {key: quote for key, quote in real(session, tokens).items() if key != token}

    monkeypatch.setattr(prices, "last_prices", without)

    assert ended.draft() == 0

    assert ended.note is not None
    assert (ended.note["outcome"], ended.note["text"]) == (
        "WAITING", "No price is known of RELIANCE.",
    )  # fmt: skip


def test_with_old_prices_it_waits(ended: Ended) -> None:
    ended.end(prices={})

    assert ended.draft() == 0

    assert ended.note is not None
    assert (ended.note["outcome"], ended.note["text"]) == ("WAITING", "A price is too old.")


def test_after_a_week_it_is_not_drafted_any_more(ended: Ended) -> None:
    ended.end(is_read=False)
    ended.run()

    assert ended.run(dt.timedelta(days=8)) == 0

    assert ended.note is not None
    assert ended.note["outcome"] == "WAITING"


def test_the_web_reads_what_is_drafted(ended: Ended) -> None:
    ended.end().draft()
    sample = json.loads(FORM.read_text())

    assert ended.stored is not None
    content = ended.stored["content"]
    assert content.keys() == sample["content"].keys()
    assert [row.keys() for row in content["rows"]] == [
        sample["content"]["rows"][0].keys() for _ in content["rows"]
    ]
    assert ended.stored["schemaVersion"] == sample["schemaVersion"]
