"""A file of any kind, recognised by what is in it, into a `ParsedFile`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from tarazu.domain.money import ZERO
from tarazu.imports.adapters.angel import ANGEL
from tarazu.imports.adapters.cells import CellRefused, number_in, shown
from tarazu.imports.adapters.clients import CLIENTS, CLIENTS_HEADER
from tarazu.imports.adapters.console import CONSOLE
from tarazu.imports.adapters.firm import FIRM, FIRM_HEADER
from tarazu.imports.adapters.funds import CONSOLE_LEDGER, FUNDS, FUNDS_HEADER
from tarazu.imports.adapters.grids import MAX_ROWS, Grid, GridRow, ways_to_read
from tarazu.imports.adapters.kite import KITE
from tarazu.imports.adapters.layouts import Column, Layout, Places, TableRow, plain
from tarazu.imports.adapters.parsed import (
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
from tarazu.imports.adapters.titles import as_on, broker_client_id
from tarazu.imports.adapters.tradebook import CONSOLE_TRADEBOOK

LAYOUTS: Final = (
    FIRM, CONSOLE_TRADEBOOK, CONSOLE_LEDGER, FUNDS, KITE, CONSOLE, CLIENTS, ANGEL
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
    f"{FUNDS_HEADER} or as Console's ledger, trades as Console's tradebook."
)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table that was found: its layout, its titles, and the rows under the heading."""

    grid: Grid
    layout: Layout
    places: Places
    titles: Sequence[GridRow]
    rows: Sequence[GridRow]


def read_file(content: bytes, file_name: str) -> ParsedFile:
    """Read a file of clients, holdings, funds or trades; which it is follows from its content alone.

    Args:
        content: the bytes as they were sent.
        file_name: as the person named it, for the message.

    Rows that cannot be taken over are refused one by one, each with its line and reason.

    Raises:
        UnknownFile: the file as a whole cannot be read.
    """
    found = ""
    for grids in ways_to_read(content):
        found = found or _first_heading(grids)
        tables = [table for grid in grids if (table := _table_in(grid)) is not None]
        shares = [table for table in tables if not _is_of_other_things(table.grid)]
        if shares:
            chosen = next((t for t in shares if plain(t.grid.name or "") == "equity"), shares[0])
            return _parsed(chosen, [grid for grid in grids if grid is not chosen.grid])
        if tables:
            sheets = ", ".join(table.grid.name or "" for table in tables)
            raise UnknownFile(f"The workbook has no sheet of shares, only: {shown(sheets)}.")
    raise UnknownFile(f'"{shown(file_name)}" cannot be imported: found {found}. {_ACCEPTED}')


def _is_of_other_things(grid: Grid) -> bool:
    return plain(grid.name or "") in _SHEETS_OF_OTHER_THINGS


def _table_in(grid: Grid) -> _Table | None:
    for above, row in enumerate(grid.rows[:_ROWS_SEARCHED]):
        for layout in LAYOUTS:
            places = layout.places_in(row)
            if places is not None:
                under = grid.rows[above + 1 :]
                if len(under) > MAX_ROWS:
                    raise UnknownFile(f"The file has more than {MAX_ROWS:,} rows; split it.")
                return _Table(grid, layout, places, grid.rows[:above], under)
    return None


def _first_heading(grids: Sequence[Grid]) -> str:
    """What stands where a heading would, for the message."""
    rows = [row for grid in grids for row in grid.rows[:_ROWS_SEARCHED]]
    filled = [[cell for cell in row.cells if cell] for row in rows]
    cells = next((cells for cells in filled if len(cells) > 1), filled[0] if filled else [])
    named = ", ".join(shown(cell) for cell in cells[:6])
    return f'"{named[:_SHOWN_OF_A_ROW]}"' if named else "no rows"


# ----------------------------------------------------------------------------------- the rows


