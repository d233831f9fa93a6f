"""Prices from the brokers: one connection at a time, on the best session that carries them.

A connection that is silent for too long is replaced by one on the next session, of either broker,
as soon as prices come there, so that there is no gap. The better session is tried again after a
rest, longer each time, and used again when its prices come. A session that ended is never tried
again.
"""

import asyncio
from collections.abc import Collection
from functools import partial

import structlog

from tarazu.brokers.service import FeedSession, MarketFeeds
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.settings import Settings
from tarazu.prices.book import PriceBook, Whole
from tarazu.prices.feed.connection import Connections, FeedTimeouts, RunningConnection
from tarazu.prices.feed.simulated import SimulatedPrices
from tarazu.prices.feed.source import TickSource

log = structlog.get_logger()

SIMULATION_SEED = 1
"""The simulated market is the same on every installation."""


def source_of(settings: Settings, feeds: MarketFeeds) -> TickSource:
    """The source of prices that the settings ask for: simulated, or the brokers'."""
    return SimulatedPrices(SIMULATION_SEED) if settings.is_simulated else BrokerFeed(feeds)


class BrokerFeed:
    """A source that follows the brokers, by the best session there is; without one, none."""

    def __init__(self, feeds: MarketFeeds, timeouts: FeedTimeouts | None = None) -> None:
        self._feeds, self._timeouts = feeds, timeouts or FeedTimeouts()
        self._connections = Connections()
        self._stocks: Collection[Listed] = ()
        self._book: PriceBook | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[bool]] = set()
        self._unfollowed: frozenset[int] = frozenset()

    @property
    def name(self) -> str | None:
        """The broker whose prices come; None while no session carries any."""
        current = self._connections.current
        return None if current is None else current.session.broker

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""
        current = self._connections.current
        return current is not None and current.connection.is_live

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens that the broker in use does not carry."""
        return self._unfollowed

    async def start(self, book: PriceBook) -> None:
        """Start to look for sessions, and to record their prices."""
        self._book = book
        self._task = asyncio.create_task(self._watch(), name="broker-prices")

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these stocks from now on."""
        self._stocks = stocks
        for run in self._connections.running():
            run.connection.follow(stocks)
        self._note_unfollowed()

    async def stop(self) -> None:
        """Close every connection and stop recording."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for run in self._connections.running():
            self._close(run)
        self._connections = Connections()
        await asyncio.gather(*self._ending, return_exceptions=True)
        await self._feeds.aclose()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        read_at = -self._timeouts.look
        while True:
            if loop.time() - read_at >= self._timeouts.look:
                read_at = loop.time()
                await self._read_sessions()
            try:
                self._arrange(loop.time())
            except Exception as error:
                # Logged, not raised: without this loop no session would be looked for again.
                log.exception("feed_not_arranged", error=type(error).__name__)
                await asyncio.sleep(self._timeouts.look)
            tasks = [run.task for run in self._connections.running()]
            if tasks:
                await asyncio.wait(
                    tasks, timeout=self._timeouts.step, return_when=asyncio.FIRST_COMPLETED
                )
            else:
                await asyncio.sleep(self._timeouts.step)

    async def _read_sessions(self) -> None:
        try:
            sessions = await asyncio.to_thread(self._feeds.sessions, clock.now())
        except Exception as error:
            # The database may be away for a while: open connections go on.
            log.exception("feed_sessions_unknown", error=type(error).__name__)
            return
        self._connections.replace_sessions(sessions)

    def _arrange(self, now: float) -> None:
        """Open, replace and close connections as the sessions and their prices require."""
        connections = self._connections
        for run in connections.running():
            run.check(now)
        self._remove_ended(now)
        best = connections.best(now, self._timeouts.silent)
        self._switch_if_live(best, now)
        current, candidate = connections.current, connections.candidate
        if current is None and best is not None:
            connections.current = self._open(best, now)
            self._log_change("feed_opened")
        elif candidate is not None and (best is None or candidate.session.key != best.key):
            self._drop_candidate(candidate, now)
        elif (
            candidate is None
            and best is not None
            and current is not None
            and best.key != current.session.key
        ):
            self._replace(current, best, now)
        self._note_unfollowed()

    def _replace(self, current: RunningConnection, best: FeedSession, now: float) -> None:
        """Open a connection on a better session; the current one goes on until its prices come.

        If it has all the sockets that the broker allows, it is closed first.
        """
        if self._feeds.has_room(best):
            self._connections.candidate = self._open(best, now)
            return
        self._rest_if_silent(current, now)
        self._close(current)
        self._connections.current = self._open(best, now)
        self._log_change("feed_changed")

    def _remove_ended(self, now: float) -> None:
        """Remove the connections that ended, and those whose session is over."""
        keys = {session.key for session in self._connections.sessions}
        for run in self._connections.running():
            if run.task.done():
                self._note_end(run, now)
            elif run.session.key in keys:
                continue
            self._close(run)
            if run is self._connections.current:
                # The candidate replaces it at once, with or without prices.
                self._connections.current = self._connections.candidate
                self._log_change("feed_lost")
            self._connections.candidate = None

    def _switch_if_live(self, best: FeedSession | None, now: float) -> None:
        """Use the candidate from now on, if its prices come."""
        current, candidate = self._connections.current, self._connections.candidate
        for run in self._connections.running():
            if run.live_since is not None and now - run.live_since > self._timeouts.settled:
                self._connections.history_of(run.session).failures = 0
        if candidate is None or current is None or not candidate.connection.is_live:
            return
        if best is None or best.key != candidate.session.key:
            return
        self._rest_if_silent(current, now)
        self._close(current)
        self._connections.current, self._connections.candidate = candidate, None
        self._log_change("feed_changed")

    def _drop_candidate(self, candidate: RunningConnection, now: float) -> None:
        self._rest_if_silent(candidate, now)
        self._close(candidate)
        self._connections.candidate = None

    def _rest_if_silent(self, run: RunningConnection, now: float) -> None:
        if run.is_silent_for(self._timeouts.silent, now):
            self._connections.history_of(run.session).rest(now, self._timeouts)

    def _open(self, session: FeedSession, now: float) -> RunningConnection:
        connection = self._feeds.connection(session, partial(self._record, session.broker))
        connection.follow(self._stocks)
        task: asyncio.Task[bool] = asyncio.create_task(connection.run(), name="price-connection")
        return RunningConnection(session, connection, task, now)

    def _close(self, run: RunningConnection) -> None:
        run.task.cancel()
        self._ending.add(run.task)
        run.task.add_done_callback(self._on_closed)

    def _on_closed(self, task: asyncio.Task[bool]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("feed_line_failed", error=type(error).__name__)

    def _record(self, broker: str, tokens: Whole, units: Whole, seconds: Whole) -> None:
        if self._book is not None:
            self._book.record_ticks(tokens, units, seconds, broker)

    def _note_end(self, run: RunningConnection, now: float) -> None:
        """Note that a connection ended: its session is over, or is not used for a while."""
        history = self._connections.history_of(run.session)
        if run.is_refused:
            history.is_over = True
        else:
            history.rest(now, self._timeouts)
        log.warning("feed_line_ended", broker=run.session.broker, is_over=run.is_refused)

    def _log_change(self, event: str) -> None:
        log.info(event, source=self.name)
        self._note_unfollowed()

    def _note_unfollowed(self) -> None:
        current = self._connections.current
        unfollowed = current.connection.left_out if current is not None else frozenset()
        if unfollowed != self._unfollowed:
            self._unfollowed = unfollowed
            log.warning("prices_unfollowed", source=self.name, instruments=len(unfollowed))
