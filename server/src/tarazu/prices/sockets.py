"""Prices to browsers: what moved, four times a second, and a sign of life every five.

Of several processes one leads: it alone runs the source, and what it sends to its browsers goes
over the bus to the others, which book it and write the same bytes to theirs. A process that hears
nothing from the leader reads what the leader saves until it does.
"""

import asyncio
import contextlib
import datetime as dt
import json
import time
import uuid
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import partial

import structlog
from sqlalchemy.orm import Session

from tarazu.auth import guards
from tarazu.auth import service as auth
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.auth_route import NotSignedIn
from tarazu.kit.db import Database
from tarazu.kit.leases import Alone, Lead, Lease
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Member, SocketHub, frame_of
from tarazu.prices import service
from tarazu.prices.adapters.simulated import SIMULATED
from tarazu.prices.adapters.source import Source
from tarazu.prices.book import PriceBook, PriceRows
from tarazu.prices.relay import PRICES, WANTED, PriceSubscription, Word, packed, unpacked

log = structlog.get_logger()

FRAME_EVERY = 0.25
TICK_EVERY = 0.01
"""Seconds between two looks whether a price moved."""
LOOK_EVERY = 0.5
HEARTBEAT_EVERY = 5.0
FOLLOW_EVERY = 2.0
LEAD_EVERY = 0.25
"""Seconds between two looks whether this process leads."""
TELL_EVERY = 2.0
"""Seconds between two words of the leader while nothing moves."""
SILENT_AFTER = 5.0
"""Seconds without a word of the leader after which prices are read from the database."""
MOST_BEHIND = 4
"""Frames that may wait to be written; for more of them, browsers get the whole once."""
MOST_NAMED = 1000
"""Instruments that a heartbeat names as not followed."""

Followed = Callable[[Session], set[uuid.UUID]]
"""Answers with the instruments that somebody holds or watches."""


