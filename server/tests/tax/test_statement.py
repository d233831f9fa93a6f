"""The statement of a tax year as a PDF."""

import io

import pytest
from pypdf import PdfReader

from tests.imports.files import INFY
from tests.tax.test_client_lots import TaxDesk, taxed

__all__ = ["taxed"]


def text_of(taxed: TaxDesk, year: str) -> str:
    answer = taxed.desk.get(f"{taxed.path}/gains/statement.pdf", year=year)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].endswith(f'-{year}.pdf"')
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_the_statement_says_what_was_realised_and_by_which_rates(taxed: TaxDesk) -> None:
    taxed.bought("2024-01-03", 100, "1000")
    taxed.bought("2026-06-03", 10, "1500")
    taxed.sold("2026-07-01", 105, "3000")
    taxed.hold(("INFY", 5))

    text = text_of(taxed, "2026-27")

    assert INFY in text
    # 100 long-term shares with a gain of 2,000 each, 5 short-term ones with 1,500 each.
    assert "+₹2,00,000.00" in text
    assert "+₹7,500.00" in text
    # (7,500 at 20 % and 75,000 at 12.5 %) with the cess of 4 %.
    assert "₹11,310.00" in text
    assert "Every sale of the year is known." in text
    assert "Finance (No. 2) Act 2024" in text
    assert "196 (111A)" in text
    assert "not tax advice" in text
    assert "SEBI-registered Research Analyst" in text


def test_what_is_not_known_is_named_with_its_reason(taxed: TaxDesk) -> None:
    taxed.sold("2026-07-01", 10, "1600")
    taxed.hold(("SBIN", 1))

    text = text_of(taxed, "2026-27")

    assert "INFY 10 The purchase is not known." in text
    assert "₹16,000" not in text


def test_a_year_of_two_rates_has_no_tax(taxed: TaxDesk) -> None:
    assert "the rates changed within this year" in text_of(taxed, "2024-25")


@pytest.mark.parametrize("year", ["2017-18", "2026"])
def test_a_statement_of_no_year_is_refused(taxed: TaxDesk, year: str) -> None:
    answer = taxed.desk.get(f"{taxed.path}/gains/statement.pdf", year=year)

    assert answer.status_code == 422
