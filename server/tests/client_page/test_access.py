"""Who may read an advice: nobody without the link and the code that is mailed to the client."""

import datetime as dt
import re

import pytest
from sqlalchemy import select, update

from tarazu.advice.tables import AdviceLink
from tarazu.client_page.access import MOST_WRONG
from tarazu.client_page.tables import PageCode, PageSession
from tarazu.firm.tables import FollowUpSettings
from tarazu.kit import clock
from tarazu.kit.mail import Mail
from tarazu.people.tables import Person
from tests.client_page.conftest import ClientsPage
from tests.people_of import data_of, new_key, reply_of
from tests.rows_of import audit_rows, run, scalars

GONE = (404, "This link does not work. Ask your Research Analyst for a new one.")
WRONG = (422, "This code is not right, or it is too old. Check it, or ask for a new one.")
OVER = (401, "30 minutes are over. Ask for a new code to go on.")
READS = ("/content", "/letter.pdf", "/list.csv", "/kite-basket.json", "/reminder.ics", "/basket")


def _everything(page: ClientsPage) -> set[tuple[int, str]]:
    """How every call of a link is answered, but the one that asks for a code."""
    answers = [page.get(), page.post("/open", {"code": "123456"})]
    answers += [page.get(path) for path in READS]
    answers.append(page.post("/respond", {"answer": "READ"}))
    return {reply_of(answer) for answer in answers}


def test_a_link_shows_the_firm_and_the_day_and_nothing_else(page: ClientsPage) -> None:
    shown = data_of(page.get())

    firm = {"name": "Sahyadri Research", "registrationNumber": "INH000012345"}
    assert shown == {"firm": firm, "date": clock.today().isoformat(), "codeRequired": True}
    html = page.page().text
    assert "Sahyadri Research" in html
    assert "INH000012345" in html
    assert not any(word in html for word in ("Kavya", "INFY", "TCS", "C0001", "home.example"))


@pytest.mark.on_both
def test_the_right_code_opens_the_advice_and_is_noted(page: ClientsPage) -> None:
    advice = page.open()

    assert advice["client"] == "Kavya Menon"
    assert {line["tradingSymbol"] for line in advice["lines"]} >= {"TCS", "RELIANCE"}
    assert advice["lines"][0]["side"] == "SELL"
    assert page.get("/content").status_code == 200
    assert len(audit_rows(page.database, "advice_page_opened")) == 1
    assert scalars(page.database, select(AdviceLink.opened_at))[0] is not None


def test_a_guessed_link_is_answered_as_one_that_ended(page: ClientsPage) -> None:
    page.open()
    works, page.token = page.token, "x" * 43
    guessed = _everything(page)
    page.token = works
    answer = page.advice.desk.web.delete(
        f"/api/v1/admin/advice/{page.advice_id}/link", headers=page.advice.desk.headers
    )

    assert answer.status_code == 200
    assert guessed == _everything(page) == {GONE}
    assert page.page().status_code == 404


def test_a_link_ends_with_the_window_but_not_before_fourteen_days(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    (until,) = scalars(page.database, select(AdviceLink.expires_at))
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: until - dt.timedelta(minutes=1))
    still = page.get().status_code
    monkeypatch.setattr(clock, "now", lambda: until)

    assert dt.timedelta(days=13, hours=23) < until - now <= dt.timedelta(days=14)
    assert still == 200
    assert _everything(page) == {GONE}


@pytest.mark.on_both(suite="long")
def test_the_window_of_a_firm_that_gives_thirty_days_keeps_the_link_open(
    page: ClientsPage,
) -> None:
    run(page.database, update(FollowUpSettings).values(window_days=30))
    page.make_link()

    (_, until) = sorted(scalars(page.database, select(AdviceLink.expires_at)))
    assert until - clock.now() > dt.timedelta(days=40)


def test_a_new_link_ends_the_one_before_with_its_sessions(page: ClientsPage) -> None:
    page.open()
    first, new = page.token, page.make_link()
    page.token = first

    assert _everything(page) == {GONE}
    page.token = new
    assert reply_of(page.get("/content")) == OVER


def test_a_repeated_call_for_a_link_gets_the_same_one(page: ClientsPage) -> None:
    key, path = new_key(), f"/admin/advice/{page.advice_id}/link"
    first = data_of(page.advice.desk.post(path, **key))
    again = page.advice.desk.post(path, **key)

    assert data_of(again) == first
    assert again.headers["Idempotent-Replayed"] == "true"


def test_only_an_administrator_makes_a_link(page: ClientsPage, user: object) -> None:
    path = f"/admin/advice/{page.advice_id}/link"
    assert user.post(path).status_code == 403  # type: ignore[attr-defined]
    assert (
        page.advice.desk.post("/admin/advice/00000000-0000-0000-0000-000000000007/link").status_code
        == 404
    )


def test_a_link_handed_over_in_an_app_of_the_analyst_is_one_row_of_the_trail(
    page: ClientsPage, user: object
) -> None:
    path, body = f"/admin/advice/{page.advice_id}/link/handed-over", {"messenger": "WHATSAPP"}
    answer = page.advice.desk.post(path, body)

    assert answer.status_code == 200
    (row,) = audit_rows(page.database, "advice_link_handed_over")
    assert "WHATSAPP" in row.changes
    assert page.advice.desk.post(path, {"messenger": "PIGEON"}).status_code == 422
    assert user.post(path, body).status_code == 403  # type: ignore[attr-defined]
    assert len(audit_rows(page.database, "advice_link_handed_over")) == 1


