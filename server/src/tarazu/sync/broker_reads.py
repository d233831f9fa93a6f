"""All that is asked of a broker about one client: every call is answered, or nothing is taken."""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from tarazu.brokers.service import (
    BrokerHolding,
    BrokerOrder,
    BrokerPort,
    BrokerSession,
    Funds,
    LeftOut,
    Position,
    Profile,
    RateLimited,
    Rows,
    Upstream,
)

T = TypeVar("T")

DELIVERY = "DELIVERY"
"""The product of shares that are to be kept."""
LAST_STEP = "Writing the books"
STEPS = (
    "Asking whose it is",
    "Reading orders",
    "Reading positions",
    "Reading holdings",
    "Reading money",
    LAST_STEP,
)
LOOKS_UP_EVERY = 0.5
"""Seconds after which a wait sees that it is over."""


@dataclass(frozen=True, slots=True)
class ReadTimeouts:
    """How long a reading goes on when it is held up.

    Attributes:
        longest: seconds, all waits together.
        pauses: seconds before each further try, when the broker does not answer a call.
        is_over: whether nobody wants the answer any more, as when the process stops.
        tell: is told, before each step, what it is, how many are done, and of how many.
    """

    longest: float
    pauses: tuple[float, ...] = ()
    is_over: Callable[[], bool] = lambda: False
    tell: Callable[[str, int, int], None] = lambda _step, _done, _total: None


AT_ONCE = ReadTimeouts(longest=6.0)
"""Somebody waits for the answer."""
FOR_A_RUN = ReadTimeouts(longest=300.0, pauses=(1.0, 4.0, 31.0))
"""Nobody waits, and a broker that left calls out after failures takes them again in 30 seconds."""


@dataclass(frozen=True, slots=True)
class BrokerAnswer:
    """What the broker says of a client; `profile` is None where it was not asked for."""

    read_at: dt.datetime
    profile: Profile | None
    holdings: Rows[BrokerHolding]
    funds: Funds
    positions: Rows[Position]
    orders: Rows[BrokerOrder]

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The rows that cannot be read, which cost the others nothing."""
        return self.holdings.left_out + self.positions.left_out + self.orders.left_out


async def read_client(
    broker: BrokerPort,
    login: BrokerSession,
    patience: ReadTimeouts,
    read_at: dt.datetime,
    *,
    asks_who: bool,
) -> BrokerAnswer:
    """Ask a broker for everything about a client, call after call.

    Args:
        asks_who: whether the profile is asked for too.

    Raises:
        BrokerFault: one of the calls has no good answer; then there is none at all.
    """
    patiently = _Patiently(patience)
    told = partial(_tell, patience, is_first_left_out=not asks_who)
    profile = None
    if asks_who:
        told("Asking whose it is")
        profile = await patiently.ask(lambda: broker.profile(login))
    told("Reading orders")
    orders = await patiently.ask(lambda: broker.orders(login))
    told("Reading positions")
    positions = await patiently.ask(lambda: broker.positions(login))
    if traded_today(orders) != bought_today(positions):
        # An order may have been filled between the two calls.
        orders = await patiently.ask(lambda: broker.orders(login))
        positions = await patiently.ask(lambda: broker.positions(login))
    told("Reading holdings")
    holdings = await patiently.ask(lambda: broker.holdings(login))
    told("Reading money")
    funds = await patiently.ask(lambda: broker.funds(login))
    told(LAST_STEP)
    return BrokerAnswer(read_at, profile, holdings, funds, positions, orders)


def _tell(patience: ReadTimeouts, step: str, *, is_first_left_out: bool) -> None:
    steps = STEPS[is_first_left_out:]
    patience.tell(step, steps.index(step), len(steps))


def traded_today(orders: Iterable[BrokerOrder]) -> dict[tuple[str, str], int]:
    """Shares bought for delivery less those sold, by exchange and symbol, as the orders say."""
    sums: Counter[tuple[str, str]] = Counter()
    for one in orders:
        if one.product == DELIVERY:
            sums[one.exchange, one.symbol] += one.filled if one.side == "BUY" else -one.filled
    return {name: shares for name, shares in sums.items() if shares}


def bought_today(positions: Iterable[Position]) -> dict[tuple[str, str], int]:
    """The same as the positions say."""
    sums: Counter[tuple[str, str]] = Counter()
    for one in positions:
        if one.product == DELIVERY:
            sums[one.exchange, one.symbol] += one.net
    return {name: shares for name, shares in sums.items() if shares}


class _Patiently:
    def __init__(self, patience: ReadTimeouts) -> None:
        self._left, self._pauses = patience.longest, patience.pauses
        self._is_over = patience.is_over

    async def ask(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call; wait and make it again when it was one too many, or found nobody."""
        tried = 0
        while True:
            try:
                return await call()
            except RateLimited as limited:
                if not await self._wait(limited.seconds):
                    raise
            except Upstream:
                if tried >= len(self._pauses) or not await self._wait(self._pauses[tried]):
                    raise
                tried += 1

    async def _wait(self, seconds: float) -> bool:
        if seconds > self._left:
            return False
        self._left -= seconds
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        # What ends it is told in another thread.
        while (rest := until - loop.time()) > 0 and not self._is_over():  # noqa: ASYNC110
            await asyncio.sleep(min(rest, LOOKS_UP_EVERY))
        return not self._is_over()
