"""Columns of the export of corporate actions."""

from collections.abc import Sequence
from typing import Final

from tarazu.corporate_actions.service import BY_HAND, KIND_NAMES, ShownAction
from tarazu.domain.corporate_actions.states import ActionState
from tarazu.kit.export import Column, Kind

_STATES: Final = {
    ActionState.ANNOUNCED: "Announced",
    ActionState.PENDING: "Pending",
    ActionState.LATE: "Late",
    ActionState.DONE: "Done",
}

CORPORATE_ACTIONS: Final[Sequence[Column[ShownAction]]] = (
    Column("Stock", Kind.TEXT, lambda row: row.symbol),
    Column("Name", Kind.TEXT, lambda row: row.name),
    Column("ISIN", Kind.TEXT, lambda row: row.isin),
    Column("Action", Kind.TEXT, lambda row: KIND_NAMES[row.kind]),
    Column("Ex-date", Kind.DAY, lambda row: row.ex_on),
    Column("Record Date", Kind.DAY, lambda row: row.record_on),
    Column("Effect", Kind.TEXT, lambda row: row.effect),
    Column("Shares After", Kind.WHOLE, lambda row: row.factor.numerator),
    Column("Shares Before", Kind.WHOLE, lambda row: row.factor.denominator),
    Column("Amount per Share", Kind.PRICE, lambda row: row.amount),
    Column("Payment Date", Kind.DAY, lambda row: row.pay_on),
    Column("New ISIN", Kind.TEXT, lambda row: row.new_isin),
    Column("Cost Share %", Kind.PERCENT, lambda row: row.cost_share),
    Column("State", Kind.TEXT, lambda row: _STATES[row.state]),
    Column("Clients", Kind.WHOLE, lambda row: row.clients),
    Column("Waiting for Credit", Kind.WHOLE, lambda row: row.waiting),
    Column("Purpose", Kind.TEXT, lambda row: row.purpose),
    Column("Source", Kind.TEXT, lambda row: "By hand" if row.source == BY_HAND else row.source),
)