class SessionGuard:
    """Lets in the holder of a live session, and tells when it has ended."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings = database, settings

    def admit(self, token: str) -> Member:
        """The holder of a live token.

        Raises:
            SessionExpired: the token is dead.
            PasswordChangeRequired, SecondFactorDue: something must be set up first.
        """
        caller = guards.caller_of_token(self._database, self._settings, token)
        if caller.account_id is None:
            raise NotSignedIn
        return Member(caller.account_id, caller.session_id, token)

    def ended(self, tokens: Collection[str]) -> set[str]:
        """Those of `tokens` whose session has ended; looking does not keep a session alive."""
        now = clock.now()
        with self._database.reading() as session:
            ended = set(tokens) - auth.live_tokens(session, self._settings, tokens, now)
        if ended:
            with self._database.transaction() as session:
                auth.end_expired(session, self._settings, ended, now)
        return ended


class FeedState(StrEnum):
    """How the prices come."""

    LIVE = "LIVE"
    CLOSED = "CLOSED"
    """The market is closed and nothing trades: the last prices are the newest that there are."""
    DOWN = "DOWN"
    """There is a source, and it says nothing."""
    NONE = "NONE"
    """There is no source: no broker is logged in."""


class PriceFeed:
    """Sends to the hub what moves: of its own source where it leads, else what the leader tells.

    Args:
        followed: asked every two seconds, so that a new holding or watch joins soon.
        lead: whether this process runs the source.
        bus: the way to the other processes; None for a process alone.
    """

    def __init__(
        self,
        database: Database,
        hub: SocketHub,
        source: Source,
        followed: Followed,
        lead: Lead | None = None,
        bus: MessageBus | None = None,
    ) -> None:
        self._database, self._hub, self._source = database, hub, source
        self._followed, self._lead = followed, lead or Alone()
        self._book = PriceBook()
        self._stocks: dict[uuid.UUID, Listed] = {}
        self._tokens: frozenset[int] = frozenset()
        self._joined: set[int] = set()
        self._holidays: frozenset[dt.date] = frozenset()
        self._beaten: tuple[FeedState, str | None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        # Whatever is written to browsers, booked and written in one order.
        self._turn = asyncio.Lock()
        self._is_leading = False
        self._saved = service.Saved(database)
        self._relay = _Relay(bus) if bus is not None and bus.is_shared else None

    def start(self) -> None:
        """Begin; on the event loop. The start of the application does not wait for prices."""
        if isinstance(self._lead, Lease):
            self._lead.note = self._note
            self._lead.start()
        if self._relay is not None:
            self._relay.loop = asyncio.get_running_loop()
        self._tasks = [asyncio.create_task(self._run(), name="prices")]

    async def stop(self) -> None:
        """Send nothing more, let the source record nothing more, and let another process lead."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
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
        """Whose prices come, as `Teller.name`."""
        return self._standing.name

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""
        return self._standing.is_live

    @property
    def unfollowed(self) -> frozenset[int]:
        """Tokens that the source does not carry."""
        return self._standing.unfollowed

    @property
    def _standing(self) -> PriceSubscription:
        """How the feed does: the own source's, else the leader's, by the bus or by its note."""
        if self._is_leading or isinstance(self._lead, Alone):
            source = self._source
            return PriceSubscription(source.name, source.is_live, source.unfollowed)
        if self._relay is not None and self._relay.is_heard:
            return self._relay.standing
        seen = self._lead.seen if isinstance(self._lead, Lease) else None
        note = seen.note if seen is not None else {}
        return PriceSubscription(
            note.get("source"), bool(note.get("live")) and self._is_trading(clock.now())
        )

    def state(self, now: dt.datetime) -> FeedState:
        """How the prices come at this moment."""
        standing = self._standing
        if standing.name is None:
            return FeedState.NONE
        is_open = self._is_trading(now) or service.is_market_open(now, self._holidays)
        # The simulated market never closes.
        if standing.name != SIMULATED and not is_open:
            return FeedState.CLOSED
        return FeedState.LIVE if standing.is_live else FeedState.DOWN

    def _is_trading(self, now: dt.datetime) -> bool:
        heard_at = self._book.heard_at
        return heard_at is not None and now - heard_at <= service.OLD_AFTER

    def _note(self) -> dict[str, object]:
        """What stands beside the lease, for processes that the bus does not reach."""
        return {"source": self._source.name, "live": self._source.is_live}

    def _beat(self) -> bytes:
        """A sign of life: whose prices stand on the screens, and how old the newest of them is.

        Without a source it names who told the newest price that is known; nobody, where none did.
        """
        now = clock.now()
        state, standing = self.state(now), self._standing
        teller, newest_at = service.teller_of_newest(self._book)
        unfollowed = sorted(standing.unfollowed & self._tokens)[:MOST_NAMED]
        body = {
            "at": now.isoformat(timespec="milliseconds"),
            "source": standing.name or teller,
            "live": state is FeedState.LIVE,
            "state": state,
            "pricesAt": newest_at.isoformat(timespec="milliseconds") if newest_at else None,
            "unfollowed": unfollowed,
        }
        self._beaten = (state, standing.name)
        return frame_of("ticks:heartbeat", json.dumps(body))

    def _whole(self) -> bytes:
        """All followed prices that are known."""
        return _ticks(self._book.units(self._tokens))

    def _greeting(self) -> Iterable[bytes]:
        return (self._whole(), self._beat())

    async def _run(self) -> None:
        while True:
            if await _attempt(self._prepare):
                break
            await asyncio.sleep(FOLLOW_EVERY)
        await self._look_at_lead()
        timed: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (HEARTBEAT_EVERY, self._send_beat),
            (LOOK_EVERY, self._send_news),
            (FOLLOW_EVERY, self._follow),
            (TELL_EVERY, self._keep_others_informed),
        ]
        if isinstance(self._lead, Lease):
            timed.append((LEAD_EVERY, self._look_at_lead))
        for every, act in timed:
            self._tasks.append(asyncio.create_task(_repeat(every, act), name=act.__name__))
        self._tasks.append(asyncio.create_task(self._send_what_moves(), name="ticks"))
        if self._relay is not None:
            self._tasks.append(asyncio.create_task(self._pass_on(self._relay), name="relay"))
            self._relay.ask()

    async def _prepare(self) -> None:
        self._book = await asyncio.to_thread(self._open_book)
        self._book.is_saved_here = isinstance(self._lead, Alone)
        await self._follow()
        self._hub.initial_frames = self._greeting

    async def _look_at_lead(self) -> None:
        """Run the source exactly as long as this process leads."""
        if self._lead.is_held == self._is_leading:
            return
        self._is_leading = not self._is_leading
        self._book.is_saved_here = self._is_leading
        if self._is_leading:
            if self._relay is not None:
                self._relay.lead(self._lead.term)
            self._source.subscribe(list(self._stocks.values()))
            await self._source.start(self._book)
        else:
            await self._source.stop()
            if self._relay is not None:
                # What the next leader said until now was not listened to.
                self._relay.ask()

    async def _send_what_moves(self) -> None:
        """At once where nothing was sent just now, else when a frame may go out again."""
        seen = -1
        while True:
            is_asked = self._is_leading and self._relay is not None and self._relay.is_asked
            if self._book.version == seen and not self._joined and not is_asked:
                await asyncio.sleep(TICK_EVERY)
                continue
            seen = self._book.version
            await _attempt(self._send_changes)
            await asyncio.sleep(FRAME_EVERY)

    async def _send_changes(self) -> None:
        async with self._turn:
            changed = self._book.take_changed()
            joined, self._joined = self._joined, set()
            moved = self._book.units((changed | joined) & self._tokens)
            frame = _ticks(moved) if moved else b""
            self._tell(frame)
            if frame:
                await self._hub.broadcast(frame, self._whole)

    def _tell(self, frame: bytes) -> None:
        """Tell the other processes what came, and what goes to the browsers for it.

        The rows are taken after the frame was made: they are as new as the frame, or newer.
        """
        if self._relay is not None and self._is_leading:
            whole = self._tokens if self._relay.take_asked() else ()
            told = self._book.take_untold(whole)
            # All that was asked for is more than this frame: the others find out what moved.
            frame = b"" if whole else frame
            self._relay.say(self._standing, self._book.heard_at, told, frame)

    async def _keep_others_informed(self) -> None:
        """As the leader, be heard and read; as another, read what was saved while nothing is heard."""
        if self._is_leading:
            self._tell(b"")
            await asyncio.to_thread(service.save_if_wanted, self._database)
        elif self._relay is None or not self._relay.is_heard:
            await asyncio.to_thread(self._saved.read, self._book)

    async def _pass_on(self, relay: "_Relay") -> None:
        """Book and write what the leader tells, word by word."""
        while True:
            await relay.has_come.wait()
            relay.has_come.clear()
            while relay.come:
                waiting = len(relay.come) if len(relay.come) > MOST_BEHIND else 1
                words = [relay.come.popleft() for _ in range(waiting)]
                if not self._is_leading:
                    await _attempt(partial(self._take_in, words))

    async def _take_in(self, words: Collection[Word]) -> None:
        async with self._turn:
            frames: list[bytes] = []
            for word in words:
                is_as_told = self._book.take_told(word.told, is_shown=bool(word.frame))
                if word.heard_at is not None:
                    self._book.note_heard(word.heard_at)
                if word.frame:
                    # Where something newer is known here, nobody is sent what is older.
                    frames.append(word.frame if is_as_told else self._whole())
            if frames:
                frame = frames[0] if len(frames) == 1 else self._whole()
                await self._hub.broadcast(frame, self._whole)

    async def _save(self) -> None:
        await asyncio.to_thread(service.save_last_prices, self._database)

    async def _send_beat(self) -> None:
        await self._hub.broadcast(self._beat())

    async def _send_news(self) -> None:
        """Say at once when prices begin or cease to come, or come from somebody else."""
        if self._beaten not in {None, (self.state(clock.now()), self._standing.name)}:
            self._tell(b"")
            await self._send_beat()

    async def _follow(self) -> None:
        """Take in what is followed by now."""
        stocks = await asyncio.to_thread(self._read_followed)
        if stocks == self._stocks:
            return
        tokens = frozenset(one.instrument_token for one in stocks.values())
        self._joined |= tokens - self._tokens
        self._stocks, self._tokens = stocks, tokens
        if self._is_leading:
            self._source.subscribe(list(stocks.values()))
        log.info("prices_followed", instruments=len(tokens))

    def _open_book(self) -> PriceBook:
        with self._database.reading() as session:
            return service.book_of(session)

    def _read_followed(self) -> dict[uuid.UUID, Listed]:
        with self._database.reading() as session:
            self._holidays = frozenset(firm.holidays(session))
            wanted = self._followed(session)
            # A share may have another token, symbol or token of Angel One's than when it was read.
            names = instruments.names(session)
            known = {
                key: stock
                for key, stock in self._stocks.items()
                if key in wanted and names.get(key) == stock.name_at_brokers
            }
            new = instruments.by_ids(session, wanted - known.keys())
            unpriced = {one.instrument_token for one in new.values()} - self._book.tokens()
            if unpriced:
                # Listed after the book was filled: its last close must not be missing.
                service.fill(session, self._book)
            return known | new


