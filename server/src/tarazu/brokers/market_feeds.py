"""Live prices from the brokers: the sessions that can carry them, and a connection with one.

Market prices are the same for everyone, so one session serves all: the firm's own, else a
client's. If a connection is refused, a call checks the session, so that only a dead one is marked
as ended; one without market prices stays. The socket libraries are loaded with the first
connection, so that they do not slow the start.
"""

import asyncio
import datetime as dt
import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

import structlog

from tarazu.brokers import broker_settings
from tarazu.brokers.protocol import token_mapping
from tarazu.brokers.protocol.port import BrokerFault, Denied, FeedInstrument, SessionDead
from tarazu.brokers.sessions import queries as session_queries
from tarazu.brokers.sessions.calls import Gateway, ask_broker
from tarazu.brokers.sessions.live import LiveBrokerSession, open_stored
from tarazu.brokers.tables import BrokerName
from tarazu.kit import clock, security
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings

if TYPE_CHECKING:
    from tarazu.brokers.http_client import BrokerHttpClient
    from tarazu.brokers.protocol.ticker import Ticker
    from tarazu.brokers.protocol.ticker_connection import TickerTimeouts
    from tarazu.brokers.protocol.ticks import Deliver, TickerProtocol

log = structlog.get_logger()

MAX_SESSIONS = 10
"""Of each broker, separately for the firm and for clients: more would not make the feed safer."""


