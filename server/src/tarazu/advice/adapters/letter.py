"""The letter as a PDF: what it says is handed to the template as JSON, never as markup."""

import json
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from tarazu.advice.adapters import contents as words
from tarazu.advice.adapters.contents import Contents
from tarazu.advice.package import Row
from tarazu.domain.charges import Charges, Side

if TYPE_CHECKING:
    from typst import Compiler

HERE = Path(__file__).parent
TEMPLATE = HERE / "letter.typ"
_compiling = Lock()


def letter_of(contents: Contents) -> bytes:
    """The letter as PDF/A-2b; the same contents give the same bytes."""
    with _compiling:
        made = _compiler().compile(
            input=str(TEMPLATE),
            format="pdf",
            sys_inputs={"letter": json.dumps(_fields(contents), ensure_ascii=False)},
            # For archives: fonts and colours are inside, so that it opens alike in years.
            pdf_standards=["a-2b"],
            timestamp=int(contents.sent_at.timestamp()),
        )
    assert isinstance(made, bytes)  # noqa: S101 - no output file is named, so the bytes come back
    return made


@cache
def _compiler() -> "Compiler":
    # Only a process that sends advice pays for the typesetter.
    from typst import Compiler  # noqa: PLC0415

    return Compiler(root=str(HERE), font_paths=[str(HERE / "fonts")], ignore_system_fonts=True)


def _fields(contents: Contents) -> dict[str, Any]:
    firm, sent_at = contents.firm, contents.sent_at
    return {
        "firm": {
            "name": firm.name,
            "number": firm.registration_number,
            "analyst": firm.analyst_name,
            "validity": words.validity_of(firm),
            "address": firm.address,
            "contact": firm.contact,
            "isDemo": firm.is_demo,
        },
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
        "rationale": contents.rationale.split("\n"),
        "disclosures": _disclosures(contents),
        "modelQuantities": words.MODEL_QUANTITIES,
        "noOrders": words.NO_ORDERS,
        "noAssurance": firm.no_assurance,
        "warning": firm.standard_warning,
        "author": {"name": contents.author.name, "role": words.role_of(contents.author.role)},
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
    prices = contents.prices
    note = f"Prices: {words.source_of(prices.sources)}, read {words.time_of(prices.read_at)}"
    if prices.oldest_at < prices.read_at:
        note += f"; the oldest was traded {words.time_of(prices.oldest_at)}"
    return f"{note}."


def _disclosures(contents: Contents) -> list[list[str]]:
    given = contents.disclosures
    named = {
        "Holdings of the analyst and relatives": given.holdings,
        "Conflicts of interest": given.conflicts,
        "Compensation": given.compensation,
        "": contents.firm.disclosures,
    }
    return [[name, text] for name, text in named.items() if text]
