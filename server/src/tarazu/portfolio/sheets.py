"""Columns of the exports of a client's accounting and restrictions."""

from collections.abc import Sequence

from tarazu.domain.restrictions import words_of
from tarazu.kit.export import Column, Kind
from tarazu.portfolio.service import StockRestricted, Transaction
from tarazu.portfolio.tables import FlowType

# The specification spells it so.
_KINDS = {FlowType.FUNDS_ADDED: "Fund Added", FlowType.FUNDS_WITHDRAWN: "Fund Withdrawl"}

ACCOUNTING: Sequence[Column[Transaction]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Amount", Kind.RUPEES, lambda row: row.amount),
    Column("Type", Kind.TEXT, lambda row: _KINDS[row.type]),
)


RESTRICTIONS: Sequence[Column[StockRestricted]] = (
    Column("Stock", Kind.TEXT, lambda row: row.instrument.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row.instrument.exchange),
    Column("ISIN", Kind.TEXT, lambda row: row.instrument.isin),
    Column("Restriction", Kind.TEXT, lambda row: words_of(row.restriction)),
    Column("Minimum %", Kind.PERCENT, lambda row: row.restriction.minimum),
    Column("Maximum %", Kind.PERCENT, lambda row: row.restriction.maximum),
    Column("Reason", Kind.TEXT, lambda row: row.reason),
)
