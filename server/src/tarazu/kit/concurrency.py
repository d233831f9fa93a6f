"""A limiter for short reads: a few run at a time, and a slow one does not hold up the others.

Threads that all have work to do keep passing the interpreter lock to each other, which costs more
than the work itself (docs/decisions/0017-concurrent-reads.md).
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")

SLOT_TIMEOUT: Final = 0.02
"""Seconds after which work gives up its slot and goes on beside the next; most ends sooner."""


class ConcurrencyLimiter:
    """Runs work in threads, in the order in which it came.

    Args:
        slots: how many run at a time while none of them takes longer than `slot_timeout`.
        slot_timeout: seconds after which running work no longer counts.
    """

    def __init__(self, slots: int, slot_timeout: float = SLOT_TIMEOUT) -> None:
        self._free = slots
        self._slot_timeout = slot_timeout
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; it runs in a thread."""
        await self._acquire()
        slot = _Slot(self, self._slot_timeout)
        try:
            return await run_in_threadpool(work)
        finally:
            slot.release()

    def release(self) -> None:
        """Give a slot to the caller that has waited longest."""
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self._free += 1

    async def _acquire(self) -> None:
        if self._free:
            self._free -= 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            # Cancelled just after it got the slot: pass the slot on.
            if waiter.done() and not waiter.cancelled():
                self.release()
            raise


class _Slot:
    """A slot in use, released once: when its work ends, or after the timeout."""

    def __init__(self, limiter: ConcurrencyLimiter, timeout: float) -> None:
        self._limiter: ConcurrencyLimiter | None = limiter
        self._timer = asyncio.get_running_loop().call_later(timeout, self.release)

    def release(self) -> None:
        if self._limiter is not None:
            limiter, self._limiter = self._limiter, None
            self._timer.cancel()
            limiter.release()
