"""The letter as a PDF."""

from pathlib import Path
from typing import Any

from tarazu.advice.documents import contents as told
from tarazu.advice.documents.contents import Contents
from tarazu.advice.package import Row
from tarazu.domain.charges import Charges, Side
from tarazu.firm.service import letterhead_of
from tarazu.kit import formatting
from tarazu.kit.pdf import SetPdf, pdf_of

TEMPLATE = Path(__file__).parent / "letter.typ"


def letter_of(contents: Contents, set_pdf: SetPdf = pdf_of) -> bytes:
    """The letter as PDF/A-2b; the same contents give the same bytes, whoever sets them."""
    return set_pdf(TEMPLATE, _fields(contents), contents.sent_at)


def _fields(contents: Contents) -> dict[str, Any]:
    firm, sent_at = contents.firm, contents.sent_at
    return {
        "firm": letterhead_of(firm),
        "reference": str(contents.advice_id),
        "day": formatting.day_of(sent_at),
        "time": formatting.time_of(sent_at),
        "client": {"name": contents.client_name, "code": contents.client_code},
        "investment": formatting.rupees(contents.investment),
        "sides": [_side(contents, side) for side in (Side.SELL, Side.BUY) if contents.side(side)],
        "charges": _charges(contents.charges),
        "chargesTotal": formatting.rupees(contents.charges.total),
        "broker": formatting.broker_of(contents.broker),
        "prices": contents.price_line,
        "practice": formatting.PRACTICE if contents.is_practice else "",
        "model": contents.model,
        "rationale": contents.rationale.split("\n"),
        "disclosures": _disclosures(contents),
        "quantities": contents.quantities_note,
        "noOrders": told.NO_ORDERS,
        "noAssurance": firm.no_assurance,
        "warning": firm.standard_warning,
        "seal": contents.seal_line,
        "author": {"name": contents.author.name, "role": told.role_of(contents.author.role)},
    }


def _side(contents: Contents, side: Side) -> dict[str, Any]:
    return {
        "side": side,
        "rows": [_row(row) for row in contents.side(side)],
        "orderValue": formatting.rupees(contents.order_value(side)),
        "valueAfter": formatting.rupees(contents.value_after(side)),
    }


def _row(row: Row) -> dict[str, str]:
    return {
        "symbol": row.stock.symbol,
        "name": row.stock.name,
        "exchange": row.stock.exchange,
        "held": formatting.shares(row.held),
        "quantity": formatting.shares(row.quantity),
        "after": formatting.shares(row.new_quantity),
        "price": formatting.rupees(row.last_price),
        "orderValue": formatting.rupees(row.additional_value + row.freed_value),
        "valueAfter": formatting.rupees(row.projected_value),
        "target": formatting.percent(row.allocation),
        "possible": formatting.percent(row.possible),
        "reason": row.message,
    }


def _charges(charges: Charges) -> list[list[str]]:
    named = {
        "brokerage": charges.brokerage,
        "securities transaction tax": charges.stt,
        "exchange charges": charges.exchange,
        "SEBI fee": charges.sebi,
        "stamp duty": charges.stamp,
        "depository": charges.depository,
        "GST": charges.gst,
    }
    return [[name, formatting.rupees(amount)] for name, amount in named.items() if amount]


def _disclosures(contents: Contents) -> list[list[str]]:
    given = contents.disclosures
    named = {
        "Holdings of the analyst and relatives": given.holdings,
        "Conflicts of interest": given.conflicts,
        "Compensation": given.compensation,
        "": contents.firm.disclosures,
    }
    return [[name, text] for name, text in named.items() if text]
