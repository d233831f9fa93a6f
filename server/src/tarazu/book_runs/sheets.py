"""Runs over the book as exports."""

from collections.abc import Sequence

from tarazu.book_runs.tables import BookRunClient, ClientState
from tarazu.book_runs.views import BookRunView, reasons_of
from tarazu.kit.export import Column, Kind

RUNS: Sequence[Column[BookRunView]] = (
    Column("Begun (IST)", Kind.INSTANT, lambda row: row.run.created_at),
    Column("Model", Kind.TEXT, lambda row: row.model_name),
    Column("Version", Kind.WHOLE, lambda row: row.version_number),
    Column("Author", Kind.TEXT, lambda row: row.run.author),
    Column("State", Kind.TEXT, lambda row: row.run.state),
    Column("Clients", Kind.WHOLE, lambda row: row.totals.clients),
    Column("Included", Kind.WHOLE, lambda row: row.totals.included),
    Column("Buy Value", Kind.RUPEES, lambda row: row.totals.buy_value),
    Column("Sell Value", Kind.RUPEES, lambda row: row.totals.sell_value),
    Column("Charges", Kind.RUPEES, lambda row: row.totals.estimated_charges),
    Column("Trades", Kind.WHOLE, lambda row: row.totals.trades),
    Column("Sent", Kind.WHOLE, lambda row: row.states.get(ClientState.SENT, 0)),
    Column("Prices Of (IST)", Kind.INSTANT, lambda row: row.run.priced_at),
    Column("Sent By", Kind.TEXT, lambda row: row.run.sent_by),
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.run.sent_at),
    Column("Ended (IST)", Kind.INSTANT, lambda row: row.run.finished_at),
    Column("Error", Kind.TEXT, lambda row: row.run.error),
)


RUN_CLIENTS: Sequence[Column[BookRunClient]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.code),
    Column("Client Name", Kind.TEXT, lambda row: row.name),
    Column("Tile", Kind.TEXT, lambda row: row.tile),
    Column(
        "Reasons", Kind.TEXT, lambda row: "; ".join(reason.message for reason in reasons_of(row))
    ),
    Column("Included", Kind.TEXT, lambda row: "yes" if row.is_included else "no"),
    Column("Note", Kind.TEXT, lambda row: row.note),
    Column("Investment Value", Kind.RUPEES, lambda row: row.investment),
    Column("Cash", Kind.RUPEES, lambda row: row.cash),
    Column("Cash After", Kind.RUPEES, lambda row: row.cash_after),
    Column("Funds To Add", Kind.RUPEES, lambda row: row.funds_to_add),
    Column("Trades", Kind.WHOLE, lambda row: row.trades),
    Column("Buy Value", Kind.RUPEES, lambda row: row.buy_value),
    Column("Sell Value", Kind.RUPEES, lambda row: row.sell_value),
    Column("Charges", Kind.RUPEES, lambda row: row.charges),
    Column("Turnover %", Kind.PERCENT, lambda row: row.turnover),
    Column("Largest Drift", Kind.PERCENT, lambda row: row.max_drift),
    Column("Of", Kind.TEXT, lambda row: row.max_drift_symbol),
    Column("Holdings Of", Kind.INSTANT, lambda row: row.synced_at),
    Column("State", Kind.TEXT, lambda row: row.state),
    Column("Error", Kind.TEXT, lambda row: row.error),
    Column("Advice", Kind.TEXT, lambda row: str(row.advice_id or "")),
    Column("Sent", Kind.INSTANT, lambda row: row.sent_at),
    Column("Estimated Tax", Kind.RUPEES, lambda row: row.tax),
)
