"""The letter as a PDF."""

from pathlib import Path
from typing import Any

from tarazu.advice.documents import contents
from tarazu.advice.package import Row
from tarazu.advice.sealing import SealedAdvice, total_of
from tarazu.domain.charges import Charges, Side
from tarazu.firm.service import letterhead_of
from tarazu.kit import formatting
from tarazu.kit.pdf import SetPdf, pdf_of

TEMPLATE = Path(__file__).parent / "letter.typ"


def letter_of(advice: SealedAdvice, set_pdf: SetPdf = pdf_of) -> bytes:
    """The letter as PDF/A-2b; the same advice always gives the same bytes."""
    return set_pdf(TEMPLATE, _fields(advice), advice.sent_at)


def _fields(advice: SealedAdvice) -> dict[str, Any]:
    firm, sent_at = advice.firm, advice.sent_at
    sides = [side for side in (Side.SELL, Side.BUY) if contents.rows_of(advice, side)]
    return {
        "firm": letterhead_of(firm),
        "reference": str(advice.advice_id),
        "day": formatting.day_of(sent_at),
        "time": formatting.time_of(sent_at),
        "client": {"name": advice.client.name, "code": advice.client.code},
        "investment": formatting.rupees(advice.investment),
        "sides": [_side(advice, side) for side in sides],
        "charges": _charges(advice.charges),
        "chargesTotal": formatting.rupees(advice.charges.total),
        "broker": formatting.broker_of(advice.charges_broker),
        "prices": contents.price_line(advice),
        "practice": formatting.PRACTICE if contents.is_practice(advice) else "",
        "model": contents.model_line(advice),
        "rationale": advice.rationale.split("\n"),
        "disclosures": _disclosures(advice),
        "quantities": contents.quantities_note(advice),
        "noOrders": contents.NO_ORDERS,
        "noAssurance": firm.no_assurance,
        "warning": firm.standard_warning,
        "seal": contents.seal_line(advice),
        "author": {"name": advice.sender.name, "role": contents.role_of(advice.sender.role)},
    }


def _side(advice: SealedAdvice, side: Side) -> dict[str, Any]:
    return {
        "side": side,
        "rows": [_row(row) for row in contents.rows_of(advice, side)],
        "orderValue": formatting.rupees(contents.order_value(advice, side)),
        "valueAfter": formatting.rupees(total_of(advice.rows, side)),
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
        "orderValue": formatting.rupees(contents.trade_value(row)),
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


def _disclosures(advice: SealedAdvice) -> list[list[str]]:
    given = advice.disclosures
    named = {
        "Holdings of the analyst and relatives": given.holdings,
        "Conflicts of interest": given.conflicts,
        "Compensation": given.compensation,
        "": advice.firm.disclosures,
    }
    return [[name, text] for name, text in named.items() if text]
