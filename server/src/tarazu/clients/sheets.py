"""Columns of the exports of clients."""

from collections.abc import Sequence
from decimal import Decimal

from tarazu.clients.returns import DayFigures, FlowKind, ReturnFlow
from tarazu.clients.service import ClientFigures
from tarazu.domain.holdings import HoldingTotals, ValuedHolding
from tarazu.domain.money import HUNDRED, ZERO, Percent, from_points
from tarazu.kit.clock import day_in_india
from tarazu.kit.export import Column, Kind
from tarazu.kit.formatting import source_of
from tarazu.people.service import Client
from tarazu.portfolio.book import Worth, rupees_of
from tarazu.portfolio.service import HeldStock

Holding = tuple[HeldStock, ValuedHolding]


def _profit(worth: Worth) -> Percent | None:
    points = worth.pnl_points
    return None if points is None else from_points(points)


def _basis(worth: Worth) -> str:
    if worth.total_pnl is None:
        return ""
    return "Since purchase" if worth.is_since_purchase else "On net investment"


def _sources(row: Holding) -> list[str]:
    return [row[0].quote.source] if row[0].quote else []


def _note_of(stock: HeldStock, row: ValuedHolding) -> str:
    """What makes the figures of a holding doubtful."""
    notes = []
    if row.is_stale:
        notes.append("No price: at the average price")
    if stock.is_price_stale:
        notes.append("Stale price")
    if stock.is_action_suspected:
        notes.append("Action suspected")
    if stock.is_action_pending:
        notes.append(_pending_note(stock))
    return "; ".join(notes)


def _pending_note(stock: HeldStock) -> str:
    if not stock.uncredited:
        return "Action pending"
    return f"Action pending: {stock.uncredited} not credited yet"


CLIENTS: Sequence[Column[ClientFigures]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.card.code),
    Column("Client Name", Kind.TEXT, lambda row: row.card.name),
    Column(
        "Current Portfolio Value",
        Kind.RUPEES,
        lambda row: rupees_of(row.worth.portfolio_value),
        is_summed=True,
    ),
    Column(
        "Total Amount", Kind.RUPEES, lambda row: rupees_of(row.worth.net_investment), is_summed=True
    ),
    Column("P&L Amount", Kind.RUPEES, lambda row: rupees_of(row.worth.total_pnl), is_summed=True),
    Column("P&L%", Kind.PERCENT, lambda row: _profit(row.worth)),
    Column("P&L Basis", Kind.TEXT, lambda row: _basis(row.worth)),
    Column("Cash Available", Kind.RUPEES, lambda row: rupees_of(row.worth.cash), is_summed=True),
    Column("Status", Kind.TEXT, lambda row: "Login" if row.is_connected else "Logout"),
    Column("Note", Kind.TEXT, lambda row: "Action pending" if row.is_action_pending else ""),
)

HOLDINGS: Sequence[Column[Holding]] = (
    Column("Stock", Kind.TEXT, lambda row: row[0].instrument.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row[0].instrument.exchange),
    Column("ISIN", Kind.TEXT, lambda row: row[0].instrument.isin),
    Column("Quantity", Kind.WHOLE, lambda row: row[1].quantity),
    Column("Average Price", Kind.PRICE, lambda row: row[1].average_price),
    Column("LTP", Kind.PRICE, lambda row: row[1].last_price),
    Column("Price Of (IST)", Kind.INSTANT, lambda row: row[0].quote and row[0].quote.at),
    Column("Price Source", Kind.TEXT, lambda row: source_of(_sources(row))),
    Column("Invested", Kind.RUPEES, lambda row: row[1].invested),
    Column("Current Value", Kind.RUPEES, lambda row: row[1].value),
    Column("P&L", Kind.RUPEES, lambda row: row[1].pnl),
    Column("P&L%", Kind.PERCENT, lambda row: row[1].pnl_percentage),
    Column("Allocation", Kind.PERCENT, lambda row: row[1].allocation),
    Column("Note", Kind.TEXT, lambda row: _note_of(*row)),
)


RECORDS: Sequence[Column[Client]] = (
    Column("Onboarding Date", Kind.DAY, lambda row: day_in_india(row.created_at)),
    Column("Client ID", Kind.TEXT, lambda row: row.code),
    Column("Name", Kind.TEXT, lambda row: row.name),
    Column("Country Code", Kind.TEXT, lambda row: row.country_code),
    Column("Contact", Kind.TEXT, lambda row: row.contact_number),
    Column("Role", Kind.TEXT, lambda _: "client"),
    Column("Email", Kind.TEXT, lambda row: row.email),
    Column("Status", Kind.TEXT, lambda row: row.status),
)

_FLOW_WORDS = {
    FlowKind.STARTING_CAPITAL: "Starting Capital",
    FlowKind.FUNDS_ADDED: "Fund Added",
    # The specification spells it so.
    FlowKind.FUNDS_WITHDRAWN: "Fund Withdrawl",
    FlowKind.FEE_PAID: "Fees",
    FlowKind.PORTFOLIO_VALUE: "Portfolio Value",
}

FLOWS: Sequence[Column[ReturnFlow]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Amount", Kind.RUPEES, lambda row: row.amount),
    Column("Fees", Kind.RUPEES, lambda row: row.fees, is_summed=True),
    Column("Kind", Kind.TEXT, lambda row: _FLOW_WORDS[row.kind]),
)


DAYS: Sequence[Column[DayFigures]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Portfolio Value", Kind.RUPEES, lambda row: row.value),
    Column("Net Investment", Kind.RUPEES, lambda row: row.net_investment),
    Column("Time-weighted Index", Kind.NUMBER, lambda row: row.index),
)


def holding_totals(totals: HoldingTotals) -> dict[str, Decimal]:
    """The totals of holdings by heading; the gain only where it is known."""
    by_title = {
        "Invested": totals.invested,
        "Current Value": totals.value,
        "Allocation": HUNDRED if totals.value else ZERO,
    }
    if totals.pnl is not None and totals.pnl_percentage is not None:
        by_title |= {"P&L": totals.pnl, "P&L%": totals.pnl_percentage}
    return by_title
