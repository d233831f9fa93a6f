"""Short work goes through a lane one by one; what takes long stands in nobody's way."""

import asyncio
import threading
import time

import pytest

from tarazu.kit import concurrency
from tarazu.kit.concurrency import ConcurrencyLimiter

SOON = 20.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "SLOT_TIMEOUT", SOON)


@pytest.mark.usefixtures("patient")
def test_short_work_runs_in_a_thread_one_after_the_other_in_its_order() -> None:
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
        lane = ConcurrencyLimiter(1)
        works = [lane.run(lambda number=number: work(number)) for number in range(20)]  # type: ignore[misc]
        return await asyncio.gather(*works)

    names = asyncio.run(go())

    assert (order, most) == (list(range(20)), 1)
    assert threading.current_thread().name not in names


def test_what_takes_long_lets_the_next_begin() -> None:
    is_over = threading.Event()

    async def go() -> bool:
        lane = ConcurrencyLimiter(1)
        long = asyncio.create_task(lane.run(lambda: is_over.wait(SOON)))
        await asyncio.sleep(0)
        # Each of them waits for its moment alone, however long the first one takes.
        short = [await lane.run(lambda: "short") for _ in range(3)]
        assert (short, long.done()) == (["short"] * 3, False)
        is_over.set()
        return await long

    assert asyncio.run(go())


@pytest.mark.usefixtures("patient")
def test_what_fails_gives_its_place_back() -> None:
    def fail() -> None:
        raise LookupError

    async def go() -> str:
        lane = ConcurrencyLimiter(1)
        with pytest.raises(LookupError):
            await lane.run(fail)
        async with asyncio.timeout(SOON / 2):
            return await lane.run(lambda: "done")

    assert asyncio.run(go()) == "done"


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("is_called", [False, True], ids=["in the line", "as the turn comes"])
def test_who_goes_away_from_the_line_holds_nobody_up(*, is_called: bool) -> None:
    is_over = threading.Event()

    async def go() -> str:
        lane = ConcurrencyLimiter(1)
        first = asyncio.create_task(lane.run(lambda: is_over.wait(SOON)))
        await asyncio.sleep(0)
        leaving = asyncio.create_task(lane.run(lambda: "never"))
        last = asyncio.create_task(lane.run(lambda: "last"))
        await asyncio.sleep(0)
        if is_called:
            lane.call_next()
        leaving.cancel()
        is_over.set()
        await first
        async with asyncio.timeout(SOON / 2):
            assert [await one for one in (last,)] == ["last"]
        return "free" if await lane.run(lambda: True) else ""

    assert asyncio.run(go()) == "free"
