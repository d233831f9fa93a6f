"""Shapes of the registers on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.domain.charges import Side
from tarazu.domain.complaints import ComplaintState
from tarazu.instruments.service import StockNamed
from tarazu.kit.clock import INDIA
from tarazu.kit.fields import Day, is_plain, is_seen, none_if_blank
from tarazu.kit.schemas import ListParams, Number, Schema, Version, Whole, attribute
from tarazu.registers.service import CertificateState, IncidentState, RuleForm
from tarazu.registers.tables import Holder, InterestKind, RuleName

LONGEST_LINE = 200
LONGEST_TEXT = 5_000
MOST_SHARES = 10**12
MOST_LINES = 200


def _text(most: int, name: str, *, is_required: bool = True) -> AfterValidator:
    def check(text: str) -> str:
        plain = text.replace("\r\n", "\n").strip()
        if is_required and not is_seen(plain):
            raise ValueError(f"{name} is required")
        if len(plain) > most or not is_plain(plain, lines=most > LONGEST_LINE):
            raise ValueError(f"{name}: at most {most:,} characters, without control characters.")
        return plain

    return AfterValidator(check)


OptionalDay = Annotated[Day | None, BeforeValidator(none_if_blank)]
Time = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Line = Annotated[str, _text(LONGEST_LINE, "This field", is_required=False)]


class RegisterParams(ListParams):
    """Which page of a register; open entries are those that are not closed."""

    state: Literal["", "open", "closed"] = ""

    @property
    def is_open(self) -> bool | None:
        """Whether open or closed entries are asked for; None for all."""
        return None if not self.state else self.state == "open"


class EntryRow(Schema):
    """What the rows of every register have."""

    id: uuid.UUID = Field(validation_alias="id", serialization_alias="_id")
    version: int


class EnteredEntry(Schema):
    """An entry as it is entered; with `version`, it was seen as that one."""

    version: Version | None = None

    def fields(self) -> dict[str, Any]:
        """The columns of the entry."""
        return {name: getattr(self, name) for name in type(self).model_fields if name != "version"}


class EnteredComplaint(EnteredEntry):
    """`resolvedOn` is of a complaint that was resolved before it was entered."""

    received_on: Day
    client_id: uuid.UUID | None = None
    complainant: Annotated[str, _text(LONGEST_LINE, "Name", is_required=False)] = ""
    channel: Annotated[str, _text(LONGEST_LINE, "Channel")]
    reference: Line = ""
    subject: Annotated[str, _text(LONGEST_LINE, "Subject")]
    nature: Annotated[str, _text(LONGEST_LINE, "Nature of the complaint")]
    resolved_on: OptionalDay = None
    resolution: Annotated[str, _text(LONGEST_TEXT, "Resolution", is_required=False)] = ""


class ResolvedComplaint(Schema):
    resolved_on: Day
    resolution: Annotated[str, _text(LONGEST_TEXT, "Resolution")]
    version: Version | None = None


class ComplaintRow(Schema):
    id: uuid.UUID = attribute("entry.id", "_id")
    received_on: dt.date = attribute("entry.received_on", "receivedOn")
    client_id: uuid.UUID | None = attribute("entry.client_id", "clientId")
    complainant: str = attribute("entry.complainant", "complainant")
    channel: str = attribute("entry.channel", "channel")
    reference: str = attribute("entry.reference", "reference")
    subject: str = attribute("entry.subject", "subject")
    nature: str = attribute("entry.nature", "nature")
    resolved_on: dt.date | None = attribute("entry.resolved_on", "resolvedOn")
    resolution: str = attribute("entry.resolution", "resolution")
    due_on: dt.date
    state: ComplaintState
    version: int = attribute("entry.version", "version")


class ComplaintCounts(Schema):
    carried_forward: int
    received: int
    resolved: int
    pending: int
    long_pending: int
    average_days: Number | None


class PeriodOfComplaints(Schema):
    first: dt.date
    last: dt.date
    counts: ComplaintCounts


class ChannelOfComplaints(Schema):
    channel: str
    counts: ComplaintCounts


class PublishedComplaints(Schema):
    """Numbers alone. `month` is the last complete one; `channels` are of it; the oldest first."""

    firm_name: str
    registration_number: str
    month: PeriodOfComplaints
    channels: list[ChannelOfComplaints]
    months: list[PeriodOfComplaints]
    years: list[PeriodOfComplaints]


class RegisterChoices(Schema):
    """What forms of the registers offer today."""

    channels: list[str]
    series: list[str]
    complaint_days: int
    trading_days_before: int
    trading_days_after: int
    incident_hours: int


class EnteredCertificate(EnteredEntry):
    """`file` is the hash of an uploaded document."""

    staff_id: uuid.UUID
    series: Annotated[str, _text(LONGEST_LINE, "Series")]
    number: Annotated[str, _text(LONGEST_LINE, "Number")]
    valid_from: Day
    valid_until: Day
    file: Annotated[Sha256 | None, BeforeValidator(none_if_blank)] = None


class CertificateRow(Schema):
    """`warningDays`: within so many days of its end the certificate is warned of."""

    id: uuid.UUID = attribute("entry.id", "_id")
    staff_id: uuid.UUID = attribute("entry.staff_id", "staffId")
    staff_name: str
    series: str = attribute("entry.series", "series")
    number: str = attribute("entry.number", "number")
    valid_from: dt.date = attribute("entry.valid_from", "validFrom")
    valid_until: dt.date = attribute("entry.valid_until", "validUntil")
    file_name: str
    days_left: int
    state: CertificateState
    warning_days: int | None
    version: int = attribute("entry.version", "version")


class UploadedFile(Schema):
    sha256: str
    name: str


class EnteredDeclaration(StockNamed):
    """Without `staffId` it is the caller's own; `side` is of a trade."""

    staff_id: uuid.UUID | None = None
    holder: Holder
    relative: Annotated[str, _text(LONGEST_LINE, "Relative", is_required=False)] = ""
    kind: InterestKind
    side: Annotated[Literal[Side.BUY, Side.SELL] | None, BeforeValidator(none_if_blank)] = None
    quantity: Annotated[Whole, Field(ge=1, le=MOST_SHARES)]
    dated_on: Day
    version: Version | None = None

    def fields(self) -> dict[str, Any]:
        """The columns of the entry, but for its stock."""
        others = {"version", *StockNamed.model_fields}
        return {name: getattr(self, name) for name in type(self).model_fields if name not in others}


