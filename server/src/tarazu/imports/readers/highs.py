"""The highest prices of 31 January 2018: a plain list, or an exchange's daily file of that day."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tarazu.domain.money import Rupees
from tarazu.imports.readers.cells import CellRefused, isin_in, price_in, refuse_formula, shown
from tarazu.imports.readers.grids import MAX_FILE_BYTES, MAX_ROWS, GridRow, ways_to_read
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile

DAY: Final = dt.date(2018, 1, 31)
SHARES: Final = frozenset({"", "EQ", "BE", "BZ", "SM", "ST"})
"""The series of shares in an exchange's file."""

_HIGHS: Final = ("HIGH", "HIGH PRICE", "HIGH_PRICE", "HIGHPRICE", "HIGHPRIC")
_DAYS: Final = ("TIMESTAMP", "TRADDT", "DATE")
_SERIES: Final = ("SERIES", "SCTYSRS")
_WRITTEN: Final = ("%d-%b-%Y", "%Y-%m-%d", "%d-%m-%Y", "%d/%m/%Y")
_SHOWN_OF_A_ROW: Final = 80
_UNKNOWN: Final = (
    "This is not a list of the highs of 31 January 2018. The first line must name the columns ISIN "
    "and High."
)


@dataclass(frozen=True, slots=True)
class HighPrice:
    """One line: the highest price of a share on the day, rupees."""

    line: int
    isin: str
    high: Rupees


@dataclass(slots=True)
class ParsedHighs:
    """A whole list; `other_series` counts the lines of bonds and the like, which are not read."""

    rows: list[HighPrice] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    other_series: int = 0


def read_highs(content: bytes) -> ParsedHighs:
    """Read a list of highs; lines that cannot be right are refused one by one.

    Raises:
        UnknownFile: it is no such list, it is damaged, or it has too many lines.
    """
    if len(content) > MAX_FILE_BYTES:
        raise UnknownFile(f"A list of highs has at most {MAX_FILE_BYTES // 1024**2} MB.")
    grid = next(ways_to_read(content))[0].rows
    heading = (
        {name.strip().upper(): place for place, name in enumerate(grid[0].cells)} if grid else {}
    )
    places = {
        "isin": heading.get("ISIN"),
        "high": _first(heading, _HIGHS),
        "day": _first(heading, _DAYS),
        "series": _first(heading, _SERIES),
    }
    if places["isin"] is None or places["high"] is None:
        raise UnknownFile(_UNKNOWN)
    if len(grid) - 1 > MAX_ROWS:
        raise UnknownFile(f"The file has more than {MAX_ROWS:,} rows.")
    parsed = ParsedHighs()
    for row in grid[1:]:
        try:
            high = _high_in(row, places)
        except CellRefused as refusal:
            text = ", ".join(filter(None, row.cells))[:_SHOWN_OF_A_ROW]
            parsed.refused.append(RefusedRow(row.line, text, str(refusal)))
            continue
        if high is None:
            parsed.other_series += 1
        else:
            parsed.rows.append(high)
    return parsed


def _first(heading: Mapping[str, int], names: tuple[str, ...]) -> int | None:
    return next((heading[name] for name in names if name in heading), None)


def _high_in(row: GridRow, places: Mapping[str, int | None]) -> HighPrice | None:
    """The high of a line; None for a series that is not read.

    Raises:
        CellRefused: a cell cannot be right.
    """
    cells = {
        name: row.cells[place].strip() if place is not None and place < len(row.cells) else ""
        for name, place in places.items()
    }
    for name, text in cells.items():
        refuse_formula(text, name.capitalize())
    if cells["series"].upper() not in SHARES:
        return None
    if cells["day"] and _day_in(cells["day"]) != DAY:
        raise CellRefused(f'"{shown(cells["day"])}" is not 31 January 2018.')
    isin = isin_in(cells["isin"], "ISIN")
    if not cells["high"]:
        raise CellRefused("High is missing.")
    high = price_in(cells["high"], "High")
    if not high:
        raise CellRefused("High is 0.")
    return HighPrice(row.line, isin, high)


def _day_in(text: str) -> dt.date | None:
    for written in _WRITTEN:
        try:
            return dt.datetime.strptime(text, written).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    return None
