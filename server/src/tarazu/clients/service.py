"""Clients as staff see them: added with an account, listed with live figures, looked into."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import LiveBrokerSession
from tarazu.brokers.tables import EndReason
from tarazu.clients import queries
from tarazu.clients.errors import DateOutOfRange
from tarazu.clients.returns import read_ledger, returns_at
from tarazu.clients.tables import Remark
from tarazu.domain import holdings as figures
from tarazu.domain.money import Percent, Rupees
from tarazu.domain.returns import Xirr
from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.kit.schemas import ListParams
from tarazu.people import service as people
from tarazu.people.service import Client, ClientSummary, NewPerson
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.book import NO_WORTH, ClientValue, Figure, Valued, Worth
from tarazu.portfolio.errors import CashFromBroker
from tarazu.portfolio.service import AccountSummary, HeldStock
from tarazu.prices import service as prices

EARLIEST_START = dt.date(1980, 1, 1)
MOST_NAMED = 500
LastSync = dt.datetime | Literal["live"] | None
"""`live`, or when a client's figures last came from the broker; None before that."""
NOTHING = ClientValue(NO_WORTH, has_holdings=False)


@dataclass(frozen=True, slots=True)
class ClientFigures:
    """One row of the client list; `worth` is in units."""

    card: ClientSummary
    worth: Worth
    is_connected: bool
    stale_since: dt.datetime | None
    """When the oldest price of the shares held was made, if that was before the last close."""


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A client's record, account and value; the address of the broker's logo, or nothing."""

    client: Client
    standing: AccountSummary
    value: ClientValue
    is_connected: bool
    last_sync: LastSync
    broker_logo: str


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A remark, and the name of who wrote it; empty for the system."""

    remark: Remark
    author: str


@dataclass(frozen=True, slots=True)
class StalePrices:
    """How many of some prices are stale, the oldest of them and all their sources."""

    count: int
    oldest_at: dt.datetime | None
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PortfolioView:
    """A client's portfolio with its returns, at one reading of the prices.

    `broker_logo` is the address of a picture; empty where the broker's record has none.
    `cash_entered_by` is the name of who entered cash by hand; empty where nobody did.
    `suspected` are the symbols of holdings with a suspected action: the totals are doubtful.
    """

    standing: AccountSummary
    is_connected: bool
    last_sync: LastSync
    figures: figures.PortfolioFigures
    xirr: Xirr
    twr_percentage: Percent | None
    priced_at: dt.datetime | None
    stale: StalePrices
    suspected: tuple[str, ...]
    broker_logo: str
    cash_entered_by: str


_RANKED = frozenset(Figure) - {Figure.CODE}
_BY_STATUS = "status"


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
    portfolio.open_accounts(session, now, [client.id for client in added])
    return added


def list_records(session: Session, asked: ListParams, *, deleted: bool) -> tuple[list[Client], int]:
    """One page of client records, live or deleted, newest first; and how many match."""
    return people.list_clients(session, asked, deleted=deleted)


def edit_client(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    wanted: Mapping[str, object],
    version: int | None,
) -> Client:
    """Set the columns that `wanted` names; only ACTIVE clients count in the firm's totals.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
        DateOutOfRange: the birthday lies ahead.
    """
    born_on = wanted.get("born_on")
    if isinstance(born_on, dt.date) and born_on > clock.day_in_india(now):
        raise DateOutOfRange
    portfolio.await_turn(session)
    kin: Collection[uuid.UUID] = ()
    if "family" in wanted:
        fees.await_turn(session)
        kin = people.family_of(session, client_id)
    client = people.edit_client(session, actor, now, client_id, wanted, version)
    fees.renew_limits(session, kin)
    portfolio.count_in_totals(session, now, client_id, counted=client.status == Status.ACTIVE)
    return client


def delete_client(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, version: int | None
) -> list[LiveBrokerSession]:
    """Take a client out of every list, sum and look-up; what belongs to the client stays.

    Returns:
        The sessions that ended by it, to be logged out at the broker once this is committed.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
    """
    portfolio.await_turn(session)
    people.delete_client(session, actor, now, client_id, version)
    lives = brokers.end_client_sessions(session, actor, client_id, now, EndReason.CLIENT_DELETED)
    portfolio.count_in_totals(session, now, client_id, counted=False)
    fees.list_client(session, client_id, is_listed=False)
    return lives


def restore_client(session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID) -> None:
    """Take the deletion of a client back, with the code and all that belongs to the client.

    Raises:
        ClientNotFound: there was never such a client.
        EmailTakenMeanwhile: a live record has the e-mail address.
    """
    portfolio.await_turn(session)
    client = people.restore_client(session, actor, now, client_id)
    portfolio.count_in_totals(session, now, client_id, counted=client.status == Status.ACTIVE)
    fees.list_client(session, client_id, is_listed=True)


