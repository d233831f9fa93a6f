"""Timed work: each job runs in a thread, every so many seconds, one run at a time.

A job with a scope is shared by the processes of a database: at each due time one of them runs it.
The due time is stored, so that it outlasts restarts; the other processes look now and then, and one
of them takes over if the process that runs the job dies. A job without a scope runs in every
process: it is about this process's memory, or claims single items.
"""

import asyncio
import contextlib
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Thread
from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tarazu.kit import clock, jobs
from tarazu.kit.db import Database
from tarazu.kit.jobs import Claim, ClaimLost
from tarazu.kit.metrics import JOB_RUNS, LAST_RUNS

log = structlog.get_logger()

LOOK_EVERY: Final = 5.0
"""Seconds between two looks at a job that another process runs."""
AGAIN_AFTER: Final = 300.0
"""Seconds, at most, until a failed job is tried again."""
LONGEST_START: Final = 0.25
"""Seconds that the first run of a job holds up those of the next jobs, at most."""


@dataclass(slots=True)
class Job:
    """A job can be run twice without harm, and be killed at any point.

    Attributes:
        every: seconds from one due time to the next.
        scope: the processes that share it: "" for all of the installation, else those with the
            same scope; None if each process runs it.
        runs_at_stop: also run at an orderly stop.
        has_work: whether there is anything to do, for a job that looks often: if not, it is not
            claimed and nothing is written.
    """

    name: str
    every: float
    run: Callable[[], object]
    scope: str | None = None
    runs_at_stop: bool = False
    has_work: Callable[[], bool] | None = None


@dataclass(slots=True)
class Schedule:
    """The timed work of one process; `database` is needed for jobs with a scope."""

    jobs: list[Job]
    database: Database | None = None
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _wake_events: dict[str, asyncio.Event] = field(default_factory=dict)
    _running: set[asyncio.Task[float]] = field(default_factory=set)

    def start(self) -> None:
        """Start to run every job: the first runs one after another, those that are long side by side.

        All at once, they would slow each other down, and one of them may hold the database's lock.
        """
        for job in self.jobs:
            self._wake_events[job.name] = asyncio.Event()
        self._tasks.append(asyncio.create_task(self._start_each(), name="start"))

    def wake(self, name: str) -> None:
        """Look at a job now rather than at its next time; call it on the event loop.

        A job with a scope then runs if it is due.
        """
        if name in self._wake_events:
            self._wake_events[name].set()

    async def stop(self, patience: float = 3) -> None:
        """Wait for the current runs, then run the jobs that run at a stop.

        Args:
            patience: seconds for each of the two; what takes longer is left to the next start.
        """
        for task in self._tasks:
            task.cancel()
        if self._running:
            await asyncio.wait(set(self._running), timeout=patience)
        last = [asyncio.create_task(self._attempt(job)) for job in self.jobs if job.runs_at_stop]
        if last:
            await asyncio.wait(last, timeout=patience)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _start_each(self) -> None:
        for job in self.jobs:
            run = self._run(job)
            self._tasks.append(asyncio.create_task(self._repeat(job, run), name=job.name))
            await asyncio.wait({run}, timeout=LONGEST_START)

    async def _repeat(self, job: Job, run: asyncio.Task[float]) -> None:
        woken = self._wake_events[job.name]
        while True:
            # Shielded, so that a stop never interrupts a run in its thread.
            wait = await asyncio.shield(run)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), wait)
            woken.clear()
            run = self._run(job)

    def _run(self, job: Job) -> asyncio.Task[float]:
        run = asyncio.create_task(self._attempt(job))
        self._running.add(run)
        run.add_done_callback(self._running.discard)
        return run

    async def _attempt(self, job: Job) -> float:
        """Run a job if it is due here; returns the seconds until the next look."""
        waits: list[float] = []
        database, scope = self.database, job.scope

        def run() -> None:
            if database is None or scope is None:
                job.run()
                _note(job, "done")
            else:
                waits.append(_run_if_due(database, job, scope))

        try:
            await _in_thread(job.name, run)
        except (DBAPIError, PoolTimeoutError) as error:
            # The database is away: log one line and look again soon.
            _note(job, "failed")
            log.warning("job_failed", job=job.name, error=type(error).__name__)
            return min(job.every, LOOK_EVERY)
        except Exception as error:
            # Logged, not raised: the job runs again at its next time.
            _note(job, "failed")
            log.exception("job_failed", job=job.name, error=type(error).__name__)
        return waits[0] if waits else min(job.every, AGAIN_AFTER)


def _run_if_due(database: Database, job: Job, scope: str) -> float:
    """Run a job if it is due and no other process runs it; the seconds until the next look."""
    if job.has_work is not None and not job.has_work():
        return job.every
    now = clock.now()
    with database.reading() as session:
        due_at = jobs.due_at_of(session, job.name, scope)
    if due_at is None:
        with database.transaction() as session:
            jobs.make_due(session, job.name, scope, now)
    elif due_at > now:
        # A clock that was set back must not put it off for long.
        return min((due_at - now).total_seconds(), job.every)
    claim = jobs.claim(database, job.name, now, scope)
    if claim is None:
        return LOOK_EVERY
    # A job with `has_work` is due again once it has some.
    next_at = _next_time(claim, job, now) if job.has_work is None else None
    error: str | None = None
    with jobs.heartbeat(database, claim, clock.now):
        try:
            job.run()
        except Exception as raised:
            error = type(raised).__name__
            soon = now + dt.timedelta(seconds=AGAIN_AFTER)
            next_at = min(next_at or soon, soon)
            raise
        finally:
            _end(database, claim, next_at, error)
    _note(job, "done")
    return max((next_at - clock.now()).total_seconds(), 0.0) if next_at else job.every


def _end(database: Database, claim: Claim, next_at: dt.datetime | None, error: str | None) -> None:
    try:
        with database.transaction() as session:
            jobs.finish(session, claim, clock.now(), next_at, error)
    except ClaimLost:
        # The process froze for longer than its lease; another one runs the job again.
        log.warning("job_claim_lost", job=claim.kind)


def _next_time(claim: Claim, job: Job, now: dt.datetime) -> dt.datetime:
    """The next due time; those missed while no process ran are skipped."""
    step = dt.timedelta(seconds=job.every)
    return claim.due_at + step if claim.due_at + step > now else now + step


def _note(job: Job, outcome: str) -> None:
    JOB_RUNS.labels(job.name, outcome).inc()
    if outcome == "done":
        LAST_RUNS.labels(job.name).set(clock.now().timestamp())


async def _in_thread(name: str, act: Callable[[], object]) -> None:
    """Run in a daemon thread, which the end of the process does not wait for.

    A job may be killed at any point, and a mail server that hangs must not delay a stop.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def report(error: Exception | None) -> None:
        if ended.cancelled():
            return
        if error is None:
            ended.set_result(None)
        else:
            ended.set_exception(error)

    def run() -> None:
        error: Exception | None = None
        try:
            act()
        except Exception as raised:  # noqa: BLE001 - passed to the coroutine that awaits the job
            error = raised
        # RuntimeError: the loop is closed, and nothing waits for the job.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(report, error)

    Thread(target=run, name=f"job-{name}", daemon=True).start()
    await ended
