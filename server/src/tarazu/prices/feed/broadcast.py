"""Prices to browsers: what changed, at most four times a second, and a heartbeat every five seconds.

One price's way, without polling:

1. `TickerConnection` receives a frame from the broker.
2. The broker's ticker protocol reads its ticks as arrays into a `TickBatch`.
3. `FeedConnection` delivers the batch; `PriceBook.record_ticks` merges it and calls `on_change`.
4. `PriceFeed` wakes, takes what changed since its last frame and formats it once.
5. It publishes rows and frame on the message bus, for the other processes (`PriceRelay`).
6. `SocketHub.broadcast` writes the same bytes to every browser.
7. The browser's price store merges the frame, and draws the cells of these tokens.

Of several processes one leads and runs the source. The others receive its frames over the bus, or
read what the leader saves while they receive nothing.
"""

import asyncio
import contextlib
import datetime as dt
import json
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import partial

import structlog

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.leases import Alone, Lead, Lease
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.sockets import SocketHub, frame_of
from tarazu.prices import service
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.followed import (
    FOLLOWED_CHANGED,
    FollowedIds,
    FollowedStocks,
    publish_changes,
)
from tarazu.prices.feed.relay import FeedStatus, PriceMessage, PriceRelay
from tarazu.prices.feed.simulated import SIMULATED
from tarazu.prices.feed.source import TickSource

log = structlog.get_logger()

FRAME_EVERY = 0.25
"""Least seconds between two frames."""
READ_EVERY = 1.0
"""Least seconds between two readings of what is followed: many commits in a row share one."""
STATE_EVERY = 0.5
"""Seconds between two checks whether prices have stopped, which no event reports."""
HEARTBEAT_EVERY = 5.0
RETRY_EVERY = 2.0
SWEEP_EVERY = 10.0
"""Seconds after which the followed stocks are read without a wake-up: advice grows too old to follow
with time alone, and a command line, or a process without Redis, cannot wake this one."""
LEAD_EVERY = 0.25
"""Seconds between two checks whether this process leads."""
INFORM_EVERY = 2.0
"""Seconds between two messages of the leader while no price changes."""
MAX_QUEUED = 4
"""Received frames that may wait to be written; if there are more, browsers get all prices once."""
MAX_UNFOLLOWED = 1000
"""Instruments that a heartbeat lists as not followed."""


class FeedState(StrEnum):
    """How the prices come."""

    LIVE = "LIVE"
    CLOSED = "CLOSED"
    """The market is closed and nothing trades: the last prices are the newest that there are."""
    DOWN = "DOWN"
    """There is a source, and it sends nothing."""
    NONE = "NONE"
    """There is no source: no broker is logged in."""


