"""The export of the advice history: one row per stock."""

from collections.abc import Sequence

from tarazu.advice.queries import SentLine
from tarazu.advice.service import PastAdvice
from tarazu.domain.money import from_points, from_units
from tarazu.kit.export import Column, Kind
from tarazu.kit.mail import Delivery

AdvisedStock = tuple[PastAdvice, SentLine]


def _delivery(row: AdvisedStock) -> Delivery | None:
    return row[0].delivery.status if row[0].delivery else None


ADVICE_HISTORY: Sequence[Column[AdvisedStock]] = (
    Column("Date (IST)", Kind.INSTANT, lambda row: row[0].advice.created_at),
    Column("Stock", Kind.TEXT, lambda row: row[1].symbol),
    Column("Transaction Type", Kind.TEXT, lambda row: row[1].type),
    Column("Quantity", Kind.WHOLE, lambda row: row[1].quantity),
    Column("% Allocation", Kind.PERCENT, lambda row: from_points(row[1].possible_allocation)),
    Column("Investment Amount", Kind.RUPEES, lambda row: from_units(row[1].current_value)),
    Column("Order Type", Kind.TEXT, lambda row: row[1].product),
    # The product spells it so, and so it stays.
    Column("Exchnage", Kind.TEXT, lambda row: row[1].exchange),
    Column("Price", Kind.PRICE, lambda row: from_units(row[1].last_price)),
    Column("Reason", Kind.TEXT, lambda row: row[1].message),
    Column("Analyst's Note", Kind.TEXT, lambda row: row[1].note),
    Column("Delivery", Kind.TEXT, _delivery),
    Column("Reference", Kind.TEXT, lambda row: row[0].advice.id),
)
