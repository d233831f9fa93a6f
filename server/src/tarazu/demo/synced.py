"""The demo's mornings: clients log in at their brokers and are synced, as of the same day.

Log-ins and syncs are stored by what stores real ones. The log-ins have no tokens, so no broker is
ever called with them.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import (
    BrokerApp,
    BrokerFunds,
    BrokerHolding,
    BrokerOrder,
    BrokerRows,
    BrokerSession,
    Identity,
    LiveBrokerSession,
)
from tarazu.brokers.tables import BrokerName
from tarazu.domain.calendar import business_days_later, previous_business_day
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.people import service as people
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding, Present
from tarazu.sync import service as sync
from tarazu.sync.service import BrokerAnswer
from tarazu.sync.tables import Outcome, RunKind

SYNCED_AT = dt.time(8, 50, tzinfo=INDIA)
LOGINS_END = dt.time(6, tzinfo=INDIA)
"""Brokers end all sessions early in the morning."""
SECONDS_APART = 2
AWAY = (11, 24, 37)
"""The clients, by code, who have not logged in today; their holdings are of the day before."""
TRANSFERRED, UNEXPLAINED = 6, 18
"""A client to whom shares came without an order, and one whose cash Accounting does not explain."""
STORIES = (*AWAY, TRANSFERRED, UNEXPLAINED)
"""These, by code, did nothing on the day before: its sync has their holdings of today."""
SHARES_IN = 25
CASH_OUT = Rupees(18_500)
CREDITED_AFTER = 2
"""Business days after an ex-date on which Zerodha credits shares; Angel One does so at once."""
LOGIN_BEFORE = dt.timedelta(minutes=4)
_NO_APP = BrokerApp("", "", "")


def is_due(session: Session, now: dt.datetime) -> bool:
    """Whether the day of a demo firm is to be opened: it has no broker, and its syncs are old."""
    if not firm.registration(session).is_demo or brokers.list_brokers(session):
        return False
    last = sync.last_synced_at(session)
    return last is not None and last < _synced_at(session, now)


def begin(
    session: Session, now: dt.datetime, orders: Mapping[uuid.UUID, Sequence[BrokerOrder]]
) -> None:
    """The first two days: the business day before, of those who have a story, and today.

    Args:
        orders: of today, by client.
    """
    ids = _client_ids(session)
    today = _synced_at(session, now)
    day = previous_business_day(day_in_india(today), firm.holidays(session))
    present = portfolio.present_of(session, ids)
    before = {ids[place]: present[ids[place]] for place in STORIES}
    fewer, richer = before[ids[TRANSFERRED]], before[ids[UNEXPLAINED]]
    key = max(fewer.holdings, key=lambda stock_id: fewer.holdings[stock_id].quantity)
    held = fewer.holdings[key]
    held = replace(held, quantity=held.quantity - min(SHARES_IN, held.quantity // 2))
    before[ids[TRANSFERRED]] = replace(fewer, holdings={**fewer.holdings, key: held})
    funds = replace(richer.funds, net=richer.funds.net + CASH_OUT)
    before[ids[UNEXPLAINED]] = replace(richer, funds=funds)
    at = dt.datetime.combine(day, SYNCED_AT)
    _sync(session, at, before, {}, at)
    _open(session, now, present, orders)


def open_day(session: Session, now: dt.datetime) -> None:
    """Let everyone log in but those who are away, and sync them: in the morning, or after the close."""
    _open(session, now, portfolio.present_of(session, _client_ids(session)), {})


def _open(
    session: Session,
    now: dt.datetime,
    present: Mapping[uuid.UUID, Present],
    orders: Mapping[uuid.UUID, Sequence[BrokerOrder]],
) -> None:
    ids = _client_ids(session)
    away = {ids[place] for place in AWAY if place < len(ids)}
    at = _synced_at(session, now)
    credited = _with_credits(session, present, day_in_india(at))
    logged_in = {key: credited[key] for key in ids if key not in away}
    until = _sync(session, at, logged_in, orders, now)
    outcomes = dict.fromkeys(logged_in, Outcome.DONE) | dict.fromkeys(away, Outcome.NO_SESSION)
    sync.record_run(session, RunKind.LOGIN, outcomes, at, until)


def _with_credits(
    session: Session, present: Mapping[uuid.UUID, Present], today: dt.date
) -> dict[uuid.UUID, Present]:
    """What the brokers show, with the shares of corporate actions that they credit by now."""
    shown, holidays = dict(present), firm.holidays(session)
    for row in portfolio.waiting_shares(session):
        client_state = shown.get(row.client_id)
        account = portfolio.account_summary(session, row.client_id)
        is_at_once = account.broker == BrokerName.ANGEL_ONE
        credited_on = business_days_later(row.since, 0 if is_at_once else CREDITED_AFTER, holidays)
        held = client_state.holdings.get(row.instrument_id) if client_state else None
        if client_state is None or held is None or credited_on > today:
            continue
        quantity = held.quantity + row.gained
        average = rounded(held.average_price * held.quantity / quantity, PRICE_PLACES)
        held = replace(held, quantity=quantity, average_price=average)
        holdings = {**client_state.holdings, row.instrument_id: held}
        shown[row.client_id] = replace(client_state, holdings=holdings)
    return shown


def _synced_at(session: Session, now: dt.datetime) -> dt.datetime:
    """When the syncs of the day began: the morning's, or those after the close."""
    morning = dt.datetime.combine(day_in_india(now), SYNCED_AT)
    close = sync.last_close(session, now) + dt.timedelta(minutes=1)
    latest = max(morning, close) if morning <= now else close
    return min(latest, now)