class EndedHolding(Schema):
    ended_on: Day
    version: Version | None = None


class DeclarationRow(Schema):
    id: uuid.UUID = attribute("entry.id", "_id")
    staff_id: uuid.UUID = attribute("entry.staff_id", "staffId")
    staff_name: str
    holder: Holder = attribute("entry.holder", "holder")
    relative: str = attribute("entry.relative", "relative")
    kind: InterestKind = attribute("entry.kind", "kind")
    trading_symbol: str = attribute("stock.symbol", "tradingSymbol")
    exchange: str = attribute("stock.exchange", "exchange")
    stock_name: str = attribute("stock.name", "stockName")
    side: Side | None = attribute("entry.side", "side")
    quantity: int = attribute("entry.quantity", "quantity")
    dated_on: dt.date = attribute("entry.dated_on", "datedOn")
    ended_on: dt.date | None = attribute("entry.ended_on", "endedOn")
    version: int = attribute("entry.version", "version")


class TextToScreen(Schema):
    text: Annotated[str, Field(max_length=LONGEST_TEXT)]


class FlaggedWordRow(Schema):
    """A word of the list as it is in the text, from `start` to before `end`."""

    word: str
    start: int
    end: int


class EnteredAdvertisement(EnteredEntry):
    title: Annotated[str, _text(LONGEST_LINE, "Title")]
    medium: Annotated[str, _text(LONGEST_LINE, "Medium")]
    text: Annotated[str, _text(LONGEST_TEXT, "Text")]
    approval_number: Annotated[str, _text(LONGEST_LINE, "Approval number", is_required=False)] = ""
    approved_on: OptionalDay = None


