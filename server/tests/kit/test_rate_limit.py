"""Limits: exact over any stretch of time, whatever the clock does."""

import asyncio
from decimal import Decimal

import pytest

from tarazu.kit import rate_limit
from tarazu.kit.rate_limit import Limit, Limiter, TooManyAttempts


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def test_so_many_within_any_stretch(seconds: Seconds) -> None:
    limiter, limit = Limiter(Decimal(1), seconds), Limit(3, 60)
    for at in (0, 50, 55):
        seconds.now = at
        limiter.take("here", limit)
    seconds.now = 58.5

    with pytest.raises(TooManyAttempts) as refusal:
        limiter.take("here", limit)
    assert refusal.value.message == "Too many attempts. Try again in 2 seconds."
    assert refusal.value.retry_after == 2
    limiter.take("elsewhere", limit)
    seconds.now = 60
    limiter.take("here", limit)
    with pytest.raises(TooManyAttempts):
        limiter.take("here", limit)


def test_of_two_limits_the_longer_wait_counts_and_a_refusal_costs_nothing(
    seconds: Seconds,
) -> None:
    limiter, both = Limiter(Decimal(1), seconds), (Limit(4, 60), Limit(2, 1))
    limiter.take("here", *both)
    limiter.take("here", *both)
    with pytest.raises(TooManyAttempts):
        limiter.take("here", *both)
    seconds.now = 1
    limiter.take("here", *both)
    limiter.take("here", *both)
    seconds.now = 2
    with pytest.raises(TooManyAttempts) as refusal:
        limiter.take("here", *both)
    assert refusal.value.retry_after == 58


def test_what_is_checked_is_not_counted(seconds: Seconds) -> None:
    limiter, limit = Limiter(Decimal(1), seconds), Limit(1, 60)
    limiter.check("here", limit)
    limiter.check("here", limit)
    limiter.count("here", limit)
    with pytest.raises(TooManyAttempts):
        limiter.check("here", limit)


@pytest.mark.parametrize(("scale", "most"), [("0.001", 1), ("1", 30), ("2.5", 75)])
def test_the_scale_multiplies(scale: str, most: int) -> None:
    assert Limiter(Decimal(scale)).scaled(30) == most


def test_what_is_past_is_forgotten(seconds: Seconds) -> None:
    limiter, limit = Limiter(Decimal(1), seconds), Limit(3, 60)
    for number in range(rate_limit.SWEEP_EVERY - 1):
        limiter.take(f"place {number}", limit)
    seconds.now = 61
    limiter.take("here", limit)

    assert len(limiter._times) == 1


@pytest.mark.anyio
async def test_callers_go_in_order_and_one_that_leaves_holds_up_nobody() -> None:
    limiter, done = Limiter(Decimal(1)), []

    async def go(name: str) -> None:
        async with limiter.one_by_one("here"):
            await asyncio.sleep(0.01)
            done.append(name)

    async with limiter.one_by_one("here"):
        first, second, third = (asyncio.create_task(go(name)) for name in "abc")
        await asyncio.sleep(0.01)
        second.cancel()
        async with limiter.one_by_one("elsewhere"):
            assert done == []
    await asyncio.gather(first, third)

    assert done == ["a", "c"]
    assert not limiter._lines


@pytest.mark.anyio
async def test_a_slot_granted_to_a_caller_that_leaves_is_passed_on() -> None:
    limiter = Limiter(Decimal(1))
    held = limiter.one_by_one("here")
    await held.__aenter__()

    async def go() -> str:
        async with limiter.one_by_one("here"):
            return "went"

    leaving, staying = asyncio.create_task(go()), asyncio.create_task(go())
    await asyncio.sleep(0.01)
    await held.__aexit__(None, None, None)
    leaving.cancel()

    assert await asyncio.wait_for(staying, 1) == "went"
    assert not limiter._lines


@pytest.mark.anyio
async def test_a_queue_has_a_limit() -> None:
    limiter = Limiter(Decimal(1))

    async def go() -> None:
        async with limiter.one_by_one("here"):
            pass

    async with limiter.one_by_one("here"):
        waiting = [asyncio.create_task(go()) for _ in range(rate_limit.MOST_IN_LINE)]
        await asyncio.sleep(0.01)
        with pytest.raises(TooManyAttempts):
            await go()
    await asyncio.gather(*waiting)
    assert not limiter._lines
