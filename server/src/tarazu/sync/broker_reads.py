"""Reads everything about one client from a broker: all calls succeed, or nothing is used."""

import asyncio
import datetime as dt
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import structlog

from tarazu.brokers.service import (
    BrokerFunds,
    BrokerHolding,
    BrokerOrder,
    BrokerPort,
    BrokerPosition,
    BrokerProfile,
    BrokerRows,
    BrokerSession,
    BrokerTrade,
    Denied,
    Malformed,
    RateLimited,
    UnreadableRow,
    Upstream,
)

log = structlog.get_logger()

T = TypeVar("T")

SHARES = frozenset({"NSE", "BSE"})
"""The exchanges of shares."""

DELIVERY = "DELIVERY"
"""The product of shares bought for delivery."""
LAST_STEP = "Saving"
STEPS = (
    "Checking the account",
    "Reading orders",
    "Reading positions",
    "Reading trades",
    "Reading holdings",
    "Reading funds",
    LAST_STEP,
)
LOOKS_UP_EVERY = 0.5
"""Seconds after which a wait sees that it is over."""


@dataclass(frozen=True, slots=True)
class ReadTimeouts:
    """How long a reading continues when calls are delayed.

    Attributes:
        longest: seconds, all waits together.
        pauses: seconds before each further try, when the broker does not answer a call.
        is_over: whether the answer is no longer needed, as when the process stops.
        tell: called before each step with its name, how many are done, and of how many.
    """

    longest: float
    pauses: tuple[float, ...] = ()
    is_over: Callable[[], bool] = lambda: False
    on_step: Callable[[str, int, int], None] = lambda _step, _done, _total: None


AT_ONCE = ReadTimeouts(longest=6.0)
"""A person waits for the answer."""
FOR_A_RUN = ReadTimeouts(longest=300.0, pauses=(1.0, 4.0, 31.0))
"""No person waits, and the circuit breaker closes again after 30 seconds."""


@dataclass(frozen=True, slots=True)
class BrokerAnswer:
    """A broker's statement of a client.

    `profile` is None if it was not requested, `trades` if the broker did not give them.
    """

    read_at: dt.datetime
    profile: BrokerProfile | None
    holdings: BrokerRows[BrokerHolding]
    funds: BrokerFunds
    positions: BrokerRows[BrokerPosition]
    orders: BrokerRows[BrokerOrder]
    trades: BrokerRows[BrokerTrade] | None = None

    @property
    def left_out(self) -> tuple[UnreadableRow, ...]:
        """The rows that cannot be read, which cost the others nothing."""
        trades = self.trades.left_out if self.trades is not None else ()
        return self.holdings.left_out + self.positions.left_out + self.orders.left_out + trades


async def read_client(
    broker: BrokerPort,
    login: BrokerSession,
    timeouts: ReadTimeouts,
    read_at: dt.datetime,
    *,
    with_profile: bool,
) -> BrokerAnswer:
    """Read everything about a client from a broker, call after call.

    Args:
        asks_who: whether the profile is asked for too.

    Raises:
        BrokerFault: one of the calls has no good answer; then there is none at all.
    """
    calls = _RetryingCalls(timeouts)
    report = partial(_report_step, timeouts, is_first_left_out=not with_profile)
    profile = None
    if with_profile:
        report("Checking the account")
        profile = await calls.call(lambda: broker.profile(login))
    report("Reading orders")
    orders = await calls.call(lambda: broker.orders(login))
    report("Reading positions")
    positions = await calls.call(lambda: broker.positions(login))
    report("Reading trades")
    trades = await _trades(calls, broker, login)
    if traded_today(orders) != bought_today(positions) or is_behind(trades, orders):
        # An order may have been filled between two of the calls.
        orders = await calls.call(lambda: broker.orders(login))
        positions = await calls.call(lambda: broker.positions(login))
        trades = await _trades(calls, broker, login)
    report("Reading holdings")
    holdings = await calls.call(lambda: broker.holdings(login))
    report("Reading funds")
    funds = await calls.call(lambda: broker.funds(login))
    report(LAST_STEP)
    return BrokerAnswer(read_at, profile, holdings, funds, positions, orders, trades)


async def _trades(
    calls: "_RetryingCalls", broker: BrokerPort, login: BrokerSession
) -> BrokerRows[BrokerTrade] | None:
    """The trades of today; None if the broker does not give them: then the orders must do."""
    try:
        return await calls.call(lambda: broker.trades(login))
    except (Denied, Malformed, Upstream) as fault:
        log.warning("broker_trades_missing", broker=broker.name, reason=fault.reason)
        return None


def _report_step(timeouts: ReadTimeouts, step: str, *, is_first_left_out: bool) -> None:
    steps = STEPS[is_first_left_out:]
    timeouts.on_step(step, steps.index(step), len(steps))


def traded_today(orders: Iterable[BrokerOrder]) -> dict[tuple[str, str], int]:
    """Shares bought for delivery less those sold, by exchange and symbol, as the orders say."""
    sums: Counter[tuple[str, str]] = Counter()
    for order in orders:
        if order.product == DELIVERY:
            sums[order.exchange, order.symbol] += (
                order.filled if order.side == "BUY" else -order.filled
            )
    return {name: shares for name, shares in sums.items() if shares}


def bought_today(positions: Iterable[BrokerPosition]) -> dict[tuple[str, str], int]:
    """The same as the positions say."""
    sums: Counter[tuple[str, str]] = Counter()
    for position in positions:
        if position.product == DELIVERY:
            sums[position.exchange, position.symbol] += position.net
    return {name: shares for name, shares in sums.items() if shares}


def is_behind(trades: Iterable[BrokerTrade] | None, orders: Iterable[BrokerOrder]) -> bool:
    """Whether an order has more shares filled, or fewer, than its trades add up to."""
    if trades is None:
        return False
    sums: Counter[str] = Counter()
    for trade in trades:
        sums[trade.order_id] += trade.quantity
    return any(order.filled != sums[order.order_id] for order in orders if order.exchange in SHARES)


class _RetryingCalls:
    def __init__(self, timeouts: ReadTimeouts) -> None:
        self._left, self._pauses = timeouts.longest, timeouts.pauses
        self._is_over = timeouts.is_over

    async def call(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call; retry after a wait if it was rate-limited or the broker did not answer."""
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
        # Another thread ends it.
        while (rest := until - loop.time()) > 0 and not self._is_over():  # noqa: ASYNC110
            await asyncio.sleep(min(rest, LOOKS_UP_EVERY))
        return not self._is_over()
