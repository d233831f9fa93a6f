"""A client's accounting as an export."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind, Sheet
from tarazu.portfolio.service import Transaction
from tarazu.portfolio.tables import FlowType

# The product spells it so, and so it stays.
_KINDS = {FlowType.FUNDS_ADDED: "Fund Added", FlowType.FUNDS_WITHDRAWN: "Fund Withdrawl"}

_ACCOUNTING: Sequence[Column[Transaction]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Amount", Kind.RUPEES, lambda row: row.amount),
    Column("Type", Kind.TEXT, lambda row: _KINDS[row.type]),
)


def accounting_sheet(flows: Sequence[Transaction]) -> Sheet[Transaction]:
    """Funds that a client added and withdrew."""
    return Sheet("Accounting", _ACCOUNTING, flows)
