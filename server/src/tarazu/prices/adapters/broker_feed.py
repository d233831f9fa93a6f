"""Prices from the brokers: one line at a time, on the best session that carries them.

A line that is silent for too long is given up for one on the next session, of whichever broker,
once that one speaks: no gap is made. The better session is tried again after a rest, longer each
time, and taken back when it speaks. A session that ended is never tried again.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeVar

import structlog

from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.prices.adapters.source import Book, Whole

log = structlog.get_logger()


class Chosen(Protocol):
    """A session that can carry prices. `key` is another one when its tokens are."""

    @property
    def key(self) -> str: ...
    @property
    def broker(self) -> str: ...


class Line(Protocol):
    """Prices by one session."""

    @property
    def is_live(self) -> bool:
        """Whether the broker says something now."""

    @property
    def left_out(self) -> frozenset[int]:
        """Tokens of what is to be followed and cannot be."""

    def follow(self, stocks: Collection[Listed]) -> None:
        """Deliver the prices of exactly these from now on."""

    async def run(self) -> bool:
        """Carry prices until cancelled, or until the session is let in no more.

        Returns:
            Whether another try makes sense later: not with a session that is over.
        """


Deliver = Callable[[Whole, Whole, Whole], None]
"""Takes tokens, ten-thousandths of a rupee, and the seconds of the trades."""


S = TypeVar("S", bound=Chosen)


class Feeds(Protocol[S]):
    """The way to the brokers' live prices."""

    def sessions(self, now: dt.datetime) -> Sequence[S]:
        """The sessions that can carry prices now, the best first. Called in a worker thread."""

    def line(self, chosen: S, deliver: Deliver) -> Line:
        """A line on a session; nothing is opened before it runs."""

    def has_room(self, chosen: S) -> bool:
        """Whether the broker allows another socket for it beside those that are open."""

    async def aclose(self) -> None:
        """Close what is left open."""


@dataclass(frozen=True, slots=True)
class FeedTimeouts:
    """Seconds.

    Attributes:
        look: between two looks at which sessions there are.
        step: between two looks at how the lines do.
        dark: how long a line may be silent before another is tried.
        rest: how long a session that failed is left alone; doubled each time, up to `longest`.
        settled: after so long without a break earlier failures are forgotten.
    """

    look: float = 2.0
    step: float = 0.5
    dark: float = 15.0
    rest: float = 60.0
    longest: float = 960.0
    settled: float = 300.0


@dataclass(slots=True)
class _Run(Generic[S]):
    """A line that is running. `dark_since` and `live_since` are by the event loop's clock."""

    chosen: S
    line: Line
    task: asyncio.Task[bool]
    dark_since: float | None
    live_since: float | None = None

    def look(self, now: float) -> None:
        """Note whether the line speaks."""
        if self.line.is_live:
            self.dark_since = None
            self.live_since = now if self.live_since is None else self.live_since
        else:
            self.live_since = None
            self.dark_since = now if self.dark_since is None else self.dark_since

    def is_dark_for(self, seconds: float, now: float) -> bool:
        return self.dark_since is not None and now - self.dark_since > seconds


@dataclass(slots=True)
class _Past:
    """What is known of a session by its lines: how often they failed, and until when it rests."""

    failures: int = 0
    rests_until: float = 0.0
    is_over: bool = False


@dataclass(slots=True)
class _Lines(Generic[S]):
    """The line in use, and one that may take its place once it speaks."""

    current: _Run[S] | None = None
    rising: _Run[S] | None = None
    known: Sequence[S] = ()
    past: dict[str, _Past] = field(default_factory=dict)

    def running(self) -> list[_Run[S]]:
        return [run for run in (self.current, self.rising) if run is not None]


