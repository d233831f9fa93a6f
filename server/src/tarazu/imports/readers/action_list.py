"""NSE's list of corporate actions, as its site gives it: as CSV or as JSON."""

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tarazu.domain.isin import is_isin
from tarazu.imports.readers.cells import CellRefused, refuse_formula, shown, trading_symbol_in
from tarazu.imports.readers.grids import MAX_FILE_BYTES, MAX_ROWS, ways_to_read
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile

SHARES: Final = frozenset({"", "-", "EQ", "BE", "BZ", "SM", "ST"})
"""The series of shares; the list has those of bonds, funds and trusts as well."""
LONGEST_PURPOSE: Final = 300

_SHOWN_OF_A_ROW: Final = 80
_BOM: Final = b"\xef\xbb\xbf"
_UNKNOWN: Final = (
    "This is not a list of corporate actions. Download it from NSE (Corporate Filings, Corporate "
    "Actions) as CSV, or save its JSON."
)
_CSV: Final = {
    "symbol": "SYMBOL",
    "series": "SERIES",
    "purpose": "PURPOSE",
    "ex_on": "EX-DATE",
    "record_on": "RECORD DATE",
}
_JSON: Final = {
    "symbol": "symbol",
    "series": "series",
    "purpose": "subject",
    "ex_on": "exDate",
    "record_on": "recDate",
    "isin": "isin",
}
_REQUIRED: Final = ("symbol", "purpose", "ex_on")


@dataclass(frozen=True, slots=True)
class ListedAction:
    """One line of the list; several actions may be in its purpose.

    Attributes:
        line: of a CSV file, counted from 1; of JSON the number of the entry.
        isin: None where the list has none, or a number of NSE's own. NSE gives the share's first
            or its latest ISIN, not always the one of the ex-date.
    """

    line: int
    symbol: str
    series: str
    isin: str | None
    purpose: str
    ex_on: dt.date
    record_on: dt.date | None


@dataclass(slots=True)
class ParsedActions:
    """A whole list; `other_series` counts the lines of bonds and the like, which are not read."""

    rows: list[ListedAction] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    other_series: int = 0


def read_actions(content: bytes) -> ParsedActions:
    """Read a list of corporate actions; lines that cannot be right are refused one by one.

    Raises:
        UnknownFile: it is not such a list, it is damaged, or it has too many lines.
    """
    if len(content) > MAX_FILE_BYTES:
        raise UnknownFile(f"A list of actions has at most {MAX_FILE_BYTES // 1024**2} MB.")
    text = content.removeprefix(_BOM).lstrip()
    lines = _json_lines(text) if text.startswith((b"[", b"{")) else _csv_lines(content)
    parsed = ParsedActions()
    for line, cells in lines:
        try:
            action = _action_in(line, cells)
        except CellRefused as refusal:
            beginning = ", ".join(filter(None, cells.values()))[:_SHOWN_OF_A_ROW]
            parsed.refused.append(RefusedRow(line, beginning, str(refusal)))
            continue
        if action is None:
            parsed.other_series += 1
        else:
            parsed.rows.append(action)
    return parsed


def _csv_lines(content: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    grid = next(ways_to_read(content))[0].rows
    names = {name.upper(): place for place, name in enumerate(grid[0].cells)} if grid else {}
    if any(_CSV[name] not in names for name in _REQUIRED):
        raise UnknownFile(_UNKNOWN)
    _refuse_too_many(len(grid) - 1)
    for row in grid[1:]:
        cells = dict(enumerate(row.cells))
        yield (
            row.line,
            {
                name: cells.get(names[heading], "")
                for name, heading in _CSV.items()
                if heading in names
            },
        )


def _json_lines(text: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnknownFile("The JSON is damaged or cut off; download it again.") from error
    if isinstance(entries, dict):
        entries = entries.get("data")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UnknownFile(_UNKNOWN)
    if entries and any(_JSON[name] not in entries[0] for name in _REQUIRED):
        raise UnknownFile(_UNKNOWN)
    _refuse_too_many(len(entries))
    for line, entry in enumerate(entries, start=1):
        yield line, {name: _text_of(entry.get(key)) for name, key in _JSON.items()}


def _refuse_too_many(rows: int) -> None:
    if rows > MAX_ROWS:
        raise UnknownFile(f"The file has more than {MAX_ROWS:,} rows.")


def _text_of(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def _action_in(line: int, cells: Mapping[str, str]) -> ListedAction | None:
    """The action of a line; None for a series that is not read.

    Raises:
        CellRefused: a cell cannot be right.
    """
    for name, text in cells.items():
        refuse_formula(text, _CSV.get(name, name))
    series = cells.get("series", "").upper()
    if series not in SHARES:
        return None
    purpose = cells["purpose"]
    if not purpose or len(purpose) > LONGEST_PURPOSE:
        raise CellRefused("The purpose is missing." if not purpose else "The purpose is too long.")
    ex_on = _day_in(cells["ex_on"], "Ex-date")
    if ex_on is None:
        raise CellRefused("The ex-date is missing.")
    isin = cells.get("isin", "").upper()
    return ListedAction(
        line,
        trading_symbol_in(cells["symbol"], "Symbol"),
        series,
        isin if is_isin(isin) else None,
        purpose,
        ex_on,
        _day_in(cells.get("record_on", ""), "Record date"),
    )


def _day_in(text: str, heading: str) -> dt.date | None:
    """A day such as 28-Oct-2026; None for a dash or nothing."""
    if text in {"", "-"}:
        return None
    try:
        return dt.datetime.strptime(text, "%d-%b-%Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        raise CellRefused(f'{heading} "{shown(text)}" is not a day such as 28-Oct-2026.') from None
