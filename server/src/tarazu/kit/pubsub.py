"""Publish and subscribe between the processes of one installation, over Redis.

A subscriber of a topic receives what any process publishes there, its own included. Without Redis,
or while it is away, messages stay in this process; nothing waits for Redis or fails without it.
What must not be lost is in the database: a message only makes another process look sooner, or
carries what is outdated a moment later.
"""

import hashlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from threading import Condition, Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

import structlog
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from tarazu.kit import signing
from tarazu.kit.db import Database
from tarazu.kit.processes import own_id
from tarazu.kit.settings import Settings

if TYPE_CHECKING:
    from redis import Redis
    from redis.client import PubSub

log = structlog.get_logger()

Act = Callable[[bytes], None]
"""Handles the body of a message, in any thread; must neither block nor raise."""

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
ANSWERED_WITHIN: Final = 0.25
"""Seconds in which Redis must answer; after that it counts as down."""
ASK_EVERY: Final = 1.0
"""Seconds between two pings."""
SILENT_AFTER: Final = 3.0
MOST_WAITING: Final = 256
"""Messages that may wait to be sent; of more, the oldest are dropped."""
SENT_WITHIN: Final = 0.5
"""The longest that `publish` waits until Redis has a message."""


@dataclass(slots=True)
class _Message:
    """A message to be sent."""

    topic: str
    body: bytes
    is_sent: Event = field(default_factory=Event)


