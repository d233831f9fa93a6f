"""Live prices: frames read and booked, a tick's way to the browser, and what the feed costs.

A bare `struct` loop over the same frames is compared with the product's reading: it unpacks what is
needed of each packet and puts the price into a dictionary, without times, checks or units. The
rest is a real server beside the brokers' simulator, each a process of its own: every price tells
the millisecond in which it was made, so that a browser's socket can say how old it came.
"""

import asyncio
import datetime as dt
import gc
import json
import os
import random
import re
import signal
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import psutil

SERVER = Path(__file__).resolve().parent.parent / "server"
sys.path.insert(0, str(SERVER))

KITE, ANGEL = "ZERODHA", "ANGEL_ONE"
MANY = 3000
ROUNDS = 9
BROWSERS, SOCKETS_A_SESSION, SESSIONS_AN_ACCOUNT = 200, 5, 2
WATCHED = 500
SECONDS = 20
GOAL_SPEED = 1.0


# ---- reading frames ------------------------------------------------------------------------------


def reading_rows() -> list[str]:
    from tarazu.brokers.adapters.angel_stream import AngelWire
    from tarazu.brokers.adapters.kite_ticker import read_frame
    from tarazu.brokers.adapters.port import BrokerApp, BrokerSession, Quoted
    from tarazu.brokers.adapters.ticker import Batch, Subscriptions
    from tarazu.prices.book import PriceBook
    from tests.brokers.simulator.streams import angel_packet, kite_frame, kite_packet

    numbers = random.Random(1).sample(range(1, 1 << 22), MANY)
    stocks = [Quoted(number * 256 + 1, "NSE", "", str(number)) for number in numbers]
    wanted, now = Subscriptions(stocks), int(time.time())
    session = BrokerSession("A1", "x", dt.datetime.now(dt.UTC), "", "f")
    angel = AngelWire(BrokerApp("k", "", ""), session)
    list(angel.subscribing(stocks))

    def kite_frames(mode: str) -> list[list[bytes]]:
        return [
            [kite_frame([kite_packet(mode, one.token, 150_000 + turn, now) for one in stocks])]
            for turn in range(4)
        ]

    def angel_frames(mode: int) -> list[list[bytes]]:
        return [
            [angel_packet(mode, 1, one.angel_token, 150_000 + turn, now * 1000) for one in stocks]
            for turn in range(4)
        ]

    def ours(read: Callable[[list[bytes], Batch], None]) -> Callable[[list[bytes]], None]:
        book = PriceBook()

        def take_in(frames: list[bytes]) -> None:
            batch = Batch()
            read(frames, batch)
            found = batch.take()
            assert found is not None
            book.record_ticks(*found, KITE)
            assert len(book.tokens()) == MANY

        return take_in

    def read_kite(frames: list[bytes], into: Batch) -> None:
        for frame in frames:
            read_frame(frame, wanted, now, into)

    def read_angel(frames: list[bytes], into: Batch) -> None:
        angel.read(frames, wanted, now, into)

    kinds = [
        ("Kite, LTP mode", kite_frames("ltp"), ours(read_kite), bare_kite),
        ("Kite, full mode", kite_frames("full"), ours(read_kite), bare_kite),
        ("Angel One, LTP mode", angel_frames(1), ours(read_angel), bare_angel),
        ("Angel One, snap quote", angel_frames(3), ours(read_angel), bare_angel),
    ]
    rows = []
    for name, frames, read, bare in kinds:
        mine, theirs = timed(read, frames), timed(bare, frames)
        ratio = theirs / mine
        rows.append(
            f"| {name} | {MANY / mine / 1e6:.2f} | {MANY / theirs / 1e6:.2f} | {ratio:.1f} | "
            f"≥ {GOAL_SPEED:.0f} | {'yes' if ratio >= GOAL_SPEED else 'no'} |"
        )
    return rows


def bare_kite(frames: list[bytes]) -> None:
    prices: dict[int, int] = {}
    short, pair = struct.Struct(">H").unpack_from, struct.Struct(">II").unpack_from
    for frame in frames:
        place = 2
        for _ in range(short(frame, 0)[0]):
            length = short(frame, place)[0]
            token, price = pair(frame, place + 2)
            prices[token] = price
            place += 2 + length


