"""Sync runs: one process reads many clients from their brokers, a few at a time.

A run and its clients are stored before the first broker is called, and each client's outcome as
soon as it is known. The run is a job (`kit/jobs.py`): a process may die at any point, and another
goes on with the clients who still wait. Reading a client twice does no harm.
"""

import datetime as dt
import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.domain.calendar import is_business_day
from tarazu.firm import service as firm
from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database, acquire_lock, new_id
from tarazu.kit.errors import ApiError
from tarazu.kit.jobs import Claim, ClaimLost
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.processes import own_id
from tarazu.kit.sockets import Progress
from tarazu.orders import service as orders
from tarazu.people import service as people
from tarazu.people.tables import Status
from tarazu.sync import queries, service
from tarazu.sync.broker_reads import FOR_A_RUN
from tarazu.sync.errors import NotConnected
from tarazu.sync.readiness import AFTER_THE_CLOSE
from tarazu.sync.service import SyncContext
from tarazu.sync.tables import Outcome, RunKind, RunState, SyncRun, SyncRunClient
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

log = structlog.get_logger()

AT_A_TIME: Final = 8
"""Clients that are read at once: enough to use the brokers' allowance, few enough not to queue."""
FRESH_FOR: Final = dt.timedelta(minutes=10)
"""A client who was synced so recently is left out, unless asked for by name."""
TRY_AGAIN_AFTER: Final = dt.timedelta(minutes=15)
DOUBTED_AGAIN_AFTER: Final = dt.timedelta(minutes=30)
"""A client whose empty list of holdings was not believed is asked again: three times in an hour."""
AFTER_THE_EVENING: Final = dt.time(16, 5, tzinfo=INDIA)
"""Since 3 August 2026 shares trade at the closing price from 15:50 to 16:00: the orders and trades
of the day are whole after that."""
DAILY: Final[Mapping[RunKind, dt.time]] = {
    RunKind.NIGHTLY: AFTER_THE_CLOSE,
    RunKind.EVENING: AFTER_THE_EVENING,
}
KIND: Final = f"{jobs.ITEM}sync-run"
"""The jobs of runs; their keys are the runs' ids."""
WAIT: Final = 5.0
"""Seconds until the next look whether a stop was asked for or the claim was lost."""
STEP: Final = "Syncing"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run and its progress; `done` includes clients who need no reading."""

    run: SyncRun
    counts: Mapping[Outcome, int]

    @property
    def total(self) -> int:
        """All clients of the run."""
        return sum(self.counts.values())

    @property
    def done(self) -> int:
        """Clients with an outcome."""
        return self.total - self.counts.get(Outcome.WAITING, 0)


@dataclass(slots=True)
class Syncs:
    """The runs of one process.

    Args:
        database: where runs are kept.
        gateway: the way to the brokers.
        now: the clock.
        tell: called with the progress of a run.
    """

    database: Database
    gateway: brokers.Gateway
    now: Callable[[], dt.datetime]
    tell: Callable[[Progress], None]
    owner: str = field(default_factory=own_id)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None

    def begin(self, actor: Actor, kind: RunKind = RunKind.ASKED) -> uuid.UUID:
        """Start to read every client who is not fresh; returns the current run, if there is one.

        Raises:
            NotConnected: no client has a session at a broker.
        """
        with self.database.transaction() as session:
            run_id, claim = _begin(session, actor, kind, self.owner, self.now())
        if claim is not None:
            self._start(claim)
        return run_id

    def resume(self) -> None:
        """Go on with a run whose process ended; start a daily run, or one after log-ins.

        Called every few seconds by every process; each run is claimed by one of them.
        """
        if self.is_working or self._stopping.is_set():
            return
        now = self.now()
        claim = jobs.claim(self.database, KIND, now, owner=self.owner)
        if claim is None:
            claim = self._begin_due(now)
        if claim is not None:
            self._start(claim)

    @property
    def is_working(self) -> bool:
        """Whether a run is at work in this process."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self, seconds: float = 5.0) -> None:
        """End the work after the current clients, and leave the rest to another process.

        A client whose broker hangs for longer is interrupted by the gateway's end, and still waits.
        """
        self._stopping.set()
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def wait(self, seconds: float) -> bool:
        """Wait for the work of this process to end; False if it has not by then."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self.is_working

    def _begin_due(self, now: dt.datetime) -> Claim | None:
        with self.database.reading() as session:
            if queries.running_run(session) is not None:
                return None
            daily = _daily_due(session, now)
            newcomers = set() if daily else _logged_in_since(session, now)
            doubted = set() if daily or newcomers else _to_ask_again(session, now)
        if daily is None and not newcomers and not doubted:
            return None
        with self.database.transaction() as session:
            if daily is not None:
                acquire_lock(session, AdvisoryLock.SYNC_RUNS)
                if queries.running_run(session) is not None or _daily_due(session, now) != daily:
                    return None
                live = brokers.connected_clients(session, None, now)
                return _add_run(session, SYSTEM, daily, self.owner, (live, live), now)
            kind = RunKind.LOGIN if newcomers else RunKind.AGAIN
            return _begin_for(session, kind, newcomers or doubted, self.owner, now)

    def _start(self, claim: Claim) -> None:
        with self._lock:
            if self.is_working or self._stopping.is_set():
                return
            self._thread = threading.Thread(
                target=self._work, args=(claim,), name="sync", daemon=True
            )
            self._thread.start()

    def _work(self, claim: Claim) -> None:
        try:
            with jobs.heartbeat(self.database, claim, self.now) as lost:
                self._read_all(claim, lost)
        except ClaimLost:
            log.warning("sync_run_taken_over", run_id=claim.key)
        except (DBAPIError, PoolTimeoutError) as error:
            # The run stays as it is, and is resumed once the database answers.
            log.exception("sync_run_interrupted", run_id=claim.key, error=type(error).__name__)

    def _read_all(self, claim: Claim, lost: threading.Event) -> None:
        run_id = uuid.UUID(claim.key)
        with self.database.reading() as session:
            run = session.get_one(SyncRun, run_id)
            waiting = queries.waiting_clients(session, run_id)
            total = sum(queries.outcome_counts(session, run_id).values())
        # The person who started the run, also in another process and after a restart.
        actor = SYSTEM if run.account_id is None else replace(SYSTEM, account_id=run.account_id)
        way = SyncContext(self.database, self.gateway, actor)
        done = total - len(waiting)
        self._report(run_id, done, total, RunState.RUNNING)
        for ended in self._ended(way, run_id, waiting):
            if lost.is_set():
                return
            done += ended
            self._report(run_id, done, total, RunState.RUNNING)
        self._finish(claim, run.kind, done, total)

    def _ended(
        self, way: SyncContext, run_id: uuid.UUID, waiting: Iterable[uuid.UUID]
    ) -> Iterator[int]:
        """Read these clients, a few at a time; yields how many more are done."""
        rest = iter(waiting)
        with ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="sync") as pool:
            under_way: set[Future[None]] = set()
            while True:
                if not self._stopping.is_set():
                    under_way |= {
                        pool.submit(self._read_one, way, run_id, client_id)
                        for client_id in islice(rest, AT_A_TIME - len(under_way))
                    }
                if not under_way:
                    return
                ended, under_way = wait(under_way, WAIT, FIRST_COMPLETED)
                for future in ended:
                    future.result()
                yield len(ended)

    def _read_one(self, way: SyncContext, run_id: uuid.UUID, client_id: uuid.UUID) -> None:
        outcome, reason = Outcome.DONE, ""
        try:
            patience = replace(FOR_A_RUN, is_over=self._stopping.is_set)
            service.sync_client(way, client_id, self.now(), patience)
        except ApiError as refusal:
            outcome, reason = service.outcome_of(refusal), refusal.message
            if self._stopping.is_set() and outcome == Outcome.FAILED:
                return  # interrupted by the stop: the client still waits
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            # A fault of ours with one client must not cost the others their sync.
            log.exception("sync_fault", client_id=str(client_id), error=type(error).__name__)
            outcome, reason = Outcome.FAILED, "Something went wrong; nothing was changed."
        with self.database.transaction() as session:
            queries.finish_run_client(session, run_id, client_id, (outcome, reason), self.now())

    def _finish(self, claim: Claim, kind: RunKind, done: int, total: int) -> None:
        now, run_id = self.now(), uuid.UUID(claim.key)
        with self.database.transaction() as session:
            if queries.waiting_clients(session, run_id):
                # Stopped in between: any process may go on at once.
                jobs.release(session, claim, now)
                return
            jobs.finish(session, claim, now)
            queries.end_run(session, run_id, now)
            if kind in DAILY:
                orders.close_lapsed_orders(session, now)
            counts = queries.outcome_counts(session, run_id)
            details = {"kind": kind, **{outcome.value: count for outcome, count in counts.items()}}
            audit_log.record(session, SYSTEM, now, "sync_run_ended", ("sync_run", run_id), details)
        log.info("sync_run_ended", run_id=str(run_id), kind=kind, clients=total)
        self._report(run_id, done, total, RunState.DONE)

    def _report(self, run_id: uuid.UUID, done: int, total: int, state: RunState) -> None:
        self.tell(Progress(str(run_id), STEP, done, total, state))


def last_run(session: Session, visible: VisibleClients = ALL_CLIENTS) -> RunView | None:
    """The run that started last; None if there was none yet."""
    run = queries.last_run(session)
    return None if run is None else RunView(run, queries.outcome_counts(session, run.id, visible))


def clients_of(
    session: Session,
    run_id: uuid.UUID,
    skipped: int,
    limit: int,
    visible: VisibleClients = ALL_CLIENTS,
) -> Sequence[SyncRunClient]:
    """One page of a run's clients, the last read first."""
    return queries.run_clients(session, run_id, skipped, limit, visible)


