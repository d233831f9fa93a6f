"""The tickers: frames to the unit, and sockets that come back, or do not when they must not."""

import asyncio
import base64
import datetime as dt
import random
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import numpy as np
import pytest

from tarazu.brokers.angel.smartapi_stream import SmartApiStream
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerSession,
    Denied,
    FeedInstrument,
    SessionDead,
)
from tarazu.brokers.protocol.ticker import Ticker
from tarazu.brokers.protocol.ticker_connection import TickerTimeouts, pause_after
from tarazu.brokers.protocol.ticks import DEAREST, Subscriptions, TickBatch, Whole
from tarazu.brokers.zerodha.kite_ticker import KiteTicker, read_frame, units_of
from tarazu.kit import clock
from tests.brokers.conftest import plain_fixture_of, until
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.streams import angel_packet, kite_frame, kite_packet
from tests.brokers.simulator.world import ANGEL, KITE, Fault

pytestmark = pytest.mark.anyio

KITE_FRAMES = plain_fixture_of("kite_frames.json")
ANGEL_FRAMES = plain_fixture_of("angel_frames.json")
INFY = FeedInstrument(408065, "NSE", "INFY", "1594")
NIFTY = FeedInstrument(256265, "NSE", "NIFTY 50", "99926000")
USDINR = FeedInstrument(412419, "CDS", "USDINR26DECFUT", "1611")
GOLDM = FeedInstrument(408071, "MCX", "GOLDM26DECFUT", "1594")
RELIANCE = FeedInstrument(738561, "NSE", "RELIANCE", "2885")
ALL = Subscriptions((INFY, NIFTY, USDINR, GOLDM, RELIANCE))
MADE = 1795212855
"""The exchange time of the fixtures: 2026-11-20T22:14:15Z."""
NOW = MADE + 100
QUICK = TickerTimeouts(quiet=0.6, ping=0.3, first_retry=0.05, longest_retry=0.2)


def by_second(batch: TickBatch) -> dict[int, dict[int, int]]:
    """What was gathered: by second, by token, the last price."""
    found: dict[int, dict[int, int]] = {}
    taken = batch.take()
    if taken is not None:
        for token, units, second in zip(*(column.tolist() for column in taken), strict=True):
            found.setdefault(second, {})[token] = units
    return found


def read_kite(name: str, now: int = NOW) -> dict[int, dict[int, int]]:
    into = TickBatch()
    read_frame(base64.b64decode(KITE_FRAMES["frames_base64"][name]), ALL, now, into)
    return by_second(into)


def read_angel(name: str) -> dict[int, dict[int, int]]:
    wire, into = SmartApiStream(BrokerApp("k", "", ""), SESSION), TickBatch()
    list(wire.subscribing(list(ALL.stocks.values())))
    wire.read([base64.b64decode(ANGEL_FRAMES["frames_base64"][name])], ALL, NOW, into)
    return by_second(into)


SESSION = BrokerSession("A123456", "x", dt.datetime(2030, 1, 1, tzinfo=dt.UTC), "", "f")


@pytest.mark.parametrize(
    ("name", "second", "prices"),
    [
        ("ltp", NOW, {408065: 15_737_000}),
        ("quote", NOW, {408065: 15_737_000}),
        ("full", MADE, {408065: 15_737_000}),
        ("index_quote", NOW, {256265: 259_146_000}),
        ("index_full", MADE, {256265: 259_146_000}),
        ("currency_ltp", NOW, {412419: 887_425}),
        ("unknown_length_in_the_middle", NOW, {408065: 15_737_000, 412419: 887_425}),
    ],
)
def test_kites_frames(name: str, second: int, prices: dict[int, int]) -> None:
    assert read_kite(name) == {second: prices}


def test_kites_frame_of_three_packets() -> None:
    assert read_kite("three_packets") == {
        NOW: {408065: 15_737_000, 412419: 887_425},
        MADE: {256265: 259_146_000},
    }


def test_the_fixtures_time_is_the_one_that_they_name() -> None:
    named = KITE_FRAMES["values"]["INFY"]["exchange_timestamp"]
    assert dt.datetime.fromisoformat(named).timestamp() == MADE


def test_kites_sign_of_life_has_no_prices() -> None:
    assert read_kite("heartbeat") == {}


