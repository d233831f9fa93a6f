"""Sealed advice as letters and mails are drawn from, in both languages."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

from tarazu.advice.sealing import SealedAdvice
from tarazu.firm.disclosures import QUESTIONS, Answer, text_of
from tarazu.firm.service import NO_ASSURANCE, STANDARD_WARNING
from tarazu.kit.translation import Language, translation_of
from tests.advice.documents.test_letter import _advice as advice_of

REASONS = (
    "Overweight: 6.63 % against a target of 4 %. Sell 62, leaves 4.01 %",
    "Underweight: 1.20 % against a target of 3.25 %. Buy 13, reaches 3.21 %",
    "New: target 3.25 %. Buy 12, reaches 3.21 % (minimum trade ₹5,000)",
)


def sealed(rows: int, language: Language = Language.EN, rationale: str = "Review.") -> SealedAdvice:
    """Advice of so many rows, sales among them, with the firm's texts in the language."""
    advice, t = advice_of(rows, rationale), translation_of(language)
    firm = replace(
        advice.firm,
        designation="Proprietor",
        address="4 Prabhat Road, Deccan Gymkhana, Pune 411004",
        standard_warning=t.gettext(STANDARD_WARNING),
        no_assurance=t.gettext(NO_ASSURANCE),
        disclosures=text_of({one.id: Answer(is_yes=False) for one in QUESTIONS}, language),
    )
    summary = replace(
        advice.rebalance.summary, cash_after=Decimal("12345.60"), funds_to_add=Decimal(20_000)
    )
    return replace(
        advice,
        rows=tuple(
            replace(row, message=REASONS[number % 3], note="Its peer is cheaper." * (number == 1))
            for number, row in enumerate(advice.rows)
        ),
        firm=firm,
        rebalance=replace(advice.rebalance, summary=summary),
        language=language,
        valid_until=dt.date(2026, 11, 26),
    )
