"""The holdings statement of Zerodha Console, an XLSX workbook with a sheet "Equity"."""

from tarazu.imports.readers.cells import (
    isin_in,
    last_price_in,
    name_in,
    price_in,
    shares_in,
    signed_shares_in,
)
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow
from tarazu.imports.readers.parsed import FileKind, ParsedHolding


def _read_row(row: TableRow) -> ParsedHolding:
    """Owned are the available and the pledged shares; the long-term ones are among these."""
    pledged = sum(
        shares_in(row.text(column) or "0", column)
        for column in (FileColumn.PLEDGED, FileColumn.PLEDGED_FOR_LOAN)
    )
    long_term = row.text(FileColumn.LONG_TERM)
    return ParsedHolding(
        line=row.line,
        client_code=None,
        symbol=name_in(row.text(FileColumn.SYMBOL).upper(), "Symbol"),
        isin=isin_in(row.text(FileColumn.ISIN), "ISIN"),
        exchange=None,
        quantity=shares_in(row.text(FileColumn.QUANTITY), "Quantity available") + pledged,
        pledged=pledged,
        discrepant=signed_shares_in(row.text(FileColumn.DISCREPANT) or "0", FileColumn.DISCREPANT),
        long_term=shares_in(long_term, FileColumn.LONG_TERM) if long_term else None,
        average_price=price_in(row.text(FileColumn.AVERAGE_PRICE), "Average price"),
        last_price=last_price_in(row.text(FileColumn.LAST_PRICE), "Previous closing price"),
    )


CONSOLE = Layout(
    kind=FileKind.CONSOLE_HOLDINGS_XLSX,
    headings={
        FileColumn.SYMBOL: ("symbol",),
        FileColumn.ISIN: ("isin",),
        FileColumn.QUANTITY: ("quantity available",),
        FileColumn.DISCREPANT: ("quantity discrepant",),
        FileColumn.LONG_TERM: ("quantity long term",),
        FileColumn.PLEDGED: ("quantity pledged margin", "quantity pledged"),
        FileColumn.PLEDGED_FOR_LOAN: ("quantity pledged loan",),
        FileColumn.AVERAGE_PRICE: ("average price",),
        FileColumn.LAST_PRICE: ("previous closing price",),
    },
    required=frozenset(
        {FileColumn.SYMBOL, FileColumn.ISIN, FileColumn.QUANTITY, FileColumn.AVERAGE_PRICE}
    ),
    read_row=_read_row,
    has_foot=True,
)
