"""Runs: many clients read one after the other, a few at a time, by one process of all.

A run is kept with its clients before anybody is asked, and each client's outcome as soon as it is
there. So a process may die at any point: nothing that was taken in is lost, and those who still
wait are read by whichever process takes the run over. Reading a client twice does no harm.

The process at work renews its claim every few seconds; one that misses three renewals is taken for
dead, and one that ended on this machine at once. A process that stops in good order gives its claim
up at once.
"""

import datetime as dt
import threading
import time
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
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database, new_id, take_turns
from tarazu.kit.errors import ApiError
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.processes import OWNER, is_gone
from tarazu.kit.sockets import Progress
from tarazu.orders import service as orders
from tarazu.people import service as people
from tarazu.people.tables import Status
from tarazu.sync import queries, service
from tarazu.sync.broker_reads import FOR_A_RUN
from tarazu.sync.errors import NotConnected
from tarazu.sync.service import SyncContext
from tarazu.sync.tables import Outcome, RunKind, RunState, SyncRun, SyncRunClient

log = structlog.get_logger()

AT_A_TIME: Final = 8
"""Clients that are read at once: enough to use the brokers' allowance, few enough not to queue."""
FRESH_FOR: Final = dt.timedelta(minutes=10)
"""A client who was synced so recently is left out, unless asked for by name."""
TRY_AGAIN_AFTER: Final = dt.timedelta(minutes=15)
DOUBTED_AGAIN_AFTER: Final = dt.timedelta(minutes=30)
"""A client whose empty list of holdings was not believed is asked again: three times in an hour."""
AFTER_THE_CLOSE: Final = dt.time(15, 45, tzinfo=INDIA)
AFTER_THE_EVENING: Final = dt.time(16, 5, tzinfo=INDIA)
"""Since 3 August 2026 shares trade at the closing price from 15:50 to 16:00: the orders and trades
of the day are whole after that."""
DAILY: Final[Mapping[RunKind, dt.time]] = {
    RunKind.NIGHTLY: AFTER_THE_CLOSE,
    RunKind.EVENING: AFTER_THE_EVENING,
}
RENEW_EVERY: Final = 5.0
DEAD_AFTER: Final = dt.timedelta(seconds=18)
"""With a look every ten seconds, a dead process's run goes on within half a minute."""
STEP: Final = "Syncing"


