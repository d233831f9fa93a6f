"""Our own firm-wide CSV: client_code,exchange,symbol,isin,quantity,average_price,cash.

One row a holding. A client's free cash is a row of its own: its symbol is CASH, the amount
stands under cash, and exchange, isin, quantity and average_price are empty.
"""

from tarazu.imports.adapters.cells import (
    CellRefused,
    cash_in,
    client_code_in,
    isin_in,
    price_in,
    shares_in,
    shown,
    trading_symbol_in,
)
from tarazu.imports.adapters.layouts import Column, Layout, TableRow
from tarazu.imports.adapters.parsed import FileKind, ParsedCash, ParsedHolding

FIRM_HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash"


def _read_row(row: TableRow) -> ParsedHolding | ParsedCash:
    code = client_code_in(row.text(Column.CLIENT))
    symbol, isin = row.text(Column.SYMBOL), row.text(Column.ISIN)
    if symbol.upper() == "CASH":
        return _cash_of(row, code)
    if row.text(Column.CASH):
        raise CellRefused("Cash stands beside a share; give it a row of its own with symbol CASH.")
    return ParsedHolding(
        line=row.line,
        client_code=code,
        symbol=trading_symbol_in(symbol, "Symbol") if symbol or not isin else None,
        isin=isin_in(isin, "ISIN") if isin else None,
        exchange=_exchange_in(row.text(Column.EXCHANGE)),
        quantity=shares_in(row.text(Column.QUANTITY), "Quantity"),
        pledged=0,
        discrepant=0,
        long_term=None,
        average_price=price_in(row.text(Column.AVERAGE_PRICE), "Average price"),
        last_price=None,
    )


def _cash_of(row: TableRow, code: str) -> ParsedCash:
    for column in (Column.ISIN, Column.QUANTITY, Column.AVERAGE_PRICE):
        if row.text(column):
            raise CellRefused(f"{column} must be empty in a CASH row.")
    return ParsedCash(row.line, code, cash_in(row.text(Column.CASH), "Cash"))


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
        Column.CLIENT: ("client code",),
        Column.EXCHANGE: ("exchange",),
        Column.SYMBOL: ("symbol",),
        Column.ISIN: ("isin",),
        Column.QUANTITY: ("quantity",),
        Column.AVERAGE_PRICE: ("average price",),
        Column.CASH: ("cash",),
    },
    required=frozenset(
        {Column.CLIENT, Column.EXCHANGE, Column.SYMBOL, Column.QUANTITY, Column.AVERAGE_PRICE}
    ),
    read_row=_read_row,
    has_foot=False,
)
