"""A stock that is added or bought has prices at once: a commit wakes the feed, no clock does."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from decimal import Decimal

import pytest

from tarazu.app import open_database
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.leases import Lease
from tarazu.kit.pubsub import MessageBus
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import SocketHub
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding
from tarazu.prices import service
from tarazu.prices.feed import broadcast
from tarazu.prices.feed.broadcast import PriceFeed
from tarazu.prices.feed.simulated import SimulatedPrices
from tarazu.prices.jobs import Listener
from tarazu.prices.sockets import SessionGuard
from tests.people_of import Desk
from tests.redis_of import OwnRedis, answered_within, redis

__all__ = ["answered_within", "redis"]

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "SWEEP_EVERY", 3600.0)


class Screen(SocketHub):
    """A hub that keeps the frames it writes."""

    frames: list[bytes]

    async def broadcast(self, frame: bytes, whole: Callable[[], bytes] | None = None) -> None:
        self.frames.append(frame)

    def shows(self, token: int) -> bool:
        ticks = [frame[frame.index(b"42[") + 2 :] for frame in self.frames if b'"ticks",' in frame]
        return any(str(token) in json.loads(tick)[1] for tick in ticks)


async def until(is_so: Callable[[], object], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - another thread makes it so
            await asyncio.sleep(0.02)


@asynccontextmanager
async def feed_of(
    database: Database, settings: Settings, bus: MessageBus, lead: Lease | None = None
) -> AsyncIterator[Screen]:
    hub = Screen(SessionGuard(database, settings), "", bus)
    hub.frames = []
    feed = PriceFeed(
        database,
        hub,
        SimulatedPrices(1),
        lambda session: portfolio.held_instruments(session) | instruments.watched(session),
        lead,
        bus,
    )
    bus.start()
    feed.start()
    try:
        await until(lambda: feed.leads)
        yield hub
    finally:
        await feed.stop()
        await asyncio.to_thread(bus.stop)


async def test_a_stock_just_added_has_a_price_by_its_commit(
    database: Database, settings: Settings, admin: Desk
) -> None:
    async with feed_of(database, settings, MessageBus()) as screen:
        added = admin.post("/instruments/add", {"symbolName": "INFY", "exchange": "NSE"})

        await until(lambda: screen.shows(added.json()["data"]["ZERODHA"]["instrumentToken"]))


async def test_a_stock_just_bought_has_a_price_by_its_commit(
    database: Database, settings: Settings, admin: Desk
) -> None:
    client_id = uuid.UUID(admin.add_client())
    async with feed_of(database, settings, MessageBus()) as screen:
        token = buy(database, client_id, "TCS")

        await until(lambda: screen.shows(token))


async def test_a_stock_bought_in_another_process_has_a_price_by_its_commit(
    database: Database, settings: Settings, admin: Desk, redis: OwnRedis
) -> None:
    client_id = uuid.UUID(admin.add_client())
    lead = Lease(database, service.FEED_LEASE)
    async with feed_of(database, settings, MessageBus(redis.url, "one", "feed"), lead) as screen:
        other = open_database(settings)
        bus = MessageBus(redis.url, "one", "worker")
        Listener(other, bus)
        bus.start()
        try:
            await until(lambda: bus.is_up)
            token = buy(other, client_id, "TCS")

            await until(lambda: screen.shows(token))
        finally:
            await asyncio.to_thread(bus.stop)
            other.dispose()


def buy(database: Database, client_id: uuid.UUID, symbol: str) -> int:
    """Have a client hold five shares; the token of the stock."""
    with database.transaction() as session:
        listed = instruments.by_symbol(session, "NSE", symbol)
        held = {listed.id: NewHolding(5, Decimal(100))}
        portfolio.replace_holdings(session, SYSTEM, clock.now(), client_id, held, "ZERODHA")
    return listed.instrument_token
