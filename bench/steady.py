"""Memory of a server that works: a calm mix of calls and 20 browsers, for minutes.

A firm of 1,000 clients × 30 holdings, all of its prices moving. Each second some member of staff
reads a screen or two; now and then one writes a cash flow, exports the list or signs in. Two
minutes; ten with `LONG=1`. Resident memory is that of the server and of all that it started.
"""

import asyncio
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from firms import ADMIN, Size, make_folder
from flat import CALLS, Caller
from start import start_server, stop
from wires import Crowd

BROWSERS, SOCKETS_A_SESSION = 20, 5
PATH = "/socket.io/?EIO=4&transport=websocket"
FIRM = Size(clients=1_000, holdings=30)
EVERY = 0.25
"""Seconds between two calls."""
WARM_UP, TAIL = 30.0, 15.0
SHORT, LONG = 120.0, 600.0
GOAL_GROWTH, GOAL_MB = 10.0, 150.0


@dataclass
class Seen:
    """Resident memory in MB, by the second in which it was looked at; and the calls made."""

    ready: float = 0.0
    memory: list[tuple[float, float]] = field(default_factory=list)
    calls: int = 0
    sign_ins: int = 0
    frames: int = 0

    def between(self, start: float, end: float) -> float:
        """The median of what was seen then."""
        return statistics.median(megabytes for at, megabytes in self.memory if start <= at <= end)


def resident(pid: int) -> float:
    """Of a process and its children, in MB."""
    process = psutil.Process(pid)
    together = 0
    for one in (process, *process.children(recursive=True)):
        try:
            together += one.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return together / 1e6


def work(port: int, seconds: float, seen: Seen) -> None:
    """Calls one after the other, as a small office makes them."""
    caller = Caller(port)
    flows = f"/admin/clients/client/{caller.client}/accounting/transaction"
    paths = itertools.cycle(CALLS.values())
    end = time.monotonic() + seconds
    for turn in itertools.count():
        if time.monotonic() > end:
            return
        caller.timed(next(paths))
        seen.calls += 1
        if turn % 40 == 10:
            body = {"date": "2026-11-02", "amount": 1 + turn, "type": "FUNDS_ADDED"}
            caller.call("POST", flows, body)
            seen.calls += 1
        if turn % 40 == 20:
            caller.timed("/admin/clients/export?format=csv")
            seen.calls += 1
        if turn % 40 == 30:
            # One account has only so many sessions; a new one would end the oldest.
            visitor = Caller(port)
            visitor.call("POST", "/auth/logout")
            visitor.link.close()
            seen.sign_ins += 1
        time.sleep(EVERY)


async def watched(port: int, pid: int, seconds: float) -> Seen:
    await asyncio.sleep(3)
    seen, crowd = Seen(ready=resident(pid)), Crowd()
    await crowd.join(port, PATH, tokens(port, BROWSERS))
    crowd.is_counting = True
    began = time.monotonic()
    working = asyncio.create_task(asyncio.to_thread(work, port, seconds, seen))
    while not working.done():
        await asyncio.sleep(1)
        seen.memory.append((time.monotonic() - began, resident(pid)))
        # Simulated prices tell no millisecond: that frames come is all that is looked at.
        crowd.ages.clear()
    await working
    seen.frames = crowd.frames
    if crowd.lost:
        raise RuntimeError(f"{crowd.lost} browsers were lost")
    crowd.leave()
    return seen


def tokens(port: int, browsers: int) -> list[str]:
    """A session for each five browsers."""
    caller = Caller(port)
    entry = {"email": ADMIN[1], "password": ADMIN[2]}
    made = []
    for _ in range(-(-browsers // SOCKETS_A_SESSION)):
        answer = json.loads(caller.call("POST", "/auth/login", entry)[1])
        made += [str(answer["accessToken"])] * SOCKETS_A_SESSION
    return made[:browsers]


def measured(seconds: float) -> Seen:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "firm"
        make_folder(place, FIRM)
        server, _, port = start_server("serve", place, TARAZU_PRICE_SOURCE="simulated")
        try:
            return asyncio.run(watched(port, server.pid, seconds))
        finally:
            stop(server)


def table() -> str:
    """One row, with the goals."""
    seconds = LONG if os.environ.get("LONG") else SHORT
    seen = measured(seconds)
    began = seen.between(WARM_UP, WARM_UP + TAIL)
    ended = seen.between(seconds - TAIL, seconds + TAIL)
    most = max(megabytes for _, megabytes in seen.memory)
    growth = 100 * (ended / began - 1)
    is_met = growth <= GOAL_GROWTH and most <= GOAL_MB
    return "\n".join(
        [
            f"| {seconds / 60:.0f} minutes, {BROWSERS} browsers | calls | sign-ins | frames | "
            f"ready, MB | after {WARM_UP:.0f} s, MB | at the end, MB | most, MB | goal, MB | "
            "growth, % | goal, % | met |",
            "|" + "---|" * 12,
            f"| {FIRM.clients:,} clients × {FIRM.holdings} holdings | {seen.calls:,} | "
            f"{seen.sign_ins} | {seen.frames:,} | {seen.ready:.0f} | {began:.0f} | {ended:.0f} | "
            f"{most:.0f} | ≤ {GOAL_MB:.0f} | {growth:+.1f} | ≤ {GOAL_GROWTH:.0f} | "
            f"{'yes' if is_met else 'no'} |",
        ]
    )


if __name__ == "__main__":
    if "long" in sys.argv[1:]:
        os.environ["LONG"] = "1"
    print(table())