@pytest.mark.parametrize(
    ("name", "prices"),
    [
        ("ltp", {738561: 12_209_000}),
        ("quote", {738561: 12_209_000}),
        ("snap_quote", {738561: 12_209_000}),
        ("index_ltp", {256265: 259_146_000}),
        ("currency_ltp", {412419: 887_425}),
        # The same number on another exchange is another instrument.
        ("mcx_same_token", {408071: 1_218_500_000}),
    ],
)
def test_angels_frames(name: str, prices: dict[int, int]) -> None:
    assert read_angel(name) == {MADE: prices}


def test_the_simulator_writes_frames_as_the_brokers_do() -> None:
    frames = KITE_FRAMES["frames_base64"]
    assert kite_frame([kite_packet("ltp", 408065, 157_370, 0)]) == base64.b64decode(frames["ltp"])
    for mode in ("ltp", "quote", "full"):
        assert len(kite_frame([kite_packet(mode, 408065, 1, 0)])) == len(
            base64.b64decode(frames[mode])
        )
    frames = ANGEL_FRAMES["frames_base64"]
    for number, name in ((1, "ltp"), (2, "quote"), (3, "snap_quote")):
        ours = angel_packet(number, 1, "2885", 122_090, MADE * 1000)
        theirs = base64.b64decode(frames[name])
        assert len(ours) == len(theirs)
        assert ours[:27] == theirs[:27]
        assert ours[43:51] == theirs[43:51]


@pytest.mark.parametrize(
    ("token", "price", "units"),
    [
        (408065, 157_370, 15_737_000),
        (412419, 887_425_000, 887_425),
        (412419, 500, 1),
        (412419, 499, 0),
        (6, 887_425, 887_425),
        (12, 1, 1),
        (7, 100, 10_000),
    ],
)
def test_the_unit_of_a_segments_price(token: int, price: int, units: int) -> None:
    assert units_of(np.array([408065, token]), np.array([7, price])).tolist() == [700, units]


@pytest.mark.parametrize("length", [8, 44, 184])
def test_many_packets_read_as_one_by_one(length: int) -> None:
    draw = random.Random(length)
    mode = {8: "ltp", 44: "quote", 184: "full"}[length]
    tokens = [draw.randrange(1, 1 << 24) * 256 + draw.choice((1, 3, 4, 6)) for _ in range(500)]
    followed = Subscriptions(FeedInstrument(token, "NSE", "", "") for token in tokens[::2])
    packets = [
        kite_packet(mode, token, draw.randrange(600, 1 << 31), MADE - draw.randrange(3))
        for token in tokens
    ]
    assert {len(packet) for packet in packets} == {length}
    together, apart = TickBatch(), TickBatch()

    read_frame(kite_frame(packets), followed, NOW, together)
    for packet in packets:
        read_frame(kite_frame([packet]), followed, NOW, apart)

    assert (found := by_second(together)) == by_second(apart)
    assert sum(map(len, found.values())) == len(followed)


@pytest.mark.parametrize("seed", range(8))
def test_packets_of_all_kinds_in_one_frame_read_as_one_by_one(seed: int) -> None:
    draw = random.Random(seed)
    tokens = [number * 256 + draw.choice((1, 4, 9, 3, 12)) for number in range(1, 400)]
    packets: list[bytes] = []
    while tokens:
        mode = draw.choice(("ltp", "quote", "full", "full", "unknown"))
        for token in [tokens.pop() for _ in range(min(len(tokens), draw.choice((1, 3, 60))))]:
            price, second = draw.randrange(1, 1 << 30), MADE - draw.randrange(5)
            packet = kite_packet("full" if mode == "unknown" else mode, token, price, second)
            packets.append(packet + b"new" if mode == "unknown" else packet)
    followed = Subscriptions(
        FeedInstrument(number * 256 + segment, "NSE", "", "")
        for number in range(1, 400)
        for segment in (1, 4, 9, 3, 12)
    )
    together, apart = TickBatch(), TickBatch()

    read_frame(kite_frame(packets), followed, NOW, together)
    for packet in packets:
        read_frame(kite_frame([packet]), followed, NOW, apart)

    assert (found := by_second(together)) == by_second(apart)
    assert len(found) > 3


