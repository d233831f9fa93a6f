"""Timed work: each job runs in a thread, every so many seconds, one run at a time."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

log = structlog.get_logger()


@dataclass(slots=True)
class Job:
    """A job can be run twice without harm, and survives being killed at any point."""

    name: str
    every: float
    run: Callable[[], object]
    last_at_stop: bool = False


@dataclass(slots=True)
class Schedule:
    jobs: list[Job]
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _wake: dict[str, asyncio.Event] = field(default_factory=dict)
    _running: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self) -> None:
        """Begin to run every job, the first time at once."""
        for job in self.jobs:
            self._wake[job.name] = asyncio.Event()
            self._tasks.append(asyncio.create_task(self._repeat(job), name=job.name))

    def hurry(self, name: str) -> None:
        """Run a job now rather than at its next time; call it on the event loop."""
        if name in self._wake:
            self._wake[name].set()

    async def stop(self) -> None:
        """Let the runs under way end, then run those that close the books."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._running, return_exceptions=True)
        for job in self.jobs:
            if job.last_at_stop:
                await _attempt(job)

    async def _repeat(self, job: Job) -> None:
        wake = self._wake[job.name]
        while True:
            # Shielded, so that a stop never leaves a run half way in its thread.
            run = asyncio.create_task(_attempt(job))
            self._running.add(run)
            run.add_done_callback(self._running.discard)
            await asyncio.shield(run)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(wake.wait(), job.every)
            wake.clear()


async def _attempt(job: Job) -> None:
    try:
        await asyncio.to_thread(job.run)
    except Exception as error:
        # Logged, not raised: the job runs again at its next time.
        log.exception("job_failed", job=job.name, error=type(error).__name__)
