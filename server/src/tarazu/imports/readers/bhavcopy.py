"""The exchange's daily file of closing prices: one exchange, one day, a row for each security.

The common format of NSE and BSE (UDiFF, since 8 July 2024) and NSE's older one, as CSV or as the
zip in which they are published.
"""

import datetime as dt
import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tarazu.domain.money import Rupees
from tarazu.imports.readers.cells import (
    CellRefused,
    isin_in,
    last_price_in,
    number_in,
    refuse_formula,
    shown,
    trading_symbol_in,
)
from tarazu.imports.readers.grids import (
    MAX_FILE_BYTES,
    MAX_ROWS,
    UNREADABLE_WORKBOOK,
    GridRow,
    ways_to_read,
)
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile

SHARES: Final = frozenset({"EQ", "BE", "BZ", "SM", "ST", "GB", "GS"})
"""NSE's series of shares, gold bonds and government securities; BSE's groups are all taken."""
EXCHANGES: Final = ("NSE", "BSE")

MOST_TRADED: Final = 10**12
"""Shares of one security in a day: hundreds of times the most ever traded."""

_ZIP: Final = b"PK"
_ENCRYPTED: Final = 1
"""The flag of a part that a password protects."""
_SHOWN_OF_A_ROW: Final = 80
_CASH_MARKET: Final = frozenset({"", "CM"})
_CUT: Final = "The file ends in the middle of a row; download it again."
_CUT_ZIP: Final = "The zip file is damaged or incomplete; download it again."
_UNKNOWN: Final = (
    "This is not a file of closing prices. Accepted are the daily files of NSE and BSE "
    "(BhavCopy, UDiFF format) and NSE's older bhavcopy, as CSV or zip."
)


@dataclass(frozen=True, slots=True)
class _PriceLayout:
    """Headings of one format, in capitals; `exchange` of one that has no column for it."""

    day: str
    isin: str
    symbol: str
    series: str
    open: str
    close: str
    volume: str
    exchange: str = ""


_UDIFF: Final = _PriceLayout(
    "TRADDT", "ISIN", "TCKRSYMB", "SCTYSRS", "OPNPRIC", "CLSPRIC", "TTLTRADGVOL"
)
_OLDER: Final = _PriceLayout(
    "TIMESTAMP", "ISIN", "SYMBOL", "SERIES", "OPEN", "CLOSE", "TOTTRDQTY", exchange="NSE"
)


@dataclass(frozen=True, slots=True)
class ClosingPrice:
    """One security's first and last price of a day in rupees, and the shares traded.

    The close is above nought. `isin`, `open` and `volume` are None where the row has none.
    """

    line: int
    symbol: str
    series: str
    isin: str | None
    open: Rupees | None
    close: Rupees
    volume: int | None


@dataclass(frozen=True, slots=True)
class ParsedPrices:
    """A whole file: every row is of this exchange and day.

    `other_series` counts the rows of bonds and the like, which are not read.
    """

    exchange: str
    day: dt.date
    rows: tuple[ClosingPrice, ...]
    refused: tuple[RefusedRow, ...]
    other_series: int


@dataclass(slots=True)
class _PriceCollector:
    days: set[dt.date] = field(default_factory=set)
    exchanges: set[str] = field(default_factory=set)
    segments: set[str] = field(default_factory=set)
    rows: list[ClosingPrice] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    other_series: int = 0


def read_prices(content: bytes) -> ParsedPrices:
    """Read a file of closing prices; rows that cannot be right are refused one by one.

    Raises:
        UnknownFile: it is not such a file, it is cut off, or it is not of one exchange and day.
    """
    if len(content) > MAX_FILE_BYTES:
        raise UnknownFile(f"A file of prices has at most {MAX_FILE_BYTES // 1024**2} MB.")
    text = _unpacked(content) if content.startswith(_ZIP) else content
    grid = next(ways_to_read(text))[0].rows
    if not grid:
        raise UnknownFile(_UNKNOWN)
    heading = {name.upper(): place for place, name in enumerate(grid[0].cells) if name}
    layout = next((candidate for candidate in (_UDIFF, _OLDER) if _has(heading, candidate)), None)
    if layout is None:
        raise UnknownFile(_UNKNOWN)
    body = grid[1:]
    if len(body) > MAX_ROWS:
        raise UnknownFile(f"The file has more than {MAX_ROWS:,} rows.")
    _refuse_cut(text, grid[0], body, heading[layout.isin])
    collector = _PriceCollector()
    for row in body:
        _read_row(row, grid[0], heading, layout, collector)
    return _prices_of(collector)