def bare_angel(frames: list[bytes]) -> None:
    prices: dict[bytes, int] = {}
    head = struct.Struct("<BB25sqqq").unpack_from
    for frame in frames:
        _, _, token, _, _, price = head(frame, 0)
        prices[token] = price


def timed(act: Callable[[list[bytes]], None], frames: list[list[bytes]]) -> float:
    """Seconds of processor time for one set of frames: the median of many rounds."""
    took = []
    gc.disable()
    for _ in range(ROUNDS):
        for some in frames:
            began = time.process_time()
            act(some)
            took.append(time.process_time() - began)
    gc.enable()
    return statistics.median(took)


# ---- a server beside the simulator ---------------------------------------------------------------


def simulate(port: int, share: float, every: float) -> None:
    """Both brokers; a price is the millisecond in which it was made. Runs until it is ended.

    SIGUSR1 stops the market, SIGUSR2 starts it again.
    """
    import uvicorn
    from tests.brokers.simulator.running import config_of
    from tests.brokers.simulator.world import World

    class Clock(World):
        """A share of all instruments trades in each step."""

        is_still = False

        def move_prices(self, tokens: set[int]) -> set[int]:
            if self.is_still:
                return set()
            draw = self._walk.random
            moved = {one for one in tokens if draw() < share} if share < 1 else tokens
            self.paise.update(dict.fromkeys(moved, millisecond()))
            return moved

    world = Clock(clients=1, scale=0)
    world.tick_every = every
    signal.signal(signal.SIGUSR1, lambda *_: setattr(world, "is_still", True))
    signal.signal(signal.SIGUSR2, lambda *_: setattr(world, "is_still", False))
    login = world.log_in("AB1234")
    other = world.log_in("A123456")
    told = [KITE, *login[:1], "", ANGEL, *other[:1], other[1].feed]
    print(json.dumps({"told": told, "keys": world.api_keys}), flush=True)
    uvicorn.Server(config_of(world, host="127.0.0.1", port=port)).run()


