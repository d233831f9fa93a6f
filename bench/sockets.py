"""Browsers at the live line: what a message costs beside bare writing, how old a frame comes,
what the calls of others notice, and what browsers that read nothing do.

`tarazu serve`, the brokers' simulator and the bare application of `raw_sockets.py` are processes
of their own, and so is the caller of the API; the browsers are in this one, whose time is not
counted. Both servers have as many browsers at the same time, and are fed by turns: while one is
measured the other rests. 1,000 instruments all trade, four times a second.
"""

import asyncio
import contextlib
import http.client
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
import uvloop

from prices import KITE, SOCKETS_A_SESSION, Stage, free_port
from wires import Crowd

LIVE_PATH = "/socket.io/?EIO=4&transport=websocket"
COUNTS = (50, 200, 1000)
MOST, OFFERING, STALLED = 1000, 200, 20
WATCHED, EVERY = 1000, 0.25
ROUNDS, SECONDS, SETTLED = 3, 5.0, 1.0
API_ROUNDS, API_SECONDS, API_EVERY = 3, 8.0, 0.02
STALL_SECONDS, GONE_AFTER = 8.0, 30.0
STALLED_ROOM = 4096
CLIENTS = 200
GOAL_RAW, GOAL_OFFERED, GOAL_API, GOAL_STALLED, GOAL_BROWSER = 1.5, 2.5, 3.0, 10.0, 45.0
GOAL_OTHERS = 1.5


def raise_file_limit() -> None:
    """As many open files as this process may ask for; what it starts inherits them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 16_384), most))


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far, to the nanosecond where the kernel tells it."""
    spent = 0
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):
                spent += int((task / "schedstat").read_text().split()[0])
    except FileNotFoundError:
        spent = 0
    if spent:
        return spent / 1e9
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def resident(pid: int) -> float:
    """In MB."""
    return float(psutil.Process(pid).memory_info().rss / 1e6)


@dataclass
class Bare:
    """The bare application as a process."""

    port: int = field(default_factory=free_port)
    way: str = "rests"

    def __enter__(self) -> "Bare":
        program = Path(__file__).with_name("raw_sockets.py")
        words = [sys.executable, program, str(self.port), str(WATCHED)]
        self.running = subprocess.Popen(words)
        return self

    def __exit__(self, *_: object) -> None:
        self.running.terminate()
        self.running.wait(15)

    async def steer(self, way: str) -> None:
        async with httpx.AsyncClient() as web:
            for _ in range(100):
                with contextlib.suppress(httpx.TransportError):
                    await web.get(f"http://127.0.0.1:{self.port}/{way}")
                    return
                await asyncio.sleep(0.1)
        raise RuntimeError("the bare application does not answer")


@dataclass
class Window:
    """What one window of time showed: processor time in µs a message, ages in ms."""

    messages: int
    micros: float
    ages: list[float]
    seconds: float
    spent: float


async def watch(crowd: Crowd, pid: int, seconds: float = SECONDS) -> Window:
    await asyncio.sleep(SETTLED)
    crowd.ages, crowd.frames, crowd.is_counting = [], 0, True
    before, began = processor_seconds(pid), time.monotonic()
    await asyncio.sleep(seconds)
    spent, took = processor_seconds(pid) - before, time.monotonic() - began
    crowd.is_counting = False
    each = 1e6 * spent / crowd.frames if crowd.frames else 0.0
    return Window(crowd.frames, each, crowd.ages, took, spent)


@dataclass
class Beside:
    """Windows of one number of browsers: the product, bare writes, bare sends; and alone."""

    browsers: int
    ours: list[Window] = field(default_factory=list)
    writes: list[Window] = field(default_factory=list)
    sends: list[Window] = field(default_factory=list)
    feed: float = 0.0
    """Processor seconds in a second that the product needs with no browser there."""

    def beyond(self, window: Window) -> float:
        """µs a message without what booking the prices and making the frame costs anyway."""
        return 1e6 * (window.spent - self.feed * window.seconds) / window.messages

    def ratios(self, *, whole: bool = False) -> list[float]:
        return [
            (ours.micros if whole else self.beyond(ours)) / bare.micros
            for ours, bare in zip(self.ours, self.writes, strict=True)
        ]


@dataclass
class Found:
    beside: list[Beside] = field(default_factory=list)
    offered: Beside | None = None
    deflated: int = 0
    api_still: list[list[float]] = field(default_factory=list)
    api_fed: list[list[float]] = field(default_factory=list)
    a_browser: float = 0.0
    stalled_growth: float = 0.0
    stalled_others: tuple[float, float] = (0.0, 0.0)
    stalled_gone: int = 0
    older: int = 0
    lost: int = 0


