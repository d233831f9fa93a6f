"""Invoices and credit notes: issued, numbered without gaps, in the transaction of the payment.

The number is taken by one statement in the caller's transaction: whoever comes next waits for its
end, and a transaction that fails gives the number back. So a series has no gap and no double.
"""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.fees import financial_year_of
from tarazu.domain.gst import STATES, Tax, number_of, tax_on
from tarazu.domain.money import ZERO, Rupees
from tarazu.firm import service as firm
from tarazu.invoices import queries
from tarazu.invoices.errors import (
    CreditTooLarge,
    InvoicedAlready,
    InvoiceNotFound,
    InvoicingIsOff,
    NothingToInvoice,
    StateUnknown,
)
from tarazu.invoices.papers import FamilyYear, Paper, content_of, mail_subject
from tarazu.invoices.rules import rule_on
from tarazu.invoices.tables import DocumentKind, Invoice, InvoiceFileDue, PaymentMode
from tarazu.kit import mail
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.kit.formatting import rupees
from tarazu.people import service as people


@dataclass(frozen=True, slots=True)
class Payment:
    """Money that came in, or went back: when, how, and the bank's reference."""

    paid_on: dt.date
    mode: PaymentMode
    reference: str = ""


@dataclass(frozen=True, slots=True)
class PaidFee:
    """A fee that was paid, as its invoice names it; `amount` is without tax."""

    fee_id: uuid.UUID
    client_id: uuid.UUID
    first_day: dt.date
    last_day: dt.date | None
    amount: Rupees
    family: FamilyYear
    is_mailed: bool = True


@dataclass(frozen=True, slots=True)
class Credit:
    """What a credit note takes back of an invoice, without tax, and why."""

    invoice_id: uuid.UUID
    amount: Rupees
    reason: str


@dataclass(frozen=True, slots=True)
class FeeDocuments:
    """The invoice of a fee with its credit notes."""

    invoice: Invoice
    credit_notes: list[Invoice] = field(default_factory=list)

    @property
    def credited(self) -> Rupees:
        """Rupees without tax that its credit notes took back."""
        return sum((note.value for note in self.credit_notes), ZERO)

    @property
    def left(self) -> Rupees:
        """Rupees without tax that can still be credited."""
        return self.invoice.value - self.credited


def documents_of_fees(
    session: Session, fee_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, FeeDocuments]:
    """The invoice and the credit notes of each of these fees that has an invoice."""
    documents: dict[uuid.UUID, FeeDocuments] = {}
    for row in queries.documents_of_fees(session, fee_ids) if fee_ids else ():
        if row.kind is DocumentKind.INVOICE:
            documents[row.fee_id] = FeeDocuments(row)
        else:
            documents[row.fee_id].credit_notes.append(row)
    return documents


def issue_invoice(
    session: Session, actor: Actor, now: dt.datetime, paid: PaidFee, payment: Payment
) -> Invoice:
    """Issue the invoice of a paid fee; a receipt with it is mailed once its PDF is made.

    The caller has the lock of fees.

    Raises:
        InvoicingIsOff, NothingToInvoice: there is nothing to issue.
        InvoicedAlready: the fee has an invoice.
        StateUnknown: the firm charges tax, and the client's state is not known.
    """
    settings, today = queries.settings(session), day_in_india(now)
    if not settings.is_on:
        raise InvoicingIsOff
    if paid.amount <= ZERO:
        raise NothingToInvoice
    documents = documents_of_fees(session, [paid.fee_id])
    if paid.fee_id in documents:
        raise InvoicedAlready(f"This fee has invoice {documents[paid.fee_id].invoice.number}.")
    billing = queries.billing_of(session, paid.client_id)
    rule, place = rule_on(session, today), ""
    tax = Tax()
    if settings.gstin:
        place = billing.state_code if billing else ""
        if place not in STATES:
            raise StateUnknown(errors=[{"field": "stateCode", "message": StateUnknown.message}])
        tax = tax_on(paid.amount, rule.gst_rate, settings.gstin[:2], place)
    paper = Paper(
        kind=DocumentKind.INVOICE,
        number=_next_number(session, DocumentKind.INVOICE, settings.invoice_prefix, today),
        issued_on=today,
        paid_on=payment.paid_on,
        mode=payment.mode,
        reference=payment.reference,
        value=paid.amount,
        tax=tax,
        place_of_supply=place,
        first_day=paid.first_day,
        last_day=paid.last_day,
    )
    content = content_of(
        paper,
        firm.registration(session),
        people.client(session, paid.client_id),
        settings=settings,
        rule=rule,
        client_gstin=billing.gstin if billing else "",
        family=paid.family,
    )
    about = (paid.fee_id, paid.client_id, None)
    return _store(session, actor, now, paper, content, about, is_mailed=paid.is_mailed)


