"""Prices of the one process that has the feed, in the books and on the screens of the others."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.leases import Lease, lease_state
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import SocketHub
from tarazu.prices import service
from tarazu.prices.book import EPOCH, MICROSECOND, PriceBook, PriceRows
from tarazu.prices.feed.broadcast import PriceFeed
from tarazu.prices.feed.relay import FeedStatus, PriceMessage, pack, unpack
from tarazu.prices.jobs import Listener
from tarazu.prices.sockets import SessionGuard
from tarazu.prices.tables import LastPrice
from tests.redis_of import OwnRedis, answered_within, redis
from tests.rows_of import scalars

__all__ = ["answered_within", "redis"]

pytestmark = pytest.mark.anyio

AT = dt.datetime(2026, 11, 20, 6, 0, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)

numbers = st.integers(0, 2**62)
rows = st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 2)), max_size=20)
moments = st.integers(0, 2**52).map(lambda one: EPOCH + one * MICROSECOND)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@given(
    rows=rows,
    frame=st.binary(max_size=200),
    name=st.none() | st.text(max_size=9),
    unfollowed=st.frozensets(numbers, max_size=5),
    last_tick_at=st.none() | moments,
)
def test_a_message_arrives_as_it_was_sent(
    rows: list[tuple[int, ...]],
    frame: bytes,
    name: str | None,
    unfollowed: frozenset[int],
    last_tick_at: dt.datetime | None,
) -> None:
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    told = PriceRows(columns[0], columns[1], columns[2], columns[3], ("A", "ZERODHA", "₹"))
    word = PriceMessage(7, 8, FeedStatus(name, True, unfollowed), last_tick_at, told, frame)

    back = unpack(pack(word))

    assert (back.term, back.number, back.status) == (7, 8, word.status)
    assert (back.last_tick_at, back.frame, back.rows.sources) == (last_tick_at, frame, told.sources)
    for column in ("tokens", "units", "at", "source"):
        assert getattr(back.rows, column).tolist() == getattr(told, column).tolist()


def told_of(prices: dict[int, int], at: dt.datetime) -> PriceRows:
    book = PriceBook()
    book.record(prices, at, "ZERODHA")
    return book.take_unpublished()


def test_each_price_is_sent_once_and_an_unchanged_one_is_not_sent() -> None:
    book = PriceBook()
    book.record({1: 10, 2: 20}, AT, "ZERODHA")
    first = book.take_unpublished()
    book.record({1: 10}, AT, "ZERODHA")
    nothing = book.take_unpublished()
    book.record({2: 20}, AT + SECOND, "ANGEL_ONE")
    later = book.take_unpublished()
    whole = book.take_unpublished([1, 2, 3])

    assert sorted(first.tokens.tolist()) == [1, 2]
    assert nothing.tokens.tolist() == []
    assert later.tokens.tolist() == [2]
    assert later.sources[int(later.source[0])] == "ANGEL_ONE"
    assert sorted(whole.tokens.tolist()) == [1, 2]


def test_a_book_takes_no_older_price_from_another_and_says_so() -> None:
    book = PriceBook()
    assert book.merge(told_of({1: 10, 2: 20}, AT), is_shown=False)
    book.take_changed()
    book.record({1: 11}, AT + 2 * SECOND, "ZERODHA")
    book.take_changed()

    is_as_told = book.merge(told_of({1: 12, 2: 21}, AT + SECOND), is_shown=False)

    assert not is_as_told
    assert book.units([1, 2]) == {1: 11, 2: 21}
    assert book.take_changed() == {2}
    quote = book.quotes([2])[2]
    assert (quote.price, quote.at, quote.source) == (Decimal("0.0021"), AT + SECOND, "ZERODHA")


def test_what_browsers_were_shown_already_does_not_count_as_changed() -> None:
    book, before = PriceBook(), 0
    book.merge(told_of({1: 10}, AT), is_shown=True)

    assert book.take_changed() == set()
    assert book.version > before
    assert 1 in book.unsaved()


class Market:
    """A source that trades on request, and only while it runs."""

    unfollowed: frozenset[int] = frozenset()
    running = 0
    most_running = 0

    def __init__(self, name: str = "ZERODHA") -> None:
        self.name, self._book = name, None
        self.book: PriceBook | None = None

    @property
    def is_live(self) -> bool:
        return self.book is not None

    async def start(self, book: PriceBook) -> None:
        self.book = book
        Market.running += 1
        Market.most_running = max(Market.running, Market.most_running)

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Everything is traded."""

    async def stop(self) -> None:
        if self.book is not None:
            self.book = None
            Market.running -= 1

    def trade(self, prices: dict[int, int], at: dt.datetime) -> None:
        assert self.book is not None
        self.book.record(prices, at, self.name)


