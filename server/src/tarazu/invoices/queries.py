"""Every SQL statement of invoices."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from pydantic import Field
from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session, aliased

from tarazu.invoices.tables import (
    ClientBilling,
    DocumentKind,
    Invoice,
    InvoiceFile,
    InvoiceFileDue,
    InvoiceRule,
    InvoiceSeries,
    InvoiceSettings,
)
from tarazu.kit.db import insert_into
from tarazu.kit.fields import Day
from tarazu.kit.schemas import ListParams
from tarazu.people.tables import Person
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


class InvoiceFilter(ListParams):
    """Invoices and credit notes issued in these days, both included, of this kind and client."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    kind: DocumentKind | None = None
    client_id: uuid.UUID | None = None


def settings(session: Session, *, for_update: bool = False) -> InvoiceSettings:
    statement = select(InvoiceSettings)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def rules(session: Session) -> Sequence[InvoiceRule]:
    """All rules, newest first; there is at least one."""
    statement = select(InvoiceRule).order_by(InvoiceRule.effective_on.desc())
    return session.execute(statement).scalars().all()


def billing_of(session: Session, client_id: uuid.UUID) -> ClientBilling | None:
    return session.get(ClientBilling, client_id, populate_existing=True)


def next_serial(session: Session, kind: DocumentKind, year_from: dt.date) -> int:
    """Take the next number of a series; others wait for it until this transaction ends."""
    first = insert_into(session, InvoiceSeries).values(
        kind=kind, year_from=year_from, last_serial=1
    )
    statement = first.on_conflict_do_update(
        index_elements=[InvoiceSeries.kind, InvoiceSeries.year_from],
        set_={"last_serial": InvoiceSeries.last_serial + 1},
    )
    return session.execute(statement.returning(InvoiceSeries.last_serial)).scalar_one()


def invoice(session: Session, invoice_id: uuid.UUID) -> Invoice | None:
    return session.get(Invoice, invoice_id)


def documents_of_fees(session: Session, fee_ids: Collection[uuid.UUID]) -> Sequence[Invoice]:
    """Invoices and credit notes of these fees, in the order of their issue."""
    statement = select(Invoice).where(Invoice.fee_id.in_(fee_ids)).order_by(Invoice.id)
    return session.execute(statement).scalars().all()


def credit_notes_of_clients(
    session: Session, client_ids: Collection[uuid.UUID]
) -> Sequence[Invoice]:
    """The credit notes of these clients, in the order of their issue."""
    statement = (
        select(Invoice)
        .where(Invoice.kind == DocumentKind.CREDIT_NOTE, Invoice.client_id.in_(client_ids))
        .order_by(Invoice.id)
    )
    return session.execute(statement).scalars().all()


def listed(
    session: Session, filters: InvoiceFilter, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[tuple[Any, ...]], int]:
    """One page of documents, with code and name of the client and the invoice that is corrected.

    The newest first unless sorted; and how many match.
    """
    corrected = aliased(Invoice)
    matching = (
        select(Invoice, Person.client_code, Person.name, corrected.number)
        .join(Person, Person.id == Invoice.client_id)
        .outerjoin(corrected, corrected.id == Invoice.invoice_id)
        .where(*_conditions(filters), *visible.condition(Invoice.client_id))
    )
    total = select(func.count()).select_from(
        matching.with_only_columns(Invoice.id, maintain_column_froms=True).subquery()
    )
    statement = matching.order_by(*_order(filters.sort))
    statement = statement.offset(filters.skipped).limit(filters.limit)
    rows = [tuple(row) for row in session.execute(statement)]
    return rows, session.execute(total).scalar_one()


def _conditions(filters: InvoiceFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    words = filters.query.strip().lower()
    if words:
        conditions.append(
            or_(
                func.lower(Invoice.number).contains(words, autoescape=True),
                Person.search_text.contains(words, autoescape=True),
            )
        )
    if filters.since is not None:
        conditions.append(Invoice.issued_on >= filters.since)
    if filters.until is not None:
        conditions.append(Invoice.issued_on <= filters.until)
    if filters.kind is not None:
        conditions.append(Invoice.kind == filters.kind)
    if filters.client_id is not None:
        conditions.append(Invoice.client_id == filters.client_id)
    return conditions


def _order(sort: str) -> list[Any]:
    """The newest first unless sorted."""
    keys: dict[str, Any] = {
        "number": Invoice.number,
        "issuedOn": Invoice.issued_on,
        "paidOn": Invoice.paid_on,
        "userName": func.lower(Person.name),
        "value": Invoice.value,
        "total": Invoice.total,
    }
    first = [Invoice.issued_on.desc(), Invoice.id.desc()]
    key = keys.get(sort.removeprefix("-"))
    if key is None:
        return first
    return [key.desc() if sort.startswith("-") else key.asc(), *first]


def file_of(session: Session, invoice_id: uuid.UUID) -> InvoiceFile | None:
    return session.get(InvoiceFile, invoice_id)


def files_due(
    session: Session, limit: int, without: Collection[uuid.UUID] = ()
) -> Sequence[Invoice]:
    """Documents whose PDF is due, but `without` these, the oldest first."""
    statement = (
        select(Invoice)
        .join(InvoiceFileDue, InvoiceFileDue.invoice_id == Invoice.id)
        .where(Invoice.id.not_in(without))
        .order_by(Invoice.id)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def take_files_due(session: Session, invoice_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Claim these PDFs; those that no other process claimed before."""
    statement = delete(InvoiceFileDue).where(InvoiceFileDue.invoice_id.in_(invoice_ids))
    return set(session.execute(statement.returning(InvoiceFileDue.invoice_id)).scalars())