def test_a_misleading_frame_is_read_quickly() -> None:
    # Every twelfth packet has the length of the first, those between have not.
    packets = [
        kite_packet("ltp" if place % 11 == 0 else "quote", 256, 5, 0) for place in range(60_000)
    ]
    frame, into = kite_frame(packets), TickBatch()

    began = time.process_time()
    read_frame(frame, ALL, NOW, into)

    assert time.process_time() - began < 2
    assert into.take() is None


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_many_frames_of_angels_read_as_one_by_one(mode: int) -> None:
    draw = random.Random(mode)
    stocks = [
        FeedInstrument(number * 256 + 1, draw.choice(("NSE", "BSE", "MCX", "CDS")), "", str(number))
        for number in draw.sample(range(1, 10**7), 400)
    ]
    # One token as long as there can be, one that is longer than what is read at once.
    stocks += [
        FeedInstrument(7, "NSE", "", "12345678901234"),
        FeedInstrument(8, "NSE", "", "9" * 25),
    ]
    wire = SmartApiStream(BrokerApp("k", "", ""), SESSION)
    list(wire.subscribing(stocks))
    kinds = {"NSE": 1, "BSE": 3, "MCX": 5, "CDS": 13, "": 2}
    frames: list[bytes] = []
    for one in [*stocks, *stocks[:50], FeedInstrument(9, "", "", "77")]:
        price = draw.choice((draw.randrange(1, 10**9),) * 9 + (0, -5, 2**62, 2**63 - 1))
        frame = bytearray(
            angel_packet(mode, kinds[one.exchange], one.angel_token, price, MADE * 1000 + 999)
        )
        if len(one.angel_token) < 12 and draw.random() < 0.2:
            frame[2 + len(one.angel_token) + 1 : 27] = b"j" * (24 - len(one.angel_token))
        frames.append(bytes(frame))
    frames[5:5] = [b"", b"\x01", frames[0][:50], b"\x04" * 443]
    wanted = Subscriptions(stocks[:300] + stocks[-2:])
    together, apart = TickBatch(), TickBatch()

    wire.read(frames, wanted, NOW, together)
    for one_frame in frames:
        wire.read([one_frame], wanted, NOW, apart)

    found = by_second(together)
    assert found == by_second(apart)
    assert found.keys() == {MADE}
    assert all(0 < units <= DEAREST for units in found[MADE].values())
    assert 150 < len(found[MADE]) < 302


def test_unreadable_frames_do_no_harm() -> None:
    draw = random.Random(3)
    wire, into = SmartApiStream(BrokerApp("k", "", ""), SESSION), TickBatch()
    whole = base64.b64decode(KITE_FRAMES["frames_base64"]["three_packets"])
    for cut in range(len(whole)):
        read_frame(whole[:cut], ALL, NOW, into)
    for _ in range(2000):
        frame = draw.randbytes(draw.randrange(400))
        read_frame(frame, ALL, NOW, into)
        wire.read([frame], ALL, NOW, into)
    overrun = struct.pack(">HH", 9, 8) + struct.pack(">II", 408065, 1)
    read_frame(overrun, ALL, NOW, into)

    assert all(units > 0 for prices in by_second(into).values() for units in prices.values())


def test_a_frame_that_promises_more_gives_what_it_has() -> None:
    into = TickBatch()
    packet = struct.pack(">HII", 8, 408065, 157_370)
    read_frame(struct.pack(">H", 3) + packet + struct.pack(">HI", 8, 256265), ALL, NOW, into)

    assert by_second(into) == {NOW: {408065: 15_737_000}}


@pytest.mark.parametrize("second", [0, 5, NOW + 1, 2**32 - 1])
def test_a_time_that_cannot_be_is_now(second: int) -> None:
    into = TickBatch()
    read_frame(kite_frame([kite_packet("full", 408065, 100_000, second)]), ALL, NOW, into)

    assert list(by_second(into)) == [NOW]


def test_prices_nobody_asked_for_and_prices_of_nothing_are_left_out() -> None:
    into = TickBatch()
    packets = [struct.pack(">II", 12345, 100), struct.pack(">II", 408065, 0)]
    read_frame(kite_frame(packets), ALL, NOW, into)

    assert by_second(into) == {}


def test_bytes_after_the_token_are_ignored() -> None:
    wire, into = SmartApiStream(BrokerApp("k", "", ""), SESSION), TickBatch()
    list(wire.subscribing([INFY]))
    frame = bytearray(angel_packet(1, 1, "1594", 157_370, MADE * 1000))
    frame[20:24] = b"junk"

    wire.read([bytes(frame)], ALL, NOW, into)

    assert by_second(into) == {MADE: {408065: 15_737_000}}


def test_an_error_message_is_printable() -> None:
    wire = KiteTicker(BrokerApp("k", "", ""), SESSION)
    assert wire.read_text('{"type":"error","data":"too\\nmany"}') == "too many"
    assert wire.read_text('{"type":"error","data":{}}') == "an error"
    assert wire.read_text('{"type":"order","data":{}}') == ""
    assert wire.read_text("[" * 100_000) == "a text that is not JSON"
    stream = SmartApiStream(BrokerApp("k", "", ""), SESSION)
    assert stream.read_text("pong") == ""
    assert stream.read_text('{"errorCode":"E1002"}') == "E1002"
    assert stream.read_text("{") == "a text that is not JSON"


