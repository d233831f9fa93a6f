"""Makes holdings files of every kind, as the brokers write them, and looks at what they did."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from openpyxl import Workbook
from sqlalchemy import text

from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.people import service as people
from tarazu.people.service import NewPerson
from tarazu.portfolio import service as portfolio

KITE_HEADER = (
    "Instrument", "Qty.", "Avg. cost", "LTP", "Invested", "Cur. val", "P&L", "Net chg.", "Day chg.",
)  # fmt: skip
CONSOLE_HEADER = (
    "Symbol", "ISIN", "Sector", "Quantity Available", "Quantity Discrepant", "Quantity Long Term",
    "Quantity Pledged (Margin)", "Quantity Pledged (Loan)", "Average Price",
    "Previous Closing Price", "Unrealized P&L", "Unrealized P&L Pct.",
)  # fmt: skip
ANGEL_HEADER = (
    "Scrip/Contract", "Company Name", "ISIN", "MarketCap", "Sector", "Quantity", "Blocked_qty",
    "Avg Trading Price", "Prev closing Price", "Invested Value",
    "Market Value as of last trading day", "Overall Gain/Loss",
)  # fmt: skip
ZERODHA_TRADES_HEADER = (
    "Symbol", "ISIN", "Trade Date", "Exchange", "Segment", "Series", "Trade Type", "Auction",
    "Quantity", "Price", "Trade ID", "Order ID", "Order Execution Time",
)  # fmt: skip
ANGEL_TRADES_HEADER = (
    "Scrip/Contract", "Buy/Sell", "Buy Price", "Sell Price", "Quantity", "Brokerage", "GST", "STT",
    "Sebi Tax", "Exchange Turnover Charges", "Stamp Duty", "Other Charges", "IPFT Charges",
    "Order Type", "Segment", "Exchange", "Order ID", "Trade ID", "Date",
)  # fmt: skip
FIRM_HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash"

INFY, TCS, RELIANCE, ITC = "INE009A01021", "INE467B01029", "INE002A01018", "INE154A01025"

Cells = Sequence[object]


def kite(*rows: tuple[str, object, object]) -> bytes:
    """Kite's CSV of symbols, quantities and average costs."""
    written = io.StringIO()
    out = csv.writer(written, quoting=csv.QUOTE_NONNUMERIC)
    out.writerow(KITE_HEADER)
    for symbol, quantity, cost in rows:
        out.writerow([symbol, quantity, cost, 100, 0, 0, 0, 0, 0])
    return written.getvalue().encode()


def console(*rows: tuple[str, str, object, object], client: str = "AB1234") -> bytes:
    """Console's workbook of symbols, ISINs, quantities and average prices."""
    titles: list[Cells] = [
        *((),) * 6,
        (None, "Client ID", client),
        *((),) * 3,
        (None, "Equity Holdings Statement as on 2026-08-21"),
        (),
        (None, *CONSOLE_HEADER),
    ]
    body = [
        (None, symbol, isin, "IT", quantity, 0, 0, 0, 0, price, 100, 0, 0)
        for symbol, isin, quantity, price in rows
    ]
    return _workbook("Equity", [*titles, *body])


def angel(*rows: tuple[str, str, object, object], client: str = "A123456") -> bytes:
    """Angel One's workbook of scrips, ISINs, quantities and average prices."""
    titles: list[Cells] = [
        ("Client Name", "Client ID"),
        ("A Client", client),
        ("Report as on 21-Aug-2026",),
        (),
        ANGEL_HEADER,
    ]
    body = [
        (scrip, "A Company", isin, "Large Cap", "IT", quantity, 0, price, 100, 0, 0, 0)
        for scrip, isin, quantity, price in rows
    ]
    return _workbook("Portfolio", [*titles, *body])


def zerodha_trades(*rows: Cells, client: str = "AB1234") -> bytes:
    """Console's tradebook as a workbook.

    A row has symbol, ISIN, day, segment, series, side, quantity, price, trade, order and time.
    """
    titles: list[Cells] = [
        *((),) * 4,
        (None, "Client ID", client),
        (),
        (None, "Tradebook for Equity from 2025-04-01 to 2026-03-31"),
        (),
        (None, *ZERODHA_TRADES_HEADER),
    ]
    body = [
        (None, symbol, isin, day, "NSE", segment, series, side, False, *figures, f"{day}T{time}")
        for symbol, isin, day, segment, series, side, *figures, time in rows
    ]
    return _workbook("Equity", [*titles, *body])


