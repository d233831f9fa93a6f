"""Clients' accounts: their cash, their start, and the totals of the firm."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.domain.money import ZERO, Rupees
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.people import service as people
from tarazu.portfolio import pending, pending_queries, queries
from tarazu.portfolio.errors import CashFromBroker, UnfitAmount, UnfitDate
from tarazu.portfolio.tables import Account, CashFlow

MOST_VALUE = Rupees(10) ** 12
"""A single holding above a lakh crore rupees is a mistake, not a holding."""
MOST_FLOWS = 100 * MOST_VALUE
"""What the funds added, or withdrawn, of one client may add up to: the database can sum it."""
EARLIEST_DAY = dt.date(1980, 1, 1)
"""No stock market existed before."""
_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Funds:
    """A client's money at the broker."""

    net: Rupees
    available_cash: Rupees
    intraday_payin: Rupees


@dataclass(frozen=True, slots=True)
class HandCash:
    """Cash that staff entered: what it was at the end of a day, when and by whom it was entered."""

    amount: Rupees
    as_of: dt.date
    entered_at: dt.datetime
    entered_by: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class AccountSummary:
    """A client's account as the screens need it.

    `is_valued` is false while neither holdings nor funds were ever read or entered; `hand_cash` is
    None unless staff entered the cash.
    """

    funds: Funds
    starting_capital: Rupees
    started_on: dt.date | None
    broker: str
    broker_user_id: str
    synced_at: dt.datetime | None
    holdings_source: str
    version: int
    is_valued: bool
    hand_cash: HandCash | None


@dataclass(frozen=True, slots=True)
class SyncedAccount:
    """Which broker a client uses, when holdings last came in, and from where."""

    broker: str
    synced_at: dt.datetime | None
    source: str


def open_accounts(
    session: Session, now: dt.datetime, client_ids: Sequence[uuid.UUID], *, counted: bool = True
) -> None:
    """Give new clients an empty account; whether it counts in the firm's totals."""
    revision = queries.next_revision(session, now)
    session.add_all(
        Account(
            client_id=client_id,
            is_counted=counted,
            net=ZERO,
            available_cash=ZERO,
            intraday_payin=ZERO,
            starting_capital=ZERO,
            started_on=None,
            funds_added=ZERO,
            funds_withdrawn=ZERO,
            broker="",
            broker_user_id="",
            synced_at=None,
            first_synced_at=None,
            holdings_source="",
            hand_cash=None,
            hand_cash_on=None,
            hand_cash_at=None,
            hand_cash_by=None,
            revision=revision,
            version=1,
        )
        for client_id in client_ids
    )
    if counted:
        queries.add_to_firm_total(session, len(client_ids), ZERO)
    session.flush()


def count_in_totals(
    session: Session, now: dt.datetime, client_id: uuid.UUID, *, counted: bool
) -> None:
    """Take a client into the firm's totals, or out of them."""
    lock_accounts(session)
    account = account_of(session, client_id)
    if account.is_counted == counted:
        return
    sign = 1 if counted else -1
    account.is_counted = counted
    account.revision = queries.next_revision(session, now)
    queries.add_to_firm_total(session, sign, sign * account.net)
    held = queries.holdings_of(session, client_id)
    sums = {h.instrument_id: (sign * h.quantity, sign * h.quantity * h.average_price) for h in held}
    queries.add_to_stock_totals(session, sums)
    extras = pending_queries.extras_of_client(session, client_id)
    queries.add_to_stock_totals(
        session,
        {key: (sign * row.quantity, -sign * row.false_cost) for key, row in extras.items()},
    )
    session.flush()


def lock_accounts(session: Session) -> None:
    """Keep others from changing any account until this transaction ends.

    Whoever compares with what is there and then writes calls it before the comparison.
    """
    queries.lock_accounts(session)


def set_funds(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, funds: Funds
) -> bool:
    """Record a client's money at the broker; whether it differed from what was known.

    It takes the place of cash that staff entered.
    """
    lock_accounts(session)
    account = account_of(session, client_id)
    before, was_by_hand = _funds_of(account), account.hand_cash is not None
    account.hand_cash = account.hand_cash_on = account.hand_cash_at = account.hand_cash_by = None
    if before == funds and not was_by_hand:
        return False
    _put_funds(session, account, funds, now)
    changes = {"net": [before.net, funds.net]}
    audit_log.record(session, actor, now, "funds_set", ("client", client_id), changes)
    return before != funds


def enter_cash(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    amount: Rupees,
    as_of: dt.date,
    version: int | None = None,
) -> None:
    """Record the cash that a client had at the end of a day, as staff know it.

    From then it moves with the cash flows of later days, until a broker or a file reports the cash.

    Raises:
        ClientNotFound: there is no such client.
        CashFromBroker: the client has a live broker session, so the broker reports the cash.
        StaleVersion: the account is no longer at `version`.
        UnfitDate: the day lies ahead, or too far back.
        UnfitAmount: below zero, or beyond what a client can have.
    """
    people.client(session, client_id)
    lock_accounts(session)
    if brokers.connected_clients(session, [client_id], now):
        raise CashFromBroker
    account = account_of(session, client_id)
    check_version(account, version)
    if not EARLIEST_DAY <= as_of <= day_in_india(now):
        raise UnfitDate
    if not 0 <= amount <= MOST_VALUE:
        raise UnfitAmount
    changes = {
        "cash": [account.net if account.is_valued else None, amount],
        "asOf": [account.hand_cash_on, as_of],
    }
    account.hand_cash, account.hand_cash_on = amount, as_of
    account.hand_cash_at, account.hand_cash_by = now, actor.account_id
    account.version += 1
    move_hand_cash(session, account, now)
    audit_log.record(session, actor, now, "cash_entered", ("client", client_id), changes)


