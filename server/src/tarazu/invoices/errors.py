"""Errors of invoices, of their settings and rules."""

from http import HTTPStatus

from tarazu.kit.errors import ApiError, Invalid, NotThere


class InvoiceNotFound(NotThere):
    message = "Invoice not found"


class InvoicingIsOff(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Invoices are switched off. Switch them on in Settings, Invoices."


class ModeMissing(Invalid):
    message = "Choose the mode of payment."


class StateUnknown(Invalid):
    message = (
        "The client's state is not known, so the place of supply and the tax are not known either. "
        "Enter the state under Billing details in the client's Fees tab, then save the payment again."
    )


class NothingToInvoice(Invalid):
    message = "A fee of zero has no invoice."


class InvoicedAlready(ApiError):
    """The fee has an invoice; the text names it."""

    status = HTTPStatus.CONFLICT


class CreditTooLarge(Invalid):
    """More is credited than the invoice has left; the text has the arithmetic."""


class UnfitSettings(Invalid):
    """A setting of invoices that cannot be; the text says which."""


class UnfitGstin(Invalid):
    message = "This GSTIN is not valid: check its 15 characters, the last is a check digit."


class RuleInUse(ApiError):
    status = HTTPStatus.CONFLICT
    message = "Rules that are in force already stay. Enter the new ones from a later day."
