"""create_app(settings): puts the parts together."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from sqlalchemy.orm import Session

from tarazu import migrations
from tarazu.advice import jobs as advice_jobs
from tarazu.advice import routes as advice
from tarazu.auth import guards
from tarazu.auth import routes as auth
from tarazu.brokers import routes as brokers
from tarazu.clients import routes as clients
from tarazu.dashboard import routes as dashboard
from tarazu.firm import routes as firm
from tarazu.imports import routes as imports
from tarazu.imports import running as running_imports
from tarazu.instruments import routes as instruments
from tarazu.instruments import service as listings
from tarazu.kit import clock, health, seal, trail
from tarazu.kit.access import refuse_unguarded
from tarazu.kit.api_page import api_page
from tarazu.kit.db import Database
from tarazu.kit.errors import install_handlers
from tarazu.kit.live import Hub, LiveRoute
from tarazu.kit.log import set_up_logging
from tarazu.kit.mail import Postman
from tarazu.kit.outer import Outer
from tarazu.kit.schedule import Job, Schedule
from tarazu.kit.settings import Settings
from tarazu.kit.site import Site
from tarazu.people import routes as people
from tarazu.portfolio import service as portfolio
from tarazu.prices import routes as prices
from tarazu.prices import service as last_prices
from tarazu.prices.sockets import PriceFeed, SessionGuard

FEATURES = (firm, people, auth, brokers, instruments, prices, clients, dashboard, advice, imports)


def open_database(settings: Settings) -> Database:
    """The installation's database, migrated and founded, its audit key in place."""
    database = Database(settings.resolved_database_url)
    keys = seal.keys_of(settings.secrets_keys, settings.data_dir)
    trail.use_key(database.engine, keys.derived("audit"))
    migrations.bring_up_to_date(database)
    return database


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
        generate_unique_id_function=lambda route: route.name,
        lifespan=_lifespan,
    )
    app.state.settings = settings
    app.state.database = database or open_database(settings)
    app.state.authenticate = guards.authenticate
    install_handlers(app)
    for feature in FEATURES:
        app.include_router(feature.router)
    refuse_unguarded(app)
    app.include_router(health.router)
    if settings.expose_openapi:
        app.router.routes.append(api_page(app))
    app.router.routes.append(Site().route)
    app.state.hub = Hub(SessionGuard(app.state.database, settings), settings.public_url)
    app.add_middleware(LiveRoute, hub=app.state.hub)
    app.add_middleware(Outer, settings=settings)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    schedule = Schedule(_jobs(app))
    app.state.schedule = schedule
    hub: Hub = app.state.hub
    source = last_prices.source_of(app.state.settings)
    feed = PriceFeed(app.state.database, hub, source, _followed)
    schedule.start()
    hub.start()
    feed.start()
    yield
    # The feed first: what it still records is saved by the schedule's last run.
    await feed.stop()
    await hub.stop()
    await schedule.stop()
    app.state.database.dispose()


def _jobs(app: FastAPI) -> list[Job]:
    settings, database = app.state.settings, app.state.database
    postman = Postman(settings.smtp_url, settings.mail_from, settings.outbox_dir)
    return [
        Job("mail", 5, lambda: postman.send_due(database, clock.now())),
        Job("rebalances", 3600, lambda: advice_jobs.drop_old_rebalances(database, clock.now())),
        Job("imports", 60, lambda: running_imports.fail_abandoned(database, clock.now())),
        Job("prices", 60, lambda: last_prices.save_last_prices(database), last_at_stop=True),
    ]


def _followed(session: Session) -> set[uuid.UUID]:
    """Instruments whose prices somebody needs."""
    return portfolio.held_instruments(session) | listings.watched(session)
