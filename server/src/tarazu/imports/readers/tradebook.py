"""Tradebooks: the one of Zerodha Console and the trades history of Angel One, a row a fill."""

import datetime as dt
import re
from typing import Final

from tarazu.imports.readers.cells import (
    CellRefused,
    isin_in,
    name_in,
    price_in,
    shares_in,
    shown,
    trading_symbol_in,
)
from tarazu.imports.readers.funds import date_in
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow, plain
from tarazu.imports.readers.parsed import FileKind, ParsedTrade
from tarazu.kit.clock import INDIA

MARKET_CLOSES: Final = dt.time(15, 30, tzinfo=INDIA)
"""When a trade is taken to have been where its file gives the day alone."""
_LONGEST_NUMBER: Final = 40
_SIDES: Final = {"buy": True, "b": True, "sell": False, "s": False}
_EXCHANGES: Final = frozenset({"NSE", "BSE"})
_SEGMENTS_OF_SHARES: Final = frozenset({"EQ", "EQUITY", "CAPITAL", "CASH"})
_OTHER_SERIES: Final = frozenset({"BE", "BZ", "BL", "SM", "ST"})
"""Series that are part of a symbol of NSE, such as IDEA-BE."""
_PRODUCTS: Final = frozenset({"DELIVERY", "INTRADAY", "MARGIN"})
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?", re.ASCII)
_MONTH_FIRST: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})", re.ASCII)


def _read_console(row: TableRow) -> ParsedTrade:
    _refuse_cut_off(row)
    exchange = _exchange_of(row)
    quantity = shares_in(row.text(FileColumn.QUANTITY), "Quantity")
    price = price_in(row.text(FileColumn.PRICE), "Price")
    if quantity == 0 or price == 0:
        raise CellRefused("Quantity and price must be above 0.")
    isin = row.text(FileColumn.ISIN)
    return ParsedTrade(
        row.line,
        _number_of(row.text(FileColumn.ORDER), "Order id"),
        _number_of(row.text(FileColumn.TRADE), "Trade id"),
        _time_of(row),
        _symbol_of(row, exchange),
        exchange,
        _is_purchase(row),
        quantity,
        price,
        isin_in(isin, "ISIN") if isin else "",
    )


def _read_angel(row: TableRow) -> ParsedTrade | None:
    """A trade; None for the brokerage of an order, which has no shares, and for notes."""
    scrip = row.text(FileColumn.SYMBOL)
    if plain(scrip).startswith("note"):
        return None
    _refuse_cut_off(row)
    quantity = shares_in(row.text(FileColumn.QUANTITY), "Quantity")
    if quantity == 0:
        return None
    exchange, is_purchase = _exchange_of(row), _is_purchase(row)
    column = FileColumn.BUY_PRICE if is_purchase else FileColumn.SELL_PRICE
    price = price_in(row.text(column), column)
    if price == 0:
        raise CellRefused("Quantity and price must be above 0.")
    symbol = name_in(scrip.upper().removesuffix("-EQ"), "Scrip")
    if symbol is None:
        raise CellRefused("Scrip is missing.")
    product = row.text(FileColumn.PRODUCT).upper()
    return ParsedTrade(
        row.line,
        _number_of(row.text(FileColumn.ORDER), "Order id"),
        _number_of(row.text(FileColumn.TRADE), "Trade id"),
        dt.datetime.combine(_day_of(row.text(FileColumn.DATE)), MARKET_CLOSES),
        symbol,
        exchange,
        is_purchase,
        quantity,
        price,
        product=product if product in _PRODUCTS else "DELIVERY",
    )


def _refuse_cut_off(row: TableRow) -> None:
    if row.is_cut_off:
        raise CellRefused("The row is cut off: cells at its end are missing.")


def _is_purchase(row: TableRow) -> bool:
    text = row.text(FileColumn.TYPE)
    if text.casefold() not in _SIDES:
        raise CellRefused(f'Trade type "{shown(text)}" is neither buy nor sell.')
    return _SIDES[text.casefold()]