def list_clients(
    session: Session, now: dt.datetime, asked: ListParams
) -> tuple[list[ClientFigures], int]:
    """One page of clients with their figures at the newest prices, and how many match.

    By client code unless sorted; rows that tie stand by client code. What it costs does not
    grow with what clients hold: values are ranked in memory, and only the page is read.
    """
    values = portfolio.client_values(session)
    key = asked.sort.removeprefix("-")
    if key in _RANKED or key == _BY_STATUS:
        order = _ranking(session, now, values, asked)
        cards = people.cards_of(session, order[asked.skipped : asked.skipped + asked.limit])
        total = len(order)
    else:
        cards, total = people.client_page(session, asked)
    # A page is asked for by its ids; for all clients it is less to read all sessions.
    asked_for = [card.id for card in cards] if len(cards) <= MOST_NAMED else None
    connected = brokers.connected_clients(session, asked_for, now)
    stale = _stale_since(session, now, [card.id for card in cards])
    found = [
        ClientFigures(card, values.worth_of(card.id), card.id in connected, stale.get(card.id))
        for card in cards
    ]
    return found, total


def _stale_since(
    session: Session, now: dt.datetime, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dt.datetime]:
    """By client, when the oldest price was made; of those only whose is of before the last close."""
    closed_on = prices.day_of_last_close(now, firm.holidays(session))
    fresh_from = clock.start_of(closed_on)
    oldest = portfolio.oldest_prices(session, client_ids)
    return {key: at for key, at in oldest.items() if at < fresh_from}


def _ranking(
    session: Session, now: dt.datetime, values: Valued, asked: ListParams
) -> list[uuid.UUID]:
    """The clients that match, in the order that was asked for."""
    key, falls = asked.sort.removeprefix("-"), asked.sort.startswith("-")
    if key == _BY_STATUS:
        connected = brokers.connected_clients(session, None, now)
        by_code = values.ranked(Figure.CODE)
        order = sorted(by_code, key=connected.__contains__, reverse=falls)
    else:
        order = values.ranked(Figure(key), largest_first=falls)
    if asked.query.strip():
        wanted = people.clients_matching(session, asked.query)
        return [client_id for client_id in order if client_id in wanted]
    gone = people.roll_of(session).gone
    return [client_id for client_id in order if client_id not in gone] if gone else order


def profile(session: Session, client_id: uuid.UUID, now: dt.datetime) -> ProfileView:
    """A client's record, account and value.

    Raises:
        ClientNotFound: there is no such client.
    """
    client = people.client(session, client_id)
    value = portfolio.client_values(session).get(client_id, NOTHING)
    standing = portfolio.standing_of(session, client_id)
    is_connected = bool(brokers.connected_clients(session, [client_id], now))
    last_sync = _last_sync(session, standing, now, is_connected=is_connected)
    logo = _logo_of(session, standing.broker)
    return ProfileView(client, standing, value, is_connected, last_sync, logo)


def neighbours(session: Session, code: str) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The clients before and after this code; None at either end."""
    return people.neighbours_of(session, code)


def holdings(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> tuple[list[HeldStock], figures.ValuedHoldings]:
    """A client's holdings, by symbol, with their figures.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    stocks = portfolio.stocks_of(session, client_id, now)
    return stocks, portfolio.valued(stocks)


def portfolio_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> PortfolioView:
    """A client's portfolio and what it returned, as `domain` defines every figure.

    Raises:
        ClientNotFound: there is no such client.
    """
    stocks, valued = holdings(session, client_id, now)
    today = clock.day_in_india(now)
    standing = portfolio.standing_of(session, client_id)
    is_connected = bool(brokers.connected_clients(session, [client_id], now))
    ledger = read_ledger(session, client_id, valued.totals.value, today)
    account = figures.Account(
        standing.funds.net,
        standing.starting_capital,
        standing.started_on,
        ledger.flows,
        fees.charged_to(session, client_id),
        standing.is_valued,
    )
    found = figures.portfolio_figures(valued.totals, account, today)
    returned = returns_at(ledger)
    return PortfolioView(
        standing,
        is_connected,
        _last_sync(session, standing, now, is_connected=is_connected),
        found,
        returned.xirr,
        returned.twr_percentage,
        newest_quote(stocks),
        stale_prices(stocks),
        tuple(stock.instrument.symbol for stock in stocks if stock.is_action_suspected),
        _logo_of(session, standing.broker),
        _name_of(session, standing.hand_cash.entered_by if standing.hand_cash else None),
    )


