"""A lane for short work in threads: few run at a time, and what takes long stands in nobody's way.

Threads that all have something to do hand the interpreter's lock to each other without end, which
costs more than the work does. Work that waits, for a disk or for somebody else, has its place for a
moment alone: then the next begins beside it.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")

SLOT_TIMEOUT: Final = 0.02
"""Seconds for which work has its place; nearly all of it is done sooner."""


class _Slot:
    """One place in a lane, until it is given back: by its work's end or by the clock."""

    def __init__(self, lane: "ConcurrencyLimiter") -> None:
        self._lane: ConcurrencyLimiter | None = lane
        self._ring = asyncio.get_running_loop().call_later(SLOT_TIMEOUT, self.leave)

    def leave(self) -> None:
        if self._lane is not None:
            lane, self._lane = self._lane, None
            self._ring.cancel()
            lane.call_next()


class ConcurrencyLimiter:
    """Lets work into threads in the order it came.

    Args:
        places: how many may run at a time for as long as none of them takes long.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._line: deque[asyncio.Future[None]] = deque()

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns or raises; it runs in a thread."""
        await self._wait()
        place = _Slot(self)
        try:
            return await run_in_threadpool(work)
        finally:
            place.leave()

    def call_next(self) -> None:
        """A place is free: whoever waits longest has it."""
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    async def _wait(self) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # Who goes away just as the turn comes hands it on.
            if turn.done() and not turn.cancelled():
                self.call_next()
            raise


OWN_LANE: ContextVar[ConcurrencyLimiter | None] = ContextVar("own_lane", default=None)
"""Of the call that is answered; None for one that takes any thread."""


async def run_in_own_lane(work: Callable[[], T]) -> T:
    """What `work` returns or raises, in a thread of the lane of the call this is part of."""
    lane = OWN_LANE.get()
    return await (run_in_threadpool(work) if lane is None else lane.run(work))
