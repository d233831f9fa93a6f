"""The letter as a PDF."""

from pathlib import Path
from typing import Any

from tarazu.advice.adapters import contents as told
from tarazu.advice.adapters.contents import Contents
from tarazu.advice.package import Row
from tarazu.domain.charges import Charges, Side
from tarazu.firm.service import letterhead_of
from tarazu.kit import words
from tarazu.kit.typeset import pdf_of

TEMPLATE = Path(__file__).parent / "letter.typ"


def letter_of(contents: Contents) -> bytes:
    """The letter as PDF/A-2b; the same contents give the same bytes."""
    return pdf_of(TEMPLATE, _fields(contents), contents.sent_at)


def _fields(contents: Contents) -> dict[str, Any]:
    firm, sent_at = contents.firm, contents.sent_at
    return {
        "firm": letterhead_of(firm),
        "reference": str(contents.advice_id),
        "day": words.day_of(sent_at),
        "time": words.time_of(sent_at),
        "client": {"name": contents.client_name, "code": contents.client_code},
        "investment": words.rupees(contents.investment),
        "sides": [_side(contents, side) for side in (Side.SELL, Side.BUY) if contents.side(side)],
        "charges": _charges(contents.charges),
        "chargesTotal": words.rupees(contents.charges.total),
        "broker": words.broker_of(contents.broker),
        "prices": _prices(contents),
        "model": contents.model,
        "rationale": contents.rationale.split("\n"),
        "disclosures": _disclosures(contents),
        "modelQuantities": told.MODEL_QUANTITIES,
        "noOrders": told.NO_ORDERS,
        "noAssurance": firm.no_assurance,
        "warning": firm.standard_warning,
        "author": {"name": contents.author.name, "role": told.role_of(contents.author.role)},
    }


def _side(contents: Contents, side: Side) -> dict[str, Any]:
    return {
        "side": side,
        "rows": [_row(row) for row in contents.side(side)],
        "orderValue": words.rupees(contents.order_value(side)),
        "valueAfter": words.rupees(contents.value_after(side)),
    }


def _row(row: Row) -> dict[str, str]:
    return {
        "symbol": row.stock.symbol,
        "name": row.stock.name,
        "exchange": row.stock.exchange,
        "held": words.shares(row.held),
        "quantity": words.shares(row.quantity),
        "after": words.shares(row.new_quantity),
        "price": words.rupees(row.last_price),
        "orderValue": words.rupees(row.additional_value + row.freed_value),
        "valueAfter": words.rupees(row.projected_value),
        "target": words.percent(row.allocation),
        "possible": words.percent(row.possible),
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
    return [[name, words.rupees(amount)] for name, amount in named.items() if amount]


def _prices(contents: Contents) -> str:
    return f"Prices: {contents.prices.in_words}."


def _disclosures(contents: Contents) -> list[list[str]]:
    given = contents.disclosures
    named = {
        "Holdings of the analyst and relatives": given.holdings,
        "Conflicts of interest": given.conflicts,
        "Compensation": given.compensation,
        "": contents.firm.disclosures,
    }
    return [[name, text] for name, text in named.items() if text]
