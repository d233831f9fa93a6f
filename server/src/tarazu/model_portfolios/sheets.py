"""Models, versions, subscribers and the drift monitor as exports."""

from collections.abc import Sequence

from tarazu.kit.export import Column, Kind
from tarazu.model_portfolios.drift import Drift
from tarazu.model_portfolios.service import Model
from tarazu.model_portfolios.subscribers import Subscriber
from tarazu.model_portfolios.versions import Constituent, Version

DRIFT: Sequence[Column[Drift]] = (
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
    Column("Note", Kind.TEXT, lambda row: "Action pending" if row.action_pending else ""),
)

MODELS: Sequence[Column[Model]] = (
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

VersionStock = tuple[Version, Constituent]
VERSIONS: Sequence[Column[VersionStock]] = (
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

SUBSCRIBERS: Sequence[Column[Subscriber]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.client.code),
    Column("Client Name", Kind.TEXT, lambda row: row.client.name),
    Column("Status", Kind.TEXT, lambda row: row.client.status),
    Column("Investment Value", Kind.RUPEES, lambda row: row.investment),
    Column("Portfolio Value", Kind.RUPEES, lambda row: row.portfolio_value),
    Column("Follows Since (IST)", Kind.INSTANT, lambda row: row.subscribed_at),
)
