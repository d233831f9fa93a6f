"""The report of an import: what changes, what is refused, and one sentence about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, Final

from tarazu.imports.checking import (
    ChangeKind,
    ClientChange,
    Compared,
    HoldingChange,
    Resolved,
)
from tarazu.imports.readers.parsed import FileKind
from tarazu.imports.records import Records
from tarazu.imports.uploads import ImportRequest

MAX_SHOWN: Final = 2_000
_KIND_NAMES: Final = {
    FileKind.KITE_HOLDINGS_CSV: "Kite holdings (CSV)",
    FileKind.CONSOLE_HOLDINGS_XLSX: "Zerodha Console holdings (XLSX)",
    FileKind.ANGEL_HOLDINGS: "Angel One holdings",
    FileKind.FIRM_CSV: "Firm-wide holdings (CSV)",
    FileKind.CLIENTS: "Clients",
    FileKind.FUNDS: "Funds in and out",
    FileKind.CONSOLE_LEDGER: "Zerodha Console ledger",
    FileKind.CONSOLE_TRADEBOOK: "Zerodha Console tradebook",
    FileKind.ANGEL_TRADEBOOK: "Angel One trades history",
}


def report_of(
    request: ImportRequest, resolved: Resolved | Records | None, compared: Compared | None
) -> dict[str, Any]:
    """The report of an import; without `resolved` its rows are not checked yet."""
    parsed = request.file.parsed
    resolved = resolved or Resolved(parsed.kind)
    added = resolved if isinstance(resolved, Records) else Records()
    compared = compared or Compared()
    counts = _counts(resolved, compared)
    warnings = [*resolved.warnings, *compared.warnings]
    holdings = sum(sum(client.counts().values()) for client in compared.clients)
    longest_list = max(holdings, len(added.new_clients), len(added.flows), len(added.orders))
    return {
        "kind": parsed.kind.value,
        "kind_name": _KIND_NAMES[parsed.kind],
        "file_name": request.file.name,
        "as_on": parsed.as_on.isoformat() if parsed.as_on else None,
        "broker_client_id": parsed.broker_client_id,
        "is_dry_run": request.options.is_dry_run,
        "message": _sentence(counts, compared, is_left_out=request.options.leave_out_refused),
        "counts": counts,
        "rows": [row._asdict() for row in islice(_changes_first(compared.clients), MAX_SHOWN)],
        "rows_left_out": max(0, longest_list - MAX_SHOWN),
        "clients": [asdict(row) for row in islice(added.new_clients, MAX_SHOWN)],
        "flows": [asdict(row) for row in islice(added.flows, MAX_SHOWN)],
        "orders": [asdict(row) for row in islice(added.orders, MAX_SHOWN)],
        "cash": [asdict(change) for change in islice(compared.cash, MAX_SHOWN)],
        "refused": [asdict(row) for row in islice(resolved.refused, MAX_SHOWN)],
        "warnings": [asdict(warning) for warning in islice(warnings, MAX_SHOWN)],
        "left_out": list(islice(parsed.left_out, MAX_SHOWN)),
        "can_apply": False,
    }


def _counts(resolved: Resolved | Records, compared: Compared) -> dict[str, int]:
    if isinstance(resolved, Records):
        kinds = {"added": resolved.added, "unchanged": resolved.unchanged}
        clients = len(resolved.clients) or len(resolved.new_clients)
        return {
            "changed": 0,
            "removed": 0,
            **kinds,
            "refused": len(resolved.refused),
            "clients": clients,
        }
    changes = dict.fromkeys(ChangeKind, 0)
    for client in compared.clients:
        for kind, count in client.counts().items():
            changes[kind] += count
    return {
        **{kind.value.lower(): count for kind, count in changes.items()},
        "refused": len(resolved.refused),
        "clients": len(resolved.clients),
    }


def _sentence(counts: Mapping[str, int], compared: Compared, *, is_left_out: bool) -> str:
    """Such as "3 added, 2 changed, 1 refused.", without the counts of 0."""
    names = [kind.value.lower() for kind in ChangeKind]
    parts = [f"{counts[name]:,} {name}" for name in names if counts[name]]
    if compared.cash:
        clients = "1 client" if len(compared.cash) == 1 else f"{len(compared.cash):,} clients"
        parts.append(f"cash of {clients} changed")
    if counts["refused"]:
        left_out = " and left out" if is_left_out else ""
        parts.append(f"{counts['refused']:,} refused{left_out}")
    return f"{', '.join(parts)}." if parts else "The file holds nothing to import."


def _changes_first(clients: Sequence[ClientChange]) -> Iterable[HoldingChange]:
    """The rows of all clients, changes first; a generator, as a whole firm has many rows."""
    changed = (client for client in clients if not client.change.is_empty)
    for group, is_changed in ((changed, True), (clients, False)):
        for client in group:
            for row in client.rows():
                if (row.change is not ChangeKind.UNCHANGED) is is_changed:
                    yield row