def _begin(
    session: Session, actor: Actor, kind: RunKind, owner: str, now: dt.datetime
) -> tuple[uuid.UUID, Claim | None]:
    """The current run without a claim, or a new one with its claim."""
    # One after the other, so that two people who start one at once get the same run.
    acquire_lock(session, AdvisoryLock.SYNC_RUNS)
    running = queries.running_run(session)
    if running is not None:
        return running.id, None
    live = brokers.connected_clients(session, None, now)
    if not live:
        raise NotConnected("No client is logged in at a broker. Send connect links first.")
    # Those of the connected clients whose last sync is not fresh.
    known = queries.syncs_of(session, live)
    stale = {
        key
        for key in live
        if key not in known
        or known[key].synced_at is None
        or now - known[key].synced_at > FRESH_FOR
        or known[key].tried_at > known[key].synced_at
    }
    claim = _add_run(session, actor, kind, owner, (stale, live), now)
    return uuid.UUID(claim.key), claim


def _begin_for(
    session: Session,
    kind: RunKind,
    clients: Collection[uuid.UUID],
    owner: str,
    now: dt.datetime,
) -> Claim | None:
    acquire_lock(session, AdvisoryLock.SYNC_RUNS)
    if queries.running_run(session) is not None:
        return None
    return _add_run(session, SYSTEM, kind, owner, (clients, None), now)