def _exchange_of(row: TableRow) -> str:
    """NSE or BSE.

    Raises:
        CellRefused: the trade is not one of shares.
    """
    segment = row.text(FileColumn.SEGMENT).upper()
    if segment and segment not in _SEGMENTS_OF_SHARES:
        raise CellRefused(f'Segment "{shown(segment)}" is not imported: only trades of shares are.')
    exchange = row.text(FileColumn.EXCHANGE).upper()
    if exchange not in _EXCHANGES:
        raise CellRefused(f'Exchange "{shown(exchange)}" is neither NSE nor BSE.')
    return exchange


def _symbol_of(row: TableRow, exchange: str) -> str:
    """The symbol as the broker's own lists have it: with every series but EQ."""
    symbol = trading_symbol_in(row.text(FileColumn.SYMBOL), "Symbol")
    series = row.text(FileColumn.SERIES).upper()
    is_part = exchange == "NSE" and series in _OTHER_SERIES
    return f"{symbol}-{series}" if is_part and not symbol.endswith(f"-{series}") else symbol


def _number_of(text: str, heading: str) -> str:
    number = text.removesuffix(".0")
    if not number.isalnum() or not number.isascii() or len(number) > _LONGEST_NUMBER:
        raise CellRefused(f'{heading} "{shown(text)}" is not an order or trade number.')
    return number


def _time_of(row: TableRow) -> dt.datetime:
    """When it was filled, in India; at the close of its day where the file has no times at all."""
    day, text = date_in(row.text(FileColumn.DATE)), row.text(FileColumn.TIME)
    if FileColumn.TIME not in row.positions:
        return dt.datetime.combine(day, MARKET_CLOSES)
    try:
        at = dt.datetime.fromisoformat(text) if _TIME.fullmatch(text) else None
    except ValueError:
        at = None
    if at is None or at.date() != day:
        raise CellRefused(f'Order execution time "{shown(text)}" is not a time on {day}.')
    return at.replace(tzinfo=INDIA)


def _day_of(text: str) -> dt.date:
    """The day of Angel One's files: a date of the workbook, or the month first, as 8/21/26."""
    match = _MONTH_FIRST.fullmatch(text)
    if match is None:
        return date_in(text)
    month, day, year = int(match[1]), int(match[2]), int(match[3])
    try:
        return dt.date(year if year > 99 else 2000 + year, month, day)  # noqa: PLR2004 - two digits
    except ValueError:
        raise CellRefused(f'Date "{shown(text)}" is not a day such as 8/21/26.') from None


CONSOLE_TRADEBOOK = Layout(
    kind=FileKind.CONSOLE_TRADEBOOK,
    headings={
        FileColumn.SYMBOL: ("symbol",),
        FileColumn.ISIN: ("isin",),
        FileColumn.DATE: ("trade date",),
        FileColumn.EXCHANGE: ("exchange",),
        FileColumn.SEGMENT: ("segment",),
        FileColumn.SERIES: ("series",),
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
    read_row=_read_console,
    has_foot=False,
)

ANGEL_TRADEBOOK = Layout(
    kind=FileKind.ANGEL_TRADEBOOK,
    headings={
        FileColumn.SYMBOL: ("scrip contract",),
        FileColumn.TYPE: ("buy sell",),
        FileColumn.BUY_PRICE: ("buy price",),
        FileColumn.SELL_PRICE: ("sell price",),
        FileColumn.QUANTITY: ("quantity",),
        FileColumn.PRODUCT: ("order type",),
        FileColumn.SEGMENT: ("segment",),
        FileColumn.EXCHANGE: ("exchange",),
        FileColumn.ORDER: ("order id",),
        FileColumn.TRADE: ("trade id",),
        FileColumn.DATE: ("date",),
    },
    required=frozenset(
        {
            FileColumn.SYMBOL,
            FileColumn.TYPE,
            FileColumn.BUY_PRICE,
            FileColumn.SELL_PRICE,
            FileColumn.QUANTITY,
            FileColumn.EXCHANGE,
            FileColumn.ORDER,
            FileColumn.TRADE,
            FileColumn.DATE,
        }
    ),
    read_row=_read_angel,
    has_foot=False,
)
