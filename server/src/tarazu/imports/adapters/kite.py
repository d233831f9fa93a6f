"""The holdings page of Zerodha's Kite, downloaded as CSV: no ISIN, no date, no client id."""

from tarazu.imports.adapters.cells import last_price_in, price_in, shares_in, trading_symbol_in
from tarazu.imports.adapters.layouts import Column, Layout, TableRow
from tarazu.imports.adapters.parsed import FileKind, ParsedHolding


def _read_row(row: TableRow) -> ParsedHolding:
    return ParsedHolding(
        line=row.line,
        client_code=None,
        symbol=trading_symbol_in(row.text(Column.SYMBOL), "Instrument"),
        isin=None,
        exchange=None,
        quantity=shares_in(row.text(Column.QUANTITY), "Quantity"),
        pledged=0,
        discrepant=0,
        long_term=None,
        average_price=price_in(row.text(Column.AVERAGE_PRICE), "Average cost"),
        last_price=last_price_in(row.text(Column.LAST_PRICE), "LTP"),
    )


KITE = Layout(
    kind=FileKind.KITE_HOLDINGS_CSV,
    headings={
        Column.SYMBOL: ("instrument",),
        Column.QUANTITY: ("qty", "quantity"),
        Column.AVERAGE_PRICE: ("avg cost", "average cost"),
        Column.LAST_PRICE: ("ltp",),
    },
    required=frozenset({Column.SYMBOL, Column.QUANTITY, Column.AVERAGE_PRICE}),
    read_row=_read_row,
    has_foot=True,
)