class Written(SocketHub):
    """A hub that keeps what it writes."""

    frames: list[bytes]

    async def broadcast(self, frame: bytes, whole: Callable[[], bytes] | None = None) -> None:
        self.frames.append(frame)
        await super().broadcast(frame, whole)

    def ticks(self) -> list[dict[str, float]]:
        told = [frame[frame.index(b"42[") + 2 :] for frame in self.frames if b'"ticks",' in frame]
        return [json.loads(one)[1] for one in told]

    def shows(self, token: int, price: float) -> bool:
        """Whether a browser was ever shown this price."""
        return any(tick.get(str(token)) == price for tick in self.ticks())

    def beats(self) -> list[dict[str, object]]:
        told = [
            frame[frame.index(b"42[") + 2 :] for frame in self.frames if b"ticks:heartbeat" in frame
        ]
        return [json.loads(one)[1] for one in told]


@dataclass
class Process:
    """What one process has of all this."""

    database: Database
    bus: MessageBus
    hub: Written
    market: Market
    lease: Lease
    feed: PriceFeed

    @property
    def book(self) -> PriceBook:
        return self.feed._book


class Installation:
    """Processes over one database, started one after the other."""

    def __init__(self, settings: Settings, redis_url: str) -> None:
        self.settings, self.redis_url = settings, redis_url
        with self.opened() as database, database.reading() as session:
            listed = [instruments.by_symbol(session, "NSE", one) for one in ("INFY", "TCS")]
        self.infy, self.tcs = (one.instrument_token for one in listed)
        self._ids = {one.id for one in listed}

    def opened(self) -> "Opened":
        return Opened(Database(self.settings.resolved_database_url))

    @asynccontextmanager
    async def process(self, name: str) -> AsyncIterator[Process]:
        with self.opened() as database:
            bus = MessageBus(self.redis_url, "one", name)
            hub = Written(SessionGuard(database, self.settings), "", bus)
            hub.frames = []
            market, lease = Market(), Lease(database, service.FEED_LEASE, owner=f"far:{name}:x")
            feed = PriceFeed(database, hub, market, lambda _: set(self._ids), lease, bus)
            bus.start()
            feed.start()
            try:
                await until(lambda: feed._tasks[1:] and (bus.is_up or not bus.is_shared))
                yield Process(database, bus, hub, market, lease, feed)
            finally:
                await feed.stop()
                await asyncio.to_thread(bus.stop)


class Opened:
    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Database:
        return self.database

    def __exit__(self, *_: object) -> None:
        self.database.dispose()


async def until(there: Callable[[], object], seconds: float = 120) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not there():
        assert loop.time() < end, f"not within {seconds} s"
        await asyncio.sleep(0.02)


@pytest.fixture
def shared(settings: Settings, redis: OwnRedis) -> Installation:
    Market.running = Market.most_running = 0
    return Installation(settings, redis.url)


async def test_a_frame_of_the_leader_is_written_by_the_other_as_it_is(
    shared: Installation,
) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        async with shared.process("2") as second:
            now = clock.now()
            await until(lambda: second.feed._relay and second.feed._relay.is_receiving)
            first.market.trade({shared.infy: 15_000_000, shared.tcs: 32_000_500}, now)
            await until(lambda: second.hub.shows(shared.infy, 1500))
            first.market.trade({shared.infy: 15_010_000}, now + SECOND)
            await until(lambda: second.hub.shows(shared.infy, 1501))
            await until(second.hub.beats)

            assert not second.feed.leads
            assert [frame for frame in second.hub.frames if b'"ticks",' in frame][
                -1
            ] in first.hub.frames
            for token in (shared.infy, shared.tcs):
                assert first.book.quotes([token]) == second.book.quotes([token])
            assert (second.feed.name, second.feed.is_live) == ("ZERODHA", True)
            assert second.hub.beats()[-1]["source"] == "ZERODHA"
            assert second.book.last_tick_at == first.book.last_tick_at


async def test_nobody_is_shown_an_older_price_than_the_process_knows(shared: Installation) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        async with shared.process("2") as second:
            now = clock.now()
            await until(lambda: second.feed._relay and second.feed._relay.is_receiving)
            second.book.record({shared.infy: 15_030_000}, now + 3 * SECOND, "ZERODHA")
            await until(lambda: second.hub.shows(shared.infy, 1503))
            first.market.trade({shared.infy: 15_010_000, shared.tcs: 32_000_000}, now + SECOND)
            await until(lambda: second.book.units([shared.tcs]) == {shared.tcs: 32_000_000})
            await until(lambda: second.hub.shows(shared.tcs, 3200))

            assert first.hub.shows(shared.infy, 1501)
            assert not second.hub.shows(shared.infy, 1501)


