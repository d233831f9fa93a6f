"""The rate limit of calls to the brokers, which all processes of the installation share.

A generic cell rate algorithm: the database stores when the next call on each line may be made. In
a process the calls of a line form one queue, so that slots are used in order and a late call never
comes too close to the next. A slot that was missed is given up, since the next may be another
process's. A few slots are reserved ahead, so that a slow commit delays none.
"""

import asyncio
from collections import defaultdict
from decimal import Decimal
from math import ceil
from time import monotonic

from tarazu.brokers import queries
from tarazu.brokers.protocol.port import RateLimited
from tarazu.brokers.queries import MICROSECONDS
from tarazu.kit.db import Database

LONGEST_WAIT = 8.0
"""Seconds that a call may queue for its turn."""
CLOSEST = 0.96
"""Of the even distance: how close two calls may come if the first was late. At 9.5 calls a
second that is 101 ms, so that no second ever holds more than ten."""
LATEST = 0.4
"""Of the even distance: how late after its slot a call may be made. Eleven slots are 1.05 s apart
at 9.5 calls a second, so that a call 42 ms late leaves ten in the second."""
AHEAD = 4
MOST_LINES = 20_000


class _Queue:
    """The queue of this process's calls on one line."""

    def __init__(self) -> None:
        self.ahead = asyncio.Semaphore(AHEAD)
        self.taking, self.going = asyncio.Lock(), asyncio.Lock()
        self.last = 0.0

    @property
    def is_idle(self) -> bool:
        return not (self.ahead.locked() or self.taking.locked() or self.going.locked())


class SharedRateLimiter:
    """Slots reserved in the installation's database; for one event loop."""

    def __init__(self, database: Database, longest_wait: float = LONGEST_WAIT) -> None:
        self._database, self._longest = database, longest_wait
        self._queues: defaultdict[str, _Queue] = defaultdict(_Queue)

    async def turn(self, line: str, per_second: Decimal) -> None:
        """Wait until the next call on `line` may be made.

        Raises:
            RateLimited: it would take longer than may be waited for.
        """
        self._forget_idle_lines()
        queue = self._queues[line]
        try:
            async with asyncio.timeout(self._longest):
                await queue.ahead.acquire()
        except TimeoutError:
            raise self._long_queue(line) from None
        try:
            await self._go(queue, line, int(MICROSECONDS / per_second))
        finally:
            queue.ahead.release()

    async def hold(self, line: str, seconds: float) -> None:
        """Make no call on `line` for a while, at most a minute."""
        await asyncio.to_thread(self._hold, line, int(seconds * MICROSECONDS))

    async def _go(self, queue: _Queue, line: str, interval: int) -> None:
        distance = interval / MICROSECONDS
        while True:
            async with queue.taking:
                wait = await asyncio.to_thread(self._take, line, interval)
                due = monotonic() + (wait or 0) / MICROSECONDS
            if wait is None:
                raise self._long_queue(line)
            # Locks are fair: the earlier slot goes first.
            async with queue.going:
                closest = queue.last + CLOSEST * distance
                await asyncio.sleep(max(due, closest) - monotonic())
                now = monotonic()
                if now <= due + LATEST * distance:
                    queue.last = now
                    return
            # Another process has the next slot: a call this late would come too close to it.

    def _long_queue(self, line: str) -> RateLimited:
        return RateLimited(f"{line}: a long queue", retry_after=ceil(self._longest))

    def _take(self, line: str, interval: int) -> int | None:
        longest = int(self._longest * MICROSECONDS)
        with self._database.transaction() as session:
            return queries.reserve_slot(session, line, interval, longest)

    def _hold(self, line: str, microseconds: int) -> None:
        with self._database.transaction() as session:
            queries.pause_slots(session, line, microseconds)

    def _forget_idle_lines(self) -> None:
        if len(self._queues) > MOST_LINES:
            for line in [name for name, queue in self._queues.items() if queue.is_idle]:
                del self._queues[line]
