"""Whether every client can be advised: log-in, holdings, prices and money, and what is wrong."""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from pydantic import Field
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.reconcile import Ledger
from tarazu.firm import service as firm
from tarazu.kit import table_versions
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import part_of
from tarazu.kit.schemas import Schema, Whole
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.sync import late_actions, queries, unexplained
from tarazu.sync.tables import Outcome
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

T = TypeVar("T")

ENDS_SOON = dt.timedelta(hours=1)
AFTER_THE_CLOSE = dt.time(15, 45, tzinfo=INDIA)
PRICES_BY = dt.time(9, 30, tzinfo=INDIA)
"""The market opens at 9:15; by then every share that trades at all has a price of the day."""


class Problem(StrEnum):
    """What keeps a client from being advised with confidence, worst first."""

    SESSION = "SESSION"
    SYNC = "SYNC"
    LEFT_OUT = "LEFT_OUT"
    UNMAPPED = "UNMAPPED"
    CHANGES = "CHANGES"
    ACTIONS = "ACTIONS"
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
        left_out: rows of the broker's last answer that could not be read, a sentence each.
        late_actions: where shares are not credited in time, all that are awaited, a sentence each.
        price_at: the time of the oldest price of the shares held; None without any.
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
    left_out: tuple[str, ...]
    late_actions: tuple[str, ...]
    price_at: dt.datetime | None
    unexplained: int
    unmapped: int
    money_by_books: Rupees | None
    money_at_broker: Rupees | None
    money_difference: Rupees
    problems: tuple[Problem, ...]


class ReadinessFilter(Schema):
    """Active clients with one problem, or `ready` ones without any; all by default."""

    problem: Problem | None = None
    ready: bool = False
    query: str = Field(default="", max_length=100)
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=50, ge=1, le=200)

    @property
    def skipped(self) -> int:
        """Clients before this page."""
        return (self.page - 1) * self.limit


@dataclass(frozen=True, slots=True)
class ReadinessList:
    """The clients that match a filter, by code, and the counts of all that match its query.

    Attributes:
        total: active clients that match the query.
        counts: how many of them have which problem; `ready` have none.
        matching: how many match the whole filter, on this page and others.
        to_connect: of all active clients, those who neither logged in nor have a good link.
    """

    rows: list[Readiness]
    total: int
    counts: Mapping[Problem, int]
    ready: int
    matching: int
    to_connect: int


def readiness(
    session: Session,
    now: dt.datetime,
    filters: ReadinessFilter,
    visible: VisibleClients = ALL_CLIENTS,
    *,
    is_whole: bool = False,
) -> ReadinessList:
    """How ready the active clients that match a filter are.

    A snapshot of all clients is kept in memory until one of its tables changes; only the rows that
    are returned are put together. For sessions that read.

    Args:
        is_whole: return all matching clients rather than one page.
    """
    snapshot = _snapshot(session, now)
    clients, counts, to_connect = _problems(session, snapshot, now, visible)
    if filters.query.strip():
        matching = people.clients_matching(session, filters.query, visible)
        clients = [client for client in clients if client[0].id in matching]
        counts = _counts(clients)
    chosen = [
        (card, problems)
        for card, problems in clients
        if (filters.problem is None or filters.problem in problems)
        and not (filters.ready and problems)
    ]
    page = chosen if is_whole else chosen[filters.skipped : filters.skipped + filters.limit]
    price_at = portfolio.oldest_prices(session, [card.id for card, _ in page])
    return ReadinessList(
        [snapshot.row_of(card, problems, price_at.get(card.id), now) for card, problems in page],
        len(clients),
        counts,
        sum(not problems for _, problems in clients),
        len(chosen),
        to_connect,
    )