def set_starting_date(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    started_on: dt.date,
    version: int | None = None,
) -> None:
    """Record when a client began; cash flows before that day stop counting.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the account is no longer at `version`.
        DateOutOfRange: the day lies ahead, or before there was a stock market to speak of.
    """
    people.client(session, client_id)
    if not EARLIEST_START <= started_on <= clock.day_in_india(now):
        raise DateOutOfRange
    # The turn first: the capital must not be edited between the reading and the writing.
    portfolio.await_turn(session)
    capital = portfolio.standing_of(session, client_id).starting_capital
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
    """Record what a client began with.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: the account is no longer at `version`.
    """
    people.client(session, client_id)
    portfolio.await_turn(session)
    started_on = portfolio.standing_of(session, client_id).started_on
    portfolio.set_start(
        session, actor, now, client_id, capital=capital, started_on=started_on, version=version
    )


def enter_cash(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    amount: Rupees,
    as_of: dt.date,
    version: int | None = None,
) -> None:
    """Record the cash of a client whose broker does not report it.

    Raises:
        ClientNotFound: there is no such client.
        CashFromBroker: the client has a valid broker session, so the broker reports the cash.
        StaleVersion: the account is no longer at `version`.
        UnfitDate, UnfitAmount: a day or an amount that cannot be.
    """
    people.client(session, client_id)
    portfolio.await_turn(session)
    if brokers.connected_clients(session, [client_id], now):
        raise CashFromBroker
    portfolio.enter_cash(session, actor, now, client_id, amount, as_of, version)


def remarks_of(session: Session, client_id: uuid.UUID) -> list[RemarkView]:
    """What staff noted down about a client, newest first.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    return _with_authors(session, queries.remarks_of(session, client_id))


def add_remark(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, text: str
) -> RemarkView:
    """Note something down about a client.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    remark = Remark(
        id=new_id(),
        client_id=client_id,
        text=text,
        created_at=now,
        created_by=actor.account_id,
        version=1,
    )
    session.add(remark)
    session.flush()
    changes = {"clientId": client_id, "remark": text}
    audit_log.record(session, actor, now, "remark_added", ("remark", remark.id), changes)
    return _with_authors(session, [remark])[0]


def edit_remark(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    remark_id: uuid.UUID,
    text: str,
    version: int | None,
) -> RemarkView:
    """Put another text in a remark's place; the earlier one stays in the audit trail.

    Args:
        version: the version that was edited; None overwrites whatever there is.

    Raises:
        NotThere: there is no such remark.
        ClientNotFound: its client was deleted.
        StaleVersion: it was changed meanwhile.
    """
    remark = queries.remark_to_edit(session, remark_id)
    if remark is None:
        raise NotThere
    people.client(session, remark.client_id)
    if version is not None and version != remark.version:
        raise StaleVersion
    if text != remark.text:
        changes = {"clientId": remark.client_id, "remark": [remark.text, text]}
        remark.text, remark.updated_at, remark.version = text, now, remark.version + 1
        session.flush()
        audit_log.record(session, actor, now, "remark_edited", ("remark", remark.id), changes)
    return _with_authors(session, [remark])[0]


def newest_quote(stocks: Sequence[HeldStock]) -> dt.datetime | None:
    """When the newest of these prices was traded; None without any."""
    return max((stock.quote.at for stock in stocks if stock.quote), default=None)


def stale_prices(stocks: Sequence[HeldStock]) -> StalePrices:
    """The stale ones of the prices of these holdings; those without any price do not count."""
    stale = [stock.quote for stock in stocks if stock.quote and stock.is_price_stale]
    return StalePrices(
        len(stale),
        min((quote.at for quote in stale), default=None),
        tuple(sorted({quote.source for quote in stale})),
    )


def _logo_of(session: Session, broker: str) -> str:
    return next((one.logo for one in brokers.list_brokers(session) if one.name == broker), "")


def _name_of(session: Session, account_id: uuid.UUID | None) -> str:
    return people.names_of(session, {account_id}).get(account_id, "") if account_id else ""


def _last_sync(
    session: Session, standing: AccountSummary, now: dt.datetime, *, is_connected: bool
) -> LastSync:
    if is_connected and prices.are_flowing(session, now):
        return "live"
    return standing.synced_at


def _with_authors(session: Session, remarks: Sequence[Remark]) -> list[RemarkView]:
    names = people.names_of(session, {one.created_by for one in remarks if one.created_by})
    return [
        RemarkView(one, names.get(one.created_by, "") if one.created_by else "") for one in remarks
    ]
