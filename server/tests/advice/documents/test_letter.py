"""The letter: what it says, that texts stay texts, and who may take it away."""

import datetime as dt
import io
import re
import uuid
from dataclasses import replace
from decimal import Decimal

import pypdf
import pytest

from tarazu.advice.documents.letter import letter_of
from tarazu.advice.documents.message import draft_of
from tarazu.advice.package import UNPLANNED, Package, PriceUsed, Row, Stock
from tarazu.advice.sealing import (
    FORM,
    AtSending,
    Disclosures,
    PriceNote,
    SealedAdvice,
    SealedAs,
    SealedClient,
    SealedDelivery,
    SealedLetter,
    SealedModel,
    Sender,
)
from tarazu.domain.charges import Charges, Side, rates_for
from tarazu.domain.money import ZERO
from tarazu.domain.rebalancing.plan import Options
from tarazu.firm.service import (
    NO_ASSURANCE,
    REGISTERED_FROM,
    STANDARD_WARNING,
    FirmRegistration,
    become_demo,
)
from tarazu.kit import clock
from tests.advice.conftest import AdviceDesk
from tests.people_of import DISCLOSURES, Desk, reply_of

HOSTILE = '#read("/etc/passwd") <script>alert(1)</script> *bold* $x^2$ @ref // \\ ] #panic("x")'
AUGUST = dt.datetime(2026, 8, 21, 10, 0, tzinfo=dt.UTC)
SENT_AT = dt.datetime(2026, 11, 21, 4, 30, tzinfo=dt.UTC)


def _row(number: int, side: Side, name: str) -> Row:
    price, held, quantity = Decimal("1523.45") + number, 20 + number, 12 + number
    new = held + quantity if side is Side.BUY else held - quantity
    bought, sold = (quantity, 0) if side is Side.BUY else (0, quantity)
    return Row(
        Stock(f"STOCK{number}", name, "NSE", f"INE{number:09d}", 1000 + number),
        side,
        held,
        quantity,
        new,
        price,
        Decimal("2.50"),
        Decimal("3.25"),
        Decimal("3.21"),
        Decimal("-0.75"),
        price * held,
        price * bought,
        price * sold,
        price * new,
        f"Reason {number}",
    )


def _prices() -> tuple[PriceUsed, ...]:
    stock = Stock("STOCK1", "A Company", "NSE", "INE000000001", 1001)
    traded = SENT_AT - dt.timedelta(minutes=1)
    return (
        PriceUsed(stock, Decimal(1), traded, "ZERODHA"),
        PriceUsed(stock, Decimal(1), SENT_AT - dt.timedelta(hours=18, minutes=30), "NSE_FILE"),
        PriceUsed(stock, Decimal(1), AUGUST, "CLOSE"),
    )


def _advice(rows: int, rationale: str = "Quality.", name: str = "Kavya Menon") -> SealedAdvice:
    firm = FirmRegistration(
        "Sahyadri Research",
        "INH000012345",
        "Ananya Kulkarni",
        REGISTERED_FROM,
        "perpetual",
        "Pune",
        "desk@sahyadri.example",
        DISCLOSURES,
        STANDARD_WARNING,
        NO_ASSURANCE,
        is_demo=False,
    )
    sent = tuple(
        _row(number, Side.BUY if number % 3 else Side.SELL, f"Company {number} Ltd.")
        for number in range(rows)
    )
    rates, charged_on = rates_for("ZERODHA", SENT_AT.date()), SENT_AT.date()
    rebalance = Package(
        Decimal(4_500_000), ZERO, ZERO, (), Options(), rates, charged_on, "FILE", None, (), (),
        SENT_AT, sent, UNPLANNED, (),
    )  # fmt: skip
    return SealedAdvice(
        form=FORM,
        sealed_as=SealedAs.SENT,
        advice_id=uuid.UUID(int=7),
        sent_at=SENT_AT,
        sender=Sender(None, "Ananya Kulkarni", "ADMIN", "", None, ""),
        client=SealedClient(uuid.UUID(int=8), "C1042", name),
        firm=firm,
        rebalance_id=None,
        rebalance=rebalance,
        at_sending=AtSending("FILE", None, ZERO, (), ()),
        investment=Decimal(4_500_000),
        total_stocks=rows,
        total_buy_value=ZERO,
        total_sell_value=ZERO,
        rows=sent,
        products=("DELIVERY",) * rows,
        charges=Charges(stt=Decimal(1200), gst=Decimal("41.22")),
        charges_broker="ZERODHA",
        prices=PriceNote(SENT_AT, AUGUST, ("CLOSE", "NSE_FILE", "ZERODHA"), _prices()),
        rationale=rationale,
        disclosures=Disclosures(),
        letter=SealedLetter("advice-C1042-2026-11-21.pdf"),
        delivery=SealedDelivery(uuid.UUID(int=9), "", "kavya@home.example", "", SENT_AT),
        number=1,
        fingerprint="0123456789abcdef",
        checks=(),
    )


