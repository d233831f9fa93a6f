"""Values of indices: one value a day of one index, or of all indices of a day.

Formats of NSE Indices: the history of total returns and that of prices (CSV), the daily file of all
indices (CSV), and the JSON that its site answers, plain or as a text within {"d": "…"}. The kind of
the values follows from the column alone, never from a name.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, NamedTuple

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.imports.readers.cells import CellRefused, number_in, refuse_formula, shown
from tarazu.imports.readers.grids import MAX_ROWS, STANDARD, GridRow, ways_to_read
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile

MAX_NAME: Final = 72
MAX_LEVEL: Final = Decimal(10**8)

_TITLE_ROWS: Final = 6
_DECIMALS: Final = 4
_SHOWN_OF_A_ROW: Final = 80
_JSON_STARTS: Final = (b"{", b"[")
_WITHOUT_VALUE: Final = frozenset({"", "-", "–", "—"})
_NAMES: Final = ("indexname",)
_DATES: Final = ("date", "indexdate", "historicaldate")
_VALUES: Final = {
    "totalreturnsindex": BenchmarkKind.TRI,
    "totalreturnindex": BenchmarkKind.TRI,
    "close": BenchmarkKind.PRICE,
    "closingindexvalue": BenchmarkKind.PRICE,
}
"""Headings without blanks and in small letters; net total returns are not read."""
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
_NAMED_DAY: Final = re.compile(r"(\d{1,2})[- ]([A-Za-z]{3})[- ](\d{4})")
_INDIAN_DAY: Final = re.compile(r"(\d{2})-(\d{2})-(\d{4})")
_ISO_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?: 00:00:00)?")
_UNKNOWN: Final = (
    "This is not a file of index values. Accepted are the total returns and the historical data "
    "of an index, and the daily file of all indices of NSE Indices, as CSV or JSON: with a date, "
    "and a column Total Returns Index, Close or Closing Index Value."
)


class IndexValue(NamedTuple):
    """The index at the close of a day, in points, above nought; `name` is "" where none is given."""

    line: int
    name: str
    date: dt.date
    value: Decimal


class NamedRefusal(NamedTuple):
    """A refused row, and its index; "" where that is not known."""

    name: str
    row: RefusedRow


@dataclass(frozen=True, slots=True)
class ParsedIndexValues:
    """A whole file, in its order. `without_value` are the names of rows with a dash."""

    kind: BenchmarkKind
    rows: tuple[IndexValue, ...]
    refused: tuple[NamedRefusal, ...]
    without_value: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The names of the indices in the file, each spelling once."""
        named = (*(row.name for row in self.rows), *(row.name for row in self.refused))
        return [name for name in dict.fromkeys((*named, *self.without_value)) if name]


@dataclass(slots=True)
class _Collector:
    rows: list[IndexValue] = field(default_factory=list)
    refused: list[NamedRefusal] = field(default_factory=list)
    without_value: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Positions:
    """Where the columns are; `name` is None where the file names no index."""

    name: int | None
    date: int
    value: int
    kind: BenchmarkKind
    columns: int


def read_index_values(content: bytes) -> ParsedIndexValues:
    """Read a file of index values; rows that cannot be right are refused one by one.

    Raises:
        UnknownFile: it is no such file; the message says why.
    """
    is_json = content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_JSON_STARTS)
    grid = _rows_of_json(content) if is_json else _rows_of_table(content)
    for place, row in enumerate(grid[:_TITLE_ROWS]):
        positions = _positions_in(row.cells)
        if positions is not None:
            return _parsed(grid[place + 1 :], positions)
    raise UnknownFile(_UNKNOWN)


def _rows_of_table(content: bytes) -> Sequence[GridRow]:
    return next(ways_to_read(content))[0].rows


def _rows_of_json(content: bytes) -> Sequence[GridRow]:
    """The objects of a list as rows under a heading, numbered from 1; as many cells in each."""
    if len(content) > STANDARD.file_bytes:
        raise UnknownFile(f"A file of index values has at most {STANDARD.megabytes} MB.")
    try:
        found = _loaded(content)
        if isinstance(found, dict) and set(found) == {"d"}:
            found = _loaded(found["d"]) if isinstance(found["d"], str) else found["d"]
    except (ValueError, RecursionError) as error:
        raise UnknownFile("The file is not readable JSON; download it again.") from error
    objects = found if isinstance(found, list) else [found]
    if len(objects) > MAX_ROWS:
        raise UnknownFile(STANDARD.too_many)
    if not objects or not all(isinstance(one, dict) and one for one in objects):
        raise UnknownFile(_UNKNOWN)
    heading = tuple(objects[0])
    return [GridRow(0, heading), *_cells_of(objects, heading)]