def angel_trades(*rows: Cells, client: str = "A123456") -> bytes:
    """Angel One's trades history.

    A row has scrip, side, price, quantity, order type, segment, order, trade and day.
    """
    titles: list[Cells] = [
        ("ClientCode", client),
        ("DownloadDate", "04/10/2025"),
        ("StartDate", "2025-04-01"),
        ("EndDate", "2025-04-09"),
        *(("A charge", number) for number in range(28)),
        ("TradeBook And Charges",),
        ANGEL_TRADES_HEADER,
    ]
    body: list[Cells] = []
    for scrip, side, price, quantity, product, segment, order, trade, day in rows:
        prices = (price, 0) if side == "BUY" else (0, price)
        charges = (20, 3.6, 0, 0, 0, 0, 0, 0)
        body.append(
            (scrip, side, *prices, quantity, *charges, product, segment, "NSE", order, trade, day)
        )
    return _workbook("TradesAndCharges", [*titles, *body, ("NOTE: Data Accurate Till", "4/9/25")])


def firm(*rows: str) -> bytes:
    """The firm-wide CSV of these lines."""
    return "\n".join([FIRM_HEADER, *rows, ""]).encode()


THIRTY = [
    "INFY",
    "TCS",
    "ITC",
    "LT",
    "M&M",
    "RELIANCE",
    "SBIN",
    "WIPRO",
    "TITAN",
    "CIPLA",
    "HDFCBANK",
    "ICICIBANK",
    "AXISBANK",
    "MARUTI",
    "NTPC",
    "ONGC",
    "COALINDIA",
    "BEL",
    "TATASTEEL",
    "JSWSTEEL",
    "GRASIM",
    "NESTLEIND",
    "BRITANNIA",
    "HCLTECH",
    "TECHM",
    "SUNPHARMA",
    "DRREDDY",
    "ADANIPORTS",
    "POWERGRID",
    "ULTRACEMCO",
]


def large_file(clients: int, bump: int = 0) -> bytes:
    """Thirty holdings a client: over five thousand rows for 180 clients and up."""
    return firm(
        *(
            f"C{client:04d},NSE,{symbol},,{place + client + bump},{100 + place}.25,"
            for client in range(1, clients + 1)
            for place, symbol in enumerate(THIRTY)
        )
    )


def add_clients(database: Database, count: int) -> None:
    new = [NewPerson(f"Client {number}", f"{number}@home.example") for number in range(count)]
    with database.transaction() as session:
        added = people.add_clients(session, SYSTEM, clock.now(), new)
        portfolio.open_accounts(session, clock.now(), [client.id for client in added])


def books(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that an import may change, and the trail, as they stand."""
    tables = ("accounts", "holdings", "stock_totals", "firm_totals", "audit")
    with database.reading() as session:
        return {
            table: sorted((tuple(row) for row in session.execute(text(f"SELECT * FROM {table}"))),
                          key=repr)
            for table in tables
        }  # fmt: skip


def refuse_wrong_totals(database: Database) -> None:
    """Assert that the kept totals equal the rows of the counted clients."""
    kept = text(
        "SELECT instrument_id, quantity, invested FROM stock_totals"
        " WHERE quantity <> 0 OR invested <> 0 ORDER BY instrument_id"
    )
    summed = text(
        "SELECT h.instrument_id, CAST(SUM(h.quantity) AS BIGINT),"
        " CAST(SUM(h.quantity * h.average_price) AS BIGINT) FROM holdings h"
        " JOIN accounts a ON a.client_id = h.client_id AND a.is_counted"
        " GROUP BY h.instrument_id ORDER BY h.instrument_id"
    )
    cash = text(
        "SELECT (SELECT net FROM firm_totals),"
        " (SELECT CAST(COALESCE(SUM(net), 0) AS BIGINT) FROM accounts WHERE is_counted)"
    )
    with database.reading() as session:
        assert session.execute(kept).all() == session.execute(summed).all()
        kept_cash, summed_cash = session.execute(cash).one()
        assert kept_cash == summed_cash


def _workbook(sheet_name: str, rows: Iterable[Cells]) -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = sheet_name
    for row in rows:
        sheet.append(list(row))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()
