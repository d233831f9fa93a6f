"""Shapes of the firm's record, its calendar and its charges on the wire."""

import datetime as dt
import json
import uuid
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.firm.disclosures import QUESTIONS, Answer
from tarazu.firm.tables import MailState
from tarazu.kit.fields import Day, Name, is_plain
from tarazu.kit.schemas import Flag, Number, Rate, Schema, Version, Whole, attribute

LONGEST_TEXT = 5_000
LONGEST_LINE = 300
MOST_ROWS = 100
MOST_RATIONALES = 50
LARGEST_RUPEES = Decimal(10) ** 12


def _text(most: int, name: str, *, least: int = 0) -> AfterValidator:
    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if len(plain) < least:
            raise ValueError(f"{name} is required")
        if len(plain) > most or not is_plain(plain, lines=most > LONGEST_LINE):
            raise ValueError(f"{name}: at most {most:,} characters, without control characters.")
        return plain

    return AfterValidator(check)


def _known_question(name: str) -> str:
    if name not in {question.id for question in QUESTIONS}:
        raise ValueError("There is no such disclosure question.")
    return name


Percentage = Annotated[Number, Field(ge=0, le=100, decimal_places=2)]
Penalty = Annotated[Number, Field(ge=0, le=1_000, decimal_places=2)]
Amount = Annotated[Number, Field(ge=0, le=LARGEST_RUPEES, decimal_places=2)]
Source = Annotated[str, _text(LONGEST_LINE, "Source", least=1)]


class RegistrationNotice(Schema):
    """`is_practice`: prices are simulated, so that nothing shown is investment advice."""

    name: str
    registration_number: str
    analyst_name: str
    registered_from: dt.date
    validity: str
    renewal_on: dt.date | None
    disclosures: str
    standard_warning: str
    no_assurance: str
    is_demo: bool
    is_practice: bool
    mail: MailState
    app_link: str


class DisclosureAnswer(Schema):
    id: Annotated[str, AfterValidator(_known_question)]
    is_yes: Flag
    details: Annotated[str, _text(1_000, "Details")] = ""


def _every_question(answers: list[DisclosureAnswer]) -> list[DisclosureAnswer]:
    if sorted(answer.id for answer in answers) != sorted(answer.id for answer in QUESTIONS):
        raise ValueError("Answer every disclosure question.")
    if any(answer.is_yes and not answer.details for answer in answers):
        raise ValueError("Say what is to be disclosed where the answer is yes.")
    return answers


class DisclosureQuestion(Schema):
    """`is_yes` is null while nobody has answered."""

    id: str = attribute("question.id")
    question: str = attribute("question.text")
    is_yes: bool | None
    details: str


class RationaleText(Schema):
    """A rationale to be chosen when advice is sent."""

    name: Annotated[str, _text(100, "Name", least=1)]
    text: Annotated[str, _text(LONGEST_TEXT, "Rationale", least=1)]


def _each_name_once(rows: list[RationaleText]) -> list[RationaleText]:
    if len({row.name.casefold() for row in rows}) != len(rows):
        raise ValueError("Two rationales have the same name.")
    return rows


class FirmDetails(Schema):
    """`logo` and `signature` are pictures as data URLs, null without one."""

    name: str
    registration_number: str
    analyst_name: str
    designation: str
    registered_from: dt.date
    validity: str
    renewal_on: dt.date | None
    address: str
    contact: str
    disclosures: str
    disclosures_confirmed_on: dt.date | None
    disclosure_questions: list[DisclosureQuestion]
    standard_warning: str
    no_assurance: str
    standard_warning_hi: str
    no_assurance_hi: str
    ai_use: str
    ai_use_hi: str
    advice_days: int
    logo: str | None
    signature: str | None
    rationale_required: bool
    standard_rationale: str
    rationales: list[RationaleText]
    price_tolerance: Number = Field(alias="priceTolerancePercentage")
    price_minutes: int
    band: Number = Field(alias="bandPercentage")
    minimum_trade: Number = Field(alias="minimumTradeValue")
    trade_penalty: Number
    include_charges: bool
    allow_fresh_funds: bool
    price_buffer: Number = Field(alias="priceBufferPercentage")
    advice_minimum_trade: Number = Field(alias="adviceMinimumTradeValue")
    sells_pledged: bool
    limits_purchases: bool
    usable_proceeds: Number = Field(alias="usableProceedsPercentage")
    version: int
    updated_at: dt.datetime


