"""Several processes over PostgreSQL and Redis: what a browser's message costs, and what a kill costs.

One installation of a single process and one of two stand side by side, fed by the same simulated
market; each has as many browsers as the other, and both are measured in the same seconds. Then
two workers join the second, its servers leave the timed work to them, and all four are killed under
writers, one after the other, the leader first: rows are written and mails are asked for meanwhile.

Needs a PostgreSQL on 127.0.0.1:5432 (user postgres) and the program redis-server.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"
BROWSERS, SOCKETS_A_SESSION, SESSIONS_AN_ACCOUNT = 1000, 5, 8
WATCHED = 120
SECONDS, ROUNDS = 10, 3
WRITERS, KILLS = 8, 8
MAILERS = 2
"""Writers who invite staff: each invitation is a mail, which a worker sends."""
MAILED_WITHIN = 120.0
"""Seconds until the last mail is out: one that a killed worker had taken waits for its lease."""
GOAL_RATIO, GOAL_BACK, GOAL_PRICES = 1.25, 5.0, 10.0
PASSWORD = "bench desk 2026"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@dataclass
class Server:
    """One process that serves, or works."""

    settings: dict[str, str]
    folder: str
    does: str = "serve"
    """`serve`, or `worker`, which has no port."""
    port: int = field(default_factory=free_port)
    running: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cpu(self) -> float:
        """Processor seconds so far, user and system."""
        assert self.running is not None
        times = psutil.Process(self.running.pid).cpu_times()
        return float(times.user + times.system)

    @property
    def memory(self) -> float:
        """Resident, in MB."""
        assert self.running is not None
        return psutil.Process(self.running.pid).memory_info().rss / 1e6

    def start(self) -> None:
        kept = {key: word for key, word in os.environ.items() if not key.startswith("TARAZU_")}
        told = {f"TARAZU_{name.upper()}": word for name, word in self.settings.items()}
        tarazu = Path(sys.executable).with_name("tarazu")
        port = ["--port", str(self.port)] if self.does == "serve" else []
        self.running = subprocess.Popen(
            [tarazu, self.does, "--data-dir", self.folder, *port],
            env=kept | told,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def stop(self, *, kill: bool = False) -> None:
        if self.running is not None and self.running.poll() is None:
            (self.running.kill if kill else self.running.terminate)()
            try:
                self.running.wait(20)
            except subprocess.TimeoutExpired:
                self.running.kill()
                self.running.wait()


class Stage:
    """Redis, an installation of two processes, and one of a single process, for a `with`."""

    def __init__(self, *, has_single: bool) -> None:
        self._has_single = has_single

    def __enter__(self) -> "Stage":
        self._left = contextlib.ExitStack()
        port = free_port()
        words = ["redis-server", "--port", str(port), "--save", "", "--appendonly", "no"]
        self.redis = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        self._left.callback(self.redis.wait)
        self._left.callback(self.redis.terminate)
        try:
            if self._has_single:
                (self.one,) = self._installed(1, "")
            self.two = self._installed(2, f"redis://127.0.0.1:{port}/0")
        except BaseException:
            self._left.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._left.close()

    @property
    def redis_cpu(self) -> float:
        times = psutil.Process(self.redis.pid).cpu_times()
        return float(times.user + times.system)

    def hire(self, many: int) -> list[Server]:
        """Workers of the second installation, whose servers leave the timed work to them."""
        workers = []
        for _ in range(many):
            folder = self._left.enter_context(tempfile.TemporaryDirectory())
            workers.append(Server(self.two[0].settings, folder, "worker"))
            self._left.callback(workers[-1].stop)
            workers[-1].start()
        for one in self.two:
            one.stop()
            one.settings = one.settings | {"jobs": "worker"}
            one.start()
            asyncio.run(ready(one))
        return workers

    def _installed(self, many: int, redis_url: str) -> list[Server]:
        name = f"tarazu_bench_{uuid.uuid4().hex[:10]}"
        with psycopg.connect(POSTGRES, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
        self._left.callback(_drop, name)
        told = {
            "database_url": f"{POSTGRES.rpartition('/')[0]}/{name}",
            "redis_url": redis_url,
            "secrets_keys": "bench:" + "A" * 43 + "=",
            "price_source": "simulated",
            "signup_mode": "open",
            "rate_limit_scale": "100000",
            "connections_per_address": "10000",
            "log_level": "error",
        }
        servers = []
        for _ in range(many):
            folder = self._left.enter_context(tempfile.TemporaryDirectory())
            servers.append(Server(told, folder))
            self._left.callback(servers[-1].stop)
            servers[-1].start()
            # One after the other: the first founds the installation.
            asyncio.run(ready(servers[-1]))
        return servers


def _drop(name: str) -> None:
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


async def ready(server: Server, seconds: float = 180) -> dict[str, Any]:
    end = time.monotonic() + seconds
    async with httpx.AsyncClient(base_url=server.url, timeout=10) as web:
        while time.monotonic() < end:
            with contextlib.suppress(httpx.TransportError):
                answer = await web.get("/health/ready")
                if answer.status_code == 200:
                    return dict(answer.json())
            await asyncio.sleep(0.1)
    raise RuntimeError("the server did not become ready")


async def sessions(server: Server, many: int, crew: str) -> list[str]:
    """So many sessions of staff, of accounts of their own, and stocks that they watch."""
    found: list[str] = []
    async with httpx.AsyncClient(base_url=f"{server.url}/api/v1", timeout=60) as web:
        for number in range(-(-many // SESSIONS_AN_ACCOUNT)):
            entry = {"email": f"{crew}{number}@desk.example", "password": PASSWORD}
            answer = await web.post("/auth/register", json=entry | {"name": f"Bench {number}"})
            if answer.status_code != 201:  # it has an account already
                answer = await web.post("/auth/login", json=entry)
            found.append(answer.json()["accessToken"])
            for _ in range(SESSIONS_AN_ACCOUNT - 1):
                answer = await web.post("/auth/login", json=entry)
                found.append(answer.json()["accessToken"])
        headers = {"Authorization": f"Bearer {found[0]}"}
        symbols: set[str] = set()
        for letter in "abcdefghijklmnopqrstuvwxyz":
            if len(symbols) >= WATCHED:
                break
            asked = {"query": letter + letter}
            rows = (await web.get("/instruments/search", params=asked, headers=headers)).json()
            asked = {"query": letter + "a"}
            more = (await web.get("/instruments/search", params=asked, headers=headers)).json()
            for row in (*rows["data"], *more["data"]):
                if row["exchange"] == "NSE" and len(symbols) < WATCHED:
                    symbols.add(row["symbol"])
        for symbol in sorted(symbols):
            body = {"symbolName": symbol, "exchange": "NSE"}
            await web.post("/instruments/add", json=body, headers=headers)
    return found[:many]


class Browser:
    """A socket that counts its frames, and comes back elsewhere when its server is gone."""

    def __init__(self, servers: list[Server], token: str) -> None:
        self.servers, self.token = servers, token
        self.frames = 0
        self.lost_at: float | None = None
        self.backs: list[float] = []
        self.silences: list[float] = []

    async def run(self) -> None:
        while True:
            try:
                await self._hear()
            except Exception:  # noqa: BLE001 - whatever ended it, a browser tries again
                self.lost_at = self.lost_at or time.monotonic()
            self.servers = [*self.servers[1:], self.servers[0]]
            await asyncio.sleep(0.1)

    async def _hear(self) -> None:
        from websockets.asyncio.client import connect

        url = f"ws://127.0.0.1:{self.servers[0].port}/socket.io/?EIO=4&transport=websocket"
        async with connect(url, compression=None, max_size=1 << 24, open_timeout=30) as line:
            await line.recv()
            await line.send("40" + json.dumps({"token": self.token}))
            greeting, is_silent = 0, self.lost_at
            async for frame in line:
                text = frame if isinstance(frame, str) else frame.decode()
                if text == "2":
                    await line.send("3")
                elif text.startswith('42["ticks",'):
                    self.frames += 1
                    greeting += 1
                    if self.lost_at is not None:
                        self.backs.append(time.monotonic() - self.lost_at)
                        self.lost_at = None
                    elif is_silent is not None and greeting > 1:
                        self.silences.append(time.monotonic() - is_silent)
                        is_silent = None
        self.lost_at = self.lost_at or time.monotonic()


# ---- a browser's message -------------------------------------------------------------------------


@dataclass
class Cost:
    """Microseconds of processor time a browser-message, and what else was seen.

    `beyond` leaves out what the processes cost while no browser is there, of one and of two.
    """

    one: float
    two: float
    redis: float
    beyond: tuple[float, float]
    memory: tuple[float, float]


async def costs(stage: Stage) -> list[Cost]:
    many = BROWSERS // SOCKETS_A_SESSION
    lone = await sessions(stage.one, many, "b")
    paired = await sessions(stage.two[0], many, "b")
    at_one = [Browser([stage.one], token) for token in lone for _ in range(SOCKETS_A_SESSION)]
    at_two = [
        Browser([stage.two[place % 2]], token)
        for place, token in enumerate(paired)
        for _ in range(SOCKETS_A_SESSION)
    ]
    await asyncio.sleep(5)
    before = stage.one.cpu, sum(one.cpu for one in stage.two)
    await asyncio.sleep(SECONDS)
    idle = stage.one.cpu - before[0], sum(one.cpu for one in stage.two) - before[1]
    tasks = []
    for browser in itertools.chain(*zip(at_one, at_two, strict=True)):
        tasks.append(asyncio.create_task(browser.run()))
        await asyncio.sleep(0.01)
    await asyncio.sleep(8)
    found = [await _cost(stage, at_one, at_two, idle) for _ in range(ROUNDS)]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


async def _cost(
    stage: Stage, at_one: list[Browser], at_two: list[Browser], idle: tuple[float, float]
) -> Cost:
    def frames(browsers: list[Browser]) -> int:
        return sum(one.frames for one in browsers)

    before = (stage.one.cpu, sum(one.cpu for one in stage.two), stage.redis_cpu)
    heard = frames(at_one), frames(at_two)
    await asyncio.sleep(SECONDS)
    heard = frames(at_one) - heard[0], frames(at_two) - heard[1]
    after = (stage.one.cpu, sum(one.cpu for one in stage.two), stage.redis_cpu)
    spent = [then - now for now, then in zip(before, after, strict=True)]
    return Cost(
        1e6 * spent[0] / heard[0],
        1e6 * spent[1] / heard[1],
        1e6 * spent[2] / heard[1],
        (1e6 * (spent[0] - idle[0]) / heard[0], 1e6 * (spent[1] - idle[1]) / heard[1]),
        (stage.one.memory, max(one.memory for one in stage.two)),
    )


# ---- kills under load ----------------------------------------------------------------------------


@dataclass
class Writing:
    """What the writers did; marks by the kind of what was written."""

    rows: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    repeated: int = 0
    is_over: bool = False


@dataclass
class Kept:
    """What is there after the kills.

    Attributes:
        rows: how often each mark is in the client's records.
        sent: by address, the Message-IDs of the mails that were handed over.
        noted: how often the trail says that a mail was sent, by mail.
    """

    rows: Counter[str]
    sent: dict[str, set[str]]
    noted: Counter[str]


async def kills(
    stage: Stage, workers: list[Server]
) -> tuple[Writing, Kept, list[Browser], list[float]]:
    """Kill a process every few seconds under writers: the leader, a worker, the other server, a worker."""
    # The first of this crew is the installation's administrator, who may invite.
    tokens = await sessions(stage.two[0], 9, "b")
    headers = {"Authorization": f"Bearer {tokens[0]}"}
    async with httpx.AsyncClient(base_url=f"{stage.two[0].url}/api/v1", timeout=60) as web:
        new = {"clients": [{"name": "Written Under Kills", "email": "kills@home.example"}]}
        added = await web.post("/clients/add", json=new, headers=headers)
        client = added.json()["data"][0]["_id"]
    browsers = [
        Browser(stage.two[turn % 2 :] + stage.two[: turn % 2], tokens[1 + turn % 2])
        for turn in range(8)
    ]
    tasks = [asyncio.create_task(one.run()) for one in browsers]
    done, handed = Writing(), []
    writers = [
        asyncio.create_task(_write(stage, client, headers, done, number))
        for number in range(WRITERS)
    ]
    writers += [
        asyncio.create_task(_invite(stage, headers, done, number)) for number in range(MAILERS)
    ]
    await asyncio.sleep(4)
    for turn in range(KILLS):
        if turn % 2:
            victim = workers[turn // 2 % len(workers)]
            victim.stop(kill=True)
            await asyncio.sleep(2)
            victim.start()
        else:
            handed += await _kill_server(stage, leads=turn % 4 == 0)
        await asyncio.sleep(random.uniform(1, 3))
    done.is_over = True
    await asyncio.gather(*writers)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await _mailed(workers, done)
    kept = Kept(await _written(stage, client, headers), _sent_by(workers), _noted(stage))
    return done, kept, browsers, handed


async def _kill_server(stage: Stage, *, leads: bool) -> list[float]:
    """Kill the leader, or the other; the seconds until another led, where the leader died."""
    leading = [one for one in stage.two if (await ready(one))["feed"]["leads"]]
    victim = leading[0] if leads else next(one for one in stage.two if one not in leading)
    heir = next(one for one in stage.two if one is not victim)
    victim.stop(kill=True)
    killed_at = time.monotonic()
    while not (await ready(heir))["feed"]["leads"]:
        await asyncio.sleep(0.1)
    took = [time.monotonic() - killed_at] if victim in leading else []
    await asyncio.sleep(3)
    victim.start()
    await ready(victim)
    return took


async def _write(
    stage: Stage, client: str, headers: dict[str, str], done: Writing, number: int
) -> None:
    """Write one row after the other into a client's books."""
    path = f"/api/v1/admin/clients/client/{client}/accounting/transaction"
    turns = itertools.count(number)
    async with httpx.AsyncClient(timeout=15) as web:
        while not done.is_over:
            # The amount is the mark: no two writes have the same.
            mark = f"{number + 1}{next(turns):05}"
            body = {"date": "2026-11-02", "amount": int(mark), "type": "FUNDS_ADDED"}
            await _ask(stage, web, path, body, headers | {"Idempotency-Key": f"kill {mark}"}, done)
            done.rows[mark] += 1
            await asyncio.sleep(0.02)