class ReleasedAdvertisement(Schema):
    released_on: Day
    version: Version | None = None


class AdvertisementRow(Schema):
    id: uuid.UUID = attribute("entry.id", "_id")
    title: str = attribute("entry.title", "title")
    medium: str = attribute("entry.medium", "medium")
    text: str = attribute("entry.text", "text")
    approval_number: str = attribute("entry.approval_number", "approvalNumber")
    approved_on: dt.date | None = attribute("entry.approved_on", "approvedOn")
    released_on: dt.date | None = attribute("entry.released_on", "releasedOn")
    flagged: list[FlaggedWordRow]
    needs_approval: bool
    version: int = attribute("entry.version", "version")


class EnteredTool(EnteredEntry):
    """`extent` is a sentence for letters: what the tool does, and what it does not."""

    name: Annotated[str, _text(LONGEST_LINE, "Name")]
    extent: Annotated[str, _text(1_000, "Extent")]
    extent_hi: Annotated[str, _text(1_000, "Extent in Hindi", is_required=False)] = ""
    since: Day
    until: OptionalDay = None


class ToolRow(EntryRow):
    name: str
    extent: str
    extent_hi: str
    since: dt.date
    until: dt.date | None


class AiSentenceShown(Schema):
    """`letters` is what letters say now, `fromRegister` what the register would say."""

    letters: str
    letters_hi: str
    from_register: str
    from_register_hi: str
    is_own_text: bool


class EnteredHandle(EnteredEntry):
    platform: Annotated[str, _text(LONGEST_LINE, "Platform")]
    handle: Annotated[str, _text(LONGEST_LINE, "Handle or address")]
    since: Day
    until: OptionalDay = None


class HandleRow(EntryRow):
    platform: str
    handle: str
    since: dt.date
    until: dt.date | None


class EnteredIncident(Schema):
    """`noticedTime` is Indian time, such as 16:30."""

    noticed_on: Day
    noticed_time: Time
    summary: Annotated[str, _text(LONGEST_LINE, "Summary")]
    details: Annotated[str, _text(LONGEST_TEXT, "Details", is_required=False)] = ""
    version: Version | None = None

    def fields(self) -> dict[str, Any]:
        """The columns of the entry."""
        return {
            "noticed_at": _instant(self.noticed_on, self.noticed_time),
            "summary": self.summary,
            "details": self.details,
        }


class ReportedIncident(Schema):
    """`report`: to whom it was reported, and under which number."""

    reported_on: Day
    reported_time: Time
    report: Annotated[str, _text(LONGEST_LINE, "To whom it was reported")]
    version: Version | None = None

    @property
    def reported_at(self) -> dt.datetime:
        """The time of the report."""
        return _instant(self.reported_on, self.reported_time)


class IncidentRow(Schema):
    id: uuid.UUID = attribute("entry.id", "_id")
    noticed_at: dt.datetime = attribute("entry.noticed_at", "noticedAt")
    summary: str = attribute("entry.summary", "summary")
    details: str = attribute("entry.details", "details")
    reported_at: dt.datetime | None = attribute("entry.reported_at", "reportedAt")
    report: str = attribute("entry.report", "report")
    due_at: dt.datetime
    state: IncidentState
    version: int = attribute("entry.version", "version")


class RuleRow(Schema):
    name: RuleName = attribute("rule.name", "name")
    form: RuleForm
    effective_on: dt.date = attribute("rule.effective_on", "effectiveOn")
    content: list[str] = attribute("rule.content", "content")
    source: str = attribute("rule.source", "source")
    is_in_force: bool
    is_shipped: bool


class EnteredRule(Schema):
    """`content`: one text for a number or a yes or no, several for a list."""

    name: RuleName
    effective_on: Day
    content: Annotated[
        list[Annotated[str, _text(LONGEST_LINE, "A line")]], Field(max_length=MOST_LINES)
    ]
    source: Annotated[str, _text(500, "Source")]


def _instant(day: dt.date, time: str) -> dt.datetime:
    return dt.datetime.combine(day, dt.time.fromisoformat(time), INDIA)
