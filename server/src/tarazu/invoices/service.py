"""The door to invoices: settings, rules, billing details, documents and their PDFs."""

import json
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.invoices import queries
from tarazu.invoices.errors import InvoiceNotFound
from tarazu.invoices.firm_settings import (
    Billing,
    billing_of,
    edit_billing,
    edit_invoice_settings,
    invoice_settings,
)
from tarazu.invoices.issuing import (
    Credit,
    FeeDocuments,
    PaidFee,
    Payment,
    audit_fields,
    documents_of_fees,
    file_name_of,
    issue_credit_note,
    issue_invoice,
)
from tarazu.invoices.papers import FamilyYear, pdf_of_paper
from tarazu.invoices.queries import InvoiceFilter
from tarazu.invoices.rules import DatedRule, NewRule, dated_rules, rule_on, set_rule
from tarazu.invoices.tables import Invoice
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class ListedInvoice:
    """An invoice or credit note with its client; `corrects` is the number of a corrected invoice."""

    row: Invoice
    client_id: str
    user_name: str
    corrects: str | None

    @property
    def tax(self) -> Rupees:
        """Its taxes together, in rupees."""
        return self.row.total - self.row.value


def list_invoices(
    session: Session, filters: InvoiceFilter, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[ListedInvoice], int]:
    """One page of invoices and credit notes, the newest first, and how many match."""
    rows, total = queries.listed(session, filters, visible)
    return [ListedInvoice(*row) for row in rows], total


def invoice_file(
    session: Session, invoice_id: uuid.UUID, visible: VisibleClients = ALL_CLIENTS
) -> tuple[str, bytes]:
    """File name and PDF of an invoice or credit note; made now where the job has not yet.

    Raises:
        InvoiceNotFound: there is no such document.
    """
    row = queries.invoice(session, invoice_id)
    if row is None or not visible.includes(row.client_id):
        raise InvoiceNotFound
    stored = queries.file_of(session, invoice_id)
    content = stored.content if stored else pdf_of_paper(session, row, json.loads(row.content))
    return f"{file_name_of(row)}.pdf", content


def refunds_of(session: Session, client_ids: Collection[uuid.UUID]) -> list[Invoice]:
    """The credit notes of these clients, in the order of their issue."""
    return list(queries.credit_notes_of_clients(session, client_ids))