async def test_a_process_that_missed_a_message_gets_all_prices(shared: Installation) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        async with shared.process("2") as second:
            relay = second.feed._relay
            assert relay is not None
            await until(lambda: relay.is_receiving)
            now = clock.now()
            relay.loop = None  # nothing is handed on: it is as if the word were lost
            first.market.trade({shared.infy: 15_555_000}, now)
            await until(lambda: first.hub.shows(shared.infy, 1555.5))
            relay.loop = asyncio.get_running_loop()
            first.market.trade({shared.tcs: 31_000_000}, now)
            await until(lambda: second.hub.shows(shared.infy, 1555.5))

            assert second.book.units([shared.infy]) == {shared.infy: 15_555_000}


async def test_a_late_process_receives_prices_that_are_not_saved_yet(shared: Installation) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        first.market.trade({shared.infy: 14_440_000}, clock.now())
        async with shared.process("2") as second:
            await until(lambda: second.book.units([shared.infy]) == {shared.infy: 14_440_000})


async def test_messages_of_an_earlier_leader_are_ignored(shared: Installation) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        async with shared.process("2") as second:
            relay = second.feed._relay
            assert relay is not None
            await until(lambda: relay.is_receiving)
            late = PriceMessage(
                0, 1, FeedStatus("ANGEL_ONE"), None, told_of({shared.infy: 1}, clock.now())
            )
            relay.receive(late)
            await asyncio.sleep(0.1)

            assert second.book.units([shared.infy]) != {shared.infy: 1}
            assert second.feed.name == "ZERODHA"


@pytest.mark.on_both(suite="long")
async def test_one_leads_at_a_time_and_what_it_brought_is_saved_by_it_alone(
    shared: Installation,
) -> None:
    def saved(database: Database) -> set[Decimal]:
        return set(scalars(database, select(LastPrice.price)))

    async with shared.process("2") as second:
        await until(lambda: second.feed.leads)
        async with shared.process("1") as first:
            leader, other = second, first
            leader.market.trade({shared.infy: 15_000_000}, clock.now())
            await until(lambda: other.book.units([shared.infy]) == {shared.infy: 15_000_000})
            by_other = await asyncio.to_thread(service.save_last_prices, other.database)
            before = saved(other.database)
            await leader.feed.stop()
            after = saved(other.database)
            await until(lambda: other.feed.leads)
            other.market.trade({shared.infy: 15_020_000}, clock.now())
            by_heir = await asyncio.to_thread(service.save_last_prices, other.database)

            assert (by_other, before, after) == (0, set(), {Decimal(1500)})
            assert by_heir >= 1
            assert Decimal(1502) in saved(other.database)
            assert other.lease.term == leader.lease.term + 1
    assert Market.most_running == 1
    assert Market.running == 0


async def test_without_a_bus_the_other_reads_what_the_leader_saves(settings: Settings) -> None:
    apart = Installation(settings, "")
    async with apart.process("1") as first:
        await until(lambda: first.feed.leads)
        async with apart.process("2") as second:
            first.market.trade({apart.infy: 15_000_000}, clock.now())
            await until(lambda: second.hub.shows(apart.infy, 1500))

            await until(lambda: (second.feed.name, second.feed.is_live) == ("ZERODHA", True))
            assert not second.feed.leads


async def test_a_worker_knows_the_prices_of_the_feed_by_the_bus(shared: Installation) -> None:
    async with shared.process("1") as first:
        await until(lambda: first.feed.leads)
        first.market.trade({shared.infy: 14_000_000}, clock.now())
        with shared.opened() as database:
            bus = MessageBus(shared.redis_url, "one", "worker")
            listener = Listener(database, bus)
            bus.start()
            await until(lambda: bus.is_up)
            book = service.book_in(database)
            await until(lambda: book.units([shared.infy]) == {shared.infy: 14_000_000})
            first.market.trade({shared.tcs: 31_000_000}, clock.now())
            await until(lambda: book.units([shared.tcs]) == {shared.tcs: 31_000_000})
            listener.look_after()
            await asyncio.to_thread(bus.stop)
            with database.reading() as session:
                wished = lease_state(session, service.READERS)

    assert wished is None  # it was heard, so nothing needed to be saved for it


async def test_a_worker_without_a_bus_has_the_feed_save_and_reads_it(settings: Settings) -> None:
    apart = Installation(settings, "")
    async with apart.process("1") as first:
        await until(lambda: first.feed.leads)
        with apart.opened() as database:
            listener, book = Listener(database, MessageBus()), service.book_in(database)
            listener.look_after()
            first.market.trade({apart.infy: 13_000_000}, clock.now())

            def is_known() -> bool:
                listener.look_after()
                return book.units([apart.infy]) == {apart.infy: 13_000_000}

            await until(is_known)
