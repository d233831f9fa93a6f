"""Prices by the brokers' sessions: which one carries them, and what happens when it cannot."""

import asyncio
import datetime as dt
import gc
import logging
import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import update

from tarazu.brokers.market_feeds import MarketFeeds, feed_instrument_of
from tarazu.brokers.tables import Broker, BrokerStatus
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.logging import set_up_logging
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.selection import BrokerFeed
from tests.brokers.conftest import running_simulator, simulator, until
from tests.brokers.simulator.world import ANGEL, KITE, Fault
from tests.prices.market import IMPATIENT, QUICK, Market, market, stock
from tests.rows_of import run

pytestmark = pytest.mark.anyio

__all__ = ["market", "running_simulator", "simulator"]

OTHER = {KITE: ANGEL, ANGEL: KITE}
NIFTY = 256265


def stocks(market: Market, many: int = 8) -> list[int]:
    return list(market.simulator.world.stocks)[:many]


def sources(book: PriceBook) -> set[str]:
    return {quote.source for quote in book.quotes(book.tokens()).values()}


async def test_without_a_session_there_is_no_source_and_with_one_prices_come(
    market: Market,
) -> None:
    tokens, book = stocks(market), PriceBook()
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await asyncio.sleep(0.3)
        before = feed.name, feed.is_live, book.tokens()
        session_id = market.log_in_firm(KITE)
        await until(lambda: book.tokens() == set(tokens))
        during = feed.name, feed.is_live
        market.end(session_id)
        await until(lambda: feed.name is None)
        # What was gathered is delivered before the socket is closed.
        await until(lambda: not market.simulator.world.sockets[KITE])
        last = book.units(tokens)
        await asyncio.sleep(0.3)

        assert before == (None, False, set())
        assert during == (KITE, True)
        assert not feed.is_live
        assert book.units(tokens) == last
        assert sources(book) == {KITE}
        assert clock.now() - min(quote.at for quote in book.quotes(tokens).values()) < dt.timedelta(
            minutes=1
        )


@pytest.mark.parametrize("broker", [KITE, ANGEL])
async def test_a_clients_confirmed_session_serves_everyone(market: Market, broker: str) -> None:
    tokens, book = stocks(market), PriceBook()
    market.log_in_client(broker, is_confirmed=False)
    market.log_in_client(ANGEL, has_feed=False)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await asyncio.sleep(0.4)
        without = feed.name
        market.log_in_client(broker)
        await until(lambda: book.tokens() == set(tokens))

        assert without is None
        assert (feed.name, sources(book)) == (broker, {broker})


async def test_the_firms_own_session_goes_before_a_clients(market: Market) -> None:
    tokens, book = stocks(market), PriceBook()
    market.log_in_client(KITE)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.name == KITE and feed.is_live)
        market.log_in_firm(ANGEL)
        await until(lambda: feed.name == ANGEL)

        assert feed.is_live
        await until(lambda: not market.simulator.world.sockets[KITE])


@pytest.mark.parametrize("better", [KITE, ANGEL])
async def test_when_a_broker_is_down_the_other_takes_over_until_it_is_back(
    market: Market, better: str
) -> None:
    tokens, book = stocks(market), PriceBook()
    market.log_in_firm(better)
    market.log_in_client(OTHER[better])
    async with market.feed([stock(token) for token in tokens], book) as feed:
        for _ in range(2):
            await until(lambda: feed.name == better and feed.is_live)
            market.break_down(better)
            await until(lambda: feed.name == OTHER[better])
            assert feed.is_live
            await until(lambda: sources(book) == {OTHER[better]})
            market.mend()
        await until(lambda: feed.name == better and feed.is_live)
        await until(lambda: sources(book) == {better})
        await until(lambda: not market.simulator.world.sockets[OTHER[better]])


