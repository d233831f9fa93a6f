"""Reads a file of any kind, recognised by its content, as a `ParsedFile`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from tarazu.domain.money import ZERO
from tarazu.imports.readers.angel import ANGEL
from tarazu.imports.readers.cells import CellRefused, number_in, shown
from tarazu.imports.readers.clients import CLIENTS, CLIENTS_HEADER
from tarazu.imports.readers.console import CONSOLE
from tarazu.imports.readers.firm import FIRM, FIRM_HEADER
from tarazu.imports.readers.funds import CONSOLE_LEDGER, FUNDS, FUNDS_HEADER
from tarazu.imports.readers.grids import STANDARD, FileLimits, Grid, GridRow, ways_to_read
from tarazu.imports.readers.kite import KITE
from tarazu.imports.readers.layouts import ColumnPositions, FileColumn, Layout, TableRow, plain
from tarazu.imports.readers.parsed import (
    FileWarning,
    Parsed,
    ParsedCash,
    ParsedClient,
    ParsedFile,
    ParsedFlow,
    ParsedHolding,
    ParsedTrade,
    RefusedRow,
    UnknownFile,
)
from tarazu.imports.readers.titles import as_on, broker_client_id
from tarazu.imports.readers.tradebook import ANGEL_TRADEBOOK, CONSOLE_TRADEBOOK

LAYOUTS: Final = (
    FIRM, CONSOLE_TRADEBOOK, ANGEL_TRADEBOOK, CONSOLE_LEDGER, FUNDS, KITE, CONSOLE, CLIENTS, ANGEL
)  # fmt: skip
"""In the order in which they are tried: the one with the loosest headings comes last."""

_ROWS_SEARCHED: Final = 100
_SHOWN_OF_A_ROW: Final = 80
_SHEETS_OF_OTHER_THINGS: Final = frozenset({"mutual funds", "mutual fund", "combined"})
_TOTALS: Final = frozenset({"", "total", "totals", "grand total", "sub total"})
_ACCEPTED: Final = (
    "Accepted are the holdings page of Kite as CSV, the holdings statement of Zerodha Console "
    "as XLSX, the holdings report of Angel One as XLSX or CSV, and the firm-wide CSV with the "
    f"header {FIRM_HEADER}. Clients come with the header {CLIENTS_HEADER}, funds with "
    f"{FUNDS_HEADER} or as Console's ledger, trades as Console's tradebook or Angel One's "
    "trades history."
)


@dataclass(frozen=True, slots=True)
class _FileTable:
    """A table of a file: its layout, its titles, and the rows under the heading."""

    grid: Grid
    layout: Layout
    positions: ColumnPositions
    titles: Sequence[GridRow]
    rows: Sequence[GridRow]


def read_file(content: bytes, file_name: str, limits: FileLimits = STANDARD) -> ParsedFile:
    """Read a file of clients, holdings, funds or trades; which it is follows from its content alone.

    Args:
        content: the bytes as they were sent.
        file_name: as the person named it, for the message.

    Wrong rows are refused one by one, each with its line and reason.

    Raises:
        UnknownFile: the file as a whole cannot be read.
    """
    heading = ""
    for grids in ways_to_read(content, limits):
        heading = heading or _first_heading(grids)
        tables = [table for grid in grids if (table := _table_in(grid, limits)) is not None]
        shares = [
            table for table in tables if plain(table.grid.name or "") not in _SHEETS_OF_OTHER_THINGS
        ]
        if shares:
            chosen = next((t for t in shares if plain(t.grid.name or "") == "equity"), shares[0])
            return _parsed(chosen, [grid for grid in grids if grid is not chosen.grid])
        if tables:
            sheets = ", ".join(table.grid.name or "" for table in tables)
            raise UnknownFile(f"The workbook has no sheet of shares, only: {shown(sheets)}.")
    raise UnknownFile(f'"{shown(file_name)}" cannot be imported: found {heading}. {_ACCEPTED}')


def _table_in(grid: Grid, limits: FileLimits = STANDARD) -> _FileTable | None:
    for above, row in enumerate(grid.rows[:_ROWS_SEARCHED]):
        for layout in LAYOUTS:
            positions = layout.positions_in(row)
            if positions is not None:
                under = grid.rows[above + 1 :]
                if len(under) > limits.rows:
                    raise UnknownFile(limits.too_many)
                return _FileTable(grid, layout, positions, grid.rows[:above], under)
    return None


def _first_heading(grids: Sequence[Grid]) -> str:
    """The first cells of the file, for the message."""
    rows = [row for grid in grids for row in grid.rows[:_ROWS_SEARCHED]]
    filled = [[cell for cell in row.cells if cell] for row in rows]
    cells = next((cells for cells in filled if len(cells) > 1), filled[0] if filled else [])
    named = ", ".join(shown(cell) for cell in cells[:6])
    return f'"{named[:_SHOWN_OF_A_ROW]}"' if named else "no rows"


@dataclass(slots=True)
class _RowCollector:
    """The parsed rows so far; `lines` has the first line of each stock."""

    rows: list[ParsedHolding] = field(default_factory=list)
    cash: list[ParsedCash] = field(default_factory=list)
    refused: list[RefusedRow] = field(default_factory=list)
    warnings: list[FileWarning] = field(default_factory=list)
    clients: list[ParsedClient] = field(default_factory=list)
    flows: list[ParsedFlow] = field(default_factory=list)
    trades: list[ParsedTrade] = field(default_factory=list)
    others: int = 0
    lines: dict[tuple[str | None, ...], int] = field(default_factory=dict)

    def take(self, row: TableRow, layout: Layout) -> None:
        try:
            row.refuse_formulas()
            parsed = layout.read_row(row)
            self._refuse_repeated(parsed)
        except CellRefused as refusal:
            self.refused.append(RefusedRow(row.line, _beginning(row.row), str(refusal)))
            return
        match parsed:
            # Holdings first: there may be fifty thousand of them.
            case ParsedHolding(quantity=0):
                self._warn(parsed, "has no shares and is left out.")
            case ParsedHolding():
                self.rows.append(self._checked(parsed))
            case None:
                self.others += 1
            case ParsedCash():
                self.cash.append(parsed)
            case ParsedClient():
                self.clients.append(parsed)
            case ParsedFlow():
                self.flows.append(parsed)
            case ParsedTrade():
                self.trades.append(parsed)

    def _refuse_repeated(self, parsed: Parsed | None) -> None:
        keys = _keys_of(parsed)
        for key in keys:
            first = self.lines.get(key)
            if first is not None:
                raise CellRefused(f"{_subject_of(parsed)} is already in line {first}.")
        for key in keys:
            self.lines[key] = parsed.line  # type: ignore[union-attr]  # None has no keys

    def _checked(self, parsed: ParsedHolding) -> ParsedHolding:
        if parsed.discrepant:
            self._warn(parsed, f"has {parsed.discrepant:,} discrepant shares, not counted.")
        if parsed.pledged > parsed.quantity:
            self._warn(parsed, "has more pledged shares than shares; the pledge is ignored.")
            parsed = parsed._replace(pledged=0)
        if parsed.long_term is not None and parsed.long_term > parsed.quantity:
            self._warn(parsed, "has more long-term shares than shares; the term is ignored.")
            parsed = parsed._replace(long_term=None)
        return parsed

    def _warn(self, parsed: ParsedHolding, text: str) -> None:
        self.warnings.append(FileWarning(parsed.line, f"{_name_of(parsed)} {text}"))


def _keys_of(parsed: Parsed | None) -> list[tuple[str | None, ...]]:
    """The keys that find a repeated row: a stock's ISIN and symbol, an e-mail.

    Two equal amounts on one day may both be meant, so a flow is never a repetition.
    """
    match parsed:
        case ParsedHolding():
            client, exchange = parsed.client_code, parsed.exchange
            keys: list[tuple[str | None, ...]] = []
            if parsed.isin is not None:
                keys.append((client, exchange, "isin", parsed.isin))
            if parsed.symbol is not None:
                keys.append((client, exchange, "symbol", parsed.symbol))
            return keys
        case ParsedCash():
            return [(parsed.client_code, "cash")]
        case ParsedClient():
            return [("email", parsed.email)]
        case ParsedTrade():
            return [("trade", parsed.exchange, parsed.order_id, parsed.trade_id)]
    return []


def _subject_of(parsed: Parsed | None) -> str:
    """The subject of a repeated row, for its message."""
    match parsed:
        case ParsedClient():
            return parsed.email
        case ParsedTrade():
            return f"Trade {parsed.trade_id}"
        case ParsedHolding() | ParsedCash():
            what = "Cash" if isinstance(parsed, ParsedCash) else _name_of(parsed)
            return f"{what} of {parsed.client_code}" if parsed.client_code else what
    return "It"


def _name_of(parsed: ParsedHolding) -> str:
    return parsed.symbol or parsed.isin or ""


def _beginning(row: GridRow) -> str:
    text = ", ".join(" ".join(cell.split()) for cell in row.cells).rstrip(", ")
    return text if len(text) <= _SHOWN_OF_A_ROW else f"{text[:_SHOWN_OF_A_ROW]}…"


def _parsed(table: _FileTable, others: Sequence[Grid]) -> ParsedFile:
    foot = _foot_of(table)
    rows, layout = table.rows[: len(table.rows) - len(foot)], table.layout
    collector = _RowCollector()
    if layout.read_holdings is not None:
        collector.rows, rows = layout.read_holdings(rows, table.positions)
    for row in rows:
        collector.take(TableRow(row, table.positions), layout)
    parsed = ParsedFile(
        kind=table.layout.kind,
        as_on=as_on(table.titles),
        broker_client_id=broker_client_id(table.titles),
        rows=tuple(collector.rows),
        cash=tuple(collector.cash),
        refused=tuple(collector.refused),
        warnings=tuple(collector.warnings),
        left_out=(
            *(text for grid in others if (text := _left_out(grid))),
            *(f"Line {row.line}, under the table: {_beginning(row.row)}" for row in foot),
            *_others(collector.others),
        ),
        clients=tuple(collector.clients),
        flows=tuple(collector.flows),
        trades=tuple(collector.trades),
    )
    if parsed.size == 0:
        nothing = FileWarning(None, "The file holds nothing to import.")
        return replace(parsed, warnings=(*parsed.warnings, nothing))
    return parsed


def _others(count: int) -> list[str]:
    """A note about rows that are not imported, such as settlements in a ledger."""
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return [f"{rows} of other entries: settlements, charges, balances"] if count else []


def _foot_of(table: _FileTable) -> list[TableRow]:
    """The totals and notes under the table: the last rows that cannot be holdings."""
    if not table.layout.has_foot:
        return []
    rows = [TableRow(row, table.positions) for row in table.rows]
    start = len(rows)
    while start and _is_foot(rows[start - 1], rows[: start - 1]):
        start -= 1
    return rows[start:]


def _is_foot(row: TableRow, above: Sequence[TableRow]) -> bool:
    """A row without ISIN and figures, or a total: not a share that is called TOTAL."""
    if row.text(FileColumn.ISIN):
        return False
    quantity, average = row.text(FileColumn.QUANTITY), row.text(FileColumn.AVERAGE_PRICE)
    if not quantity and not average:
        return True
    is_total = plain(row.text(FileColumn.SYMBOL)) in _TOTALS
    return is_total and (not quantity or not average or _number(quantity) == _sum_of(above))


def _sum_of(rows: Sequence[TableRow]) -> Decimal:
    return sum((_number(row.text(FileColumn.QUANTITY)) for row in rows), ZERO)


def _number(text: str) -> Decimal:
    try:
        return number_in(text, FileColumn.QUANTITY)
    except CellRefused:
        return ZERO  # the row is refused, with the reason, where it is read


def _left_out(grid: Grid) -> str | None:
    """How many rows of another sheet are not read; None for a sheet without securities."""
    for above, row in enumerate(grid.rows[:_ROWS_SEARCHED]):
        if "isin" in map(plain, row.cells):
            count = len(grid.rows) - above - 1
            rows = "row" if count == 1 else "rows"
            return f"{grid.name} sheet: {count:,} {rows} left out" if count else None
    return None
