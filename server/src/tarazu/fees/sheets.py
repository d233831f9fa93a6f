"""Columns of the exports of fees."""

from collections.abc import Sequence
from typing import Final

from tarazu.domain.money import plain
from tarazu.fees.service import ClientFee, ClientFees, KeptSchedule, RecordedFee
from tarazu.firm.service import FeeTerms
from tarazu.kit.export import Column, Kind

FLOWS_CHANGED: Final = "Cash flows changed after this fee"

CLIENT_FEES: Final[Sequence[Column[ClientFees]]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.user_name),
    Column("Total Amount", Kind.RUPEES, lambda row: row.total_fees, is_summed=True),
    Column("Due Amount", Kind.RUPEES, lambda row: row.total_due, is_summed=True),
    Column("Due Date", Kind.DAY, lambda row: row.due_date),
    Column("Paid Amount", Kind.RUPEES, lambda row: row.total_paid, is_summed=True),
    Column("Paid Date", Kind.DAY, lambda row: row.paid_date),
    Column("Status", Kind.TEXT, lambda row: row.status),
    Column("Cash Flow Changes", Kind.TEXT, lambda row: FLOWS_CHANGED if row.flows_changed else ""),
)

FEES: Final[Sequence[Column[ClientFee]]] = (
    Column("Starting Date", Kind.DAY, lambda row: row.fee.starting_on),
    Column("Final Date", Kind.DAY, lambda row: row.fee.final_on),
    Column("Due Date", Kind.DAY, lambda row: row.fee.due_on),
    Column("Starting Value", Kind.RUPEES, lambda row: row.fee.starting_value),
    Column("Final Value", Kind.RUPEES, lambda row: row.fee.final_value),
    Column("Net Gain", Kind.RUPEES, lambda row: row.fee.net_gain, is_summed=True),
    Column("Net Gain %", Kind.PERCENT, lambda row: row.net_gain_percentage),
    Column("Applicable %", Kind.PERCENT, lambda row: row.fee.applicable_percentage),
    Column("Fees", Kind.RUPEES, lambda row: row.fee.amount, is_summed=True),
    Column("Net Gain After Fees", Kind.RUPEES, lambda row: row.net_gain_after_fees, is_summed=True),
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
    Column("Invoice", Kind.TEXT, lambda row: row.documents.invoice.number if row.documents else ""),
    Column("Mode of Payment", Kind.TEXT, lambda row: row.fee.payment_mode or ""),
    Column("Reference", Kind.TEXT, lambda row: row.fee.payment_reference),
    Column("Refunded", Kind.RUPEES, lambda row: row.fee.refunded, is_summed=True),
    Column("Service Ended", Kind.DAY, lambda row: row.fee.ended_on),
)


RECORDED_FEES: Final[Sequence[Column[RecordedFee]]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_code),
    Column("Client Name", Kind.TEXT, lambda row: row.client_name),
    Column("Starting Date", Kind.DAY, lambda row: row.fee.starting_on),
    Column("Final Date", Kind.DAY, lambda row: row.fee.final_on),
    Column("Due Date", Kind.DAY, lambda row: row.fee.due_on),
    Column("Starting Value", Kind.RUPEES, lambda row: row.fee.starting_value),
    Column("Final Value", Kind.RUPEES, lambda row: row.fee.final_value),
    Column("Net Gain", Kind.RUPEES, lambda row: row.fee.net_gain),
    Column("Applicable %", Kind.PERCENT, lambda row: row.fee.applicable_percentage),
    Column("Fees", Kind.RUPEES, lambda row: row.fee.amount),
    Column("Status", Kind.TEXT, lambda row: row.fee.status),
    Column("Paid Date", Kind.DAY, lambda row: row.fee.paid_on),
    Column("Mode of Payment", Kind.TEXT, lambda row: row.fee.payment_mode or ""),
    Column("Reference", Kind.TEXT, lambda row: row.fee.payment_reference),
    Column("Refunded", Kind.RUPEES, lambda row: row.fee.refunded),
    Column("Service Ended", Kind.DAY, lambda row: row.fee.ended_on),
    Column("Above Yearly Limit", Kind.RUPEES, lambda row: row.fee.over_limit),
)


def _slabs(terms: FeeTerms) -> str:
    return "; ".join(
        f"from {plain(slab.gain_from)} % gain: {plain(slab.percentage)} %" for slab in terms.slabs
    )


FEE_SCHEDULES: Final[Sequence[Column[KeptSchedule]]] = (
    Column("Effective From", Kind.DAY, lambda row: row.version.terms.effective_on),
    Column("In Force", Kind.TEXT, lambda row: "yes" if row.is_in_force else "no"),
    Column("Fixed Amount", Kind.RUPEES, lambda row: row.version.terms.fixed_amount),
    Column("Slabs", Kind.TEXT, lambda row: _slabs(row.version.terms)),
    Column(
        "Above High-Water Mark",
        Kind.TEXT,
        lambda row: "yes" if row.version.terms.is_above_high_water_mark else "no",
    ),
    Column("Yearly Limit", Kind.RUPEES, lambda row: row.version.terms.yearly_limit),
    Column("Source", Kind.TEXT, lambda row: row.version.terms.source),
    Column("Entered (IST)", Kind.INSTANT, lambda row: row.version.created_at),
)
