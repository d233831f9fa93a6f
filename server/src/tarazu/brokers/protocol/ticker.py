"""Live prices over sockets: as many as the broker allows, opened again when they break.

How a price feed uses it:

    ticker = Ticker(KiteTicker(app, session), http, deliver)
    ticker.follow([FeedInstrument(stock.instrument_token, stock.exchange, stock.symbol,
                                  stock.angel_token or "")
                   for stock in stocks])      # again whenever the stocks change
    task = asyncio.create_task(ticker.run())  # ends only with a fault: SessionDead, Denied

`deliver` receives the prices, and `ticker.is_live` is true while they arrive. After `SessionDead`
the session is marked as ended, and a new ticker is made with any other session of that broker:
prices are the same for every client (`brokers/market_feeds.py`).

Frames are parsed in place into arrays of integers; no object is made for each tick.
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
        protocol: the broker's messages.
        http: opens the sockets.
        deliver: receives the prices.
        timing: after how long a silent socket counts as dead, and how soon it is reopened.
        random: spreads the retries.
        room: counts the sockets the broker allows, where other tickers open some of them too.
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
        """How many sockets the broker accepted and that are still open."""
        return sum(line.is_open for line in self._lines)

    @property
    def left_out(self) -> frozenset[int]:
        """Tokens of what is to be followed and is not: not on this broker's sockets, or too many."""
        return self._left_out

    def follow(self, stocks: Collection[FeedInstrument]) -> None:
        """Deliver the prices of exactly these from now on, as many as the broker allows."""
        stocks_by_token = {stock.token: stock for stock in stocks if self._protocol.carries(stock)}
        for line in self._lines:
            line.keep(stocks_by_token)
            for token in line.wanted.stocks:
                del stocks_by_token[token]
        for line in self._lines:
            line.take(stocks_by_token)
        while stocks_by_token and len(self._lines) < self._protocol.most_sockets:
            line = TickerConnection(
                self._protocol, self._http, self._deliver, self._timing, self._random, self._room
            )
            line.take(stocks_by_token)
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
