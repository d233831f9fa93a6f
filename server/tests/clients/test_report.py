"""A client's portfolio report: what it says, that texts stay texts, and who may take it away."""

import datetime as dt
import io
import json
import re
from collections.abc import Callable
from decimal import Decimal
from uuid import UUID

import pypdf
import pytest

from tarazu.clients.adapters.report import NO_ADVICE
from tarazu.clients.reporting import contents_of, report
from tarazu.firm import service as firm
from tarazu.firm.service import NO_ASSURANCE, STANDARD_WARNING
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.people import service as people
from tarazu.people.service import NewPerson
from tarazu.portfolio import service as portfolio
from tests.people_of import DISCLOSURES, Desk, reply_of, set_up_firm
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_rows

Priced = Callable[[dict[str, str]], None]
HOSTILE = '#read("/etc/passwd") <b> *bold* $x^2$ @ref // \\ ] #panic("x")'


def _text(pdf: bytes) -> str:
    pages = pypdf.PdfReader(io.BytesIO(pdf)).pages
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))


@pytest.fixture
def client_id(admin: Desk, database: Database, priced: Priced) -> str:
    """A client with two stocks, ₹50,000 and a start two years ago at ₹1,00,000."""
    client_id = admin.add_client()
    give_holdings(
        database, client_id, {"INFY": (100, "1400.50"), "TCS": (10, "3100")}, cash="50000"
    )
    priced({"INFY": "1500.25", "TCS": "3100"})
    today = clock.today()
    with database.transaction() as session:
        owner = UUID(client_id)
        portfolio.set_start(
            session,
            SYSTEM,
            clock.now(),
            owner,
            capital=Decimal(100_000),
            started_on=today - dt.timedelta(days=730),
        )
        closes = [
            (owner, today - dt.timedelta(days=day), Decimal(100_000 + 700 * (30 - day)), Decimal(0))
            for day in range(1, 30)
        ]
        portfolio.record_closes(session, closes, [])
    added = {"date": (today - dt.timedelta(days=10)).isoformat(), "amount": 25_000}
    path = f"/admin/clients/client/{client_id}/accounting/transaction"
    answer = admin.post(path, added | {"type": "FUNDS_ADDED"})
    assert answer.status_code in {200, 201}, answer.text
    return client_id


def _taken(desk: Desk, client_id: str) -> bytes:
    answer = desk.get(f"/admin/clients/client/{client_id}/report.pdf")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return answer.content


def test_the_report_is_a_pdf_with_page_numbers_named_for_its_client(
    admin: Desk, client_id: str
) -> None:
    answer = admin.get(f"/admin/clients/client/{client_id}/report.pdf")

    assert answer.content.startswith(b"%PDF")
    name = f'attachment; filename="portfolio-C0001-{clock.today().isoformat()}.pdf"'
    assert answer.headers["content-disposition"] == name
    assert answer.headers["cache-control"] == "private, no-store"
    assert b"pdfaid:part>2" in answer.content
    assert "Page 1 of 2" in _text(answer.content)


def test_the_report_says_value_return_holdings_and_flows(admin: Desk, client_id: str) -> None:
    shown = admin.get(f"/admin/clients/client/{client_id}/portfolio").json()["data"]

    told = _text(_taken(admin, client_id))

    assert "Kavya Menon" in told
    assert "Client code C0001" in told
    assert f"Period: {(clock.today() - dt.timedelta(days=730)).day} " in told
    # 100 × 1500.25 + 10 × 3100 + 50,000
    assert shown["portfolioValue"] == 231025
    assert "₹2,31,025.00" in told
    assert "Net investment ₹1,25,000.00" in told
    assert "+₹1,06,025.00 +84.82 %" in told.replace("\xa0", " ")
    assert f"+{shown['xirrPercentage']:.2f} % over 2.00 years" in told.replace("\xa0", " ")
    assert "Prices: Simulated prices, traded" in told
    assert "INFY" in told
    assert "+₹9,975.00" in told
    assert "Fund Added +₹25,000.00" in told
    assert "Starting Capital +₹1,00,000.00" in told
    assert "Portfolio value at each daily close, and now" in told
    assert "No fee is recorded." in told


