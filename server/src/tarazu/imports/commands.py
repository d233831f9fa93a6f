"""`tarazu import holdings` and `tarazu import prices`: imports with a report as text."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tarazu.imports import price_files, running, service, uploads
from tarazu.imports.errors import FileTooLarge, PricesRefused, RowsRefused, UnreadableFile
from tarazu.imports.readers.parsed import HOLDINGS
from tarazu.imports.running import ImportContext
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import MAX_FILE_BYTES, ImportOptions, Step
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError

Say = Callable[[str], None]

_TENTHS: Final = 10


def import_holdings(
    database: Database,
    path: Path,
    client_code: str | None,
    dry_run: bool,
    say: Say,
    leave_out_refused: bool = False,
) -> str | None:
    """Check or import a holdings file, and print what it changes.

    Args:
        client_code: the client of a one-client file; None for a firm-wide file.
        dry_run: whether to check only.
        say: prints one line.
        leave_out_refused: whether to import the other rows when some are refused.

    Returns None after success, otherwise the reason as one sentence.
    """
    try:
        report = _report(
            database, path, client_code, ImportOptions(dry_run, leave_out_refused), say
        )
    except RowsRefused as refusal:
        _print_report(refusal.outcome, say)
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    _print_report(report, say)
    say(report["message"])
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def import_prices(database: Database, path: Path, dry_run: bool, say: Say) -> str | None:
    """Check or import a file of closing prices, and print what it changes.

    Returns None after success, otherwise the reason as one sentence.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise FileTooLarge
        prices = price_files.read_price_file(path.read_bytes(), path.name)
        report = price_files.import_prices(
            database, SYSTEM, clock.now(), prices, is_dry_run=dry_run
        )
    except PricesRefused as refusal:
        for error in refusal.errors or ():
            say(f"  {error['field']}: {error['message']}")
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    for row in report.refused:
        say(f"  line {row.line}: {row.text}: {row.reason}")
    if report.counts["refused"] > len(report.refused):
        say(f"  and {report.counts['refused'] - len(report.refused):,} more refused rows")
    for price in report.rows:
        if price.action_suspected and price.price_before is not None:
            say(
                f"  {price.trading_symbol}: {price.price_before.normalize():f} is now"
                f" {price.price.normalize():f}; a split or a bonus is suspected"
            )
    say(f"{report.file_name}: {report.message}")
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def _report(
    database: Database, path: Path, client_code: str | None, options: ImportOptions, say: Say
) -> dict[str, Any]:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise FileTooLarge
    file = uploads.read_file(path.read_bytes(), path.name)
    if file.parsed.kind not in HOLDINGS:
        raise UnreadableFile("This is not a holdings file.")
    with database.reading() as session:
        client_id = service.client_id_of(session, client_code) if client_code else None
        request = service.prepare_import(session, file, client_id, options)
    progress = _Progress(say) if request.is_large else _silent
    return running.run(request, ImportContext(database, SYSTEM, clock.now, progress))


def _print_report(report: Mapping[str, Any], say: Say) -> None:
    day = f", as on {report['as_on']}" if report["as_on"] else ""
    say(f"{report['file_name']}: {report['kind_name']}{day}")
    for row in report["refused"]:
        say(f"  line {row['line']}: {row['text']}: {row['reason']}")
    for warning in report["warnings"]:
        place = f"line {warning['line']}" if warning["line"] else "note"
        say(f"  {place}: {warning['text']}")
    for text in report["left_out"]:
        say(f"  not read: {text}")
    not_shown = report["counts"]["refused"] - len(report["refused"])
    if not_shown > 0:
        say(f"  and {not_shown:,} more refused rows")


def _silent(step: Step, done: int, total: int, state: ImportState) -> None:
    """Report no progress of a short file."""


class _Progress:
    """Prints each step, and each tenth of it, once."""

    def __init__(self, say: Say) -> None:
        self._say, self._printed = say, ("", -1)

    def __call__(self, step: Step, done: int, total: int, state: ImportState) -> None:
        tenth = done * _TENTHS // total if total else _TENTHS
        if step is not Step.DONE and self._printed != (step, tenth):
            self._printed = (step, tenth)
            self._say(f"{step}: {done:,} of {total:,}")
