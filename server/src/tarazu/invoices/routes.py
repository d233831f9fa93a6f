"""Calls on invoices, their settings and rules, and the billing details of clients."""

import uuid
from typing import Annotated

from fastapi import Query, Response

from tarazu.domain.gst import STATES
from tarazu.invoices import service, sheets
from tarazu.invoices.schemas import (
    BillingDetails,
    EditedBilling,
    EditedInvoiceSettings,
    InvoiceOptions,
    InvoiceRow,
    InvoiceRuleRow,
    InvoiceSettingsDetails,
    NewInvoiceRule,
    StateRow,
)
from tarazu.invoices.service import DatedRule, InvoiceFilter, ListedInvoice, NewRule
from tarazu.kit import clock
from tarazu.kit.auth_route import (
    Admin,
    Staff,
    StaffOfVisible,
    StaffWithoutClients,
    authorized_router,
)
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import PDF, Exported, attachment, list_export, whole
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.teams.service import visible_clients

_BILLING = "/admin/clients/client/{client_id}/billing"

router = authorized_router("")


@router.get("/admin/invoices")
def list_invoices(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[InvoiceFilter, Query()]
) -> Page[InvoiceRow]:
    rows, total = service.list_invoices(session, filters, visible_clients(session, caller))
    return page_of(InvoiceRow.rows(rows), filters.page, filters.limit, total)


@list_export(router, "/admin/invoices/export", "Invoices", sheets.INVOICES)
def export_invoices(
    session: OpenSession, caller: StaffOfVisible, filters: Annotated[InvoiceFilter, Query()]
) -> Exported[ListedInvoice]:
    rows, _total = service.list_invoices(session, whole(filters), visible_clients(session, caller))
    return Exported(rows, filters)


@router.get("/admin/invoices/options")
def show_invoice_options(session: OpenSession, _: StaffWithoutClients) -> Reply[InvoiceOptions]:
    settings = service.invoice_settings(session)
    return reply(InvoiceOptions.of(settings, has_gstin=bool(settings.gstin)))


@router.get("/admin/invoices/states")
def list_states(_: StaffWithoutClients) -> Reply[list[StateRow]]:
    return reply([StateRow(code=code, name=name) for code, name in STATES.items()])


@router.get("/admin/invoices/{invoice_id}/pdf", response_class=Response, responses=PDF)
def show_invoice_file(
    invoice_id: uuid.UUID, session: OpenSession, caller: StaffOfVisible
) -> Response:
    name, content = service.invoice_file(session, invoice_id, visible_clients(session, caller))
    return attachment(content, name, "application/pdf")


@router.get(_BILLING)
def show_billing(client_id: uuid.UUID, session: OpenSession, _: Staff) -> Reply[BillingDetails]:
    return reply(BillingDetails.model_validate(service.billing_of(session, client_id)))


@router.put(_BILLING)
def edit_billing(
    client_id: uuid.UUID, body: EditedBilling, session: OpenSession, caller: Staff
) -> Reply[BillingDetails]:
    billing = service.edit_billing(
        session, caller, clock.now(), client_id, body.entered(), body.version
    )
    return reply(BillingDetails.model_validate(billing), "Billing details saved")


@router.get("/settings/invoices")
def show_invoice_settings(session: OpenSession, _: Admin) -> Reply[InvoiceSettingsDetails]:
    return reply(InvoiceSettingsDetails.model_validate(service.invoice_settings(session)))


@router.put("/settings/invoices")
def edit_invoice_settings(
    body: EditedInvoiceSettings, session: OpenSession, caller: Admin
) -> Reply[InvoiceSettingsDetails]:
    edited = service.edit_invoice_settings(
        session, caller, clock.now(), body.entered(), body.version
    )
    return reply(InvoiceSettingsDetails.model_validate(edited), "Saved.")


@router.get("/settings/invoice-rules")
def list_invoice_rules(session: OpenSession, _: Admin) -> Reply[list[InvoiceRuleRow]]:
    return reply(InvoiceRuleRow.rows(service.dated_rules(session, clock.today())))


@list_export(
    router,
    "/settings/invoice-rules/export",
    "Invoice rules",
    sheets.INVOICE_RULES,
    names_clients=False,
)
def export_invoice_rules(session: OpenSession, _: Admin) -> Exported[DatedRule]:
    return Exported(service.dated_rules(session, clock.today()))


@router.put("/settings/invoice-rules")
def set_invoice_rule(
    body: NewInvoiceRule, session: OpenSession, caller: Admin
) -> Reply[list[InvoiceRuleRow]]:
    new = NewRule(**body.model_dump())
    service.set_rule(session, caller, clock.now(), new)
    return reply(InvoiceRuleRow.rows(service.dated_rules(session, clock.today())), "Rules saved")
