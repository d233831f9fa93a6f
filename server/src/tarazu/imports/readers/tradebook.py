"""The tradebook of Zerodha Console: a row a fill, into the order book."""

import datetime as dt

from tarazu.imports.readers.cells import CellRefused, price_in, shares_in, shown, trading_symbol_in
from tarazu.imports.readers.funds import date_in
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow
from tarazu.imports.readers.parsed import FileKind, ParsedTrade
from tarazu.kit.clock import INDIA

_LONGEST_NUMBER = 40


def _read_row(row: TableRow) -> ParsedTrade:
    side = row.text(FileColumn.TYPE).casefold()
    if side not in {"buy", "sell"}:
        raise CellRefused(f'Trade type "{shown(side)}" is neither buy nor sell.')
    exchange = row.text(FileColumn.EXCHANGE).upper()
    if exchange not in {"NSE", "BSE"}:
        raise CellRefused(f'Exchange "{shown(exchange)}" is neither NSE nor BSE.')
    quantity = shares_in(row.text(FileColumn.QUANTITY), "Quantity")
    price = price_in(row.text(FileColumn.PRICE), "Price")
    if quantity == 0 or price == 0:
        raise CellRefused("Quantity and price must be above 0.")
    return ParsedTrade(
        row.line,
        _number_of(row.text(FileColumn.ORDER), "Order id"),
        _number_of(row.text(FileColumn.TRADE), "Trade id"),
        _instant_in(row),
        trading_symbol_in(row.text(FileColumn.SYMBOL), "Symbol"),
        exchange,
        side == "buy",
        quantity,
        price,
    )


def _number_of(text: str, heading: str) -> str:
    number = text.removesuffix(".0")
    if not number.isalnum() or len(number) > _LONGEST_NUMBER:
        raise CellRefused(f'{heading} "{shown(text)}" is not an order or trade number.')
    return number


def _instant_in(row: TableRow) -> dt.datetime:
    """When it was filled, in India's time; the day's opening where the file gives the day only."""
    text = row.text(FileColumn.TIME)
    try:
        at = dt.datetime.fromisoformat(text)
    except ValueError:
        day = date_in(row.text(FileColumn.DATE))
        return dt.datetime.combine(day, dt.time(9, 15, tzinfo=INDIA))
    return at if at.tzinfo else at.replace(tzinfo=INDIA)


CONSOLE_TRADEBOOK = Layout(
    kind=FileKind.CONSOLE_TRADEBOOK,
    headings={
        FileColumn.SYMBOL: ("symbol",),
        FileColumn.DATE: ("trade date",),
        FileColumn.EXCHANGE: ("exchange",),
        FileColumn.TYPE: ("trade type",),
        FileColumn.QUANTITY: ("quantity",),
        FileColumn.PRICE: ("price",),
        FileColumn.TRADE: ("trade id",),
        FileColumn.ORDER: ("order id",),
        FileColumn.TIME: ("order execution time",),
    },
    required=frozenset(
        {
            FileColumn.SYMBOL,
            FileColumn.DATE,
            FileColumn.TYPE,
            FileColumn.QUANTITY,
            FileColumn.PRICE,
            FileColumn.ORDER,
            FileColumn.TRADE,
            FileColumn.EXCHANGE,
        }
    ),
    read_row=_read_row,
    has_foot=False,
)
