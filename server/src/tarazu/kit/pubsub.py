"""Words between the processes of one installation, by topic: in this process, and over Redis.

Whoever subscribes to a topic hears what is published there by any process, its own included.
Without Redis, or while it is away, the words go round in this process alone; nothing waits for
Redis, and nothing fails for the want of it. What must not be lost is in the database: a word on
the bus only makes another process look sooner, or carries what is worthless a moment later.
"""

import hashlib
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

import structlog

from tarazu.kit import signing
from tarazu.kit.db import Database
from tarazu.kit.metrics import Labels, family
from tarazu.kit.processes import OWNER
from tarazu.kit.settings import Settings

if TYPE_CHECKING:
    from redis import Redis
    from redis.client import PubSub

log = structlog.get_logger()

Act = Callable[[bytes], None]
"""Takes the body of a word, in whichever thread it comes; must neither wait nor raise."""

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 5.0
ANSWERED_WITHIN: Final = 0.25
"""Seconds in which Redis must answer; after that it counts as away."""
ASK_EVERY: Final = 1.0
"""Seconds between two questions whether Redis still listens."""
SILENT_AFTER: Final = 3.0
MOST_WAITING: Final = 256
"""Words that may wait to be sent; of more, the oldest are dropped."""
HEARD_WITHIN: Final = 0.5
"""The longest that `announce` waits until Redis has a word."""


@dataclass(slots=True)
class _Message:
    """A word to be sent."""

    topic: str
    body: bytes
    is_sent: Event = field(default_factory=Event)


