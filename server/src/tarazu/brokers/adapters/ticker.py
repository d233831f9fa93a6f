"""Live prices over sockets: as many as the broker allows, opened again when they break.

A source of prices wraps it so:

    ticker = Ticker(KiteWire(app, session), outside, deliver)
    ticker.follow([Quoted(one.instrument_token, one.exchange, one.symbol, one.angel_token or "")
                   for one in stocks])        # again whenever the stocks change
    task = asyncio.create_task(ticker.run())  # ends only with a fault: SessionDead, Denied

where `deliver` takes the prices that came, and `ticker.is_live` says whether they come. After
`SessionDead` the session is marked as ended, and another ticker is made with any other session of
that broker: prices are the same for everyone (`brokers/feeds.py`).

Frames are read where they lie: what is kept of them are arrays of whole numbers, no object a tick.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NoReturn, Protocol

import numpy as np
import numpy.typing as npt
import structlog
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tarazu.brokers.adapters.port import Denied, Quoted, SessionDead
from tarazu.brokers.http_client import CallFailed, CallRefused, Outside, SocketRefused
from tarazu.kit import clock
from tarazu.kit.array_lookup import positions_in

log = structlog.get_logger()

WATCH_EVERY = 0.5
SETTLED_AFTER = 10.0
"""Seconds after which a connection counts as one that worked."""
CLOSED_WITHIN = 0.5
"""Seconds in which a broker answers that a socket is closed; then it is cut."""
REFUSED_TOKEN = frozenset({401, 403})
OLDEST_SECOND = 946_684_800
"""The year 2000: earlier exchange times are none."""
DEAREST = 10**12
"""In ten-thousandths of a rupee; a dearer share is a fault of the frame."""

Whole = npt.NDArray[np.int64]

Deliver = Callable[[Whole, Whole, Whole], None]
"""Takes prices in the order in which they came: Zerodha's tokens, ten-thousandths of a rupee, and
the seconds since 1970 in which they were made."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. A line is dead after `quiet` of silence: where it is pinged, after a ping."""

    quiet: float = 10.0
    ping: float = 10.0
    first_retry: float = 0.5
    longest_retry: float = 30.0


class Subscriptions:
    """Instruments by Zerodha's token, to be asked for one or for many at once."""

    def __init__(self, stocks: Iterable[Quoted] = ()) -> None:
        self.stocks = {one.token: one for one in stocks}
        self._tokens = np.sort(np.fromiter(self.stocks, np.int64, len(self.stocks)))

    def __len__(self) -> int:
        return len(self.stocks)

    def __contains__(self, token: int) -> bool:
        return token in self.stocks

    def has(self, tokens: Whole) -> npt.NDArray[np.bool_]:
        """Of each of these tokens, whether it is wanted."""
        return positions_in(self._tokens, tokens) >= 0


class Batch:
    """Prices that came and were not handed on yet, in their order."""

    def __init__(self) -> None:
        self._parts: list[tuple[Whole, Whole, Whole]] = []

    def add(self, tokens: Whole, units: Whole, seconds: Whole, now: int) -> None:
        """Take in prices; a time that cannot be counts as now, so that it blocks no later one.

        Args:
            tokens: Zerodha's.
            units: ten-thousandths of a rupee; what is not above 0, or too dear, is left out.
            seconds: since 1970, by the exchange; 0 for none.
            now: the same, by our clock.
        """
        fit = (units > 0) & (units <= DEAREST)
        if not fit.all():
            tokens, units, seconds = tokens[fit], units[fit], seconds[fit]
        if len(tokens):
            is_time = (seconds > OLDEST_SECOND) & (seconds <= now)
            self._parts.append((tokens, units, np.where(is_time, seconds, now)))

    def take(self) -> tuple[Whole, Whole, Whole] | None:
        """All of them: tokens, units, seconds; None where there are none. Empty after that."""
        parts, self._parts = self._parts, []
        if len(parts) <= 1:
            return parts[0] if parts else None
        tokens, units, seconds = (np.concatenate(column) for column in zip(*parts, strict=True))
        return tokens, units, seconds


class TickerSocket(Protocol):
    """What is said over a broker's socket, and how it is understood."""

    broker: str
    most_tokens: int
    most_sockets: int
    ping: str
    """A text that is sent now and then; empty where the broker sends signs of life by itself."""
    gather: float
    """Seconds that frames are gathered before they are read together; 0 reads each at once."""

    async def open(self, outside: Outside) -> ClientConnection:
        """A new socket, on which nothing is subscribed."""

    def subscribing(self, stocks: Collection[Quoted]) -> Iterable[str]:
        """The messages that subscribe to these."""

    def leaving(self, stocks: Collection[Quoted]) -> Iterable[str]:
        """The messages that end these subscriptions."""

    def carries(self, stock: Quoted) -> bool:
        """Whether the broker has such an instrument on its sockets."""

    def read(self, frames: Sequence[bytes], wanted: Subscriptions, now: int, into: Batch) -> None:
        """Take the wanted prices out of frames; what cannot be read is passed over."""

    def read_text(self, text: str) -> str:
        """What the broker complains of in a text; empty for everything else."""


