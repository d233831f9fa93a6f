"""Columns of lists of papers."""

from collections.abc import Sequence
from typing import Final

from tarazu.kit.export import Column, Kind
from tarazu.papers.service import RecordedConsent, RecordedKyc
from tarazu.papers.tables import ConsentText

KYC: Final[Sequence[Column[RecordedKyc]]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_code),
    Column("Client Name", Kind.TEXT, lambda row: row.client_name),
    Column("PAN", Kind.TEXT, lambda row: row.entry.pan),
    Column("KRA Status", Kind.TEXT, lambda row: row.entry.status),
    Column("Since", Kind.DAY, lambda row: row.entry.status_on),
    Column("Note", Kind.TEXT, lambda row: row.entry.note),
    Column("Changed (IST)", Kind.INSTANT, lambda row: row.entry.updated_at),
)
TEXTS: Final[Sequence[Column[ConsentText]]] = (
    Column("Text", Kind.TEXT, lambda row: row.kind),
    Column("Version", Kind.WHOLE, lambda row: row.number),
    Column("In Force From", Kind.DAY, lambda row: row.effective_on),
    Column("English", Kind.TEXT, lambda row: row.text),
    Column("Hindi", Kind.TEXT, lambda row: row.text_hi),
)
CONSENTS: Final[Sequence[Column[RecordedConsent]]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_code),
    Column("Client Name", Kind.TEXT, lambda row: row.client_name),
    Column("Text", Kind.TEXT, lambda row: row.text.kind),
    Column("Version", Kind.WHOLE, lambda row: row.text.number),
    Column("Given On", Kind.DAY, lambda row: row.entry.given_on),
    Column("Method", Kind.TEXT, lambda row: row.entry.method),
    Column("Language", Kind.TEXT, lambda row: row.entry.language),
    Column("IP Address", Kind.TEXT, lambda row: row.entry.ip),
    Column("Browser", Kind.TEXT, lambda row: row.entry.agent),
    Column("Text SHA-256", Kind.TEXT, lambda row: row.entry.text_hash),
    Column("File SHA-256", Kind.TEXT, lambda row: row.entry.file),
    Column("Recorded (IST)", Kind.INSTANT, lambda row: row.entry.recorded_at),
    Column("Withdrawn (IST)", Kind.INSTANT, lambda row: row.entry.withdrawn_at),
)
