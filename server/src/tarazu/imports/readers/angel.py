"""The holdings report of Angel One, XLSX or CSV; its headings differ from report to report."""

from tarazu.imports.readers.cells import isin_in, last_price_in, name_in, price_in, shares_in
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow
from tarazu.imports.readers.parsed import FileKind, ParsedHolding


def _read_row(row: TableRow) -> ParsedHolding:
    symbol = name_in(row.text(FileColumn.SYMBOL).upper().removesuffix("-EQ"), "Scrip")
    exchange = row.text(FileColumn.EXCHANGE).upper()
    return ParsedHolding(
        line=row.line,
        client_code=None,
        symbol=symbol,
        isin=isin_in(row.text(FileColumn.ISIN), "ISIN"),
        exchange=exchange if exchange in {"NSE", "BSE"} else None,
        quantity=shares_in(row.text(FileColumn.QUANTITY), "Quantity"),
        pledged=shares_in(row.text(FileColumn.PLEDGED) or "0", FileColumn.PLEDGED),
        discrepant=0,
        long_term=None,
        average_price=price_in(row.text(FileColumn.AVERAGE_PRICE), "Average price"),
        last_price=last_price_in(row.text(FileColumn.LAST_PRICE), "Last price"),
    )


ANGEL = Layout(
    kind=FileKind.ANGEL_HOLDINGS,
    headings={
        FileColumn.SYMBOL: (
            "scrip contract",
            "trading symbol",
            "tradingsymbol",
            "stock symbol",
            "scrip symbol",
            "symbol",
            "scrip",
            "scrip name",
            "scripname",
            "script",
            "script stock",
            "stock",
            "stock name",
            "security name",
            "company name",
        ),
        FileColumn.EXCHANGE: ("exchange", "exch"),
        FileColumn.ISIN: ("isin", "isin code", "isin no", "isin number"),
        FileColumn.QUANTITY: (
            "total quantity",
            "total qty",
            "net quantity",
            "net qty",
            "holding quantity",
            "holding qty",
            "quantity",
            "qty",
        ),
        FileColumn.PLEDGED: (
            "margin pledged quantity",
            "pledged quantity",
            "pledge quantity",
            "pledged qty",
            "pledge qty",
        ),
        FileColumn.AVERAGE_PRICE: (
            "avg trading price",
            "average trading price",
            "average price",
            "avg price",
            "average cost",
            "avg cost",
            "average buy price",
            "avg buy price",
            "buy average price",
            "buy avg price",
            "average rate",
            "avg rate",
        ),
        FileColumn.LAST_PRICE: (
            "ltp",
            "last traded price",
            "last price",
            "current price",
            "current market price",
            "cmp",
            "market price",
            "prev closing price",
            "previous closing price",
            "prev close",
            "closing price",
            "close price",
        ),
    },
    required=frozenset(
        {FileColumn.SYMBOL, FileColumn.ISIN, FileColumn.QUANTITY, FileColumn.AVERAGE_PRICE}
    ),
    read_row=_read_row,
    has_foot=True,
)