def millisecond() -> int:
    """Now, in milliseconds, as a price of at most nine digits."""
    return int(time.time() * 1000) % 1_000_000_000 or 1


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Stage:
    """A server with instruments to follow, fed by the simulator, for a `with`."""

    def __init__(self, broker: str, watched: int, share: float, every: float) -> None:
        self.broker, self.watched, self.share, self.every = broker, watched, share, every
        self.port, self.market_port = free_port(), free_port()
        self.running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> "Stage":
        self.folder = tempfile.TemporaryDirectory()
        words = [str(self.market_port), str(self.share), str(self.every)]
        market = subprocess.Popen(
            [sys.executable, __file__, "simulate", *words], stdout=subprocess.PIPE
        )
        self.market = market
        self.running.append(market)
        assert market.stdout is not None
        try:
            self._found(json.loads(market.stdout.readline()))
        except BaseException:
            self.__exit__()
            raise
        address = f"127.0.0.1:{self.market_port}"
        environment = os.environ | {
            "TARAZU_LOG_LEVEL": "error",
            "TARAZU_RATE_LIMIT_SCALE": "100000",
            "TARAZU_CONNECTIONS_PER_ADDRESS": "10000",
            "TARAZU_SIGNUP_MODE": "open",
            "TARAZU_ALLOW_LOOPBACK_BROKERS": "1",
            "TARAZU_ZERODHA_TICKER_URL": f"ws://{address}/",
            "TARAZU_ANGEL_TICKER_URL": f"ws://{address}/smart-stream",
        }
        tarazu = Path(sys.executable).with_name("tarazu")
        self.server = subprocess.Popen(
            [tarazu, "serve", "--data-dir", self.folder.name, "--port", str(self.port)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.running.append(self.server)
        return self

    def move(self, *, still: bool) -> None:
        """Stop the market, or start it again."""
        self.market.send_signal(signal.SIGUSR1 if still else signal.SIGUSR2)

    def __exit__(self, *_: object) -> None:
        for one in reversed(self.running):
            one.terminate()
            one.wait(15)
        self.folder.cleanup()

    def _found(self, told: dict[str, Any]) -> None:
        """Instruments, who watches them, the broker's record and the firm's log-in there."""
        from sqlalchemy import insert
        from tarazu.app import open_database
        from tarazu.brokers import service as brokers
        from tarazu.brokers.adapters.port import BrokerSession
        from tarazu.brokers.sessions import seal_tokens
        from tarazu.brokers.tables import BrokerName, FirmSession
        from tarazu.instruments.tables import Instrument, Watch
        from tarazu.kit import clock, security
        from tarazu.kit.db import new_id
        from tarazu.kit.settings import Settings
        from tarazu.kit.audit_log import SYSTEM
        from tarazu.people import service as people
        from tarazu.people.service import Login, NewPerson
        from tarazu.people.tables import Role

        settings = Settings(data_dir=Path(self.folder.name), allow_loopback_brokers=True)
        database, now = open_database(settings), clock.now()
        name = BrokerName(self.broker)
        place = told["told"].index(self.broker)
        _, token, feed = told["told"][place : place + 3]
        with database.transaction() as session:
            login = Login(Role.ADMIN, security.hash_password("bench desk 2026"))
            person = NewPerson("Bench", "bench@desk.example")
            account = people.add_staff(session, SYSTEM, now, person, login)
            stocks = [
                {
                    **{"id": new_id(), "exchange": "NSE", "symbol": f"B{number}", "name": "Bench"},
                    **{"isin": f"INB{number:09}", "series": "EQ", "sector": "", "lot_size": 1},
                    **{"tick_size": Decimal(1), "zerodha_token": number * 256 + 1, "is_active": True},
                    **{"angel_token": str(number), "reference_close": Decimal(100)},
                    "reference_on": dt.date(2026, 8, 21),
                }
                for number in range(3_000_001, 3_000_001 + self.watched)
            ]
            session.execute(insert(Instrument), stocks)
            rows = [{"instrument_id": one["id"], "account_id": account.id, "at": now} for one in stocks]
            session.execute(insert(Watch), rows)
            entered = brokers.BrokerFields(
                api_key=told["keys"][name],
                api_secret="bench",
                api_url=f"http://127.0.0.1:{self.market_port}",
            )
            brokers.add_broker(session, settings, SYSTEM, now, name, entered)
            user = "AB1234" if self.broker == KITE else "A123456"
            until = now + dt.timedelta(hours=5)
            kept = FirmSession(
                id=new_id(), broker=name, broker_user_id=user, account_id=None,
                connected_at=now, expires_at=until, ended_at=None,
            )  # fmt: skip
            seal_tokens(session, kept, BrokerSession(user, token, until, "", feed))
            session.add(kept)
        database.dispose()

    async def tokens(self, sessions: int) -> list[str]:
        """So many sessions of staff."""
        import httpx

        url = f"http://127.0.0.1:{self.port}"
        async with httpx.AsyncClient(base_url=url, timeout=30) as web:
            for _ in range(300):
                try:
                    if (await web.get("/health/ready")).status_code == 200:
                        break
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.1)
            found: list[str] = []
            for number in range(-(-sessions // SESSIONS_AN_ACCOUNT)):
                entry = {"email": f"b{number}@desk.example", "password": "bench desk 2026"}
                named = entry | {"name": f"Bench {number}"}
                answer = await web.post("/api/v1/auth/register", json=named)
                found.append(answer.json()["accessToken"])
                for _ in range(SESSIONS_AN_ACCOUNT - 1):
                    answer = await web.post("/api/v1/auth/login", json=entry)
                    found.append(answer.json()["accessToken"])
            return found[:sessions]


class Browser:
    """A browser's socket that notes how old each price came, in milliseconds."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token
        self.frames: list[tuple[int, str]] = []
        self.is_counting = False

    @property
    def ages(self) -> list[int]:
        """Read afterwards: what reading takes must not count as age of the next browser's."""
        return [
            at - round(float(price) * 100)
            for at, text in self.frames
            for price in re.findall(r":([\d.]+)", text)
        ]

    async def run(self) -> None:
        from websockets.asyncio.client import connect

        async with connect(self.url, compression=None, max_size=1 << 24) as line:
            await line.recv()
            await line.send("40" + json.dumps({"token": self.token}))
            async for frame in line:
                now = millisecond()
                text = frame if isinstance(frame, str) else frame.decode()
                if text == "2":
                    await line.send("3")
                elif self.is_counting and text.startswith('42["ticks",'):
                    self.frames.append((now, text))


def ages(share: float, every: float) -> tuple[list[int], int]:
    """The ages in which prices came to all browsers, and how many browsers those were."""
    with Stage(KITE, WATCHED, share, every) as stage:
        return asyncio.run(_ages(stage))


async def _ages(stage: Stage) -> tuple[list[int], int]:
    held = await stage.tokens(BROWSERS // SOCKETS_A_SESSION)
    url = f"ws://127.0.0.1:{stage.port}/socket.io/?EIO=4&transport=websocket"
    browsers = [Browser(url, token) for token in held for _ in range(SOCKETS_A_SESSION)]
    tasks = [asyncio.create_task(one.run()) for one in browsers]
    await asyncio.sleep(8)
    for one in browsers:
        one.is_counting = True
    await asyncio.sleep(SECONDS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    found = [age for one in browsers for age in one.ages]
    return found, sum(bool(one.frames) for one in browsers)


def age_row(name: str, share: float, every: float) -> str:
    found, browsers = ages(share, every)
    cuts = statistics.quantiles(found, n=100)
    return (
        f"| {name} | {browsers} | {len(found):,} | {statistics.median(found):.0f} | {cuts[94]:.0f} | "
        f"{cuts[98]:.0f} |"
    )


def cost_row(broker: str) -> str:
    """Processor time and memory of a server that books 3,000 instruments four times a second."""
    with Stage(broker, MANY, 1.0, 0.25) as stage:
        return asyncio.run(_cost(stage))


async def _cost(stage: Stage) -> str:
    (token,) = await stage.tokens(1)
    watcher = Browser(f"ws://127.0.0.1:{stage.port}/socket.io/?EIO=4&transport=websocket", token)
    task = asyncio.create_task(watcher.run())
    await asyncio.sleep(8)
    watcher.is_counting = True
    server = psutil.Process(stage.server.pid)
    before, memory, began = server.cpu_times(), server.memory_info().rss, time.monotonic()
    await asyncio.sleep(SECONDS)
    after, grown = server.cpu_times(), server.memory_info().rss - memory
    seconds = time.monotonic() - began
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    spent = after.user + after.system - before.user - before.system
    return (
        f"| {stage.broker} | {len(watcher.ages) / seconds:,.0f} | {100 * spent / seconds:.1f} | "
        f"{memory / 1e6:.0f} | {grown / 1e6:+.1f} |"
    )


def table() -> str:
    """All three tables."""
    return "\n".join(
        [
            "| frames of 3,000 instruments | read and booked, million ticks/s | bare struct loop | "
            "ours ÷ bare | goal | met |",
            "|---|---|---|---|---|---|",
            *reading_rows(),
            "",
            f"| tick to browser, {WATCHED} instruments | browsers | prices received | median, ms | "
            "p95, ms | p99, ms |",
            "|---|---|---|---|---|---|",
            age_row("trading all the time (a browser gets at most 4 frames a second)", 0.07, 0.05),
            age_row("a burst every two seconds", 1.0, 2.0),
            "",
            f"| server with {MANY:,} instruments 4 times a second, one browser | "
            f"prices a second at the browser | processor, % of a core | memory, MB | "
            f"growth in {SECONDS} s, MB |",
            "|---|---|---|---|---|",
            cost_row(KITE),
            cost_row(ANGEL),
        ]
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["simulate"]:
        simulate(int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
    elif sys.argv[1:2] == ["reading"]:
        print("\n".join(reading_rows()))
    elif sys.argv[1:2] == ["ages"]:
        print(age_row("trading all the time", 0.07, 0.05))
        print(age_row("a burst every two seconds", 1.0, 2.0))
    elif sys.argv[1:2] == ["cost"]:
        print(cost_row(KITE))
        print(cost_row(ANGEL))
    else:
        print(table())