class _Relay:
    """The leader's words: said by the process that leads, heard in order by the others."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self.loop: asyncio.AbstractEventLoop | None = None
        self.come: deque[Word] = deque()
        self.has_come = asyncio.Event()
        self.standing = PriceSubscription()
        self.is_asked = False
        self._own_term = self._said = 0
        self._term = self._number = 0
        self._heard_at = -SILENT_AFTER
        bus.subscribe(PRICES, self._hear)
        bus.subscribe(WANTED, self._hear_asked)
        bus.on_change(lambda is_up: self.ask() if is_up else None)

    @property
    def is_heard(self) -> bool:
        """Whether the leader was heard just now."""
        return self._bus.is_up and time.monotonic() - self._heard_at < SILENT_AFTER

    def lead(self, term: int) -> None:
        """Be the one who speaks from now on; what earlier leaders still say is void."""
        self._own_term, self._said = term, 0
        self._term = max(self._term, term)

    def ask(self) -> None:
        """Ask the leader, whoever it is, for all prices."""
        self._bus.publish(WANTED, b"")

    def take_asked(self) -> bool:
        """Whether somebody asked for all prices since the last time."""
        is_asked, self.is_asked = self.is_asked, False
        return is_asked

    def say(
        self,
        standing: PriceSubscription,
        heard_at: dt.datetime | None,
        told: PriceRows,
        frame: bytes,
    ) -> None:
        """Tell the other processes."""
        self._said += 1
        word = Word(self._own_term, self._said, standing, heard_at, told, frame)
        self._bus.publish(PRICES, packed(word), to_others_only=True)

    def _hear_asked(self, _: bytes) -> None:
        self.is_asked = True

    def _hear(self, body: bytes) -> None:
        """In the bus's thread: hand a word of another process to the event loop."""
        if self.loop is not None:
            # RuntimeError: the loop is closed; nobody is shown anything any more.
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._receive, unpacked(body))

    def _receive(self, word: Word) -> None:
        if word.term < self._term:
            return
        if (word.term, word.number) != (self._term, self._number + 1):
            self.ask()  # something was missed
        self._term, self._number = word.term, word.number
        self.standing, self._heard_at = word.standing, time.monotonic()
        self.come.append(word)
        self.has_come.set()


def _ticks(units: Mapping[int, int]) -> bytes:
    rows = (f'"{token}":{_as_number(price)}' for token, price in units.items())
    return frame_of("ticks", "{" + ",".join(rows) + "}")


def _as_number(units: int) -> str:
    """Ten-thousandths of a rupee as a JSON number in rupees, exact."""
    whole, part = divmod(units, 10_000)
    return f"{whole}.{part:04d}".rstrip("0") if part else str(whole)


async def _repeat(every: float, act: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(every)
        await _attempt(act)


async def _attempt(act: Callable[[], Awaitable[None]]) -> bool:
    """Whether it could be done."""
    try:
        await act()
    except Exception as error:
        # Logged, not raised: the caller does it again at its next time.
        log.exception(
            "prices_failed", step=getattr(act, "__name__", ""), error=type(error).__name__
        )
        return False
    return True
