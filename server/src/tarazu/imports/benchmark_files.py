"""Imports the values of an index: checked as a series, applied whole or not at all.

The values of one index come in, whatever else the file has. A value that differs from the stored
one is refused, with both, unless the person asked to replace what differs.
"""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Final

from sqlalchemy.orm import Session

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.benchmark import Gap, large_moves
from tarazu.domain.money import plain, rounded
from tarazu.imports.errors import (
    FileTooLarge,
    IndexNotChosen,
    IndexNotInFile,
    IndexValuesRefused,
    UnreadableFile,
)
from tarazu.imports.readers.index_values import (
    MAX_NAME,
    IndexValue,
    ParsedIndexValues,
    read_index_values,
)
from tarazu.imports.readers.parsed import FileWarning, RefusedRow, UnknownFile
from tarazu.imports.uploads import MAX_FILE_BYTES, shown_name
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.prices.service import CLOSE_AT

MAX_SHOWN: Final = 200
_NAMED_IN_A_SENTENCE: Final = 6


@dataclass(frozen=True, slots=True)
class UploadedIndex:
    """A parsed file of index values; `name` can be shown."""

    parsed: ParsedIndexValues
    name: str
    hash: str


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to do with a file.

    Attributes:
        name: the index that is imported; "" for the only one of the file.
        replaces: whether values that differ from the stored ones replace them.
    """

    name: str
    replaces: bool
    is_dry_run: bool


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The result of a file, as `BenchmarkImportReport` shows it.

    Attributes:
        name: the benchmark that has the values.
        first_on, last_on: its days, with those stored before.
        counts: values added, replaced and unchanged, days without a value, rows refused.
        refused: the first `MAX_SHOWN`.
        warnings: moves of a day beyond 20 %.
        gaps: business days without a value, newest first, with those stored before.
        checked_from: from this day on every business day is looked for.
    """

    file_name: str
    name: str
    kind: BenchmarkKind
    is_new: bool
    is_dry_run: bool
    can_apply: bool
    message: str
    first_on: dt.date | None
    last_on: dt.date | None
    counts: Mapping[str, int]
    refused: Sequence[RefusedRow]
    warnings: Sequence[FileWarning]
    gaps: Sequence[Gap]
    gaps_left_out: int
    checked_from: dt.date | None


@dataclass(frozen=True, slots=True)
class _Compared:
    """The values of one index in a file beside the stored ones; `lines` are those of its days."""

    name: str
    lines: Mapping[dt.date, int]
    stored: Mapping[dt.date, Decimal]
    added: Mapping[dt.date, Decimal]
    replaced: Mapping[dt.date, Decimal]
    unchanged: int
    without_value: int
    refused: Sequence[RefusedRow]

    @property
    def changed(self) -> dict[dt.date, Decimal]:
        """The values to write."""
        return {**self.added, **self.replaced}

    @property
    def can_apply(self) -> bool:
        """Whether there is something to write, and nothing is refused."""
        return bool(self.changed) and not self.refused

    def merged(self) -> list[tuple[dt.date, Decimal]]:
        """The values of the benchmark after the import, rising."""
        return sorted({**self.stored, **self.changed}.items())


def read_index_file(content: bytes, file_name: str) -> UploadedIndex:
    """Read a file of index values.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is no such file; the message says why.
    """
    if len(content) > MAX_FILE_BYTES:
        raise FileTooLarge
    try:
        parsed = read_index_values(content)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return UploadedIndex(parsed, shown_name(file_name), hashlib.sha256(content).hexdigest())


def import_index(
    database: Database, actor: Actor, now: dt.datetime, file: UploadedIndex, options: IndexOptions
) -> BenchmarkReport:
    """Check or import the values of one index.

    Raises:
        IndexNotChosen: the file has several indices, or names none, and none was chosen.
        IndexNotInFile: the chosen index is not in it.
        UnreadableFile: a price index calls itself a total return index.
        OtherKind: the values stored under the name are of another kind of index.
        IndexValuesRefused: rows are refused, and it is no dry run; nothing is changed.
    """
    name = _chosen_name(file.parsed, options.name)
    if options.is_dry_run:
        with database.reading() as session:
            return _report(session, file, options, _compare(session, file, name, options, now))
    with database.transaction() as session:
        benchmarks.lock_benchmarks(session)
        compared = _compare(session, file, name, options, now)
        report = _report(session, file, options, compared)
        if compared.refused:
            rows = [(row.line, row.reason) for row in report.refused]
            raise IndexValuesRefused(report.message, rows)
        if compared.changed:
            _store(session, actor, now, file, compared)
    return report