def _loaded(text: bytes | str) -> Any:
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def _cells_of(objects: Sequence[Mapping[str, Any]], heading: Sequence[str]) -> Iterator[GridRow]:
    for number, one in enumerate(objects, start=1):
        # A key that is missing or new makes a row of another length, which is refused.
        names = heading if set(one) == set(heading) else list(one)[: len(heading) - 1]
        yield GridRow(number, tuple(_text_of(one[name]) for name in names))


def _text_of(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:f}" if isinstance(value, Decimal) else str(value).strip()


def _positions_in(heading: Sequence[str]) -> _Positions | None:
    """The columns of a heading; None where it is not one.

    Raises:
        UnknownFile: a column is there twice.
    """
    keys = [re.sub(r"[\s_]", "", name).casefold() for name in heading]
    twice = next((name for name, key in zip(heading, keys, strict=True) if keys.count(key) > 1), "")
    date = next((keys.index(key) for key in _DATES if key in keys), None)
    # Total returns come first: a file that has them is of total returns.
    value = next((key for key in _VALUES if key in keys), None)
    if date is None or value is None:
        return None
    if twice:
        raise UnknownFile(f"The file has two columns {shown(twice)}; remove one of them.")
    name = next((keys.index(key) for key in _NAMES if key in keys), None)
    return _Positions(name, date, keys.index(value), _VALUES[value], len(heading))


def _parsed(body: Sequence[GridRow], positions: _Positions) -> ParsedIndexValues:
    collector = _Collector()
    for row in body:
        _read_row(row, positions, collector)
    return ParsedIndexValues(
        positions.kind,
        tuple(collector.rows),
        tuple(collector.refused),
        tuple(collector.without_value),
    )


def _read_row(row: GridRow, positions: _Positions, collector: _Collector) -> None:
    name = ""
    try:
        name = _name_in(row, positions)
        date = day_in(row.cells[positions.date])
        value = _value_in(row.cells[positions.value])
    except CellRefused as refusal:
        text = ", ".join(filter(None, row.cells))[:_SHOWN_OF_A_ROW]
        collector.refused.append(NamedRefusal(name, RefusedRow(row.line, text, str(refusal))))
        return
    if value is None:
        collector.without_value.append(name)
    else:
        collector.rows.append(IndexValue(row.line, name, date, value))


def _name_in(row: GridRow, positions: _Positions) -> str:
    """The name of the index of a row; "" where the file names none."""
    if len(row.cells) != positions.columns:
        raise CellRefused(f"The row has {len(row.cells)} cells, the heading {positions.columns}.")
    if positions.name is None:
        return ""
    name = " ".join(row.cells[positions.name].split())
    refuse_formula(name, "Index name")
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise CellRefused(f'Index name "{shown(name)}" is missing or too long.')
    return name


def day_in(text: str) -> dt.date:
    """A day written as 22-Sep-2026, 22 Sep 2026, 22-09-2026 or 2026-09-22.

    Raises:
        CellRefused: anything else.
    """
    try:
        if match := _NAMED_DAY.fullmatch(text):
            day, month, year = match.groups()
            return dt.date(int(year), _MONTHS[month.lower()], int(day))
        if match := _INDIAN_DAY.fullmatch(text):
            day, month, year = match.groups()
            return dt.date(int(year), int(month), int(day))
        if match := _ISO_DAY.fullmatch(text):
            return dt.date(*map(int, match.groups()))
    except (KeyError, ValueError) as error:
        raise CellRefused(f'Date "{shown(text)}" is not a day of the calendar.') from error
    raise CellRefused(f'Date "{shown(text)}" is not a day such as 22-Sep-2026.')


def _value_in(text: str) -> Decimal | None:
    """Points above nought with four decimals at most; None for a dash."""
    if text in _WITHOUT_VALUE:
        return None
    refuse_formula(text, "Value")
    value = number_in(text, "Value")
    if value <= 0:
        raise CellRefused(f'Value "{shown(text)}" is not above 0.')
    if value > MAX_LEVEL:
        raise CellRefused(f'Value "{shown(text)}" is too large for an index.')
    if value != round(value, _DECIMALS):
        raise CellRefused(f'Value "{shown(text)}" has more than {_DECIMALS} decimals.')
    return value