class FollowedStock(Protocol):
    """An instrument to be followed; `instrument_token` is Zerodha's."""

    @property
    def instrument_token(self) -> int: ...
    @property
    def exchange(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def angel_token(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class FeedSession:
    """A session that can carry prices. `key` is another one when its tokens are."""

    id: uuid.UUID
    broker: str
    key: str = field(repr=False)


class MarketFeeds:
    """The brokers' live prices, for one event loop."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        gateway: Gateway,
        timing: "TickerTimeouts | None" = None,
    ) -> None:
        self._settings, self._database, self._gateway = settings, database, gateway
        self._timing = timing
        self._http: BrokerHttpClient | None = None
        self._connections: WeakSet[FeedConnection] = WeakSet()
        self._rooms: dict[object, asyncio.Semaphore] = {}

    def open_sockets(self) -> dict[str, int]:
        """Sockets that are open now, by broker; a broker without any is left out."""
        sockets = Counter[str]()
        for connection in list(self._connections):
            sockets[connection.broker] += connection.open_sockets
        return {broker: count for broker, count in sockets.items() if count}

    def sessions(self, now: dt.datetime) -> list[FeedSession]:
        """The sessions that can carry prices now, the best first. For a thread that may wait."""
        with self._database.reading() as session:
            rows = session_queries.sessions_for_prices(session, now, MAX_SESSIONS)
            usable = set(broker_settings.usable_brokers(session)) if rows else set()
        return [
            FeedSession(row_id, broker, f"{row_id}:{security.token_digest(sealed)}")
            for row_id, broker, sealed in rows
            if broker in usable
        ]

    def connection(self, chosen: FeedSession, deliver: "Deliver") -> "FeedConnection":
        """A connection with a session; nothing is opened before it runs."""
        connection = FeedConnection(self, chosen, deliver)
        self._connections.add(connection)
        return connection

    def has_room(self, chosen: FeedSession) -> bool:
        """Whether the broker allows another socket for a session beside those that are open."""
        room = self._rooms.get(_room_key(chosen))
        return room is None or not room.locked()

    async def aclose(self) -> None:
        """Close what is left open. A later connection opens a new one."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    def open_session(self, chosen: FeedSession) -> LiveBrokerSession | None:
        """The session with its tokens; None if it ended or changed meanwhile."""
        with self._database.reading() as session:
            stored = session_queries.session_for_prices(session, chosen.id)
            if stored is None or stored.ended_at is not None:
                return None
            return open_stored(session, stored)

    def ticker(self, chosen: FeedSession, live: LiveBrokerSession, deliver: "Deliver") -> "Ticker":
        """The sockets of a session, not opened yet.

        Those of all sessions together are no more than the broker allows: a connection that replaces
        another opens as many as are free, and the rest once that one has closed.
        """
        from tarazu.brokers.angel.smartapi_stream import (  # noqa: PLC0415 - see above
            STREAM_URL,
            SmartApiStream,
        )
        from tarazu.brokers.host_rules import HostRules  # noqa: PLC0415
        from tarazu.brokers.http_client import BrokerHttpClient  # noqa: PLC0415
        from tarazu.brokers.protocol.ticker import Ticker  # noqa: PLC0415
        from tarazu.brokers.zerodha.kite_ticker import (  # noqa: PLC0415
            TICKER_URL,
            KiteTicker,
        )

        if self._http is None:
            self._http = BrokerHttpClient(HostRules.of(self._settings))
        if live.broker == BrokerName.ZERODHA:
            location = self._settings.zerodha_ticker_url or TICKER_URL
            protocol: TickerProtocol = KiteTicker(live.app, live.login, location)
        else:
            location = self._settings.angel_ticker_url or STREAM_URL
            protocol = SmartApiStream(live.app, live.login, location)
        room = self._rooms.setdefault(_room_key(chosen), asyncio.Semaphore(protocol.most_sockets))
        return Ticker(protocol, self._http, deliver, self._timing, room=room)

    def is_dead(self, live: LiveBrokerSession) -> bool:
        """Whether the broker knows a session no more, by a call; a dead one is marked as ended.

        One that may be renewed is renewed by that, and has other tokens then.
        """
        try:
            ask_broker(
                self._database,
                self._gateway,
                live,
                lambda broker, login: broker.profile(login),
                clock.now(),
            )
        except SessionDead:
            return True
        except BrokerFault as fault:
            log.warning("feed_session_unknown", broker=live.broker, reason=fault.reason)
        return False


class FeedConnection:
    """Prices by one session, for as long as it carries them."""

    def __init__(self, feeds: MarketFeeds, chosen: FeedSession, deliver: "Deliver") -> None:
        self._feeds, self._chosen, self._deliver = feeds, chosen, deliver
        self._ticker: Ticker | None = None
        self._instruments: list[FeedInstrument] = []
        self._unknown: frozenset[int] = frozenset()

    @property
    def broker(self) -> str:
        """Whose prices they are."""
        return self._chosen.broker

    @property
    def open_sockets(self) -> int:
        """How many sockets are open."""
        return 0 if self._ticker is None else self._ticker.open_sockets

    @property
    def is_live(self) -> bool:
        """Whether a socket is open and says something."""
        return self._ticker is not None and self._ticker.is_live

    @property
    def left_out(self) -> frozenset[int]:
        """Tokens of what is to be followed and cannot be: the broker has no token, or no room."""
        return self._unknown | (self._ticker.left_out if self._ticker else frozenset())

    def follow(self, stocks: Collection[FollowedStock]) -> None:
        """Deliver the prices of exactly these from now on."""
        instruments = {
            stock.instrument_token: feed_instrument_of(stock, self._chosen.broker)
            for stock in stocks
        }
        self._instruments = [
            instrument for instrument in instruments.values() if instrument is not None
        ]
        self._unknown = frozenset(
            token for token, instrument in instruments.items() if instrument is None
        )
        if self._ticker is not None:
            self._ticker.follow(self._instruments)

    async def run(self) -> bool:
        """Carry prices until cancelled, or until the broker refuses the session.

        Returns:
            Whether another try makes sense later: not with a session that is over.
        """
        live = await asyncio.to_thread(self._feeds.open_session, self._chosen)
        if live is None:
            return False
        ticker = self._feeds.ticker(self._chosen, live, self._deliver)
        ticker.follow(self._instruments)
        self._ticker = ticker
        try:
            await ticker.run()
        except SessionDead:
            return not await asyncio.to_thread(self._feeds.is_dead, live)
        except Denied as denied:
            log.warning("feed_address_refused", broker=self._chosen.broker, reason=denied.reason)
            return True
        finally:
            self._ticker = None


def _room_key(chosen: FeedSession) -> object:
    """What the broker limits sockets by: Zerodha by the firm's app, Angel One by the person."""
    return chosen.broker if chosen.broker == BrokerName.ZERODHA else chosen.id


def feed_instrument_of(stock: FollowedStock, broker: str) -> FeedInstrument | None:
    """An instrument as a broker knows it; None where its tokens contradict each other.

    Angel One's token that is not written down follows from Zerodha's. One that by the rule
    belongs to another instrument is not used: its prices would be of that other one.
    """
    token, known = stock.instrument_token, stock.angel_token or ""
    if broker == BrokerName.ANGEL_ONE:
        bridged = token_mapping.zerodha_token(stock.exchange, known) if known else token
        known = known or token_mapping.angel_token(stock.exchange, token)
        if not known or bridged not in {None, token}:
            return None
    return FeedInstrument(token, stock.exchange, stock.symbol, known)