def problem_counts(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> Mapping[Problem, int]:
    """How many active clients have which problem. For sessions that read."""
    return _problems(session, _snapshot(session, now), now, visible).counts


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


_ProblemRows = list[tuple[ClientSummary, tuple[Problem, ...]]]
_Counts = Mapping[Problem, int]
_MOST_KEPT = 100
_BITS = {problem: 1 << place for place, problem in enumerate(Problem)}
_WRONG = {Outcome.FAILED, Outcome.DOUBTED}

PARTS: Mapping[str, tuple[str, ...]] = {
    "cards": ("people",),
    "logins": ("client_broker_sessions",),
    "pending": ("client_broker_sessions", "broker_connect_links"),
    "accounts": ("accounts",),
    "syncs": ("client_syncs",),
    "flows": ("client_syncs", "cash_flows"),
    "unseen": ("quantity_changes", "pending_actions"),
    "unmapped": ("broker_lines",),
    "awaited": ("pending_actions", "instruments"),
}
"""The parts of the snapshot, and the tables that each is read from."""
_TABLES = {name for tables in PARTS.values() for name in tables}


class _Found(NamedTuple):
    """Clients with what is wrong, by code; how many have which problem, and how many are to connect."""

    clients: _ProblemRows
    counts: _Counts
    to_connect: int


class _Limits(NamedTuple):
    """What is too old now.

    Attributes:
        close: holdings should be no older.
        with_old: clients some of whose prices are old.
        late_days: ex-dates of which all shares should be credited.
    """

    close: dt.datetime
    with_old: Set[uuid.UUID]
    late_days: Set[dt.date]

    def are(self, others: "_Limits") -> bool:
        """Whether these are the same limits; large sets are compared by identity."""
        is_same = self.with_old is others.with_old
        return is_same and (self.close, self.late_days) == (others.close, others.late_days)


class _Snapshot:
    """All that is known of all active clients, each kind read at once; it is never changed.

    Args:
        numbers: of the tables, read before.
        before: what was known before; parts of which no table was changed are taken over.
    """

    def __init__(
        self,
        session: Session,
        now: dt.datetime,
        numbers: Mapping[str, int],
        before: "_Snapshot | None",
    ) -> None:
        self._numbers, self._read_at = numbers, now
        known = {name for name in PARTS if before is not None and before.is_same(name, numbers)}
        if before is not None and not before.lasts(now):
            known -= {"logins", "pending"}

        def part(name: str, read: Callable[[], T]) -> T:
            value: T = getattr(before, name) if name in known else read()
            return value

        self.cards = part("cards", lambda: _active_cards(session))
        self.logins = part("logins", lambda: brokers.live_logins(session, now))
        self.pending = part("pending", lambda: brokers.pending_logins(session, now))
        self.accounts = part("accounts", lambda: portfolio.synced_accounts(session))
        self.syncs = part("syncs", lambda: queries.client_syncs(session))
        self.flows = part("flows", lambda: _flows_after(session, self.syncs))
        self.unseen = part("unseen", lambda: unexplained.unseen_counts(session))
        self.unmapped = part("unmapped", lambda: queries.unmapped_counts(session))
        self.awaited = part("awaited", lambda: late_actions.awaited_shares(session))
        self.off: Set[uuid.UUID] = (
            before.off
            if before is not None and {"syncs", "flows"} <= known
            else {key for key in self.syncs if self._difference_of(key) != 0}
        )
        logged_in_or_linked = (
            self.logins.keys() | self.pending.reported_ids.keys() | self.pending.linked_at.keys()
        )
        self.to_connect = frozenset(card.id for card in self.cards) - logged_in_or_linked
        self._problems: tuple[_Limits, dict[VisibleClients, _Found]] | None = None

    def holds(self, numbers: Mapping[str, int], now: dt.datetime) -> bool:
        """Whether no table changed since, and nothing expired."""
        return numbers == self._numbers and self.lasts(now)

    def is_same(self, name: str, numbers: Mapping[str, int]) -> bool:
        """Whether no table was changed that a part is read from."""
        return all(self._numbers.get(table) == numbers.get(table) for table in PARTS[name])

    def lasts(self, now: dt.datetime) -> bool:
        """Whether nothing expired since."""
        until = self.pending.until
        return self._read_at <= now and (until is None or now < until)

    def problems_at(self, limits: _Limits, visible: VisibleClients) -> _Found:
        """What is wrong with these clients; worked out once for each caller's clients."""
        known = self._problems
        if known is None or not limits.are(known[0]) or len(known[1]) > _MOST_KEPT:
            known = self._problems = limits, {}
        problems = known[1].get(visible)
        if problems is None:
            if visible.ids is None:
                clients = self._problem_rows(limits)
            else:
                every = self.problems_at(limits, ALL_CLIENTS).clients
                clients = [client for client in every if client[0].id in visible.ids]
            to_connect = len(visible.among(self.to_connect))
            problems = known[1][visible] = _Found(clients, _counts(clients), to_connect)
        return problems

    def row_of(
        self,
        card: ClientSummary,
        problems: tuple[Problem, ...],
        price_at: dt.datetime | None,
        now: dt.datetime,
    ) -> Readiness:
        """How ready one client is."""
        awaited = self.awaited.get(card.id, ()) if Problem.ACTIONS in problems else ()
        login = self.logins.get(card.id)
        sync, account = self.syncs.get(card.id), self.accounts.get(card.id)
        ledger = self._ledger_of(card.id)
        return Readiness(
            card.id,
            card.code,
            card.name,
            login.broker if login else account.broker if account else "",
            self._session_state(card.id, now),
            login.expires_at if login else None,
            None if login else self.pending.linked_at.get(card.id),
            account.synced_at if account else None,
            sync.outcome if sync else None,
            sync.reason if sync else "",
            tuple(sync.left_out.splitlines()) if sync else (),
            tuple(shares.sentence for shares in awaited),
            price_at,
            self.unseen.get(card.id, 0),
            self.unmapped.get(card.id, 0),
            ledger.expected if ledger else None,
            sync.net if ledger and sync else None,
            self._difference_of(card.id),
            problems,
        )

    def _problem_rows(self, limits: _Limits) -> _ProblemRows:
        fresh = {
            key
            for key, account in self.accounts.items()
            if account.synced_at is not None and account.synced_at >= limits.close
        }
        bits_by_client = {card.id: 0 for card in self.cards}
        having: Mapping[Problem, Iterable[uuid.UUID]] = {
            Problem.SESSION: bits_by_client.keys() - self.logins.keys(),
            Problem.SYNC: (bits_by_client.keys() - fresh)
            | {key for key, sync in self.syncs.items() if sync.outcome in _WRONG},
            Problem.LEFT_OUT: {key for key, sync in self.syncs.items() if sync.left_out},
            Problem.UNMAPPED: self.unmapped,
            Problem.CHANGES: self.unseen,
            Problem.ACTIONS: {
                key
                for key, rows in self.awaited.items()
                if late_actions.waits_too_long(rows, limits.late_days)
            },
            Problem.MONEY: self.off,
            Problem.PRICES: limits.with_old,
        }
        for problem, ids in having.items():
            bit = _BITS[problem]
            for client_id in ids:
                if client_id in bits_by_client:
                    bits_by_client[client_id] |= bit
        combined = {
            bits: tuple(problem for problem, bit in _BITS.items() if bits & bit)
            for bits in set(bits_by_client.values())
        }
        return [
            (card, combined[bits])
            for card, bits in zip(self.cards, bits_by_client.values(), strict=True)
        ]

    def _session_state(self, client_id: uuid.UUID, now: dt.datetime) -> SessionState:
        login = self.logins.get(client_id)
        if login is not None:
            ends_soon = login.expires_at - now < ENDS_SOON
            return SessionState.ENDING if ends_soon else SessionState.LIVE
        is_reported = client_id in self.pending.reported_ids
        return SessionState.UNCONFIRMED if is_reported else SessionState.NONE

    def _ledger_of(self, client_id: uuid.UUID) -> Ledger | None:
        sync = self.syncs.get(client_id)
        if sync is None or sync.ledger_at is None:
            return None
        flows = self.flows.get(client_id, ZERO)
        return Ledger(sync.ledger_net, sync.ledger_traded, flows, sync.ledger_turnover)

    def _difference_of(self, client_id: uuid.UUID) -> Rupees:
        sync, ledger = self.syncs.get(client_id), self._ledger_of(client_id)
        return ledger.difference(sync.net) if ledger and sync else ZERO


def _problems(
    session: Session, snapshot: _Snapshot, now: dt.datetime, visible: VisibleClients
) -> _Found:
    """What is wrong with these clients now."""
    close, opened = last_close(session, now), price_day(session, now)
    with_old = portfolio.with_older_prices(session, dt.datetime.combine(opened, dt.time(), INDIA))
    late_days = late_actions.late_days(session, snapshot.awaited, day_in_india(now))
    return snapshot.problems_at(_Limits(close, with_old, late_days), visible)


def _counts(clients: _ProblemRows) -> _Counts:
    combined = Counter(problems for _, problems in clients)
    return {
        problem: sum(count for problems, count in combined.items() if problem in problems)
        for problem in Problem
    }


def _active_cards(session: Session) -> list[ClientSummary]:
    return [card for card in people.client_summaries(session, "") if card.status == Status.ACTIVE]


def _flows_after(session: Session, syncs: Mapping[uuid.UUID, Any]) -> Mapping[uuid.UUID, Rupees]:
    """By client, what was added and taken out since the comparison of money began."""
    days = {key: day_in_india(row.ledger_at) for key, row in syncs.items() if row.ledger_at}
    return portfolio.net_flows_after(session, days)


@dataclass(slots=True)
class _SnapshotCache:
    """What was read last of one database, and whose turn it is to read it."""

    snapshot: _Snapshot | None = None
    turn: Lock = field(default_factory=Lock)


def _snapshot(session: Session, now: dt.datetime) -> _Snapshot:
    """The cached snapshot while it is current; calls during a reading wait for it."""
    cache = part_of(session, _SnapshotCache)
    with cache.turn:
        every = table_versions.numbers(session)
        numbers = {name: every[name] for name in _TABLES if name in every}
        if cache.snapshot is None or not cache.snapshot.holds(numbers, now):
            cache.snapshot = _Snapshot(session, now, numbers, cache.snapshot)
        return cache.snapshot