class Ticker:
    """The sockets of one session. On one event loop.

    Args:
        wire: what the broker says and understands.
        outside: the way out.
        deliver: takes the prices.
        timing: when a line counts as dead, and how soon it is opened again.
        random: spreads the retries.
        room: the sockets that the broker allows, where other tickers open some of them too.
    """

    def __init__(
        self,
        wire: TickerSocket,
        outside: Outside,
        deliver: Deliver,
        timing: Timing | None = None,
        random: Random | None = None,
        *,
        room: asyncio.Semaphore | None = None,
    ) -> None:
        self._wire, self._outside, self._deliver = wire, outside, deliver
        self._timing = timing or Timing()
        self._room = room or asyncio.Semaphore(wire.most_sockets)
        # Only to spread retries.
        self._random = random or Random()  # noqa: S311
        self._lines: list[_Line] = []
        self._left_out: frozenset[int] = frozenset()
        self._changed = asyncio.Event()

    @property
    def is_live(self) -> bool:
        """Whether a socket is open and says something."""
        return any(line.is_live for line in self._lines)

    @property
    def open_sockets(self) -> int:
        """How many sockets the broker let in and that have not broken since."""
        return sum(line.is_open for line in self._lines)

    @property
    def left_out(self) -> frozenset[int]:
        """Tokens of what is to be followed and is not: not on this broker's sockets, or too many."""
        return self._left_out

    def follow(self, stocks: Collection[Quoted]) -> None:
        """Deliver the prices of exactly these from now on, as many as the broker allows."""
        wanted = {one.token: one for one in stocks if self._wire.carries(one)}
        for line in self._lines:
            line.keep(wanted)
            for token in line.wanted.stocks:
                del wanted[token]
        for line in self._lines:
            line.take(wanted)
        while wanted and len(self._lines) < self._wire.most_sockets:
            line = _Line(
                self._wire, self._outside, self._deliver, self._timing, self._random, self._room
            )
            line.take(wanted)
            self._lines.append(line)
        carried = {token for line in self._lines for token in line.wanted.stocks}
        left_out = frozenset(one.token for one in stocks) - carried
        if left_out != self._left_out:
            self._left_out = left_out
            log.warning("ticker_leaves_out", broker=self._wire.broker, instruments=len(left_out))
        self._changed.set()

    async def run(self) -> NoReturn:
        """Keep the sockets open until cancelled.

        Raises:
            SessionDead: the broker takes the token no more; it must not be tried again.
            Denied: the ticker's address may not be called.
        """
        running: dict[_Line, asyncio.Task[None]] = {}
        try:
            while True:
                self._changed.clear()
                for line in self._lines:
                    if line not in running:
                        running[line] = asyncio.create_task(line.run())
                change = asyncio.create_task(self._changed.wait())
                try:
                    done, _ = await asyncio.wait(
                        {change, *running.values()}, return_when=asyncio.FIRST_COMPLETED
                    )
                finally:
                    change.cancel()
                    await asyncio.gather(change, return_exceptions=True)
                for task in done - {change}:
                    task.result()
        finally:
            for task in running.values():
                task.cancel()
            await asyncio.gather(*running.values(), return_exceptions=True)


