"""What clients answer, what the firm replies, and the reminders."""

import datetime as dt
import json
import uuid
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from tarazu.advice.tables import Advice, AdviceStock
from tarazu.domain.calendar import business_days_later
from tarazu.firm import service as firm
from tarazu.follow_up import jobs, response_queries, service
from tarazu.follow_up.errors import NothingDeclined, TooManyQuestions, UnknownLines
from tarazu.follow_up.responses import MOST_QUESTIONS
from tarazu.follow_up.service import NewResponse, RecordedResponse
from tarazu.follow_up.tables import AdviceExecution, AdviceReminder, Answer
from tarazu.kit import clock, mail
from tarazu.kit.db import Database, add_rows, new_id
from tarazu.kit.mail import Draft, Mail, text_of
from tarazu.kit.settings import Settings
from tarazu.people.tables import Person, Status
from tests.advice.conftest import seal_of
from tests.follow_up.conftest import MINUTE, FollowUpDesk
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows, run, scalar, scalars

DAY = dt.timedelta(days=1)


def _answer(
    desk: FollowUpDesk, advice_id: str, answer: Answer, text: str = "", *lines: int
) -> RecordedResponse:
    new = NewResponse(answer, text, lines, "203.0.113.7", "Firefox", request_id="r1")
    with desk.database.transaction() as session:
        return service.record_response(session, uuid.UUID(advice_id), new, clock.now())


def _mails(desk: FollowUpDesk, start: str) -> list[Mail]:
    return scalars(
        desk.database,
        select(Mail).where(Mail.subject.startswith(start)).order_by(Mail.queued_at, Mail.id),
    )


