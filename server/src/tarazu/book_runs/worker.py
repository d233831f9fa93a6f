"""Book runs: one process computes the tiles and sends the advices of a run.

A run and its clients are stored before anything is done. The run is a job (`kit/jobs.py`), and an
advice and the state of its client are one transaction, a few clients at a time: a process may die
at any point, and another goes on with the clients who still wait. So each client gets exactly one
advice.
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
from tarazu.book_runs.records import PlanRecord, Rebuilder, RunSender, Snapshot, from_json, to_json
from tarazu.book_runs.tables import BookRun, BookRunState, ClientState
from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import Database
from tarazu.kit.jobs import Claim, ClaimLost
from tarazu.kit.pdf import setting_apart
from tarazu.kit.processes import own_id
from tarazu.kit.sockets import Progress
from tarazu.model_portfolios import service as models
from tarazu.prices import service as prices

log = structlog.get_logger()

AT_A_TIME: Final = 50
"""Advices in one transaction: few enough that no other writer waits for long."""
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
        tell: called with the progress of a run.
    """

    database: Database
    now: Callable[[], dt.datetime]
    tell: Callable[[Progress], None]
    owner: str = field(default_factory=own_id)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _threads: list[threading.Thread] = field(default_factory=list)

    def work_on(self, run_id: uuid.UUID) -> None:
        """Start to compute or to send a run, in a thread of its own."""
        self._start(str(run_id))

    def resume(self) -> None:
        """Go on with runs whose process ended. Called every few seconds by every process."""
        while self._start():
            pass

    def _start(self, key: str | None = None) -> bool:
        """Claim a run and work on it; False if there is none to claim."""
        with self._lock:
            if self._stopping.is_set():
                return False
            claim = jobs.claim(self.database, service.JOB, self.now(), key, self.owner)
            if claim is None:
                return False
            thread = threading.Thread(target=self._work, args=(claim,), name="book", daemon=True)
            self._threads = [running for running in self._threads if running.is_alive()]
            self._threads.append(thread)
            thread.start()
            return True

    def wait(self, seconds: float) -> bool:
        """Wait for the work of this process to end; False if it has not by then."""
        threads = list(self._threads)
        for thread in threads:
            thread.join(seconds)
        return not any(thread.is_alive() for thread in threads)

    def stop(self, seconds: float = 5.0) -> None:
        """End the work after the current batch, and leave the rest to another process."""
        self._stopping.set()
        self.wait(seconds)

    def _work(self, claim: Claim) -> None:
        run_id = uuid.UUID(claim.key)
        try:
            with jobs.heartbeat(self.database, claim, self.now):
                with self.database.reading() as session:
                    run = queries.run_by_id(session, run_id)
                if run is not None and run.state is BookRunState.COMPUTING:
                    self._compute(run, claim)
                elif run is not None and run.state is BookRunState.SENDING:
                    self._send(run, claim)
                else:
                    self._drop(claim)
        except ClaimLost:
            log.warning("book_run_taken_over", run_id=claim.key)
        except (DBAPIError, PoolTimeoutError) as error:
            # The run stays as it is, and is resumed once the database answers.
            log.exception("book_run_interrupted", run_id=claim.key, error=type(error).__name__)

    def _drop(self, claim: Claim) -> None:
        """Finish the job of a run that was cancelled."""
        with self.database.transaction() as session:
            jobs.finish(session, claim, self.now())

    # ---- the tiles -------------------------------------------------------------------------------

    def _compute(self, run: BookRun, claim: Claim) -> None:
        try:
            self._tell(run.id, COMPUTING, 0, 1, BookRunState.COMPUTING)
            self._keep_tiles(run, claim)
        except FAULTS as error:
            # The person who waits for the tiles gets the reason; nothing was sent.
            log.exception("book_run_fault", run_id=str(run.id), error=type(error).__name__)
            self._end(claim, BookRunState.FAILED, fault_text(error))

    def _keep_tiles(self, run: BookRun, claim: Claim) -> None:
        now = self.now()
        with self.database.reading() as session:
            prices.catch_up(session)
            snapshot, rows = classification.tiles_of(session, run, now, self._steps_of(run.id))
        snapshot_json = to_json(snapshot)
        with self.database.transaction() as session:
            jobs.finish(session, claim, self.now())
            stored = queries.run_by_id(session, run.id, lock=True)
            if stored is None or stored.state is not BookRunState.COMPUTING:
                return  # cancelled in between
            queries.add_clients(session, rows)
            stored.snapshot, stored.priced_at, stored.computed_at = snapshot_json, now, self.now()
            stored.state, stored.version = BookRunState.REVIEW, stored.version + 1
            details = {"clients": len(rows)}
            audit_log.record(
                session, SYSTEM, now, "book_run_computed", ("book_run", run.id), details
            )
        log.info("book_run_computed", run_id=str(run.id), clients=len(rows))
        self._tell(run.id, COMPUTING, len(rows), len(rows), BookRunState.REVIEW)

    def _steps_of(self, run_id: uuid.UUID) -> Callable[[int, int], None]:
        """Reports the progress of the computing, a hundred times at most."""
        last_done = 0

        def tell(done: int, total: int) -> None:
            nonlocal last_done
            # The end is reported once the tiles are stored.
            if done - last_done >= max(1, total // STEPS) and done < total:
                last_done = done
                self._tell(run_id, COMPUTING, done, total, BookRunState.COMPUTING)

        return tell

    # ---- the sending -----------------------------------------------------------------------------

    def _send(self, run: BookRun, claim: Claim) -> None:
        rebuilder = Rebuilder(from_json(Snapshot, run.snapshot))
        sender = from_json(RunSender, run.sending)
        with self.database.reading() as session:
            version = models.version(session, run.version_id)
            counts = queries.state_counts(session, run.id)
        snapshot = rebuilder.snapshot
        named = advice.SealedModel(
            run.model_id,
            snapshot.model_name,
            run.version_id,
            snapshot.number,
            snapshot.published_at,
            run.id,
            version.row.risks,
        )
        said = advice.AdviceTerms(
            named,
            run.rationale,
            advice.Disclosures(*sender.disclosures),
            sender.checks,
            sender.approval,
        )
        waiting = counts.get(ClientState.QUEUED, 0)
        total = sum(counts.values()) - counts.get(ClientState.REVIEW, 0)
        self._tell(run.id, SENDING, total - waiting, total, BookRunState.SENDING)
        while not self._stopping.is_set():
            sent = self._send_some(run, claim, rebuilder, sender.actor, said)
            if sent is None:
                self._drop(claim)
                return
            if sent == 0:
                self._end(claim, BookRunState.DONE, "")
                return
            waiting -= sent
            self._tell(run.id, SENDING, total - waiting, total, BookRunState.SENDING)
        with self.database.transaction() as session:
            jobs.release(session, claim, self.now())

    def _send_some(
        self,
        run: BookRun,
        claim: Claim,
        rebuilder: Rebuilder,
        actor: Actor,
        said: advice.AdviceTerms,
    ) -> int | None:
        """Send the next few: how many are done, 0 when none wait; None: the run was cancelled."""
        with self.database.reading() as session:
            # Another process may receive the prices.
            prices.catch_up(session)
            waiting = queries.queued(session, run.id, AT_A_TIME)
        fit, faults = self._rebuilt(rebuilder, waiting)
        try:
            done = self._send_batch(claim, fit, actor, said)
        except FAULTS as error:
            # One of them is at fault: one by one, the others are sent.
            log.exception("book_batch_fault", run_id=str(run.id), error=type(error).__name__)
            done = self._send_one_by_one(claim, fit, actor, said)
        if done is not None and faults:
            with self.database.transaction() as session:
                queries.finish_clients(session, run.id, faults)
        return None if done is None else len(waiting)

    def _rebuilt(
        self, rebuilder: Rebuilder, waiting: Sequence[tuple[uuid.UUID, str]]
    ) -> tuple[list[advice.ClientRebalance], list[dict[str, object]]]:
        fit: list[advice.ClientRebalance] = []
        faults: list[dict[str, object]] = []
        for client_id, text in waiting:
            try:
                rebalance = rebuilder.rebalance_of(from_json(PlanRecord, text))
                fit.append(advice.ClientRebalance(client_id, rebalance))
            except FAULTS as error:
                faults.append(_fault_of(client_id, error))
        return fit, faults

    def _send_one_by_one(
        self,
        claim: Claim,
        fit: Sequence[advice.ClientRebalance],
        actor: Actor,
        said: advice.AdviceTerms,
    ) -> int | None:
        for client in fit:
            try:
                if self._send_batch(claim, [client], actor, said) is None:
                    return None
            except FAULTS as error:
                failed = _fault_of(client.client_id, error)
                with self.database.transaction() as session:
                    queries.finish_clients(session, uuid.UUID(claim.key), [failed])
        return len(fit)

    def _send_batch(
        self,
        claim: Claim,
        fit: Sequence[advice.ClientRebalance],
        actor: Actor,
        said: advice.AdviceTerms,
    ) -> int | None:
        """One transaction: the advices of these clients, and their states."""
        now = self.now()
        with self.database.transaction() as session:
            jobs.confirm(session, claim)
            run = queries.run_by_id(session, uuid.UUID(claim.key), lock=True)
            if run is None or run.state is not BookRunState.SENDING:
                return None
            try:
                service.refuse_old_prices(session, run, now)
            except PricesTooOld as refusal:
                queries.end_queued(session, run.id, ClientState.FAILED, refusal.message)
                return len(fit)
            queued = queries.still_queued(session, run.id, [client.client_id for client in fit])
            following = models.followers_among(session, run.model_id, queued)
            batch = [client for client in fit if client.client_id in queued & following]
            results = advice.send_batch(session, actor, batch, said, now)
            not_following = advice.NotSent(NOT_FOLLOWING, has_changed=True)
            results |= dict.fromkeys(queued - following, not_following)
            states = [_state_of(client_id, result, now) for client_id, result in results.items()]
            queries.finish_clients(session, run.id, states)
        return len(fit)

    def _end(self, claim: Claim, state: BookRunState, error: str) -> None:
        now, run_id = self.now(), uuid.UUID(claim.key)
        with self.database.transaction() as session:
            jobs.finish(session, claim, now)
            run = queries.run_by_id(session, run_id, lock=True)
            if run is None or run.state in service.ENDED:
                return
            run.state, run.error, run.finished_at = state, error, now
            run.version += 1
            counts = queries.state_counts(session, run_id)
            details = {"state": state, **{key.value: count for key, count in counts.items()}}
            audit_log.record(session, SYSTEM, now, "book_run_ended", ("book_run", run_id), details)
        total = sum(counts.values()) - counts.get(ClientState.REVIEW, 0)
        log.info("book_run_ended", run_id=str(run_id), state=state)
        self._tell(run_id, SENDING if total else COMPUTING, total, total, state)

    def _tell(
        self, run_id: uuid.UUID, step: str, done: int, total: int, state: BookRunState
    ) -> None:
        self.tell(Progress(str(run_id), step, done, total, state))


class LettersFailed(Exception):
    """The job fails, so that it is seen, and is tried again."""


def set_letters(database: Database, now: Callable[[], dt.datetime], address: str = "") -> int:
    """Typeset waiting letters, for some seconds at most and not during a send; returns how many.

    Raises:
        LettersFailed: some could not be set; the others were.
    """
    began, count = now(), 0
    failed: set[uuid.UUID] = set()
    with setting_apart() as set_pdf:
        while now() - began < LETTERS_FOR:
            with database.reading() as session:
                if queries.is_any_sending(session):
                    break
            made = advice.set_letters_due(
                database, now(), set_pdf=set_pdf, failed=failed, address=address
            )
            if not made:
                break
            count += made
    if failed:
        raise LettersFailed(f"{len(failed)} letters cannot be set")
    return count


def _state_of(
    client_id: uuid.UUID, result: uuid.UUID | advice.NotSent, now: dt.datetime
) -> dict[str, object]:
    if isinstance(result, advice.NotSent):
        state = ClientState.CHANGED if result.has_changed else ClientState.FAILED
        return _outcome(client_id, state, result.message)
    return _outcome(client_id, ClientState.SENT, "") | {"advice_id": result, "sent_at": now}


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
