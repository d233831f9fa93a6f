"""An installation with log-ins at the simulated brokers, and the feed that uses them."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from decimal import Decimal

import pytest

from tarazu.brokers import service as brokers
from tarazu.brokers.gateway import BrokerGateway
from tarazu.brokers.market_feeds import MarketFeeds
from tarazu.brokers.protocol.port import BrokerSession
from tarazu.brokers.protocol.ticker_connection import TickerTimeouts
from tarazu.brokers.sessions.live import seal_tokens
from tarazu.brokers.tables import BrokerName, BrokerStatus, ClientSession, FirmSession
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, new_id
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import NewPerson
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.connection import FeedTimeouts
from tarazu.prices.feed.selection import BrokerFeed
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault, Login

QUICK = TickerTimeouts(quiet=0.4, ping=0.2, first_retry=0.05, longest_retry=0.1)
IMPATIENT = FeedTimeouts(look=0.1, step=0.02, silent=0.6, rest=0.8, longest=3.2, settled=60)
USERS = {KITE: ("AB1234", "AB1235"), ANGEL: ("A123456", "A123457")}


def settings_for(settings: Settings, simulator: Simulator) -> Settings:
    """The same settings, with the brokers simulated."""
    return settings.model_copy(
        update={
            "allow_loopback_brokers": True,
            "zerodha_ticker_url": simulator.kite_ticker,
            "angel_ticker_url": simulator.angel_stream,
        }
    )


def stock(token: int, exchange: str = "NSE", angel_token: str | None = None) -> Listed:
    """An instrument; Angel One's token is left to the rule."""
    named = f"S{token}"
    return Listed(
        uuid.UUID(int=token), exchange, named, named, "", "", Decimal("0.05"), 1, token,
        angel_token, Decimal(100), dt.date(2026, 11, 20),
    )  # fmt: skip


@dataclass
class Market:
    """Both brokers' records, log-ins there, and a feed that is quick to despair."""

    simulator: Simulator
    database: Database
    settings: Settings
    gateway: BrokerGateway

    def add_brokers(self) -> None:
        world = self.simulator.world
        with self.database.transaction() as session:
            for name in (BrokerName.ZERODHA, BrokerName.ANGEL_ONE):
                entered = brokers.BrokerFields(
                    api_key=world.api_keys[name],
                    api_secret="s" * 16,
                    api_url=self.simulator.url,
                    status=BrokerStatus.ACTIVE,
                )
                brokers.add_broker(session, self.settings, SYSTEM, clock.now(), name, entered)

    def log_in_firm(self, broker: str, until: dt.datetime | None = None) -> uuid.UUID:
        """A session of the firm's own; its id."""
        user, token, login = self._log_in(broker, 0)
        with self.database.transaction() as session:
            kept = FirmSession(
                id=new_id(),
                broker=broker,
                broker_user_id=user,
                account_id=None,
                connected_at=clock.now(),
                expires_at=until or login.expires_at,
                ended_at=None,
            )
            opened = BrokerSession(user, token, login.expires_at, "", login.feed)
            seal_tokens(session, kept, opened)
            session.add(kept)
            return kept.id

    def log_in_client(
        self, broker: str, *, is_confirmed: bool = True, has_feed: bool = True
    ) -> uuid.UUID:
        """A session of a client of the firm; its id."""
        user, token, login = self._log_in(broker, 1)
        now = clock.now()
        with self.database.transaction() as session:
            person = NewPerson("Kavya Menon", f"{uuid.uuid4().hex[:8]}@home.example")
            (client,) = people.add_clients(session, SYSTEM, now, [person])
            kept = ClientSession(
                id=new_id(),
                client_id=client.id,
                broker=broker,
                broker_user_id=user,
                connected_at=now,
                expires_at=login.expires_at,
                ended_at=None,
                confirmed_at=now if is_confirmed else None,
            )
            feed_token = login.feed if has_feed else ""
            seal_tokens(session, kept, BrokerSession(user, token, login.expires_at, "", feed_token))
            session.add(kept)
            return kept.id

    def end(self, session_id: uuid.UUID) -> None:
        """The session is over, as after a log-out."""
        with self.database.transaction() as session:
            brokers.mark_session_dead(session, session_id, clock.now())

    def is_ended(self, session_id: uuid.UUID) -> bool:
        with self.database.reading() as session:
            kept = session.get(FirmSession, session_id) or session.get(ClientSession, session_id)
            assert kept is not None
            return kept.ended_at is not None

    def break_down(self, broker: str) -> None:
        """The broker's sockets break, and no handshake succeeds until `mend`."""
        door = "kite ticker" if broker == KITE else "angel stream"
        self.simulator.world.faults += [Fault(door, "503"), Fault(f"{broker} frame", "drop")]

    def mend(self) -> None:
        self.simulator.world.faults.clear()

    @asynccontextmanager
    async def feed(
        self, stocks: Collection[Listed], book: PriceBook, patience: FeedTimeouts = IMPATIENT
    ) -> AsyncIterator[BrokerFeed]:
        """A feed that records into `book`, until the end of the `with`."""
        feeds = MarketFeeds(self.settings, self.database, self.gateway, QUICK)
        source = BrokerFeed(feeds, patience)
        source.subscribe(stocks)
        await source.start(book)
        try:
            yield source
        finally:
            async with asyncio.timeout(30):
                await source.stop()

    def _log_in(self, broker: str, number: int) -> tuple[str, str, Login]:
        user = USERS[broker][number]
        token, login = self.simulator.world.log_in(user)
        return user, token, login


@pytest.fixture
def market(simulator: Simulator, settings: Settings, database: Database) -> Iterator[Market]:
    """Both brokers at the simulator, which ticks every twentieth of a second."""
    simulator.world.tick_every = 0.05
    simulated = settings_for(settings, simulator)
    gateway = BrokerGateway(simulated, database)
    made = Market(simulator, database, simulated, gateway)
    made.add_brokers()
    yield made
    gateway.close()
