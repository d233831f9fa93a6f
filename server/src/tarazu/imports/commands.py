"""`tarazu import holdings` and `prices`: the same imports, told in lines of text."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tarazu.imports import price_files, running, service
from tarazu.imports.adapters.parsed import HOLDINGS
from tarazu.imports.errors import FileTooLarge, PricesRefused, RowsRefused, UnreadableFile
from tarazu.imports.running import Run
from tarazu.imports.service import LARGEST_FILE, Step, Wish
from tarazu.imports.tables import ImportState
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
    """Check a holdings file, or apply it whole, and say what it changes.

    Args:
        client_code: the client of a one-client file; None for a firm-wide file.
        dry_run: whether nothing is to be changed.
        say: prints one line.
        leave_out_refused: whether the other rows are applied when some are refused.

    The answer is None when it was done, otherwise the one sentence that says why not.
    """
    try:
        report = _report(database, path, client_code, Wish(dry_run, leave_out_refused), say)
    except RowsRefused as refusal:
        _tell(refusal.outcome, say)
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    _tell(report, say)
    say(report["message"])
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def import_prices(database: Database, path: Path, dry_run: bool, say: Say) -> str | None:
    """Check a file of closing prices, or take it in, and say what it changes.

    The answer is None when it was done, otherwise the one sentence that says why not.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise FileTooLarge
        given = price_files.read_price_file(path.read_bytes(), path.name)
        report = price_files.import_prices(database, SYSTEM, clock.now(), given, is_dry_run=dry_run)
    except PricesRefused as refusal:
        for error in refusal.errors or ():
            say(f"  {error['field']}: {error['message']}")
        return refusal.message
    except ApiError as refusal:
        return refusal.message
    for row in report.refused:
        say(f"  line {row.line}: {row.text}: {row.reason}")
    if report.refused_count > len(report.refused):
        say(f"  and {report.refused_count - len(report.refused):,} more refused rows")
    for price in report.rows:
        if price.is_action_suspected and price.before is not None:
            say(
                f"  {price.listed.symbol}: {price.before.price.normalize():f} is now"
                f" {price.close.normalize():f}; a split or a bonus is suspected"
            )
    say(f"{report.file_name}: {report.message}")
    say("Nothing was changed: this was a dry run." if dry_run else "Imported.")
    return None


def _report(
    database: Database, path: Path, client_code: str | None, wish: Wish, say: Say
) -> dict[str, Any]:
    if path.stat().st_size > LARGEST_FILE:
        raise FileTooLarge
    given = service.read_file(path.read_bytes(), path.name)
    if given.parsed.kind not in HOLDINGS:
        raise UnreadableFile("This is not a holdings file.")
    with database.reading() as session:
        client_id = service.client_id_of(session, client_code) if client_code else None
        order = service.order_import(session, given, client_id, wish)
    progress = _Progress(say) if order.is_large else _silent
    return running.run(order, Run(database, SYSTEM, clock.now, progress))


def _tell(report: Mapping[str, Any], say: Say) -> None:
    day = f", as on {report['as_on']}" if report["as_on"] else ""
    say(f"{report['file_name']}: {report['kind_name']}{day}")
    for row in report["refused"]:
        say(f"  line {row['line']}: {row['text']}: {row['reason']}")
    for warning in report["warnings"]:
        place = f"line {warning['line']}" if warning["line"] else "note"
        say(f"  {place}: {warning['text']}")
    for text in report["left_out"]:
        say(f"  not read: {text}")
    unsaid = report["counts"]["refused"] - len(report["refused"])
    if unsaid > 0:
        say(f"  and {unsaid:,} more refused rows")


def _silent(step: Step, done: int, total: int, state: ImportState) -> None:
    """A short file needs no progress."""


class _Progress:
    """Says each step, and each tenth of it, once."""

    def __init__(self, say: Say) -> None:
        self._say, self._said = say, ("", -1)

    def __call__(self, step: Step, done: int, total: int, state: ImportState) -> None:
        tenth = done * _TENTHS // total if total else _TENTHS
        if step is not Step.DONE and self._said != (step, tenth):
            self._said = (step, tenth)
            self._say(f"{step}: {done:,} of {total:,}")
