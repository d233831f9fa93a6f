"""Whether every client can be advised: log-in, holdings, prices and money, and what is wrong."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import LiveLogin, ToConnect
from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.reconcile import Ledger
from tarazu.firm import service as firm
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.people import service as people
from tarazu.people.service import ClientCard
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.sync import queries
from tarazu.sync.running import AFTER_THE_CLOSE
from tarazu.sync.tables import ClientSync, Outcome

ENDS_SOON = dt.timedelta(hours=1)
PRICES_BY = dt.time(9, 30, tzinfo=INDIA)
"""The market opens at 9:15; by then every share that trades at all has a price of the day."""


class Problem(StrEnum):
    """What keeps a client from being advised with confidence, worst first."""

    SESSION = "SESSION"
    SYNC = "SYNC"
    UNMAPPED = "UNMAPPED"
    CHANGES = "CHANGES"
    MONEY = "MONEY"
    PRICES = "PRICES"


class SessionState(StrEnum):
    """NONE: not logged in. UNCONFIRMED: logged in under an id that staff have to confirm."""

    LIVE = "LIVE"
    ENDING = "ENDING"
    UNCONFIRMED = "UNCONFIRMED"
    NONE = "NONE"


@dataclass(frozen=True, slots=True)
class Readiness:
    """One client.

    Attributes:
        session_until: when the log-in ends at the latest.
        linked_at: when a connect link was sent that is still good.
        synced_at: when holdings last came in, from wherever.
        outcome: of the last reading; None where there was none.
        price_at: when the oldest of the prices of the shares held was told; None without any.
        money_by_books, money_at_broker: None where there is nothing to compare.
        money_difference: at the broker less by our books; 0 within what charges explain.
    """

    id: uuid.UUID
    client_id: str
    name: str
    broker: str
    session: SessionState
    session_until: dt.datetime | None
    linked_at: dt.datetime | None
    synced_at: dt.datetime | None
    outcome: Outcome | None
    reason: str
    price_at: dt.datetime | None
    unexplained: int
    unmapped: int
    money_by_books: Rupees | None
    money_at_broker: Rupees | None
    money_difference: Rupees
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Desk:
    """All active clients, by code, and how many have which problem; `ready` have none."""

    rows: list[Readiness]
    counts: Mapping[Problem, int]
    ready: int


def readiness(session: Session, now: dt.datetime, query: str = "") -> Desk:
    """How ready every active client is that matches `query`."""
    found = _Found(session, now)
    rows = [
        found.row_of(card)
        for card in people.client_cards(session, query)
        if card.status == Status.ACTIVE
    ]
    counts = {problem: sum(problem in row.problems for row in rows) for problem in Problem}
    return Desk(rows, counts, sum(not row.problems for row in rows))


def last_close(session: Session, now: dt.datetime) -> dt.datetime:
    """When the last business day that is over was over: holdings should be no older."""
    holidays = firm.holidays(session)
    today = day_in_india(now)
    if is_business_day(today, holidays) and now >= dt.datetime.combine(today, AFTER_THE_CLOSE):
        return dt.datetime.combine(today, AFTER_THE_CLOSE)
    return dt.datetime.combine(previous_business_day(today, holidays), AFTER_THE_CLOSE)


def price_day(session: Session, now: dt.datetime) -> dt.date:
    """The day of which prices should be: today once the market is open, else the last one."""
    holidays = firm.holidays(session)
    today = day_in_india(now)
    if is_business_day(today, holidays) and now >= dt.datetime.combine(today, PRICES_BY):
        return today
    return previous_business_day(today, holidays)


class _Found:
    """All that is known of all clients, each kind read at once."""

    def __init__(self, session: Session, now: dt.datetime) -> None:
        self._now = now
        self._close, self._price_day = last_close(session, now), price_day(session, now)
        self._logins: Mapping[uuid.UUID, LiveLogin] = brokers.live_logins(session, now)
        waiting = brokers.clients_to_connect(session, now)
        self._to_connect: Mapping[uuid.UUID, ToConnect] = {one.client_id: one for one in waiting}
        self._accounts = portfolio.synced_accounts(session)
        self._syncs = queries.client_syncs(session)
        self._unseen = queries.unseen_counts(session)
        self._unmapped = queries.unmapped_counts(session)
        self._price_at = portfolio.oldest_prices(session)
        begun = {key: row.ledger_at for key, row in self._syncs.items() if row.ledger_at}
        self._flows = portfolio.net_flows_after(
            session, {key: day_in_india(at) for key, at in begun.items()}
        )

    def row_of(self, card: ClientCard) -> Readiness:
        """How ready one client is."""
        login, waiting = self._logins.get(card.id), self._to_connect.get(card.id)
        sync, account = self._syncs.get(card.id), self._accounts.get(card.id)
        state = self._session_state(login, waiting)
        ledger = _ledger(sync, self._flows.get(card.id, ZERO))
        synced_at = account.synced_at if account else None
        price_at = self._price_at.get(card.id)
        off = ledger.difference(sync.net) if ledger and sync else ZERO
        unseen, unmapped = self._unseen.get(card.id, 0), self._unmapped.get(card.id, 0)
        is_stale = synced_at is None or synced_at < self._close
        went_wrong = sync is not None and sync.outcome in {Outcome.FAILED, Outcome.DOUBTED}
        is_old = price_at is not None and day_in_india(price_at) < self._price_day
        found = {
            Problem.SESSION: state in {SessionState.NONE, SessionState.UNCONFIRMED},
            Problem.SYNC: is_stale or went_wrong,
            Problem.UNMAPPED: unmapped > 0,
            Problem.CHANGES: unseen > 0,
            Problem.MONEY: off != 0,
            Problem.PRICES: is_old,
        }
        return Readiness(
            card.id,
            card.code,
            card.name,
            login.broker if login else account.broker if account else "",
            state,
            login.expires_at if login else None,
            waiting.linked_at if waiting else None,
            synced_at,
            sync.outcome if sync else None,
            sync.reason if sync else "",
            price_at,
            unseen,
            unmapped,
            ledger.expected if ledger else None,
            sync.net if ledger and sync else None,
            off,
            tuple(problem for problem, is_so in found.items() if is_so),
        )

    def _session_state(self, login: LiveLogin | None, waiting: ToConnect | None) -> SessionState:
        if login is not None:
            ends_soon = login.expires_at - self._now < ENDS_SOON
            return SessionState.ENDING if ends_soon else SessionState.LIVE
        is_reported = waiting is not None and waiting.reported_id is not None
        return SessionState.UNCONFIRMED if is_reported else SessionState.NONE


def _ledger(sync: ClientSync | None, flows: Rupees) -> Ledger | None:
    if sync is None or sync.ledger_at is None:
        return None
    return Ledger(sync.ledger_net, sync.ledger_traded, flows, sync.ledger_turnover)
