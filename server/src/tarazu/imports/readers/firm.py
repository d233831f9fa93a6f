"""Our own firm-wide CSV: client_code,exchange,symbol,isin,quantity,average_price,cash.

One row a holding. A client's free cash is a separate row: its symbol is CASH, the amount
is under cash, and exchange, isin, quantity and average_price are empty.
"""

from collections.abc import Sequence
from itertools import compress, repeat

from tarazu.imports.readers.cells import (
    CellRefused,
    cash_in,
    client_code_in,
    isin_in,
    price_in,
    shares_in,
    shown,
    trading_symbol_in,
)
from tarazu.imports.readers.grids import GridRow
from tarazu.imports.readers.layouts import (
    ColumnPositions,
    FileColumn,
    Layout,
    TableColumns,
    TableRow,
)
from tarazu.imports.readers.parsed import FileKind, ParsedCash, ParsedHolding

_PRICE = "Average price"
FIRM_HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash"


def _read_row(row: TableRow) -> ParsedHolding | ParsedCash:
    code = client_code_in(row.text(FileColumn.CLIENT))
    symbol, isin = row.text(FileColumn.SYMBOL), row.text(FileColumn.ISIN)
    if symbol.upper() == "CASH":
        for column in (FileColumn.ISIN, FileColumn.QUANTITY, FileColumn.AVERAGE_PRICE):
            if row.text(column):
                raise CellRefused(f"{column} must be empty in a CASH row.")
        return ParsedCash(row.line, code, cash_in(row.text(FileColumn.CASH), "Cash"))
    if row.text(FileColumn.CASH):
        raise CellRefused(
            "Cash is in the row of a share; put it in a separate row with symbol CASH."
        )
    return ParsedHolding(
        line=row.line,
        client_code=code,
        symbol=_symbol_in(symbol) if symbol or not isin else None,
        isin=_isin_in(isin),
        exchange=_exchange_in(row.text(FileColumn.EXCHANGE)),
        quantity=_quantity_in(row.text(FileColumn.QUANTITY)),
        pledged=0,
        discrepant=0,
        long_term=None,
        average_price=price_in(row.text(FileColumn.AVERAGE_PRICE), _PRICE),
        last_price=None,
    )


def _read_holdings(
    rows: Sequence[GridRow], positions: ColumnPositions
) -> tuple[list[ParsedHolding], Sequence[GridRow]]:
    """The holdings of a whole firm at once, by the same rules, and the cash rows left to read."""
    table = TableColumns(rows, positions)
    cash = table.texts(FileColumn.CASH)
    shares, cash_rows = table, list(compress(rows, cash))
    if cash_rows:
        shares = TableColumns(
            [row for row, text in zip(rows, cash, strict=True) if not text], positions
        )
    try:
        return _holdings_in(shares), cash_rows
    except CellRefused:
        return [], rows


def _holdings_in(table: TableColumns) -> list[ParsedHolding]:
    """All rows of the table.

    A formula is not a code, name or figure, so the checks of these refuse it.

    Raises:
        CellRefused: a row is refused, repeated, or without shares; it does not say which.
    """
    codes = table.read(FileColumn.CLIENT, client_code_in)
    exchanges = table.read(FileColumn.EXCHANGE, _exchange_in)
    symbols = table.read(FileColumn.SYMBOL, lambda text: _symbol_in(text) if text else None)
    isins = table.read(FileColumn.ISIN, _isin_in)
    quantities = table.read(FileColumn.QUANTITY, _quantity_in)
    prices = map(price_in, table.texts(FileColumn.AVERAGE_PRICE), repeat(_PRICE))
    is_nameless = None in symbols and (None, None) in zip(symbols, isins, strict=True)
    repeats = any(_repeats(codes, exchanges, names) for names in (symbols, isins))
    if is_nameless or repeats or "CASH" in symbols or 0 in quantities:
        raise CellRefused
    nought, nothing = repeat(0), repeat(None)
    return list(
        map(
            ParsedHolding, table.lines, codes, symbols, isins, exchanges, quantities,
            nought, nought, nothing, prices, nothing
        )
    )  # fmt: skip


def _repeats(codes: list[str], exchanges: list[str], names: Sequence[str | None]) -> bool:
    """Whether a client has a name twice on an exchange."""
    keys = list(zip(codes, exchanges, names, strict=True))
    if None in names:
        keys = [key for key in keys if key[2] is not None]
    return len(set(keys)) < len(keys)


def _symbol_in(text: str) -> str:
    return trading_symbol_in(text, "Symbol")


def _isin_in(text: str) -> str | None:
    return isin_in(text, "ISIN") if text else None


def _quantity_in(text: str) -> int:
    return shares_in(text, "Quantity")


def _exchange_in(text: str) -> str:
    if text == "NSE":
        return text
    exchange = text.upper()
    if exchange not in {"NSE", "BSE"}:
        raise CellRefused(f'Exchange "{shown(text)}" is neither NSE nor BSE.')
    return exchange


FIRM = Layout(
    kind=FileKind.FIRM_CSV,
    headings={
        FileColumn.CLIENT: ("client code",),
        FileColumn.EXCHANGE: ("exchange",),
        FileColumn.SYMBOL: ("symbol",),
        FileColumn.ISIN: ("isin",),
        FileColumn.QUANTITY: ("quantity",),
        FileColumn.AVERAGE_PRICE: ("average price",),
        FileColumn.CASH: ("cash",),
    },
    required=frozenset(
        {
            FileColumn.CLIENT,
            FileColumn.EXCHANGE,
            FileColumn.SYMBOL,
            FileColumn.QUANTITY,
            FileColumn.AVERAGE_PRICE,
        }
    ),
    read_row=_read_row,
    has_foot=False,
    read_holdings=_read_holdings,
)
