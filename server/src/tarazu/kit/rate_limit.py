"""Rate limits, counted in each process, and in Redis for all of them.

Each process counts its own calls. If Redis is configured, it asks there too,
so that several processes count together; while Redis is away its own counts go on, and nobody is
let off or held up by that.
"""

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from tarazu.kit.errors import ApiError
from tarazu.kit.pubsub import MessageBus

if TYPE_CHECKING:
    from redis.commands.core import Script

log = structlog.get_logger()

SWEEP_EVERY = 2_000
"""Calls after which counts that are past are dropped."""
MOST_IN_LINE = 16
"""Callers that may wait for one key; more are refused."""


RESTS_FOR: Final = 1.0
"""Seconds without a call to Redis after it failed."""

_COUNT: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local wait = 0
for place, key in ipairs(KEYS) do
  local most, span = tonumber(ARGV[2 * place]), tonumber(ARGV[2 * place + 1])
  local newest = redis.call('LINDEX', key, -1)
  if newest and tonumber(newest) > now + 1000000 then
    redis.call('DEL', key)
  end
  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) <= now - span do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end
  if oldest and redis.call('LLEN', key) >= most then
    wait = math.max(wait, tonumber(oldest) + span - now)
    if ARGV[1] == 'count' then
      redis.call('LPOP', key)
    end
  end
end
if ARGV[1] == 'check' or (ARGV[1] == 'take' and wait > 0) then
  return wait
end
for place, key in ipairs(KEYS) do
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(ARGV[2 * place + 1] / 1000))
end
return 0
"""
"""The times of events in microseconds by Redis's clock, oldest first, a list for each limit.

Answers with how many microseconds to wait. Times later than now are of a clock that was set back.
"""


class TooManyAttempts(ApiError):
    """Args: seconds: how long to wait, rounded up."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, seconds: float) -> None:
        wait = max(1, math.ceil(seconds))
        super().__init__(f"Too many attempts. Try again in {wait} seconds.", retry_after=wait)


@dataclass(frozen=True, slots=True)
class Limit:
    """At most so many within any so many seconds."""

    most: int
    seconds: float


class Shared(Protocol):
    """Counts that several processes have in common."""

    def ask(self, act: str, key: str, limits: Mapping[Limit, int]) -> float:
        """Take, check or count an event; seconds to wait, nought where it is allowed.

        Args:
            act: "take", "check" or "count", as the limiter's calls of these names.
            limits: with how many events each allows.
        """