def issue_credit_note(
    session: Session, actor: Actor, now: dt.datetime, credit: Credit, payment: Payment
) -> Invoice:
    """Issue a credit note of an invoice, with the share of its taxes; it is mailed as invoices are.

    Its taxes are those of all that is credited so far less those of earlier notes, so that all
    notes of an invoice together never differ from its taxes by a paisa. The caller has the lock of
    fees.

    Raises:
        InvoiceNotFound: there is no such invoice.
        CreditTooLarge: it is nothing, or more than the invoice has left.
    """
    invoice = queries.invoice(session, credit.invoice_id)
    if invoice is None or invoice.kind is not DocumentKind.INVOICE:
        raise InvoiceNotFound
    documents = documents_of_fees(session, [invoice.fee_id])[invoice.fee_id]
    _refuse_too_large(documents, credit.amount)
    settings, today = queries.settings(session), day_in_india(now)
    before = json.loads(invoice.content)
    paper = Paper(
        kind=DocumentKind.CREDIT_NOTE,
        number=_next_number(session, DocumentKind.CREDIT_NOTE, settings.credit_prefix, today),
        issued_on=today,
        paid_on=payment.paid_on,
        mode=payment.mode,
        reference=payment.reference,
        value=credit.amount,
        tax=_tax_of_credit(documents, credit.amount),
        place_of_supply=invoice.place_of_supply,
        first_day=dt.date.fromisoformat(before["firstDay"]),
        last_day=dt.date.fromisoformat(before["lastDay"]) if before["lastDay"] else None,
        reason=credit.reason,
        corrects=(invoice.number, invoice.issued_on),
    )
    content = content_of(
        paper,
        firm.registration(session),
        people.client(session, invoice.client_id),
        settings=settings,
        before=before,
    )
    about = (invoice.fee_id, invoice.client_id, invoice.id)
    return _store(session, actor, now, paper, content, about)


def _refuse_too_large(documents: FeeDocuments, amount: Rupees) -> None:
    left, invoice = documents.left, documents.invoice
    if amount <= ZERO:
        raise CreditTooLarge("A refund is more than ₹0.")
    if amount > left:
        credited = (
            f", of which {rupees(documents.credited)} is credited already"
            if documents.credit_notes
            else ""
        )
        raise CreditTooLarge(
            f"Invoice {invoice.number} is for {rupees(invoice.value)} without tax{credited}. "
            f"{rupees(amount)} is {rupees(amount - left)} more than the {rupees(left)} that is left."
        )


def _tax_of_credit(documents: FeeDocuments, amount: Rupees) -> Tax:
    invoice, notes = documents.invoice, documents.credit_notes
    if amount == documents.left:
        so_far = _tax_of(invoice)
    else:
        share = (documents.credited + amount) / invoice.value
        so_far = _tax_of(invoice).share(share)
    for note in notes:
        so_far = so_far.less(_tax_of(note))
    return so_far


def _tax_of(row: Invoice) -> Tax:
    return Tax(row.central_tax, row.state_tax, row.integrated_tax)


def _next_number(
    session: Session, kind: DocumentKind, prefix: str, day: dt.date
) -> tuple[str, int]:
    serial = queries.next_serial(session, kind, financial_year_of(day))
    return number_of(prefix, day, serial), serial


def _store(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    paper: Paper,
    content: dict[str, Any],
    about: tuple[uuid.UUID, uuid.UUID, uuid.UUID | None],
    *,
    is_mailed: bool = True,
) -> Invoice:
    fee_id, client_id, invoice_id = about
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    row = Invoice(
        id=new_id(),
        kind=paper.kind,
        number=paper.number[0],
        year_from=financial_year_of(paper.issued_on),
        serial=paper.number[1],
        client_id=client_id,
        fee_id=fee_id,
        invoice_id=invoice_id,
        issued_on=paper.issued_on,
        paid_on=paper.paid_on,
        mode=paper.mode,
        reference=paper.reference,
        value=paper.value,
        central_tax=paper.tax.central,
        state_tax=paper.tax.state,
        integrated_tax=paper.tax.integrated,
        total=paper.total,
        place_of_supply=paper.place_of_supply,
        content=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        mail_id=None,
        created_at=now,
        created_by=actor.account_id,
    )
    if is_mailed:
        client = people.client(session, client_id)
        waiting = mail.Awaiting(client.email, mail_subject(paper), f"{file_name_of(row)}.pdf")
        row.mail_id = mail.queue_awaiting(session, [waiting], now)[0].id
    session.add(row)
    session.flush()
    session.add(InvoiceFileDue(invoice_id=row.id))
    session.flush()
    return row


def audit_fields(row: Invoice) -> dict[str, object]:
    """What the audit trail has of a document; the caller writes it with the change of the fee."""
    name = "invoice" if row.kind is DocumentKind.INVOICE else "creditNote"
    return {
        name: row.number,
        "value": row.value,
        "total": row.total,
        "paidOn": row.paid_on,
        "mode": row.mode,
        "sha256": row.sha256,
    }


def file_name_of(row: Invoice) -> str:
    """As in "inv-26-27-0001", for a file."""
    return row.number.lower().replace("/", "-")
