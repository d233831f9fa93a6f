"""The shared pace: never more calls than allowed in any second, and hardly fewer."""

import asyncio
import time
from collections.abc import Callable
from decimal import Decimal

import pytest
from sqlalchemy import text

from tarazu.brokers import queries
from tarazu.brokers.protocol.port import RateLimited
from tarazu.brokers.rate_limit import SharedRateLimiter
from tarazu.kit.db import Database
from tests.rows_of import run, scalar

pytestmark = [pytest.mark.anyio, pytest.mark.on_both]

ALLOWED = 10
RATE = Decimal("9.5")
SECONDS = 5.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def call_for(seconds: float, paces: list[SharedRateLimiter], callers: int) -> list[float]:
    """When each of the calls was let out that `callers` of each pace wanted to make."""
    loop = asyncio.get_running_loop()
    made: list[float] = []
    ends = loop.time() + seconds

    async def call(pace: SharedRateLimiter) -> None:
        while loop.time() < ends:
            await pace.turn("kite:key", RATE)
            made.append(loop.time())

    await asyncio.gather(*(call(pace) for pace in paces for _ in range(callers)))
    return sorted(made)


def most_in_a_second(made: list[float]) -> int:
    return max(sum(start <= one < start + 1 for one in made) for start in made)


async def test_no_second_holds_more_than_allowed(database: Database) -> None:
    made = await call_for(SECONDS, [SharedRateLimiter(database)], callers=12)

    # How much of the allowance is used depends on the machine: the slots below have no gaps.
    assert len(made) > ALLOWED
    assert most_in_a_second(made) <= ALLOWED


async def test_two_processes_share_one_allowance(database: Database) -> None:
    made = await call_for(
        2.0, [SharedRateLimiter(database), SharedRateLimiter(database)], callers=4
    )

    assert len(made) <= RATE * 2 + 9  # each of the eight has one more under way at the end


async def test_a_slot_that_was_missed_is_given_up(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    pace = SharedRateLimiter(database)
    await pace.turn("line", RATE)
    before = stored(database)
    sleep, late, caller = asyncio.sleep, [0.3], asyncio.current_task()

    async def busy(seconds: float) -> None:
        await sleep(seconds)
        # A thread that an earlier test left may sleep as well.
        if late and asyncio.current_task() is caller:
            time.sleep(late.pop())  # noqa: ASYNC251 - the process is busy past its slot

    monkeypatch.setattr(asyncio, "sleep", busy)
    await pace.turn("line", RATE)

    assert stored(database) >= before + 300_000  # a later slot was used


async def test_slots_are_evenly_spaced_without_gaps_however_many_callers_there_are(
    database: Database,
) -> None:
    interval = 105_263

    def take() -> int:
        with database.transaction() as session:
            wait = queries.reserve_slot(session, "line", interval, 60_000_000)
        assert wait is not None
        return wait

    waits = sorted(await asyncio.gather(*(asyncio.to_thread(take) for _ in range(40))))

    # Each is the wait from a moment a little later than the last: turns are never closer.
    assert waits[-1] <= 39 * interval
    assert waits[-1] >= 39 * interval - 5_000_000
    assert await asyncio.to_thread(take) > waits[-1] - 5_000_000


async def test_lines_do_not_wait_for_each_other(database: Database) -> None:
    pace = SharedRateLimiter(database)
    loop = asyncio.get_running_loop()
    began = loop.time()

    slow = Decimal("0.2")
    await asyncio.gather(*(pace.turn(f"angel:{number}", slow) for number in range(5)))

    assert loop.time() - began < 15  # on one line it would be twenty seconds


async def test_after_a_hold_nothing_goes_out_for_that_long(database: Database) -> None:
    pace = SharedRateLimiter(database)
    loop = asyncio.get_running_loop()
    await pace.turn("line", RATE)
    began = loop.time()

    await pace.hold("line", 0.5)
    await pace.turn("line", RATE)

    assert 0.45 <= loop.time() - began < 15


async def test_a_queue_that_is_too_long_is_refused_and_takes_no_turn(database: Database) -> None:
    pace = SharedRateLimiter(database, longest_wait=0.3)
    await pace.hold("line", 5)
    before = stored(database)

    with pytest.raises(RateLimited) as refused:
        await pace.turn("line", RATE)

    assert refused.value.retry_after == 1
    assert stored(database) == before


async def test_a_long_queue_in_the_process_is_refused_too(database: Database) -> None:
    pace = SharedRateLimiter(database, longest_wait=0.3)

    made = await asyncio.gather(
        *(pace.turn("line", Decimal(5)) for _ in range(8)), return_exceptions=True
    )

    assert made.count(None) < 8
    assert sum(isinstance(one, RateLimited) for one in made) == 8 - made.count(None)


@pytest.mark.parametrize("hours", [1, 24])
async def test_a_clock_set_back_stops_nothing(database: Database, hours: int) -> None:
    pace = SharedRateLimiter(database)
    await pace.turn("line", RATE)
    shift(database, lambda at: at + hours * 3_600_000_000)

    async with asyncio.timeout(5):
        await pace.turn("line", RATE)
        await pace.turn("line", RATE)


async def test_a_clock_set_forward_allows_no_burst(database: Database) -> None:
    pace = SharedRateLimiter(database)
    await pace.turn("line", RATE)
    shift(database, lambda at: at - 86_400_000_000)

    made = await call_for(1.0, [pace], callers=12)

    assert most_in_a_second(made) <= ALLOWED


def stored(database: Database) -> int:
    return int(scalar(database, text("SELECT free_at FROM pace")))


def shift(database: Database, moved: Callable[[int], int]) -> None:
    at = moved(stored(database))
    run(database, text("UPDATE pace SET free_at = :at"), {"at": at})
