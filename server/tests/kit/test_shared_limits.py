"""Limits that several processes count together in Redis, and what happens without it."""

import threading
import time
from collections.abc import Iterator
from decimal import Decimal

import pytest
from redis import Redis

from tarazu.kit.pubsub import MessageBus
from tarazu.kit.rate_limit import InRedis, Limit, Limiter, TooManyAttempts
from tests.kit.test_pubsub import running, until
from tests.redis_of import OwnRedis, answered_within, redis

__all__ = ["answered_within", "redis"]

ONE = Decimal(1)


@pytest.fixture
def buses(redis: OwnRedis) -> Iterator[tuple[MessageBus, MessageBus]]:
    with running(redis, "here", "there") as (here, there):
        yield here, there


@pytest.fixture
def pair(buses: tuple[MessageBus, MessageBus]) -> tuple[Limiter, Limiter]:
    """The limiters of two processes."""
    here, there = buses
    return Limiter(ONE, shared=InRedis(here)), Limiter(ONE, shared=InRedis(there))


def takes(limiter: Limiter, times: int, key: str, *limits: Limit) -> int:
    """How many of so many attempts were allowed."""
    allowed = 0
    for _ in range(times):
        try:
            limiter.take(key, *limits)
        except TooManyAttempts:
            continue
        allowed += 1
    return allowed


def test_two_processes_count_together(pair: tuple[Limiter, Limiter]) -> None:
    here, there = pair
    limit = Limit(10, 60)

    assert takes(here, 6, "door", limit) == 6
    assert takes(there, 6, "door", limit) == 4
    with pytest.raises(TooManyAttempts) as refusal:
        here.take("door", limit)
    assert 58 <= (refusal.value.retry_after or 0) <= 60
    assert takes(there, 1, "another door", limit) == 1


def test_of_two_limits_the_longer_wait_counts_and_a_refusal_costs_nothing(
    pair: tuple[Limiter, Limiter],
) -> None:
    here, there = pair
    both = Limit(4, 60), Limit(2, 2)
    assert takes(here, 1, "door", *both) == 1
    assert takes(there, 9, "door", *both) == 1
    time.sleep(2.1)
    assert takes(here, 9, "door", *both) == 2
    time.sleep(2.1)
    with pytest.raises(TooManyAttempts) as refusal:
        there.take("door", *both)

    assert (refusal.value.retry_after or 0) > 50


def test_what_is_checked_is_not_counted_and_what_is_counted_counts_everywhere(
    pair: tuple[Limiter, Limiter],
) -> None:
    here, there = pair
    limit = Limit(2, 60)
    for _ in range(5):
        there.check("door", limit)
    here.count("door", limit)
    there.check("door", limit)
    for _ in range(4):
        here.count("door", limit)

    with pytest.raises(TooManyAttempts):
        there.check("door", limit)


def test_many_at_once_never_pass_the_limit(pair: tuple[Limiter, Limiter]) -> None:
    limit, allowed = Limit(25, 60), []
    threads = [
        threading.Thread(target=lambda one=one: allowed.append(takes(one, 10, "door", limit)))
        for one in pair * 4
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(allowed) == 25


def test_what_is_past_is_forgotten_by_redis_itself(
    redis: OwnRedis, pair: tuple[Limiter, Limiter]
) -> None:
    takes(pair[0], 3, "door", Limit(5, 2))
    with Redis.from_url(redis.url) as asked:
        assert len(asked.keys("*")) == 1
        until(lambda: not asked.keys("*"))


def test_times_of_a_clock_that_was_set_back_shut_nobody_out(
    redis: OwnRedis, pair: tuple[Limiter, Limiter]
) -> None:
    limit = Limit(2, 60)
    takes(pair[0], 2, "door", limit)
    with Redis.from_url(redis.url) as asked:
        (key,) = asked.keys("*")
        seconds, microseconds = asked.time()
        later = (seconds + 3600) * 1_000_000 + microseconds
        asked.delete(key)
        asked.rpush(key, later, later)

    assert takes(pair[1], 3, "door", limit) == 2


@pytest.mark.parametrize("answered_within", [2.0])
@pytest.mark.parametrize("ending", ["killed", "frozen"])
def test_without_redis_a_process_goes_on_with_what_it_saw_itself(
    redis: OwnRedis,
    buses: tuple[MessageBus, MessageBus],
    pair: tuple[Limiter, Limiter],
    ending: str,
    answered_within: float,
) -> None:
    here, there = pair
    limit = Limit(6, 60)
    takes(here, 4, "door", limit)
    if ending == "killed":
        redis.kill()
        began = time.monotonic()
        allowed = takes(here, 5, "door", limit), takes(there, 9, "door", limit)
    else:
        with redis.frozen():
            began = time.monotonic()
            allowed = takes(here, 5, "door", limit), takes(there, 9, "door", limit)
    took = time.monotonic() - began

    # Never unlimited, and never again what was used already.
    assert allowed == (2, 6)
    # Only the first to find out waits; if each of the 14 did, it would take longer.
    assert took < 14 * answered_within


def test_counts_are_shared_again_once_redis_is_back(
    redis: OwnRedis, buses: tuple[MessageBus, MessageBus], pair: tuple[Limiter, Limiter]
) -> None:
    limit = Limit(4, 60)
    redis.kill()
    until(lambda: not buses[0].is_up and not buses[1].is_up)
    takes(pair[0], 1, "door", limit)
    redis.start()
    until(lambda: buses[0].is_up and buses[1].is_up)

    assert takes(pair[0], 2, "door", limit) == 2
    assert takes(pair[1], 9, "door", limit) == 2


def test_a_redis_that_will_not_count_makes_no_fault(
    redis: OwnRedis, buses: tuple[MessageBus, MessageBus], pair: tuple[Limiter, Limiter]
) -> None:
    with Redis.from_url(redis.url) as asked:
        asked.config_set("maxmemory", "1")
        asked.config_set("maxmemory-policy", "noeviction")

    assert takes(pair[0], 9, "door", Limit(5, 60)) == 5
    assert buses[0].is_up
