"""Runs at work: the tiles computed, the advices sent, by one process of all.

What a run is, and where each of its clients stands, is in the database before anything is done.
An advice and the word that its client was sent it are one transaction, a few clients at a time: a
process may die at any point, and whichever takes the run over goes on with those who still wait.
So each client gets exactly one advice. The process at work renews its claim; one that is silent for
half a minute, or ended on this machine, is taken for dead.
"""

import datetime as dt
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tarazu.advice import service as advice
from tarazu.book_runs import classification, queries, service
from tarazu.book_runs.errors import PricesTooOld
from tarazu.book_runs.faults import FAULTS, fault_text
from tarazu.book_runs.records import PlanRecord, Rebuilder, Sender, Snapshot, from_json, to_json
from tarazu.book_runs.tables import BookRun, BookRunState, ClientState
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import Database
from tarazu.kit.pdf import setting_apart
from tarazu.kit.processes import OWNER, is_gone
from tarazu.kit.sockets import Progress
from tarazu.model_portfolios import service as models
from tarazu.prices import service as prices

log = structlog.get_logger()

AT_A_TIME: Final = 50
"""Advices in one transaction: few enough that no other writer waits for long."""
DEAD_AFTER: Final = dt.timedelta(seconds=30)
RENEW_EVERY: Final = 5.0
STEPS: Final = 100
LETTERS_FOR: Final = dt.timedelta(seconds=20)
NOT_FOLLOWING: Final = "The client no longer follows this model: nothing was sent."
COMPUTING: Final = "Computing"
SENDING: Final = "Sending"


