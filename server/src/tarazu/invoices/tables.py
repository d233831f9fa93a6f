"""Invoices and credit notes, their numbers and files, and what the firm and the law say of them."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class DocumentKind(StrEnum):
    INVOICE = "INVOICE"
    CREDIT_NOTE = "CREDIT_NOTE"


class PaymentMode(StrEnum):
    """How a client may pay; never in cash."""

    UPI = "UPI"
    BANK_TRANSFER = "BANK_TRANSFER"
    CHEQUE = "CHEQUE"
    DEMAND_DRAFT = "DEMAND_DRAFT"
    CARD = "CARD"
    CEFCOM = "CEFCOM"


class CapBehaviour(StrEnum):
    """What happens to a fee that takes a family over the yearly limit."""

    FLAG = "FLAG"
    REFUSE = "REFUSE"


class InvoiceSettings(Table):
    """What the firm's invoices carry; texts are "" where there is none."""

    __tablename__ = "invoice_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    is_on: Mapped[bool]
    gstin: Mapped[str]
    invoice_prefix: Mapped[str]
    credit_prefix: Mapped[str]
    upi_id: Mapped[str]
    bank_line: Mapped[str]
    # The day from which a bank account was named without a UPI ID; None while it is not so.
    without_upi_since: Mapped[dt.date | None]
    # The mode of a payment for which none is given; None: it is asked for.
    default_mode: Mapped[PaymentMode | None]
    cap_behaviour: Mapped[CapBehaviour]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class InvoiceRule(Table):
    """What the law says of fees and their invoices from a day until the next rule's day."""

    __tablename__ = "invoice_rules"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    effective_on: Mapped[dt.date] = mapped_column(unique=True)
    # Months that a fee may cover in advance; None for no limit.
    advance_months: Mapped[int | None]
    gst_rate: Mapped[Decimal] = mapped_column(PercentColumn)
    sac: Mapped[str]
    # With a star for one or more letters, digits, dots, hyphens.
    upi_pattern: Mapped[str]
    source: Mapped[str] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]


class ClientBilling(Table):
    """A client's state, which is the place of supply, and GSTIN; "" while not known."""

    __tablename__ = "client_billing"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    state_code: Mapped[str] = mapped_column(String(2))
    gstin: Mapped[str]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class InvoiceSeries(Table):
    """The last serial of a kind of document in a financial year, written with each document."""

    __tablename__ = "invoice_series"

    kind: Mapped[DocumentKind] = mapped_column(primary_key=True)
    # The 1 April on which it begins.
    year_from: Mapped[dt.date] = mapped_column(primary_key=True)
    last_serial: Mapped[int]


class Invoice(Table):
    """An invoice, or a credit note of one. Never changed."""

    __tablename__ = "invoices"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[DocumentKind]
    number: Mapped[str] = mapped_column(unique=True)
    year_from: Mapped[dt.date]
    serial: Mapped[int]
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    fee_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("fees.id"), index=True)
    # Of a credit note: the invoice that it corrects.
    invoice_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("invoices.id"), index=True)
    issued_on: Mapped[dt.date]
    # Of a credit note: the day on which the money went back.
    paid_on: Mapped[dt.date]
    mode: Mapped[PaymentMode]
    reference: Mapped[str]
    # Without tax.
    value: Mapped[Decimal] = mapped_column(RupeesColumn)
    central_tax: Mapped[Decimal] = mapped_column(RupeesColumn)
    state_tax: Mapped[Decimal] = mapped_column(RupeesColumn)
    integrated_tax: Mapped[Decimal] = mapped_column(RupeesColumn)
    total: Mapped[Decimal] = mapped_column(RupeesColumn)
    # "" where the firm has no GSTIN.
    place_of_supply: Mapped[str] = mapped_column(String(2))
    # JSON: all that the paper says; the PDF is made of it alone.
    content: Mapped[str] = mapped_column(Text)
    # Of the content.
    sha256: Mapped[str] = mapped_column(String(64))
    mail_id: Mapped[uuid.UUID | None]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]

    __table_args__ = (
        UniqueConstraint("kind", "year_from", "serial"),
        Index("ix_invoices_issued_on", "issued_on", "id"),
    )


class InvoiceFile(Table):
    """The PDF of an invoice or credit note. Never changed."""

    __tablename__ = "invoice_files"

    invoice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("invoices.id"), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    sha256: Mapped[str] = mapped_column(String(64))
    set_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class InvoiceFileDue(Table):
    """An invoice whose PDF is still to be made."""

    __tablename__ = "invoice_files_due"

    invoice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("invoices.id"), primary_key=True)