def set_start(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    *,
    capital: Rupees,
    started_on: dt.date | None,
    version: int | None = None,
) -> None:
    """Record what a client began with, and when; flows before that day stop counting.

    Raises:
        StaleVersion: the account is no longer at `version`.
    """
    lock_accounts(session)
    account = account_of(session, client_id)
    check_version(account, version)
    changes = {
        "startingCapital": [account.starting_capital, capital],
        "startedFrom": [account.started_on, started_on],
    }
    account.starting_capital = capital
    account.started_on = started_on
    account.version += 1
    renew_flow_sums(session, account)
    audit_log.record(session, actor, now, "start_set", ("client", client_id), changes)


def set_broker(session: Session, client_id: uuid.UUID, broker: str, broker_user_id: str) -> None:
    """Record which broker a client uses and under which id there."""
    account = account_of(session, client_id)
    account.broker = broker
    account.broker_user_id = broker_user_id
    session.flush()


def clients_of_broker_user(session: Session, broker_user_id: str) -> set[uuid.UUID]:
    """The clients who have this id at a broker; capitals do not matter."""
    return set(queries.clients_of_broker_user(session, broker_user_id))


def account_summary(session: Session, client_id: uuid.UUID) -> AccountSummary:
    """A client's account."""
    account = account_of(session, client_id)
    return AccountSummary(
        _funds_of(account),
        account.starting_capital,
        account.started_on,
        account.broker,
        account.broker_user_id,
        account.synced_at,
        account.holdings_source,
        account.version,
        account.is_valued,
        _hand_cash_of(account),
    )


def synced_accounts(
    session: Session, client_ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, SyncedAccount]:
    """Of these clients, or of all, the broker, and when and from where holdings last came in."""
    rows = queries.synced_accounts(session, client_ids)
    return {row[0]: SyncedAccount(*row[1:]) for row in rows}


def renew_sync(
    session: Session, now: dt.datetime, client_ids: Collection[uuid.UUID], source: str
) -> None:
    """Record that what these clients hold was just confirmed by `source`."""
    # Nothing was known of some; that they hold nothing is a change of what they are worth.
    first = queries.never_synced(session, client_ids)
    if first:
        queries.renew_sync(session, first, now, source, queries.next_revision(session, now))
    queries.renew_sync(session, set(client_ids) - first, now, source)
    pending.take_readings(session, now, {key: {} for key in client_ids}, {})


def revision(session: Session) -> int:
    """How often anything of any account changed; the same number means the same books."""
    return int(queries.firm_total(session).revision)


def firm_counts(session: Session) -> tuple[int, Rupees]:
    """How many active clients there are, and their net cash, from the kept totals."""
    total = queries.firm_total(session)
    return total.clients, total.net


def has_valued_account(session: Session) -> bool:
    """Whether holdings or cash of any active client were ever read or entered."""
    return queries.has_valued_account(session)


def found_installation(session: Session) -> None:
    """Make the row of totals; once, on an empty database."""
    queries.make_total(session)


def account_of(session: Session, client_id: uuid.UUID) -> Account:
    account = queries.account_of(session, client_id)
    if account is None:
        raise NotThere("Client not found")
    return account


def _funds_of(account: Account) -> Funds:
    return Funds(account.net, account.available_cash, account.intraday_payin)


def _hand_cash_of(account: Account) -> HandCash | None:
    amount, on, at = account.hand_cash, account.hand_cash_on, account.hand_cash_at
    if amount is None or on is None or at is None:
        return None
    return HandCash(amount, on, at, account.hand_cash_by)


def _put_funds(session: Session, account: Account, funds: Funds, now: dt.datetime) -> None:
    before = account.net
    account.net = funds.net
    account.available_cash = funds.available_cash
    account.intraday_payin = funds.intraday_payin
    account.revision = queries.next_revision(session, now)
    if account.is_counted:
        queries.add_to_firm_total(session, 0, funds.net - before)
    session.flush()


def check_version(row: Account | CashFlow, version: int | None) -> None:
    if version is not None and version != row.version:
        raise StaleVersion


def move_hand_cash(session: Session, account: Account, now: dt.datetime) -> None:
    """Make the cash what was entered by hand, and the flows of later days; if it was entered."""
    if account.hand_cash is None or account.hand_cash_on is None:
        return
    added, withdrawn = queries.flow_sums(
        session, account.client_id, account.hand_cash_on + _ONE_DAY
    )
    cash = account.hand_cash + added - withdrawn
    _put_funds(session, account, Funds(cash, cash, ZERO), now)


def renew_flow_sums(session: Session, account: Account) -> None:
    added, withdrawn = queries.flow_sums(session, account.client_id, account.started_on)
    if max(added, withdrawn) > MOST_FLOWS:
        raise UnfitAmount
    account.funds_added = added
    account.funds_withdrawn = withdrawn
    account.revision = queries.next_revision(session)
    session.flush()
