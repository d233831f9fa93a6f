"""The audit trail as it is taken away."""

from collections.abc import Sequence

from tarazu.audit.service import Change, Entry
from tarazu.kit.export import Column, Kind, Sheet

_TRAIL: Sequence[Column[Entry]] = (
    Column("No.", Kind.WHOLE, lambda one: one.row.seq),
    Column("Time (IST)", Kind.INSTANT, lambda one: one.row.at),
    Column("Who", Kind.TEXT, lambda one: one.who or one.row.role),
    Column("Role", Kind.TEXT, lambda one: one.row.role),
    Column("What", Kind.TEXT, lambda one: one.row.action),
    Column("Record", Kind.TEXT, lambda one: one.row.kind),
    Column("Name", Kind.TEXT, lambda one: one.record_name),
    Column("Record ID", Kind.TEXT, lambda one: one.row.record_id),
    Column("Changes", Kind.TEXT, lambda one: "; ".join(map(_line, one.changes))),
    Column("Address", Kind.TEXT, lambda one: one.row.ip),
    Column("Request ID", Kind.TEXT, lambda one: one.row.request_id),
    Column("Hash", Kind.TEXT, lambda one: one.row.hash),
)


def _line(change: Change) -> str:
    if change.before is None:
        return f"{change.field}: {change.after}"
    return f"{change.field}: {change.before} → {change.after}"


def trail_sheet(found: Sequence[Entry]) -> Sheet[Entry]:
    """The rows that match, newest first."""
    return Sheet("Audit trail", _TRAIL, found)
