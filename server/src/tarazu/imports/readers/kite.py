"""The holdings page of Zerodha's Kite, downloaded as CSV: no ISIN, no date, no client id."""

from tarazu.imports.readers.cells import last_price_in, price_in, shares_in, trading_symbol_in
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow
from tarazu.imports.readers.parsed import FileKind, ParsedHolding


def _read_row(row: TableRow) -> ParsedHolding:
    return ParsedHolding(
        line=row.line,
        client_code=None,
        symbol=trading_symbol_in(row.text(FileColumn.SYMBOL), "Instrument"),
        isin=None,
        exchange=None,
        quantity=shares_in(row.text(FileColumn.QUANTITY), "Quantity"),
        pledged=0,
        discrepant=0,
        long_term=None,
        average_price=price_in(row.text(FileColumn.AVERAGE_PRICE), "Average cost"),
        last_price=last_price_in(row.text(FileColumn.LAST_PRICE), "LTP"),
    )


KITE = Layout(
    kind=FileKind.KITE_HOLDINGS_CSV,
    headings={
        FileColumn.SYMBOL: ("instrument",),
        FileColumn.QUANTITY: ("qty", "quantity"),
        FileColumn.AVERAGE_PRICE: ("avg cost", "average cost"),
        FileColumn.LAST_PRICE: ("ltp",),
    },
    required=frozenset({FileColumn.SYMBOL, FileColumn.QUANTITY, FileColumn.AVERAGE_PRICE}),
    read_row=_read_row,
    has_foot=True,
)
