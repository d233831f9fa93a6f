"""What a pack has: one small function for each list of records.

A new list is a function that returns a `Section`, or None where the pack has none, and its place
in `SECTIONS`.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import Period, SealedPart, WrittenAdvice
from tarazu.approvals import service as approvals
from tarazu.approvals.service import ListedApproval
from tarazu.approvals.sheets import APPROVALS
from tarazu.audit import service as audit
from tarazu.audit.service import AuditEntry
from tarazu.audit.sheets import AUDIT_TRAIL
from tarazu.fees import service as fees
from tarazu.fees.sheets import RECORDED_FEES
from tarazu.inspection.pages import Proof, Section
from tarazu.inspection.service import ListedPack
from tarazu.inspection.tables import PackKind
from tarazu.invoices import service as invoices
from tarazu.invoices.service import InvoiceFilter, ListedInvoice
from tarazu.invoices.sheets import INVOICES
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.export import Column, Kind
from tarazu.kit.schemas import every_row
from tarazu.obligations import service as obligations
from tarazu.obligations.tables import Evidence, EvidenceKind
from tarazu.papers import service as papers
from tarazu.papers.service import RecordedConsent, RecordedKyc
from tarazu.papers.sheets import CONSENTS, KYC, TEXTS
from tarazu.papers.tables import ConsentText
from tarazu.people import service as people
from tarazu.registers import service as registers
from tarazu.registers.service import CertificateOfStaff, ComplaintOnClock, StoredFile
from tarazu.registers.sheets import (
    ADVERTISEMENTS,
    CERTIFICATES,
    COMPLAINTS,
    DECLARATIONS,
    HANDLES,
    INCIDENTS,
    TOOLS,
)
from tarazu.registers.tables import StaffCertificate

TRAIL: Final = "audit-trail"
"""The name of the section whose rows are chained."""
_KINDS: Final = {
    EvidenceKind.FILE: "Evidence: a file",
    EvidenceKind.NOTE: "Evidence: a note",
    EvidenceKind.PREPARED: "Prepared by this product",
}
_EXTENSIONS: Final = {
    "application/pdf": "pdf",
    "image/png": "png",
    "image/jpeg": "jpg",
    "text/plain": "txt",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}


@dataclass(frozen=True, slots=True)
class PackScope:
    """What a pack is of, and what its sections are made with.

    Attributes:
        since, until: the instants between which records are taken, `until` not included.
        advice_ids: the sealed advice that is in the pack, in the order of the sealing.
        progress: called with the advices that are written, and how many there are.
    """

    session: Session
    pack: ListedPack
    actor: Actor
    since: dt.datetime
    until: dt.datetime
    advice_ids: Sequence[uuid.UUID]
    sealed: SealedPart
    progress: Callable[[int, int], None]

    @property
    def client_id(self) -> uuid.UUID | None:
        """None for the whole firm."""
        return self.pack.row.client_id

    @property
    def first_on(self) -> dt.date:
        """The first day in India."""
        return self.pack.row.first_on

    @property
    def last_on(self) -> dt.date:
        """The last day in India."""
        return self.pack.row.last_on

    @property
    def evidence_until(self) -> dt.datetime:
        """Of an audit until it is made: what a year asks for is often done after its end."""
        row = self.pack.row
        return row.made_at if row.kind is PackKind.AUDIT else self.until

    @property
    def made_on(self) -> dt.date:
        """The day in India on which the pack is made."""
        return day_in_india(self.pack.row.made_at)

    def overlaps(self, first: dt.date, last: dt.date | None) -> bool:
        """Whether something from one day to another, None for still so, was so in these days."""
        return first <= self.last_on and (last is None or last >= self.first_on)


Maker = Callable[[PackScope], Section[Any] | None]

_ADVICE: Final[Sequence[Column[WrittenAdvice]]] = (
    Column("Seal No.", Kind.WHOLE, lambda row: row.number),
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.advice.created_at),
    Column("Client ID", Kind.TEXT, lambda row: row.client_code),
    Column("Client Name", Kind.TEXT, lambda row: row.client_name),
    Column("Model Portfolio", Kind.TEXT, lambda row: row.advice.model_name),
    Column("Stocks", Kind.WHOLE, lambda row: row.advice.total_stocks),
    Column("Buy Value", Kind.RUPEES, lambda row: row.advice.total_buy_value),
    Column("Sell Value", Kind.RUPEES, lambda row: row.advice.total_sell_value),
    Column("Delivery", Kind.TEXT, lambda row: row.delivery.status if row.delivery else None),
    Column("SHA-256", Kind.TEXT, lambda row: row.package_hash),
)
_TRAIL: Final[Sequence[Column[AuditEntry]]] = (
    *AUDIT_TRAIL,
    Column("Previous Hash", Kind.TEXT, lambda entry: entry.row.previous_hash),
)


def sealed_advice(scope: PackScope) -> Section[WrittenAdvice]:
    """Each sealed text with its letter."""

    def rows() -> Iterator[WrittenAdvice]:
        scope.progress(0, len(scope.advice_ids))
        for done, row in enumerate(scope.sealed.write(scope.advice_ids), 1):
            yield row
            scope.progress(done, len(scope.advice_ids))

    def files(row: WrittenAdvice) -> Iterable[Proof]:
        yield Proof("Sealed text", row.files.package)
        if row.files.letter:
            yield Proof("Letter", row.files.letter)
        else:
            yield Proof(f"No letter: {row.missing or 'it was not stored'}", "")

    about = "Each advice as it was sent and sealed, with the letter that the client received."
    return Section("advice", "Sealed advice", about, _ADVICE, rows(), files)


def kyc(scope: PackScope) -> Section[RecordedKyc]:
    """What is known of the KYC of clients."""
    rows = papers.recorded_kyc(scope.session, scope.client_id)
    about = "KYC of clients as known when the pack was made; the audit trail has earlier states."
    return Section("kyc", "KYC", about, KYC, rows)


def consent_texts(scope: PackScope) -> Section[ConsentText]:
    """The texts to which clients consent."""
    rows = papers.recorded_texts(scope.session, scope.last_on)
    about = "Every version of the texts to which clients consent, up to the last of these days."
    return Section("consent-texts", "Consent texts", about, TEXTS, rows)


def consents(scope: PackScope) -> Section[RecordedConsent]:
    """Consents of clients with the signed papers."""

    def files(row: RecordedConsent) -> Iterable[Proof]:
        if row.entry.file is not None:
            yield _register_file(scope, row.entry.file, "Signed paper", "consents")

    rows = papers.recorded_consents(scope.session, scope.client_id, scope.since, scope.last_on)
    about = "Consents given up to the last of these days, not those withdrawn before the first."
    return Section("consents", "Consents", about, CONSENTS, rows, files)


def recorded_fees(scope: PackScope) -> Section[fees.RecordedFee]:
    """Fee periods and what was paid."""
    rows = fees.fees_between(scope.session, scope.client_id, scope.first_on, scope.last_on)
    about = "Fees whose period or payment is in these days, without tax."
    return Section("fees", "Fees", about, RECORDED_FEES, rows)


def issued_invoices(scope: PackScope) -> Section[ListedInvoice]:
    """Invoices and credit notes with their PDFs."""

    def files(row: ListedInvoice) -> Iterable[Proof]:
        name, content = invoices.invoice_file(scope.session, row.row.id)
        yield Proof("PDF", f"invoices/{name}", content)

    about = "Invoices and credit notes issued in these days."
    return Section("invoices", "Invoices", about, INVOICES, _invoices(scope), files)


def complaints(scope: PackScope) -> Section[ComplaintOnClock]:
    """Complaints that were open in these days."""
    about = "Complaints received in these days, or still open in them."
    return Section("complaints", "Complaints", about, COMPLAINTS, _complaints(scope))


def certificates(scope: PackScope) -> Section[CertificateOfStaff]:
    """Certificates of staff that were valid in these days, with their documents."""

    def files(row: CertificateOfStaff) -> Iterable[Proof]:
        if row.entry.file is not None:
            yield _register_file(scope, row.entry.file, "Document", "certificates")

    def is_inside(entry: StaffCertificate) -> bool:
        return scope.overlaps(entry.valid_from, entry.valid_until)

    rows = every_row(
        lambda params: registers.list_certificates(scope.session, params, scope.made_on)
    )
    about = "NISM certificates of staff that were valid in these days."
    inside = [row for row in rows if is_inside(row.entry)]
    return Section("certificates", "Certificates", about, CERTIFICATES, inside, files)


def declarations(scope: PackScope) -> Section[Any] | None:
    """Holdings and trades that staff declared."""
    if scope.client_id is not None:
        return None
    rows = every_row(
        lambda params: registers.list_declarations(scope.session, scope.actor, params, is_open=None)
    )
    about = "Holdings and trades of staff and relatives, as declared, of these days."
    inside = [row for row in rows if scope.overlaps(row.entry.dated_on, row.entry.ended_on)]
    return Section("declarations", "Declarations of staff", about, DECLARATIONS, inside)


def advertisements(scope: PackScope) -> Section[Any]:
    """Advertisements with their approvals."""
    rows = every_row(
        lambda params: registers.list_advertisements(
            scope.session, params, scope.made_on, is_open=None
        )
    )
    about = "Advertisements entered up to the last of these days, with their approvals."
    inside = [row for row in rows if row.entry.created_at < scope.until]
    return Section("advertisements", "Advertisements", about, ADVERTISEMENTS, inside)


def handles(scope: PackScope) -> Section[Any]:
    """Sites and handles in use."""
    rows = every_row(lambda params: registers.list_handles(scope.session, params, is_open=None))
    about = "Sites and social media handles in use in these days."
    inside = [row for row in rows if scope.overlaps(row.since, row.until)]
    return Section("handles", "Handles and sites", about, HANDLES, inside)


def ai_tools(scope: PackScope) -> Section[Any]:
    """AI tools in use."""
    rows = every_row(lambda params: registers.list_tools(scope.session, params, is_open=None))
    about = "AI tools in use in these days, and how far."
    inside = [row for row in rows if scope.overlaps(row.since, row.until)]
    return Section("ai-tools", "AI tools", about, TOOLS, inside)


def incidents(scope: PackScope) -> Section[Any] | None:
    """Breaches of security or of personal data."""
    if scope.client_id is not None:
        return None
    rows = every_row(
        lambda params: registers.list_incidents(
            scope.session, params, scope.pack.row.made_at, is_open=None
        )
    )
    about = "Breaches of security or of personal data noticed in these days."
    inside = [row for row in rows if scope.since <= row.entry.noticed_at < scope.until]
    return Section("incidents", "Incidents", about, INCIDENTS, inside)


def client_counts(scope: PackScope) -> Section[Any] | None:
    """The daily count of clients, on which the deposit depends."""
    if scope.client_id is not None:
        return None
    columns: Sequence[Column[tuple[dt.date, int]]] = (
        Column("Day", Kind.DAY, lambda row: row[0]),
        Column("Clients", Kind.WHOLE, lambda row: row[1]),
    )
    rows = obligations.client_counts(scope.session, scope.first_on, scope.last_on)
    about = "Clients at the end of each day, as counted when it was over; the deposit follows it."
    return Section("client-counts", "Daily count of clients", about, columns, rows)


def evidence(scope: PackScope) -> Section[Evidence] | None:
    """What was recorded as done, with its files."""
    if scope.client_id is not None:
        return None
    titles = {
        state.obligation.id: state.obligation.title
        for state in obligations.list_obligations(scope.session, scope.pack.row.made_at)
    }
    rows = obligations.evidence_between(scope.session, scope.since, scope.evidence_until)
    ids = {row.recorded_by for row in rows if row.recorded_by is not None}
    names = people.names_of(scope.session, ids)
    columns: Sequence[Column[Evidence]] = (
        Column(
            "Obligation", Kind.TEXT, lambda row: titles.get(row.obligation_id, row.obligation_id)
        ),
        Column("Of", Kind.TEXT, lambda row: row.instance),
        Column("Kind", Kind.TEXT, lambda row: _KINDS[row.kind]),
        Column("Name", Kind.TEXT, lambda row: row.name),
        Column("Note", Kind.TEXT, lambda row: row.note),
        Column("File", Kind.TEXT, lambda row: row.file_name),
        Column("File SHA-256", Kind.TEXT, lambda row: row.file_sha256),
        Column("Recorded (IST)", Kind.INSTANT, lambda row: row.recorded_at),
        Column(
            "Recorded By",
            Kind.TEXT,
            lambda row: names.get(row.recorded_by, "") if row.recorded_by else "",
        ),
        Column("Proof", Kind.TEXT, lambda row: row.proof),
    )

    def files(row: Evidence) -> Iterable[Proof]:
        if row.file_sha256 is not None:
            yield evidence_proof(scope.session, row)

    about = "Evidence of obligations recorded in these days; the audit trail has each proof."
    if scope.evidence_until != scope.until:
        about = (
            "Evidence of obligations recorded from the first of these days until the pack was made."
        )
    return Section("evidence", "Obligations: evidence", about, columns, rows, files)


def asked_approvals(scope: PackScope) -> Section[ListedApproval] | None:
    """What needed a second administrator; None in the pack of one client."""
    if scope.client_id is not None:
        return None
    rows = approvals.recorded_approvals(scope.session, scope.since, scope.until)
    about = "What was asked for in these days that needed a second administrator, and the decision."
    return Section("approvals", "Approvals", about, APPROVALS, rows)


def audit_trail(scope: PackScope) -> Section[AuditEntry]:
    """The rows of the audit trail with the hashes that chain them."""
    entries = audit.entries_between(
        scope.session, scope.since, scope.until, scope.client_id, _records_of_client(scope)
    )
    about = "Every change recorded in these days; each row has the hash of the row before it."
    if scope.client_id is not None:
        about = "Every change recorded in these days that is about this client, with its hash."
    return Section(TRAIL, "Audit trail", about, _TRAIL, entries)


SECTIONS: Final[Sequence[Maker]] = (
    sealed_advice,
    kyc,
    consent_texts,
    consents,
    recorded_fees,
    issued_invoices,
    complaints,
    certificates,
    declarations,
    advertisements,
    handles,
    ai_tools,
    incidents,
    client_counts,
    evidence,
    asked_approvals,
    audit_trail,
)
"""The lists of a pack, in the order of its contents."""


def evidence_proof(session: Session, row: Evidence) -> Proof:
    """The file of a piece of evidence that has one."""
    try:
        _, content = obligations.evidence_file(session, row.id)
    except LookupError:
        return Proof("The file is missing or was changed in the database", "")
    extension = _EXTENSIONS.get(row.media_type, "bin")
    return Proof("File", f"evidence/{row.proof[:16]}.{extension}", content)


def advice_of(session: Session, pack: ListedPack, period: Period) -> Sequence[uuid.UUID]:
    """All sealed advice of the days of a pack, before a sample is taken."""
    return advice.sealed_ids_of(session, pack.row.client_id, period)


def _register_file(scope: PackScope, sha256: str, label: str, folder: str) -> Proof:
    try:
        stored: StoredFile = registers.stored_file(scope.session, sha256)
    except LookupError:
        return Proof("The document was changed in the database", "")
    return Proof(label, f"{folder}/{stored.sha256[:16]}.{stored.extension}", stored.content)


def _invoices(scope: PackScope) -> Iterator[ListedInvoice]:
    filters = InvoiceFilter(
        since=scope.first_on, until=scope.last_on, client_id=scope.client_id, sort="issuedOn"
    )
    return every_row(lambda params: invoices.list_invoices(scope.session, params), filters)


def _complaints(scope: PackScope) -> Iterator[ComplaintOnClock]:
    rows = every_row(
        lambda params: registers.list_complaints(scope.session, params, scope.made_on, is_open=None)
    )
    for row in rows:
        is_wanted = scope.client_id in {None, row.entry.client_id}
        if is_wanted and scope.overlaps(row.entry.received_on, row.entry.resolved_on):
            yield row


def _records_of_client(scope: PackScope) -> set[str]:
    """The ids of the client's own records, by which the trail is searched."""
    if scope.client_id is None:
        return set()
    period = fees.fees_between(scope.session, scope.client_id, scope.first_on, scope.last_on)
    found = {str(row.fee.id) for row in period} | {str(one) for one in scope.advice_ids}
    found |= {str(row.row.id) for row in _invoices(scope)}
    return found | {str(row.entry.id) for row in _complaints(scope)}
