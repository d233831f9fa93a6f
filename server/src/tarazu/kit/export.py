"""Export of tables: typed columns, written as CSV or as an Excel workbook.

Numbers stay numbers: a CSV has neither ₹ nor digit grouping, a workbook has number formats.
A text that a spreadsheet would run as a formula gets a leading apostrophe.
"""

import csv
import datetime as dt
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import IO, Any, Final, Generic, TypeVar

from tarazu.domain.money import HUNDRED, ZERO, rounded
from tarazu.kit import formatting
from tarazu.kit.clock import INDIA

Row = TypeVar("Row")

MOST_ROWS: Final = 20_000
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_CELL: Final = 32_767
_WIDEST: Final = 60
_NARROWEST: Final = 8


class Kind(StrEnum):
    """The type of a column's values, which decides their format."""

    TEXT = "text"
    RUPEES = "rupees"
    """Two decimals."""
    PRICE = "price"
    """Rupees a share, two to four decimals."""
    PERCENT = "percent"
    """12.5 is 12.5 %; a workbook stores 0.125 with a percent format."""
    NUMBER = "number"
    """Two decimals, without a unit."""
    WHOLE = "whole"
    DAY = "day"
    INSTANT = "instant"
    """Written in Indian time."""


class SheetFormat(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"


MEDIA_TYPES: Final = {
    SheetFormat.CSV: "text/csv",
    SheetFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column: its heading, its type and how to get its value from a row; None is left empty."""

    title: str
    kind: Kind
    of: Callable[[Row], Any]
    is_summed: bool = False
    """Whether a workbook shows the sum of the column below its rows."""


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Row]):
    """A table with its rows.

    `totals`, by heading, are the last row of a workbook, beside the sums of summed columns.
    """

    title: str
    columns: Sequence[Column[Row]]
    rows: Sequence[Row]
    totals: Mapping[str, Decimal] = field(default_factory=dict)


def written(sheet: Sheet[Any], form: SheetFormat, now: dt.datetime) -> bytes:
    """The table as a file; a workbook names `now` as the time of its creation."""
    return csv_of(sheet) if form is SheetFormat.CSV else workbook_of(sheet, now)


def csv_of(sheet: Sheet[Any]) -> bytes:
    """The table as RFC 4180 in UTF-8 with the byte order mark Excel needs; days as 2026-11-20.

    Totals are left out, so that nobody adds them to the sum of a column.
    """
    text = io.StringIO(newline="")
    write_csv(text, sheet.columns, sheet.rows)
    return text.getvalue().encode("utf-8-sig")


def write_csv(file: IO[str], columns: Sequence[Column[Row]], rows: Iterable[Row]) -> None:
    """Write a table as `csv_of` does, row by row, to a file without translation of line ends."""
    lines = csv.writer(file, lineterminator="\r\n")
    lines.writerow([_safe(column.title) for column in columns])
    lines.writerows([_in_csv(column.kind, column.of(row)) for column in columns] for row in rows)


def shown(kind: Kind, value: Any) -> str:
    """A value as a page shows it: with ₹, Indian grouping, days in words; "-" for None."""
    if value is None:
        return formatting.NO_FIGURE
    match kind:
        case Kind.RUPEES:
            return formatting.rupees(value)
        case Kind.PRICE:
            return f"₹{_in_csv(kind, value)}"
        case Kind.PERCENT:
            return formatting.percent(value)
        case Kind.DAY:
            return formatting.day_of(value)
        case Kind.INSTANT:
            return formatting.time_of(value)
        case Kind.NUMBER:
            return _in_csv(kind, value)
    return str(value)


def workbook_of(sheet: Sheet[Any], now: dt.datetime) -> bytes:
    """The table as an Excel workbook: typed cells, lakh grouping, a frozen header with filters."""
    return workbook_of_sheets(sheet.title, [sheet], now)


def workbook_of_sheets(title: str, sheets: Sequence[Sheet[Any]], now: dt.datetime) -> bytes:
    """Several tables as one workbook, a page for each."""
    # Imported here, so that only a process that writes a workbook loads the library.
    from openpyxl import Workbook  # noqa: PLC0415

    book = Workbook(write_only=True)
    book.properties.creator = "Tarazu"
    book.properties.title = title
    book.properties.created = book.properties.modified = now.astimezone(dt.UTC).replace(tzinfo=None)
    for sheet in sheets:
        _add_page(book, sheet)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _add_page(book: Any, sheet: Sheet[Any]) -> None:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    page = book.create_sheet(sheet.title)
    cells = [
        [_in_workbook(column.kind, column.of(row)) for column in sheet.columns]
        for row in sheet.rows
    ]
    totals = _totals(sheet)
    if totals:
        cells.append(_total_row(sheet, totals))
    for place, column in enumerate(sheet.columns):
        shown_cells = [column.title, *(_in_csv(column.kind, column.of(row)) for row in sheet.rows)]
        page.column_dimensions[get_column_letter(place + 1)].width = _width(shown_cells)
    page.freeze_panes = "A2"
    page.auto_filter.ref = f"A1:{get_column_letter(len(sheet.columns))}{len(sheet.rows) + 1}"
    page.append(_styled(page, [(column.title, "") for column in sheet.columns], is_bold=True))
    for place, line in enumerate(cells):
        page.append(_styled(page, line, is_bold=place >= len(sheet.rows)))


def _totals(sheet: Sheet[Any]) -> dict[str, Decimal]:
    """The totals by heading; a row without a value counts as 0 in a sum."""
    sums = {
        column.title: sum((column.of(row) or ZERO for row in sheet.rows), ZERO)
        for column in sheet.columns
        if column.is_summed
    }
    return sums | dict(sheet.totals)


def _total_row(sheet: Sheet[Any], totals: Mapping[str, Decimal]) -> list[tuple[Any, str]]:
    row = [_in_workbook(column.kind, totals.get(column.title)) for column in sheet.columns]
    return row if sheet.columns[0].title in totals else [("Total", ""), *row[1:]]


def _width(shown: Iterable[str]) -> float:
    # Amounts are shown with ₹ and commas, which need more room than their digits.
    longest = max(len(text) for text in shown)
    return min(_WIDEST, max(_NARROWEST, longest * 1.2 + 3))


def _styled(page: Any, line: Iterable[tuple[Any, str]], *, is_bold: bool) -> list[Any]:
    from openpyxl.cell import WriteOnlyCell  # noqa: PLC0415
    from openpyxl.styles import Font  # noqa: PLC0415

    bold = Font(bold=True)
    cells = []
    for value, number_format in line:
        cell = WriteOnlyCell(page, value)
        if number_format:
            cell.number_format = number_format
        if is_bold:
            cell.font = bold
        cells.append(cell)
    return cells


def _safe(text: str) -> str:
    """The text, escaped if it looks like a formula, without characters that XML forbids."""
    plain = "".join(sign for sign in text if sign >= " " or sign in "\t\n\r")[:_LONGEST_CELL]
    return f"'{plain}" if plain.startswith(_FORMULA_STARTS) else plain


def _in_csv(kind: Kind, value: Any) -> str:
    if value is None:
        return ""
    match kind:
        case Kind.RUPEES | Kind.PERCENT | Kind.NUMBER:
            return f"{rounded(value):f}"
        case Kind.PRICE:
            whole, _, paise = f"{rounded(value, 4):f}".partition(".")
            return f"{whole}.{paise.rstrip('0'):0<2}"
        case Kind.DAY:
            return str(value.isoformat())
        case Kind.INSTANT:
            return f"{value.astimezone(INDIA):%Y-%m-%d %H:%M:%S}"
        case Kind.WHOLE:
            return str(value)
    return _safe(str(value))


def _in_workbook(kind: Kind, value: Any) -> tuple[Any, str]:
    """The value of a cell, and its number format."""
    if value is None:
        return None, ""
    match kind:
        case Kind.RUPEES:
            return rounded(value), _grouped(value, '"₹"', ".00")
        case Kind.PRICE:
            return rounded(value, 4), _grouped(value, '"₹"', ".00##")
        case Kind.PERCENT:
            return rounded(value) / HUNDRED, "0.00%"
        case Kind.NUMBER:
            return rounded(value), "0.00"
        case Kind.WHOLE:
            return value, _grouped(Decimal(value), "", "")
        case Kind.DAY:
            return value, "dd/mm/yyyy"
        case Kind.INSTANT:
            return value.astimezone(INDIA).replace(tzinfo=None), "dd/mm/yyyy hh:mm:ss"
    return _safe(str(value)), "@"


_GROUPS: Final = (
    (Decimal(10) ** 9, r"##\,##\,##\,##\,##0"),
    (Decimal(10) ** 7, r"##\,##\,##\,##0"),
    (Decimal(10) ** 5, r"##\,##\,##0"),
)
_PLAIN: Final = "#,##0"


def _grouped(value: Decimal, before: str, after: str) -> str:
    """The number format that groups an amount in lakhs and crores in any locale.

    A format has at most two conditions, enough for amounts up to 100 crore. A larger or negative
    amount gets the one grouping that fits it, and Excel adds the sign.
    """
    crore, lakh = _GROUPS[1], _GROUPS[2]
    if 0 <= value < _GROUPS[0][0]:
        first, second = (f"[>={least}]{before}{digits}{after}" for least, digits in (crore, lakh))
        return f"{first};{second};{before}{_PLAIN}{after}"
    fitting = (digits for least, digits in _GROUPS if abs(value) >= least)
    return f"{before}{next(fitting, _PLAIN)}{after}"
