"""Tables of the drift monitor and of runs as they are taken away."""

from collections.abc import Sequence

from tarazu.kit.sheets import Column, Kind, Sheet
from tarazu.models.drift import Drift
from tarazu.models.runs import RunClient

_DRIFT: Sequence[Column[Drift]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client_id),
    Column("Client Name", Kind.TEXT, lambda row: row.name),
    Column("Model", Kind.TEXT, lambda row: row.model_name),
    Column("Version", Kind.WHOLE, lambda row: row.version_number),
    Column("Largest Drift", Kind.PERCENT, lambda row: row.max_drift),
    Column("Of", Kind.TEXT, lambda row: row.max_drift_symbol),
    Column("Total Drift", Kind.PERCENT, lambda row: row.total_drift),
    Column("Investment Value", Kind.RUPEES, lambda row: row.investment_value),
    Column("Cash %", Kind.PERCENT, lambda row: row.cash_percentage),
    Column("Outside %", Kind.PERCENT, lambda row: row.outside_percentage),
    Column("Price Missing", Kind.TEXT, lambda row: ", ".join(row.price_missing)),
    Column("Holdings Of", Kind.INSTANT, lambda row: row.synced_at),
)

_CLIENTS: Sequence[Column[RunClient]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.row.code),
    Column("Client Name", Kind.TEXT, lambda row: row.row.name),
    Column("Tile", Kind.TEXT, lambda row: row.row.tile),
    Column("Reasons", Kind.TEXT, lambda row: "; ".join(one.message for one in row.reasons)),
    Column("Included", Kind.TEXT, lambda row: "yes" if row.row.is_included else "no"),
    Column("Note", Kind.TEXT, lambda row: row.row.note),
    Column("Investment Value", Kind.RUPEES, lambda row: row.row.investment),
    Column("Cash", Kind.RUPEES, lambda row: row.row.cash),
    Column("Cash After", Kind.RUPEES, lambda row: row.row.cash_after),
    Column("Funds To Add", Kind.RUPEES, lambda row: row.row.funds_to_add),
    Column("Trades", Kind.WHOLE, lambda row: row.row.trades),
    Column("Buy Value", Kind.RUPEES, lambda row: row.row.buy_value),
    Column("Sell Value", Kind.RUPEES, lambda row: row.row.sell_value),
    Column("Charges", Kind.RUPEES, lambda row: row.row.charges),
    Column("Turnover %", Kind.PERCENT, lambda row: row.row.turnover),
    Column("Largest Drift", Kind.PERCENT, lambda row: row.row.max_drift),
    Column("Of", Kind.TEXT, lambda row: row.row.max_drift_symbol),
    Column("Holdings Of", Kind.INSTANT, lambda row: row.row.synced_at),
    Column("State", Kind.TEXT, lambda row: row.row.state),
    Column("Error", Kind.TEXT, lambda row: row.row.error),
    Column("Advice", Kind.TEXT, lambda row: str(row.row.advice_id or "")),
    Column("Sent", Kind.INSTANT, lambda row: row.row.sent_at),
)


def drift_sheet(rows: Sequence[Drift]) -> Sheet[Drift]:
    """The drift monitor, worst first."""
    return Sheet("Drift", _DRIFT, rows)


def run_sheet(rows: Sequence[RunClient]) -> Sheet[RunClient]:
    """The clients of a run."""
    return Sheet("Book run", _CLIENTS, rows)
