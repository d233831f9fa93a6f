"""What an invoice or credit note says, as its content is stored and its PDF and mail are made of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

from sqlalchemy.orm import Session

from tarazu.domain.gst import STATES, UNION_TERRITORIES, Tax
from tarazu.domain.money import Rupees, plain
from tarazu.firm import service as firm
from tarazu.firm.service import FirmRegistration, letterhead_of
from tarazu.invoices.tables import (
    DocumentKind,
    Invoice,
    InvoiceRule,
    InvoiceSettings,
    PaymentMode,
)
from tarazu.kit.formatting import day_of, rupees, rupees_in_words
from tarazu.kit.mail import Draft
from tarazu.kit.pdf import SetPdf, pdf_of, picture_of
from tarazu.people.service import Client

TEMPLATE: Final = Path(__file__).parent / "invoice.typ"
NO_GSTIN: Final = (
    "The supplier is not registered under GST and has no GSTIN. No tax is charged on this bill."
)
MODES: Final[Mapping[PaymentMode, str]] = {
    PaymentMode.UPI: "UPI",
    PaymentMode.BANK_TRANSFER: "Bank transfer (NEFT, RTGS, IMPS)",
    PaymentMode.CHEQUE: "Cheque",
    PaymentMode.DEMAND_DRAFT: "Demand draft",
    PaymentMode.CARD: "Debit or credit card",
    PaymentMode.CEFCOM: "CeFCoM",
}


@dataclass(frozen=True, slots=True)
class FamilyYear:
    """What a client's family was charged in twelve months, without tax; `limit` None for none."""

    first_day: dt.date
    last_day: dt.date
    fees: Rupees
    limit: Rupees | None


@dataclass(frozen=True, slots=True)
class Paper:
    """The facts of an invoice or credit note; `corrects` names the invoice of a credit note."""

    kind: DocumentKind
    number: tuple[str, int]
    issued_on: dt.date
    paid_on: dt.date
    mode: PaymentMode
    reference: str
    value: Rupees
    tax: Tax
    place_of_supply: str
    first_day: dt.date
    last_day: dt.date | None
    reason: str = ""
    corrects: tuple[str, dt.date] | None = None

    @property
    def total(self) -> Rupees:
        """The value and its taxes."""
        return self.value + self.tax.total


