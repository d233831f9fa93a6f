"""Tables of fees as they are taken away."""

from collections.abc import Sequence
from typing import Final

from tarazu.domain.money import ZERO
from tarazu.fees.service import ClientFee, ClientFees
from tarazu.kit.sheets import Column, Kind, Sheet

FLOWS_CHANGED: Final = "Cash flows changed after this fee"

_OVERVIEW: Sequence[Column[ClientFees]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.user_name),
    Column("Total Amount", Kind.RUPEES, lambda row: row.total_fees),
    Column("Due Amount", Kind.RUPEES, lambda row: row.total_due),
    Column("Due Date", Kind.DAY, lambda row: row.due_date),
    Column("Paid Amount", Kind.RUPEES, lambda row: row.total_paid),
    Column("Paid Date", Kind.DAY, lambda row: row.paid_date),
    Column("Status", Kind.TEXT, lambda row: row.status),
    Column("Cash Flow Changes", Kind.TEXT, lambda row: FLOWS_CHANGED if row.flows_changed else ""),
)

_FEES: Sequence[Column[ClientFee]] = (
    Column("Starting Date", Kind.DAY, lambda row: row.fee.starting_on),
    Column("Final Date", Kind.DAY, lambda row: row.fee.final_on),
    Column("Due Date", Kind.DAY, lambda row: row.fee.due_on),
    Column("Starting Value", Kind.RUPEES, lambda row: row.fee.starting_value),
    Column("Final Value", Kind.RUPEES, lambda row: row.fee.final_value),
    Column("Net Gain", Kind.RUPEES, lambda row: row.fee.net_gain),
    Column("Net Gain %", Kind.PERCENT, lambda row: row.net_gain_percentage),
    Column("Applicable %", Kind.PERCENT, lambda row: row.fee.applicable_percentage),
    Column("Fees", Kind.RUPEES, lambda row: row.fee.amount),
    Column("Net Gain After Fees", Kind.RUPEES, lambda row: row.net_gain_after_fee),
    Column("Status", Kind.TEXT, lambda row: row.fee.status),
    Column("Paid Date", Kind.DAY, lambda row: row.fee.paid_on),
    Column(
        "Cash Flow Changes",
        Kind.TEXT,
        lambda row: FLOWS_CHANGED if row.flows_changed else "",
    ),
    Column(
        "Fees Now",
        Kind.RUPEES,
        lambda row: row.flows_changed.fees_now if row.flows_changed else None,
    ),
)


def overview_sheet(rows: Sequence[ClientFees]) -> Sheet[ClientFees]:
    """What each client was charged."""
    totals = {
        "Total Amount": sum((row.total_fees for row in rows), ZERO),
        "Due Amount": sum((row.total_due for row in rows), ZERO),
        "Paid Amount": sum((row.total_paid for row in rows), ZERO),
    }
    return Sheet("Fees", _OVERVIEW, rows, totals)


def fee_sheet(rows: Sequence[ClientFee]) -> Sheet[ClientFee]:
    """The fee periods of one client."""
    totals = {
        "Net Gain": sum((row.fee.net_gain or ZERO for row in rows), ZERO),
        "Fees": sum((row.fee.amount or ZERO for row in rows), ZERO),
        "Net Gain After Fees": sum((row.net_gain_after_fee or ZERO for row in rows), ZERO),
    }
    return Sheet("Fees", _FEES, rows, totals)
