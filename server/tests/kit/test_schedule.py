"""Timed work."""

import asyncio
import threading
import time

import pytest

from tarazu.kit import schedule as schedule_module
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


async def test_the_first_runs_come_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule_module, "LONGEST_START", 60)
    under_way, seen, lock = [0], list[int](), threading.Lock()

    def work() -> None:
        with lock:
            under_way[0] += 1
            seen.append(under_way[0])
        time.sleep(0.01)
        with lock:
            under_way[0] -= 1

    schedule = Schedule([Job(f"work {number}", 60, work) for number in range(5)])
    schedule.start()
    await until(lambda: len(seen) == 5)
    await schedule.stop()

    assert seen == [1] * 5


async def test_a_long_first_run_does_not_hold_up_the_others() -> None:
    go_on, done = threading.Event(), threading.Event()
    schedule = Schedule([Job("long", 60, go_on.wait), Job("short", 60, done.set)])
    schedule.start()
    was_done = await asyncio.to_thread(done.wait, 60)
    go_on.set()
    await schedule.stop()

    assert was_done