async def _invite(stage: Stage, headers: dict[str, str], done: Writing, number: int) -> None:
    """Invite one member of staff after the other, each by a mail."""
    async with httpx.AsyncClient(timeout=15) as web:
        for turn in itertools.count():
            if done.is_over:
                return
            mark = f"invited{number}x{turn}@desk.example"
            body = {"users": [{"name": f"Invited {turn}", "email": mark, "role": "USER"}]}
            told = headers | {"Idempotency-Key": f"kill {mark}"}
            await _ask(stage, web, "/api/v1/users/add", body, told, done)
            done.mails[mark] += 1
            await asyncio.sleep(0.3)


async def _ask(
    stage: Stage,
    web: httpx.AsyncClient,
    path: str,
    body: dict[str, Any],
    headers: dict[str, str],
    done: Writing,
) -> None:
    """Send a write, with its key, at whichever process answers, until it is acknowledged."""
    for attempt in itertools.count(random.randrange(2)):
        try:
            answer = await web.post(stage.two[attempt % 2].url + path, json=body, headers=headers)
        except httpx.TransportError:
            done.repeated += 1
            await asyncio.sleep(0.1)
            continue
        if answer.status_code in {200, 201}:
            return
        if answer.status_code in {400, 401, 403, 404, 422}:
            sys.exit(f"{path}: {answer.status_code} {answer.text}")
        await asyncio.sleep(0.2)


