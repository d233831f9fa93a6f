"""Tables of clients as they are taken away."""

from collections.abc import Callable, Sequence

from tarazu.clients.returns import DayValue, FlowKind, FlowRow
from tarazu.clients.service import ClientFigures
from tarazu.domain.holdings import ValuedHolding, ValuedHoldings
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, from_points, from_units
from tarazu.kit.clock import day_in_india
from tarazu.kit.export import Column, Kind, Sheet
from tarazu.kit.formatting import source_of
from tarazu.people.service import Client
from tarazu.portfolio.book import Worth, rupees_of
from tarazu.portfolio.service import HeldStock

_Held = tuple[HeldStock, ValuedHolding]


def _profit(worth: Worth) -> Percent | None:
    points = worth.pnl_points
    return None if points is None else from_points(points)


def _basis(worth: Worth) -> str:
    if worth.total_pnl is None:
        return ""
    return "Since purchase" if worth.is_since_purchase else "On net investment"


def _sum_of(rows: Sequence[ClientFigures], figure: Callable[[Worth], int | None]) -> Rupees:
    """Of those of which it is known."""
    return from_units(sum(figure(row.worth) or 0 for row in rows))


def _sources(row: _Held) -> list[str]:
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
    return "; ".join(notes)


_CLIENTS: Sequence[Column[ClientFigures]] = (
    Column("Client ID", Kind.TEXT, lambda row: row.card.code),
    Column("Client Name", Kind.TEXT, lambda row: row.card.name),
    Column(
        "Current Portfolio Value", Kind.RUPEES, lambda row: rupees_of(row.worth.portfolio_value)
    ),
    Column("Total Amount", Kind.RUPEES, lambda row: rupees_of(row.worth.net_investment)),
    Column("P&L Amount", Kind.RUPEES, lambda row: rupees_of(row.worth.total_pnl)),
    Column("P&L%", Kind.PERCENT, lambda row: _profit(row.worth)),
    Column("P&L Basis", Kind.TEXT, lambda row: _basis(row.worth)),
    Column("Cash Available", Kind.RUPEES, lambda row: rupees_of(row.worth.cash)),
    Column("Status", Kind.TEXT, lambda row: "Login" if row.is_connected else "Logout"),
)

_HOLDINGS: Sequence[Column[_Held]] = (
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


_RECORDS: Sequence[Column[Client]] = (
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
    # The product spells it so, and so it stays.
    FlowKind.FUNDS_WITHDRAWN: "Fund Withdrawl",
    FlowKind.FEE_PAID: "Fees",
    FlowKind.PORTFOLIO_VALUE: "Portfolio Value",
}

_FLOWS: Sequence[Column[FlowRow]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Amount", Kind.RUPEES, lambda row: row.amount),
    Column("Fees", Kind.RUPEES, lambda row: row.fees),
    Column("Kind", Kind.TEXT, lambda row: _FLOW_WORDS[row.kind]),
)


_DAYS: Sequence[Column[DayValue]] = (
    Column("Date", Kind.DAY, lambda row: row.date),
    Column("Portfolio Value", Kind.RUPEES, lambda row: row.value),
    Column("Net Investment", Kind.RUPEES, lambda row: row.net_investment),
    Column("Time-weighted Index", Kind.NUMBER, lambda row: row.index),
)


def record_sheet(rows: Sequence[Client]) -> Sheet[Client]:
    """The records of clients."""
    return Sheet("Client Records", _RECORDS, rows)


def flow_sheet(rows: Sequence[FlowRow]) -> Sheet[FlowRow]:
    """The cash flows of the XIRR."""
    return Sheet("XIRR", _FLOWS, rows, {"Fees": sum((row.fees for row in rows), ZERO)})


def day_sheet(days: Sequence[DayValue]) -> Sheet[DayValue]:
    """What a portfolio was worth day by day, newest first."""
    return Sheet("Performance", _DAYS, list(reversed(days)))


def client_sheet(rows: Sequence[ClientFigures]) -> Sheet[ClientFigures]:
    """The client list."""
    totals = {
        "Current Portfolio Value": _sum_of(rows, lambda worth: worth.portfolio_value),
        "Total Amount": _sum_of(rows, lambda worth: worth.net_investment),
        "P&L Amount": _sum_of(rows, lambda worth: worth.total_pnl),
        "Cash Available": _sum_of(rows, lambda worth: worth.cash),
    }
    return Sheet("Clients", _CLIENTS, rows, totals)


def holding_sheet(stocks: Sequence[HeldStock], valued: ValuedHoldings) -> Sheet[_Held]:
    """A client's holdings."""
    found = valued.totals
    totals = {
        "Invested": found.invested,
        "Current Value": found.value,
        "Allocation": HUNDRED if found.value else ZERO,
    }
    if found.pnl is not None and found.pnl_percentage is not None:
        totals |= {"P&L": found.pnl, "P&L%": found.pnl_percentage}
    return Sheet("Holdings", _HOLDINGS, list(zip(stocks, valued.rows, strict=True)), totals)