@dataclass(frozen=True, slots=True)
class RunView:
    """A run and how far it is; `done` counts those who need no reading as well."""

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
        tell: is told how far a run is.
    """

    database: Database
    gateway: brokers.Gateway
    now: Callable[[], dt.datetime]
    tell: Callable[[Progress], None]
    owner: str = OWNER
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _thread: threading.Thread | None = None
    _renewed: float = 0.0

    def begin(self, actor: Actor, kind: RunKind = RunKind.ASKED) -> uuid.UUID:
        """Begin to read every client who is not fresh; the run that is at work, if there is one.

        Raises:
            NotConnected: no client has a session at a broker.
        """
        with self.database.transaction() as session:
            run = _begin(session, actor, kind, self.owner, self.now())
        self._work_behind(run.id)
        return run.id

    def take_up(self) -> None:
        """Go on with a run whose process ended; begin one of the day's, or one after log-ins.

        Called now and then by every process; each piece of work is taken up by one of them.
        """
        now = self.now()
        with self.database.reading() as session:
            running = queries.running_run(session)
        if running is not None:
            is_silent = now - running.renewed_at > DEAD_AFTER
            is_mine = running.owner == self.owner and self.is_working
            if not is_mine and (is_silent or is_gone(running.owner)):
                self._take_over(running, now)
            return
        run = self._due_run(now)
        if run is not None:
            self._work_behind(run.id)

    @property
    def is_working(self) -> bool:
        """Whether a run is at work in this process."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self, seconds: float = 5.0) -> None:
        """End the work after the clients under way, and leave the rest to another process.

        A client whose broker hangs for longer is cut short by the gateway's end, and still waits.
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

    def _take_over(self, run: SyncRun, now: dt.datetime) -> None:
        with self.database.transaction() as session:
            is_mine = queries.take_over_run(session, run, self.owner, now)
        if is_mine:
            log.warning("sync_run_taken_over", run_id=str(run.id), owner=run.owner)
            self._work_behind(run.id)

    def _due_run(self, now: dt.datetime) -> SyncRun | None:
        with self.database.reading() as session:
            daily = _daily_due(session, now)
            newcomers = set() if daily else _logged_in_since(session, now)
            doubted = set() if daily or newcomers else _to_ask_again(session, now)
        if daily is None and not newcomers and not doubted:
            return None
        with self.database.transaction() as session:
            if daily is not None:
                return _begin_daily(session, daily, self.owner, now)
            kind = RunKind.LOGIN if newcomers else RunKind.AGAIN
            return _begin_for(session, kind, newcomers or doubted, self.owner, now)

    def _work_behind(self, run_id: uuid.UUID) -> None:
        with self._lock:
            if self.is_working or self._stopping.is_set():
                return
            self._thread = threading.Thread(
                target=self._work, args=(run_id,), name="sync", daemon=True
            )
            self._thread.start()

    def _work(self, run_id: uuid.UUID) -> None:
        try:
            self._read_all(run_id)
        except (DBAPIError, PoolTimeoutError) as error:
            # The run stays as it is, and is taken up again once the database answers.
            log.exception("sync_run_interrupted", run_id=str(run_id), error=type(error).__name__)

    def _read_all(self, run_id: uuid.UUID) -> None:
        with self.database.reading() as session:
            run = session.get(SyncRun, run_id)
            waiting = queries.waiting_clients(session, run_id)
            total = sum(queries.outcome_counts(session, run_id).values())
        if run is None or run.owner != self.owner or run.state != RunState.RUNNING:
            return
        way = SyncContext(self.database, self.gateway, _actor_of(run))
        done = total - len(waiting)
        self._report(run_id, done, total, RunState.RUNNING)
        is_ours = True
        for ended in self._ended(way, run_id, waiting):
            done += ended
            self._report(run_id, done, total, RunState.RUNNING)
            is_ours = self._renew(run_id)
            if not is_ours:
                break
        if is_ours:
            self._finish(run_id, run.kind, done, total)

    def _ended(
        self, way: SyncContext, run_id: uuid.UUID, waiting: Iterable[uuid.UUID]
    ) -> Iterator[int]:
        """Read these clients, a few at a time; now and then, how many more are done."""
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
                ended, under_way = wait(under_way, RENEW_EVERY, FIRST_COMPLETED)
                for one in ended:
                    one.result()
                yield len(ended)

    def _read_one(self, way: SyncContext, run_id: uuid.UUID, client_id: uuid.UUID) -> None:
        outcome, reason = Outcome.DONE, ""
        try:
            patience = replace(FOR_A_RUN, is_over=self._stopping.is_set)
            service.sync_client(way, client_id, self.now(), patience)
        except ApiError as refusal:
            outcome, reason = service.outcome_of(refusal), refusal.message
            if self._stopping.is_set() and outcome == Outcome.FAILED:
                return  # cut short by the stop: the client still waits
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            # A fault of ours with one client must not cost the others their sync.
            log.exception("sync_fault", client_id=str(client_id), error=type(error).__name__)
            outcome, reason = Outcome.FAILED, "Something went wrong; nothing was changed."
        with self.database.transaction() as session:
            queries.finish_run_client(session, run_id, client_id, (outcome, reason), self.now())

    def _renew(self, run_id: uuid.UUID) -> bool:
        if time.monotonic() - self._renewed < RENEW_EVERY:
            return True
        self._renewed = time.monotonic()
        with self.database.transaction() as session:
            return queries.renew_run(session, run_id, self.owner, self.now())

    def _finish(self, run_id: uuid.UUID, kind: RunKind, done: int, total: int) -> None:
        now = self.now()
        with self.database.transaction() as session:
            if queries.waiting_clients(session, run_id):
                # Stopped in between: whoever looks next may go on at once.
                queries.renew_run(session, run_id, self.owner, now - 2 * DEAD_AFTER)
                return
            if not queries.end_run(session, run_id, self.owner, now):
                return
            if kind in DAILY:
                orders.close_lapsed_orders(session, now)
            counts = queries.outcome_counts(session, run_id)
            told = {"kind": kind, **{one.value: number for one, number in counts.items()}}
            audit_log.record(session, SYSTEM, now, "sync_run_ended", ("sync_run", run_id), told)
        log.info("sync_run_ended", run_id=str(run_id), kind=kind, clients=total)
        self._report(run_id, done, total, RunState.DONE)

    def _report(self, run_id: uuid.UUID, done: int, total: int, state: RunState) -> None:
        self.tell(Progress(str(run_id), STEP, done, total, state))


def last_run(session: Session) -> RunView | None:
    """The run that was begun last; None where there was none yet."""
    run = queries.last_run(session)
    return None if run is None else RunView(run, queries.outcome_counts(session, run.id))


def clients_of(
    session: Session, run_id: uuid.UUID, skipped: int, limit: int
) -> Sequence[SyncRunClient]:
    """One page of a run's clients, those that were read last first."""
    return queries.run_clients(session, run_id, skipped, limit)


