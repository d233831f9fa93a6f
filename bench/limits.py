"""The product's calls beside the limit and beside a textbook's, on one database, in one run.

Three servers on the same firm of 9,999 clients are called in turn over 16 connections. What counts
is the server's own time on the processor for a request, so that ratios hold while clocks do not;
requests a second, with the median and the 99th percentile. All are asked as browsers ask,
with gzip accepted; of the three the product alone compresses, and the stock distribution alone.
"""

import asyncio
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from firms import MOST_CLIENTS, Size, make_folder
from flat import Caller
from start import start_server, stop

HERE = Path(__file__).resolve().parent
CONNECTIONS, ROUNDS, REQUESTS = 16, 3, 480
CALLS = {
    "client list": ("/admin/clients?limit=50", "/clients"),
    "stock distribution": ("/admin/dashboard/stocks-distribution", "/stocks"),
    "order book": ("/admin/clients/client/{client}/order-book?limit=20", "/orders"),
    "advice history": ("/admin/advice/clients/{client}?limit=10", "/advice"),
    "holdings of one client": ("/admin/clients/client/{client}/holdings", "/holdings"),
}
GOALS = {"client list": 2.5, "order book": 3, "advice history": 3, "holdings of one client": 3}
"""Processor time a request, at most so many times the bare one."""
BETTER = {"client list": 8}
"""Processor time a request of the textbook, at least so many times ours."""
SOONEST = {"stock distribution": 10}
"""Milliseconds in which 99 of 100 are answered."""
SLOW = {("textbook", "stock distribution"): 2, ("textbook", "client list"): 48}
"""Requests a round of what takes long; a round of all would take minutes."""


@dataclass
class Server:
    name: str
    port: int
    process: subprocess.Popen[bytes]
    head: str = ""
    cpu: dict[str, list[float]] = field(default_factory=dict)
    rates: dict[str, list[float]] = field(default_factory=dict)
    waits: dict[str, list[float]] = field(default_factory=dict)

    def cpu_seconds(self) -> float:
        used = psutil.Process(self.process.pid).cpu_times()
        return used.user + used.system


def table(clients: int = MOST_CLIENTS) -> str:
    with tempfile.TemporaryDirectory() as folder:
        make_folder(Path(folder), Size(clients=clients, holdings=30, instruments=2_000, advices=10))
        _say(f"a firm of {clients:,} clients is made")
        process, _, port = start_server("serve", Path(folder))
        caller = Caller(port)
        head = f"Authorization: {caller.headers['Authorization']}\r\n"
        ours = Server("tarazu", port, process, head)
        servers = [ours]
        try:
            env = {
                "TARAZU_BENCH_DB": str(Path(folder) / "tarazu.db"),
                "TARAZU_BENCH_CLIENT": caller.client,
            }
            servers += [_other("bare", env), _other("textbook", env)]
            for turn in range(1, ROUNDS + 1):
                for call, (path, short) in CALLS.items():
                    for one in servers:
                        wanted = f"/api/v1{path}".format(client=caller.client)
                        _round(one, call, wanted if one is ours else short)
                        _say(f"round {turn}, {call}, {one.name}: {one.cpu[call][-1]:,.0f} µs")
            memory = {one.name: psutil.Process(one.process.pid).memory_info().rss / 1e6 for one in servers}
        finally:
            for one in servers:
                stop(one.process)
    return _written(servers, memory)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _other(name: str, env: dict[str, str]) -> Server:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "uvicorn", f"limit_apps:{name}", "--port", str(port),
             "--log-level", "error", "--no-access-log"]  # fmt: skip
    process = subprocess.Popen(words, cwd=HERE, env=os.environ | env)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return Server(name, port, process)
        except OSError:
            time.sleep(0.05)
    sys.exit(f"{name} did not start")


def _round(server: Server, call: str, path: str) -> None:
    count = SLOW.get((server.name, call), REQUESTS)
    if call not in server.cpu:
        asyncio.run(_load(server, path, min(count, 3 * CONNECTIONS)))  # warm
    before, began = server.cpu_seconds(), time.perf_counter()
    waits = asyncio.run(_load(server, path, count))
    taken = time.perf_counter() - began
    server.cpu.setdefault(call, []).append((server.cpu_seconds() - before) / len(waits) * 1e6)
    server.rates.setdefault(call, []).append(len(waits) / taken)
    server.waits.setdefault(call, []).extend(waits)


async def _load(server: Server, path: str, count: int) -> list[float]:
    """Milliseconds of each of `count` requests over a few connections."""
    head = f"Host: 127.0.0.1:{server.port}\r\nAccept-Encoding: gzip\r\n{server.head}"
    request = f"GET {path} HTTP/1.1\r\n{head}\r\n".encode()
    waits: list[float] = []
    left = iter(range(count))

    async def connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in left:
            began = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                sys.exit(f"{server.name} {path}: {head[:40]!r}")
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
            waits.append((time.perf_counter() - began) * 1000)
        writer.close()

    await asyncio.gather(*(connection() for _ in range(min(CONNECTIONS, count))))
    return waits


def _written(servers: list[Server], memory: dict[str, float]) -> str:
    heads = ("call", "server", "CPU a request, µs", "÷ bare", "a second", "p50, ms", "p99, ms", "goal", "met")
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for call in CALLS:
        cpu = {one.name: statistics.median(one.cpu[call]) for one in servers}
        for one in servers:
            waits = sorted(one.waits[call])
            p99 = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
            goal, is_met = _judged(call, cpu, p99) if one is servers[0] else ("", None)
            met = "" if is_met is None else "yes" if is_met else "no"
            lines.append(
                f"| {call} | {one.name} | {cpu[one.name]:.0f} | {cpu[one.name] / cpu['bare']:.1f} |"
                f" {statistics.median(one.rates[call]):.0f} | {statistics.median(waits):.1f} |"
                f" {p99:.1f} | {goal} | {met} |"
            )
    held = ", ".join(f"{name} {size:.0f} MB" for name, size in memory.items())
    return "\n".join([*lines, "", f"Resident at the end: {held}."])


def _judged(call: str, cpu: dict[str, float], p99: float) -> tuple[str, bool | None]:
    """The goals of a call, and whether ours reaches all of them."""
    goals: list[tuple[str, bool]] = []
    if call in GOALS:
        goals.append((f"≤ {GOALS[call]} × bare", cpu["tarazu"] <= GOALS[call] * cpu["bare"]))
    if call in BETTER:
        is_better = cpu["textbook"] >= BETTER[call] * cpu["tarazu"]
        goals.append((f"textbook ≥ {BETTER[call]} × ours", is_better))
    if call in SOONEST:
        goals.append((f"p99 ≤ {SOONEST[call]} ms", p99 <= SOONEST[call]))
    return ", ".join(goal for goal, _ in goals), all(met for _, met in goals) if goals else None


if __name__ == "__main__":
    print(table())