def _pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


def _text(pdf: bytes) -> str:
    """The letter as it reads, every run of blanks and line ends made one blank."""
    read = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages]
    return " ".join(" ".join(read).split())


def _download(desk: Desk, advice_id: str) -> bytes:
    answer = desk.get(f"/admin/advice/{advice_id}/letter.pdf")
    assert answer.status_code == 200, answer.text
    return answer.content


def test_the_letter_is_an_archival_pdf_and_always_the_same() -> None:
    first, second = letter_of(_advice(3)), letter_of(_advice(3))

    assert first.startswith(b"%PDF-1.7")
    assert b"pdfaid:part>2<" in first
    assert first == second


@pytest.mark.parametrize(("rows", "pages"), [(1, 1), (6, 2), (40, 3)])
def test_the_letter_has_as_many_pages_as_its_rows_need(rows: int, pages: int) -> None:
    assert _pages(letter_of(_advice(rows))) == pages


def test_a_letter_never_says_that_an_old_price_was_read_today() -> None:
    prices = PriceNote(SENT_AT, AUGUST, ("CLOSE",), _prices()[2:])
    advice = replace(_advice(1), prices=prices)

    letter = letter_of(advice)

    for text in (_text(letter), draft_of(advice, letter).text):
        assert "closing prices that came with the product of 21 Aug 2026" in text
        assert "of 21 Nov 2026" not in text


def test_the_letter_says_what_the_regulator_asks_for() -> None:
    text = _text(letter_of(_advice(6)))

    for words in (
        "Sahyadri Research",
        "Registration number INH000012345",
        "Analyst's registration: valid from 14 Feb 2024",
        "21 Nov 2026, 10:00 IST",
        "Kavya Menon",
        "Client code C1042",
        "Investment Value ₹45,00,000.00",
        "Quality.",
        DISCLOSURES,
        STANDARD_WARNING,
        NO_ASSURANCE,
        "ever places an order",
        "Signed electronically by Ananya Kulkarni, Administrator",
        "closing prices that came with the product of 21 Aug 2026",
        "closing prices of NSE of 20 Nov 2026",
        "Zerodha market feed, traded 21 Nov 2026, 09:59 IST",
        "About ₹1,241.22",
        "Page 1 of 2",
        "Page 2 of 2",
    ):
        assert words in text
    assert "Practice" not in text


def test_sales_come_before_purchases_with_their_sums() -> None:
    text = _text(letter_of(_advice(4)))

    assert text.index("STOCK3 Sell 15") < text.index("STOCK1 Buy 13") < text.index("STOCK2 Buy 14")
    # Sold: 12 x 1523.45 + 15 x 1526.45; bought: 13 x 1524.45 + 14 x 1525.45.
    assert "Total to sell, 2 stocks ₹41,178.15" in text
    assert "Total to buy, 2 stocks ₹41,174.15" in text
    assert "Company 1 Ltd. · NSE – Reason 1" in text


