"""Timed work: each job runs in a thread, every so many seconds, one run at a time.

Processes that share a database take turns at most jobs: a job with a turn runs in one of them at
each due time, which is kept in the database, also over restarts. The others look now and then, and
one of them takes the job up where the process that runs it dies. A job without a turn runs in
every process: it is about this process's memory, or takes its work row by row.
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
from tarazu.kit.metrics import COUNTS

log = structlog.get_logger()

LOOK_EVERY: Final = 5.0
"""Seconds between two looks at a job that another process runs."""
AGAIN_AFTER: Final = 300.0
"""Seconds, at most, until a job that failed is tried again."""


@dataclass(slots=True)
class Job:
    """A job can be run twice without harm, and survives being killed at any point.

    Attributes:
        every: seconds from one due time to the next.
        turn: with whom processes take turns at it: "" with all of the installation, else with
            those that name the same; None where each runs it.
        last_at_stop: run once more at a stop in good order.
        is_wanted: whether there is anything to do, for a job that looks often: where there is
            not, no turn is taken and nothing is written.
    """

    name: str
    every: float
    run: Callable[[], object]
    turn: str | None = None
    last_at_stop: bool = False
    is_wanted: Callable[[], bool] | None = None


@dataclass(slots=True)
class Schedule:
    """The timed work of one process; with `database` it takes turns with others."""

    jobs: list[Job]
    database: Database | None = None
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _wake: dict[str, asyncio.Event] = field(default_factory=dict)
    _running: set[asyncio.Task[float]] = field(default_factory=set)

    def start(self) -> None:
        """Begin to run every job, the first time at once."""
        for job in self.jobs:
            self._wake[job.name] = asyncio.Event()
            self._tasks.append(asyncio.create_task(self._repeat(job), name=job.name))

    def hurry(self, name: str) -> None:
        """Look at a job now rather than at its next time; call it on the event loop.

        One with a turn then runs if it is due.
        """
        if name in self._wake:
            self._wake[name].set()

    async def stop(self, patience: float = 3) -> None:
        """Let the runs under way end, then run those that close the books.

        Args:
            patience: seconds for each of the two; what takes longer is left to the next start.
        """
        for task in self._tasks:
            task.cancel()
        if self._running:
            await asyncio.wait(set(self._running), timeout=patience)
        last = [asyncio.create_task(self._attempt(job)) for job in self.jobs if job.last_at_stop]
        if last:
            await asyncio.wait(last, timeout=patience)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, job: Job) -> None:
        wake = self._wake[job.name]
        while True:
            # Shielded, so that a stop never leaves a run half way in its thread.
            run = asyncio.create_task(self._attempt(job))
            self._running.add(run)
            run.add_done_callback(self._running.discard)
            wait = await asyncio.shield(run)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), wait)
            wake.clear()

    async def _attempt(self, job: Job) -> float:
        """Run a job if it is our turn; the seconds until the next look."""
        waits: list[float] = []
        database, turn = self.database, job.turn

        def run() -> None:
            if database is None or turn is None:
                job.run()
                _note(job, "done")
            else:
                waits.append(_in_turn(database, job, turn))

        try:
            await _in_thread(job.name, run)
        except (DBAPIError, PoolTimeoutError) as error:
            # No fault of ours: said in a line, and looked at again while the database is away.
            _note(job, "failed")
            log.warning("job_failed", job=job.name, error=type(error).__name__)
            return min(job.every, LOOK_EVERY)
        except Exception as error:
            # Logged, not raised: the job runs again at its next time.
            _note(job, "failed")
            log.exception("job_failed", job=job.name, error=type(error).__name__)
        return waits[0] if waits else min(job.every, AGAIN_AFTER)


def _in_turn(database: Database, job: Job, turn: str) -> float:
    """Run a job if it is due and no other process is at it; the seconds until the next look."""
    if job.is_wanted is not None and not job.is_wanted():
        return job.every
    now = clock.now()
    with database.reading() as session:
        due_at = jobs.due_at_of(session, job.name, turn)
    if due_at is None:
        with database.transaction() as session:
            jobs.make_due(session, job.name, turn, now)
    elif due_at > now:
        # A clock that was set back must not put it off for long.
        return min((due_at - now).total_seconds(), job.every)
    mine = jobs.claim(database, job.name, now, turn)
    if mine is None:
        return LOOK_EVERY
    # Where it is asked whether it is wanted, it is due again once it is.
    next_at = _next_time(mine, job, now) if job.is_wanted is None else None
    error: str | None = None
    with jobs.kept(database, mine, clock.now):
        try:
            job.run()
        except Exception as raised:
            error = type(raised).__name__
            soon = now + dt.timedelta(seconds=AGAIN_AFTER)
            next_at = min(next_at or soon, soon)
            raise
        finally:
            _end(database, mine, next_at, error)
    _note(job, "done")
    return max((next_at - clock.now()).total_seconds(), 0.0) if next_at else job.every


def _end(database: Database, mine: Claim, next_at: dt.datetime | None, error: str | None) -> None:
    try:
        with database.transaction() as session:
            jobs.finish(session, mine, clock.now(), next_at, error)
    except ClaimLost:
        # It froze for longer than its lease; another process does it over, without harm.
        log.warning("job_claim_lost", job=mine.kind)


def _next_time(mine: Claim, job: Job, now: dt.datetime) -> dt.datetime:
    """The due time after this one; those that nobody was there for are left out."""
    step = dt.timedelta(seconds=job.every)
    return mine.due_at + step if mine.due_at + step > now else now + step


def _note(job: Job, outcome: str) -> None:
    COUNTS.job(job.name, outcome, clock.now().timestamp())


async def _in_thread(name: str, act: Callable[[], object]) -> None:
    """Run in a thread of its own, which a process that stops need not wait for.

    A job survives being killed at any point, and a mail server that hangs must hold up no stop.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def tell(error: Exception | None) -> None:
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
        except Exception as raised:  # noqa: BLE001 - handed to who awaits the job
            error = raised
        # RuntimeError: the loop is closed; nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, error)

    Thread(target=run, name=f"job-{name}", daemon=True).start()
    await ended
