"""Tables to take away: typed columns, written as CSV or as an Excel workbook.

In both, figures are figures: no ₹ and no grouping in the digits of a CSV, formats in a workbook.
A text that a spreadsheet would run as a formula gets an apostrophe in front of it.
"""

import csv
import datetime as dt
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar

from tarazu.domain.money import HUNDRED, rounded
from tarazu.kit.clock import INDIA

Row = TypeVar("Row")

MOST_ROWS: Final = 20_000
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_LONGEST_CELL: Final = 32_767
_WIDEST: Final = 60
_NARROWEST: Final = 8


class Kind(StrEnum):
    """What the values of a column are, which decides how they are written."""

    TEXT = "text"
    RUPEES = "rupees"
    """Two decimals."""
    PRICE = "price"
    """Rupees a share, two to four decimals."""
    PERCENT = "percent"
    """12.5 is 12.5 %; a workbook keeps it as 0.125, shown as a percent."""
    NUMBER = "number"
    """Two decimals, of nothing in particular."""
    WHOLE = "whole"
    DAY = "day"
    INSTANT = "instant"
    """Written as it reads on a clock in India."""


class SheetFormat(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"


MEDIA_TYPES: Final = {
    SheetFormat.CSV: "text/csv",
    SheetFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column: its heading, what it holds, and how it is read from a row; None is left empty."""

    title: str
    kind: Kind
    of: Callable[[Row], Any]


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Row]):
    """A table with its rows; `totals`, by heading, stand under a workbook's rows."""

    title: str
    columns: Sequence[Column[Row]]
    rows: Sequence[Row]
    totals: Mapping[str, Decimal] = field(default_factory=dict)


def written(sheet: Sheet[Any], form: SheetFormat, now: dt.datetime) -> bytes:
    """The whole table as a file; `now` is the time of its making that a workbook carries."""
    return csv_of(sheet) if form is SheetFormat.CSV else workbook_of(sheet, now)


def csv_of(sheet: Sheet[Any]) -> bytes:
    """RFC 4180 in UTF-8, with the mark by which Excel knows it; days as 2026-11-20.

    Totals are left out, so that whoever sums a column does not count them.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow([_safe(column.title) for column in sheet.columns])
    rows.writerows(
        [_in_csv(column.kind, column.of(row)) for column in sheet.columns] for row in sheet.rows
    )
    return text.getvalue().encode("utf-8-sig")


def workbook_of(sheet: Sheet[Any], now: dt.datetime) -> bytes:
    """An Excel workbook: typed cells, lakh grouping, a head that stays and filters."""
    # Only a process that writes a workbook pays for the library.
    from openpyxl import Workbook  # noqa: PLC0415
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    book = Workbook(write_only=True)
    book.properties.creator = "Tarazu"
    book.properties.title = sheet.title
    book.properties.created = book.properties.modified = now.astimezone(dt.UTC).replace(tzinfo=None)
    page = book.create_sheet(sheet.title)
    cells = [
        [_in_workbook(column.kind, column.of(row)) for column in sheet.columns]
        for row in sheet.rows
    ]
    if sheet.totals:
        cells.append(_totals(sheet))
    for place, column in enumerate(sheet.columns):
        shown = [column.title, *(_in_csv(column.kind, column.of(row)) for row in sheet.rows)]
        page.column_dimensions[get_column_letter(place + 1)].width = _width(shown)
    page.freeze_panes = "A2"
    page.auto_filter.ref = f"A1:{get_column_letter(len(sheet.columns))}{len(sheet.rows) + 1}"
    page.append(_styled(page, [(column.title, "") for column in sheet.columns], is_bold=True))
    for place, line in enumerate(cells):
        page.append(_styled(page, line, is_bold=place >= len(sheet.rows)))
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _totals(sheet: Sheet[Any]) -> list[tuple[Any, str]]:
    first, *others = sheet.columns
    line = [("Total", "") if first.title not in sheet.totals else _total(sheet, first)]
    return line + [_total(sheet, column) for column in others]


def _total(sheet: Sheet[Any], column: Column[Any]) -> tuple[Any, str]:
    return _in_workbook(column.kind, sheet.totals.get(column.title))


def _width(shown: Iterable[str]) -> float:
    # Digits of a sum are shown with ₹, commas and a little air around them.
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
    """A text that no spreadsheet takes for a formula, without characters that XML forbids."""
    plain = "".join(sign for sign in text if sign >= " " or sign in "\t\n\r")[:_LONGEST_CELL]
    return f"'{plain}" if plain.startswith(_FORMULA_STARTS) else plain


def _in_csv(kind: Kind, value: Any) -> str:
    if value is None:
        return ""
    match kind:
        case Kind.RUPEES | Kind.PERCENT | Kind.NUMBER:
            return f"{rounded(value):f}"
        case Kind.PRICE:
            return _price(value)
        case Kind.DAY:
            return str(value.isoformat())
        case Kind.INSTANT:
            return f"{value.astimezone(INDIA):%Y-%m-%d %H:%M:%S}"
        case Kind.WHOLE:
            return str(value)
    return _safe(str(value))


def _price(value: Decimal) -> str:
    whole, _, paise = f"{rounded(value, 4):f}".partition(".")
    return f"{whole}.{paise.rstrip('0'):0<2}"


def _in_workbook(kind: Kind, value: Any) -> tuple[Any, str]:
    """A value as its cell keeps it, and the format that the cell shows it in."""
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
    """A format with lakhs and crores, whatever the language of the computer.

    Formats know at most two conditions, which serve all sums up to 100 crore; a sum beyond, or
    below nought, gets the one grouping that fits it, and Excel sets its sign.
    """
    crore, lakh = _GROUPS[1], _GROUPS[2]
    if 0 <= value < _GROUPS[0][0]:
        first, second = (f"[>={least}]{before}{digits}{after}" for least, digits in (crore, lakh))
        return f"{first};{second};{before}{_PLAIN}{after}"
    fitting = (digits for least, digits in _GROUPS if abs(value) >= least)
    return f"{before}{next(fitting, _PLAIN)}{after}"
