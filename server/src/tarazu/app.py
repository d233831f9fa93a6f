"""create_app(settings): puts the parts together."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy.orm import Session

from tarazu import migrations, worker
from tarazu.advice import routes as advice
from tarazu.advice import service as advising
from tarazu.audit import routes as audit
from tarazu.auth import guards
from tarazu.auth import routes as auth
from tarazu.brokers import routes as brokers
from tarazu.brokers.gateway import BrokerGateway
from tarazu.brokers.market_feeds import MarketFeeds
from tarazu.clients import connection_routes as connections
from tarazu.clients import routes as clients
from tarazu.dashboard import price_routes as price_sources
from tarazu.dashboard import routes as dashboard
from tarazu.fees import routes as fees
from tarazu.firm import routes as firm
from tarazu.imports import routes as imports
from tarazu.instruments import routes as instruments
from tarazu.instruments import service as listings
from tarazu.kit import audit_log, clock, encryption, health, signing, table_versions
from tarazu.kit.alarms import Alarms
from tarazu.kit.api_page import api_page
from tarazu.kit.auth_route import require_access_levels
from tarazu.kit.concurrency import ConcurrencyLimiter
from tarazu.kit.contact import security_txt
from tarazu.kit.db import Database, UnfitDatabase, take_turns
from tarazu.kit.directory import Directory
from tarazu.kit.errors import install_handlers
from tarazu.kit.etag import ETagMiddleware
from tarazu.kit.leases import Alone, Lead, Lease
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.logging import set_up_logging
from tarazu.kit.mail import MailSender
from tarazu.kit.middleware import OuterMiddleware
from tarazu.kit.openapi_document import complete_document
from tarazu.kit.pubsub import pubsub_of
from tarazu.kit.rate_limit import InRedis, Limiter
from tarazu.kit.response_cache import ResponseCache
from tarazu.kit.schedule import Schedule
from tarazu.kit.settings import Settings
from tarazu.kit.site import built_site
from tarazu.kit.sockets import LiveRoute, SocketHub
from tarazu.migrations import founding
from tarazu.models import preflight_routes as preflight
from tarazu.models import routes as models
from tarazu.models import run_routes as book_runs
from tarazu.models import service as modelling
from tarazu.models.running import BookRunWorker
from tarazu.orders import routes as orders
from tarazu.people import routes as people
from tarazu.portfolio import restriction_routes as restrictions
from tarazu.portfolio import routes as accounting
from tarazu.portfolio import service as portfolio
from tarazu.prices import routes as prices
from tarazu.prices import service as last_prices
from tarazu.prices.feed.broadcast import PriceFeed
from tarazu.prices.feed.selection import source_of
from tarazu.prices.sockets import SessionGuard
from tarazu.sync import routes as sync
from tarazu.sync.running import Syncs
from tarazu.upkeep import routes as upkeep
from tarazu.upkeep.feed_health import FeedParts
from tarazu.upkeep.soundness import Watch

FEATURES = (
    firm,
    people,
    auth,
    brokers,
    instruments,
    prices,
    accounting,
    fees,
    orders,
    clients,
    connections,
    dashboard,
    price_sources,
    advice,
    imports,
    audit,
    sync,
    restrictions,
    models,
    book_runs,
    preflight,
)


ADVISED_EVERY = dt.timedelta(minutes=1)
"""Between two looks at which stocks were advised."""


def open_database(settings: Settings, *, is_new: bool = False) -> Database:
    """The installation's database, migrated and founded, its vault and audit key in place.

    Args:
        is_new: found a new firm, also where the data directory had another one.

    Raises:
        UnfitDatabase: it is gone, of a newer version, or a new firm was asked for where there is one.
        UnfitKeys: its keys are missing, or they are others.
    """
    keys = encryption.keys_there(settings.secrets_keys, settings.data_dir)
    founding.refuse_another(settings, is_new=is_new)
    database = Database(settings.resolved_database_url)
    try:
        if keys is None:
            encryption.refuse_missing_key(database, settings.data_dir)
        migrations.bring_up_to_date(database)
        # Made after the database: a key without one is the sign of a database that was lost.
        keys = keys or encryption.keys_of("", settings.data_dir)
        audit_log.use_key(database.engine, encryption.open_cipher(database, keys))
        _begin_sealing(database)
        table_versions.track_versions(database)
        founding.mark(settings, clock.now(), is_new=is_new)
    except (UnfitDatabase, encryption.UnfitKeys):
        database.dispose()
        raise
    return database


def open_known_database(settings: Settings) -> Database:
    """The database of an installation that was started before; nothing is made and none migrated.

    Raises:
        UnfitDatabase: there is none, or its tables are of another version.
        UnfitKeys: there are no keys, or they are others.
    """
    migrations.refuse_missing(settings.resolved_database_url)
    database = Database(settings.resolved_database_url)
    try:
        migrations.refuse_other_tables(database)
        keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
        audit_log.use_key(database.engine, encryption.open_cipher(database, keys))
        table_versions.track_versions(database)
    except (UnfitDatabase, encryption.UnfitKeys):
        database.dispose()
        raise
    return database


def _begin_sealing(database: Database) -> None:
    """At the first start that can: the key that signs, and the seals of advice sent before it.

    Later starts seal nothing: an advice without its seal is then one that did not come from here.
    """
    with database.reading() as session:
        if signing.has_key(session):
            return
    with database.transaction() as session:
        take_turns(session, AdvisoryLock.KEYS)
        if signing.has_key(session):
            return
        now = clock.now()
        signing.make_key(session, now)
        audit_log.begin_head(session)
        advising.seal_known(session, now)


def create_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The whole application.

    Args:
        settings: the installation's settings.
        database: an open database; made from the settings when left out.
    """
    set_up_logging(settings.log_level)
    app = FastAPI(
        title="Tarazu",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json" if settings.expose_openapi else None,
        lifespan=_lifespan,
    )
    app.state.settings = settings
    app.state.database = database or open_database(settings)
    app.state.authenticate = guards.authenticate
    app.state.authenticate_at_once = guards.authenticate_at_once
    _share_with_others(app)
    app.state.broker_gateway = BrokerGateway(settings, app.state.database)
    app.state.ready_answers = ResponseCache()
    app.state.alarms = Alarms()
    app.state.watch = Watch(settings, app.state.database, app.state.alarms)
    app.state.reading_lane = ConcurrencyLimiter(_places_to_read(app.state.database))
    install_handlers(app)
    _add_features(app)
    require_access_levels(app)
    complete_document(app)
    _add_pages(app)
    app.state.syncs = Syncs(
        app.state.database,
        app.state.broker_gateway,
        clock.now,
        lambda progress: app.state.hub.publish_progress(None, progress),
    )
    app.state.books = BookRunWorker(
        app.state.database,
        clock.now,
        lambda progress: app.state.hub.publish_progress(None, progress),
    )
    # Of the feed that a running process has: none yet.
    app.state.feed_parts = None
    app.add_middleware(LiveRoute, hub=app.state.hub)
    app.add_middleware(ETagMiddleware)
    app.add_middleware(OuterMiddleware, settings=settings)
    return app


