"""`tarazu import holdings`, `prices`, `benchmark`, `actions` and `highs`, with a report as text."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tarazu.imports import (
    action_files,
    benchmark_files,
    high_files,
    price_files,
    running,
    service,
    uploads,
)
from tarazu.imports.benchmark_files import IndexOptions
from tarazu.imports.errors import (
    FileTooLarge,
    IndexNotChosen,
    PricesRefused,
    RowsRefused,
    UnreadableFile,
)
from tarazu.imports.readers.parsed import HOLDINGS, RefusedRow
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
        prices = price_files.read_price_file(_content(path), path.name)
        report = price_files.import_prices(
            database, SYSTEM, clock.now(), prices, is_dry_run=dry_run
        )
    except PricesRefused as refusal:
        for error in refusal.errors or ():
            say(f"  {error['field']}: {error['message']}")
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    _print_refused(report.refused, report.counts["refused"], "more refused rows", say)
    for price in report.rows:
        if price.action_suspected and price.price_before is not None:
            say(
                f"  {price.trading_symbol}: {price.price_before.normalize():f} is now"
                f" {price.price.normalize():f}; a split or a bonus is suspected"
            )
    say(f"{report.file_name}: {report.message}")
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def import_benchmark(database: Database, path: Path, options: IndexOptions, say: Say) -> str | None:
    """Check or import the values of an index, and print what changes.

    Returns None after success, otherwise the reason as one sentence.
    """
    try:
        index = benchmark_files.read_index_file(_content(path), path.name)
        report = benchmark_files.import_index(database, SYSTEM, clock.now(), index, options)
    except IndexNotChosen as refusal:
        for error in refusal.errors or ():
            say(f"  {error['message']}")
        return f"{refusal.message} Give it with --name."
    except PricesRefused as refusal:
        for error in refusal.errors or ():
            say(f"  {error['field']}: {error['message']}")
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    for row in report.refused:
        say(f"  line {row.line}: {row.text}: {row.reason}")
    for warning in report.warnings:
        say(f"  line {warning.line}: {warning.text}")
    for gap in report.gaps:
        say(f"  no value on {gap.days} business days, {gap.first} to {gap.last}")
    if report.checked_from:
        say(f"  before {report.checked_from} only gaps of more than four weekdays are found")
    say(f"{report.file_name}: {report.message} {benchmark_files.days_of(report)}")
    if options.is_dry_run:
        say("Nothing was changed: this was a dry run.")
        return report.message if report.refused else None
    say("Imported." if report.can_apply else "Nothing was changed.")
    return None


def import_actions(database: Database, path: Path, dry_run: bool, say: Say) -> str | None:
    """Check or import NSE's list of corporate actions, and print what it adds.

    Returns None after success, otherwise the reason as one sentence.
    """
    try:
        actions = action_files.read_action_file(_content(path), path.name)
        report = action_files.import_actions(
            database, SYSTEM, clock.now(), actions, is_dry_run=dry_run
        )
    except ApiError as refusal:
        return refusal.message
    for row in report.rows:
        say(
            f"  {row.change.lower()}: {row.trading_symbol}, {row.ex_on:%d-%m-%Y}, "
            f"{row.kind.lower()}: {row.effect}"
        )
    left_out = report.counts["refused"] + report.counts["unknown"]
    _print_refused(report.refused, left_out, "more lines left out", say)
    say(f"{report.file_name}: {report.message}")
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def import_highs(database: Database, path: Path, dry_run: bool, say: Say) -> str | None:
    """Check or import the highs of 31 January 2018, and print what is added.

    Returns None after success, otherwise the reason as one sentence.
    """
    try:
        highs = high_files.read_high_file(_content(path), path.name)
        report = high_files.import_highs(database, SYSTEM, clock.now(), highs, is_dry_run=dry_run)
    except ApiError as refusal:
        return refusal.message
    _print_refused(report.refused, report.counts["refused"], "more refused lines", say)
    say(f"{report.file_name}: {report.message}")
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def _report(
    database: Database, path: Path, client_code: str | None, options: ImportOptions, say: Say
) -> dict[str, Any]:
    file = uploads.read_file(_content(path), path.name)
    if file.parsed.kind not in HOLDINGS:
        raise UnreadableFile("This is not a holdings file.")
    with database.reading() as session:
        client_id = service.client_id_of(session, client_code) if client_code else None
        request = service.prepare_import(session, file, client_id, options)
    progress = _Progress(say) if request.is_large else _silent
    return running.run(request, ImportContext(database, SYSTEM, clock.now, progress))


def _content(path: Path) -> bytes:
    """What is in a file that is not too large."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise FileTooLarge
    return path.read_bytes()


def _print_refused(rows: Sequence[RefusedRow], total: int, more: str, say: Say) -> None:
    """Print the first refused lines with their reasons, and how many `more` there are of all."""
    for row in rows:
        say(f"  line {row.line}: {row.text}: {row.reason}")
    if total > len(rows):
        say(f"  and {total - len(rows):,} {more}")


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
