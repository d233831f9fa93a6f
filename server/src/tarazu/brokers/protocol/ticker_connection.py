"""One price socket: opened, read, watched and opened again."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

import structlog
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tarazu.brokers.host_rules import CallRefused
from tarazu.brokers.http_client import BrokerHttpClient, CallFailed, SocketRefused
from tarazu.brokers.protocol.port import Denied, FeedInstrument, SessionDead
from tarazu.brokers.protocol.ticks import Deliver, Subscriptions, TickBatch, TickerProtocol
from tarazu.kit import clock

log = structlog.get_logger()

WATCH_EVERY = 0.5
SETTLED_AFTER = 10.0
"""Seconds after which a connection counts as one that worked."""
CLOSED_WITHIN = 0.5
"""Seconds in which a broker answers that a socket is closed; then it is cut."""
REFUSED_TOKEN = frozenset({401, 403})


@dataclass(frozen=True, slots=True)
class TickerTimeouts:
    """Seconds. A connection is dead after `quiet` seconds of silence, after a ping where it is pinged."""

    quiet: float = 10.0
    ping: float = 10.0
    first_retry: float = 0.5
    longest_retry: float = 30.0


class TickerConnection:
    """One socket and what it carries."""

    def __init__(
        self,
        protocol: TickerProtocol,
        http: BrokerHttpClient,
        deliver: Deliver,
        timing: TickerTimeouts,
        random: Random,
        room: asyncio.Semaphore,
    ) -> None:
        self._protocol, self._http, self._deliver = protocol, http, deliver
        self._timing, self._random, self._room = timing, random, room
        self.wanted = Subscriptions()
        self.is_open = self.is_live = False
        self._subscribed: dict[int, FeedInstrument] = {}
        self._changed = asyncio.Event()
        self._heard_at = self._pinged_at = 0.0
        self._frames: list[bytes] = []
        self._flush: asyncio.TimerHandle | None = None

    def keep(self, tokens: Collection[int]) -> None:
        """Follow no others than these."""
        stocks = [stock for token, stock in self.wanted.stocks.items() if token in tokens]
        if len(stocks) < len(self.wanted):
            self.wanted = Subscriptions(stocks)
            self._changed.set()

    def take(self, stocks_by_token: dict[int, FeedInstrument]) -> None:
        """Move as many as fit from `stocks_by_token` to this connection."""
        fitting = list(stocks_by_token)[: self._protocol.most_tokens - len(self.wanted)]
        if fitting:
            new = [stocks_by_token.pop(token) for token in fitting]
            self.wanted = Subscriptions([*self.wanted.stocks.values(), *new])
            self._changed.set()

    async def run(self) -> None:
        """Connect, and again whenever it breaks, with longer and longer pauses."""
        failures = 0
        while True:
            while not len(self.wanted):
                self._changed.clear()
                await self._changed.wait()
            began = loop_time()
            try:
                # Another ticker of the broker may have to close a socket first.
                async with self._room:
                    began = loop_time()
                    await self._carry()
            except (CallFailed, ConnectionClosed, SocketRefused, TimeoutError) as failure:
                failures = 0 if loop_time() - began > SETTLED_AFTER else failures + 1
                log.warning(
                    "ticker_broke",
                    broker=self._protocol.broker,
                    kind=type(failure).__name__,
                    failures=failures,
                )
            await asyncio.sleep(pause_after(failures, self._timing, self._random))

    async def _carry(self) -> None:
        """Open a socket and use it until it breaks."""
        socket = await self._open()
        self.is_open = True
        try:
            await self._talk(socket)
        finally:
            self.is_open = self.is_live = False
            await _close(socket)

    async def _open(self) -> ClientConnection:
        try:
            return await self._protocol.open(self._http)
        except SocketRefused as refusal:
            if refusal.status in REFUSED_TOKEN:
                raise SessionDead(f"{self._protocol.broker} ticker: {refusal.status}") from None
            raise
        except CallRefused as refusal:
            raise Denied(f"{self._protocol.broker} ticker: {refusal}") from None

    async def _talk(self, socket: ClientConnection) -> None:
        """Until the socket breaks, or is silent for too long."""
        # Subscriptions do not outlive a socket.
        self._subscribed = {}
        self._heard_at, self._pinged_at = loop_time(), loop_time()
        tasks = [
            asyncio.create_task(self._receive(socket)),
            asyncio.create_task(self._send(socket)),
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
            self._deliver_batch()

    async def _receive(self, socket: ClientConnection) -> None:
        loop = asyncio.get_running_loop()
        while True:
            frame = await socket.recv()
            self._heard_at, self.is_live = loop_time(), True
            if isinstance(frame, str):
                self._note(self._protocol.read_text(frame))
                continue
            self._frames.append(frame)
            if not self._protocol.gather:
                self._deliver_batch()
            elif self._flush is None:
                self._flush = loop.call_later(self._protocol.gather, self._deliver_batch)

    async def _send(self, socket: ClientConnection) -> None:
        while True:
            self._changed.clear()
            stocks = self.wanted.stocks
            gone = [stock for token, stock in self._subscribed.items() if token not in stocks]
            new = [stock for token, stock in stocks.items() if token not in self._subscribed]
            # First those that go: the broker counts.
            for message in (*self._protocol.leaving(gone), *self._protocol.subscribing(new)):
                await socket.send(message)
            self._subscribed = stocks
            await self._changed.wait()

    async def _watch(self, socket: ClientConnection) -> None:
        timing = self._timing
        while True:
            await asyncio.sleep(min(WATCH_EVERY, timing.quiet / 4))
            now = loop_time()
            # A pinged connection may be silent in between, but must answer.
            since = self._heard_at
            if self._protocol.ping:
                since = max(since, self._pinged_at)
                is_waiting = self._pinged_at > self._heard_at
                if not is_waiting and now - self._pinged_at >= timing.ping:
                    await socket.send(self._protocol.ping)
                    self._pinged_at = now
                    continue
                if not is_waiting:
                    continue
            if now - since > timing.quiet:
                raise TimeoutError

    def _deliver_batch(self) -> None:
        if self._flush is not None:
            self._flush.cancel()
            self._flush = None
        frames, self._frames = self._frames, []
        batch = TickBatch()
        self._protocol.read(frames, self.wanted, int(clock.now().timestamp()), batch)
        prices = batch.take()
        if prices is not None:
            self._deliver(*prices)

    def _note(self, complaint: str) -> None:
        if complaint:
            log.warning("ticker_complains", broker=self._protocol.broker, words=complaint)


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


def pause_after(failures: int, timing: TickerTimeouts, random: Random) -> float:
    """Seconds until the next try: twice as many after each failure, spread over the upper half."""
    longest: float = min(timing.first_retry * 2 ** min(failures, 10), timing.longest_retry)
    return random.uniform(0.5, 1) * longest


def loop_time() -> float:
    return asyncio.get_running_loop().time()