class Limiter:
    """Exact counts: the time of each event is kept until its window has passed.

    Args:
        scale: multiplies every limit, for load tests.
        tick: seconds that only go forward, whatever happens to the clock.
        shared: the counts of all processes; None for a process alone.
    """

    def __init__(
        self,
        scale: Decimal,
        tick: Callable[[], float] = time.monotonic,
        shared: Shared | None = None,
    ) -> None:
        self._scale, self._tick, self._shared = scale, tick, shared
        self._times: dict[tuple[str, Limit], deque[float]] = {}
        self._calls = 0
        self._lock = Lock()
        self._lines: dict[str, deque[Future[None]]] = {}

    @property
    def is_shared(self) -> bool:
        """Whether others are asked, which takes a while."""
        return self._shared is not None

    def scaled(self, most: int) -> int:
        """A limit as this installation has it, at least one."""
        return max(1, int(most * self._scale))

    def take(self, key: str, *limits: Limit) -> None:
        """Count one event against each of `limits`.

        Raises:
            TooManyAttempts: one of them is reached; then nothing is counted.
        """
        if self._shared is not None:
            # What this process refuses is not asked at Redis.
            self._refuse_own(key, limits)
            self._ask("take", key, limits)
        with self._lock:
            now = self._tick()
            windows = [self._window(key, limit, now) for limit in limits]
            self._refuse_full(limits, windows, now)
            for window in windows:
                window.append(now)
            self._sweep(now)

    def check(self, key: str, limit: Limit) -> None:
        """Make sure that one more would be allowed, without counting it.

        Raises:
            TooManyAttempts: the limit is reached.
        """
        self._refuse_own(key, (limit,))
        self._ask("check", key, (limit,))

    def count(self, key: str, limit: Limit) -> None:
        """Count one event that is only known to count once it has happened."""
        self._ask("count", key, (limit,))
        with self._lock:
            now = self._tick()
            self._window(key, limit, now).append(now)
            self._sweep(now)

    @asynccontextmanager
    async def one_by_one(self, key: str) -> AsyncIterator[None]:
        """Let those with the same key through one after the other; no thread waits meanwhile.

        What is counted at the end of a call then counts for the next that was already waiting.

        Raises:
            TooManyAttempts: too many wait already.
        """
        waiter = self._stand_in_line(key)
        try:
            if waiter is not None:
                await asyncio.wrap_future(waiter)
        except BaseException:
            # Who goes away just as the turn comes hands it on.
            if waiter is not None and not waiter.cancel():
                self._call_next(key)
            raise
        try:
            yield
        finally:
            self._call_next(key)

    def _stand_in_line(self, key: str) -> Future[None] | None:
        with self._lock:
            line = self._lines.get(key)
            if line is None:
                self._lines[key] = deque()
                return None
            if len(line) >= MOST_IN_LINE:
                raise TooManyAttempts(1)
            waiter: Future[None] = Future()
            line.append(waiter)
            return waiter

    def _call_next(self, key: str) -> None:
        with self._lock:
            line = self._lines[key]
            while line:
                waiter = line.popleft()
                if waiter.set_running_or_notify_cancel():
                    waiter.set_result(None)
                    return
            del self._lines[key]

    def _refuse_own(self, key: str, limits: Sequence[Limit]) -> None:
        with self._lock:
            now = self._tick()
            self._refuse_full(limits, [self._window(key, limit, now) for limit in limits], now)

    def _ask(self, act: str, key: str, limits: Sequence[Limit]) -> None:
        if self._shared is None:
            return
        allowed = {limit: self.scaled(limit.most) for limit in limits}
        wait = self._shared.ask(act, key, allowed)
        if wait > 0:
            raise TooManyAttempts(wait)

    def _window(self, key: str, limit: Limit, now: float) -> deque[float]:
        window = self._times.setdefault((key, limit), deque(maxlen=self.scaled(limit.most)))
        while window and window[0] <= now - limit.seconds:
            window.popleft()
        return window

    def _refuse_full(
        self, limits: Sequence[Limit], windows: list[deque[float]], now: float
    ) -> None:
        waits = [
            window[0] + limit.seconds - now
            for limit, window in zip(limits, windows, strict=True)
            if len(window) == window.maxlen
        ]
        if waits:
            raise TooManyAttempts(max(waits))

    def _sweep(self, now: float) -> None:
        self._calls += 1
        if self._calls % SWEEP_EVERY:
            return
        for (key, limit), window in list(self._times.items()):
            if not window or window[-1] <= now - limit.seconds:
                del self._times[key, limit]


class InRedis:
    """Counts in the Redis of a bus: one script, one round trip, exact for all processes."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self._script: Script | None = None
        self._rests_until = 0.0

    def ask(self, act: str, key: str, limits: Mapping[Limit, int]) -> float:
        """As `Shared.ask`; 0 while Redis does not answer: each process then counts alone."""
        if not self._bus.is_up or time.monotonic() < self._rests_until:
            return 0.0
        from redis.exceptions import ConnectionError as Away  # noqa: PLC0415 - there is a Redis
        from redis.exceptions import RedisError  # noqa: PLC0415
        from redis.exceptions import TimeoutError as TooSlow  # noqa: PLC0415

        if self._script is None:
            self._script = self._bus.client.register_script(_COUNT)
        start = f"{self._bus.prefix}limit:{key}"
        keys = [f"{start}:{limit.most}/{limit.seconds:g}" for limit in limits]
        words: list[str | int] = [act]
        for limit, most in limits.items():
            words += [most, int(limit.seconds * 1_000_000)]
        try:
            microseconds: int = self._script(keys, words)
        except (Away, TooSlow, OSError) as error:
            self._bus.lose(type(error).__name__)
            return 0.0
        except RedisError as error:
            # It is there and will not count, as when its memory is full.
            self._rests_until = time.monotonic() + RESTS_FOR
            log.warning("limits_not_shared", error=type(error).__name__)
            return 0.0
        return microseconds / 1_000_000