class Heard:
    """What a ticker delivered: the newest price of each token, how often, made in which seconds."""

    def __init__(self) -> None:
        self.prices: dict[int, int] = {}
        self.seconds: set[int] = set()
        self.batches = 0

    def __call__(self, tokens: Whole, units: Whole, seconds: Whole) -> None:
        self.batches += 1
        self.prices.update(zip(tokens.tolist(), units.tolist(), strict=True))
        self.seconds.update(seconds.tolist())


@asynccontextmanager
async def running(ticker: Ticker) -> AsyncIterator[asyncio.Task[None]]:
    task = asyncio.create_task(ticker.run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def quoted(simulator: Simulator, many: int, start: int = 0) -> list[FeedInstrument]:
    stocks = list(simulator.world.stocks.values())[start : start + many]
    return [
        FeedInstrument(stock.zerodha_token, "NSE", stock.symbol, stock.angel_token)
        for stock in stocks
    ]


Make = Callable[..., tuple[Ticker, Heard]]


@pytest.fixture(params=[KITE, ANGEL])
def broker(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(simulator: Simulator, outside: BrokerHttpClient, broker: str) -> Make:
    """A quick ticker of the broker, on a fresh session."""

    def make_ticker(session: BrokerSession | None = None, **options: Any) -> tuple[Ticker, Heard]:
        world, heard = simulator.world, Heard()
        world.tick_every = 0.05
        app = BrokerApp(world.api_keys[broker], "", simulator.url)
        person = "AB1234" if broker == KITE else "A123456"
        token, login = world.log_in(person)
        session = session or BrokerSession(person, token, login.expires_at, "", login.feed)
        wire = (
            KiteTicker(app, session, simulator.kite_ticker)
            if broker == KITE
            else SmartApiStream(app, session, simulator.angel_stream)
        )
        for name, value in options.items():
            setattr(wire, name, value)
        return Ticker(wire, outside, heard, QUICK, random.Random(1)), heard

    return make_ticker


@contextmanager
def still(simulator: Simulator) -> Iterator[dt.datetime]:
    """Nothing trades; all was traded a while ago."""
    simulator.world.traded_at = clock.now().replace(microsecond=0) - dt.timedelta(hours=3)
    yield simulator.world.traded_at


async def test_prices_come_with_the_time_at_which_they_were_made(
    simulator: Simulator, make: Make
) -> None:
    stocks = quoted(simulator, 40)
    ticker, heard = make()
    assert not ticker.is_live
    ticker.follow(stocks)
    with still(simulator) as traded_at:
        async with running(ticker):
            await until(lambda: len(heard.prices) == 40)
            assert ticker.is_live

    assert heard.prices == {
        stock.token: simulator.world.paise[stock.token] * 100 for stock in stocks
    }
    assert heard.seconds == {int(traded_at.timestamp())}
    assert not ticker.is_live


async def test_what_trades_is_delivered(simulator: Simulator, make: Make) -> None:
    stocks = quoted(simulator, 10)
    ticker, heard = make()
    ticker.follow(stocks)
    async with running(ticker):
        await until(lambda: heard.batches > 5)

    assert heard.prices.keys() == {stock.token for stock in stocks}


async def test_stocks_join_and_leave_on_an_open_socket(simulator: Simulator, make: Make) -> None:
    first, second = quoted(simulator, 5), quoted(simulator, 5, start=5)
    ticker, heard = make()
    async with running(ticker):
        ticker.follow(first)
        await until(lambda: len(heard.prices) == 5)
        ticker.follow([*first[3:], *second])
        await until(lambda: len(heard.prices) == 10)
        await asyncio.sleep(0.15)
        heard.prices.clear()
        await until(lambda: len(heard.prices) >= 6)
        await asyncio.sleep(0.2)
        assert not heard.prices.keys() & {one.token for one in first[:3]}
        ticker.follow([])
        await asyncio.sleep(0.15)
        heard.prices.clear()
        await asyncio.sleep(0.2)
        assert not heard.prices


async def test_more_stocks_than_a_socket_takes_go_on_more_sockets(
    simulator: Simulator, make: Make, broker: str
) -> None:
    ticker, heard = make(most_tokens=10)
    ticker.follow(quoted(simulator, 25))
    async with running(ticker):
        await until(lambda: len(heard.prices) == 25 and simulator.world.sockets[broker] == 3)
        # The broker allows three: what does not fit is left out, and said in the log.
        ticker.follow(quoted(simulator, 40))
        await until(lambda: len(heard.prices) == 30)
        await asyncio.sleep(0.2)
        assert len(heard.prices) == 30
        # One that breaks is opened again.
        await until(lambda: simulator.world.sockets[broker] == 3)
    await until(lambda: simulator.world.sockets[broker] == 0)


@pytest.mark.parametrize("kind", ["drop", "silence"])
async def test_a_broken_or_silent_socket_is_opened_again(
    simulator: Simulator, make: Make, broker: str, kind: str
) -> None:
    stocks = quoted(simulator, 8)
    ticker, heard = make()
    ticker.follow(stocks)
    async with running(ticker):
        await until(lambda: len(heard.prices) == 8)
        for _ in range(2):
            simulator.world.faults.append(Fault(f"{broker} frame", kind, times=1))
            await until(lambda: not simulator.world.faults)
            await until(lambda: not ticker.is_live)
            heard.prices.clear()
            # All of them are subscribed to again.
            await until(lambda: len(heard.prices) == 8)


@pytest.mark.parametrize("kind", ["overrun", "garbage", "unknown", "foreign", "text", "not json"])
async def test_a_frame_that_cannot_be_read_does_not_break_the_line(
    simulator: Simulator, make: Make, broker: str, kind: str
) -> None:
    ticker, heard = make()
    ticker.follow(quoted(simulator, 5))
    async with running(ticker):
        await until(lambda: len(heard.prices) == 5)
        simulator.world.faults.append(Fault(f"{broker} frame", kind, times=3))
        await until(lambda: not simulator.world.faults)
        heard.prices.clear()
        await until(lambda: len(heard.prices) >= 3)
        assert ticker.is_live
        assert not heard.prices.keys() - {one.token for one in quoted(simulator, 5)}


async def test_a_dead_token_is_not_tried_again(
    simulator: Simulator, make: Make, broker: str
) -> None:
    dead = BrokerSession("AB1234", "dead", clock.now(), "", "dead")
    ticker, _ = make(dead)
    ticker.follow(quoted(simulator, 5))

    with pytest.raises(SessionDead):
        await asyncio.wait_for(ticker.run(), 60)

    assert simulator.world.sockets[broker] == 0


async def test_a_session_that_ends_overnight_ends_the_ticker(
    simulator: Simulator, make: Make, broker: str
) -> None:
    ticker, heard = make()
    ticker.follow(quoted(simulator, 5))
    async with running(ticker) as task:
        await until(lambda: len(heard.prices) == 5)
        simulator.world.set_clock(clock.now() + dt.timedelta(hours=29))
        simulator.world.faults.append(Fault(f"{broker} frame", "drop", times=1))
        await until(task.done)
        assert isinstance(task.exception(), SessionDead)


async def test_a_broker_that_is_down_is_tried_again(
    simulator: Simulator, outside: BrokerHttpClient
) -> None:
    world, heard = simulator.world, Heard()
    token, login = world.log_in("AB1234")
    app = BrokerApp(world.api_keys[KITE], "", simulator.url)
    session = BrokerSession("AB1234", token, login.expires_at)
    ticker = Ticker(KiteTicker(app, session, simulator.kite_ticker), outside, heard, QUICK)
    world.faults += [
        Fault("kite ticker", "503", times=2),
        Fault("kite ticker", "redirect", times=2),
    ]
    ticker.follow(quoted(simulator, 5))
    async with running(ticker):
        await until(lambda: len(heard.prices) == 5)

    assert not world.faults


async def test_an_address_that_is_not_the_brokers_ends_the_ticker(
    outside: BrokerHttpClient,
) -> None:
    ticker = Ticker(
        KiteTicker(BrokerApp("k", "", ""), SESSION, "wss://evil.example"), outside, Heard(), QUICK
    )
    ticker.follow([INFY])
    with pytest.raises(Denied):
        await asyncio.wait_for(ticker.run(), 60)


def test_pauses_grow_and_are_spread() -> None:
    draw = random.Random(1)
    pauses = [pause_after(failures, TickerTimeouts(), draw) for failures in range(12)]

    for failures, pause in enumerate(pauses):
        longest = min(0.5 * 2**failures, 30)
        assert longest / 2 <= pause <= longest
    assert len({round(pause, 3) for pause in pauses[-5:]}) == 5
