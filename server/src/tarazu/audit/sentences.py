"""What happened, as a sentence of a few words: "Advice to Vidya Mehta, 24 orders"."""

from collections.abc import Mapping
from typing import Any

ABOUT_A_CLIENT: Mapping[str, str] = {
    "advice_sent": "Advice to {name}, {stocks:order}",
    "rebalance_computed": "Rebalance for {name}, {rows:stock}",
    "client_added": "Client {name} added",
    "client_edited": "Details of {name} changed",
    "client_broker_connected": "{name} logged in at the broker",
    "client_synced": "{name} synced, {changed:changed holding}",
    "holdings_replaced": "Holdings of {name} replaced",
    "funds_set": "Cash of {name} set",
    "start_set": "Start of {name} set",
    "restrictions_set": "Restrictions of {name} set",
    "cash_flow_recorded": "Cash flow of {name} recorded",
    "fee_added": "Fee of {name} added",
    "fee_changed": "Fee of {name} changed",
    "fee_invoiced": "Fee of {name} invoiced, {invoice}",
    "fee_refunded": "Fee of {name} refunded, credit note {creditNote}",
    "billing_edited": "Billing details of {name} changed",
    "lot_entered": "Tax lot of {name} entered, {quantity:share}",
    "lot_changed": "Tax lot of {name} changed, {quantity:share}",
    "lot_removed": "Tax lot of {name} removed, {quantity:share}",
    "tax_class_set": "Class of income of {name} set",
    "kyc_edited": "KYC of {name} changed",
    "consent_given": "{name} consented on the page, {kind} version {number}",
    "consent_recorded": "Consent of {name} recorded, {kind} version {number}",
    "consent_withdrawn": "Consent of {name} withdrawn, {kind} version {number}",
    "remark_added": "Remark about {name}",
}
"""By action, where the client's name is known."""
WITHOUT_A_CLIENT: Mapping[str, str] = {
    "consent_text_added": "Consent text {kind}, version {number}",
    "invoice_pdf_made": "PDF of {number} made",
    "book_run_computed": "Book run computed, {clients:client}",
    "book_run_sent": "Book run sent to {clients:client}",
    "approval_asked": "Approval asked for: {about}",
    "approval_approved": "Approved: {about}",
    "approval_refused": "Refused: {about}",
    "approval_withdrawn": "Request withdrawn: {about}",
    "approval_decision_refused": "Decision refused: {about}",
    "subscribers_changed": "Subscribers: {added} added, {removed} removed",
}


def sentence_of(action: str, name: str, changes: Mapping[str, Any]) -> str:
    """The sentence of a row.

    Args:
        name: of the person it is about; "" if there is none.
    """
    plain = action.replace("_", " ").capitalize()
    template = (ABOUT_A_CLIENT if name else {}).get(action) or WITHOUT_A_CLIENT.get(action)
    if template is None:
        return f"{plain}: {name}" if name else plain
    try:
        return template.format_map(
            {key: _Counted(value) for key, value in changes.items()} | {"name": name}
        )
    except (KeyError, ValueError):
        # A row of an older version, with other fields.
        return f"{plain}: {name}" if name else plain


class _Counted:
    """A value that a template writes with its noun: `{stocks:order}` is "24 orders"."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, noun: str) -> str:
        if not noun:
            return str(self._value)
        return f"{self._value} {noun}" if self._value == 1 else f"{self._value} {noun}s"
