"""Columns of the exports of invoices and of their rules."""

from collections.abc import Sequence
from typing import Final

from tarazu.domain.gst import STATES
from tarazu.invoices.service import DatedRule, ListedInvoice
from tarazu.invoices.tables import DocumentKind
from tarazu.kit.export import Column, Kind

_KINDS: Final = {DocumentKind.INVOICE: "Invoice", DocumentKind.CREDIT_NOTE: "Credit note"}

INVOICES: Final[Sequence[Column[ListedInvoice]]] = (
    Column("Number", Kind.TEXT, lambda row: row.row.number),
    Column("Kind", Kind.TEXT, lambda row: _KINDS[row.row.kind]),
    Column("Issued", Kind.DAY, lambda row: row.row.issued_on),
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.user_name),
    Column("For Invoice", Kind.TEXT, lambda row: row.corrects or ""),
    Column("Paid", Kind.DAY, lambda row: row.row.paid_on),
    Column("Mode of Payment", Kind.TEXT, lambda row: row.row.mode),
    Column("Reference", Kind.TEXT, lambda row: row.row.reference),
    Column("Place of Supply", Kind.TEXT, lambda row: STATES.get(row.row.place_of_supply, "")),
    Column("Value", Kind.RUPEES, lambda row: row.row.value),
    Column("CGST", Kind.RUPEES, lambda row: row.row.central_tax),
    Column("SGST or UTGST", Kind.RUPEES, lambda row: row.row.state_tax),
    Column("IGST", Kind.RUPEES, lambda row: row.row.integrated_tax),
    Column("Total", Kind.RUPEES, lambda row: row.row.total),
)

INVOICE_RULES: Final[Sequence[Column[DatedRule]]] = (
    Column("Effective From", Kind.DAY, lambda row: row.rule.effective_on),
    Column("In Force", Kind.TEXT, lambda row: "yes" if row.is_in_force else "no"),
    Column("Months in Advance", Kind.WHOLE, lambda row: row.rule.advance_months),
    Column("GST", Kind.PERCENT, lambda row: row.rule.gst_rate),
    Column("SAC", Kind.TEXT, lambda row: row.rule.sac),
    Column("UPI ID", Kind.TEXT, lambda row: row.rule.upi_pattern),
    Column("Source", Kind.TEXT, lambda row: row.rule.source),
)