async def _written(stage: Stage, client: str, headers: dict[str, str]) -> Counter[str]:
    path = f"/api/v1/admin/clients/client/{client}/accounting"
    async with httpx.AsyncClient(base_url=stage.two[0].url, timeout=60) as web:
        rows = (await web.get(path, headers=headers)).json()["data"]
    return Counter(str(round(row["amount"])) for row in rows)


async def _mailed(workers: list[Server], done: Writing) -> None:
    """Wait until every invitation is out."""
    end = time.monotonic() + MAILED_WITHIN
    while time.monotonic() < end and done.mails.keys() - _sent_by(workers).keys():
        await asyncio.sleep(0.5)


def _sent_by(workers: list[Server]) -> dict[str, set[str]]:
    sent: dict[str, set[str]] = {}
    for one in workers:
        for file in Path(one.folder).glob("outbox/*.eml"):
            mail = message_from_bytes(file.read_bytes())
            sent.setdefault(str(mail["To"]), set()).add(str(mail["Message-ID"]))
    return sent


def _noted(stage: Stage) -> Counter[str]:
    with psycopg.connect(stage.two[0].settings["database_url"]) as database:
        rows = database.execute("SELECT record_id FROM audit WHERE action = 'mail_sent'")
        return Counter(str(row[0]) for row in rows)


