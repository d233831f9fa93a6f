"""Columns of the exports of the registers."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.registers.service import (
    CertificateOfStaff,
    ChannelCounts,
    ComplaintOnClock,
    Declaration,
    IncidentOnClock,
    KnownRule,
    ScreenedAdvertisement,
)
from tarazu.registers.tables import AiTool, Handle

COMPLAINTS: Sequence[Column[ComplaintOnClock]] = (
    Column("Received On", Kind.DAY, lambda row: row.entry.received_on),
    Column("From", Kind.TEXT, lambda row: row.entry.complainant),
    Column("Channel", Kind.TEXT, lambda row: row.entry.channel),
    Column("Reference", Kind.TEXT, lambda row: row.entry.reference),
    Column("Subject", Kind.TEXT, lambda row: row.entry.subject),
    Column("Nature", Kind.TEXT, lambda row: row.entry.nature),
    Column("Due On", Kind.DAY, lambda row: row.due_on),
    Column("Status", Kind.TEXT, lambda row: row.state),
    Column("Resolved On", Kind.DAY, lambda row: row.entry.resolved_on),
    Column("Resolution", Kind.TEXT, lambda row: row.entry.resolution),
)
COMPLAINT_TABLE: Sequence[Column[ChannelCounts]] = (
    Column("Received from", Kind.TEXT, lambda row: row.channel),
    Column("Carried forward", Kind.WHOLE, lambda row: row.counts.carried_forward),
    Column("Received", Kind.WHOLE, lambda row: row.counts.received),
    Column("Resolved", Kind.WHOLE, lambda row: row.counts.resolved),
    Column("Total pending", Kind.WHOLE, lambda row: row.counts.pending),
    Column("Pending complaints > 3 months", Kind.WHOLE, lambda row: row.counts.long_pending),
    Column("Average resolution time (days)", Kind.NUMBER, lambda row: row.counts.average_days),
)
CERTIFICATES: Sequence[Column[CertificateOfStaff]] = (
    Column("Staff", Kind.TEXT, lambda row: row.staff_name),
    Column("Series", Kind.TEXT, lambda row: row.entry.series),
    Column("Number", Kind.TEXT, lambda row: row.entry.number),
    Column("Valid From", Kind.DAY, lambda row: row.entry.valid_from),
    Column("Valid Until", Kind.DAY, lambda row: row.entry.valid_until),
    Column("Status", Kind.TEXT, lambda row: row.state),
    Column("File SHA-256", Kind.TEXT, lambda row: row.entry.file),
)
DECLARATIONS: Sequence[Column[Declaration]] = (
    Column("Staff", Kind.TEXT, lambda row: row.staff_name),
    Column("Holder", Kind.TEXT, lambda row: row.entry.holder),
    Column("Relative", Kind.TEXT, lambda row: row.entry.relative),
    Column("Kind", Kind.TEXT, lambda row: row.entry.kind),
    Column("Stock", Kind.TEXT, lambda row: row.stock.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row.stock.exchange),
    Column("ISIN", Kind.TEXT, lambda row: row.stock.isin),
    Column("Side", Kind.TEXT, lambda row: row.entry.side),
    Column("Quantity", Kind.WHOLE, lambda row: row.entry.quantity),
    Column("Date", Kind.DAY, lambda row: row.entry.dated_on),
    Column("Ended On", Kind.DAY, lambda row: row.entry.ended_on),
)
ADVERTISEMENTS: Sequence[Column[ScreenedAdvertisement]] = (
    Column("Title", Kind.TEXT, lambda row: row.entry.title),
    Column("Medium", Kind.TEXT, lambda row: row.entry.medium),
    Column("Text", Kind.TEXT, lambda row: row.entry.text),
    Column("Approval Number", Kind.TEXT, lambda row: row.entry.approval_number),
    Column("Approved On", Kind.DAY, lambda row: row.entry.approved_on),
    Column("Released On", Kind.DAY, lambda row: row.entry.released_on),
    Column(
        "Flagged Words",
        Kind.TEXT,
        lambda row: ", ".join(f"{flag.word} ({flag.start + 1})" for flag in row.flagged),
    ),
)
TOOLS: Sequence[Column[AiTool]] = (
    Column("Tool", Kind.TEXT, lambda row: row.name),
    Column("Extent", Kind.TEXT, lambda row: row.extent),
    Column("Extent in Hindi", Kind.TEXT, lambda row: row.extent_hi),
    Column("Since", Kind.DAY, lambda row: row.since),
    Column("Until", Kind.DAY, lambda row: row.until),
)
HANDLES: Sequence[Column[Handle]] = (
    Column("Platform", Kind.TEXT, lambda row: row.platform),
    Column("Handle", Kind.TEXT, lambda row: row.handle),
    Column("Since", Kind.DAY, lambda row: row.since),
    Column("Until", Kind.DAY, lambda row: row.until),
)
INCIDENTS: Sequence[Column[IncidentOnClock]] = (
    Column("Noticed (IST)", Kind.INSTANT, lambda row: row.entry.noticed_at),
    Column("Summary", Kind.TEXT, lambda row: row.entry.summary),
    Column("Details", Kind.TEXT, lambda row: row.entry.details),
    Column("Due (IST)", Kind.INSTANT, lambda row: row.due_at),
    Column("Status", Kind.TEXT, lambda row: row.state),
    Column("Reported (IST)", Kind.INSTANT, lambda row: row.entry.reported_at),
    Column("Report", Kind.TEXT, lambda row: row.entry.report),
)
RULES: Sequence[Column[KnownRule]] = (
    Column("Rule", Kind.TEXT, lambda row: row.rule.name),
    Column("Effective From", Kind.DAY, lambda row: row.rule.effective_on),
    Column("In Force", Kind.TEXT, lambda row: "yes" if row.is_in_force else "no"),
    Column("Content", Kind.TEXT, lambda row: ", ".join(row.rule.content)),
    Column("Source", Kind.TEXT, lambda row: row.rule.source),
)
