"""Letters and mails in the client's language: what is translated, what is sealed."""

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.advice import sealing
from tarazu.advice.documents.message import draft_of
from tarazu.advice.documents.parts import parts_of
from tarazu.advice.documents.reasons import reason_in
from tarazu.domain.charges import Side
from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.reasons import (
    LegFacts,
    NoTrade,
    ReasonSettings,
    restricted_reason,
)
from tarazu.kit.db import Database
from tarazu.kit.translation import Language, translation_of
from tests.advice.conftest import AdviceDesk, seal_of
from tests.advice.documents.sent_of import sealed
from tests.people_of import NO_TO_ALL, Desk

HINDI = translation_of(Language.HI)
NAMES = {
    "Sahyadri", "Research", "Kavya", "Menon", "Ananya", "Kulkarni", "Proprietor", "Company", "Ltd",
    "NSE", "IST", "Zerodha", "Review", "Its", "peer", "is", "cheaper", "desk", "sahyadri", "example",
    "abcdef", "INH", "C",
}  # fmt: skip
RESTRICTIONS = [
    "",
    "Locked",
    "Never buy",
    "Range: at least 2.5 % and at most 5 %",
    "Range: at most 4 %",
]
percents = st.integers(0, 10_000).map(lambda points: Decimal(points) / 100)
amounts = st.integers(1, 10**11).map(lambda paise: Decimal(paise) / 100)


def test_no_english_word_but_names_is_in_a_hindi_mail() -> None:
    text = draft_of(sealed(6, Language.HI), b"").text

    words = set(re.findall(r"[A-Za-z]+", text.replace("STOCK", "")))
    assert words <= NAMES


@given(
    side=st.sampled_from([Side.BUY, Side.SELL]),
    held=st.integers(0, 10**6),
    change=st.integers(1, 10**6),
    prices=st.tuples(amounts, amounts),
    shares=st.tuples(percents, percents, percents, percents),
    settings=st.tuples(
        percents,
        st.sampled_from([Decimal(0), Decimal(5000)]),
        st.booleans(),
        st.sampled_from([Mode.FULL, Mode.RAISE_CASH]),
    ),
    before=st.none() | percents,
    restricted=st.sampled_from(RESTRICTIONS),
)
def test_every_reason_of_a_trade_is_translated(
    side: Side,
    held: int,
    change: int,
    prices: tuple[Decimal, Decimal],
    shares: tuple[Decimal, Decimal, Decimal, Decimal],
    settings: tuple[Decimal, Decimal, bool, Mode],
    before: Decimal | None,
    restricted: str,
) -> None:
    new = held + change if side is Side.BUY else max(held - change, 0)
    held = max(held, 1) if side is Side.SELL else held
    facts = LegFacts(NoTrade.NONE, side, held, new, *prices, *shares, before=before)

    reason = restricted_reason(facts, ReasonSettings(*settings), restricted).text
    translated = reason_in(reason, HINDI)

    assert not re.search("[A-Za-z]", translated)
    figures = re.compile(r"\d[\d.,]*\d|\d")
    assert sorted(figures.findall(reason)) == sorted(figures.findall(translated))


def test_a_reason_of_no_template_stays_english_as_a_whole() -> None:
    reason = "Sell all 5: exit. Because of the weather"

    assert reason_in(reason, HINDI) == reason


@pytest.mark.parametrize("language", Language)
def test_letter_and_mail_have_every_part(language: Language) -> None:
    parts = parts_of(sealed(3, language))

    assert all((parts.summary, parts.facts, parts.steps.paragraphs, parts.charges.paragraphs))
    assert [orders.side for orders in parts.orders] == [Side.SELL, Side.BUY]


def _in_hindi(advice: AdviceDesk) -> None:
    desk = advice.desk
    body = {"id": advice.client_id, "language": "HI"}
    assert desk.put("/clients/edit", body).json()["data"]["language"] == "HI"


def test_the_language_of_the_client_is_sealed_and_sent(
    advice: AdviceDesk, database: Database
) -> None:
    _in_hindi(advice)
    advice_id = advice.sent(rationale="Review.")
    # Changed after the sending: the sealed language is the language sent.
    advice.desk.put("/clients/edit", {"id": advice.client_id, "language": "EN"})

    package = sealing.from_text(seal_of(database, advice_id).package)

    assert package.language is Language.HI
    assert package.delivery.subject.startswith("निवेश सलाह, ")
    assert package.firm.standard_warning.startswith("प्रतिभूति बाज़ार में निवेश")
    assert package.firm.disclosures.startswith("रिसर्च एनालिस्ट, उसके कर्मचारी")
    draft = draft_of(package, b"")
    assert draft.subject == package.delivery.subject
    assert "प्रिय Kavya Menon," in draft.text


