"""The pages as a browser without a script gets them."""

import json
import re

import pytest
from sqlalchemy import select, update

from tarazu.follow_up.tables import AdviceResponse, Answer
from tarazu.kit.translation import Language
from tarazu.people.tables import Person
from tests.client_page.conftest import ClientsPage
from tests.rows_of import run, scalars

NO_REFERRER = "no-referrer"


def _hindi(page: ClientsPage) -> None:
    run(page.database, update(Person).where(Person.client_code == "C0001").values(language="HI"))


def test_the_page_shows_what_the_letter_says(page: ClientsPage) -> None:
    html = page.open_page().text

    for text in (
        "Investment advice of", "Kavya Menon", "What to do now", "Sell first, then buy",
        "Estimated charges", "Rationale", "Disclosures", "Before and after", "Letter as PDF",
        "eDIS", "Investment in securities market are subject to market risks", "INH000012345",
        "Signed electronically by", "Seal number",
    ):  # fmt: skip
        assert text in html, text
    assert html.index(">Sell<") < html.index(">Buy<")


def test_the_use_of_ai_is_shown_as_it_was_sealed_in_the_language_of_the_page(
    page: ClientsPage,
) -> None:
    assert "Use of AI" not in page.open_page().text
    texts = {"aiUse": "AI summarises filings.", "aiUseHi": "AI दस्तावेज़ों का सार बनाता है।"}
    page.advice.desk.put("/settings/firm", texts)
    page.make_link(page.advice.sent())

    english, hindi = page.open_page().text, page.submit("/view", lang="HI").text
    assert "<strong>Use of AI:</strong> AI summarises filings." in english
    assert "<strong>AI का उपयोग:</strong> AI दस्तावेज़ों का सार बनाता है।" in hindi
    # A text that was changed since stays as it was sealed, in every language.
    page.advice.desk.put("/settings/firm", {"aiUse": "No AI tools are used.", "aiUseHi": ""})
    assert "AI summarises filings." in page.submit("/view", lang="HI").text
    assert "No AI tools" not in page.submit("/view").text


def test_no_page_has_inline_script_or_style_or_another_host(page: ClientsPage) -> None:
    pages = [page.page(), page.open_page(), page.web.get("/a/unknown")]

    for answer in pages:
        assert not re.search(r"<style|style=| on\w+=\"|<script(?! src=\"/a/assets/)", answer.text)
        assert re.findall(r'(?:src|href|action)="(https?:[^"]*)"', answer.text) == []
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == NO_REFERRER
        assert "form-action 'self';" in answer.headers["Content-Security-Policy"]
        assert "Set-Cookie" not in answer.headers


def test_the_assets_are_small_and_kept_for_ever(page: ClientsPage) -> None:
    paths = set(re.findall(r'(?:src|href)="(/a/assets/[^"]+)"', page.page().text))
    sizes = 0
    for path in paths:
        answer = page.web.get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        sizes += len(answer.content)

    assert len(paths) == 2
    assert sizes < 20_000


def test_a_wrong_code_asks_again_and_shows_nothing(page: ClientsPage) -> None:
    page.code()
    answer = page.submit("/open", code="12")

    assert answer.status_code == 422
    assert "This code is not right" in answer.text
    assert 'name="code"' in answer.text
    assert "TCS" not in answer.text


def test_an_unknown_link_is_a_page_with_one_sentence(page: ClientsPage) -> None:
    page.token = "z" * 43

    english, hindi = page.page(), page.page(lang="HI")
    assert (english.status_code, hindi.status_code) == (404, 404)
    assert "This link does not work." in english.text
    assert "यह लिंक काम नहीं करता।" in hindi.text
    assert english.headers["Content-Type"] == "text/html; charset=utf-8"


def test_the_client_s_language_comes_first_and_can_be_changed(page: ClientsPage) -> None:
    _hindi(page)

    front, opened = page.page(), page.open_page()
    english = page.submit("/view", lang="EN")

    assert '<html lang="hi">' in front.text
    assert "मुझे कोड भेजें" in front.text
    assert '<html lang="hi">' in opened.text
    assert "मैंने यह पढ़ लिया है" in opened.text
    assert "अब क्या करें" in opened.text
    assert '<html lang="en">' in english.text
    assert "What to do now" in english.text


