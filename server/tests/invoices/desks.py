"""What staff do with invoices, in the tests."""

import io
from typing import Any

from pypdf import PdfReader

from tests.fees.desks import add_fee, fees_path, period
from tests.people_of import Desk, data_of, new_key, set_up_firm

GSTIN = "27AAPFU0939F1ZV"
SETTINGS = "/settings/invoices"


def switch_on(desk: Desk, **settings: Any) -> None:
    """Enter the firm, and have it issue invoices with GST from Maharashtra."""
    set_up_firm(desk)
    data_of(desk.put(SETTINGS, {"isOn": True, "gstin": GSTIN, "defaultMode": "UPI"} | settings))


def live_in(desk: Desk, client_id: str, state: str) -> None:
    data_of(desk.put(f"/admin/clients/client/{client_id}/billing", {"stateCode": state}))


def charge(desk: Desk, client_id: str, fee: float, **days: str) -> dict[str, Any]:
    """A fee of so many rupees that is due; its row."""
    return add_fee(desk, client_id, period(1_000_000, 1_000_000 + fee * 5) | days)


def pay(desk: Desk, client_id: str, row: dict[str, Any], **changes: Any) -> Any:
    """Mark a fee paid; the answer."""
    body = {"feeId": row["_id"], "status": "PAID", "paidDate": "2026-04-10"}
    return desk.put(fees_path(client_id), body | changes)


def refund(desk: Desk, client_id: str, row: dict[str, Any], **changes: Any) -> Any:
    body = {
        "feeId": row["_id"],
        "endedOn": "2025-07-09",
        "paidOn": "2026-04-20",
        "modeOfPayment": "BANK_TRANSFER",
        "reference": "N123",
    }
    return desk.post(f"{fees_path(client_id)}/refund", body | changes, **new_key())


def text_of_pdf(desk: Desk, invoice_id: str) -> str:
    """What the PDF of an invoice says, on one line."""
    answer = desk.get(f"/admin/invoices/{invoice_id}/pdf")
    assert answer.status_code == 200, answer.text
    pages = PdfReader(io.BytesIO(answer.content)).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)