def _client_ids(session: Session) -> list[uuid.UUID]:
    """The active clients who have an id at a broker, by code."""
    accounts = portfolio.synced_accounts(session)
    return [
        client.id
        for client in people.client_summaries(session, "")
        if client.status == Status.ACTIVE and client.id in accounts and accounts[client.id].broker
    ]


def _sync(
    session: Session,
    at: dt.datetime,
    present: Mapping[uuid.UUID, Present],
    orders: Mapping[uuid.UUID, Sequence[BrokerOrder]],
    now: dt.datetime,
) -> dt.datetime:
    """Log these clients in and sync them, one after the other; when the last one was."""
    listed = instruments.by_ids(
        session, {key for client_state in present.values() for key in client_state.holdings}
    )
    until = _logins_end(now)
    for place, (client_id, client_state) in enumerate(present.items()):
        read_at = at + dt.timedelta(seconds=SECONDS_APART * place)
        account = portfolio.account_summary(session, client_id)
        login = BrokerSession(account.broker_user_id, "", until)
        broker = BrokerName(account.broker)
        stored = brokers.store_client_login(
            session, SYSTEM, client_id, broker, login, Identity.KNOWN, read_at - LOGIN_BEFORE
        )
        live = LiveBrokerSession(stored.id, client_id, broker, _NO_APP, login)
        answer = BrokerAnswer(
            read_at,
            None,
            BrokerRows(
                [_holding(listed[key], held) for key, held in client_state.holdings.items()]
            ),
            BrokerFunds(client_state.funds.net, client_state.funds.net, ZERO, ZERO),
            BrokerRows(),
            BrokerRows(orders.get(client_id, ())),
        )
        sync.apply_answer(session, SYSTEM, read_at, live, answer, accept_empty=False)
    return at + dt.timedelta(seconds=SECONDS_APART * len(present))


def _logins_end(now: dt.datetime) -> dt.datetime:
    """The next time at which the brokers end all sessions."""
    end = dt.datetime.combine(day_in_india(now), LOGINS_END)
    return end if end > now else end + dt.timedelta(days=1)


def _holding(stock: Listed, held: NewHolding) -> BrokerHolding:
    return BrokerHolding(
        exchange=stock.exchange,
        symbol=stock.symbol,
        isin=stock.isin,
        token=stock.instrument_token,
        free=held.quantity - held.pledged,
        t1=0,
        pledged=held.pledged,
        average_price=held.average_price,
        last_price=None,
    )