def test_the_report_lists_fees_with_what_is_paid_and_due(admin: Desk, client_id: str) -> None:
    today = clock.today()
    body = {
        "startingDate": (today - dt.timedelta(days=730)).isoformat(),
        "dueDate": None,
        "finalDate": (today - dt.timedelta(days=365)).isoformat(),
        "startingValue": 100_000,
        "finalValue": 110_000,
    }
    answer = admin.post(f"/admin/clients/client/{client_id}/fees", body)
    assert answer.status_code == 201, answer.text

    told = _text(_taken(admin, client_id)).replace("\xa0", " ")

    assert "₹1,00,000.00 ₹1,10,000.00 +₹10,000.00 20.00 % ₹2,000.00 DUE" in told
    assert "Paid ₹0.00, due ₹2,000.00." in told


def test_the_report_says_what_the_regulator_asks_for(admin: Desk, client_id: str) -> None:
    set_up_firm(admin)
    pdf = _taken(admin, client_id)

    told = _text(pdf)
    for text in (STANDARD_WARNING, NO_ASSURANCE, DISCLOSURES, NO_ADVICE):
        assert text in told
    assert "not PaRRVA-verified" in told
    assert "SEBI-registered Research Analyst" in told
    assert "Analyst's registration: valid from 14 Feb 2024, perpetual" in told
    assert re.search(r"Prepared by Ananya Kulkarni for .*, on \d+ \w+ \d{4}, \d\d:\d\d IST", told)
    assert _sizes_of(pdf, STANDARD_WARNING[:20])
    assert min(_sizes_of(pdf, STANDARD_WARNING[:20])) >= 10


def _sizes_of(pdf: bytes, text: str) -> list[float]:
    """The sizes in points of the lines that contain `text`."""
    sizes: list[float] = []
    line: list[str] = []

    def visit(
        part: str, user: list[float], matrix: list[float], _font: object, size: float
    ) -> None:
        line.append(part)
        if text in "".join(line):
            sizes.append(abs(size * matrix[3] * user[3]) or size)
            line.clear()

    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
        line.clear()
    return sizes


def test_a_client_without_anything_gets_a_report_with_reasons(admin: Desk) -> None:
    told = _text(_taken(admin, admin.add_client()))

    assert "the start is not recorded" in told
    assert "There are no cash flows yet." in told
    assert "No holdings." in told
    assert "No cash flow is recorded." in told
    assert "XIRR (annualised) –" in told


def test_a_demo_firm_marks_its_prices_as_simulated(
    admin: Desk, database: Database, client_id: str
) -> None:
    with database.transaction() as session:
        firm.become_demo(session, clock.now())

    told = _text(_taken(admin, client_id))

    assert "Practice: simulated prices, not investment advice" in told


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (HOSTILE, HOSTILE),
        ("कविता मेनन", "कविता"),
        ("কবিতা", "কবিতা"),
        ("கவிதா", "கவிதா"),
        ("కవిత", "కవిత"),
        ("ಕವಿತಾ", "ಕವಿತಾ"),
        ("કવિતા", "કવિતા"),
    ],
)
def test_names_stay_texts_in_every_script(database: Database, name: str, shown: str) -> None:
    now = clock.now()
    with database.transaction() as session:
        portfolio.lock_accounts(session)
        (client,) = people.add_clients(session, SYSTEM, now, [NewPerson(name, "k@home.example")])
        portfolio.open_accounts(session, now, [client.id])
    with database.reading() as session:
        _, file_name, pdf = report(session, client.id, "Ananya", now)
        again = report(session, client.id, "Ananya", now)[2]
        assert contents_of(session, client.id, "Ananya", now).client.name == name

    assert file_name.startswith("portfolio-C0001-")
    assert again == pdf
    told = _text(pdf)
    # Marks may be drawn before or after their letter; the letters are all there.
    assert set(shown.replace(" ", "")) <= set(told)
    assert "\ufffd" not in told


def test_the_report_is_in_the_audit_log(user: Desk, database: Database, client_id: str) -> None:
    _taken(user, client_id)

    (row,) = audit_rows(database, "taken_away")
    assert (row.kind, row.record_id, row.role) == ("client", client_id, "USER")
    assert json.loads(row.changes) == {"what": "portfolio-report", "format": "pdf"}


def test_a_client_that_is_not_there_has_no_report(admin: Desk) -> None:
    answer = admin.get("/admin/clients/client/0190f9a0-0000-7000-8000-000000000000/report.pdf")

    assert reply_of(answer) == (404, "Client not found")