class BrokerFeed(Generic[S]):
    """A source that follows the brokers, by whichever session there is; none is none."""

    def __init__(self, feeds: Feeds[S], patience: FeedTimeouts | None = None) -> None:
        self._feeds, self._patience = feeds, patience or FeedTimeouts()
        self._lines: _Lines[S] = _Lines()
        self._stocks: Collection[Listed] = ()
        self._book: Book | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[bool]] = set()
        self._unfollowed: frozenset[int] = frozenset()

    @property
    def name(self) -> str | None:
        """The broker whose prices come; None while no session carries any."""
        current = self._lines.current
        return None if current is None else current.chosen.broker

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""
        current = self._lines.current
        return current is not None and current.line.is_live

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens that the broker in use does not carry."""
        return self._unfollowed

    async def start(self, book: Book) -> None:
        """Begin to look for sessions, and to record what they carry."""
        self._book = book
        self._task = asyncio.create_task(self._watch(), name="broker-prices")

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these from now on."""
        self._stocks = stocks
        for run in self._lines.running():
            run.line.follow(stocks)
        self._note_unfollowed()

    async def stop(self) -> None:
        """Close every line; record nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for run in self._lines.running():
            self._end(run)
        self._lines = _Lines()
        await asyncio.gather(*self._ending, return_exceptions=True)
        await self._feeds.aclose()

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        looked_at = -self._patience.look
        while True:
            if loop.time() - looked_at >= self._patience.look:
                looked_at = loop.time()
                await self._look_for_sessions()
            try:
                self._arrange(loop.time())
            except Exception as error:
                # Logged, not raised: without this loop no session would ever be looked for again.
                log.exception("feed_not_arranged", error=type(error).__name__)
                await asyncio.sleep(self._patience.look)
            tasks = [run.task for run in self._lines.running()]
            if tasks:
                await asyncio.wait(
                    tasks, timeout=self._patience.step, return_when=asyncio.FIRST_COMPLETED
                )
            else:
                await asyncio.sleep(self._patience.step)

    async def _look_for_sessions(self) -> None:
        try:
            self._lines.known = await asyncio.to_thread(self._feeds.sessions, clock.now())
        except Exception as error:
            # The database may be away for a while: the lines that run go on.
            log.exception("feed_sessions_unknown", error=type(error).__name__)
            return
        keys = {one.key for one in self._lines.known}
        past = self._lines.past
        self._lines.past = {key: kept for key, kept in past.items() if key in keys}

    def _arrange(self, now: float) -> None:
        """Bring the lines to what the sessions, and the lines themselves, say."""
        for run in self._lines.running():
            run.look(now)
        self._drop_ended(now)
        best = self._best(now)
        self._promote(best, now)
        current, rising = self._lines.current, self._lines.rising
        if current is None and best is not None:
            self._lines.current = self._begin(best, now)
            self._tell("feed_opened")
        elif rising is not None and (best is None or rising.chosen.key != best.key):
            self._fail(rising, now)
        elif (
            rising is None
            and best is not None
            and current is not None
            and best.key != current.chosen.key
        ):
            self._replace(current, best, now)
        self._note_unfollowed()

    def _replace(self, current: _Run[S], best: S, now: float) -> None:
        """Begin a line on a better session; the one in use goes on until that one speaks.

        Where it has all the sockets that the broker allows, it is closed first.
        """
        if self._feeds.has_room(best):
            self._lines.rising = self._begin(best, now)
            return
        if current.is_dark_for(self._patience.dark, now):
            self._let_rest(current, now)
        self._end(current)
        self._lines.current = self._begin(best, now)
        self._tell("feed_changed")

    def _drop_ended(self, now: float) -> None:
        """Take out the lines that ended by themselves, and those whose session is over."""
        keys = {one.key for one in self._lines.known}
        for run in self._lines.running():
            if run.task.done():
                self._judge(run, now)
            elif run.chosen.key in keys:
                continue
            self._end(run)
            if run is self._lines.current:
                # What was to take its place does so at once, speaking or not.
                self._lines.current, self._lines.rising = self._lines.rising, None
                self._tell("feed_lost")
            else:
                self._lines.rising = None

    def _best(self, now: float) -> S | None:
        """The best session that neither rests nor is silent; the line in use where there is none."""
        for one in self._lines.known:
            past = self._lines.past.get(one.key, _Past())
            if past.is_over or past.rests_until > now or self._is_silent(one, now):
                continue
            return one
        if self._lines.current is not None:
            return self._lines.current.chosen
        open_to_try = [one for one in self._lines.known if not self._past_of(one).is_over]
        return min(open_to_try, key=lambda one: self._past_of(one).rests_until, default=None)

    def _is_silent(self, one: S, now: float) -> bool:
        runs = [run for run in self._lines.running() if run.chosen.key == one.key]
        return any(run.is_dark_for(self._patience.dark, now) for run in runs)

    def _promote(self, best: S | None, now: float) -> None:
        """Let a line that speaks take the place of the one in use."""
        current, rising = self._lines.current, self._lines.rising
        for run in self._lines.running():
            if run.live_since is not None and now - run.live_since > self._patience.settled:
                self._past(run).failures = 0
        if rising is None or current is None or not rising.line.is_live:
            return
        if best is None or best.key != rising.chosen.key:
            return
        if current.is_dark_for(self._patience.dark, now):
            self._let_rest(current, now)
        self._end(current)
        self._lines.current, self._lines.rising = rising, None
        self._tell("feed_changed")

    def _fail(self, rising: _Run[S], now: float) -> None:
        """Give up a line that did not come to speak, or is not wanted any more."""
        if rising.is_dark_for(self._patience.dark, now):
            self._let_rest(rising, now)
        self._end(rising)
        self._lines.rising = None

    def _let_rest(self, run: _Run[S], now: float) -> None:
        past = self._past(run)
        rest = min(self._patience.rest * 2**past.failures, self._patience.longest)
        past.failures, past.rests_until = past.failures + 1, now + rest

    def _begin(self, chosen: S, now: float) -> _Run[S]:
        line = self._feeds.line(chosen, partial(self._record, chosen.broker))
        line.follow(self._stocks)
        task: asyncio.Task[bool] = asyncio.create_task(line.run(), name="price-line")
        return _Run(chosen, line, task, now)

    def _end(self, run: _Run[S]) -> None:
        run.task.cancel()
        self._ending.add(run.task)
        run.task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[bool]) -> None:
        self._ending.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("feed_line_failed", error=type(error).__name__)

    def _record(self, broker: str, tokens: Whole, units: Whole, seconds: Whole) -> None:
        if self._book is not None:
            self._book.record_ticks(tokens, units, seconds, broker)

    def _past(self, run: _Run[S]) -> _Past:
        return self._lines.past.setdefault(run.chosen.key, _Past())

    def _past_of(self, one: S) -> _Past:
        return self._lines.past.get(one.key, _Past())

    def _judge(self, run: _Run[S], now: float) -> None:
        """What follows from a line that ended by itself. One that broke down may be tried again."""
        task = run.task
        is_over = not task.cancelled() and task.exception() is None and not task.result()
        if is_over:
            self._past(run).is_over = True
        else:
            self._let_rest(run, now)
        log.warning("feed_line_ended", broker=run.chosen.broker, is_over=is_over)

    def _tell(self, event: str) -> None:
        log.info(event, source=self.name)
        self._note_unfollowed()

    def _note_unfollowed(self) -> None:
        current = self._lines.current
        left_out = current.line.left_out if current is not None else frozenset()
        if left_out != self._unfollowed:
            self._unfollowed = left_out
            log.warning("prices_unfollowed", source=self.name, instruments=len(left_out))