class MessageBus:
    """Publish and subscribe by topic.

    Args:
        redis_url: of the Redis between the processes; empty for a process alone.
        installation: tells the words of this installation from another's on the same Redis.
        owner: the mark of this process; another one in tests.
    """

    def __init__(self, redis_url: str = "", installation: str = "", owner: str = OWNER) -> None:
        self.is_shared = bool(redis_url)
        """Whether there may be other processes."""
        self.prefix = f"tarazu:{installation}:"
        self._url, self._mark = redis_url, hashlib.sha256(owner.encode()).digest()[:8]
        self._acts: dict[str, list[Act]] = {}
        self._changes: list[Callable[[bool], None]] = []
        self._waiting: deque[_Message] = deque()
        self._has_words = Condition()
        self._stopping = Event()
        self._is_up = False
        self._state = Lock()
        self._threads: list[Thread] = []
        self._counts = {"sent": 0, "heard": 0, "dropped": 0, "lost": 0}
        self._pool: Redis | None = None

    @property
    def is_up(self) -> bool:
        """Whether words reach the other processes at this moment; never without Redis."""
        return self._is_up

    @property
    def client(self) -> "Redis":
        """The way to Redis, with short patience; only where `is_shared`."""
        if self._pool is None:
            self._pool = _client(self._url)
        return self._pool

    def subscribe(self, topic: str, act: Act) -> None:
        """Have `act` take every word on a topic; before `start`."""
        self._acts.setdefault(topic, []).append(act)

    def on_change(self, act: Callable[[bool], None]) -> None:
        """Have `act` be told whenever Redis comes back or goes away; before `start`."""
        self._changes.append(act)

    def start(self) -> None:
        """Begin to speak to other processes, if there can be any. No start waits for Redis."""
        if self.is_shared and not self._threads:
            self._threads = [
                Thread(target=act, name=f"bus-{act.__name__}", daemon=True)
                for act in (self._listen, self._speak)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Send what waits, and speak no more."""
        deadline = time.monotonic() + HEARD_WITHIN
        while self._waiting and self._is_up and time.monotonic() < deadline:
            time.sleep(0.01)
        self._stopping.set()
        with self._has_words:
            self._has_words.notify_all()
        for thread in self._threads:
            thread.join(2)
        if self._pool is not None:
            self._pool.close()

    def publish(self, topic: str, body: bytes, *, to_others_only: bool = False) -> None:
        """Say a word to every process; this one hears it before the call returns.

        Args:
            topic: what it is about.
            body: JSON, or ready bytes.
            to_others_only: leaves this process out.
        """
        if not to_others_only:
            self._deliver(topic, body)
        self._say(topic, body)

    def announce(self, topic: str, body: bytes) -> None:
        """The same, and wait until Redis has it; half a second at most, not at all while it is away.

        Not for the event loop.
        """
        self._deliver(topic, body)
        word = self._say(topic, body)
        if word is not None:
            word.is_sent.wait(HEARD_WITHIN)

    def lose(self, reason: str) -> None:
        """Take note that Redis did not answer; it is looked for until it is back."""
        self._turn(is_up=False, reason=reason)

    def lines(self) -> list[str]:
        """As Prometheus reads it; nothing without Redis."""
        if not self.is_shared:
            return []
        counts: dict[Labels, float] = {
            (("words", name),): count for name, count in self._counts.items()
        }
        return [
            *family("tarazu_bus_up", "gauge", "Whether Redis answers.", int(self._is_up)),
            *family("tarazu_bus_words_total", "counter", "Words between processes.", counts),
        ]

    def _say(self, topic: str, body: bytes) -> _Message | None:
        if not self._is_up:
            return None
        word = _Message(topic, body)
        with self._has_words:
            if len(self._waiting) >= MOST_WAITING:
                self._waiting.popleft().is_sent.set()
                self._counts["dropped"] += 1
            self._waiting.append(word)
            self._has_words.notify()
        return word

    def _deliver(self, topic: str, body: bytes) -> None:
        for act in self._acts.get(topic, ()):
            act(body)

    def _speak(self) -> None:
        """Send the words in their order, one after the other."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - only where there is a Redis

        while not self._stopping.is_set():
            with self._has_words:
                while not self._waiting and not self._stopping.is_set():
                    self._has_words.wait()
                if self._stopping.is_set():
                    break
                word = self._waiting.popleft()
            try:
                self.client.publish(self.prefix + word.topic, self._mark + word.body)
                self._counts["sent"] += 1
            except (RedisError, OSError) as error:
                self._counts["lost"] += 1
                self.lose(type(error).__name__)
            finally:
                word.is_sent.set()

    def _listen(self) -> None:
        """Hear the words of others, and come back by itself whenever Redis does."""
        from redis.exceptions import RedisError  # noqa: PLC0415 - as above

        wait = FIRST_WAIT
        while not self._stopping.is_set():
            try:
                with self.client.pubsub() as ear:  # type: ignore[no-untyped-call]
                    # Who only speaks has no topic, and Redis takes no listener without one.
                    if self._acts:
                        ear.subscribe(*(self.prefix + topic for topic in self._acts))
                    for _ in self._acts:
                        ear.get_message(timeout=SILENT_AFTER)
                    # One that only listens, or answers too slowly for a call, is of no use yet.
                    self.client.ping()
                    self._turn(is_up=True)
                    wait = FIRST_WAIT
                    if self._acts:
                        self._hear(ear)
                    else:
                        self._watch()
            except (RedisError, OSError) as error:
                self.lose(type(error).__name__)
            # Spread, so that the processes do not all come at the same moment.
            self._stopping.wait(wait * random.uniform(0.5, 1))  # noqa: S311 - no secret
            wait = min(2 * wait, LONGEST_WAIT)
        self.lose("stopped")

    def _hear(self, ear: "PubSub") -> None:
        """Take in words until Redis is silent, or is known to be away."""
        asked_at = heard_at = time.monotonic()
        while not self._stopping.is_set() and self._is_up:
            message = ear.get_message(timeout=ASK_EVERY / 2)
            now = time.monotonic()
            if message is not None:
                heard_at = now
                self._take(message)
            if now - heard_at > SILENT_AFTER:
                self.lose("silent")
            elif now - asked_at > ASK_EVERY:
                asked_at = now
                ear.ping()

    def _watch(self) -> None:
        """Ask now and then whether Redis is there, until it is known to be away."""
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
            # Of another version, perhaps: one word that nobody understands must not end hearing.
            log.exception("bus_word_failed", topic=topic, error=type(error).__name__)

    def _turn(self, *, is_up: bool, reason: str = "") -> None:
        """Note a change of state, once, and tell those who want to know."""
        with self._state:
            if self._is_up == is_up:
                return
            self._is_up = is_up
        if not is_up:
            self._let_go()
        if is_up:
            log.info("bus_up")
        elif not self._stopping.is_set():
            log.warning("bus_down", reason=reason)
        for act in self._changes:
            act(is_up)

    def _let_go(self) -> None:
        """Drop the words that wait: later they would be of no worth."""
        with self._has_words:
            self._counts["lost"] += len(self._waiting)
            while self._waiting:
                self._waiting.popleft().is_sent.set()


def pubsub_of(settings: Settings, database: Database) -> MessageBus:
    """The bus of an installation's process, not started yet."""
    if not settings.redis_url:
        return MessageBus()
    with database.reading() as session:
        oldest = next(iter(signing.public_keys(session)), "")
    # A copy of the database, as for trials, must not hear the words of the original.
    told = f"{oldest}/{database.engine.url.database}"
    return MessageBus(settings.redis_url, hashlib.sha256(told.encode()).hexdigest()[:16])


def _client(url: str) -> "Redis":
    from redis import Redis  # noqa: PLC0415 - heavy, and of no use to a process alone
    from redis.backoff import NoBackoff  # noqa: PLC0415
    from redis.retry import Retry  # noqa: PLC0415

    return Redis.from_url(
        url,
        socket_timeout=ANSWERED_WITHIN,
        socket_connect_timeout=ANSWERED_WITHIN,
        retry=Retry(NoBackoff(), 0),
        max_connections=64,
    )
