"""Reads the bytes of a CSV or XLSX file as rows of text; refuses malicious files."""

import csv
import datetime as dt
import io
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tarazu.imports.readers.parsed import UnknownFile

if TYPE_CHECKING:
    from openpyxl.workbook import Workbook

MAX_FILE_BYTES: Final = 5 * 1024 * 1024
MAX_UNPACKED_BYTES: Final = 32 * 1024 * 1024
MAX_PARTS: Final = 500
MAX_ROWS: Final = 50_000
MAX_COLUMNS: Final = 60
_MORE_THAN_ANY_TITLE: Final = 200

_XLSX: Final = b"PK\x03\x04"
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_NOT_OF_A_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_DECLARED_ENTITY = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)

UNREADABLE_WORKBOOK: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""What openpyxl and zipfile raise on broken workbooks; they document no common class."""


class FileLimits(NamedTuple):
    """The largest file that is read."""

    megabytes: int
    rows: int

    @property
    def file_bytes(self) -> int:
        return self.megabytes * 1024 * 1024

    @property
    def filled(self) -> int:
        """Rows with a cell, titles included."""
        return self.rows + _MORE_THAN_ANY_TITLE

    @property
    def last_line(self) -> int:
        """Blank rows cost time, too."""
        return 4 * self.rows

    @property
    def too_many(self) -> str:
        return f"The file has more than {self.rows:,} rows; split it."


STANDARD: Final = FileLimits(5, MAX_ROWS)
OF_TRADEBOOKS: Final = FileLimits(20, 150_000)
"""Years of trades may be in one file."""


class GridRow(NamedTuple):
    """A row with at least one filled cell; `line` counts from 1 as a person sees it.

    Cells are text without outer blanks. A number of a workbook is written out plainly with
    the fifteen digits that a spreadsheet shows; a formula keeps its leading "=".
    """

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet; `name` is None for a CSV file. Blank rows are left out."""

    name: str | None
    rows: tuple[GridRow, ...]


class _BadQuotes(UnknownFile):
    """The text is not a CSV with this separator."""


def ways_to_read(content: bytes, limits: FileLimits = STANDARD) -> Iterator[list[Grid]]:
    """The ways to read the file, the likeliest first; each is a list of sheets.

    A workbook has one way, a text one for each separator: comma, tab, semicolon.

    Raises:
        UnknownFile: empty, too large, neither text nor XLSX, damaged, or with
            too many rows.
    """
    if len(content) > limits.file_bytes:
        size = f"{len(content) / 1024 / 1024:.1f}"
        raise UnknownFile(
            f"The file has {size} MB; a holdings file has at most {limits.megabytes} MB."
        )
    if not content.strip():
        raise UnknownFile("The file is empty.")
    if content.startswith(_OLD_OFFICE):
        raise UnknownFile(
            "The file is protected by a password or in the old .xls format; "
            "save it as .xlsx or .csv without a password."
        )
    if content.startswith(_XLSX):
        yield _sheets_of(content, limits)
    else:
        yield from _csv_ways(_text_of(content), limits)


def _csv_ways(text: str, limits: FileLimits) -> Iterator[list[Grid]]:
    failures = []
    for separator in ",\t;":
        try:
            rows = _csv_rows(text, separator, limits)
        except _BadQuotes as failure:
            failures.append(failure)  # raised at the end, unless another separator fits
            continue
        yield [Grid(None, tuple(rows))]
    if failures:
        raise failures[0]


def _text_of(content: bytes) -> str:
    for encoding in _encodings_of(content):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue  # the next encoding is tried; cp1252 is the last
        if _NOT_OF_A_TEXT.search(text) is None:
            return text
    raise UnknownFile("The file is neither a CSV text nor an XLSX workbook.")


def _encodings_of(content: bytes) -> tuple[str, ...]:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    start = content[:400]
    if b"\x00" in start:
        return ("utf-16-le",) if start[1::2].count(0) > start[::2].count(0) else ("utf-16-be",)
    return ("utf-8-sig", "cp1252")


def _csv_rows(text: str, separator: str, limits: FileLimits) -> list[GridRow]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[GridRow] = []
    line = 1
    try:
        for cells in reader:
            stripped = tuple(map(str.strip, cells[:MAX_COLUMNS]))
            if any(stripped):
                rows.append(GridRow(line, stripped))
                if len(rows) > limits.filled:
                    raise UnknownFile(limits.too_many)
            line = reader.line_num + 1
    except csv.Error as error:
        raise _BadQuotes(
            f"The file is not a readable CSV: the quotes from line {line} on do not match."
        ) from error
    return rows


def _sheets_of(content: bytes, limits: FileLimits) -> list[Grid]:
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to import, and rarely needed

    try:
        _refuse_bombs(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a missing style sheet does not matter
            workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
            with closing(workbook):
                return _grids_in(workbook, limits)
    except UnknownFile:
        raise
    except UNREADABLE_WORKBOOK as error:
        raise UnknownFile(
            "The file is not a readable XLSX workbook; save it again as .xlsx or .csv."
        ) from error


def _refuse_bombs(content: bytes) -> None:
    """Look at the zip directory before anything is unpacked, then for entities in the XML.

    zipfile never unpacks more of a part than the directory says, so its sizes can be trusted.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
            raise UnknownFile(
                "The workbook is too large when unpacked; save the holdings alone as .xlsx or .csv."
            )
        for part in parts:
            is_markup = part.filename.endswith((".xml", ".rels"))
            if is_markup and _DECLARED_ENTITY.search(archive.read(part).replace(b"\x00", b"")):
                raise UnknownFile("The workbook declares XML entities, which is not allowed.")


def _grids_in(workbook: "Workbook", limits: FileLimits) -> list[Grid]:
    filled = 0
    grids = []
    for sheet in workbook.worksheets:
        sheet.reset_dimensions()  # brokers declare a wrong size, which would cut off rows
        rows = []
        for line, cells in enumerate(sheet.iter_rows(max_col=MAX_COLUMNS), start=1):
            if filled > limits.filled or line > limits.last_line:
                raise UnknownFile(limits.too_many)
            texts = [_cell_text(c.value, c.data_type) for c in cells if c.value is not None]
            if any(texts):
                filled += 1
                rows.append(GridRow(line, _in_place(cells, iter(texts))))
        grids.append(Grid(sheet.title, tuple(rows)))
    return grids


def _in_place(cells: tuple[Any, ...], texts: Iterator[str]) -> tuple[str, ...]:
    return tuple("" if cell.value is None else next(texts) for cell in cells)


def _cell_text(value: Any, kind: str) -> str:
    if kind == "f":
        text = value if isinstance(value, str) else getattr(value, "text", None) or ""
        return f"={text.lstrip('=')}"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        # A double as a spreadsheet shows it: fifteen digits, no exponent.
        shown = f"{value:.15g}"
        return f"{Decimal(shown):f}"
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat(" ") if isinstance(value, dt.datetime) else value.isoformat()
    return str(value).strip()
