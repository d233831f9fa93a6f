"""All clients read from a simulated Zerodha that allows ten calls a second, while staff work.

The server is a process of its own on an SQLite database; the broker answers over real HTTP and
refuses whatever is too much. Under the broker's limit no reading can take less than calls ÷ 10
seconds; that is what ours is compared with. Meanwhile the client list is called ten times a
second, and once on a quiet server for comparison.

`python bench/sync.py 1000` reads a thousand clients, which takes about nine minutes.
"""

import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "server"))

from start import start_server, stop

CLIENTS = 60
PER_SECOND = 10
GOAL = 1.1
ADMIN = ("Bench", "bench@tarazu.example", "seven oaks 7")


def table(clients: int = CLIENTS) -> str:
    """The run as one row, with the goals."""
    found = measured(clients)
    heads = list(found)
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines.append("| " + " | ".join(str(value) for value in found.values()) + " |")
    goal = f"Goals: at most {GOAL} × calls ÷ {PER_SECOND} a second, and no call refused."
    return "\n".join([*lines, "", goal])


def measured(clients: int) -> dict[str, Any]:
    from tests.brokers.simulator import Simulator
    from tests.brokers.simulator.world import KITE, World

    world = World(clients=clients, seed=3)
    with Simulator(world) as simulator, tempfile.TemporaryDirectory() as folder:
        found_firm(Path(folder), simulator.url, world)
        process, _, port = start_server("serve", Path(folder), TARAZU_ALLOW_LOOPBACK_BROKERS="1")
        try:
            desk = Desk(port)
            quiet = [desk.timed("GET", "/admin/clients?limit=50") for _ in range(60)]
            seconds, busy = run_sync(desk, Desk(port, desk.token))
            counts = desk.call("GET", "/admin/sync")["data"]["counts"]
        finally:
            stop(process)
    calls = sum(1 for broker, _ in world.calls if broker == KITE)
    needed = calls / PER_SECOND
    return {
        "clients": clients,
        "done": counts["done"],
        "calls": calls,
        "refused as too many": world.refused.total(),
        "seconds": round(seconds, 1),
        "calls ÷ 10": round(needed, 1),
        "ratio": round(seconds / needed, 3),
        "client list meanwhile, p95 ms": round(_p95(busy), 1),
        "median ms": round(statistics.median(busy), 1),
        "calls of it": len(busy),
        "on a quiet server, p95 ms": round(_p95(quiet), 1),
    }


def found_firm(folder: Path, url: str, world: Any) -> None:
    """A firm with an administrator, the broker, and clients who are logged in there."""
    from tests.brokers.simulator.world import KITE

    from tarazu.app import open_database
    from tarazu.brokers import service as brokers
    from tarazu.brokers.service import BrokerFields, BrokerSession
    from tarazu.brokers.sessions.live import seal_tokens
    from tarazu.brokers.tables import BrokerName, ClientSession
    from tarazu.clients import service as clients
    from tarazu.kit import clock
    from tarazu.kit.db import new_id
    from tarazu.kit.security import hash_password
    from tarazu.kit.settings import Settings
    from tarazu.kit.audit_log import SYSTEM
    from tarazu.people import service as people
    from tarazu.people.service import Login, NewPerson
    from tarazu.people.tables import Role
    from tarazu.portfolio import service as portfolio

    settings = Settings(data_dir=folder, allow_loopback_brokers=True)
    database = open_database(settings)
    now, name = clock.now(), BrokerName.ZERODHA
    entered = BrokerFields(
        api_key=world.api_keys[KITE], api_secret=world.secrets[KITE], api_url=url
    )
    customers = [one for one in world.people.values() if one.broker == KITE]
    with database.transaction() as session:
        login = Login(Role.ADMIN, hash_password(ADMIN[2]))
        people.add_staff(session, SYSTEM, now, NewPerson(ADMIN[0], ADMIN[1]), login)
        brokers.add_broker(session, settings, SYSTEM, now, name, entered)
        new = [NewPerson(one.name, f"{one.user_id}@home.example".lower()) for one in customers]
        for client, one in zip(
            clients.add_clients(session, SYSTEM, now, new), customers, strict=True
        ):
            token, begun = world.log_in(one.user_id)
            kept = ClientSession(
                id=new_id(), client_id=client.id, broker=name, broker_user_id=one.user_id,
                connected_at=now, expires_at=begun.expires_at, confirmed_at=now,
            )  # fmt: skip
            seal_tokens(session, kept, BrokerSession(one.user_id, token, begun.expires_at))
            session.add(kept)
            portfolio.set_broker(session, client.id, name, one.user_id)
    database.dispose()


def run_sync(desk: "Desk", other: "Desk") -> tuple[float, list[float]]:
    """Sync everybody; how long it took, and how long the client list took meanwhile, each."""
    busy: list[float] = []
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            busy.append(other.timed("GET", "/admin/clients?limit=50"))
            time.sleep(0.1)

    looking = threading.Thread(target=look)
    began = time.perf_counter()
    desk.call("POST", "/admin/sync")
    looking.start()
    while desk.call("GET", "/admin/sync")["data"]["state"] != "DONE":
        time.sleep(0.25)
    seconds = time.perf_counter() - began
    is_over.set()
    looking.join()
    return seconds, busy


class Desk:
    """A signed-in administrator on a connection of its own."""

    def __init__(self, port: int, token: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.token = token
        if not token:
            entry = {"email": ADMIN[1], "password": ADMIN[2]}
            self.token = self.call("POST", "/auth/login", entry)["accessToken"]

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.connection.request(method, f"/api/v1{path}", json.dumps(body or {}), headers)
        answer = self.connection.getresponse()
        found = json.loads(answer.read())
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {found}")
        return found

    def timed(self, method: str, path: str) -> float:
        """Milliseconds of a call."""
        began = time.perf_counter()
        self.call(method, path)
        return (time.perf_counter() - began) * 1000


def _p95(times: list[float]) -> float:
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * 0.95))]


if __name__ == "__main__":
    print(table(int(sys.argv[1]) if len(sys.argv) > 1 else CLIENTS))