@pytest.mark.on_both(suite="long")
def test_an_answer_is_recorded_once_with_where_it_came_from(page: ClientsPage) -> None:
    page.open_page()
    for _ in range(2):
        shown = page.submit("/respond", answer="READ", lang="HI")
        assert shown.status_code == 200

    assert "दर्ज हुआ" in shown.text
    (row,) = scalars(page.database, select(AdviceResponse))
    assert (row.answer, row.language, row.ip) == (Answer.READ, Language.HI, "testclient")
    assert re.fullmatch("[0-9a-f]{64}", row.package_hash)


def test_a_refusal_of_one_line_is_shown_and_taken_back(page: ClientsPage) -> None:
    page.open_page()
    declined = page.submit("/respond", answer="DECLINED", text="Too much money for me", lines=[1])
    (row,) = scalars(page.database, select(AdviceResponse))
    back = page.submit("/respond", answer="WITHDRAWN")

    assert "You will not act on this" in declined.text
    assert (row.text, json.loads(row.lines)) == ("Too much money for me", [1])
    assert "You will not act on this" not in back.text


def test_a_refusal_of_the_whole_offers_no_basket(page: ClientsPage) -> None:
    page.open_page()
    declined = page.submit("/respond", answer="DECLINED", text="")

    assert "You told us that you will not act on this advice." in declined.text
    assert "sell at Zerodha" not in declined.text


def test_a_question_is_kept_and_mailed_and_an_empty_one_is_not(page: ClientsPage) -> None:
    page.open_page()
    empty = page.submit("/respond", answer="QUESTION", text="  ")
    asked = page.submit("/respond", answer="QUESTION", text="Why <TCS> & not ITC?")

    assert "Write your question first." in empty.text
    assert "Your question was sent." in asked.text
    assert "Why &lt;TCS&gt; &amp; not ITC?" in asked.text
    assert [row.text for row in scalars(page.database, select(AdviceResponse))] == [
        "Why <TCS> & not ITC?"
    ]


@pytest.mark.on_both(suite="long")
def test_a_form_that_cannot_be_read_is_answered_with_a_page(page: ClientsPage) -> None:
    page.open_page()
    answer = page.submit("/respond", answer="SIGNED")

    assert answer.status_code == 422
    assert "The form could not be read." in answer.text
    assert scalars(page.database, select(AdviceResponse.id)) == []


def test_the_letter_is_the_one_that_staff_see(page: ClientsPage) -> None:
    page.open_page()
    own = page.submit("/letter.pdf")
    theirs = page.advice.desk.get(f"/admin/advice/{page.advice_id}/letter.pdf")

    assert own.content == theirs.content
    assert own.content.startswith(b"%PDF-")
    assert own.headers["Content-Disposition"] == theirs.headers["Content-Disposition"]


def test_forms_without_a_session_show_the_front(page: ClientsPage) -> None:
    for path in ("/view", "/respond", "/letter.pdf", "/list.csv", "/reminder.ics", "/basket"):
        answer = page.submit(path, answer="READ")
        assert answer.status_code == 401
        assert "Send me a code" in answer.text
        assert "TCS" not in answer.text


@pytest.mark.parametrize("field", ["rationale", "note"])
def test_text_of_the_firm_is_text(page: ClientsPage, field: str) -> None:
    page.advice.priced({"INFY": "1499.00"})
    evil = "<script>alert(1)</script>"
    rebalance = page.advice.rebalanced()
    body = page.advice.advice_of(rebalance)
    if field == "note":
        body["stocks"][0]["note"] = evil
    else:
        body["rationale"] = evil
    sent = page.advice.send(body)
    assert sent.status_code == 201, sent.text
    page.advice_id = sent.json()["data"]["_id"]
    page.make_link()

    html = page.open_page().text
    assert evil not in html
    assert "&lt;script&gt;" in html


def test_a_later_advice_of_the_same_stocks_is_said(page: ClientsPage) -> None:
    first = page.token
    page.advice.priced({"INFY": "1499.00"})
    page.advice.sent()
    page.token = first

    html = page.open_page().text
    assert "A later advice names these stocks." in html
    assert "sell at Zerodha" not in html
