"""What a page costs when the firm grows: the same calls at three sizes of firm, in one run.

Servers of all sizes run side by side and are called in turn, so that a busy moment of the machine
falls on each alike. One caller, one call at a time; prices do not move.
"""

import http.client
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from firms import ADMIN, MOST_CLIENTS, Size, make_folder
from start import start_server, stop

GOAL = 1.3
ROUNDS = 40
SIZES = {
    "1,000 × 30": Size(clients=1_000, holdings=30),
    "9,999 × 30": Size(clients=MOST_CLIENTS, holdings=30),
    "9,999 × 300": Size(clients=MOST_CLIENTS, holdings=300, orders=2, flows=1),
}
CALLS = {
    "client list, 50 a page": "/admin/clients?limit=50",
    "client list, largest first": "/admin/clients?limit=50&sort=-totalPortfolio",
    "client list, search by name": "/admin/clients?limit=50&search=mehta",
    "dashboard stats": "/admin/dashboard/stats",
    "stock distribution": "/admin/dashboard/stocks-distribution",
    "daily AUM": "/admin/dashboard/daily-aum",
    "fees overview": "/fees?limit=50",
    "fee stats": "/fees/stats",
    "readiness": "/admin/readiness?limit=50",
    "order book of one": "/admin/clients/client/{client}/order-book?limit=20",
    "portfolio of one": "/admin/clients/client/{client}/portfolio",
}


class Caller:
    """One session against one server."""

    def __init__(self, port: int) -> None:
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Content-Type": "application/json"}
        entry = {"email": ADMIN[1], "password": ADMIN[2]}
        answer = json.loads(self.call("POST", "/auth/login", entry)[1])
        self.headers["Authorization"] = f"Bearer {answer['accessToken']}"
        listed = json.loads(self.call("GET", "/admin/clients?limit=1")[1])
        self.client = listed["data"][0]["_id"]

    def call(self, method: str, path: str, body: object = None) -> tuple[float, bytes]:
        payload = json.dumps(body) if body is not None else None
        began = time.perf_counter()
        try:
            self.link.request(method, f"/api/v1{path}", payload, self.headers)
            answer = self.link.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError):
            # The server ends a connection that rested while the other servers were called.
            self.link.close()
            began = time.perf_counter()
            self.link.request(method, f"/api/v1{path}", payload, self.headers)
            answer = self.link.getresponse()
        read = answer.read()
        if answer.status >= 400:
            sys.exit(f"{path}: {answer.status} {read[:200]!r}")
        return (time.perf_counter() - began) * 1000, read

    def timed(self, path: str) -> float:
        return self.call("GET", path.format(client=self.client))[0]


def table(sizes: dict[str, Size] = SIZES) -> str:
    """Medians in milliseconds of each call at each size, and the last by the first."""
    with tempfile.TemporaryDirectory() as folder:
        servers = []
        try:
            callers = []
            for place, (name, size) in enumerate(sizes.items()):
                path = Path(folder) / str(place)
                make_folder(path, size)
                print(f"made {name}", file=sys.stderr, flush=True)
                process, _, port = start_server("serve", path)
                servers.append(process)
                callers.append(Caller(port))
            found = {name: _medians(callers, path) for name, path in CALLS.items()}
        finally:
            for process in servers:
                stop(process)
    lines = [f"| median, ms | {' | '.join(sizes)} | last ÷ first |", "|" + "---|" * (len(sizes) + 2)]
    for name, times in found.items():
        shown = " | ".join(f"{one:.2f}" for one in times)
        lines.append(f"| {name} | {shown} | {times[-1] / times[0]:.2f} |")
    return "\n".join([*lines, "", f"Goal: at most {GOAL} times the time for ten times the firm."])


def _medians(callers: list[Caller], path: str) -> list[float]:
    times: list[list[float]] = [[] for _ in callers]
    for turn in range(ROUNDS + 3):
        for caller, taken in zip(callers, times, strict=True):
            spent = caller.timed(path)
            if turn >= 3:  # the first calls fill what is kept in memory
                taken.append(spent)
    return [statistics.median(taken) for taken in times]


if __name__ == "__main__":
    only = dict(list(SIZES.items())[: int(sys.argv[1])]) if sys.argv[1:] else SIZES
    print(table(only))