@pytest.mark.on_both
def test_an_answer_is_in_the_trail_with_all_that_came_with_it(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()

    _answer(desk, advice_id, Answer.READ)

    (row,) = audit_rows(desk.database, "advice_answered")
    assert (row.record_id, row.ip, row.role, row.request_id) == (
        advice_id, "203.0.113.7", "CLIENT", "r1",
    )  # fmt: skip
    changes = json.loads(row.changes)
    assert (changes["answer"], changes["agent"], changes["language"]) == ("READ", "Firefox", "EN")
    assert changes["packageHash"] == seal_of(desk.database, advice_id).package_hash


def test_reading_is_acknowledged_once(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    first = _answer(desk, advice_id, Answer.READ)
    again = _answer(desk, advice_id, Answer.READ)
    desk.match()

    assert first.id == again.id
    assert len(desk.execution(advice_id)["responses"]) == 1
    assert desk.board()["data"][0]["acknowledgedAt"] is not None


def test_a_declined_advice_is_declined_and_can_be_taken_back(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.read(clock.now() + MINUTE)
    _answer(desk, advice_id, Answer.DECLINED, "I need the money.")
    desk.match(clock.now() + MINUTE)
    declined = desk.execution(advice_id)
    _answer(desk, advice_id, Answer.WITHDRAWN)
    desk.match(clock.now() + MINUTE)

    assert declined["state"] == "DECLINED"
    assert declined["responses"][0]["text"] == "I need the money."
    assert desk.execution(advice_id)["state"] == "PENDING"
    with pytest.raises(NothingDeclined):
        _answer(desk, advice_id, Answer.WITHDRAWN)


def test_single_lines_are_declined_and_taken_back(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.read(clock.now() + MINUTE)
    place = desk.line(advice_id, "TCS")["place"]
    other = desk.line(advice_id, "RELIANCE")["place"]
    _answer(desk, advice_id, Answer.DECLINED, "", place)
    _answer(desk, advice_id, Answer.DECLINED, "", other)
    _answer(desk, advice_id, Answer.WITHDRAWN, "", other)
    desk.match(clock.now() + MINUTE)

    assert desk.line(advice_id, "TCS")["status"] == "DECLINED"
    assert desk.line(advice_id, "RELIANCE")["status"] == "PENDING"
    with pytest.raises(UnknownLines):
        _answer(desk, advice_id, Answer.DECLINED, "", 99)


def test_what_is_declined_again_is_recorded_once(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()

    first = _answer(desk, advice_id, Answer.DECLINED)
    again = _answer(desk, advice_id, Answer.DECLINED)

    assert first.id == again.id


@pytest.mark.on_both
def test_a_question_is_mailed_to_the_sender_and_answered_by_mail(
    desk: FollowUpDesk, user: Desk
) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    _answer(desk, advice_id, Answer.QUESTION, "Why <now>?")
    (question,) = data_of(desk.advice.desk.get("/admin/follow-up/questions"))
    path = f"/admin/follow-up/questions/{question['_id']}/reply"

    answered = data_of(desk.post(path, {"text": "Because it fell.\nSee page 2."}))

    (to_firm,) = _mails(desk, "A client has a question")
    assert to_firm.recipient == "ananya@desk.example"
    assert "Why <now>?" in to_firm.text
    assert "Why &lt;now&gt;?" in to_firm.html
    (to_client,) = _mails(desk, "Your question about")
    assert to_client.recipient == "kavya@home.example"
    assert "Because it fell.\nSee page 2." in to_client.text
    assert "INH000012345" in to_client.text
    assert (question["clientId"], question["reply"]) == ("C0001", "")
    assert (answered["reply"], answered["repliedBy"]) == (
        "Because it fell.\nSee page 2.", "Ananya Kulkarni",
    )  # fmt: skip
    assert len(audit_rows(desk.database, "question_answered")) == 1
    assert reply_of(desk.post(path, {"text": "Again."})) == (
        409, "This question was answered before.",
    )  # fmt: skip
    assert user.post(path, {"text": "Me too."}).status_code == 403


@pytest.mark.on_both(suite="long")
def test_questions_are_filtered_by_their_answer(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    desk.match()
    _answer(desk, advice_id, Answer.QUESTION, "First?")
    _answer(desk, advice_id, Answer.QUESTION, "Second?")
    rows = data_of(desk.advice.desk.get("/admin/follow-up/questions"))
    desk.post(f"/admin/follow-up/questions/{rows[0]['_id']}/reply", {"text": "Yes."})

    def texts(**params: str) -> list[str]:
        found = data_of(desk.advice.desk.get("/admin/follow-up/questions", **params))
        return [row["text"] for row in found]

    assert texts() == ["Second?", "First?"]
    assert texts(isAnswered="false") == ["First?"]
    assert texts(isAnswered="true") == ["Second?"]
    assert texts(query="nobody") == []
    assert desk.board()["data"][0]["openQuestions"] == 1


def test_a_question_that_nobody_asked_is_not_there(desk: FollowUpDesk) -> None:
    path = f"/admin/follow-up/questions/{uuid.uuid4()}/reply"

    assert reply_of(desk.post(path, {"text": "Yes."})) == (404, "Question not found")
    assert desk.post(path, {"text": " "}).status_code == 422


def test_a_client_asks_only_so_many_questions(desk: FollowUpDesk) -> None:
    advice_id = desk.advice.sent()
    for number in range(MOST_QUESTIONS):
        _answer(desk, advice_id, Answer.QUESTION, f"Question {number}?")

    _answer(desk, advice_id, Answer.QUESTION, "Question 0?")
    with pytest.raises(TooManyQuestions):
        _answer(desk, advice_id, Answer.QUESTION, "One more?")


# ------------------------------------------------------------------------------------- reminders


def _morning(desk: FollowUpDesk, days: int) -> dt.datetime:
    """Nine in the morning, so many business days after the sending."""
    with desk.database.reading() as session:
        day = business_days_later(clock.today(), days, firm.holidays(session))
    return dt.datetime.combine(day, dt.time(9), clock.INDIA)


def _remind(desk: FollowUpDesk, settings: Settings, at: dt.datetime) -> int:
    reachable = settings.model_copy(update={"public_url": "https://desk.example"})
    has_due = jobs.has_reminders_due(desk.database, at)
    sent = jobs.send_reminders(desk.database, reachable, at)
    assert has_due == bool(sent)
    return sent


@pytest.mark.on_both
def test_reminders_go_after_one_and_three_business_days(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()

    sent = [_remind(desk, settings, _morning(desk, day)) for day in (0, 1, 1, 2, 3, 3, 4)]

    assert sent == [0, 1, 0, 0, 1, 0, 0]
    numbers = select(AdviceReminder.number).order_by(AdviceReminder.number)
    assert scalars(desk.database, numbers) == [1, 2]
    assert len(audit_rows(desk.database, "advice_reminded")) == 2
    assert desk.board()["data"][0]["reminders"] == 2


def test_no_reminder_goes_before_nine_or_on_a_holiday(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()
    saturday = clock.today() + (5 - clock.today().weekday()) * DAY

    assert _remind(desk, settings, _morning(desk, 1) - MINUTE) == 0
    at = dt.datetime.combine(saturday, dt.time(11), clock.INDIA)
    assert _remind(desk, settings, at) == 0


def test_a_reminder_brings_a_new_link_that_is_not_stored_readable(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()
    _remind(desk, settings, _morning(desk, 1))

    (mail,) = _mails(desk, "Reminder: investment advice of")
    with desk.database.reading() as session:
        text = text_of(session, mail)
    assert mail.recipient == "kavya@home.example"
    assert "/a/" in text
    assert "/a/" not in mail.text
    assert "We cannot see your trades" in text
    assert "INH000012345" in text


@pytest.mark.on_both(suite="long")
def test_a_reminder_is_in_the_language_of_the_client(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()
    run(desk.database, update(Person).where(Person.id == desk.client_id).values(language="HI"))

    _remind(desk, settings, _morning(desk, 1))

    (mail,) = _mails(desk, "अनुस्मारक")
    assert "यह " in mail.text


@pytest.mark.on_both(suite="long")
def test_after_a_stop_of_three_days_one_reminder_goes(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()

    assert _remind(desk, settings, _morning(desk, 3)) == 1
    assert _remind(desk, settings, _morning(desk, 4)) == 0
    assert scalars(desk.database, select(AdviceReminder.number)) == [2]


def _set_off_firm(desk: FollowUpDesk, _: str) -> None:
    data_of(desk.advice.desk.put("/admin/settings/follow-up", {"sendsReminders": False}))


def _set_off_client(desk: FollowUpDesk, _: str) -> None:
    path = f"/admin/clients/client/{desk.client_id}/reminders"
    answer = desk.advice.desk.put(path, {"enabled": False})
    assert data_of(answer) == {"enabled": False, "isFirmOn": True}


def _decline(desk: FollowUpDesk, advice_id: str) -> None:
    _answer(desk, advice_id, Answer.DECLINED)
    desk.match()


def _act(desk: FollowUpDesk, advice_id: str) -> None:
    desk.carry_out(advice_id, clock.now() + MINUTE)
    desk.match(clock.now() + 2 * MINUTE)


def _end(desk: FollowUpDesk, _: str) -> None:
    run(desk.database, update(AdviceExecution).values(is_over=True))


def _deactivate(desk: FollowUpDesk, _: str) -> None:
    person = update(Person).where(Person.id == desk.client_id)
    run(desk.database, person.values(status=Status.INACTIVE))


def _delete(desk: FollowUpDesk, _: str) -> None:
    desk.advice.desk.post("/clients/delete", {"clientId": str(desk.client_id)})


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    "happens",
    [_set_off_firm, _set_off_client, _decline, _act, _end, _deactivate, _delete],
)
def test_nobody_is_reminded_who_should_not_be(
    desk: FollowUpDesk, settings: Settings, happens: Any
) -> None:
    advice_id = desk.advice.sent()
    desk.match()

    happens(desk, advice_id)

    assert _remind(desk, settings, _morning(desk, 1)) == 0


def test_nobody_is_reminded_of_advice_that_later_advice_replaces(
    desk: FollowUpDesk, settings: Settings
) -> None:
    # Nobody reads the client's trades, so all lines of both are UNKNOWN.
    desk.advice.sent()
    newer = desk.advice.sent()
    desk.match()

    assert _remind(desk, settings, _morning(desk, 1)) == 1

    assert scalars(desk.database, select(AdviceReminder.advice_id)) == [uuid.UUID(newer)]


@pytest.mark.on_both(suite="long")
def test_reminders_of_a_client_are_switched_off_and_on(desk: FollowUpDesk, user: Desk) -> None:
    path = f"/admin/clients/client/{desk.client_id}/reminders"
    before = data_of(user.get(path))
    user.put(path, {"enabled": False})
    user.put(path, {"enabled": False})
    off = data_of(user.get(path))
    user.put(path, {"enabled": True})

    assert (before["enabled"], off["enabled"]) == (True, False)
    assert data_of(user.get(path))["enabled"] is True
    unknown = f"/admin/clients/client/{uuid.uuid4()}/reminders"
    assert user.put(unknown, {"enabled": True}).status_code == 404


@pytest.mark.on_both(suite="long")
def test_a_firm_that_mails_no_links_reminds_without_one(
    desk: FollowUpDesk, settings: Settings, database: Database
) -> None:
    data_of(desk.advice.desk.put("/admin/settings/follow-up", {"mailsLinks": False}))
    desk.advice.sent()
    desk.match()

    _remind(desk, settings, _morning(desk, 1))

    assert scalar(database, select(func.count()).select_from(AdviceReminder)) == 1
    (mail,) = _mails(desk, "Reminder")
    assert mail.secret is None
    assert "page" not in mail.text


def test_a_reminder_has_no_link_where_nobody_can_reach_the_product(
    desk: FollowUpDesk, settings: Settings
) -> None:
    desk.advice.sent()
    desk.match()

    jobs.send_reminders(desk.database, settings, _morning(desk, 1))

    (mail,) = _mails(desk, "Reminder")
    assert mail.secret is None
    assert "127.0.0.1" not in mail.text


def _unsealed(desk: FollowUpDesk, advice_id: str) -> uuid.UUID:
    """The same advice once more, without a seal, as a product before this one stored it."""
    copied = new_id()
    with desk.database.transaction() as session:
        given = session.execute(
            select(Advice).where(Advice.id == uuid.UUID(advice_id))
        ).scalar_one()
        fields = {
            column.key: getattr(given, column.key) for column in Advice.__mapper__.column_attrs
        }
        add_rows(session, Advice, [fields | {"id": copied, "mail_id": None, "rebalance_id": None}])
        rows = session.execute(
            select(AdviceStock).where(AdviceStock.advice_id == given.id)
        ).scalars()
        names = [column.key for column in AdviceStock.__mapper__.column_attrs]
        copies = [
            {name: getattr(row, name) for name in names} | {"id": new_id(), "advice_id": copied}
            for row in rows
        ]
        add_rows(session, AdviceStock, copies)
    return copied


@pytest.mark.on_both(suite="long")
def test_advice_that_is_not_sealed_holds_up_no_reminder(
    desk: FollowUpDesk, settings: Settings
) -> None:
    sealed = desk.advice.sent()
    unsealed = _unsealed(desk, sealed)
    desk.match()

    assert _remind(desk, settings, _morning(desk, 1)) == 2

    reminded = set(scalars(desk.database, select(AdviceReminder.advice_id)))
    assert reminded == {unsealed, uuid.UUID(sealed)}
    assert sorted(mail.secret is None for mail in _mails(desk, "Reminder")) == [False, True]


@pytest.mark.on_both
def test_a_reminder_does_not_wait_for_an_answer_that_is_being_recorded(
    desk: FollowUpDesk, database: Database
) -> None:
    if database.engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer")
    advice_id = uuid.UUID(desk.advice.sent())
    desk.match()
    with database.transaction() as session:
        mail_id = mail.queue(session, Draft("kavya@home.example", "Reminder", "", ""), clock.now())

    with database.transaction() as answering:
        response_queries.lock_answers(answering, advice_id)
        with database.transaction() as reminding:
            reminding.execute(text("SET LOCAL lock_timeout = '5s'"))
            reminding.add(
                AdviceReminder(advice_id=advice_id, number=1, mail_id=mail_id, sent_at=clock.now())
            )

    assert scalars(database, select(AdviceReminder.advice_id)) == [advice_id]
