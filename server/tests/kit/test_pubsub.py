"""Words between processes: heard here at once, by others over Redis, and lost without harm."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from redis import Redis

from tarazu.kit import pubsub as buses
from tarazu.kit.metrics import text_of
from tarazu.kit.pubsub import MessageBus
from tests.redis_of import OwnRedis, answered_within, redis

__all__ = ["answered_within", "redis"]


def until(there: Callable[[], object], seconds: float = 120) -> float:
    """Wait until something is so; how long it took."""
    began = time.monotonic()
    while not there():
        assert time.monotonic() - began < seconds, f"not within {seconds} s"
        time.sleep(0.005)
    return time.monotonic() - began


@contextmanager
def running(server: OwnRedis, *names: str, installation: str = "one") -> Iterator[list[MessageBus]]:
    """A bus for each name, as so many processes have it, and all of them up."""
    made = [MessageBus(server.url, installation, name) for name in names]
    try:
        for one in made:
            one.subscribe("news", lambda _: None)
            one.start()
        until(lambda: all(one.is_up for one in made))
        yield made
    finally:
        for one in made:
            one.stop()


def heard_by(one: MessageBus, topic: str = "news") -> list[bytes]:
    heard: list[bytes] = []
    one.subscribe(topic, heard.append)
    return heard


def test_without_redis_a_message_is_received_before_the_call_returns() -> None:
    alone = MessageBus()
    news, other = heard_by(alone), heard_by(alone, "other")
    alone.start()

    alone.publish("news", b"first")
    alone.publish("news", b"second", wait=True)
    alone.publish("news", b"not for me", to_others_only=True)

    assert (news, other) == ([b"first", b"second"], [])
    assert not alone.is_up
    assert alone.metrics() == []
    alone.stop()


def test_every_process_receives_each_message_once_and_in_order(redis: OwnRedis) -> None:
    with running(redis, "a", "b") as (one, two):
        here, there = heard_by(one), heard_by(two)
        words = [str(number).encode() + b"\x00\xff" for number in range(200)]
        for word in words:
            one.publish("news", word)
        assert here == words
        until(lambda: len(there) == len(words))
        time.sleep(0.1)

        assert (here, there) == (words, words)


def test_a_publisher_without_topics_does_not_poll(redis: OwnRedis) -> None:
    turns: list[bool] = []
    mute = MessageBus(redis.url, "one", "mute")
    mute.on_change(turns.append)
    with running(redis, "b") as (two,), Redis.from_url(redis.url) as eye:
        there = heard_by(two)
        mute.start()
        until(lambda: mute.is_up)
        before = eye.info("stats")["total_commands_processed"]
        time.sleep(1.5)
        asked = eye.info("stats")["total_commands_processed"] - before
        mute.publish("news", b"a word", wait=True)
        until(lambda: there == [b"a word"])

        # Each of the two asks once a second whether Redis is there; the rest is our own question.
        assert asked <= 6
        assert turns == [True]
        redis.kill()
        until(lambda: turns == [True, False])
        redis.start()
        until(lambda: mute.is_up)
        mute.stop()


def test_a_published_message_is_in_redis_when_the_call_returns(
    redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buses, "SENT_WITHIN", 30.0)
    with running(redis, "a", "b") as (one, two), Redis.from_url(redis.url) as eye:
        there = heard_by(two)
        one.publish("news", b"now", wait=True)

        assert eye.info("commandstats")["cmdstat_publish"]["calls"] == 1
        until(lambda: there == [b"now"])


def test_two_installations_on_one_redis_do_not_share_messages(redis: OwnRedis) -> None:
    with (
        running(redis, "a", installation="one") as (one,),
        running(redis, "b", "c", installation="two") as (two, three),
    ):
        mine, foreign = heard_by(three), heard_by(one)
        two.publish("news", b"of two", wait=True)
        until(lambda: mine == [b"of two"])

        assert foreign == []


def test_an_unreadable_message_does_not_end_the_receive_loop(
    redis: OwnRedis,
) -> None:
    def stumble(body: bytes) -> None:
        if body == b"strange":
            raise ValueError

    with running(redis, "a", "b") as (one, two):
        two.subscribe("news", stumble)
        there = heard_by(two)
        one.publish("news", b"strange", wait=True)
        one.publish("news", b"plain", wait=True)
        until(lambda: there == [b"plain"])

        assert two.is_up


@pytest.mark.parametrize("ending", ["killed", "frozen"])
def test_without_redis_messages_stay_in_the_process_until_it_is_back(
    redis: OwnRedis,
    answered_within: float,
    ending: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(buses, "SENT_WITHIN", answered_within)
    with running(redis, "a", "b") as (one, two):
        turns: list[bool] = []
        one.on_change(turns.append)
        here, there = heard_by(one), heard_by(two)
        if ending == "killed":
            redis.kill()
            noticed = until(lambda: not one.is_up and not two.is_up)
            one.publish("news", b"lost")
            redis.start()
        else:
            with redis.frozen():
                noticed = until(lambda: not one.is_up and not two.is_up)
                began = time.monotonic()
                one.publish("news", b"lost", wait=True)
                # Where it is known that nobody answers, nobody is waited for.
                assert time.monotonic() - began < buses.SENT_WITHIN
        until(lambda: one.is_up and two.is_up)
        one.publish("news", b"after", wait=True)
        until(lambda: b"after" in there)

        assert noticed < answered_within
        assert here == [b"lost", b"after"]
        assert there == [b"after"]
        assert turns == [False, True]
        log = capsys.readouterr()
        assert (log.out + log.err).count("bus_down") == 2
        assert (log.out + log.err).count("bus_up") == 2 + 2


def test_a_redis_that_hangs_does_not_hold_a_caller_up_until_it_is_noticed(
    redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buses, "SILENT_AFTER", 60.0)
    with running(redis, "a") as (one,), redis.frozen():
        one.publish("news", b"into the void", wait=True)

        assert one.is_up


def test_of_too_many_messages_the_oldest_are_dropped(redis: OwnRedis) -> None:
    with running(redis, "a", "b") as (one, two):
        there = heard_by(two)
        with redis.frozen():
            for number in range(3 * buses.MOST_WAITING):
                one.publish("news", str(number).encode())
            assert len(one._waiting) <= buses.MOST_WAITING
            until(lambda: not one.is_up)
            assert not one._waiting
        until(lambda: one.is_up and two.is_up)
        one.publish("news", b"last", wait=True)
        until(lambda: b"last" in there)

        (line,) = [
            line for line in text_of(one.metrics()).splitlines() if 'words="dropped"' in line
        ]
        assert float(line.split()[-1]) >= buses.MOST_WAITING
