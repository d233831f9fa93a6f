"""The invoices of the demo firm: one for each fee that was paid, in the order of the payments."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.fees import service as fees
from tarazu.fees.service import FeeChanges, FeeEdit
from tarazu.invoices import service as invoices
from tarazu.invoices.tables import PaymentMode
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.people import service as people

SETTINGS: Final[dict[str, Any]] = {
    "gstin": "27AAAFS1234Q1ZZ",
    "upi_id": "sahyadri.ra@validhdfc",
    "bank_line": "HDFC Bank, Prabhat Road, Pune\nAccount 5020 0000 0042, IFSC HDFC0000042",
    "default_mode": PaymentMode.UPI,
}
STATES: Final = {
    "Pune": "27",
    "Mumbai": "27",
    "Bengaluru": "29",
    "Ahmedabad": "24",
    "Chennai": "33",
    "Kolkata": "19",
    "Hyderabad": "36",
    "Jaipur": "08",
    "Kochi": "32",
    "Delhi": "07",
}
"""By the cities of the clients' addresses."""
MODES: Final = (PaymentMode.UPI, PaymentMode.BANK_TRANSFER, PaymentMode.UPI, PaymentMode.CHEQUE)
ISSUED: Final = dt.time(17, tzinfo=INDIA)


def issue(session: Session, now: dt.datetime, client_ids: Sequence[uuid.UUID]) -> None:
    """Issue the invoices, and leave further ones switched off until somebody switches them on.

    No receipts are mailed, and the PDFs are made later by the job, so that the start stays quick.
    """
    invoices.edit_invoice_settings(session, SYSTEM, now, SETTINGS | {"is_on": True}, None)
    for client_id in client_ids:
        address = people.client(session, client_id).address
        state = next(code for city, code in STATES.items() if city in address)
        invoices.edit_billing(session, SYSTEM, now, client_id, {"state_code": state}, None)
    paid = sorted(
        (each.fee.paid_on, client_id, each.fee.id)
        for client_id in client_ids
        for each in fees.list_fees(session, client_id)
        if each.fee.paid_on is not None and each.fee.amount
    )
    for place, (paid_on, client_id, fee_id) in enumerate(paid):
        mode = MODES[place % len(MODES)]
        payment: FeeChanges = {"payment_mode": mode, "payment_reference": f"{420_000 + place * 17}"}
        issued_at = dt.datetime.combine(paid_on, ISSUED)
        edit = FeeEdit(fee_id, payment)
        fees.issue_invoice(session, SYSTEM, issued_at, client_id, edit, is_mailed=False)
    invoices.edit_invoice_settings(session, SYSTEM, now, {"is_on": False}, None)
