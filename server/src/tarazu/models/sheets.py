"""Tables of the drift monitor and of runs as they are taken away."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind, Sheet
from tarazu.models.drift import Drift
from tarazu.models.runs import RunClient, RunView
from tarazu.models.service import Constituent, Model, Subscriber, Version
from tarazu.models.tables import ClientState

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


_MODELS: Sequence[Column[Model]] = (
    Column("Model", Kind.TEXT, lambda row: row.row.name),
    Column("Status", Kind.TEXT, lambda row: row.row.status),
    Column("Version", Kind.WHOLE, lambda row: row.versions[0].row.number),
    Column("Stocks", Kind.WHOLE, lambda row: len(row.versions[0].constituents)),
    Column("Cash %", Kind.PERCENT, lambda row: row.versions[0].cash),
    Column("Benchmark", Kind.TEXT, lambda row: row.versions[0].row.benchmark),
    Column("Subscribers", Kind.WHOLE, lambda row: row.subscribers),
    Column("Launched (IST)", Kind.INSTANT, lambda row: row.versions[-1].row.created_at),
    Column("Updated (IST)", Kind.INSTANT, lambda row: row.versions[0].row.created_at),
)

_Part = tuple[Version, Constituent]
_VERSIONS: Sequence[Column[_Part]] = (
    Column("Version", Kind.WHOLE, lambda row: row[0].row.number),
    Column("Published (IST)", Kind.INSTANT, lambda row: row[0].row.created_at),
    Column("Author", Kind.TEXT, lambda row: row[0].row.author),
    Column("Stock", Kind.TEXT, lambda row: row[1].instrument.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row[1].instrument.exchange),
    Column("ISIN", Kind.TEXT, lambda row: row[1].instrument.isin),
    Column("% Allocation", Kind.PERCENT, lambda row: row[1].allocation),
    Column("Cash %", Kind.PERCENT, lambda row: row[0].cash),
    Column("Benchmark", Kind.TEXT, lambda row: row[0].row.benchmark),
    Column("Rationale", Kind.TEXT, lambda row: row[0].row.rationale),
)

_SUBSCRIBERS: Sequence[Column[Subscriber]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client.code),
    Column("Client Name", Kind.TEXT, lambda row: row.client.name),
    Column("Status", Kind.TEXT, lambda row: row.client.status),
    Column("Investment Value", Kind.RUPEES, lambda row: row.investment),
    Column("Portfolio Value", Kind.RUPEES, lambda row: row.portfolio_value),
    Column("Follows Since (IST)", Kind.INSTANT, lambda row: row.subscribed_at),
)

_RUNS: Sequence[Column[RunView]] = (
    Column("Begun (IST)", Kind.INSTANT, lambda row: row.run.created_at),
    Column("Model", Kind.TEXT, lambda row: row.model_name),
    Column("Version", Kind.WHOLE, lambda row: row.version_number),
    Column("Author", Kind.TEXT, lambda row: row.run.author),
    Column("State", Kind.TEXT, lambda row: row.run.state),
    Column("Clients", Kind.WHOLE, lambda row: row.totals.clients),
    Column("Included", Kind.WHOLE, lambda row: row.totals.included),
    Column("Buy Value", Kind.RUPEES, lambda row: row.totals.buys),
    Column("Sell Value", Kind.RUPEES, lambda row: row.totals.sells),
    Column("Charges", Kind.RUPEES, lambda row: row.totals.charges),
    Column("Trades", Kind.WHOLE, lambda row: row.totals.trades),
    Column("Sent", Kind.WHOLE, lambda row: row.states.get(ClientState.SENT, 0)),
    Column("Prices Of (IST)", Kind.INSTANT, lambda row: row.run.priced_at),
    Column("Sent By", Kind.TEXT, lambda row: row.run.sent_by),
    Column("Sent (IST)", Kind.INSTANT, lambda row: row.run.sent_at),
    Column("Ended (IST)", Kind.INSTANT, lambda row: row.run.finished_at),
    Column("Error", Kind.TEXT, lambda row: row.run.error),
)


def model_sheet(rows: Sequence[Model]) -> Sheet[Model]:
    """Model portfolios by name, each with its newest version."""
    return Sheet("Models", _MODELS, rows)


def version_sheet(model: Model) -> Sheet[_Part]:
    """All versions of a model, newest first: a row a stock."""
    rows = [(version, part) for version in model.versions for part in version.constituents]
    return Sheet("Model versions", _VERSIONS, rows)


def subscriber_sheet(rows: Sequence[Subscriber]) -> Sheet[Subscriber]:
    """The clients who follow a model, by code."""
    return Sheet("Model clients", _SUBSCRIBERS, rows)


def runs_sheet(rows: Sequence[RunView]) -> Sheet[RunView]:
    """Runs over the book, newest first."""
    return Sheet("Book runs", _RUNS, rows)


def drift_sheet(rows: Sequence[Drift]) -> Sheet[Drift]:
    """The drift monitor, worst first."""
    return Sheet("Drift", _DRIFT, rows)


def run_sheet(rows: Sequence[RunClient]) -> Sheet[RunClient]:
    """The clients of a run."""
    return Sheet("Book run", _CLIENTS, rows)
