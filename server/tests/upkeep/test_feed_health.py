"""What `/metrics` and `/health/ready` tell of the price feed; without one the rest goes on."""

import asyncio
import datetime as dt

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tarazu.app import create_app
from tarazu.brokers.market_feeds import MarketFeeds
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.metrics import text_of
from tarazu.kit.settings import Settings
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.selection import BrokerFeed
from tarazu.upkeep.feed_health import FeedHealth, FeedParts, health_of
from tests.brokers.conftest import running_simulator, simulator, until
from tests.brokers.simulator.world import ANGEL, KITE
from tests.prices.conftest import Site, busy, quiet
from tests.prices.market import IMPATIENT, QUICK, Market, market, stock

__all__ = ["busy", "market", "quiet", "running_simulator", "simulator"]

NOW = dt.datetime(2026, 11, 20, 6, 0, tzinfo=dt.UTC)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def metrics_of(site: Site) -> dict[str, float]:
    lines = site.web.get("/metrics").text.splitlines()
    named = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in named}


def test_a_feed_is_shown_line_by_line() -> None:
    found = FeedHealth(
        "ZERODHA", "LIVE", NOW - dt.timedelta(seconds=2.5), {"ZERODHA": 2}, 510, 3, leads=True
    )

    lines = [line for line in text_of(found.metrics(NOW)).splitlines() if not line.startswith("#")]

    assert lines == [
        'tarazu_price_feed{source="ZERODHA",state="LIVE"} 1.0',
        "tarazu_price_feed_leads 1.0",
        "tarazu_price_newest_age_seconds 2.5",
        'tarazu_broker_sockets{broker="ZERODHA"} 2.0',
        'tarazu_stocks{prices="followed"} 510.0',
        'tarazu_stocks{prices="unfollowed"} 3.0',
    ]


def test_without_any_price_there_is_no_age() -> None:
    found = FeedHealth("NONE", "NONE", None, {}, 0, 0, leads=False)

    assert found.shown(NOW)["newestPriceAgeSeconds"] is None
    told = [
        line.split(" ")[0]
        for line in text_of(found.metrics(NOW)).splitlines()
        if not line.startswith("#")
    ]
    assert "tarazu_price_newest_age_seconds" not in told
    assert 'tarazu_broker_sockets{broker="NONE"}' in told


def test_a_running_feed_is_in_both(busy: Site) -> None:
    headers = busy.sign_in()
    busy.watch("INFY", headers)
    end = clock.now() + dt.timedelta(minutes=1)
    # What is watched is followed within two seconds, and then the market moves it.
    while metrics_of(busy)["tarazu_price_newest_age_seconds"] > 15:
        assert clock.now() < end

    metrics = metrics_of(busy)
    ready = busy.web.get("/health/ready")

    assert metrics['tarazu_price_feed{source="SIMULATED",state="LIVE"}'] == 1
    assert metrics["tarazu_price_newest_age_seconds"] < 15
    assert metrics['tarazu_stocks{prices="unfollowed"}'] == 0
    assert metrics['tarazu_broker_sockets{broker="NONE"}'] == 0
    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    feed = ready.json()["feed"]
    assert feed.pop("newestPriceAgeSeconds") < 15
    assert feed == {
        "source": "SIMULATED", "state": "LIVE", "sockets": {}, "followed": 1, "unfollowed": 0,
        "leads": True,
    }  # fmt: skip


def test_without_a_feed_it_is_still_ready(quiet: Site) -> None:
    ready = quiet.web.get("/health/ready")

    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    assert (ready.json()["feed"]["source"], ready.json()["feed"]["state"]) == ("NONE", "NONE")
    assert metrics_of(quiet)['tarazu_price_feed{source="NONE",state="NONE"}'] == 1


@pytest.mark.on_both(suite="long")
def test_a_stranger_learns_that_it_is_ready_and_no_more(app: FastAPI) -> None:
    state = app.state
    feeds = MarketFeeds(state.settings, state.database, state.broker_gateway)
    state.feed_parts = FeedParts(BrokerFeed(feeds), lambda _: "NONE", dict, lambda: 0, lambda: True)

    told = {
        peer: TestClient(app, client=(peer, 50_000)).get("/health/ready").json()
        for peer in ("127.0.0.1", "203.0.113.9")
    }

    assert told["203.0.113.9"] == {"ready": True}
    assert told["127.0.0.1"]["feed"]["source"] == "NONE"


def test_with_the_database_gone_it_is_not_ready(settings: Settings, database: Database) -> None:
    app = create_app(settings, database)
    gone = Database(f"sqlite:///{settings.data_dir}/nowhere/none.db")
    app.state.database = gone

    answer = TestClient(app).get("/health/ready")

    gone.dispose()
    assert (answer.status_code, answer.json()) == (503, {"ready": False})


@pytest.mark.anyio
@pytest.mark.parametrize("broker", [KITE, ANGEL])
async def test_sockets_are_counted_while_they_are_open(market: Market, broker: str) -> None:
    feeds = MarketFeeds(market.settings, market.database, market.gateway, QUICK)
    tokens = list(market.simulator.world.stocks)[:4]
    source: BrokerFeed = BrokerFeed(feeds, IMPATIENT)
    source.subscribe([stock(token) for token in tokens])
    parts = FeedParts(
        source, lambda _: "LIVE", feeds.open_sockets, lambda: len(tokens), lambda: True
    )
    assert feeds.open_sockets() == {}

    session_id = market.log_in_firm(broker)
    await source.start(PriceBook())
    try:
        await until(lambda: feeds.open_sockets() == {broker: 1})
        with market.database.reading() as session:
            found = await asyncio.to_thread(health_of, parts, session, clock.now())
        market.end(session_id)
        await until(lambda: feeds.open_sockets() == {})
    finally:
        await source.stop()

    assert (found.source, found.sockets) == (broker, {broker: 1})
    assert (found.followed, found.unfollowed) == (4, 0)