def _begin(session: Session, actor: Actor, kind: RunKind, owner: str, now: dt.datetime) -> SyncRun:
    # One after the other, so that two who press at once begin one run.
    take_turns(session, AdvisoryLock.SYNC_RUNS)
    running = queries.running_run(session)
    if running is not None:
        return running
    live = brokers.connected_clients(session, None, now)
    if not live:
        raise NotConnected("No client is logged in at a broker. Send connect links first.")
    return _add_run(session, actor, kind, owner, (_stale(session, live, now), live), now)


def _begin_daily(session: Session, kind: RunKind, owner: str, now: dt.datetime) -> SyncRun | None:
    take_turns(session, AdvisoryLock.SYNC_RUNS)
    if queries.running_run(session) is not None or _daily_due(session, now) != kind:
        return None
    live = brokers.connected_clients(session, None, now)
    return _add_run(session, SYSTEM, kind, owner, (live, live), now)


def _begin_for(
    session: Session,
    kind: RunKind,
    clients: Collection[uuid.UUID],
    owner: str,
    now: dt.datetime,
) -> SyncRun | None:
    take_turns(session, AdvisoryLock.SYNC_RUNS)
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
) -> SyncRun:
    """Keep a run: who is read, and who of the active ones is not connected (None: not told)."""
    wanted, live = clients
    active = _active(session)
    waiting = set(wanted)
    outcomes = {key: (Outcome.WAITING, "") for key in active if key in waiting}
    if live is not None:
        left_out = (Outcome.NO_SESSION, NotConnected.message)
        outcomes |= {key: left_out for key in active if key not in set(live)}
    run = SyncRun(
        id=new_id(),
        account_id=actor.account_id,
        kind=kind,
        day=day_in_india(now) if kind in DAILY else None,
        state=RunState.RUNNING,
        owner=owner,
        started_at=now,
        renewed_at=now,
        finished_at=None,
    )
    session.add(run)
    session.flush()
    queries.add_run_clients(session, run.id, outcomes)
    told = {"kind": kind, "clients": len(waiting)}
    audit_log.record(session, actor, now, "sync_run_begun", ("sync_run", run.id), told)
    return run


def _active(session: Session) -> list[uuid.UUID]:
    return [card.id for card in people.client_cards(session, "") if card.status == Status.ACTIVE]


def _stale(session: Session, live: Collection[uuid.UUID], now: dt.datetime) -> set[uuid.UUID]:
    """Those of the connected clients who were not synced just now."""
    known = queries.syncs_of(session, live)
    return {
        key
        for key in live
        if key not in known
        or known[key].synced_at is None
        or now - known[key].synced_at > FRESH_FOR
        or known[key].tried_at > known[key].synced_at
    }


def _logged_in_since(session: Session, now: dt.datetime) -> set[uuid.UUID]:
    """Connected clients of whom nothing was read with the log-in that they have now."""
    logins = brokers.live_logins(session, now)
    known = queries.syncs_of(session, logins.keys())
    found = {
        key
        for key, login in logins.items()
        if key not in known
        or (
            known[key].checked_session_id != login.session_id
            and now - known[key].tried_at > TRY_AGAIN_AFTER
        )
    }
    # Those who left may still have a session.
    return found & set(_active(session)) if found else found


def _to_ask_again(session: Session, now: dt.datetime) -> set[uuid.UUID]:
    """Connected clients whose empty list of holdings was not believed a while ago."""
    doubted = queries.doubted_clients(session, now - DOUBTED_AGAIN_AFTER)
    if not doubted:
        return doubted
    return brokers.connected_clients(session, doubted, now) & set(_active(session))


def _daily_due(session: Session, now: dt.datetime) -> RunKind | None:
    """The run of the day that is to begin now; the later one alone, where both are due."""
    today = day_in_india(now)
    if not is_business_day(today, firm.holidays(session)):
        return None
    due = [kind for kind, at in DAILY.items() if now >= dt.datetime.combine(today, at)]
    if not due or queries.has_run_of_day(session, due[-1], today):
        return None
    return due[-1]


def _actor_of(run: SyncRun) -> Actor:
    """Who a run acts for: the one who asked, also in another process and after a restart."""
    return SYSTEM if run.account_id is None else replace(SYSTEM, account_id=run.account_id)