class PriceFeed:
    """Sends changed prices to the hub: of its own source if it leads, else those of the leader.

    Args:
        followed: returns the instruments to follow; called after commits that may change them.
        lead: whether this process runs the source.
        bus: to the other processes, not started yet; None for a single process.
    """

    def __init__(
        self,
        database: Database,
        hub: SocketHub,
        source: TickSource,
        followed: FollowedIds,
        lead: Lead | None = None,
        bus: MessageBus | None = None,
    ) -> None:
        self._database, self._hub, self._source = database, hub, source
        self._lead = lead or Alone()
        self._followed = FollowedStocks(database, followed)
        self._book = PriceBook()
        self._added: frozenset[int] = frozenset()
        self._last_heartbeat: tuple[FeedState, str | None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._prices_changed, self._followed_changed = asyncio.Event(), asyncio.Event()
        # Frames are booked and written one after the other.
        self._write_lock = asyncio.Lock()
        self._is_leading = False
        self._saved = service.SavedPrices(database)
        bus = bus or MessageBus()
        self._relay = PriceRelay(bus, self._wake_sender) if bus.is_shared else None
        bus.subscribe(FOLLOWED_CHANGED, lambda _: self._set(self._followed_changed))
        publish_changes(database, bus)

    def start(self) -> None:
        """Start the feed on the event loop. The application does not wait for prices."""
        self._loop = asyncio.get_running_loop()
        if isinstance(self._lead, Lease):
            self._lead.note = self._lease_note
            self._lead.start()
        if self._relay is not None:
            self._relay.loop = self._loop
        self._tasks = [asyncio.create_task(self._run(), name="prices")]

    async def stop(self) -> None:
        """Stop sending and recording, and let another process lead."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._book.on_change = None
        if self._is_leading:
            await self._source.stop()
            if isinstance(self._lead, Lease):
                await _attempt(self._save)
        if isinstance(self._lead, Lease):
            await asyncio.to_thread(self._lead.stop)

    @property
    def leads(self) -> bool:
        """Whether this process runs the source."""
        return self._is_leading

    @property
    def name(self) -> str | None:
        """Whose prices come: ZERODHA, ANGEL_ONE or SIMULATED; None without a source."""
        return self._status.name

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""
        return self._status.is_live

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens that the source does not carry."""
        return self._status.unfollowed

    @property
    def _status(self) -> FeedStatus:
        """Of the own source, else of the leader: by the bus, or by the note on its lease."""
        if self._is_leading or isinstance(self._lead, Alone):
            source = self._source
            return FeedStatus(source.name, source.is_live, source.unfollowed)
        if self._relay is not None and self._relay.is_receiving:
            return self._relay.status
        seen = self._lead.seen if isinstance(self._lead, Lease) else None
        note = seen.note if seen is not None else {}
        return FeedStatus(note.get("source"), bool(note.get("live")) and self._flows(clock.now()))

    def state(self, now: dt.datetime) -> FeedState:
        """How the prices come at this moment."""
        status = self._status
        if status.name is None:
            return FeedState.NONE
        is_open = self._flows(now) or service.is_market_open(now, self._followed.holidays)
        # The simulated market never closes.
        if status.name != SIMULATED and not is_open:
            return FeedState.CLOSED
        return FeedState.LIVE if status.is_live else FeedState.DOWN

    def _flows(self, now: dt.datetime) -> bool:
        at = self._book.last_tick_at
        return at is not None and now - at <= service.OLD_AFTER

    def _lease_note(self) -> dict[str, object]:
        """What the lease says to processes that the bus does not reach."""
        return {"source": self._source.name, "live": self._source.is_live}

    def _heartbeat(self) -> bytes:
        """The frame that says whose prices are on the screens, and how old the newest of them is.

        Without a source it names the source of the newest known price, if any.
        """
        now = clock.now()
        state, status = self.state(now), self._status
        newest_source, newest_at = service.source_of_newest(self._book)
        unfollowed = sorted(status.unfollowed & self._followed.tokens)[:MAX_UNFOLLOWED]
        body = {
            "at": now.isoformat(timespec="milliseconds"),
            "source": status.name or newest_source,
            "live": state is FeedState.LIVE,
            "state": state,
            "pricesAt": newest_at.isoformat(timespec="milliseconds") if newest_at else None,
            "unfollowed": unfollowed,
        }
        self._last_heartbeat = (state, status.name)
        return frame_of("ticks:heartbeat", json.dumps(body))

    def _all_prices(self) -> bytes:
        """The frame with every followed price that is known."""
        return _ticks(self._book.units(self._followed.tokens))

    def _initial_frames(self) -> Iterable[bytes]:
        return (self._all_prices(), self._heartbeat())

    def _wake_sender(self) -> None:
        self._set(self._prices_changed)

    def _set(self, changed: asyncio.Event) -> None:
        """Set an event of the feed's loop, from any thread."""
        if self._loop is not None and not changed.is_set():
            # RuntimeError: the loop is closed, as the process stops.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(changed.set)

    async def _run(self) -> None:
        while True:
            if await _attempt(self._prepare):
                break
            await asyncio.sleep(RETRY_EVERY)
        await self._update_lead()
        timed: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (HEARTBEAT_EVERY, self._send_heartbeat),
            (STATE_EVERY, self._send_new_state),
            (INFORM_EVERY, self._inform_others),
        ]
        if isinstance(self._lead, Lease):
            timed.append((LEAD_EVERY, self._update_lead))
        for every, action in timed:
            self._tasks.append(asyncio.create_task(_repeat(every, action), name=action.__name__))
        self._tasks.append(asyncio.create_task(self._follow_changes(), name="followed-stocks"))
        self._tasks.append(asyncio.create_task(self._send_when_changed(), name="ticks"))
        if self._relay is not None:
            self._tasks.append(asyncio.create_task(self._forward(self._relay), name="relay"))
            self._relay.request_whole()

    async def _prepare(self) -> None:
        self._book = await asyncio.to_thread(self._open_book)
        self._book.is_saved_here = isinstance(self._lead, Alone)
        self._book.on_change = self._wake_sender
        await self._follow()
        self._hub.initial_frames = self._initial_frames
        self._prices_changed.set()

    async def _update_lead(self) -> None:
        """Run the source exactly as long as this process leads."""
        if self._lead.is_held == self._is_leading:
            return
        self._is_leading = not self._is_leading
        self._book.is_saved_here = self._is_leading
        if self._is_leading:
            if self._relay is not None:
                self._relay.lead(self._lead.term)
            self._source.subscribe(list(self._followed.stocks.values()))
            await self._source.start(self._book)
        else:
            await self._source.stop()
            if self._relay is not None:
                # The next leader's messages were ignored until now.
                self._relay.request_whole()

    async def _follow_changes(self) -> None:
        """Read what is followed as soon as a commit may have changed it."""
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._followed_changed.wait(), SWEEP_EVERY)
            self._followed_changed.clear()
            await _attempt(self._follow)
            await asyncio.sleep(READ_EVERY)

    async def _follow(self) -> None:
        stocks = await asyncio.to_thread(self._followed.read, self._book)
        if stocks == self._followed.stocks:
            return
        self._added |= self._followed.replace(stocks)
        if self._is_leading:
            self._source.subscribe(list(stocks.values()))
        self._prices_changed.set()
        log.info("prices_followed", instruments=len(self._followed.tokens))

    async def _send_when_changed(self) -> None:
        """Send at once if no frame was sent just now, else when the next one may be sent."""
        while True:
            await self._prices_changed.wait()
            self._prices_changed.clear()
            await _attempt(self._send_changes)
            await asyncio.sleep(FRAME_EVERY)

    async def _send_changes(self) -> None:
        async with self._write_lock:
            changed = self._book.take_changed()
            added, self._added = self._added, frozenset()
            units = self._book.units((changed | added) & self._followed.tokens)
            frame = _ticks(units) if units else b""
            self._publish(frame)
            if frame:
                await self._hub.broadcast(frame, self._all_prices)

    def _publish(self, frame: bytes) -> None:
        """Send the other processes what is new in the book, and the frame made from it.

        The rows are taken after the frame was made, so they are as new as the frame or newer.
        """
        if self._relay is not None and self._is_leading:
            requested = self._followed.tokens if self._relay.take_request() else ()
            rows = self._book.take_unpublished(requested)
            # All prices are more than this frame, so the others make frames of what changed there.
            frame = b"" if requested else frame
            self._relay.send(self._status, self._book.last_tick_at, rows, frame)

    async def _inform_others(self) -> None:
        """Show that the leader is alive; as another process, read saved prices if it is silent."""
        if self._is_leading:
            self._publish(b"")
            await asyncio.to_thread(service.save_if_wanted, self._database)
        elif self._relay is None or not self._relay.is_receiving:
            await asyncio.to_thread(self._saved.read, self._book)

    async def _forward(self, relay: PriceRelay) -> None:
        """Book the leader's messages and write their frames to this process's browsers."""
        while True:
            await relay.has_received.wait()
            relay.has_received.clear()
            while relay.received:
                count = len(relay.received) if len(relay.received) > MAX_QUEUED else 1
                messages = [relay.received.popleft() for _ in range(count)]
                if not self._is_leading:
                    await _attempt(partial(self._take_in, messages))

    async def _take_in(self, messages: Collection[PriceMessage]) -> None:
        async with self._write_lock:
            frames: list[bytes] = []
            for message in messages:
                is_same = self._book.merge(message.rows, is_shown=bool(message.frame))
                if message.last_tick_at is not None:
                    self._book.note_tick(message.last_tick_at)
                if message.frame:
                    # If this process knows a newer price, its browsers do not get the older one.
                    frames.append(message.frame if is_same else self._all_prices())
            if frames:
                frame = frames[0] if len(frames) == 1 else self._all_prices()
                await self._hub.broadcast(frame, self._all_prices)

    async def _save(self) -> None:
        await asyncio.to_thread(service.save_last_prices, self._database)

    async def _send_heartbeat(self) -> None:
        await self._hub.broadcast(self._heartbeat())

    async def _send_new_state(self) -> None:
        """Send a heartbeat at once when prices start, stop or come from another source."""
        if self._last_heartbeat not in {None, (self.state(clock.now()), self._status.name)}:
            self._publish(b"")
            await self._send_heartbeat()

    def _open_book(self) -> PriceBook:
        with self._database.reading() as session:
            return service.book_of(session)


def _ticks(units: Mapping[int, int]) -> bytes:
    rows = (f'"{token}":{_as_number(price)}' for token, price in units.items())
    return frame_of("ticks", "{" + ",".join(rows) + "}")


def _as_number(units: int) -> str:
    """Ten-thousandths of a rupee as a JSON number in rupees, exact."""
    whole, part = divmod(units, 10_000)
    return f"{whole}.{part:04d}".rstrip("0") if part else str(whole)


async def _repeat(every: float, action: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(every)
        await _attempt(action)


async def _attempt(action: Callable[[], Awaitable[None]]) -> bool:
    """Whether it succeeded."""
    try:
        await action()
    except Exception as error:
        # Logged, not raised: the caller tries again later.
        log.exception(
            "prices_failed", step=getattr(action, "__name__", ""), error=type(error).__name__
        )
        return False
    return True
