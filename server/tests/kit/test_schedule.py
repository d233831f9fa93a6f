"""Timed work."""

import asyncio
import threading

import pytest

from tarazu.kit.schedule import Job, Schedule
from tests.brokers.conftest import until

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_a_stop_waits_for_the_run_under_way_and_closes_the_books() -> None:
    began, go_on, done = threading.Event(), threading.Event(), []

    def work() -> None:
        began.set()
        go_on.wait(5)
        done.append("work")

    schedule = Schedule(
        [Job("work", 60, work), Job("books", 60, lambda: done.append("books"), runs_at_stop=True)]
    )
    schedule.start()
    await asyncio.to_thread(began.wait, 5)
    done.clear()
    stopping = asyncio.create_task(schedule.stop())
    await asyncio.sleep(0.05)
    was_waiting = not stopping.done()
    go_on.set()
    await stopping

    assert was_waiting
    # The first run of the books may still have come before the stop.
    assert done[-2:] == ["work", "books"]


async def test_a_job_that_fails_runs_again_when_hurried() -> None:
    runs: list[int] = []

    def fail() -> None:
        runs.append(1)
        raise ZeroDivisionError

    schedule = Schedule([Job("fail", 60, fail)])
    schedule.start()
    await until(lambda: len(runs) == 1)
    schedule.wake("fail")
    await until(lambda: len(runs) == 2)
    await schedule.stop()

    assert len(runs) == 2