class MessageBus:
    """Publish and subscribe by topic.

    Args:
        redis_url: of the Redis between the processes; empty for a process alone.
        installation: separates this installation from others on the same Redis.
        owner: identifies this process; tests pass another one.
    """

    def __init__(
        self, redis_url: str = "", installation: str = "", owner: str | None = None
    ) -> None:
        self.is_shared = bool(redis_url)
        """Whether there may be other processes."""
        self.prefix = f"tarazu:{installation}:"
        mark = hashlib.sha256((owner or own_id()).encode()).digest()[:8]
        self._url, self._mark = redis_url, mark
        self._acts: dict[str, list[Act]] = {}
        self._changes: list[Callable[[bool], None]] = []
        self._waiting: deque[_Message] = deque()
        self._has_messages = Condition()
        self._stopping = Event()
        self._is_up = False
        self._state = Lock()
        self._random = Random()  # noqa: S311 - no secret
        self._threads: list[Thread] = []
        self._counts = {"sent": 0, "heard": 0, "dropped": 0, "lost": 0}
        self._pool: Redis | None = None

    @property
    def is_up(self) -> bool:
        """Whether messages reach the other processes now; never without Redis."""
        return self._is_up

    @property
    def client(self) -> "Redis":
        """The Redis client, with short timeouts; only if `is_shared`."""
        if self._pool is None:
            self._pool = _client(self._url)
        return self._pool

    def subscribe(self, topic: str, act: Act) -> None:
        """Call `act` with every message on a topic; before `start`."""
        self._acts.setdefault(topic, []).append(act)

    def on_change(self, act: Callable[[bool], None]) -> None:
        """Call `act` whenever Redis goes up or down; before `start`."""
        self._changes.append(act)

    def start(self) -> None:
        """Connect to other processes, if there can be any, without waiting for Redis."""
        if self.is_shared and not self._threads:
            self._threads = [
                Thread(target=act, name=f"bus-{act.__name__}", daemon=True)
                for act in (self._receive_loop, self._send_loop)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Send what waits, then stop."""
        deadline = time.monotonic() + SENT_WITHIN
        while self._waiting and self._is_up and time.monotonic() < deadline:
            time.sleep(0.01)
        self._stopping.set()
        with self._has_messages:
            self._has_messages.notify_all()
        for thread in self._threads:
            thread.join(2)
        if self._pool is not None:
            self._pool.close()

    def publish(
        self, topic: str, body: bytes, *, to_others_only: bool = False, wait: bool = False
    ) -> None:
        """Send a message to every process; this one has handled it before the call returns.

        Args:
            topic: what it is about.
            body: JSON, or other bytes.
            to_others_only: leave this process out.
            wait: until Redis has it, half a second at most; not on the event loop.
        """
        if not to_others_only:
            self._deliver(topic, body)
        message = self._enqueue(topic, body)
        if wait and message is not None:
            message.is_sent.wait(SENT_WITHIN)

    def lose(self, reason: str) -> None:
        """Note that Redis did not answer; it is tried again until it does."""
        self._set_state(is_up=False, reason=reason)

    def metrics(self) -> list[Metric]:
        """For Prometheus; none without Redis."""
        if not self.is_shared:
            return []
        messages = CounterMetricFamily(
            "tarazu_bus_words", "Messages between processes.", labels=["words"]
        )
        for name, count in self._counts.items():
            messages.add_metric([name], count)
        return [GaugeMetricFamily("tarazu_bus_up", "Whether Redis answers.", self._is_up), messages]

    def _enqueue(self, topic: str, body: bytes) -> _Message | None:
        if not self._is_up:
            return None
        message = _Message(topic, body)
        with self._has_messages:
            if len(self._waiting) >= MOST_WAITING:
                self._waiting.popleft().is_sent.set()
                self._counts["dropped"] += 1
            self._waiting.append(message)
            self._has_messages.notify()
        return message

    def _deliver(self, topic: str, body: bytes) -> None:
        for act in self._acts.get(topic, ()):
            act(body)

    def _send_loop(self) -> None:
        """Send the messages in their order."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - only where there is a Redis

        while not self._stopping.is_set():
            with self._has_messages:
                while not self._waiting and not self._stopping.is_set():
                    self._has_messages.wait()
                if self._stopping.is_set():
                    break
                message = self._waiting.popleft()
            try:
                self.client.publish(self.prefix + message.topic, self._mark + message.body)
                self._counts["sent"] += 1
            except (RedisError, OSError) as error:
                self._counts["lost"] += 1
                self.lose(type(error).__name__)
            finally:
                message.is_sent.set()

    def _receive_loop(self) -> None:
        """Receive the messages of other processes; reconnect whenever Redis is back."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        wait = FIRST_WAIT
        while not self._stopping.is_set():
            try:
                with self.client.pubsub() as subscription:  # type: ignore[no-untyped-call]
                    # A process that only publishes has no topic, and Redis needs one to listen.
                    if self._acts:
                        subscription.subscribe(*(self.prefix + topic for topic in self._acts))
                    for _ in self._acts:
                        subscription.get_message(timeout=SILENT_AFTER)
                    # It must also answer calls in time.
                    self.client.ping()
                    self._set_state(is_up=True)
                    wait = FIRST_WAIT
                    if self._acts:
                        self._receive(subscription)
                    else:
                        self._watch()
            except (RedisError, OSError) as error:
                self.lose(type(error).__name__)
            # Random, so that the processes do not all reconnect at the same moment.
            self._stopping.wait(wait * self._random.uniform(0.5, 1))
            wait = min(2 * wait, LONGEST_WAIT)
        self.lose("stopped")

    def _receive(self, subscription: "PubSub") -> None:
        """Receive messages until Redis is silent or down."""
        asked_at = heard_at = time.monotonic()
        while not self._stopping.is_set() and self._is_up:
            message = subscription.get_message(timeout=ASK_EVERY / 2)
            now = time.monotonic()
            if message is not None:
                heard_at = now
                self._take(message)
            if now - heard_at > SILENT_AFTER:
                self.lose("silent")
            elif now - asked_at > ASK_EVERY:
                asked_at = now
                subscription.ping()

    def _watch(self) -> None:
        """Ping Redis until it is down."""
        while self._is_up and not self._stopping.wait(ASK_EVERY):
            self.client.ping()

    def _take(self, message: dict[str, Any]) -> None:
        body = message["data"]
        if message["type"] != "message" or body.startswith(self._mark):
            return
        self._counts["heard"] += 1
        topic = message["channel"].decode().removeprefix(self.prefix)
        try:
            self._deliver(topic, body[len(self._mark) :])
        except Exception as error:
            # Perhaps of another version: one bad message must not end the loop.
            log.exception("bus_word_failed", topic=topic, error=type(error).__name__)

    def _set_state(self, *, is_up: bool, reason: str = "") -> None:
        """Note that Redis went up or down, once, and call those who subscribed to it."""
        with self._state:
            if self._is_up == is_up:
                return
            self._is_up = is_up
        if not is_up:
            self._drop_waiting()
        if is_up:
            log.info("bus_up")
        elif not self._stopping.is_set():
            log.warning("bus_down", reason=reason)
        for act in self._changes:
            act(is_up)

    def _drop_waiting(self) -> None:
        """Drop the messages that wait: later they would be outdated."""
        with self._has_messages:
            self._counts["lost"] += len(self._waiting)
            while self._waiting:
                self._waiting.popleft().is_sent.set()


def pubsub_of(settings: Settings, database: Database) -> MessageBus:
    """The message bus of a process, not started yet."""
    if not settings.redis_url:
        return MessageBus()
    with database.reading() as session:
        oldest = next(iter(signing.public_keys(session)), "")
    # A copy of the database, as for a trial, must not receive messages of the original.
    identity = f"{oldest}/{database.engine.url.database}"
    return MessageBus(settings.redis_url, hashlib.sha256(identity.encode()).hexdigest()[:16])


def _client(url: str) -> "Redis":
    from redis import Redis  # noqa: PLC0415 - an optional dependency
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.retry import Retry  # noqa: PLC0415

    return Redis.from_url(
        url,
        socket_timeout=ANSWERED_WITHIN,
        socket_connect_timeout=ANSWERED_WITHIN,
        retry=Retry(NoBackoff(), 0),
        max_connections=64,
    )
