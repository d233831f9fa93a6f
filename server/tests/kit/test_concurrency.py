"""Short work runs one at a time; slow work does not hold up the rest."""

import asyncio
import threading
import time

import pytest

from tarazu.kit.concurrency import ConcurrencyLimiter

SOON = 20.0


def test_short_work_runs_in_a_thread_one_at_a_time_and_in_order() -> None:
    order, at_work, most = list[int](), 0, 0

    def work(number: int) -> str:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        time.sleep(0.001)
        order.append(number)
        at_work -= 1
        return threading.current_thread().name

    async def go() -> list[str]:
        limiter = ConcurrencyLimiter(1, SOON)
        works = [limiter.run(lambda number=number: work(number)) for number in range(20)]  # type: ignore[misc]
        return await asyncio.gather(*works)

    names = asyncio.run(go())

    assert (order, most) == (list(range(20)), 1)
    assert threading.current_thread().name not in names


def test_slow_work_lets_the_next_start() -> None:
    is_over = threading.Event()

    async def go() -> bool:
        limiter = ConcurrencyLimiter(1)
        long = asyncio.create_task(limiter.run(lambda: is_over.wait(SOON)))
        await asyncio.sleep(0)
        short = [await limiter.run(lambda: "short") for _ in range(3)]
        assert (short, long.done()) == (["short"] * 3, False)
        is_over.set()
        return await long

    assert asyncio.run(go())


def test_failed_work_releases_its_slot() -> None:
    def fail() -> None:
        raise LookupError

    async def go() -> str:
        limiter = ConcurrencyLimiter(1, SOON)
        with pytest.raises(LookupError):
            await limiter.run(fail)
        async with asyncio.timeout(SOON / 2):
            return await limiter.run(lambda: "done")

    assert asyncio.run(go()) == "done"


@pytest.mark.parametrize("is_called", [False, True], ids=["while waiting", "with the slot"])
def test_cancelled_work_does_not_hold_up_the_rest(*, is_called: bool) -> None:
    is_over = threading.Event()

    async def go() -> str:
        limiter = ConcurrencyLimiter(1, SOON)
        first = asyncio.create_task(limiter.run(lambda: is_over.wait(SOON)))
        await asyncio.sleep(0)
        leaving = asyncio.create_task(limiter.run(lambda: "never"))
        last = asyncio.create_task(limiter.run(lambda: "last"))
        await asyncio.sleep(0)
        if is_called:
            limiter.release()
        leaving.cancel()
        is_over.set()
        await first
        async with asyncio.timeout(SOON / 2):
            assert await last == "last"
        return "free" if await limiter.run(lambda: True) else ""

    assert asyncio.run(go()) == "free"
