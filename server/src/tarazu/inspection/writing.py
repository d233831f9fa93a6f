"""Writes a pack: its sections, its contents, and the signed manifest that names every file."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from html import escape
from importlib.metadata import version
from typing import IO, Final

from sqlalchemy.orm import Session

from tarazu.advice.service import Period, SealedPart
from tarazu.firm import service as firm
from tarazu.inspection import pages
from tarazu.inspection.pages import WrittenSection, link
from tarazu.inspection.sections import SECTIONS, TRAIL, PackScope, advice_of, evidence_proof
from tarazu.inspection.service import ListedPack
from tarazu.inspection.tables import PackKind
from tarazu.kit import signing
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import start_of
from tarazu.kit.formatting import day_of, time_of
from tarazu.kit.signed_archive import SignedArchive
from tarazu.obligations import service as obligations
from tarazu.obligations.tables import Evidence, EvidenceKind
from tarazu.people.tables import Role

TITLES: Final = {PackKind.INSPECTION: "Inspection pack", PackKind.AUDIT: "Annual audit pack"}
PROVED_BY: Final[Mapping[str, Sequence[str]]] = {
    "complaint_table": ("complaints",),
    "half_yearly_report": ("complaints", "advertisements", "handles", "certificates"),
    "annual_audit": ("evidence",),
    "annual_audit_filing": ("evidence",),
    "deposit": ("client-counts",),
    "fee_cap": ("fees",),
    "fee_advance": ("fees", "invoices"),
    "refund": ("fees", "invoices"),
    "kyc_and_terms": ("kyc", "consents", "consent-texts"),
    "ai_use": ("ai-tools", "consents"),
    "valid_upi": ("invoices",),
    "handles": ("handles",),
    "certificates": ("certificates",),
    "own_trading": ("declarations", "advice"),
    "disclosures": ("advice",),
    "advertisements": ("advertisements",),
    "records": ("incidents", "consents", "audit-trail"),
    "part_time": ("client-counts",),
}
"""By obligation, the sections that have its records; its evidence is listed beside them."""
_CHECKS: Final = (
    ("README.txt", "what each file of the sealed advice is"),
    ("verify.py", "the program that checks this pack"),
    ("manifest.json", "every file with its SHA-256"),
    ("manifest.sig", "the signature of the manifest"),
    ("public-keys.json", "the keys with which it is checked"),
    ("chain.json", "how each sealed advice follows the one before it"),
    ("deliveries.json", "what became of the mails"),
)


def write_pack(
    session: Session, pack: ListedPack, file: IO[bytes], progress: Callable[[int, int], None]
) -> None:
    """Write the whole pack; the same records give the same bytes.

    Args:
        progress: called with the advices that are written, and how many there are.
    """
    row = pack.row
    archive, signer = SignedArchive(file, row.made_at), signing.signer_of(session)
    since = start_of(row.first_on)
    until = min(start_of(row.last_on + dt.timedelta(days=1)), row.made_at)
    every_id = advice_of(session, pack, Period(since, until))
    ids = every_id[:: row.sample_every]
    sealed, actor = SealedPart(session, archive), Actor(row.made_by, Role.ADMIN, pack.made_by)
    scope = PackScope(session, pack, actor, since, until, ids, sealed, progress)
    head = _head(session, pack)
    made = [section for make in SECTIONS if (section := make(scope)) is not None]
    written = [pages.write_section(archive, head, section) for section in made]
    chosen_by = {
        "client": pack.client_code or None,
        "from": row.first_on.isoformat(),
        "to": row.last_on.isoformat(),
        "sample": f"every {row.sample_every}" if row.sample_every > 1 else None,
    }
    manifest = sealed.end(row.made_at, chosen_by)
    manifest["wholeTrail"] = None if row.client_id else f"{TRAIL}.csv"
    body = _contents(scope, written, len(every_id), signer.key_id)
    if row.kind is PackKind.AUDIT:
        body = _duties(scope, archive, written) + body
    archive.put("index.html", pages.page(TITLES[row.kind], head, _facts(pack) + body))
    archive.end(manifest, signer)


def _head(session: Session, pack: ListedPack) -> str:
    record = firm.registration(session)
    of = f"{pack.client_code} {pack.client_name}" if pack.client else "the whole firm"
    days = f"{day_of(pack.row.first_on)} to {day_of(pack.row.last_on)}"
    number = f", {record.registration_number}" if record.registration_number else ""
    return f"{record.name}{number}: {of}, {days}"


def _facts(pack: ListedPack) -> str:
    row = pack.row
    of = f"{pack.client_code} {pack.client_name}" if pack.client else "The whole firm"
    return pages.facts(
        (
            ("Of", of),
            ("Days", f"{day_of(row.first_on)} to {day_of(row.last_on)}, both included"),
            ("Made", f"{time_of(row.made_at)}, by {pack.made_by or '-'}"),
            ("Software", f"Tarazu {version('tarazu')}"),
        )
    )


def _contents(
    scope: PackScope, written: Sequence[WrittenSection], advices: int, key_id: str
) -> str:
    lists = pages.table(
        "The lists of this pack; each entry has links to its files.",
        ("List", "What is in it", "Entries", "For a spreadsheet"),
        [
            (
                link(section.title, section.page),
                escape(section.about),
                f"{section.rows:,}",
                link("CSV", section.sheet),
            )
            for section in written
        ],
    )
    checks = "".join(f"<li>{link(name, name)}: {escape(what)}</li>" for name, what in _CHECKS)
    left_out = (
        "<p>This pack is of one client. Declarations of staff, incidents, the daily count of clients, "
        "evidence of obligations, and the audit trail of others are in a pack of the firm.</p>"
        if scope.client_id is not None
        else ""
    )
    return (
        f"<h2>Contents</h2>{_sample(scope, advices)}{left_out}{lists}"
        "<h2>How to check this pack</h2>"
        "<p>With Python 3.8 or newer and nothing else, in the folder in which this page is:</p>"
        f"<p><code>python verify.py --key {escape(key_id)}</code></p>"
        "<p>It names every file that was changed, removed or added. Compare the fingerprint after "
        "<code>--key</code> with the one in a client's letter, or ask the firm for it in another way.</p>"
        f"<ul>{checks}</ul>"
    )


def _sample(scope: PackScope, advices: int) -> str:
    every = scope.pack.row.sample_every
    if every == 1:
        return f"<p>All {advices:,} sealed advices of these days are in this pack.</p>"
    return (
        f"<p>Sample: {len(scope.advice_ids):,} of {advices:,} sealed advices of these days: the first, "
        f"then one in every {every}, in the order of their seal numbers. Nobody chose them. The chain "
        "has the seals of those in between.</p>"
    )


def _duties(scope: PackScope, archive: SignedArchive, written: Sequence[WrittenSection]) -> str:
    """The obligations in their order, each with its records and the evidence of the year."""
    by_name = {section.name: section for section in written}
    recorded = obligations.evidence_between(scope.session, scope.since, scope.evidence_until)
    states = obligations.list_obligations(scope.session, scope.pack.row.made_at)
    rows = []
    for state in sorted(states, key=lambda one: (one.obligation.number or 99, one.obligation.id)):
        duty = state.obligation
        lists = [by_name[name] for name in PROVED_BY.get(duty.id, ()) if name in by_name]
        links = [link(section.title, section.page) for section in lists]
        given = [
            _evidence_link(scope, archive, one)
            for one in recorded
            if one.obligation_id == duty.id and one.kind is not EvidenceKind.PREPARED
        ]
        if given:
            links.append(f"Evidence recorded: {', '.join(given)}")
        rows.append(
            (
                str(duty.number or "-"),
                f"<strong>{escape(duty.title)}</strong><br>{escape(duty.duty)}",
                escape(duty.source),
                escape(state.status.replace("_", " ").capitalize()),
                "<br>".join(links) or "Nothing recorded in this product",
            )
        )
    caption = f"Status on {day_of(scope.pack.row.made_at)}."
    heads = ("No.", "Duty", "Source", "Status", "Records and evidence")
    return f"<h2>By duty</h2>{pages.table(caption, heads, rows)}"


def _evidence_link(scope: PackScope, archive: SignedArchive, row: Evidence) -> str:
    """A link to the file of a piece of evidence, or to the list where its note is."""
    proof = evidence_proof(scope.session, row) if row.file_sha256 else None
    path = proof.path if proof and proof.path in archive.sums else "evidence.html"
    return link(day_of(row.recorded_at), path)
