"""Writes a pack: its sections, its contents, and the signed manifest that names every file."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import IO, Final, NamedTuple

from sqlalchemy.orm import Session

from tarazu.advice.service import Period, SealedPart
from tarazu.domain.obligations.values import Obligation
from tarazu.firm import service as firm
from tarazu.inspection import pages
from tarazu.inspection.pages import WrittenSection
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
    index = pages.rendered(
        "index.html",
        title=TITLES[row.kind],
        pack=head,
        facts=_facts(pack),
        made_on=day_of(row.made_at),
        duties=_duties(scope, archive, written) if row.kind is PackKind.AUDIT else None,
        every=row.sample_every,
        chosen=f"{len(ids):,}",
        advices=f"{len(every_id):,}",
        is_of_client=row.client_id is not None,
        sections=written,
        key_id=signer.key_id,
        checks=_CHECKS,
    )
    archive.put("index.html", index)
    archive.end(manifest, signer)


def _head(session: Session, pack: ListedPack) -> str:
    record = firm.registration(session)
    of = f"{pack.client_code} {pack.client_name}" if pack.client else "the whole firm"
    days = f"{day_of(pack.row.first_on)} to {day_of(pack.row.last_on)}"
    number = f", {record.registration_number}" if record.registration_number else ""
    return f"{record.name}{number}: {of}, {days}"


def _facts(pack: ListedPack) -> Sequence[tuple[str, str]]:
    row = pack.row
    return (
        ("Of", f"{pack.client_code} {pack.client_name}" if pack.client else "The whole firm"),
        ("Days", f"{day_of(row.first_on)} to {day_of(row.last_on)}, both included"),
        ("Made", f"{time_of(row.made_at)}, by {pack.made_by or '-'}"),
        ("Software", f"Tarazu {version('tarazu')}"),
    )


class _Duty(NamedTuple):
    """An obligation with what the pack has of it; evidence by its day and the file it is in."""

    obligation: Obligation
    status: str
    sections: Sequence[WrittenSection]
    evidence: Sequence[tuple[str, str]]


def _duties(
    scope: PackScope, archive: SignedArchive, written: Sequence[WrittenSection]
) -> list[_Duty]:
    """The obligations in their order, each with its records and the evidence of the year."""
    by_name = {section.name: section for section in written}
    recorded = obligations.evidence_between(scope.session, scope.since, scope.evidence_until)
    states = obligations.list_obligations(scope.session, scope.pack.row.made_at)
    return [
        _Duty(
            state.obligation,
            state.status,
            [by_name[name] for name in PROVED_BY.get(state.obligation.id, ()) if name in by_name],
            [
                (day_of(one.recorded_at), _evidence_path(scope, archive, one))
                for one in recorded
                if one.obligation_id == state.obligation.id
                and one.kind is not EvidenceKind.PREPARED
            ],
        )
        for state in sorted(
            states, key=lambda one: (one.obligation.number or 99, one.obligation.id)
        )
    ]


def _evidence_path(scope: PackScope, archive: SignedArchive, row: Evidence) -> str:
    """The file of a piece of evidence, or the list where its note is."""
    proof = evidence_proof(scope.session, row) if row.file_sha256 else None
    return proof.path if proof and proof.path in archive.sums else "evidence.html"
