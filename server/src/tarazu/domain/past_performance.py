"""To whom past performance may be shown: one question, one answer, with the words that go with it.

The dates and texts are the firm's own data (`Rules`), each table with its source, because circulars
change them. The rules as they come with the product: SEBI circular of 30 October 2025 and BSE notice
of 21 November 2025 (certified figures to a person who asks, one to one), SEBI circular of 29 April
2026 and BSE notice of 4 August 2026 (PaRRVA: live on 4 May 2026, enrolment until 3 September 2026,
verified figures alone after 3 May 2028).
"""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Audience(StrEnum):
    """Who is to see the figures.

    OWN_CLIENT: a client, of the client's own account. PROSPECT: one person, client or not, who
    asked for them. PUBLIC: anybody. FIRM: the firm's own staff, its auditor, a verification agency
    or the regulator.
    """

    OWN_CLIENT = "OWN_CLIENT"
    PROSPECT = "PROSPECT"
    PUBLIC = "PUBLIC"
    FIRM = "FIRM"


class Outcome(StrEnum):
    ALLOWED_WITH_WORDS = "ALLOWED_WITH_WORDS"
    REFUSED = "REFUSED"


class Span(NamedTuple):
    """Days, both included."""

    first: dt.date
    last: dt.date

    def covers(self, other: "Span") -> bool:
        """Whether all days of the other are in this one."""
        return self.first <= other.first and other.last <= self.last


@dataclass(frozen=True, slots=True)
class Rules:
    """Dates and texts of the rules; `source` says where they are from.

    Attributes:
        verified_from: figures of periods from this day on are shown as verified or not at all.
        enrol_until: the last day on which a firm could enrol for verification.
        certified_until: after it, certified figures are shown to nobody any more.
        words_own: what is said with a client's own account.
        words_certified: what is said with certified figures.
        words_verified: what is said with verified figures.
    """

    verified_from: dt.date
    enrol_until: dt.date
    certified_until: dt.date
    words_own: str
    words_certified: str
    words_verified: str
    source: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What the firm has: its enrolment, its certificate and its verification; None for none."""

    enrolled_on: dt.date | None = None
    certified: Span | None = None
    verified: Span | None = None


class Request(NamedTuple):
    """For whom, of which days, and on which day; `asked_by`: who asked, "" for nobody.

    `taken_by_user`: a member of staff who is no administrator takes the figures away as a file.
    """

    audience: Audience
    period: Span
    today: dt.date
    asked_by: str = ""
    taken_by_user: bool = False


INTERNAL: Final = (
    "For internal use: the firm, its auditor or a verification agency. Not to be shown to anybody "
    "else."
)
"""What is said with figures for the firm itself."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`words` go with the figures; `reason` is why they are refused. Either is "" with the other."""

    outcome: Outcome
    words: str = ""
    reason: str = ""

    @property
    def is_refused(self) -> bool:
        return self.outcome is Outcome.REFUSED


_ONLY_ADMIN: Final = (
    "Only an administrator can take away figures for the firm, its auditor or a verification agency. "
    "Ask an administrator, or choose the person who asked for them."
)


def decide(request: Request, standing: Standing, rules: Rules) -> Decision:
    """Whether past performance may be shown.

    A client's own account is always shown, and named as such. The firm itself, its auditor and a
    verification agency see everything; only an administrator downloads a file for them, since
    nothing else keeps it inside the firm. To anybody else verified figures are shown with their words;
    certified ones of periods before `verified_from` only to one person who asked.
    """
    if request.audience is Audience.OWN_CLIENT:
        return Decision(Outcome.ALLOWED_WITH_WORDS, rules.words_own)
    if request.audience is Audience.FIRM:
        if request.taken_by_user:
            return Decision(Outcome.REFUSED, reason=_ONLY_ADMIN)
        return Decision(Outcome.ALLOWED_WITH_WORDS, INTERNAL)
    if standing.verified is not None and standing.verified.covers(request.period):
        return Decision(Outcome.ALLOWED_WITH_WORDS, rules.words_verified)
    reason = _why_not(request, standing, rules)
    if reason:
        return Decision(Outcome.REFUSED, reason=reason)
    return Decision(Outcome.ALLOWED_WITH_WORDS, rules.words_certified)


def _why_not(request: Request, standing: Standing, rules: Rules) -> str:
    """Why figures that are not verified are refused; "" where certified ones may be shown."""
    if request.audience is Audience.PUBLIC:
        return (
            "Past performance may be shown to the public only as a Past Risk and Return "
            "Verification Agency (PaRRVA) verified it. No verification of this period is entered."
        )
    if not request.asked_by.strip():
        return "Past performance may be shown to a person only on request. Enter who asked for it."
    if request.today > rules.certified_until:
        return (
            f"Since {_written(rules.certified_until)} only verified past performance may be shown. "
            "No verification of this period is entered."
        )
    if standing.enrolled_on is None or standing.enrolled_on > rules.enrol_until:
        return (
            "The firm is not enrolled with a Past Risk and Return Verification Agency (PaRRVA) by "
            f"{_written(rules.enrol_until)}, so its past performance may not be shown."
        )
    if request.period.last >= rules.verified_from:
        return (
            f"Past performance of {_written(rules.verified_from)} and later may be shown only as "
            "verified. Choose a period that ends before that day, or enter the verification."
        )
    if standing.certified is None or not standing.certified.covers(request.period):
        return (
            "No certificate of a chartered or cost accountant is entered that covers "
            f"{_written(request.period.first)} to {_written(request.period.last)}."
        )
    return ""


def _written(day: dt.date) -> str:
    return f"{day:%d-%m-%Y}"