async def test_the_connection_recovers_from_a_short_break(market: Market) -> None:
    tokens, book = stocks(market), PriceBook()
    market.log_in_firm(KITE)
    market.log_in_client(ANGEL)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.is_live)
        market.simulator.world.faults.append(Fault(f"{KITE} frame", "drop", times=1))
        await until(lambda: not market.simulator.world.faults)
        await asyncio.sleep(0.3)
        await until(lambda: (feed.name, feed.is_live) == (KITE, True))

        assert not market.simulator.world.knocks[ANGEL]


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", [KITE, ANGEL])
async def test_a_dead_session_is_marked_and_not_tried_again(market: Market, broker: str) -> None:
    tokens, book, world = stocks(market), PriceBook(), market.simulator.world
    firms, clients = market.log_in_firm(broker), market.log_in_client(OTHER[broker])
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.name == broker and feed.is_live)
        user = {KITE: "AB1234", ANGEL: "A123456"}[broker]
        world.revoke(user)
        world.faults.append(Fault(f"{broker} frame", "drop", times=1))
        await until(lambda: market.is_ended(firms))
        knocks = world.knocks[broker]
        await until(lambda: feed.name == OTHER[broker] and feed.is_live)
        await asyncio.sleep(2 * IMPATIENT.rest)

        assert world.knocks[broker] == knocks
        assert not market.is_ended(clients)


async def test_a_session_that_only_the_ticker_refuses_stays_open(market: Market) -> None:
    """As of an app that pays for no market prices."""
    tokens, book, world = stocks(market), PriceBook(), market.simulator.world
    world.faults.append(Fault("kite ticker", "revoked"))
    firms = market.log_in_firm(KITE)
    market.log_in_client(ANGEL)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.name == ANGEL and feed.is_live)
        assert not market.is_ended(firms)
        assert world.knocks[KITE] == 1
        world.faults.clear()
        await until(lambda: feed.name == KITE)


async def test_at_six_the_session_ends_and_the_next_one_carries_on(
    market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, book, now = stocks(market), PriceBook(), clock.now
    world, six = market.simulator.world, now() + dt.timedelta(minutes=30)
    market.log_in_firm(KITE, until=six)
    for login in world.logins.values():
        login.expires_at = six
    market.log_in_client(ANGEL)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.name == KITE and feed.is_live)
        monkeypatch.setattr(clock, "now", lambda: now() + dt.timedelta(minutes=31))

        await until(lambda: feed.name == ANGEL and feed.is_live)
        await until(lambda: sources(book) == {ANGEL})
        await until(lambda: not world.sockets[KITE])


async def test_at_six_with_no_other_session_the_last_prices_stay(
    market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, book, now = stocks(market), PriceBook(), clock.now
    market.log_in_firm(KITE, until=now() + dt.timedelta(minutes=30))
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: book.tokens() == set(tokens))
        monkeypatch.setattr(clock, "now", lambda: now() + dt.timedelta(hours=1))
        await until(lambda: feed.name is None)

        assert not feed.is_live
        assert book.tokens() == set(tokens)


async def test_more_than_three_thousand_instruments_take_more_sockets(market: Market) -> None:
    many = [stock(number * 256 + 1) for number in range(1, 3701)]
    book, world = PriceBook(), market.simulator.world
    world.tick_every = 0.3
    session_id = market.log_in_firm(KITE)
    async with market.feed(many, book) as feed:
        await until(lambda: len(book.tokens()) == 3700 and world.sockets[KITE] == 2)
        assert feed.unfollowed == frozenset()
        market.log_in_client(ANGEL)
        market.end(session_id)
        await until(lambda: feed.name == ANGEL and feed.is_live)
        await until(lambda: len(feed.unfollowed) == 700 and world.sockets[ANGEL] == 3)