@dataclass(slots=True)
class _Gathered:
    """What the rows read so far came to; `lines` says where each stock was first met."""

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
            self._refuse_again(parsed)
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

    def _refuse_again(self, parsed: Parsed | None) -> None:
        keys = _keys_of(parsed)
        for key in keys:
            first = self.lines.get(key)
            if first is not None:
                raise CellRefused(f"{_told(parsed)} stands already in line {first}.")
        for key in keys:
            self.lines[key] = parsed.line  # type: ignore[union-attr]  # None has no keys

    def _checked(self, parsed: ParsedHolding) -> ParsedHolding:
        if parsed.discrepant:
            self._warn(parsed, f"has {parsed.discrepant:,} discrepant shares, not counted.")
        if parsed.pledged > parsed.quantity:
            self._warn(parsed, "has more pledged shares than shares; the pledge is not kept.")
            parsed = parsed._replace(pledged=0)
        if parsed.long_term is not None and parsed.long_term > parsed.quantity:
            self._warn(parsed, "has more long-term shares than shares; the term is not kept.")
            parsed = parsed._replace(long_term=None)
        return parsed

    def _warn(self, parsed: ParsedHolding, text: str) -> None:
        self.warnings.append(FileWarning(parsed.line, f"{_name_of(parsed)} {text}"))


def _keys_of(parsed: Parsed | None) -> list[tuple[str | None, ...]]:
    """By what a second row of the same thing is known: a stock's ISIN and symbol, an e-mail.

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
            return [("trade", parsed.order_id, parsed.trade_id)]
    return []


def _told(parsed: Parsed | None) -> str:
    """What a repeated row is about, for its refusal."""
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


def _parsed(table: _Table, others: Sequence[Grid]) -> ParsedFile:
    foot = _foot_of(table)
    rows, layout = table.rows[: len(table.rows) - len(foot)], table.layout
    gathered = _Gathered()
    if layout.read_holdings is not None:
        gathered.rows, rows = layout.read_holdings(rows, table.places)
    for row in rows:
        gathered.take(TableRow(row, table.places), layout)
    parsed = ParsedFile(
        kind=table.layout.kind,
        as_on=as_on(table.titles),
        broker_client_id=broker_client_id(table.titles),
        rows=tuple(gathered.rows),
        cash=tuple(gathered.cash),
        refused=tuple(gathered.refused),
        warnings=tuple(gathered.warnings),
        left_out=(
            *(text for grid in others if (text := _left_out(grid))),
            *(f"Line {row.line}, under the table: {_beginning(row.row)}" for row in foot),
            *_others(gathered.others),
        ),
        clients=tuple(gathered.clients),
        flows=tuple(gathered.flows),
        trades=tuple(gathered.trades),
    )
    if parsed.size == 0:
        nothing = FileWarning(None, "The file holds nothing to import.")
        return replace(parsed, warnings=(*parsed.warnings, nothing))
    return parsed


def _others(count: int) -> list[str]:
    """How many rows say nothing that is taken in, such as a settlement in a ledger."""
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return [f"{rows} of other entries: settlements, charges, balances"] if count else []


def _foot_of(table: _Table) -> list[TableRow]:
    """The totals and notes under the table: the last rows that cannot be holdings."""
    if not table.layout.has_foot:
        return []
    rows = [TableRow(row, table.places) for row in table.rows]
    start = len(rows)
    while start and _is_foot(rows[start - 1], rows[: start - 1]):
        start -= 1
    return rows[start:]


def _is_foot(row: TableRow, above: Sequence[TableRow]) -> bool:
    """A row without ISIN and figures, or a total: not a share that is called TOTAL."""
    if row.text(Column.ISIN):
        return False
    quantity, average = row.text(Column.QUANTITY), row.text(Column.AVERAGE_PRICE)
    if not quantity and not average:
        return True
    is_total = plain(row.text(Column.SYMBOL)) in _TOTALS
    return is_total and (not quantity or not average or _number(quantity) == _sum_of(above))


def _sum_of(rows: Sequence[TableRow]) -> Decimal:
    return sum((_number(row.text(Column.QUANTITY)) for row in rows), ZERO)


def _number(text: str) -> Decimal:
    try:
        return number_in(text, Column.QUANTITY)
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
