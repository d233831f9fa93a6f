"""The rules that come with the product, each with its source; the firm's own replace them by date.

Where a source is marked, compare it with the original before you rely on it.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tarazu.registers.tables import RuleName


class RuleForm(StrEnum):
    """What a rule's content is."""

    NUMBER = "NUMBER"
    NUMBERS = "NUMBERS"
    TEXTS = "TEXTS"
    YES_NO = "YES_NO"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in force from a day on; the content of every form is a list of texts."""

    name: RuleName
    effective_on: dt.date
    content: tuple[str, ...]
    source: str


FORMS: Final[Mapping[RuleName, RuleForm]] = {
    RuleName.COMPLAINT_DAYS: RuleForm.NUMBER,
    RuleName.COMPLAINT_WARNING_DAYS: RuleForm.NUMBER,
    RuleName.COMPLAINT_TABLE_DAY: RuleForm.NUMBER,
    RuleName.COMPLAINT_CHANNELS: RuleForm.TEXTS,
    RuleName.CERTIFICATE_SERIES: RuleForm.TEXTS,
    RuleName.CERTIFICATE_WARNING_DAYS: RuleForm.NUMBERS,
    RuleName.TRADING_DAYS_BEFORE: RuleForm.NUMBER,
    RuleName.TRADING_DAYS_AFTER: RuleForm.NUMBER,
    RuleName.ADVERTISEMENT_WORDS: RuleForm.TEXTS,
    RuleName.ADVERTISEMENT_APPROVAL: RuleForm.YES_NO,
    RuleName.INCIDENT_HOURS: RuleForm.NUMBER,
}
_CHARTER: Final = (
    "Investor charter for Research Analysts, SEBI circular 2025/81 of 2 June 2025 (Annexure B)"
)
_REGULATION_16: Final = (
    "Regulation 16, SEBI (Research Analysts) Regulations, 2014. Compare with the original."
)
_CODE: Final = "SEBI advertisement code for Research Analysts. The list of words is the firm's own."

SHIPPED: Final[Sequence[Rule]] = (
    Rule(RuleName.COMPLAINT_DAYS, dt.date(2025, 6, 2), ("21",), _CHARTER),
    Rule(RuleName.COMPLAINT_WARNING_DAYS, dt.date(2025, 6, 2), ("7",), "The firm's own choice"),
    Rule(RuleName.COMPLAINT_TABLE_DAY, dt.date(2025, 6, 2), ("7",), _CHARTER),
    Rule(
        RuleName.COMPLAINT_CHANNELS,
        dt.date(2025, 6, 2),
        ("Directly from investors", "SEBI (SCORES)", "SMART ODR", "Other sources"),
        _CHARTER,
    ),
    Rule(
        RuleName.CERTIFICATE_SERIES,
        dt.date(2026, 3, 11),
        ("XV", "XXV-A"),
        "Third and second amendment of the Research Analysts Regulations; BSE notice of 11 March 2026",
    ),
    Rule(
        RuleName.CERTIFICATE_WARNING_DAYS,
        dt.date(2025, 11, 25),
        ("90", "30", "0"),
        "The firm's own choice; renewal every three years by the amendment of 25 November 2025",
    ),
    Rule(RuleName.TRADING_DAYS_BEFORE, dt.date(2014, 12, 1), ("30",), _REGULATION_16),
    Rule(RuleName.TRADING_DAYS_AFTER, dt.date(2014, 12, 1), ("5",), _REGULATION_16),
    Rule(
        RuleName.ADVERTISEMENT_WORDS,
        dt.date(2023, 4, 5),
        (
            *("assured", "guaranteed", "guarantee", "best", "No. 1", "number one", "risk-free"),
            *("sure-shot", "top", "leading", "unbeatable", "highest returns"),
            *("100%", "multibagger", "jackpot", "double your money"),
        ),
        _CODE,
    ),
    Rule(
        RuleName.ADVERTISEMENT_APPROVAL,
        dt.date(2023, 4, 5),
        ("yes",),
        "Prior approval by the body that supervises Research Analysts (RAASB). Unconfirmed: a SEBI "
        "consultation of 23 June 2026 proposes a report within 24 hours of release instead.",
    ),
    Rule(
        RuleName.INCIDENT_HOURS,
        dt.date(2025, 11, 13),
        ("72",),
        "Digital Personal Data Protection Rules, notified on 13 November 2025; the duty to report "
        "begins about 13 May 2027. Compare with the original.",
    ),
)
"""In force before their first day, too: there is no other rule for it."""