def _add_run(
    session: Session,
    actor: Actor,
    kind: RunKind,
    owner: str,
    clients: tuple[Collection[uuid.UUID], Collection[uuid.UUID] | None],
    now: dt.datetime,
) -> Claim:
    """Store a run: the clients to read, and the connected ones (None: no client is left out)."""
    to_read, live = set(clients[0]), clients[1]
    active = _active(session)
    outcomes = {key: (Outcome.WAITING, "") for key in active if key in to_read}
    if live is not None:
        left_out = (Outcome.NO_SESSION, NotConnected.message)
        outcomes |= {key: left_out for key in active if key not in set(live)}
    run = SyncRun(
        id=new_id(),
        account_id=actor.account_id,
        kind=kind,
        day=day_in_india(now) if kind in DAILY else None,
        state=RunState.RUNNING,
        started_at=now,
        finished_at=None,
    )
    session.add(run)
    session.flush()
    queries.add_run_clients(session, run.id, outcomes)
    details = {"kind": kind, "clients": len(to_read)}
    audit_log.record(session, actor, now, "sync_run_begun", ("sync_run", run.id), details)
    return jobs.put_claimed(session, KIND, str(run.id), now, owner=owner)


def _active(session: Session) -> list[uuid.UUID]:
    return [
        card.id for card in people.client_summaries(session, "") if card.status == Status.ACTIVE
    ]


def _logged_in_since(session: Session, now: dt.datetime) -> set[uuid.UUID]:
    """Connected clients of whom nothing was read in their current broker session."""
    logins = brokers.live_logins(session, now)
    known = queries.syncs_of(session, logins.keys())
    client_ids = {
        key
        for key, login in logins.items()
        if key not in known
        or (
            known[key].checked_session_id != login.session_id
            and now - known[key].tried_at > TRY_AGAIN_AFTER
        )
    }
    # Those who left may still have a session.
    return client_ids & set(_active(session)) if client_ids else client_ids


def _to_ask_again(session: Session, now: dt.datetime) -> set[uuid.UUID]:
    """Connected clients whose empty list of holdings was not believed, and who are due again."""
    doubted = queries.doubted_clients(session, now - DOUBTED_AGAIN_AFTER)
    if not doubted:
        return doubted
    return brokers.connected_clients(session, doubted, now) & set(_active(session))


def _daily_due(session: Session, now: dt.datetime) -> RunKind | None:
    """The daily run to start now; only the later one if both are due."""
    today = day_in_india(now)
    if not is_business_day(today, firm.holidays(session)):
        return None
    due = [kind for kind, at in DAILY.items() if now >= dt.datetime.combine(today, at)]
    if not due or queries.has_run_of_day(session, due[-1], today):
        return None
    return due[-1]