@pytest.mark.parametrize("many", [3700, 6500])
async def test_a_change_of_sessions_never_opens_a_fourth_socket_at_zerodha(
    market: Market, many: int
) -> None:
    stocks_followed = [stock(number * 256 + 1) for number in range(1, many + 1)]
    book, world = PriceBook(), market.simulator.world
    world.tick_every = 0.3
    market.log_in_client(KITE)
    async with market.feed(stocks_followed, book) as feed:
        await until(lambda: len(book.tokens()) == many)
        firms = market.log_in_firm(KITE)
        await until(lambda: carrying(feed) == firms and feed.is_live)
        await until(lambda: world.sockets[KITE] == -(-many // 3000))

        assert world.refused["kite ticker"] == 0


def carrying(feed: BrokerFeed) -> uuid.UUID | None:
    """The session on which prices come."""
    current = feed._connections.current
    return None if current is None else current.session.id


@pytest.mark.on_both(suite="long")
async def test_no_task_is_left_pending_when_a_line_ends(market: Market) -> None:
    tokens, book, told = stocks(market), PriceBook(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, found: told.append(found))
    market.log_in_client(KITE)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.is_live)
        firms = market.log_in_firm(KITE)
        await until(lambda: carrying(feed) == firms)
        market.end(firms)
        await until(lambda: carrying(feed) not in {None, firms})
    await asyncio.sleep(0)
    gc.collect()

    assert [one["message"] for one in told] == []


async def test_what_is_followed_changes_at_once(market: Market) -> None:
    tokens, book = stocks(market, 12), PriceBook()
    market.log_in_firm(KITE)
    async with market.feed([stock(token) for token in tokens[:6]], book) as feed:
        await until(lambda: book.tokens() == set(tokens[:6]))
        feed.subscribe([stock(token) for token in tokens[4:]])
        await until(lambda: book.tokens() == set(tokens))
        await asyncio.sleep(0.15)
        book.take_changed()
        await asyncio.sleep(0.4)

        assert book.take_changed() <= set(tokens[4:])


async def test_instruments_without_a_token_of_the_broker_are_named(market: Market) -> None:
    token = stocks(market)[0]
    wrong = stock(stocks(market)[1], angel_token="1")
    strange = stock(77 * 256 + 9)
    followed = [stock(token), stock(NIFTY), wrong, strange]
    market.simulator.world.paise[NIFTY] = 2_591_460
    book = PriceBook()
    session_id = market.log_in_firm(KITE)
    async with market.feed(followed, book) as feed:
        await until(lambda: len(book.tokens()) == 4)
        assert feed.unfollowed == frozenset()
        market.log_in_client(ANGEL)
        market.end(session_id)
        await until(lambda: feed.name == ANGEL and feed.is_live)

        assert feed.unfollowed == {wrong.instrument_token, strange.instrument_token}


@pytest.mark.parametrize(
    ("exchange", "token", "written", "angels"),
    [
        ("NSE", 408065, "1594", "1594"),
        ("NSE", 408065, None, "1594"),
        ("BSE", 500209 * 256 + 4, None, "500209"),
        ("NSE", 256265, None, "99926000"),
        ("BSE", 265, None, "99919000"),
        ("NSE", 260105, "99926009", "99926009"),
        # An index without a rule goes by what is written down.
        ("NSE", 264969, "99926017", "99926017"),
        ("NSE", 264969, None, None),
        # Of another instrument, or another exchange.
        ("NSE", 408065, "1595", None),
        ("BSE", 408065, None, None),
        ("NSE", 265, None, None),
    ],
)
def test_the_token_by_which_angel_one_knows_an_instrument(
    exchange: str, token: int, written: str | None, angels: str | None
) -> None:
    feed_instrument = feed_instrument_of(stock(token, exchange, written), ANGEL)

    assert (feed_instrument.angel_token if feed_instrument else None) == angels
    kites = feed_instrument_of(stock(token, exchange, written), KITE)
    assert kites is not None
    assert kites.token == token


@pytest.mark.parametrize("kind", ["silence", "drop"])
async def test_it_stops_quickly_whatever_the_connection_does(market: Market, kind: str) -> None:
    world, book = market.simulator.world, PriceBook()
    market.log_in_firm(KITE)
    async with market.feed([stock(one) for one in stocks(market)], book) as feed:
        await until(lambda: feed.is_live)
        world.faults.append(Fault(f"{KITE} frame", kind))
        await asyncio.sleep(0.2)
    world.faults.clear()
    await until(lambda: not world.sockets[KITE])
    before = book.version
    await asyncio.sleep(0.3)

    assert book.version == before
    assert feed.name is None


async def test_a_database_that_is_away_for_a_while_stops_no_prices(
    market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, book = stocks(market), PriceBook()
    market.log_in_firm(KITE)
    async with market.feed([stock(token) for token in tokens], book) as feed:
        await until(lambda: feed.is_live)
        with monkeypatch.context() as away:
            away.setattr(Database, "reading", None)
            await asyncio.sleep(0.4)
            version = book.version
            await until(lambda: book.version > version)
        market.log_in_firm(ANGEL)

        assert (feed.name, feed.is_live) == (KITE, True)


@pytest.mark.on_both(suite="long")
async def test_a_broker_that_is_switched_off_carries_nothing(market: Market) -> None:
    market.log_in_firm(KITE)
    book = PriceBook()
    async with market.feed([stock(one) for one in stocks(market)], book) as feed:
        await until(lambda: feed.is_live)
        run(market.database, update(Broker).values(status=BrokerStatus.INACTIVE))
        await until(lambda: feed.name is None)


@pytest.fixture
def talkative() -> Iterator[None]:
    """The libraries' logs tell all they can."""
    names = ("websockets", "websockets.client", "httpx", "httpcore", "asyncio")
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.DEBUG)
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger().setLevel(logging.WARNING)


@pytest.mark.usefixtures("talkative")
async def test_no_secret_is_in_any_log(
    market: Market, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    # Here, so that it writes to what is captured.
    set_up_logging("debug")
    asyncio.get_running_loop().set_debug(True)
    world, book = market.simulator.world, PriceBook()
    market.log_in_firm(KITE)
    market.log_in_firm(ANGEL)
    market.log_in_client(KITE)
    secrets = {*world.logins, *(login.feed for login in world.logins.values() if login.feed)}
    secrets |= {*world.api_keys.values()}
    for broker, door in ((KITE, "kite ticker"), (ANGEL, "angel stream")):
        world.faults += [
            Fault(door, "503", times=2),
            *(Fault(f"{broker} frame", kind, times=1) for kind in ("garbage", "text", "drop")),
        ]
    world.faults.append(Fault("kite ticker", "redirect", times=1))
    async with market.feed([stock(one) for one in stocks(market)], book) as feed:
        await until(lambda: feed.is_live)
        await asyncio.sleep(1)
        for user in ("A123456", "AB1234", "AB1235"):
            world.revoke(user)
            world.faults += [
                Fault(f"{KITE} frame", "drop", times=1),
                Fault(f"{ANGEL} frame", "drop", times=1),
            ]
            await asyncio.sleep(0.5)
        await until(lambda: feed.name is None)

    asyncio.get_running_loop().set_debug(False)
    told = capfd.readouterr()
    written = told.out + told.err + caplog.text
    assert "ticker_broke" in written
    assert "broker_session_ended" in written
    assert [secret for secret in secrets if secret in written] == []
    assert "access_token=" not in written
    assert "Bearer" not in written


def test_what_is_printed_of_a_feed_holds_no_secret(market: Market) -> None:
    market.log_in_firm(KITE)
    feeds = MarketFeeds(market.settings, market.database, market.gateway, QUICK)
    (found,) = feeds.sessions(clock.now())
    live = feeds.open_session(found)
    source: BrokerFeed = BrokerFeed(feeds)

    printed = f"{found!r} {live!r} {source!r} {feeds!r}"

    assert live is not None
    assert live.login.access_token not in printed
    assert live.app.api_key not in printed
