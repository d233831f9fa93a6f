"""What the letter and the mail of an advice say, from the sealed advice alone."""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from tarazu.advice.package import Row
from tarazu.advice.sealing import SealedAdvice
from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, Rupees
from tarazu.kit.clock import INDIA
from tarazu.kit.formatting import day_of, prices_of, rupees
from tarazu.prices.service import PriceSource

NO_ORDERS: Final = (
    "This letter is a recommendation. Neither the Research Analyst nor the software it uses ever "
    "places an order: whether and when to trade is for you to decide, in your own broker's account."
)
MODEL_QUANTITIES: Final = (
    "The quantities are model quantities for your account: the model's target allocation, "
    "calculated in whole shares for the Investment Value above."
)
OWN_QUANTITIES: Final = (
    "This advice was made for your account alone; it does not follow a model portfolio. The "
    "quantities are calculated in whole shares for the Investment Value above."
)
STANDARD: Final = "Standard rationale: "
"""The beginning of a rationale that the sender did not write."""

_ROLES: Final = {"ADMIN": "Administrator", "USER": "Staff"}


def rows_of(advice: SealedAdvice, side: Side) -> list[Row]:
    """The rows of one side, in their order."""
    return [row for row in advice.rows if row.side is side]


def trade_value(row: Row) -> Rupees:
    """Shares traded times price, before charges."""
    return row.additional_value + row.freed_value


def order_value(advice: SealedAdvice, side: Side) -> Rupees:
    """The sum of one side's trades at the advised prices, before charges."""
    return sum(map(trade_value, rows_of(advice, side)), ZERO)


def is_practice(advice: SealedAdvice) -> bool:
    """Whether the prices are simulated: of the demo firm, or of the simulated feed."""
    return advice.firm.is_demo or PriceSource.SIMULATED in advice.prices.sources


def price_line(advice: SealedAdvice) -> str:
    """The sources of the prices, each with the time or day of its prices."""
    return f"Prices: {prices_of((price.source, price.at) for price in advice.prices.used)}."


def quantities_note(advice: SealedAdvice) -> str:
    """How the quantities were determined."""
    return MODEL_QUANTITIES if advice.model else OWN_QUANTITIES


def model_line(advice: SealedAdvice) -> str:
    """The model portfolio and its version; "" for advice to one client alone."""
    model = advice.model
    if model is None:
        return ""
    return f"{model.name}, version {model.number} of {day_of(model.published_at)}"


def seal_line(advice: SealedAdvice) -> str:
    """Seal number and key fingerprint."""
    return f"Seal number {advice.number}, key fingerprint {advice.fingerprint}"


def file_name_of(client_code: str, sent_at: dt.datetime) -> str:
    """A letter's file name: `advice-C1042-2026-11-21.pdf`."""
    return f"advice-{client_code}-{sent_at.astimezone(INDIA).date().isoformat()}.pdf"


def role_of(role: str) -> str:
    """A role as letters name it."""
    return _ROLES.get(role, role)


def standard_rationale(
    firm_text: str, investment: Rupees, rows: Sequence[Row], *, has_model: bool
) -> str:
    """The rationale where the sender gave none, marked as standard.

    Args:
        firm_text: the firm's own standard rationale; "" for a generated one.
        has_model: whether the targets are those of a model portfolio.
    """
    if firm_text:
        return f"{STANDARD}{firm_text}"
    sales = sum(row.side is Side.SELL for row in rows)
    counts = (("sale", sales), ("purchase", len(rows) - sales))
    trades = " and ".join(
        f"{count} {word}{'s' if count > 1 else ''}" for word, count in counts if count
    )
    whose = "of the model portfolio" if has_model else "set for you"
    return (
        f"{STANDARD}The advice brings your portfolio to the target allocation {whose}: "
        f"{trades} in whole shares, for an Investment Value of {rupees(investment)}."
    )
