"""Columns of the export of the audit trail."""

from collections.abc import Sequence

from tarazu.audit.service import AuditEntry, FieldChange
from tarazu.kit.export import Column, Kind


def _text_of(change: FieldChange) -> str:
    if change.before is None:
        return f"{change.field}: {change.after}"
    return f"{change.field}: {change.before} → {change.after}"


AUDIT_TRAIL: Sequence[Column[AuditEntry]] = (
    Column("No.", Kind.WHOLE, lambda entry: entry.row.seq),
    Column("Time (IST)", Kind.INSTANT, lambda entry: entry.row.at),
    Column("Who", Kind.TEXT, lambda entry: entry.who or entry.row.role),
    Column("Role", Kind.TEXT, lambda entry: entry.row.role),
    Column("What", Kind.TEXT, lambda entry: entry.row.action),
    Column("Record", Kind.TEXT, lambda entry: entry.row.kind),
    Column("Name", Kind.TEXT, lambda entry: entry.record_name),
    Column("Record ID", Kind.TEXT, lambda entry: entry.row.record_id),
    Column("Changes", Kind.TEXT, lambda entry: "; ".join(map(_text_of, entry.changes))),
    Column("Address", Kind.TEXT, lambda entry: entry.row.ip),
    Column("Request ID", Kind.TEXT, lambda entry: entry.row.request_id),
    Column("Hash", Kind.TEXT, lambda entry: entry.row.hash),
)
