"""Funds in and out: our own list, and the ledger of Zerodha Console."""

import datetime as dt
from typing import Final

from tarazu.domain.money import ZERO, Rupees
from tarazu.imports.readers.cells import CellRefused, cash_in, client_code_in, shown
from tarazu.imports.readers.layouts import FileColumn, Layout, TableRow, plain
from tarazu.imports.readers.parsed import FileKind, ParsedFlow
from tarazu.imports.readers.titles import day_in

FUNDS_HEADER = "client_code,date,amount,type"

_ADDED: Final = frozenset(
    {"funds added", "fund added", "added", "add", "credit", "deposit", "pay in", "payin", "in"}
)
_WITHDRAWN: Final = frozenset(
    {"funds withdrawn", "fund withdrawl", "fund withdrawal", "withdrawn", "withdrawal", "withdraw",
     "debit", "payout", "pay out", "out"}
)  # fmt: skip
_RECEIPTS: Final = frozenset({"bank receipts", "bank receipt"})
_PAYMENTS: Final = frozenset({"bank payments", "bank payment"})


def date_in(text: str) -> dt.date:
    """The day in a cell.

    Raises:
        CellRefused: there is none.
    """
    day = day_in(text)
    if day is None:
        raise CellRefused(f'Date "{shown(text)}" is not a day such as 2026-08-21 or 21/08/2026.')
    return day


def amount_in(text: str) -> Rupees:
    """Rupees above nought, at most two decimals.

    Raises:
        CellRefused: anything else.
    """
    amount = cash_in(text, "Amount")
    if amount <= 0:
        raise CellRefused(f'Amount "{shown(text)}" must be above 0.')
    if amount != round(amount, 2):
        raise CellRefused(f'Amount "{shown(text)}" has more than 2 decimals.')
    return amount


def _read_own(row: TableRow) -> ParsedFlow:
    code = row.text(FileColumn.CLIENT)
    kind = plain(row.text(FileColumn.TYPE))
    if kind not in _ADDED | _WITHDRAWN:
        raise CellRefused(
            f'Type "{shown(row.text(FileColumn.TYPE))}" is neither Fund Added nor Fund Withdrawl.'
        )
    amount = amount_in(row.text(FileColumn.AMOUNT))
    day = date_in(row.text(FileColumn.DATE))
    signed = amount if kind in _ADDED else -amount
    return ParsedFlow(row.line, client_code_in(code) if code else None, day, signed)


def _read_ledger(row: TableRow) -> ParsedFlow | None:
    """Only money that came from the bank or went to it; settlements and charges are no flows."""
    voucher = plain(row.text(FileColumn.TYPE))
    if voucher not in _RECEIPTS | _PAYMENTS:
        return None
    added, taken = (_side(row, column) for column in (FileColumn.CREDIT, FileColumn.DEBIT))
    if (added > 0) == (taken > 0):
        raise CellRefused("Debit and credit: one of them must have an amount.")
    return ParsedFlow(row.line, None, date_in(row.text(FileColumn.DATE)), added - taken)


def _side(row: TableRow, column: FileColumn) -> Rupees:
    text = row.text(column)
    amount = cash_in(text, column) if text not in {"", "-"} else ZERO
    if amount < 0:
        raise CellRefused(f'{column} "{shown(text)}" is below 0.')
    return amount


FUNDS = Layout(
    kind=FileKind.FUNDS,
    headings={
        FileColumn.CLIENT: ("client code", "client id"),
        FileColumn.DATE: ("date",),
        FileColumn.AMOUNT: ("amount",),
        FileColumn.TYPE: ("type", "cashflow type"),
    },
    required=frozenset({FileColumn.DATE, FileColumn.AMOUNT, FileColumn.TYPE}),
    read_row=_read_own,
    has_foot=False,
)

CONSOLE_LEDGER = Layout(
    kind=FileKind.CONSOLE_LEDGER,
    headings={
        FileColumn.PARTICULARS: ("particulars",),
        FileColumn.DATE: ("posting date",),
        FileColumn.TYPE: ("voucher type",),
        FileColumn.DEBIT: ("debit",),
        FileColumn.CREDIT: ("credit",),
    },
    required=frozenset({FileColumn.DATE, FileColumn.TYPE, FileColumn.DEBIT, FileColumn.CREDIT}),
    read_row=_read_ledger,
    has_foot=False,
)