def test_texts_of_people_stay_texts() -> None:
    text = _text(letter_of(_advice(1, rationale=f"{HOSTILE}\nTwo.", name=f"Name {HOSTILE}")))

    assert f"{HOSTILE} Two." in text
    assert f"Name {HOSTILE}" in text
    assert "root:" not in text


def test_the_letter_has_the_risks_of_the_model_and_the_use_of_ai() -> None:
    plain = _advice(1)
    model = SealedModel(
        uuid.UUID(int=5), "Quality", uuid.UUID(int=6), 3, AUGUST, uuid.UUID(int=7),
        f"Few names.\n\n{HOSTILE}",
    )  # fmt: skip
    advice = replace(plain, model=model, firm=replace(plain.firm, ai_use=f"Summaries. {HOSTILE}"))
    text = _text(letter_of(advice))

    assert f"Risks Few names. {HOSTILE} " in text
    assert f"Use of AI: Summaries. {HOSTILE}" in text
    without = _text(letter_of(plain))
    assert "Risks" not in without
    assert "Use of AI" not in without


def test_names_in_the_scripts_of_india_are_set() -> None:
    names = "काव्या காவ்யா కావ్య ಕಾವ್ಯ കാവ്യ কাব্য કાવ્યા ਕਾਵਿਆ"

    pdf = letter_of(_advice(1, name=names))

    for font in (b"Devanagari", b"Tamil", b"Telugu", b"Kannada", b"Malayalam", b"Bengali",
                 b"Gujarati", b"Gurmukhi"):  # fmt: skip
        assert b"NotoSans" + font in pdf


def test_the_letter_is_downloaded_as_it_was_sent(advice: AdviceDesk, user: Desk) -> None:
    advice_id = advice.sent(rationale="Quality at a fair price.")
    path = f"/admin/advice/{advice_id}/letter.pdf"

    first = user.get(path)
    advice.set_firm(name="Another Name")
    second = user.get(path)

    day = clock.today().isoformat()
    assert first.status_code == 200
    assert first.headers["Content-Type"] == "application/pdf"
    disposition = f'attachment; filename="advice-C0001-{day}.pdf"'
    assert first.headers["Content-Disposition"] == disposition
    assert "no-store" in first.headers["Cache-Control"]
    assert first.content == second.content
    assert _pages(first.content) == 2
    assert "Quality at a fair price." in _text(first.content)


@pytest.mark.on_both(suite="long")
def test_the_demo_firm_marks_its_prices_as_simulated(advice: AdviceDesk) -> None:
    with advice.database.transaction() as session:
        become_demo(session, clock.now())

    text = _text(_download(advice.desk, advice.sent()))

    assert text.count("Practice: simulated prices, not investment advice") == 2


def test_disclosures_of_this_advice_come_before_those_of_the_firm(advice: AdviceDesk) -> None:
    told = {"holdings": "The analyst holds TCS.", "conflicts": "None.", "compensation": "None."}

    text = _text(_download(advice.desk, advice.sent(disclosures=told)))

    given = text.index("Holdings of the analyst and relatives: The analyst holds TCS.")
    assert given < text.index("Conflicts of interest: None.") < text.index(DISCLOSURES[:40])


def test_a_letter_that_is_not_there_is_not_found(advice: AdviceDesk) -> None:
    answer = advice.desk.get(f"/admin/advice/{uuid.uuid4()}/letter.pdf")

    assert reply_of(answer) == (404, "Advice not found")


def test_nothing_is_charged_where_there_is_nothing_to_charge() -> None:
    text = _text(letter_of(_advice(1)))

    assert "securities transaction tax ₹1,200.00, GST ₹41.22" in text
    assert str(ZERO) not in text.split("tax ₹1,200.00, ")[1].split("GST")[0]