@pytest.mark.on_both
def test_five_wrong_tries_end_a_code(page: ClientsPage) -> None:
    code = page.code()
    wrong = "000000" if code != "000000" else "111111"
    answers = {reply_of(page.post("/open", {"code": wrong})) for _ in range(5)}

    assert answers == {WRONG}
    assert reply_of(page.post("/open", {"code": code})) == WRONG


def test_a_code_with_blanks_is_the_same_code(page: ClientsPage) -> None:
    code = page.code()

    assert page.post("/open", {"code": f" {code[:3]} {code[3:]} "}).status_code == 200


@pytest.mark.on_both
def test_a_code_opens_once(page: ClientsPage) -> None:
    code = page.code()
    first = page.post("/open", {"code": code})

    assert first.status_code == 200
    assert reply_of(page.post("/open", {"code": code})) == WRONG


def test_a_code_lasts_ten_minutes_and_a_new_one_ends_it(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = page.code(), page.code()
    now = clock.now()
    replaced = reply_of(page.post("/open", {"code": first})) if first != second else WRONG
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=11))

    assert replaced == WRONG
    assert reply_of(page.post("/open", {"code": second})) == WRONG


@pytest.mark.on_both
def test_three_codes_are_mailed_in_an_hour(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [page.post("/code").status_code for _ in range(5)]
    sent, now = len(page.codes()), clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=61))
    page.post("/code")

    assert answers == [202] * 5
    assert (sent, len(page.codes())) == (3, 4)


def test_a_code_for_a_link_that_does_not_work_is_answered_alike(page: ClientsPage) -> None:
    right = page.post("/code")
    page.token = "y" * 43
    wrong = page.post("/code")

    assert (right.status_code, right.json()["message"]) == (202, wrong.json()["message"])
    assert wrong.status_code == 202


@pytest.mark.on_both(suite="long")
@pytest.mark.long
def test_a_thousand_wrong_codes_open_nothing(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thief has the link and patience: each hour three codes, each with five tries."""
    begun, opened, tries = clock.now(), 0, 0
    for hour in range(70):
        monkeypatch.setattr(clock, "now", lambda at=begun + dt.timedelta(hours=hour * 1.1): at)
        for _ in range(3):
            page.post("/code")
            for guess in range(5):
                opened += page.post("/open", {"code": f"{guess:06d}x"}).status_code == 200
                tries += 1

    assert (tries, opened) == (1050, 0)
    assert scalars(page.database, select(PageSession.id)) == []
    wrong = sum(scalars(page.database, select(PageCode.tries)))
    assert wrong == MOST_WRONG
    assert len(audit_rows(page.database, "advice_link_locked")) == 1
    monkeypatch.setattr(clock, "now", lambda: begun)
    assert reply_of(page.get()) == GONE


def test_a_session_ends_after_thirty_minutes_while_the_page_is_open(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.open()
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(minutes=30))

    assert reply_of(page.get("/content")) == OVER
    form = page.submit("/view")
    assert form.status_code == 401
    assert "30 minutes are over" in form.text
    assert "TCS" not in form.text


def test_a_page_token_opens_its_own_advice_alone(page: ClientsPage) -> None:
    page.open()
    mine, first = page.page_token, page.token
    page.advice.priced({"INFY": "1510.00"})
    other = ClientsPage(page.advice, page.advice.sent())
    other.make_link()
    other.page_token = mine

    assert reply_of(other.get("/content")) == OVER
    assert page.token == first
    assert page.get("/content").status_code == 200


def test_two_tabs_are_open_at_once(page: ClientsPage) -> None:
    page.open()
    first = page.page_token
    page.open()

    assert page.page_token != first
    assert page.get("/content").status_code == 200
    page.page_token = first
    assert page.get("/content").status_code == 200


@pytest.mark.on_both(suite="long")
def test_a_changed_mail_address_ends_the_link_and_no_code_goes_to_either(
    page: ClientsPage,
) -> None:
    page.open()
    before = len(scalars(page.database, select(Mail.id)))
    run(
        page.database,
        update(Person).where(Person.client_code == "C0001").values(email="new@home.example"),
    )
    page.post("/code")

    assert len(scalars(page.database, select(Mail.id))) == before
    assert _everything(page) == {GONE}
    page.make_link()
    page.page_token = ""
    assert page.code("new@home.example")
    assert len(page.codes()) == 1


@pytest.mark.on_both
def test_nothing_stored_is_the_link_the_code_or_the_page_token(page: ClientsPage) -> None:
    code = page.code()
    opened = data_of(page.post("/open", {"code": code}))
    digests = [
        *scalars(page.database, select(AdviceLink.digest)),
        *scalars(page.database, select(PageCode.digest)),
        *scalars(page.database, select(PageSession.digest)),
    ]

    assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests)
    assert not {page.token, code, opened["pageToken"]} & set(digests)
    texts = scalars(page.database, select(Mail.text))
    assert not any(code in text or page.token in text for text in texts)
