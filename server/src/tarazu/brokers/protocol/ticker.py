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
from collections.abc import Collection
from random import Random
from typing import NoReturn

import structlog

from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import FeedInstrument
from tarazu.brokers.protocol.ticker_connection import TickerConnection, TickerTimeouts
from tarazu.brokers.protocol.ticks import Deliver, TickerProtocol

log = structlog.get_logger()


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
        protocol: TickerProtocol,
        http: BrokerHttpClient,
        deliver: Deliver,
        timing: TickerTimeouts | None = None,
        random: Random | None = None,
        *,
        room: asyncio.Semaphore | None = None,
    ) -> None:
        self._protocol, self._http, self._deliver = protocol, http, deliver
        self._timing = timing or TickerTimeouts()
        self._room = room or asyncio.Semaphore(protocol.most_sockets)
        # Only to spread retries.
        self._random = random or Random()  # noqa: S311
        self._lines: list[TickerConnection] = []
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

    def follow(self, stocks: Collection[FeedInstrument]) -> None:
        """Deliver the prices of exactly these from now on, as many as the broker allows."""
        wanted = {stock.token: stock for stock in stocks if self._protocol.carries(stock)}
        for line in self._lines:
            line.keep(wanted)
            for token in line.wanted.stocks:
                del wanted[token]
        for line in self._lines:
            line.take(wanted)
        while wanted and len(self._lines) < self._protocol.most_sockets:
            line = TickerConnection(
                self._protocol, self._http, self._deliver, self._timing, self._random, self._room
            )
            line.take(wanted)
            self._lines.append(line)
        carried = {token for line in self._lines for token in line.wanted.stocks}
        left_out = frozenset(stock.token for stock in stocks) - carried
        if left_out != self._left_out:
            self._left_out = left_out
            log.warning(
                "ticker_leaves_out", broker=self._protocol.broker, instruments=len(left_out)
            )
        self._changed.set()

    async def run(self) -> NoReturn:
        """Keep the sockets open until cancelled.

        Raises:
            SessionDead: the broker takes the token no more; it must not be tried again.
            Denied: the ticker's address may not be called.
        """
        running: dict[TickerConnection, asyncio.Task[None]] = {}
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