class _Line:
    """One socket and what it carries."""

    def __init__(
        self,
        wire: TickerSocket,
        outside: Outside,
        deliver: Deliver,
        timing: Timing,
        random: Random,
        room: asyncio.Semaphore,
    ) -> None:
        self._wire, self._outside, self._deliver = wire, outside, deliver
        self._timing, self._random, self._room = timing, random, room
        self.wanted = Subscriptions()
        self.is_open = self.is_live = False
        self._told: dict[int, Quoted] = {}
        self._changed = asyncio.Event()
        self._heard_at = self._pinged_at = 0.0
        self._frames: list[bytes] = []
        self._flush: asyncio.TimerHandle | None = None

    def keep(self, wanted: Collection[int]) -> None:
        """Carry on with no others than these."""
        kept = [one for token, one in self.wanted.stocks.items() if token in wanted]
        if len(kept) < len(self.wanted):
            self.wanted = Subscriptions(kept)
            self._changed.set()

    def take(self, wanted: dict[int, Quoted]) -> None:
        """Move as many as fit out of `wanted` onto this line."""
        fitting = list(wanted)[: self._wire.most_tokens - len(self.wanted)]
        if fitting:
            new = [wanted.pop(token) for token in fitting]
            self.wanted = Subscriptions([*self.wanted.stocks.values(), *new])
            self._changed.set()

    async def run(self) -> None:
        """Connect, and again whenever it breaks, with longer and longer pauses."""
        failures = 0
        while True:
            while not len(self.wanted):
                self._changed.clear()
                await self._changed.wait()
            began = _now()
            try:
                # Other tickers of the broker may have to close a socket first.
                async with self._room:
                    began = _now()
                    await self._carry()
            except (CallFailed, ConnectionClosed, SocketRefused, TimeoutError) as failure:
                failures = 0 if _now() - began > SETTLED_AFTER else failures + 1
                log.warning(
                    "ticker_broke",
                    broker=self._wire.broker,
                    kind=type(failure).__name__,
                    failures=failures,
                )
            await asyncio.sleep(pause_after(failures, self._timing, self._random))

    async def _carry(self) -> None:
        """Open a socket and talk on it until it breaks."""
        socket = await self._open()
        self.is_open = True
        try:
            await self._talk(socket)
        finally:
            self.is_open = self.is_live = False
            await _close(socket)

    async def _open(self) -> ClientConnection:
        try:
            return await self._wire.open(self._outside)
        except SocketRefused as refusal:
            if refusal.status in REFUSED_TOKEN:
                raise SessionDead(f"{self._wire.broker} ticker: {refusal.status}") from None
            raise
        except CallRefused as refusal:
            raise Denied(f"{self._wire.broker} ticker: {refusal}") from None

    async def _talk(self, socket: ClientConnection) -> None:
        """Until the socket breaks, or is silent for too long."""
        # Subscriptions do not outlive a socket.
        self._told = {}
        self._heard_at, self._pinged_at = _now(), _now()
        tasks = [
            asyncio.create_task(self._hear(socket)),
            asyncio.create_task(self._tell(socket)),
            asyncio.create_task(self._watch(socket)),
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._hand_on()

    async def _hear(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            frame = await socket.recv()
            self._heard_at, self.is_live = _now(), True
            if isinstance(frame, str):
                self._note(self._wire.read_text(frame))
                continue
            self._frames.append(frame)
            if not self._wire.gather:
                self._hand_on()
            elif self._flush is None:
                self._flush = loop.call_later(self._wire.gather, self._hand_on)

    async def _tell(self, socket: ClientConnection) -> None:
        while True:
            self._changed.clear()
            wanted = self.wanted.stocks
            gone = [one for token, one in self._told.items() if token not in wanted]
            new = [one for token, one in wanted.items() if token not in self._told]
            # First those that go: the broker counts.
            for message in (*self._wire.leaving(gone), *self._wire.subscribing(new)):
                await socket.send(message)
            self._told = wanted
            await self._changed.wait()

    async def _watch(self, socket: ClientConnection) -> None:
        timing = self._timing
        while True:
            await asyncio.sleep(min(WATCH_EVERY, timing.quiet / 4))
            now = _now()
            # A line that is pinged may be silent in between, but must answer.
            since = self._heard_at
            if self._wire.ping:
                since = max(since, self._pinged_at)
                is_waiting = self._pinged_at > self._heard_at
                if not is_waiting and now - self._pinged_at >= timing.ping:
                    await socket.send(self._wire.ping)
                    self._pinged_at = now
                    continue
                if not is_waiting:
                    continue
            if now - since > timing.quiet:
                raise TimeoutError

    def _hand_on(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        frames, self._frames = self._frames, []
        batch = Batch()
        self._wire.read(frames, self.wanted, int(clock.now().timestamp()), batch)
        prices = batch.take()
        if prices is not None:
            self._deliver(*prices)

    def _note(self, complaint: str) -> None:
        if complaint:
            log.warning("ticker_complains", broker=self._wire.broker, words=complaint)


async def _close(socket: ClientConnection) -> None:
    """Close in good order, so that the broker counts it off before another one is opened."""
    try:
        async with asyncio.timeout(CLOSED_WITHIN):
            await socket.close()
    except TimeoutError:
        # It does not answer: what follows ends the connection without it.
        log.debug("ticker_cut")
    finally:
        socket.transport.abort()


def pause_after(failures: int, timing: Timing, random: Random) -> float:
    """Seconds until the next try: twice as many after each failure, spread over the upper half."""
    longest: float = min(timing.first_retry * 2 ** min(failures, 10), timing.longest_retry)
    return random.uniform(0.5, 1) * longest


def words_of(found: object) -> str:
    """A broker's complaint, printable and short; what is no text is not repeated."""
    text = found if isinstance(found, str) and found else "an error"
    return "".join(one if one.isprintable() else " " for one in text[:120])


def _now() -> float:
    return asyncio.get_running_loop().time()
