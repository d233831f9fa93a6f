"""`AppState`: the objects that live as long as a serving process, one of each."""

from dataclasses import dataclass

from tarazu.approvals import service as approvals
from tarazu.auth import guards
from tarazu.auth.guards import KnownSessions
from tarazu.book_runs.worker import BookRunWorker
from tarazu.brokers.gateway import BrokerGateway
from tarazu.kit import clock
from tarazu.kit.alarms import Alarms
from tarazu.kit.auth_route import Authenticate, RefuseUnseen
from tarazu.kit.concurrency import ConcurrencyLimiter
from tarazu.kit.db import Database
from tarazu.kit.downloads import FindApproval
from tarazu.kit.pubsub import MessageBus, pubsub_of
from tarazu.kit.rate_limit import InRedis, Limiter
from tarazu.kit.response_cache import ResponseCache
from tarazu.kit.schedule import Schedule
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Progress, SocketHub
from tarazu.prices.sockets import SessionGuard
from tarazu.sync.running import Syncs
from tarazu.upkeep.feed_health import FeedParts
from tarazu.upkeep.soundness import DatabaseWatch


@dataclass
class AppState:
    """What routes reach as `request.app.state`."""

    settings: Settings
    database: Database
    authenticate: Authenticate
    refuse_unseen: RefuseUnseen
    find_approval: FindApproval
    bus: MessageBus
    limits: Limiter
    known_sessions: KnownSessions
    hub: SocketHub
    broker_gateway: BrokerGateway
    syncs: Syncs
    books: BookRunWorker
    alarms: Alarms
    watch: DatabaseWatch
    response_cache: ResponseCache
    read_limiter: ConcurrencyLimiter
    # Of a running process only.
    feed_parts: FeedParts | None = None
    schedule: Schedule | None = None


def build_state(settings: Settings, database: Database) -> AppState:
    """The state of an application that is not started yet."""
    bus = pubsub_of(settings, database)
    hub = SocketHub(SessionGuard(database, settings), settings.public_url, bus)
    bus.subscribe(guards.SESSIONS, lambda _: hub.wake())
    gateway, alarms = BrokerGateway(settings, database), Alarms()

    def publish(progress: Progress) -> None:
        hub.publish_progress(None, progress)

    return AppState(
        settings=settings,
        database=database,
        authenticate=guards.authenticate,
        refuse_unseen=guards.refuse_unseen,
        find_approval=approvals.find_approval,
        bus=bus,
        limits=Limiter(settings.rate_limit_scale, shared=InRedis(bus) if bus.is_shared else None),
        known_sessions=KnownSessions(database, settings, bus),
        hub=hub,
        broker_gateway=gateway,
        syncs=Syncs(database, gateway, clock.now, publish),
        books=BookRunWorker(database, clock.now, publish),
        alarms=alarms,
        watch=DatabaseWatch(settings, database, alarms),
        response_cache=ResponseCache(),
        # SQLite works in the thread of the caller; PostgreSQL works while the thread waits.
        read_limiter=ConcurrencyLimiter(1 if database.is_sqlite else 4),
    )
