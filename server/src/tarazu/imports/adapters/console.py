"""The holdings statement of Zerodha Console, an XLSX workbook with a sheet "Equity"."""

from tarazu.imports.adapters.cells import (
    isin_in,
    last_price_in,
    name_in,
    price_in,
    shares_in,
    signed_shares_in,
)
from tarazu.imports.adapters.layouts import Column, Layout, TableRow
from tarazu.imports.adapters.parsed import FileKind, ParsedHolding


def _read_row(row: TableRow) -> ParsedHolding:
    """Owned are the available and the pledged shares; the long-term ones are among these."""
    pledged = sum(
        shares_in(row.text(column) or "0", column)
        for column in (Column.PLEDGED, Column.PLEDGED_FOR_LOAN)
    )
    long_term = row.text(Column.LONG_TERM)
    return ParsedHolding(
        line=row.line,
        client_code=None,
        symbol=name_in(row.text(Column.SYMBOL).upper(), "Symbol"),
        isin=isin_in(row.text(Column.ISIN), "ISIN"),
        exchange=None,
        quantity=shares_in(row.text(Column.QUANTITY), "Quantity available") + pledged,
        pledged=pledged,
        discrepant=signed_shares_in(row.text(Column.DISCREPANT) or "0", Column.DISCREPANT),
        long_term=shares_in(long_term, Column.LONG_TERM) if long_term else None,
        average_price=price_in(row.text(Column.AVERAGE_PRICE), "Average price"),
        last_price=last_price_in(row.text(Column.LAST_PRICE), "Previous closing price"),
    )


CONSOLE = Layout(
    kind=FileKind.CONSOLE_HOLDINGS_XLSX,
    headings={
        Column.SYMBOL: ("symbol",),
        Column.ISIN: ("isin",),
        Column.QUANTITY: ("quantity available",),
        Column.DISCREPANT: ("quantity discrepant",),
        Column.LONG_TERM: ("quantity long term",),
        Column.PLEDGED: ("quantity pledged margin", "quantity pledged"),
        Column.PLEDGED_FOR_LOAN: ("quantity pledged loan",),
        Column.AVERAGE_PRICE: ("average price",),
        Column.LAST_PRICE: ("previous closing price",),
    },
    required=frozenset({Column.SYMBOL, Column.ISIN, Column.QUANTITY, Column.AVERAGE_PRICE}),
    read_row=_read_row,
    has_foot=True,
)
