"""Shapes of obligations on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.domain.obligations.due_days import rule_in_words
from tarazu.domain.obligations.values import (
    DatedInstance,
    Form,
    Obligation,
    ObligationStatus,
    Trigger,
)
from tarazu.kit.fields import Day, Name, is_plain
from tarazu.kit.schemas import Flag, Number, Schema, Version
from tarazu.obligations.service import ObligationDetail, ObligationState, prepared_title
from tarazu.obligations.tables import Evidence, EvidenceKind

LONGEST_TEXT = 1_000


def _text(text: str) -> str:
    plain = text.replace("\r\n", "\n").strip()
    if len(plain) > LONGEST_TEXT or not is_plain(plain, lines=True):
        raise ValueError("A text has at most 1,000 characters, without control characters.")
    return plain


def _required(text: str) -> str:
    if not _text(text):
        raise ValueError("Enter where the duty is from, such as a circular and its date.")
    return _text(text)


Text = Annotated[str, AfterValidator(_text)]
SourceText = Annotated[str, AfterValidator(_required)]


class ObligationEntered(Schema):
    title: Name
    form: Form
    trigger: Trigger = Trigger.DATE
    rule: Annotated[str, Field(max_length=20)] = ""
    duty: Text = ""
    evidence: Text = ""
    source: SourceText
    terms: Annotated[str, Field(max_length=200)] = ""
    effective_on: Day


class ObligationEnd(Schema):
    ends_on: Day


class InstanceMeant(Schema):
    instance: Name


class EvidenceRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    instance: str
    kind: EvidenceKind
    name: str
    note: str
    file_name: str
    proof: str
    recorded_at: dt.datetime
    recorded_by: str | None


class InstanceRow(Schema):
    key: str
    text: str
    opens_on: dt.date
    due_on: dt.date | None
    status: ObligationStatus
    done_on: dt.date | None
    is_done_late: bool

    @classmethod
    def made_of(cls, dated: DatedInstance) -> "InstanceRow":
        """The row of an instance on the day it was computed for."""
        one = dated.instance
        others = {"status": dated.status, "done_on": dated.done_on}
        return cls.of(one, is_done_late=dated.is_done_late, **others)


class VersionRow(Schema):
    title: str
    form: Form
    trigger: Trigger
    rule: str
    rule_text: str
    duty: str
    evidence: str
    source: str
    terms: str
    effective_on: dt.date
    is_ended: bool

    @classmethod
    def made_of(cls, row: Obligation) -> "VersionRow":
        """The row of a version, its rule in words."""
        return cls.of(row, rule_text=rule_in_words(row))


class ObligationRow(Schema):
    """`current` is what is to be done next; None where nothing is open."""

    id: str = Field(alias="_id")
    number: int | None
    title: str
    rule_text: str
    source: str
    status: ObligationStatus
    note: str
    current: InstanceRow | None

    @classmethod
    def made_of(cls, state: ObligationState) -> "ObligationRow":
        """The row of an obligation on the day it was computed for."""
        row, current = state.obligation, state.current
        return cls(
            id=row.id,
            number=row.number,
            title=row.title,
            rule_text=rule_in_words(row),
            source=row.source,
            status=state.status,
            note=state.note,
            current=InstanceRow.made_of(current) if current else None,
        )


class ObligationShown(ObligationRow):
    """`prepares` is what the product makes for it; "" for nothing."""

    is_own: bool
    prepares: str
    instances: list[InstanceRow]
    evidence: list[EvidenceRow]
    versions: list[VersionRow]

    @classmethod
    def of_detail(cls, detail: ObligationDetail, names: dict[uuid.UUID, str]) -> "ObligationShown":
        """The whole obligation; `names` are those of who recorded evidence."""
        row = ObligationRow.made_of(detail.state)
        return cls.of(
            row,
            is_own=detail.is_own,
            prepares=prepared_title(detail.state.obligation.id),
            instances=[InstanceRow.made_of(one) for one in detail.state.instances],
            evidence=[evidence_row(one, names) for one in detail.evidence],
            versions=[VersionRow.made_of(one) for one in detail.versions],
        )


def evidence_row(row: Evidence, names: dict[uuid.UUID, str]) -> EvidenceRow:
    """A piece of evidence, with the name of who recorded it."""
    by = names.get(row.recorded_by) if row.recorded_by else None
    return EvidenceRow.of(row, recorded_by=by)


class DepositShown(Schema):
    first: dt.date
    last: dt.date
    peak: int
    peak_on: dt.date | None
    needed: Number
    entered: Number | None
    shortfall: Number | None


class ComplianceSettingsShown(Schema):
    """`last_year` is the fiscal year that ended, for which the deposit is held now."""

    is_part_time: bool | None
    deposit: Number | None
    version: int
    last_year: DepositShown
    this_year: DepositShown


class ComplianceSettingsEntered(Schema):
    is_part_time: Flag | None = None
    deposit: Annotated[Number, Field(ge=0, le=10**10, decimal_places=2)] | None = None
    version: Version | None = None
