"""Imports the highest prices of 31 January 2018 from a file, in one transaction.

Lines that cannot be right, and those that differ from what is entered, are left out and reported;
the others are imported. The same file again adds nothing.
"""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.imports.errors import FileTooLarge, UnreadableFile
from tarazu.imports.readers.highs import HighPrice, ParsedHighs, read_highs
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile
from tarazu.imports.uploads import MAX_FILE_BYTES, shown_name
from tarazu.instruments import service as instruments
from tarazu.kit import formatting
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database, acquire_lock
from tarazu.kit.locks import AdvisoryLock
from tarazu.tax import service as tax

MAX_SHOWN: Final = 200
MAX_REFUSED: Final = 200


@dataclass(frozen=True, slots=True)
class HighLine:
    """One price that is added; `trading_symbol` is "" for a share that no instrument has."""

    line: int
    isin: str
    trading_symbol: str
    high: Rupees


@dataclass(frozen=True, slots=True)
class HighReport:
    """The result of a file, as `HighImportReport` shows it.

    Attributes:
        counts: lines added, unchanged, refused, and of series that are not read.
        rows: the first `MAX_SHOWN` prices that are added, those of known instruments first.
        refused: the first `MAX_REFUSED`.
    """

    file_name: str
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: Mapping[str, int]
    rows: Sequence[HighLine]
    rows_left_out: int
    refused: Sequence[RefusedRow]


@dataclass(frozen=True, slots=True)
class UploadedHighs:
    """A parsed file of highs; `name` can be shown."""

    parsed: ParsedHighs
    name: str
    hash: str


@dataclass(slots=True)
class _Compared:
    added: list[HighPrice] = field(default_factory=list)
    unchanged: int = 0
    refused: list[RefusedRow] = field(default_factory=list)


def read_high_file(content: bytes, file_name: str) -> UploadedHighs:
    """Read a file of the highs of 31 January 2018.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is no such file; the message says why.
    """
    if len(content) > MAX_FILE_BYTES:
        raise FileTooLarge
    try:
        parsed = read_highs(content)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return UploadedHighs(parsed, shown_name(file_name), hashlib.sha256(content).hexdigest())


def import_highs(
    database: Database, actor: Actor, now: dt.datetime, file: UploadedHighs, *, is_dry_run: bool
) -> HighReport:
    """Check or import a file of highs."""
    if is_dry_run:
        with database.reading() as session:
            return _report(session, file, _compare(session, file), is_dry_run=True)
    with database.transaction() as session:
        acquire_lock(session, AdvisoryLock.TAX_RATES)
        compared = _compare(session, file)
        report = _report(session, file, compared, is_dry_run=False)
        highs = {row.isin: row.high for row in compared.added}
        changes = {"file": file.name, "fileHash": file.hash, **report.counts}
        tax.add_highs_of_2018(session, actor, now, highs, changes)
    return report


def _compare(session: Session, file: UploadedHighs) -> _Compared:
    compared = _Compared(refused=list(file.parsed.refused))
    known = tax.highs_of_2018(session, {row.isin for row in file.parsed.rows})
    first: dict[str, HighPrice] = {}
    for row in file.parsed.rows:
        before = first.setdefault(row.isin, row)
        stored = known.get(row.isin)
        if before is not row and before.high != row.high:
            compared.refused.append(
                _refused(row, f"{row.isin} has another high in line {before.line}.")
            )
        elif stored is not None and stored != row.high:
            compared.refused.append(
                _refused(
                    row,
                    f"{row.isin} is entered with {formatting.rupees(stored)}, the file has "
                    f"{formatting.rupees(row.high)}. Change it by hand if the file is right.",
                )
            )
        elif stored is not None or before is not row:
            compared.unchanged += 1
        else:
            compared.added.append(row)
    compared.refused.sort(key=lambda row: row.line)
    return compared


def _refused(row: HighPrice, reason: str) -> RefusedRow:
    return RefusedRow(row.line, f"{row.isin}, {row.high}", reason)


def _report(
    session: Session, file: UploadedHighs, compared: _Compared, *, is_dry_run: bool
) -> HighReport:
    listed = instruments.by_isins(session, {row.isin for row in compared.added})
    lines = [
        HighLine(
            row.line,
            row.isin,
            listed[row.isin].symbol if row.isin in listed else "",
            row.high,
        )
        for row in compared.added
    ]
    lines.sort(key=lambda line: (not line.trading_symbol, line.line))
    counts = {
        "added": len(compared.added),
        "unchanged": compared.unchanged,
        "refused": len(compared.refused),
        "other_series": file.parsed.other_series,
    }
    return HighReport(
        file_name=file.name,
        is_dry_run=is_dry_run,
        can_apply=bool(compared.added),
        message=_message(counts, "to add" if is_dry_run else "added"),
        counts=counts,
        rows=lines[:MAX_SHOWN],
        rows_left_out=max(0, len(lines) - MAX_SHOWN),
        refused=compared.refused[:MAX_REFUSED],
    )


def _message(counts: Mapping[str, int], done: str) -> str:
    added = counts["added"]
    parts = [f"{added:,} {'price' if added == 1 else 'prices'} {done}"]
    if counts["unchanged"]:
        parts.append(f"{counts['unchanged']:,} already entered")
    if counts["refused"]:
        parts.append(f"{counts['refused']:,} refused and left out")
    return f"{', '.join(parts)}."
