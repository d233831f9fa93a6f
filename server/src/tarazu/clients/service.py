"""Clients as staff see them: added with an account, listed with live figures, looked into."""

import datetime as dt
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.clients.errors import DateOutOfRange
from tarazu.domain import holdings as figures
from tarazu.domain.money import ZERO, Percent, Rupees, share_of
from tarazu.domain.returns import CashFlow, Xirr, flows_of_client, twr, xirr
from tarazu.fees import service as fees
from tarazu.kit.trail import Actor
from tarazu.people import service as people
from tarazu.people.service import Client, ClientCard, NewPerson
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.book import ClientValue
from tarazu.portfolio.service import HeldStock, Standing

EARLIEST_START = dt.date(1980, 1, 1)
NOTHING = ClientValue(ZERO, ZERO, ZERO, has_holdings=False)


@dataclass(frozen=True, slots=True)
class ClientFigures:
    """One row of the client list."""

    id: uuid.UUID
    client_id: str
    name: str
    status: Status
    total_portfolio: Rupees
    total_investment: Rupees
    net_pn_l: Rupees
    net_pnl_percentage: Percent
    net_cash_amount: Rupees
    is_connected: bool


@dataclass(frozen=True, slots=True)
class PortfolioView:
    """A client's portfolio with its returns, at one reading of the prices."""

    standing: Standing
    figures: figures.PortfolioFigures
    xirr: Xirr
    twr_percentage: Percent | None
    priced_at: dt.datetime | None


_SORT_KEYS: Mapping[str, Callable[[ClientFigures], object]] = {
    "clientId": lambda row: row.client_id,
    "name": lambda row: row.name.casefold(),
    "totalPortfolio": lambda row: row.total_portfolio,
    "totalInvestment": lambda row: row.total_investment,
    "netPnL": lambda row: row.net_pn_l,
    "NetCashAmount": lambda row: row.net_cash_amount,
    "status": lambda row: row.is_connected,
}


def add_clients(
    session: Session, actor: Actor, now: dt.datetime, new: Sequence[NewPerson]
) -> list[Client]:
    """Add all of these clients or none, each with a code and an empty account.

    Raises:
        EmailTaken: an e-mail address is in use; the row is named.
        NoCodesLeft: C9999 is taken.
    """
    # The books' turn first, as every writer of the books takes it: no two can wait crosswise.
    portfolio.await_turn(session)
    added = people.add_clients(session, actor, now, new)
    portfolio.open_accounts(session, [client.id for client in added])
    return added


def list_clients(
    session: Session, query: str, sort: str, skipped: int, limit: int
) -> tuple[list[ClientFigures], int]:
    """One page of clients with their figures at the newest prices, and how many match.

    By client code unless sorted; rows that tie stand by client code.
    """
    cards = people.client_cards(session, query)
    values = portfolio.client_values(session)
    key = sort.removeprefix("-")
    if key not in _SORT_KEYS or key == "clientId":
        if sort == "-clientId":
            cards.reverse()
        shown = [_figures(card, values) for card in cards[skipped : skipped + limit]]
        return shown, len(cards)
    rows = [_figures(card, values) for card in cards]
    rows.sort(key=_SORT_KEYS[key], reverse=sort.startswith("-"))  # type: ignore[arg-type]
    return rows[skipped : skipped + limit], len(cards)


def profile(session: Session, client_id: uuid.UUID) -> tuple[Client, Standing, ClientValue]:
    """A client's record, account and value.

    Raises:
        ClientNotFound: there is no such client.
    """
    client = people.client(session, client_id)
    value = portfolio.client_values(session).get(client_id, NOTHING)
    return client, portfolio.standing_of(session, client_id), value


def neighbours(session: Session, client_id: uuid.UUID) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The clients before and after this one by code; None at either end."""
    ids = [card.id for card in people.client_cards(session, "")]
    place = ids.index(client_id) if client_id in ids else -1
    before = ids[place - 1] if place > 0 else None
    after = ids[place + 1] if 0 <= place < len(ids) - 1 else None
    return before, after


def holdings(
    session: Session, client_id: uuid.UUID
) -> tuple[list[HeldStock], figures.ValuedHoldings]:
    """A client's holdings, by symbol, with their figures.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    stocks = portfolio.stocks_of(session, client_id)
    return stocks, portfolio.valued(stocks)


def portfolio_of(session: Session, client_id: uuid.UUID, today: dt.date) -> PortfolioView:
    """A client's portfolio and what it returned, as `domain` defines every figure.

    Raises:
        ClientNotFound: there is no such client.
    """
    stocks, valued = holdings(session, client_id)
    standing = portfolio.standing_of(session, client_id)
    flows = portfolio.signed_flows_of(session, client_id)
    account = figures.Account(
        standing.funds.net,
        standing.starting_capital,
        standing.started_on,
        flows,
        fees.charged_to(session, client_id),
    )
    found = figures.portfolio_figures(valued.totals.value, account, today)
    seen = _flows_seen(session, client_id, account, found.portfolio_value, today)
    return PortfolioView(
        standing,
        found,
        xirr(seen),
        _time_weighted(session, client_id, flows, standing.started_on),
        newest_quote(stocks),
    )


def set_starting_date(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    started_on: dt.date,
    today: dt.date,
) -> None:
    """Record when a client began; cash flows before that day stop counting.

    Raises:
        ClientNotFound: there is no such client.
        DateOutOfRange: the day lies ahead, or before there was a stock market to speak of.
    """
    people.client(session, client_id)
    if not EARLIEST_START <= started_on <= today:
        raise DateOutOfRange
    capital = portfolio.standing_of(session, client_id).starting_capital
    portfolio.set_start(session, actor, now, client_id, capital=capital, started_on=started_on)


def set_starting_capital(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, capital: Rupees
) -> None:
    """Record what a client began with.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    started_on = portfolio.standing_of(session, client_id).started_on
    portfolio.set_start(session, actor, now, client_id, capital=capital, started_on=started_on)


def newest_quote(stocks: Sequence[HeldStock]) -> dt.datetime | None:
    """When the newest of these prices was traded; None without any."""
    return max((stock.quote.at for stock in stocks if stock.quote), default=None)


def _figures(card: ClientCard, values: Mapping[uuid.UUID, ClientValue]) -> ClientFigures:
    value = values.get(card.id, NOTHING)
    return ClientFigures(
        card.id,
        card.code,
        card.name,
        card.status,
        value.portfolio_value,
        value.net_investment,
        value.total_pnl,
        share_of(value.total_pnl, value.net_investment),
        value.net,
        is_connected=False,
    )


def _flows_seen(
    session: Session,
    client_id: uuid.UUID,
    account: figures.Account,
    worth: Rupees,
    today: dt.date,
) -> list[CashFlow]:
    """The flows of the XIRR as the client sees them; none while the start is not recorded."""
    if account.started_from is None:
        return []
    return flows_of_client(
        CashFlow.added(account.started_from, account.starting_capital),
        account.cash_flows,
        [CashFlow.added(day, amount) for day, amount in fees.paid_by(session, client_id)],
        CashFlow.withdrawn(today, worth),
    )


def _time_weighted(
    session: Session, client_id: uuid.UUID, flows: Sequence[CashFlow], since: dt.date | None
) -> Decimal | None:
    closes = portfolio.client_closes(session, client_id, since)
    found = twr([(day, value + net) for day, value, net in closes], flows)
    return found.percentage if found else None
