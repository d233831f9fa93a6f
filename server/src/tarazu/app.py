"""create_app(settings): puts the parts together."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from fastapi import FastAPI
from sqlalchemy.orm import Session

from tarazu import migrations, worker
from tarazu.advice import breach_routes as breaches
from tarazu.advice import link_routes as advice_links
from tarazu.advice import routes as advice
from tarazu.advice import service as advising
from tarazu.approvals import routes as approvals
from tarazu.audit import routes as audit
from tarazu.auth import passkey_routes as passkeys
from tarazu.auth import routes as auth
from tarazu.auth import sso_routes as sso
from tarazu.auth import step_up_routes as step_up
from tarazu.benchmarks import routes as benchmarks
from tarazu.book_runs import preflight_routes as preflight
from tarazu.book_runs import routes as book_runs
from tarazu.brokers import routes as brokers
from tarazu.brokers.market_feeds import MarketFeeds
from tarazu.client_page import complaints_page, return_page
from tarazu.client_page import pages as client_pages
from tarazu.client_page import routes as client_page
from tarazu.clients import connection_routes as connections
from tarazu.clients import routes as clients
from tarazu.corporate_actions import routes as corporate_actions
from tarazu.dashboard import price_routes as price_sources
from tarazu.dashboard import routes as dashboard
from tarazu.fees import routes as fees
from tarazu.firm import guard_routes as guards
from tarazu.firm import routes as firm
from tarazu.follow_up import routes as follow_up
from tarazu.imports import routes as imports
from tarazu.inspection import routes as inspection
from tarazu.instruments import routes as instruments
from tarazu.instruments import service as listings
from tarazu.invoices import routes as invoices
from tarazu.kit import audit_log, clock, encryption, health, signing, table_versions
from tarazu.kit.auth_route import require_access_levels
from tarazu.kit.contact import security_txt
from tarazu.kit.db import Database, UnfitDatabase, acquire_lock
from tarazu.kit.errors import install_handlers
from tarazu.kit.etag import ETagMiddleware
from tarazu.kit.hosts import KnownHostsMiddleware
from tarazu.kit.leases import Alone, Lead, Lease
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.logging import set_up_logging
from tarazu.kit.mail import MailSender
from tarazu.kit.middleware import (
    AccessLogMiddleware,
    BodyLimitMiddleware,
    DeadlineMiddleware,
    ErrorMiddleware,
    RequestIdMiddleware,
    SecurityHeadersMiddleware,
)
from tarazu.kit.openapi_document import api_page, complete_document
from tarazu.kit.schedule import Schedule
from tarazu.kit.settings import Settings
from tarazu.kit.site import built_site
from tarazu.kit.sockets import LiveRoute
from tarazu.migrations import founding
from tarazu.model_portfolios import routes as models
from tarazu.model_portfolios import service as modelling
from tarazu.obligations import routes as obligations
from tarazu.orders import routes as orders
from tarazu.papers import routes as papers
from tarazu.people import routes as people
from tarazu.people import team_routes
from tarazu.portfolio import routes as accounting
from tarazu.portfolio import service as portfolio
from tarazu.prices import routes as prices
from tarazu.prices import service as last_prices
from tarazu.prices.feed.broadcast import PriceFeed
from tarazu.prices.feed.selection import source_of
from tarazu.registers import disclosure_routes as disclosures
from tarazu.registers import notice_routes as notices
from tarazu.registers import routes as registers
from tarazu.restrictions import routes as restrictions
from tarazu.state import AppState, build_state
from tarazu.sync import routes as sync
from tarazu.tax import rate_routes as tax_rates
from tarazu.tax import routes as tax
from tarazu.track_record import routes as track_record
from tarazu.upkeep import routes as upkeep
from tarazu.upkeep.feed_health import FeedParts

FEATURES = (
    firm,
    guards,
    people,
    team_routes,
    auth,
    step_up,
    passkeys,
    sso,
    brokers,
    instruments,
    prices,
    benchmarks,
    accounting,
    invoices,
    fees,
    orders,
    tax,
    tax_rates,
    registers,
    disclosures,
    notices,
    papers,
    clients,
    connections,
    dashboard,
    price_sources,
    advice,
    breaches,
    imports,
    audit,
    sync,
    restrictions,
    models,
    track_record,
    book_runs,
    preflight,
    advice_links,
    client_page,
    client_pages,
    complaints_page,
    follow_up,
    corporate_actions,
    obligations,
    inspection,
    approvals,
)


READ_ADVISED_EVERY = dt.timedelta(minutes=1)
"""How often the advised instruments are read again."""


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
        audit_log.use_key(database, encryption.open_cipher(database, keys))
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
        audit_log.use_key(database, encryption.open_cipher(database, keys))
        table_versions.track_versions(database)
    except (UnfitDatabase, encryption.UnfitKeys):
        database.dispose()
        raise
    return database


def _begin_sealing(database: Database) -> None:
    """Make the key that signs sealed advice, unless there is one."""
    with database.reading() as session:
        if signing.has_key(session):
            return
    with database.transaction() as session:
        acquire_lock(session, AdvisoryLock.KEYS)
        if signing.has_key(session):
            return
        now = clock.now()
        signing.make_key(session, now)
        audit_log.begin_head(session)


def create_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The whole application.

    Args:
        settings: the installation's settings.
        database: an open database; opened from the settings if left out.
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
    state = build_state(settings, database or open_database(settings))
    app.state = state  # type: ignore[assignment]  # typed, in place of Starlette's open one
    install_handlers(app)
    for feature in (*FEATURES, health, upkeep):
        # Not `include_router`: FastAPI would match the path of each call twice.
        app.router.routes.extend(feature.router.routes)
    app.router.routes.extend((*return_page.router.routes, *client_pages.assets))
    require_access_levels(app)
    complete_document(app)
    if settings.expose_openapi:
        app.router.routes.append(api_page(app))
    if settings.security_contact:
        app.router.routes.append(security_txt(settings))
    app.router.routes.append(built_site().route)
    _add_middleware(app, state)
    return app


def _add_middleware(app: FastAPI, state: AppState) -> None:
    """The last one added is the outermost."""
    app.add_middleware(LiveRoute, hub=state.hub)
    app.add_middleware(ETagMiddleware)
    app.add_middleware(BodyLimitMiddleware)
    app.add_middleware(KnownHostsMiddleware, settings=state.settings)
    app.add_middleware(ErrorMiddleware)
    app.add_middleware(AccessLogMiddleware)
    app.add_middleware(SecurityHeadersMiddleware, settings=state.settings)
    app.add_middleware(DeadlineMiddleware)
    app.add_middleware(RequestIdMiddleware)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    state = _state_of(app)
    settings, database = state.settings, state.database
    postman = MailSender(settings.smtp_url, settings.mail_from, settings.outbox_dir)
    schedule = state.schedule = _schedule(app, postman)
    feeds = MarketFeeds(settings, database, state.broker_gateway)
    source, followed = source_of(settings, feeds), _Followed()
    lead = _lead_of(settings, database)
    feed = PriceFeed(database, state.hub, source, followed, lead, state.bus)
    state.feed_parts = FeedParts(
        feed, feed.state, feeds.open_sockets, lambda: followed.stocks, lambda: feed.leads
    )
    # Before anything is written: it compares the database with what was noted of it last.
    await asyncio.to_thread(state.watch.look, clock.now())
    for part in (schedule, state.hub, feed, state.bus):
        part.start()
    yield
    postman.stop()
    # The feed first: the schedule's last run saves what it still records.
    await feed.stop()
    await state.hub.stop()
    await asyncio.to_thread(state.syncs.stop)
    await asyncio.to_thread(state.books.stop)
    await schedule.stop()
    await asyncio.to_thread(postman.release, database, clock.now())
    await asyncio.to_thread(state.watch.note, clock.now())
    state.bus.stop()
    state.broker_gateway.close()
    database.dispose()


def _state_of(app: FastAPI) -> AppState:
    return cast("AppState", app.state)


def _schedule(app: FastAPI, postman: MailSender) -> Schedule:
    state = _state_of(app)
    jobs = worker.jobs_of_serving(state.settings, state.database, state.watch)
    if state.settings.jobs == "serve":
        tools = worker.WorkerContext(
            state.settings,
            state.database,
            state.broker_gateway,
            state.syncs,
            postman,
            state.books,
        )
        jobs = worker.jobs_of(tools) + jobs
    return Schedule(jobs, state.database)


def _lead_of(settings: Settings, database: Database) -> Lead:
    """Decides whether this process runs the price feed: the only one, or one of several."""
    if database.is_sqlite and not settings.redis_url:
        return Alone()
    return Lease(database, last_prices.FEED_LEASE)


class _Followed:
    """The instruments whose prices are needed: held, advised or watched."""

    def __init__(self) -> None:
        self.stocks = 0
        """How many there were at the last call."""
        self._advised: set[uuid.UUID] = set()
        self._read_at: dt.datetime | None = None

    def __call__(self, session: Session) -> set[uuid.UUID]:
        now = clock.now()
        # Called every two seconds, and most of what was advised is held or watched as well.
        if self._read_at is None or now - self._read_at > READ_ADVISED_EVERY:
            self._advised = advising.advised_instruments(session, now)
            self._advised |= modelling.followed_instruments(session)
            self._read_at = now
        ids = portfolio.held_instruments(session) | listings.watched(session) | self._advised
        self.stocks = len(ids)
        return ids
