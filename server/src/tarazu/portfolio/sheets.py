"""Columns of the export of a client's accounting."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.portfolio.service import Transaction
from tarazu.portfolio.tables import FlowType

# The specification spells it so.
_KINDS = {FlowType.FUNDS_ADDED: "Fund Added", FlowType.FUNDS_WITHDRAWN: "Fund Withdrawl"}

ACCOUNTING: Sequence[Column[Transaction]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Amount", Kind.RUPEES, lambda row: row.amount),
    Column("Type", Kind.TEXT, lambda row: _KINDS[row.type]),
)