def days_of(report: BenchmarkReport) -> str:
    """Which index the report is of, and the days of its values, as one sentence."""
    kind = benchmarks.KIND_NAMES[report.kind]
    if report.first_on is None or report.last_on is None:
        return f"A {kind} without values."
    return f"A {kind}, {report.first_on:%d-%m-%Y} to {report.last_on:%d-%m-%Y}."


def _chosen_name(parsed: ParsedIndexValues, chosen: str) -> str:
    """The name of the index to import, as the file spells it.

    Raises:
        IndexNotChosen, IndexNotInFile: as for `import_index`.
    """
    names = {benchmarks.key_of(name): name for name in reversed(parsed.names)}
    wanted = benchmarks.key_of(chosen)
    if len(wanted) > MAX_NAME:
        raise IndexNotInFile(f"The name of an index has at most {MAX_NAME} characters.")
    if not wanted and len(names) == 1:
        return next(iter(names.values()))
    if not wanted:
        raise IndexNotChosen(_question(sorted(names.values())), sorted(names.values()))
    if not names:
        return " ".join(chosen.split())
    by_benchmark = {
        benchmarks.key_of(benchmarks.benchmark_name(name, parsed.kind)): name
        for name in names.values()
    }
    name = names.get(wanted) or by_benchmark.get(wanted)
    if name is None:
        has = _listed(sorted(names.values()))
        raise IndexNotInFile(f"{chosen.strip()} is not in the file. It has {has}.")
    return name


def _question(names: Sequence[str]) -> str:
    if not names:
        return "The file does not name its index. Enter the name of the index."
    return f"The file has {len(names)} indices: {_listed(names)}. Choose one."


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED_IN_A_SENTENCE])
    others = len(names) - _NAMED_IN_A_SENTENCE
    return f"{shown} and {others} more" if others > 0 else shown


def _compare(
    session: Session, file: UploadedIndex, index_name: str, options: IndexOptions, now: dt.datetime
) -> _Compared:
    parsed = file.parsed
    key = benchmarks.key_of(index_name)
    name = benchmarks.benchmark_name(index_name, parsed.kind)
    stored = benchmarks.stored_values(session, name, parsed.kind)
    _refuse_false_name(index_name, parsed.kind)
    known = benchmarks.find_benchmark(session, name)
    rows = [row for row in parsed.rows if benchmarks.key_of(row.name) in {key, ""}]
    refused = [
        refusal.row for refusal in parsed.refused if benchmarks.key_of(refusal.name) in {key, ""}
    ]
    refused += _out_of_order(rows, now)
    added: dict[dt.date, Decimal] = {}
    replaced: dict[dt.date, Decimal] = {}
    for row in rows:
        before = stored.get(row.date)
        if before is None:
            added[row.date] = row.value
        elif before != row.value:
            replaced[row.date] = row.value
            if not options.replaces:
                refused.append(_differing(row, before))
    return _Compared(
        known.name if known else name,
        {row.date: row.line for row in rows},
        stored,
        added,
        replaced,
        sum(stored.get(row.date) == row.value for row in rows),
        sum(benchmarks.key_of(other) in {key, ""} for other in parsed.without_value),
        sorted(refused, key=lambda row: row.line),
    )


def _refuse_false_name(name: str, kind: BenchmarkKind) -> None:
    """Refuse prices under the name of total returns, which they would pass for.

    Raises:
        UnreadableFile: as said.
    """
    if kind is BenchmarkKind.PRICE and benchmarks.is_total_return_name(name):
        raise UnreadableFile(
            f"{name} is the name of a total return index, but the file has the columns of a price "
            "index. Import the file of total returns, which has a column Total Returns Index."
        )