def content_of(
    paper: Paper,
    registration: FirmRegistration,
    client: Client,
    *,
    settings: InvoiceSettings,
    rule: InvoiceRule | None = None,
    client_gstin: str = "",
    family: FamilyYear | None = None,
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All that a paper says, as JSON.

    A credit note has rate, SAC, tax numbers and customer of its invoice (`before`), also if they
    have changed since.
    """
    letterhead = letterhead_of(registration)
    del letterhead["logo"]
    invoice = before or {
        "gstin": settings.gstin,
        "sac": rule.sac if rule else "",
        "rate": plain(rule.gst_rate) if rule else "0",
        "client": {
            "name": client.name,
            "code": client.code,
            "address": client.address,
            "gstin": client_gstin,
        },
    }
    return {
        "kind": paper.kind,
        "firm": letterhead,
        "logo": registration.logo,
        "gstin": invoice["gstin"],
        "sac": invoice["sac"],
        "rate": invoice["rate"],
        "client": invoice["client"],
        "number": paper.number[0],
        "issuedOn": paper.issued_on.isoformat(),
        "firstDay": paper.first_day.isoformat(),
        "lastDay": paper.last_day.isoformat() if paper.last_day else "",
        "placeOfSupply": paper.place_of_supply,
        "value": rupees(paper.value),
        "taxes": _taxes(paper, invoice["rate"]),
        "total": rupees(paper.total),
        "words": rupees_in_words(paper.total),
        "paidOn": paper.paid_on.isoformat(),
        "mode": MODES[paper.mode],
        "reference": paper.reference,
        "reason": paper.reason,
        "corrects": [paper.corrects[0], paper.corrects[1].isoformat()] if paper.corrects else [],
        "family": _family_line(family) if family else "",
        "bank": "" if before else settings.bank_line,
        "upi": "" if before else settings.upi_id,
    }


def _taxes(paper: Paper, rate: str) -> list[tuple[str, str]]:
    tax = paper.tax
    if tax.integrated:
        return [(f"IGST {rate} %", rupees(tax.integrated))]
    if not tax.total:
        return []
    half = plain(Rupees(rate) / 2)
    local = "UTGST" if paper.place_of_supply in UNION_TERRITORIES else "SGST"
    return [(f"CGST {half} %", rupees(tax.central)), (f"{local} {half} %", rupees(tax.state))]


def _family_line(family: FamilyYear) -> str:
    line = (
        f"Fees charged to your family from {day_of(family.first_day)} to {day_of(family.last_day)}, "
        f"without tax: {rupees(family.fees)}."
    )
    if family.limit is None:
        return line
    return f"{line} The limit for twelve months is {rupees(family.limit)}."


def upi_link(upi_id: str, payee: str) -> str:
    """The link that a UPI app opens; without an amount, because the invoice is paid already."""
    return "upi://pay?" + urlencode({"pa": upi_id, "pn": payee, "cu": "INR"}, quote_via=quote)


def pdf_of_paper(
    session: Session, row: Invoice, content: Mapping[str, Any], set_pdf: SetPdf = pdf_of
) -> bytes:
    """The PDF of a paper; the same content gives the same bytes."""
    return set_pdf(
        TEMPLATE, fields_of(content, firm.image_of(session, content["logo"])), row.created_at
    )


def title_of(content: Mapping[str, Any]) -> str:
    """What the paper is called: a bill where the firm has no GSTIN."""
    if content["kind"] == DocumentKind.CREDIT_NOTE:
        return "Credit note"
    return "Tax invoice and receipt" if content["gstin"] else "Bill and receipt"


def fields_of(content: Mapping[str, Any], logo: bytes) -> dict[str, Any]:
    """What the template is given."""
    is_credit = content["kind"] == DocumentKind.CREDIT_NOTE
    return {
        "title": title_of(content),
        "firm": content["firm"] | {"logo": picture_of(logo)},
        "demo": "Demonstration only. This is not a tax document."
        if content["firm"]["isDemo"]
        else "",
        "number": content["number"],
        "facts": [pair for pair in _facts(content) if pair[1]],
        "supplier": f"GSTIN {content['gstin']}" if content["gstin"] else "",
        "client": content["client"],
        "state": _state_of(content["placeOfSupply"]),
        "rows": [
            {
                "name": f"Research services, {_period_of(content)}",
                "sac": content["sac"],
                "value": content["value"],
            }
        ],
        "taxes": content["taxes"],
        "total_name": "Total credited" if is_credit else "Total, paid in full",
        "total": content["total"],
        "words": content["words"],
        "notes": [note for note in _notes(content) if note],
        "upi": content["upi"],
        "qr": _qr_of(content),
        "bank": content["bank"],
    }


def _facts(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    is_credit = content["kind"] == DocumentKind.CREDIT_NOTE
    corrects = content["corrects"]
    return [
        ("Number", content["number"]),
        ("Date", _day(content["issuedOn"])),
        ("For invoice", f"{corrects[0]} of {_day(corrects[1])}" if corrects else ""),
        ("Refunded on" if is_credit else "Paid on", _day(content["paidOn"])),
        ("Mode of refund" if is_credit else "Mode of payment", content["mode"]),
        ("Reference", content["reference"]),
        ("Place of supply", _state_of(content["placeOfSupply"])),
    ]


def _notes(content: Mapping[str, Any]) -> list[str]:
    return [
        content["reason"],
        content["family"],
        "" if content["gstin"] else NO_GSTIN,
        "Tax is not payable under reverse charge." if content["gstin"] else "",
        "Fees are never accepted in cash.",
    ]


def _state_of(code: str) -> str:
    return f"{STATES[code]} ({code})" if code in STATES else ""


def _period_of(content: Mapping[str, Any]) -> str:
    first, last = content["firstDay"], content["lastDay"]
    return f"{_day(first)} to {_day(last)}" if last else f"from {_day(first)}"


def _day(text: str) -> str:
    return day_of(dt.date.fromisoformat(text))


def _qr_of(content: Mapping[str, Any]) -> str:
    """A QR code of the firm's UPI link as an SVG; "" where there is no UPI ID."""
    if not content["upi"]:
        return ""
    import segno  # noqa: PLC0415 - only who makes such a PDF pays for it

    link = upi_link(content["upi"], content["firm"]["name"])
    return str(segno.make(link, error="m", micro=False).svg_inline(border=0, dark="#16202c"))


def mail_subject(paper: Paper) -> str:
    """The subject of the mail that brings a paper."""
    kind = "Credit note" if paper.kind is DocumentKind.CREDIT_NOTE else "Receipt and invoice"
    return f"{kind} {paper.number[0]}"


def mail_of(
    recipient: str, subject: str, content: Mapping[str, Any], file: tuple[str, bytes]
) -> Draft:
    """The mail with a paper attached."""
    letterhead = content["firm"]
    is_credit = content["kind"] == DocumentKind.CREDIT_NOTE
    day, mode = _day(content["paidOn"]), content["mode"]
    said = (
        f"We have refunded {content['total']} to you on {day} ({mode})."
        if is_credit
        else f"We have received your payment of {content['total']} on {day} ({mode}). Thank you."
    )
    what = "credit note" if is_credit else "invoice" if content["gstin"] else "bill"
    sender = [
        letterhead["name"],
        *([letterhead["registered"], letterhead["registration"]] if letterhead["number"] else []),
        letterhead["contact"],
    ]
    paragraphs = [
        f"Dear {content['client']['name']},",
        said,
        (
            f"It is for research services, {_period_of(content)}. Your {what} {content['number']} is "
            "attached."
        ),
        *([content["family"]] if content["family"] else []),
        "\n".join(filter(None, sender)),
    ]
    html = "".join(f"<p>{escape(text).replace(chr(10), '<br>')}</p>" for text in paragraphs)
    return Draft(recipient, subject, "\n\n".join(paragraphs) + "\n", html, attachment=file)
