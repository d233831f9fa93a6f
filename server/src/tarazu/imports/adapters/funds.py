"""Funds in and out: our own list, and the ledger of Zerodha Console."""

import datetime as dt
from typing import Final

from tarazu.domain.money import ZERO, Rupees
from tarazu.imports.adapters.cells import CellRefused, cash_in, client_code_in, shown
from tarazu.imports.adapters.layouts import Column, Layout, TableRow, plain
from tarazu.imports.adapters.parsed import FileKind, ParsedFlow
from tarazu.imports.adapters.titles import day_in

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
    code = row.text(Column.CLIENT)
    kind = plain(row.text(Column.TYPE))
    if kind not in _ADDED | _WITHDRAWN:
        raise CellRefused(
            f'Type "{shown(row.text(Column.TYPE))}" is neither Fund Added nor Fund Withdrawl.'
        )
    amount = amount_in(row.text(Column.AMOUNT))
    day = date_in(row.text(Column.DATE))
    signed = amount if kind in _ADDED else -amount
    return ParsedFlow(row.line, client_code_in(code) if code else None, day, signed)


def _read_ledger(row: TableRow) -> ParsedFlow | None:
    """Only money that came from the bank or went to it; settlements and charges are no flows."""
    voucher = plain(row.text(Column.TYPE))
    if voucher not in _RECEIPTS | _PAYMENTS:
        return None
    added, taken = (_side(row, column) for column in (Column.CREDIT, Column.DEBIT))
    if (added > 0) == (taken > 0):
        raise CellRefused("Debit and credit: one of them must have an amount.")
    return ParsedFlow(row.line, None, date_in(row.text(Column.DATE)), added - taken)


def _side(row: TableRow, column: Column) -> Rupees:
    text = row.text(column)
    amount = cash_in(text, column) if text not in {"", "-"} else ZERO
    if amount < 0:
        raise CellRefused(f'{column} "{shown(text)}" is below 0.')
    return amount


FUNDS = Layout(
    kind=FileKind.FUNDS,
    headings={
        Column.CLIENT: ("client code", "client id"),
        Column.DATE: ("date",),
        Column.AMOUNT: ("amount",),
        Column.TYPE: ("type", "cashflow type"),
    },
    required=frozenset({Column.DATE, Column.AMOUNT, Column.TYPE}),
    read_row=_read_own,
    has_foot=False,
)

CONSOLE_LEDGER = Layout(
    kind=FileKind.CONSOLE_LEDGER,
    headings={
        Column.PARTICULARS: ("particulars",),
        Column.DATE: ("posting date",),
        Column.TYPE: ("voucher type",),
        Column.DEBIT: ("debit",),
        Column.CREDIT: ("credit",),
    },
    required=frozenset({Column.DATE, Column.TYPE, Column.DEBIT, Column.CREDIT}),
    read_row=_read_ledger,
    has_foot=False,
)
