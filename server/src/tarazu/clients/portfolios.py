"""A client's profile, portfolio and holdings, at one reading of the prices."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.clients.errors import DateOutOfRange
from tarazu.clients.returns import Returns, read_ledger, returns_at
from tarazu.domain import holdings as figures
from tarazu.domain.money import Rupees
from tarazu.fees import service as fees
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.book import NO_WORTH, ClientValue
from tarazu.portfolio.service import AccountSummary, Funds, HeldStock
from tarazu.prices import service as prices
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

EARLIEST_START = dt.date(1980, 1, 1)
NO_VALUE = ClientValue(NO_WORTH, has_holdings=False)
LastSync = dt.datetime | Literal["live"] | None
"""`live`, or the time of the last sync with the broker; None before the first."""


@dataclass(frozen=True, slots=True)
class BrokerLabel:
    """The name of a broker and the address of its logo; "" without one."""

    name: str
    logo: str


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A client's record, account and value; the clients before and after, by code."""

    client: Client
    account: AccountSummary
    value: ClientValue
    is_connected: bool
    last_sync: LastSync
    broker: BrokerLabel
    previous_client_id: uuid.UUID | None
    next_client_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class StalePrices:
    """The number of stale prices, the time of the oldest and their sources."""

    count: int
    oldest_at: dt.datetime | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnteredCashView:
    """Cash that staff entered, with the name of who entered it."""

    amount: Rupees
    as_of: dt.date
    entered_at: dt.datetime
    entered_by: str


@dataclass(frozen=True, slots=True)
class PortfolioView:
    """A client's portfolio with its returns, at one reading of the prices.

    `suspected` are the symbols of holdings with a suspected action: the totals are doubtful.
    `pending` are those with shares of an action that are not credited yet, `unadjusted` those of
    which a daily value before the credit is left as it was.
    """

    account: AccountSummary
    is_connected: bool
    last_sync: LastSync
    figures: figures.PortfolioFigures
    returns: Returns
    priced_at: dt.datetime | None
    stale: StalePrices
    suspected: tuple[str, ...]
    pending: tuple[str, ...]
    unadjusted: list[str]
    broker: BrokerLabel
    cash_by_hand: EnteredCashView | None

    @property
    def net(self) -> Rupees | None:
        """The net funds; None until they are known."""
        return self._funds.net if self._funds else None

    @property
    def cash(self) -> Rupees | None:
        """The available cash; None until it is known."""
        return self._funds.available_cash if self._funds else None

    @property
    def intraday_payin(self) -> Rupees | None:
        """The funds paid in today; None until they are known."""
        return self._funds.intraday_payin if self._funds else None

    @property
    def _funds(self) -> Funds | None:
        return self.account.funds if self.account.is_valued else None


def profile(
    session: Session,
    client_id: uuid.UUID,
    now: dt.datetime,
    visible: VisibleClients = ALL_CLIENTS,
) -> ProfileView:
    """A client's record, account and value.

    Raises:
        ClientNotFound: there is no such client.
    """
    client = people.client(session, client_id)
    value = portfolio.client_values(session).get(client_id, NO_VALUE)
    account = portfolio.account_summary(session, client_id)
    is_connected = bool(brokers.connected_clients(session, [client_id], now))
    return ProfileView(
        client,
        account,
        value,
        is_connected,
        _last_sync(session, account, now, is_connected=is_connected),
        _broker_of(session, account),
        *people.neighbours_of(session, client.code, visible),
    )


def holdings(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> tuple[list[HeldStock], figures.ValuedHoldings]:
    """A client's holdings by symbol, with their figures.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    stocks = portfolio.stocks_of(session, client_id, now)
    return stocks, portfolio.valued(stocks)


def portfolio_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> PortfolioView:
    """A client's portfolio and its returns.

    Raises:
        ClientNotFound: there is no such client.
    """
    stocks, valued = holdings(session, client_id, now)
    today = clock.day_in_india(now)
    account = portfolio.account_summary(session, client_id)
    is_connected = bool(brokers.connected_clients(session, [client_id], now))
    ledger = read_ledger(session, client_id, valued.totals.value, today)
    basis = figures.Account(
        account.funds.net,
        account.starting_capital,
        account.started_on,
        ledger.flows,
        fees.charged_to(session, client_id),
        account.is_valued,
    )
    return PortfolioView(
        account,
        is_connected,
        _last_sync(session, account, now, is_connected=is_connected),
        figures.portfolio_figures(valued.totals, basis, today),
        returns_at(ledger),
        newest_quote(stocks),
        stale_prices(stocks),
        tuple(stock.instrument.symbol for stock in stocks if stock.is_action_suspected),
        tuple(stock.instrument.symbol for stock in stocks if stock.is_action_pending),
        portfolio.unadjusted_stocks(session, client_id),
        _broker_of(session, account),
        _cash_by_hand(session, account),
    )


def set_starting_date(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    started_on: dt.date,
    version: int | None = None,
) -> None:
    """Set the starting date of a client; earlier cash flows no longer count.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the account has changed since `version`.
        DateOutOfRange: the day is in the future, or before 1980.
    """
    people.client(session, client_id)
    if not EARLIEST_START <= started_on <= clock.day_in_india(now):
        raise DateOutOfRange
    # The lock first, so that nobody edits the capital between reading and writing.
    portfolio.lock_accounts(session)
    capital = portfolio.account_summary(session, client_id).starting_capital
    portfolio.set_start(
        session, actor, now, client_id, capital=capital, started_on=started_on, version=version
    )


def set_starting_capital(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    capital: Rupees,
    version: int | None = None,
) -> None:
    """Set the starting capital of a client.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the account has changed since `version`.
    """
    people.client(session, client_id)
    portfolio.lock_accounts(session)
    started_on = portfolio.account_summary(session, client_id).started_on
    portfolio.set_start(
        session, actor, now, client_id, capital=capital, started_on=started_on, version=version
    )


def newest_quote(stocks: Sequence[HeldStock]) -> dt.datetime | None:
    """The time of the newest of these prices; None without any."""
    return max((stock.quote.at for stock in stocks if stock.quote), default=None)


def stale_prices(stocks: Sequence[HeldStock]) -> StalePrices:
    """The stale prices of these holdings; holdings without a price do not count."""
    stale = [stock.quote for stock in stocks if stock.quote and stock.is_price_stale]
    return StalePrices(
        len(stale),
        min((quote.at for quote in stale), default=None),
        tuple(sorted({quote.source for quote in stale})),
    )


def _broker_of(session: Session, account: AccountSummary) -> BrokerLabel:
    named = (broker for broker in brokers.list_brokers(session) if broker.name == account.broker)
    return BrokerLabel(account.broker, next((broker.logo for broker in named), ""))


def _cash_by_hand(session: Session, account: AccountSummary) -> EnteredCashView | None:
    cash = account.hand_cash
    if cash is None:
        return None
    by = cash.entered_by
    name = people.names_of(session, {by}).get(by, "") if by else ""
    return EnteredCashView(cash.amount, cash.as_of, cash.entered_at, name)


def _last_sync(
    session: Session, account: AccountSummary, now: dt.datetime, *, is_connected: bool
) -> LastSync:
    if is_connected and prices.are_flowing(session, now):
        return "live"
    return account.synced_at