class EditedFirm(Schema):
    """A field that is not sent, or is null, stays as it is; but `renewalOn` may be emptied.

    `disclosures` (the firm's own words) or `disclosureAnswers` (to every question) confirms what
    the firm discloses as of today.
    """

    name: Name | None = None
    registration_number: Annotated[str, _text(50, "Registration number", least=1)] | None = None
    analyst_name: Name | None = None
    designation: Annotated[str, _text(100, "Designation")] | None = None
    registered_from: Day | None = None
    validity: Annotated[str, _text(100, "Validity", least=1)] | None = None
    renewal_on: Day | None = None
    address: Annotated[str, _text(500, "Address")] | None = None
    contact: Annotated[str, _text(LONGEST_LINE, "Contact")] | None = None
    disclosures: Annotated[str, _text(LONGEST_TEXT, "Disclosures", least=1)] | None = None
    disclosure_answers: (
        Annotated[list[DisclosureAnswer], AfterValidator(_every_question)] | None
    ) = None
    standard_warning: Annotated[str, _text(2_000, "Standard warning", least=1)] | None = None
    no_assurance: Annotated[str, _text(2_000, "No assurance", least=1)] | None = None
    standard_warning_hi: (
        Annotated[str, _text(2_000, "Standard warning in Hindi", least=1)] | None
    ) = None
    no_assurance_hi: Annotated[str, _text(2_000, "No assurance in Hindi", least=1)] | None = None
    ai_use: Annotated[str, _text(2_000, "Use of AI")] | None = None
    ai_use_hi: Annotated[str, _text(2_000, "Use of AI in Hindi")] | None = None
    advice_days: Annotated[Whole, Field(ge=1, le=30)] | None = None
    rationale_required: Flag | None = None
    standard_rationale: Annotated[str, _text(LONGEST_TEXT, "Standard rationale")] | None = None
    rationales: (
        Annotated[
            list[RationaleText], Field(max_length=MOST_RATIONALES), AfterValidator(_each_name_once)
        ]
        | None
    ) = None
    price_tolerance: Percentage | None = Field(default=None, alias="priceTolerancePercentage")
    price_minutes: Annotated[Whole, Field(ge=1, le=1_440)] | None = None
    band: Percentage | None = Field(default=None, alias="bandPercentage")
    minimum_trade: Amount | None = Field(default=None, alias="minimumTradeValue")
    trade_penalty: Penalty | None = None
    include_charges: Flag | None = None
    allow_fresh_funds: Flag | None = None
    price_buffer: Percentage | None = Field(default=None, alias="priceBufferPercentage")
    advice_minimum_trade: Amount | None = Field(default=None, alias="adviceMinimumTradeValue")
    sells_pledged: Flag | None = None
    limits_purchases: Flag | None = None
    usable_proceeds: Percentage | None = Field(default=None, alias="usableProceedsPercentage")
    version: Version | None = None

    def entered(self) -> dict[str, object]:
        """The fields to change, by the names of the record."""
        given = self.model_dump(exclude_unset=True, exclude={"version", "disclosure_answers"})
        fields = {
            name: value
            for name, value in given.items()
            if value is not None or name == "renewal_on"
        }
        if self.rationales is not None:
            rows = [
                {"name": rationale.name, "text": rationale.text} for rationale in self.rationales
            ]
            fields["rationales"] = json.dumps(rows, ensure_ascii=False)
        return fields

    def answers(self) -> dict[str, Answer] | None:
        """The disclosure answers by question; None where they are not given."""
        if self.disclosure_answers is None:
            return None
        return {
            answer.id: Answer(answer.is_yes, answer.details) for answer in self.disclosure_answers
        }


class HolidayRow(Schema):
    date: dt.date
    name: str


class EnteredHoliday(Schema):
    date: Day
    name: Name


def _each_day_once(rows: list[EnteredHoliday]) -> list[EnteredHoliday]:
    if len({row.date for row in rows}) != len(rows):
        raise ValueError("A day is entered twice.")
    return rows


class ChangedHolidays(Schema):
    holidays: Annotated[
        list[EnteredHoliday], Field(max_length=MOST_ROWS), AfterValidator(_each_day_once)
    ] = Field(default_factory=list)
    removed: Annotated[list[Day], Field(max_length=MOST_ROWS)] = Field(default_factory=list)


class ChargeLine(Schema):
    effective_on: dt.date
    broker: str
    exchange: str
    side: str
    charge: str
    rate: Rate
    unit: str
    source: str


