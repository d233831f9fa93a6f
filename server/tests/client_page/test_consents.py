"""Consents on the client's page, as a browser without a script gives and withdraws them."""

import datetime as dt
import hashlib
import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from httpx2 import Response
from sqlalchemy import select

from tarazu.kit import clock
from tarazu.kit.translation import Language
from tarazu.papers import service as papers
from tarazu.papers.service import PageVisit
from tarazu.papers.tables import Consent, ConsentMethod
from tarazu.people import service as people
from tests.client_page.conftest import ClientsPage
from tests.papers.papers_of import add_text, consents
from tests.people_of import data_of
from tests.rows_of import audit_rows, scalars

TEXT_ID = re.compile(r'name="textId" value="([\w-]{36})"')


def _with_text(page: ClientsPage, kind: str = "TERMS", **more: str) -> str:
    """A text of the firm, and the page opened with it; the text's id as the form has it."""
    data_of(add_text(page.advice.desk, kind, **more), 201)
    return _text_id(page.open_page())


def _text_id(answer: Response) -> str:
    match = TEXT_ID.search(answer.text)
    assert match, "the page asks for nothing"
    return match[1]


def _rows(page: ClientsPage) -> list[Consent]:
    return scalars(page.database, select(Consent).order_by(Consent.id))


def test_without_a_text_the_page_asks_for_nothing(page: ClientsPage) -> None:
    assert "Your consents" not in page.open_page().text


@pytest.mark.on_both
def test_a_consent_is_recorded_once_with_where_it_came_from(page: ClientsPage) -> None:
    text_id = _with_text(page, text="Fees are <b>yearly</b>.\nNo cash.")
    asked = page.submit("/view").text
    for _ in range(2):
        agreed = page.submit("/agree", textId=text_id)

    assert "Fees are &lt;b&gt;yearly&lt;/b&gt;.\nNo cash." in asked
    assert "Recorded: you agreed." in agreed.text
    assert "You agreed on" in agreed.text
    assert TEXT_ID.search(agreed.text) is None
    (row,) = _rows(page)
    assert (row.method, row.language, row.ip) == (ConsentMethod.PAGE, Language.EN, "testclient")
    assert (row.agent, row.given_on) == ("testclient", clock.today())
    assert row.text_hash == hashlib.sha256(b"Fees are <b>yearly</b>.\nNo cash.").hexdigest()
    (trail,) = audit_rows(page.database, "consent_given")
    assert (trail.role, trail.ip) == ("CLIENT", "testclient")
    assert row.text_hash in trail.changes
    assert "testclient" in trail.changes
    terms = consents(page.advice.desk, page.advice.client_id)["TERMS"]
    assert (terms["state"], terms["given"][0]["recordedBy"]) == ("GIVEN", "")


def test_a_page_in_hindi_is_agreed_to_in_hindi(page: ClientsPage) -> None:
    text_id = _with_text(page, textHi="शुल्क वार्षिक है।")

    shown = page.submit("/view", lang="HI").text
    agreed = page.submit("/agree", textId=text_id, lang="HI")

    assert "शुल्क वार्षिक है।" in shown
    assert "मैंने यह पढ़ लिया है और मैं सहमत हूँ" in shown
    assert "दर्ज हुआ: आप सहमत हैं।" in agreed.text
    (row,) = _rows(page)
    assert row.language is Language.HI
    assert row.text_hash == hashlib.sha256("शुल्क वार्षिक है।".encode()).hexdigest()


def test_a_text_without_hindi_is_shown_and_recorded_in_english(page: ClientsPage) -> None:
    text_id = _with_text(page)

    assert '<div class="firm-text" lang="en"' in page.submit("/view", lang="HI").text
    page.submit("/agree", textId=text_id, lang="HI")

    (row,) = _rows(page)
    assert row.language is Language.EN


def test_a_text_that_changed_meanwhile_is_asked_again(
    page: ClientsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, tomorrow = clock.now(), clock.today() + dt.timedelta(days=1)
    first = _with_text(page)
    page.submit("/agree", textId=first)
    data_of(add_text(page.advice.desk, since=str(tomorrow), text="New terms."), 201)

    monkeypatch.setattr(clock, "now", lambda: now + dt.timedelta(days=1))
    opened = page.open_page()
    late = page.submit("/agree", textId=first)

    assert "This text has changed since you agreed to version 1." in opened.text
    assert "This text has changed since you opened the page." in late.text
    assert len(_rows(page)) == 1
    agreed = page.submit("/agree", textId=_text_id(opened))
    assert "Recorded: you agreed." in agreed.text
    assert len(_rows(page)) == 2


@pytest.mark.parametrize("text_id", [str(uuid.UUID(int=7)), "", "terms"])
def test_an_unknown_text_records_nothing(page: ClientsPage, text_id: str) -> None:
    _with_text(page)

    answer = page.submit("/agree", textId=text_id)

    assert "Recorded" not in answer.text
    assert _rows(page) == []


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("kind", ["DATA", "HOLDINGS"])
def test_a_consent_is_withdrawn_on_the_page_and_given_again(page: ClientsPage, kind: str) -> None:
    text_id = _with_text(page, kind)
    page.submit("/agree", textId=text_id)

    for _ in range(2):
        withdrawn = page.submit("/withdraw", kind=kind)

    assert "Recorded: you withdrew your consent." in withdrawn.text
    assert "You withdrew your consent on" in withdrawn.text
    (trail,) = audit_rows(page.database, "consent_withdrawn")
    assert trail.role == "CLIENT"
    row = consents(page.advice.desk, page.advice.client_id)[kind]
    assert (row["state"], row["given"][0]["withdrawnBy"]) == ("WITHDRAWN", "")
    page.submit("/agree", textId=_text_id(withdrawn))
    assert consents(page.advice.desk, page.advice.client_id)[kind]["state"] == "GIVEN"


def test_the_terms_offer_no_withdrawal_and_refuse_it(page: ClientsPage) -> None:
    text_id = _with_text(page)
    agreed = page.submit("/agree", textId=text_id)

    assert "Withdraw my consent" not in agreed.text
    assert page.submit("/withdraw", kind="TERMS").status_code == 409
    assert consents(page.advice.desk, page.advice.client_id)["TERMS"]["state"] == "GIVEN"


@pytest.mark.parametrize("path", ["/agree", "/withdraw"])
def test_without_an_open_page_nothing_is_recorded(page: ClientsPage, path: str) -> None:
    text_id = _with_text(page, "DATA")
    for token in ("", "x" * 43):
        page.page_token = token
        answer = page.submit(path, textId=text_id, kind="DATA")
        assert answer.status_code == 401

    assert _rows(page) == []


@pytest.mark.on_both
def test_two_forms_sent_at_once_are_one_consent(page: ClientsPage) -> None:
    text_id = uuid.UUID(_with_text(page))
    visit = PageVisit("203.0.113.7", "Firefox", Language.EN, "")
    ready = threading.Barrier(4)

    def agree(_: int) -> uuid.UUID:
        ready.wait(600)
        with page.database.transaction() as session:
            client = people.client(session, uuid.UUID(page.advice.client_id))
            return papers.give_on_page(session, client, clock.now(), text_id, visit).id

    with ThreadPoolExecutor(4) as threads:
        given = set(threads.map(agree, range(4)))

    assert given == {row.id for row in _rows(page)}
    assert len(given) == 1