@dataclass(slots=True)
class BookRunWorker:
    """The runs of one process.

    Args:
        database: where runs are kept.
        now: the clock.
        tell: is told how far a run is.
    """

    database: Database
    now: Callable[[], dt.datetime]
    tell: Callable[[Progress], None]
    owner: str = OWNER
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _threads: dict[uuid.UUID, threading.Thread] = field(default_factory=dict)

    def work_on(self, run_id: uuid.UUID) -> None:
        """Begin to compute or to send a run of this process, in a thread of its own."""
        with self._lock:
            known = self._threads.get(run_id)
            if self._stopping.is_set() or (known is not None and known.is_alive()):
                return
            thread = threading.Thread(target=self._work, args=(run_id,), name="book", daemon=True)
            self._threads = {key: one for key, one in self._threads.items() if one.is_alive()}
            self._threads[run_id] = thread
            thread.start()

    def take_up(self) -> None:
        """Go on with runs whose process ended. Called now and then by every process."""
        now = self.now()
        with self.database.reading() as session:
            found = queries.runs_at_work(session)
        for run in found:
            is_mine = run.owner == self.owner
            if is_mine and self._is_working_on(run.id):
                continue
            if is_mine or now - run.renewed_at > DEAD_AFTER or is_gone(run.owner):
                self._take_over(run, now)

    def wait(self, seconds: float) -> bool:
        """Wait for the work of this process to end; False if it has not by then."""
        for thread in list(self._threads.values()):
            thread.join(seconds)
        return not any(thread.is_alive() for thread in self._threads.values())

    def stop(self, seconds: float = 5.0) -> None:
        """End the work after the advices under way, and leave the rest to another process."""
        self._stopping.set()
        self.wait(seconds)

    def _is_working_on(self, run_id: uuid.UUID) -> bool:
        thread = self._threads.get(run_id)
        return thread is not None and thread.is_alive()

    def _take_over(self, run: BookRun, now: dt.datetime) -> None:
        with self.database.transaction() as session:
            is_mine = queries.take_over(session, run, self.owner, now)
        if is_mine:
            log.warning("book_run_taken_over", run_id=str(run.id), owner=run.owner)
            self.work_on(run.id)

    def _work(self, run_id: uuid.UUID) -> None:
        try:
            with self.database.reading() as session:
                run = queries.run_by_id(session, run_id)
            if run is None or run.owner != self.owner:
                return
            if run.state is BookRunState.COMPUTING:
                self._compute(run)
            elif run.state is BookRunState.SENDING:
                self._send(run)
        except (DBAPIError, PoolTimeoutError) as error:
            # The run stays as it is, and is taken up again once the database answers.
            log.exception("book_run_interrupted", run_id=str(run_id), error=type(error).__name__)

    # ---- the tiles -------------------------------------------------------------------------------

    def _compute(self, run: BookRun) -> None:
        ended = threading.Event()
        renewing = threading.Thread(
            target=self._keep_renewing, args=(run.id, ended), name="book-renew", daemon=True
        )
        renewing.start()
        try:
            self._tell(run.id, COMPUTING, 0, 1, BookRunState.COMPUTING)
            self._keep_tiles(run)
        except FAULTS as error:
            # Whoever waits for the tiles is told; nothing was sent.
            log.exception("book_run_fault", run_id=str(run.id), error=type(error).__name__)
            words = fault_text(error)
            self._end(run.id, BookRunState.FAILED, words)
        finally:
            ended.set()
            renewing.join()

    def _keep_renewing(self, run_id: uuid.UUID, ended: threading.Event) -> None:
        while not ended.wait(RENEW_EVERY):
            try:
                with self.database.transaction() as session:
                    queries.renew(session, run_id, self.owner, self.now())
            except (DBAPIError, PoolTimeoutError) as error:
                # Tried again in a moment; another process may take the run over instead.
                log.warning("book_run_not_renewed", run_id=str(run_id), error=type(error).__name__)

    def _keep_tiles(self, run: BookRun) -> None:
        now = self.now()
        with self.database.reading() as session:
            prices.catch_up(session)
            snapshot, rows = classification.tiles_of(session, run, now, self._steps_of(run.id))
        kept = to_json(snapshot)
        with self.database.transaction() as session:
            mine = queries.run_by_id(session, run.id, lock=True)
            if mine is None or mine.state is not BookRunState.COMPUTING or mine.owner != self.owner:
                return  # cancelled, or taken over, in between
            queries.add_clients(session, rows)
            mine.snapshot, mine.priced_at, mine.computed_at = kept, now, self.now()
            mine.state, mine.version = BookRunState.REVIEW, mine.version + 1
            told = {"clients": len(rows)}
            audit_log.record(session, SYSTEM, now, "book_run_computed", ("book_run", run.id), told)
        log.info("book_run_computed", run_id=str(run.id), clients=len(rows))
        self._tell(run.id, COMPUTING, len(rows), len(rows), BookRunState.REVIEW)

    def _steps_of(self, run_id: uuid.UUID) -> Callable[[int, int], None]:
        """Tells how far the computing is, a hundred times at most."""
        told = 0

        def tell(done: int, total: int) -> None:
            nonlocal told
            # The end is told once the tiles are kept.
            if done - told >= max(1, total // STEPS) and done < total:
                told = done
                self._tell(run_id, COMPUTING, done, total, BookRunState.COMPUTING)

        return tell

    # ---- the sending -----------------------------------------------------------------------------

    def _send(self, run: BookRun) -> None:
        rebuilder = Rebuilder(from_json(Snapshot, run.snapshot))
        sender = from_json(Sender, run.sending)
        with self.database.reading() as session:
            model = models.model(session, run.model_id)
            counts = queries.state_counts(session, run.id)
        snapshot = rebuilder.snapshot
        named = advice.Named(
            model.row.id,
            snapshot.model_name,
            run.version_id,
            snapshot.number,
            snapshot.published_at,
            run.id,
        )
        said = advice.Said(named, run.rationale, *sender.disclosures, sender.checks)
        waiting = counts.get(ClientState.QUEUED, 0)
        total = sum(counts.values()) - counts.get(ClientState.REVIEW, 0)
        self._tell(run.id, SENDING, total - waiting, total, BookRunState.SENDING)
        while not self._stopping.is_set():
            sent = self._send_some(run, rebuilder, sender.actor, said)
            if sent is None:
                return
            if sent == 0:
                self._end(run.id, BookRunState.DONE, "")
                return
            waiting -= sent
            self._tell(run.id, SENDING, total - waiting, total, BookRunState.SENDING)

    def _send_some(
        self, run: BookRun, rebuilder: Rebuilder, actor: Actor, said: advice.Said
    ) -> int | None:
        """Send the next few: how many are done with, 0 when none wait; None: the run is not ours."""
        with self.database.reading() as session:
            # This process may not be the one that hears the prices.
            prices.catch_up(session)
            waiting = queries.queued(session, run.id, AT_A_TIME)
        fit, faults = self._rebuilt(rebuilder, waiting)
        try:
            done = self._send_batch(run, fit, actor, said)
        except FAULTS as error:
            # One of them is at fault: alone, the others are sent and it is named.
            log.exception("book_batch_fault", run_id=str(run.id), error=type(error).__name__)
            done = self._send_one_by_one(run, fit, actor, said)
        if done is not None and faults:
            with self.database.transaction() as session:
                queries.finish_clients(session, run.id, faults)
        return None if done is None else len(waiting)

    def _rebuilt(
        self, rebuilder: Rebuilder, waiting: Sequence[tuple[uuid.UUID, str]]
    ) -> tuple[list[advice.ToSend], list[dict[str, object]]]:
        fit: list[advice.ToSend] = []
        faults: list[dict[str, object]] = []
        for client_id, text in waiting:
            try:
                rebalance = rebuilder.rebalance_of(from_json(PlanRecord, text))
                fit.append(advice.ToSend(client_id, rebalance))
            except FAULTS as error:
                faults.append(_fault_of(client_id, error))
        return fit, faults

    def _send_one_by_one(
        self,
        run: BookRun,
        fit: Sequence[advice.ToSend],
        actor: Actor,
        said: advice.Said,
    ) -> int | None:
        for one in fit:
            try:
                if self._send_batch(run, [one], actor, said) is None:
                    return None
            except FAULTS as error:
                failed = _fault_of(one.client_id, error)
                with self.database.transaction() as session:
                    queries.finish_clients(session, run.id, [failed])
        return len(fit)

    def _send_batch(
        self,
        run: BookRun,
        fit: Sequence[advice.ToSend],
        actor: Actor,
        said: advice.Said,
    ) -> int | None:
        """One transaction: the advices of these clients, and the word that they were sent."""
        now = self.now()
        with self.database.transaction() as session:
            mine = queries.run_by_id(session, run.id, lock=True)
            if mine is None or mine.owner != self.owner or mine.state is not BookRunState.SENDING:
                return None
            mine.renewed_at = now
            try:
                service.refuse_old_prices(session, mine, now)
            except PricesTooOld as refusal:
                queries.end_queued(session, run.id, ClientState.FAILED, refusal.message)
                return len(fit)
            wanted = queries.still_queued(session, run.id, [one.client_id for one in fit])
            following = models.followers_among(session, mine.model_id, wanted)
            batch = [one for one in fit if one.client_id in wanted & following]
            told = advice.send_together(session, actor, batch, said, now)
            left = advice.Refused(NOT_FOLLOWING, has_changed=True)
            told |= dict.fromkeys(wanted - following, left)
            queries.finish_clients(
                session, run.id, [_told(client_id, one, now) for client_id, one in told.items()]
            )
        return len(fit)

    def _end(self, run_id: uuid.UUID, state: BookRunState, words: str) -> None:
        now = self.now()
        with self.database.transaction() as session:
            run = queries.run_by_id(session, run_id, lock=True)
            if run is None or run.owner != self.owner or run.state in service.ENDED:
                return
            run.state, run.error, run.finished_at = state, words, now
            run.version += 1
            counts = queries.state_counts(session, run_id)
            told = {"state": state, **{key.value: count for key, count in counts.items()}}
            audit_log.record(session, SYSTEM, now, "book_run_ended", ("book_run", run_id), told)
        total = sum(counts.values()) - counts.get(ClientState.REVIEW, 0)
        log.info("book_run_ended", run_id=str(run_id), state=state)
        self._tell(run_id, SENDING if total else COMPUTING, total, total, state)

    def _tell(
        self, run_id: uuid.UUID, step: str, done: int, total: int, state: BookRunState
    ) -> None:
        self.tell(Progress(str(run_id), step, done, total, state))


def set_letters(database: Database, now: Callable[[], dt.datetime]) -> int:
    """Set letters that wait, for some seconds at most; none while a run is sent; how many."""
    began, count = now(), 0
    with setting_apart() as set_pdf:
        while now() - began < LETTERS_FOR:
            with database.reading() as session:
                if queries.is_any_sending(session):
                    break
            made = advice.set_letters_due(database, now(), set_pdf=set_pdf)
            if not made:
                break
            count += made
    return count


def _told(
    client_id: uuid.UUID, one: uuid.UUID | advice.Refused, now: dt.datetime
) -> dict[str, object]:
    if isinstance(one, advice.Refused):
        state = ClientState.CHANGED if one.has_changed else ClientState.FAILED
        return _outcome(client_id, state, one.message)
    return _outcome(client_id, ClientState.SENT, "") | {"advice_id": one, "sent_at": now}


def _fault_of(client_id: uuid.UUID, error: Exception) -> dict[str, object]:
    return _outcome(client_id, ClientState.FAILED, fault_text(error, client_id))


def _outcome(client_id: uuid.UUID, state: ClientState, error: str) -> dict[str, object]:
    return {
        "client_id": client_id,
        "state": state,
        "error": error,
        "advice_id": None,
        "sent_at": None,
    }