class ChargeVersion(Schema):
    id: uuid.UUID | None = Field(alias="_id")
    effective_on: dt.date
    source: str
    is_in_force: bool
    created_at: dt.datetime | None
    lines: list[ChargeLine]


class EnteredRate(Schema):
    broker: str
    exchange: str
    side: str
    charge: str
    rate: Annotated[Rate, Field(ge=0, le=100_000, decimal_places=8)]


class EnteredCharges(Schema):
    effective_on: Day
    source: Source
    lines: Annotated[list[EnteredRate], Field(max_length=MOST_ROWS)]
    seen_at: dt.datetime | None = None
    """`createdAt` of the table of that day as it was seen; null when none was. Left out: not asked about."""


class FollowUpDetails(Schema):
    """How long advice is followed, when clients are reminded, and what their page offers.

    `windowDays` are business days after the day of the sending, `tolerance` shares by which a line
    may differ and be done. `basketRows` and `limitPercentage` are of the orders handed over to a
    broker: rows at once, and how far a limit is from the last price. A follow-up is drafted above
    `trackingLimitPercentage` or `idleCashLimitPercentage`. Null is no limit; with neither, none is
    drafted automatically.
    """

    window_days: int
    tolerance: int
    sends_reminders: bool
    mails_links: bool
    basket_rows: int
    limit_percentage: Number
    tracking_limit: Number | None = Field(alias="trackingLimitPercentage")
    idle_cash_limit: Number | None = Field(alias="idleCashLimitPercentage")
    version: int
    updated_at: dt.datetime


class EditedFollowUp(Schema):
    """A field that is not sent, or is null, stays as it is; a limit that is null is switched off."""

    window_days: Annotated[Whole, Field(ge=1, le=30)] | None = None
    tolerance: Annotated[Whole, Field(ge=0, le=1_000)] | None = None
    sends_reminders: Flag | None = None
    mails_links: Flag | None = None
    basket_rows: Annotated[Whole, Field(ge=1, le=50)] | None = None
    limit_percentage: Annotated[Number, Field(ge=0, le=20, decimal_places=2)] | None = None
    tracking_limit: Percentage | None = Field(default=None, alias="trackingLimitPercentage")
    idle_cash_limit: Percentage | None = Field(default=None, alias="idleCashLimitPercentage")
    version: Version | None = None

    def entered(self) -> dict[str, object]:
        """The fields to change, by the names of the record."""
        given = self.model_dump(exclude_unset=True, exclude={"version"})
        limits = {"tracking_limit", "idle_cash_limit"}
        return {name: value for name, value in given.items() if value is not None or name in limits}


class PastPerformanceDetails(Schema):
    """The rules for past performance and what the firm has; days that are null are not entered.

    Figures of `verifiedFrom` and later are shown as verified or not at all; `enrolUntil` is the
    last day of enrolment with a verification agency; after `certifiedUntil` certified figures are
    shown to nobody. `certificate` is of a chartered or cost accountant, `verification` of the agency.
    """

    verified_from: dt.date
    enrol_until: dt.date
    certified_until: dt.date
    words_own: str
    words_certified: str
    words_verified: str
    source: str
    effective_on: dt.date
    enrolled_on: dt.date | None
    enrolment: str
    certificate: str
    certified_first: dt.date | None
    certified_last: dt.date | None
    verification: str
    verified_first: dt.date | None
    verified_last: dt.date | None
    version: int
    updated_at: dt.datetime


_Words = Annotated[str, _text(2_000, "A text", least=1)]
_Paper = Annotated[str, _text(LONGEST_LINE, "A reference")]
_PAPERS = ("enrolled_on", "certified_first", "certified_last", "verified_first", "verified_last")


class EditedPastPerformance(Schema):
    """A field that is not sent stays as it is; a day of a paper that is null is taken out."""

    verified_from: Day | None = None
    enrol_until: Day | None = None
    certified_until: Day | None = None
    words_own: _Words | None = None
    words_certified: _Words | None = None
    words_verified: _Words | None = None
    source: _Words | None = None
    effective_on: Day | None = None
    enrolled_on: Day | None = None
    enrolment: _Paper | None = None
    certificate: _Paper | None = None
    certified_first: Day | None = None
    certified_last: Day | None = None
    verification: _Paper | None = None
    verified_first: Day | None = None
    verified_last: Day | None = None
    version: Version | None = None

    def entered(self) -> dict[str, object]:
        """The fields to change, by the names of the record."""
        given = self.model_dump(exclude_unset=True, exclude={"version"})
        return {
            name: value for name, value in given.items() if value is not None or name in _PAPERS
        }