def _out_of_order(rows: Sequence[IndexValue], now: dt.datetime) -> list[RefusedRow]:
    """Rows whose day is there twice, breaks the order, or is not over.

    The days must rise from row to row, or fall, as the provider's files do.
    """
    refused: list[RefusedRow] = []
    lines: dict[dt.date, int] = {}
    is_falling = len(rows) > 1 and rows[0].date > rows[-1].date
    before: IndexValue | None = None
    for row in rows:
        first = lines.setdefault(row.date, row.line)
        if first != row.line:
            refused.append(_refusal(row, f"{row.date:%d-%m-%Y} is already in line {first}."))
        elif before is not None and (row.date < before.date) is not is_falling:
            refused.append(
                _refusal(
                    row,
                    f"{row.date:%d-%m-%Y} does not follow {before.date:%d-%m-%Y} of line "
                    f"{before.line}: the days of a file rise or fall from row to row.",
                )
            )
        elif dt.datetime.combine(row.date, CLOSE_AT) > now:
            refused.append(_refusal(row, f"{row.date:%d-%m-%Y} is not over; check the date."))
        before = row
    return refused


def _differing(row: IndexValue, stored: Decimal) -> RefusedRow:
    return _refusal(
        row,
        f"{row.date:%d-%m-%Y} has {plain(row.value)} in the file and {plain(stored)} here. Check "
        "which is right; to take the file's, choose to replace values that differ.",
    )


def _refusal(row: IndexValue, reason: str) -> RefusedRow:
    text = ", ".join(filter(None, (row.name, f"{row.date:%d-%m-%Y}", plain(row.value))))
    return RefusedRow(row.line, text, reason)


def _store(
    session: Session, actor: Actor, now: dt.datetime, file: UploadedIndex, compared: _Compared
) -> None:
    about = (compared.name, file.parsed.kind, file.name)
    benchmark = benchmarks.store_values(session, now, about, compared.changed)
    replaced = [
        f"{day.isoformat()}: {plain(compared.stored[day])} to {plain(value)}"
        for day, value in islice(sorted(compared.replaced.items()), MAX_SHOWN)
    ]
    changes = {
        "name": benchmark.name,
        "kind": benchmark.kind,
        "file": file.name,
        "fileHash": file.hash,
        "added": len(compared.added),
        "replaced": len(compared.replaced),
        "replacedValues": "; ".join(replaced),
    }
    about_row = ("benchmark", benchmark.id)
    audit_log.record(session, actor, now, "benchmark_imported", about_row, changes)


def _report(
    session: Session, file: UploadedIndex, options: IndexOptions, compared: _Compared
) -> BenchmarkReport:
    merged = compared.merged()
    gaps, checked_from = benchmarks.gaps_between(session, [day for day, _ in merged])
    warnings = [
        FileWarning(
            compared.lines[day],
            f"{day:%d-%m-%Y}: a move of {rounded(move):+} % from the value before; check both.",
        )
        for day, move in large_moves(merged)
        if day in compared.lines
    ]
    counts = {
        "added": len(compared.added),
        "replaced": len(compared.replaced) if options.replaces else 0,
        "unchanged": compared.unchanged,
        "without_value": compared.without_value,
        "refused": len(compared.refused),
    }
    return BenchmarkReport(
        file_name=file.name,
        name=compared.name,
        kind=file.parsed.kind,
        is_new=not compared.stored,
        is_dry_run=options.is_dry_run,
        can_apply=compared.can_apply,
        message=_message(compared, counts),
        first_on=merged[0][0] if merged else None,
        last_on=merged[-1][0] if merged else None,
        counts=counts,
        refused=compared.refused[:MAX_SHOWN],
        warnings=warnings[:MAX_SHOWN],
        gaps=gaps[::-1][:MAX_SHOWN],
        gaps_left_out=max(0, len(gaps) - MAX_SHOWN),
        checked_from=checked_from,
    )


def _message(compared: _Compared, counts: Mapping[str, int]) -> str:
    if counts["refused"]:
        rows = "1 row is" if counts["refused"] == 1 else f"{counts['refused']:,} rows are"
        return f"{compared.name}: {rows} refused; nothing was imported."
    if not compared.changed:
        if not counts["unchanged"]:
            return f"{compared.name}: the file has no value."
        return f"{compared.name}: nothing new; all {counts['unchanged']:,} values are here already."
    parts = [
        f"{counts[name]:,} {text}"
        for name, text in (
            ("added", "added"),
            ("replaced", "replaced"),
            ("unchanged", "here already"),
            ("without_value", "without a value"),
        )
        if counts[name]
    ]
    return f"{compared.name}: {', '.join(parts)}."