def _places_to_read(database: Database) -> int:
    # SQLite works in the thread that asks; PostgreSQL works while it waits.
    return 1 if database.is_sqlite else 4


def _add_features(app: FastAPI) -> None:
    # As they are: of a router that is included, each call looks for its route twice.
    routes = [route for feature in (*FEATURES, health, upkeep) for route in feature.router.routes]
    calls = [route for route in routes if isinstance(route, APIRoute)]
    app.router.routes.extend([Directory(calls), *routes])


def _add_pages(app: FastAPI) -> None:
    settings = app.state.settings
    if settings.expose_openapi:
        app.router.routes.append(api_page(app))
    if settings.security_contact:
        app.router.routes.append(security_txt(settings))
    app.router.routes.append(built_site().route)


def _share_with_others(app: FastAPI) -> None:
    """What several processes of one installation have in common, and hear of each other."""
    settings, database = app.state.settings, app.state.database
    app.state.bus = bus = pubsub_of(settings, database)
    shared = InRedis(bus) if bus.is_shared else None
    app.state.limits = Limiter(settings.rate_limit_scale, shared=shared)
    app.state.known_sessions = guards.KnownSessions(database, settings, bus)
    app.state.hub = hub = SocketHub(SessionGuard(database, settings), settings.public_url, bus)
    bus.subscribe(guards.SESSIONS, lambda _: hub.hurry())


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    postman = MailSender(
        app.state.settings.smtp_url, app.state.settings.mail_from, app.state.settings.outbox_dir
    )
    schedule = _schedule(app, postman)
    app.state.schedule = schedule
    hub: SocketHub = app.state.hub
    watch: Watch = app.state.watch
    settings, database = app.state.settings, app.state.database
    feeds = MarketFeeds(settings, database, app.state.broker_gateway)
    source, followed = source_of(settings, feeds), _Followed()
    feed = PriceFeed(database, hub, source, followed, _lead_of(settings, database), app.state.bus)
    app.state.feed_parts = FeedParts(
        feed, feed.state, feeds.open_sockets, lambda: followed.stocks, lambda: feed.leads
    )
    # Before anything is written: a database that lost its last rows must be told by its own.
    await asyncio.to_thread(watch.look, clock.now())
    for part in (schedule, hub, feed, app.state.bus):
        part.start()
    yield
    postman.stop()
    # The feed first: what it still records is saved by the schedule's last run.
    await feed.stop()
    await hub.stop()
    await asyncio.to_thread(app.state.syncs.stop)
    await asyncio.to_thread(app.state.books.stop)
    await schedule.stop()
    await asyncio.to_thread(postman.let_go, database, clock.now())
    await asyncio.to_thread(watch.note, clock.now())
    app.state.bus.stop()
    app.state.broker_gateway.close()
    app.state.database.dispose()


def _schedule(app: FastAPI, postman: MailSender) -> Schedule:
    settings, database = app.state.settings, app.state.database
    jobs = worker.jobs_of_serving(database, app.state.watch)
    if settings.jobs == "serve":
        tools = worker.WorkerContext(
            settings, database, app.state.broker_gateway, app.state.syncs, postman, app.state.books
        )
        jobs = worker.jobs_of(tools) + jobs
    return Schedule(jobs, database)


def _lead_of(settings: Settings, database: Database) -> Lead:
    """Which process has the prices' feed: the only one, or one of those that may be."""
    if database.is_sqlite and not settings.redis_url:
        return Alone()
    return Lease(database, last_prices.FEED_LEASE)


class _Followed:
    """Instruments whose prices somebody needs: held, advised or watched."""

    def __init__(self) -> None:
        self.stocks = 0
        """How many there were when they were last asked for."""
        self._advised: set[uuid.UUID] = set()
        self._looked_at: dt.datetime | None = None

    def __call__(self, session: Session) -> set[uuid.UUID]:
        now = clock.now()
        # Asked every two seconds, and what was advised is mostly held or watched as well.
        if self._looked_at is None or now - self._looked_at > ADVISED_EVERY:
            self._advised = advising.advised_instruments(session, now)
            self._advised |= modelling.followed_instruments(session)
            self._looked_at = now
        found = portfolio.held_instruments(session) | listings.watched(session) | self._advised
        self.stocks = len(found)
        return found