class Measuring:
    """All of it, on one stage."""

    def __init__(self, stage: Stage, bare: Bare) -> None:
        self.stage, self.bare = stage, bare
        self.pid = stage.server.pid
        self.found = Found()
        self.tokens: list[str] = []

    async def run(self) -> Found:
        # Those that stall have sessions of their own.
        sessions = (MOST + STALLED) // SOCKETS_A_SESSION
        held = await self.stage.tokens(sessions)
        self.tokens = [token for token in held for _ in range(SOCKETS_A_SESSION)]
        await self._add_clients()
        await self.bare.steer("rests")
        feed = await self._feed()
        crowd, others = Crowd(), Crowd()
        memory: list[tuple[int, float]] = []
        for count in COUNTS:
            new = self.tokens[len(crowd.browsers) : count]
            await crowd.join(self.stage.port, LIVE_PATH, new)
            await others.join(self.bare.port, "/", new)
            beside = Beside(count, feed=feed)
            await self._by_turns(beside, crowd, others)
            self.found.beside.append(beside)
            memory.append((count, resident(self.pid)))
        (fewest, before), (most, after) = memory[0], memory[-1]
        self.found.a_browser = 1000 * (after - before) / (most - fewest)
        await self._calls()
        self.found.lost = crowd.lost + others.lost
        self.found.older = crowd.older_after_newer
        crowd.leave()
        others.leave()
        await asyncio.sleep(1)
        await self._offering(feed)
        await self._stalling()
        return self.found

    async def _by_turns(self, beside: Beside, crowd: Crowd, others: Crowd) -> None:
        """The product and the bare application, each fed while the other rests."""
        for _ in range(ROUNDS):
            self.stage.move(still=False)
            beside.ours.append(await watch(crowd, self.pid))
            self.stage.move(still=True)
            for way, windows in (("writes", beside.writes), ("sends", beside.sends)):
                await self.bare.steer(way)
                windows.append(await watch(others, self.bare.running.pid))
            await self.bare.steer("rests")

    async def _feed(self) -> float:
        """What the product spends on 1,000 prices four times a second for nobody."""
        self.stage.move(still=False)
        await asyncio.sleep(6)
        before, began = processor_seconds(self.pid), time.monotonic()
        await asyncio.sleep(2 * SECONDS)
        return (processor_seconds(self.pid) - before) / (time.monotonic() - began)

    async def _offering(self, feed: float) -> None:
        """Browsers that offer to deflate, beside bare writes to browsers that do not."""
        crowd, others = Crowd(), Crowd()
        some = self.tokens[:OFFERING]
        await crowd.join(self.stage.port, LIVE_PATH, some, offers=True)
        await others.join(self.bare.port, "/", some)
        self.found.offered = Beside(OFFERING, feed=feed)
        await self._by_turns(self.found.offered, crowd, others)
        self.found.deflated = crowd.deflated
        crowd.leave()
        others.leave()
        await asyncio.sleep(1)

    async def _stalling(self) -> None:
        """Some read nothing; half of them go on after a while, the rest are to be dropped."""
        crowd, slow = Crowd(), Crowd()
        self.stage.move(still=False)
        await crowd.join(self.stage.port, LIVE_PATH, self.tokens[:OFFERING])
        before = await watch(crowd, self.pid)
        memory = resident(self.pid)
        slow_tokens = self.tokens[MOST : MOST + STALLED]
        await slow.join(self.stage.port, LIVE_PATH, slow_tokens, room=STALLED_ROOM)
        joined = resident(self.pid)
        for browser in slow.browsers:
            browser.stall()
        watching = asyncio.create_task(watch(crowd, self.pid, GONE_AFTER))
        seen, began, are_back = [joined], time.monotonic(), False
        while not watching.done():
            await asyncio.sleep(0.25)
            seen.append(resident(self.pid))
            if not are_back and time.monotonic() - began > STALL_SECONDS:
                are_back = True
                for browser in slow.browsers[: STALLED // 2]:
                    browser.go_on()
        during = await watching
        for browser in slow.browsers[STALLED // 2 :]:
            browser.go_on()
        await asyncio.sleep(1.5)
        self.found.stalled_growth = max(seen) - memory
        self.found.stalled_others = p99(before.ages), p99(during.ages)
        self.found.stalled_gone = slow.lost
        self.found.older += crowd.older_after_newer + slow.older_after_newer
        self.found.lost += crowd.lost
        slow.leave()
        crowd.leave()

    async def _add_clients(self) -> None:
        """Something to list."""
        headers = {"Authorization": f"Bearer {self.tokens[0]}"}
        address = f"http://127.0.0.1:{self.stage.port}/api/v1"
        async with httpx.AsyncClient(base_url=address, headers=headers, timeout=60) as web:
            for start in range(0, CLIENTS, 100):
                rows = [
                    {"name": "Listed Client", "email": f"c{number}@home.example"}
                    for number in range(start, start + 100)
                ]
                (await web.post("/clients/add", json={"clients": rows})).raise_for_status()

    async def _calls(self) -> None:
        """The client list, calmly, with all browsers there: in a still market, then a moving one."""
        for _ in range(API_ROUNDS):
            self.stage.move(still=True)
            self.found.api_still.append(await self._called())
            self.stage.move(still=False)
            self.found.api_fed.append(await self._called())

    async def _called(self) -> list[float]:
        await asyncio.sleep(SETTLED)
        words = [sys.executable, __file__, "calls", str(self.stage.port), self.tokens[0]]
        caller = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        told, _ = await caller.communicate()
        return list(json.loads(told))


def call(port: int, token: str) -> Iterator[float]:
    """Milliseconds of each call of the client list, at a calm rate."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    end = time.monotonic() + API_SECONDS
    while time.monotonic() < end:
        began = time.perf_counter()
        link.request(
            "GET", "/api/v1/admin/clients?limit=50", headers={"Authorization": f"Bearer {token}"}
        )
        answer = link.getresponse()
        rows = len(json.loads(answer.read())["data"])
        assert (answer.status, rows) == (200, 50)
        yield (time.perf_counter() - began) * 1000
        time.sleep(API_EVERY)


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


def measured() -> Found:
    raise_file_limit()
    with Stage(KITE, WATCHED, 1.0, EVERY) as stage, Bare() as bare:
        return uvloop.run(Measuring(stage, bare).run())


def table() -> str:
    """Cost beside bare writing, then the rest with its goals."""
    found = measured()
    lines = [
        f"| {WATCHED:,} prices 4 times a second | messages a second | made to received, ms: p50 | "
        "p99 | bare writes: p50 | p99 | processor a message, µs | without the feed | bare writes | "
        "bare sends | ratio | goal | met |",
        "|" + "---|" * 13,
    ]
    for one in found.beside:
        goal = GOAL_RAW if one.browsers == MOST else None
        lines.append(_beside_row(f"{one.browsers:,} browsers", one, goal))
    if found.offered is not None:
        name = f"{OFFERING} browsers that offer to deflate ({found.deflated} do)"
        lines.append(_beside_row(name, found.offered, GOAL_OFFERED))
    lines += ["", "| beside | measured | goal | met |", "|---|---|---|---|", *_other_rows(found)]
    return "\n".join(lines)


def _beside_row(name: str, one: Beside, goal: float | None) -> str:
    ages = [age for window in one.ours for age in window.ages]
    bare = [age for window in one.writes for age in window.ages]
    each = statistics.median(window.micros for window in one.ours)
    beyond = statistics.median(one.beyond(window) for window in one.ours)
    writes = statistics.median(window.micros for window in one.writes)
    sends = statistics.median(window.micros for window in one.sends)
    ratio = statistics.median(one.ratios())
    rate = statistics.median(window.messages / window.seconds for window in one.ours)
    judged = f"≤ {goal} | {'yes' if ratio <= goal else 'no'}" if goal else " | "
    return (
        f"| {name} | {rate:,.0f} | {statistics.median(ages):.1f} | {p99(ages):.1f} | "
        f"{statistics.median(bare):.1f} | {p99(bare):.1f} | {each:.1f} | {beyond:.1f} | "
        f"{writes:.1f} | {sends:.1f} | {ratio:.2f} | {judged} |"
    )


def _other_rows(found: Found) -> list[str]:
    still = statistics.median(p99(times) for times in found.api_still)
    fed = statistics.median(p99(times) for times in found.api_fed)
    calm, stalled = found.stalled_others

    def row(name: str, figure: str, goal: str, *, met: bool) -> str:
        return f"| {name} | {figure} | {goal} | {'yes' if met else 'no'} |"

    return [
        row(
            f"client list, p99 with {MOST:,} browsers fed ÷ in a still market",
            f"{fed:.1f} ms ÷ {still:.1f} ms = {fed / still:.2f}",
            f"≤ {GOAL_API:.0f}",
            met=fed / still <= GOAL_API,
        ),
        row(
            "memory a browser",
            f"{found.a_browser:.1f} kB",
            f"≤ {GOAL_BROWSER:.0f} kB",
            met=found.a_browser <= GOAL_BROWSER,
        ),
        row(
            f"{STALLED} browsers that read nothing, among {OFFERING}: memory",
            f"{found.stalled_growth:+.1f} MB",
            f"≤ +{GOAL_STALLED:.0f} MB",
            met=found.stalled_growth <= GOAL_STALLED,
        ),
        row(
            "the others' p99 from made to received, then ÷ before",
            f"{stalled:.1f} ms ÷ {calm:.1f} ms = {stalled / calm:.2f}",
            f"≤ {GOAL_OTHERS}",
            met=stalled / calm <= GOAL_OTHERS,
        ),
        row(
            f"of them dropped, those that still read nothing after {GONE_AFTER + SETTLED:.0f} s",
            f"{found.stalled_gone} of {STALLED - STALLED // 2}",
            "all",
            met=found.stalled_gone == STALLED - STALLED // 2,
        ),
        row("an older price after a newer", str(found.older), "0", met=not found.older),
        row("other browsers lost", str(found.lost), "0", met=not found.lost),
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["calls"]:
        print(json.dumps(list(call(int(sys.argv[2]), sys.argv[3]))))
    else:
        print(table())