def _unpacked(content: bytes) -> bytes:
    """The one CSV of a zip; the directory's sizes are looked at before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read(_only_part_of(archive))
    except UnknownFile:
        raise
    except (NotImplementedError, *UNREADABLE_WORKBOOK) as error:
        raise UnknownFile(_CUT_ZIP) from error


def _only_part_of(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    parts = [part for part in archive.infolist() if not part.is_dir()]
    if len(parts) != 1 or not parts[0].filename.lower().endswith(".csv"):
        raise UnknownFile("The zip file must hold one CSV file of closing prices and nothing else.")
    if parts[0].flag_bits & _ENCRYPTED:
        raise UnknownFile("The zip file is protected by a password; unpack it first.")
    if parts[0].file_size > MAX_FILE_BYTES:
        raise UnknownFile("The zip file is too large when unpacked.")
    return parts[0]


def _has(heading: Mapping[str, int], layout: _PriceLayout) -> bool:
    names = {layout.day, layout.isin, layout.symbol, layout.series, layout.close}
    return names <= heading.keys() and (bool(layout.exchange) or "SRC" in heading)


def _refuse_cut(text: bytes, heading: GridRow, body: Sequence[GridRow], isin: int) -> None:
    """Refuse a file whose last row is not whole.

    Both formats end their rows with cells that are empty or an ISIN, so a row that was cut has
    too few cells, or half an ISIN and no end of line.
    """
    if not body or text.endswith((b"\n", b"\r")):
        if body and len(body[-1].cells) < len(heading.cells):
            raise UnknownFile(_CUT)
        return
    last = body[-1].cells
    if len(last) < len(heading.cells):
        raise UnknownFile(_CUT)
    if isin == len(last) - 1:
        try:
            isin_in(last[isin], "ISIN")
        except CellRefused as error:
            raise UnknownFile(_CUT) from error


def _read_row(
    row: GridRow,
    title: GridRow,
    heading: Mapping[str, int],
    layout: _PriceLayout,
    collector: _PriceCollector,
) -> None:
    try:
        price = _price_in(row, title, heading, layout, collector)
    except CellRefused as refusal:
        text = ", ".join(filter(None, row.cells))[:_SHOWN_OF_A_ROW]
        collector.refused.append(RefusedRow(row.line, text, str(refusal)))
        return
    if price is None:
        collector.other_series += 1
    else:
        collector.rows.append(price)


def _price_in(
    row: GridRow,
    title: GridRow,
    heading: Mapping[str, int],
    layout: _PriceLayout,
    collector: _PriceCollector,
) -> ClosingPrice | None:
    """The closing price of a row; None for a series that is not read.

    Raises:
        CellRefused: a cell cannot be right.
    """
    cells = row.cells
    if len(cells) != len(title.cells):
        raise CellRefused(f"The row has {len(cells)} cells, the heading {len(title.cells)}.")

    def cell(name: str) -> str:
        text = cells[heading[name]] if name in heading else ""
        refuse_formula(text, name)
        return text

    exchange = layout.exchange or cell("SRC").upper()
    collector.exchanges.add(exchange)
    collector.segments.add(cell("SGMT").upper())
    collector.days.add(_day_in(cell(layout.day), layout.day))
    series = cell(layout.series).upper()
    if series not in SHARES and exchange == "NSE":
        return None
    close = last_price_in(cell(layout.close), "Closing price")
    if close is None:
        raise CellRefused("Closing price is missing.")
    isin = isin_in(cell(layout.isin), "ISIN") if cell(layout.isin) else None
    symbol = trading_symbol_in(cell(layout.symbol).replace(" ", ""), "Symbol")
    opening = last_price_in(cell(layout.open), "Opening price")
    volume = _volume_in(cell(layout.volume))
    return ClosingPrice(row.line, symbol, series, isin, opening, close, volume)


def _volume_in(text: str) -> int | None:
    """A number of traded shares; None for a blank."""
    if not text:
        return None
    number = number_in(text, "Traded volume")
    if number != int(number) or not 0 <= number <= MOST_TRADED:
        raise CellRefused(f'Traded volume "{shown(text)}" is not a number of shares.')
    return int(number)


def _day_in(text: str, heading: str) -> dt.date:
    for form in ("%Y-%m-%d", "%d-%b-%Y"):
        try:
            return dt.datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue  # the other form is tried
    raise CellRefused(f'{heading} "{shown(text)}" is not a day.')


def _prices_of(collector: _PriceCollector) -> ParsedPrices:
    exchanges = collector.exchanges - {""}
    foreign = sorted(exchanges - set(EXCHANGES))
    if foreign:
        raise UnknownFile(f"The file is of {shown(foreign[0])}; import a file of NSE or BSE.")
    if len(exchanges) > 1:
        raise UnknownFile("The file has rows of NSE and of BSE; import one exchange at a time.")
    other = sorted(collector.segments - _CASH_MARKET)
    if other:
        raise UnknownFile(
            f"The file is of the segment {shown(other[0])}; import the cash market's file (CM)."
        )
    if len(collector.days) > 1:
        first, last = min(collector.days), max(collector.days)
        raise UnknownFile(
            f"The file has rows of several days ({first:%d-%m-%Y} to {last:%d-%m-%Y}); "
            "import one day at a time."
        )
    if not exchanges or not collector.days:
        what = "day" if exchanges else "exchange"
        raise UnknownFile(f"No row of the file names its {what}.")
    return ParsedPrices(
        exchanges.pop(),
        collector.days.pop(),
        tuple(collector.rows),
        tuple(collector.refused),
        collector.other_series,
    )