# ---- the tables ----------------------------------------------------------------------------------


def table() -> str:
    """Both tables; one line where what they need is missing."""
    if shutil.which("redis-server") is None:
        return "Left out: redis-server is not installed."
    try:
        psycopg.connect(POSTGRES, connect_timeout=2).close()
    except psycopg.OperationalError:
        return "Left out: no PostgreSQL answers on 127.0.0.1:5432."
    # Ended early, everything that was started ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with Stage(has_single="kills" not in sys.argv) as stage:
        rows = _cost_rows(asyncio.run(costs(stage))) if "kills" not in sys.argv else []
        rows += [""] if rows else []
        if "cost" not in sys.argv:
            workers = stage.hire(2)
            rows += _kill_rows(*asyncio.run(kills(stage, workers)))
    return "\n".join(rows)


def _cost_rows(found: list[Cost]) -> list[str]:
    best = sorted(found, key=lambda one: one.two / one.one)[len(found) // 2]
    ratio, whole = best.two / best.one, (best.two + best.redis) / best.one
    met = "yes" if ratio <= GOAL_RATIO else "no"
    return [
        f"| {BROWSERS} browsers, {WATCHED} stocks | one process | two over Redis | ratio | goal | "
        "met | Redis's own | with it |",
        "|---|---|---|---|---|---|---|---|",
        f"| processor a browser-message, µs | {best.one:.1f} | {best.two:.1f} | {ratio:.2f} | "
        f"≤ {GOAL_RATIO} | {met} | {best.redis:.2f} | {whole:.2f} |",
        f"| without the cost of a process alone, µs | {best.beyond[0]:.1f} | "
        f"{best.beyond[1]:.1f} | {best.beyond[1] / best.beyond[0]:.2f} | | | | |",
        f"| memory of a process, MB | {best.memory[0]:.0f} | {best.memory[1]:.0f} | | | | | |",
    ]


def _kill_rows(
    done: Writing, kept: Kept, browsers: list[Browser], handed: list[float]
) -> list[str]:
    lost = sum(kept.rows[mark] == 0 for mark in done.rows)
    double = sum(count > 1 for count in kept.rows.values())
    unsent = done.mails.keys() - kept.sent.keys()
    twice = sum(len(ids) > 1 for ids in kept.sent.values())
    twice += sum(count > 1 for count in kept.noted.values())
    backs = [one for browser in browsers for one in browser.backs]
    silences = [one for browser in browsers for one in browser.silences]

    def row(name: str, figure: str, goal: str, *, met: bool) -> str:
        return f"| {name} | {figure} | {goal} | {'yes' if met else 'no'} |"

    slowest, longest = max(backs, default=99.0), max(silences, default=99.0)
    return [
        f"| {KILLS} kills, of two servers and two workers, under {WRITERS + MAILERS} writers | measured | goal | met |",
        "|---|---|---|---|",
        row("acknowledged writes lost", f"{lost} of {len(done.rows):,}", "0", met=not lost),
        row("writes that are there twice", f"{double}, {done.repeated} were repeated", "0", met=not double),
        row("mails lost", f"{len(unsent)} of {len(done.mails):,}", "0", met=not unsent),
        row("mails sent as two, or noted twice", f"{twice}", "0", met=not twice),
        row(
            f"sockets back with all prices, slowest of {len(backs)}",
            f"{slowest:.1f} s",
            f"≤ {GOAL_BACK:.0f} s",
            met=slowest <= GOAL_BACK,
        ),
        row(
            "feed taken over after the leader's kill, slowest",
            f"{max(handed):.1f} s",
            f"≤ {GOAL_PRICES:.0f} s",
            met=max(handed) <= GOAL_PRICES,
        ),
        row(
            "prices move again, slowest",
            f"{longest:.1f} s",
            f"≤ {GOAL_PRICES:.0f} s",
            met=longest <= GOAL_PRICES,
        ),
    ]


if __name__ == "__main__":
    print(table())