@pytest.mark.on_both(suite="long")
def test_a_generated_rationale_is_in_the_language(advice: AdviceDesk, database: Database) -> None:
    advice.set_firm(rationale_required=False)
    _in_hindi(advice)

    package = sealing.from_text(seal_of(database, advice.sent()).package)

    assert package.rationale.startswith("मानक तर्क: यह सलाह")


@pytest.mark.on_both(suite="long")
def test_the_firms_own_hindi_texts_are_sent(advice: AdviceDesk, database: Database) -> None:
    texts = {"standardWarningHi": "बाज़ार में जोखिम है।", "noAssuranceHi": "कोई आश्वासन नहीं।"}
    advice.desk.put("/settings/firm", texts)
    _in_hindi(advice)

    package = sealing.from_text(seal_of(database, advice.sent()).package)

    assert (package.firm.standard_warning, package.firm.no_assurance) == tuple(texts.values())


@pytest.mark.on_both(suite="long")
def test_the_use_of_ai_is_sealed_as_the_firm_entered_it_in_each_language(
    advice: AdviceDesk, database: Database
) -> None:
    def sent() -> sealing.SealedAdvice:
        return sealing.from_text(seal_of(database, advice.sent()).package)

    silent = sent()
    advice.desk.put("/settings/firm", {"aiUse": "AI summarises filings."})
    english = sent()
    _in_hindi(advice)
    untranslated = sent()
    advice.desk.put("/settings/firm", {"aiUseHi": "AI दस्तावेज़ों का सार बनाता है।"})
    hindi = sent()

    assert silent.firm.ai_use == ""
    assert "Use of AI" not in draft_of(silent, b"").text
    assert "Use of AI: AI summarises filings." in draft_of(english, b"").text
    assert untranslated.firm.ai_use == "AI summarises filings."
    assert "AI का उपयोग: AI दस्तावेज़ों का सार बनाता है।" in draft_of(hindi, b"").text
    advice.desk.put("/settings/firm", {"aiUse": "", "aiUseHi": ""})
    assert sent().firm.ai_use == ""


@pytest.mark.on_both(suite="long")
def test_advice_is_valid_for_the_business_days_of_the_firm(
    advice: AdviceDesk, database: Database
) -> None:
    days = []
    for count in (1, 2):
        advice.desk.put("/settings/firm", {"adviceDays": count})
        package = sealing.from_text(seal_of(database, advice.sent()).package)
        assert package.valid_until
        days.append(package.valid_until)

    assert days[0] < days[1]
    assert all(day.weekday() < 5 for day in days)


def test_details_of_disclosures_stay_in_the_firms_words(admin: Desk) -> None:
    yes = {"id": "compensation", "isYes": True, "details": "TCS paid the firm for a lecture."}
    answers = [one for one in NO_TO_ALL if one["id"] != "compensation"]

    saved = admin.put("/settings/firm", {"disclosureAnswers": [yes, *answers]})

    assert "TCS paid" in saved.json()["data"]["disclosures"]


def test_a_client_is_added_in_a_language_and_others_are_english(admin: Desk) -> None:
    rows = [
        {"name": "Asha Rao", "email": "asha@home.example", "language": "HI"},
        {"name": "Ravi Rao", "email": "ravi@home.example"},
    ]
    assert admin.post("/clients/add", {"clients": rows}).status_code == 201
    wrong = admin.post("/clients/add", {"clients": [rows[0] | {"language": "FR"}]})

    records = admin.get("/clients").json()["data"]
    assert {row["name"]: row["language"] for row in records} == {"Asha Rao": "HI", "Ravi Rao": "EN"}
    assert wrong.status_code == 422


def test_an_import_of_clients_reads_their_language(admin: Desk) -> None:
    content = (
        b"name,country_code,contact,email,role,language\n"
        b"Asha Rao,+91,9012708438,asha@home.example,client,Hindi\n"
        b"Ravi Rao,+91,9012708439,ravi@home.example,client,\n"
        b"Uma Rao,+91,9012708430,uma@home.example,client,French\n"
    )

    answer = admin.upload(
        "/admin/clients/import", "clients.csv", content, dryRun="false", leaveOutRefused="true"
    )

    report = answer.json()["data"]
    assert "The language is English (EN) or Hindi (HI)." in str(report)
    records = admin.get("/clients").json()["data"]
    assert {row["name"]: row["language"] for row in records} == {"Asha Rao": "HI", "Ravi Rao": "EN"}
