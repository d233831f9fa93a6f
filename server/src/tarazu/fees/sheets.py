"""Tables of fees as they are taken away."""

from collections.abc import Sequence
from typing import Final

from tarazu.domain.fees import FixedSchedule
from tarazu.domain.money import ZERO, Rupees, plain
from tarazu.fees.service import ClientFee, ClientFees, KeptSchedule
from tarazu.firm.service import FeeTerms
from tarazu.kit.export import Column, Kind, Sheet

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


_SCHEDULES: Sequence[Column[KeptSchedule]] = (
    Column("Effective From", Kind.DAY, lambda row: row.version.terms.effective_on),
    Column("In Force", Kind.TEXT, lambda row: "yes" if row.is_in_force else "no"),
    Column("Fixed Amount", Kind.RUPEES, lambda row: _fixed_amount(row.version.terms)),
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


def _fixed_amount(terms: FeeTerms) -> Rupees | None:
    return terms.schedule.amount if isinstance(terms.schedule, FixedSchedule) else None


def _slabs(terms: FeeTerms) -> str:
    if isinstance(terms.schedule, FixedSchedule):
        return ""
    return "; ".join(
        f"from {plain(one.gain_from)} % gain: {plain(one.percentage)} %"
        for one in terms.schedule.slabs
    )


def schedule_sheet(rows: Sequence[KeptSchedule]) -> Sheet[KeptSchedule]:
    """Every version of the fee schedule, newest first."""
    return Sheet("Fee schedules", _SCHEDULES, rows)


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
