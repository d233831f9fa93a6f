"""Two real server processes over one PostgreSQL and one Redis, as behind a load balancer."""

import asyncio
import json
import os
import signal
import subprocess
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psycopg
import pytest
import socketio

from tarazu.kit.settings import PREFIX
from tests.conftest import KEYS
from tests.people_of import ADMIN
from tests.postgres_of import named
from tests.redis_of import OwnRedis, own_redis
from tests.started import Started, free_port


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def until(there: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait until something is so; what it was."""
    end = time.monotonic() + seconds
    while not (found := there()):
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.05)
    return found


@dataclass
class Server:
    """One process of the installation."""

    name: str
    port: int
    environment: dict[str, str]
    log: Path
    running: Started | None = None
    web: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.web = httpx.Client(base_url=self.url, timeout=60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = ["-m", "tarazu", "serve", "--port", str(self.port)]
        with self.log.open("ab") as kept:
            self.running = Started(words, self.environment, errors=kept)

    def wait(self) -> None:
        """Until it serves."""
        until(lambda: self.ready() is not None, 120)

    def ready(self) -> dict[str, Any] | None:
        try:
            answer = self.web.get("/health/ready")
        except httpx.TransportError:
            return None
        told: dict[str, Any] = answer.json()
        return told if answer.status_code == 200 else None

    @property
    def leads(self) -> bool:
        told = self.ready()
        return bool(told and told.get("feed", {}).get("leads"))

    def kill(self) -> None:
        """As a power cut does it."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()

    def stop(self) -> None:
        self.web.close()
        if self.running is not None and self.running.poll() is None:
            self.running.send_signal(signal.SIGTERM)
            try:
                self.running.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()

    def call(
        self, method: str, path: str, token: str = "", body: Any = None, **headers: str
    ) -> httpx.Response:
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self.web.request(method, f"/api/v1{path}", json=body, headers=headers)

    def log_in(self, who: dict[str, str]) -> str:
        answer = self.call("POST", "/auth/login", body=who)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["accessToken"])

    def events(self, name: str) -> int:
        """How often something is in the log."""
        return self.log.read_text().count(f'"event": "{name}"')


@dataclass
class Pair:
    """Two processes of one installation, and the Redis between them."""

    a: Server
    b: Server
    redis: OwnRedis
    database_url: str

    @property
    def both(self) -> tuple[Server, Server]:
        return self.a, self.b

    @property
    def leader(self) -> Server:
        found: Server = until(lambda: next((one for one in self.both if one.leads), None))
        return found

    @property
    def follower(self) -> Server:
        return self.b if self.leader is self.a else self.a

    def whole(self) -> None:
        """Until both hear each other."""
        until(lambda: all((one.ready() or {}).get("bus") == "up" for one in self.both))


@pytest.fixture(scope="module")
def pair(
    postgres_template: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    """Two processes whose market is simulated, and the ADMIN signed up."""
    server_address, template = postgres_template
    name = f"tarazu_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_address, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    address = named(server_address, name)
    with own_redis() as redis:
        servers = [_server(one, address, redis, tmp_path_factory.mktemp(one)) for one in ("a", "b")]
        try:
            for one in servers:
                one.start()
            for one in servers:
                one.wait()
            assert servers[0].call("POST", "/auth/register", body=ADMIN).status_code == 201
            found = Pair(servers[0], servers[1], redis, address)
            found.whole()
            yield found
        finally:
            for one in servers:
                one.stop()
    with psycopg.connect(server_address, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _server(name: str, address: str, redis: OwnRedis, folder: Path) -> Server:
    port = free_port()
    told = {
        "data_dir": str(folder),
        "database_url": address,
        "redis_url": redis.url,
        "secrets_keys": KEYS,
        "price_source": "simulated",
        "trusted_proxies": "127.0.0.1",
        "metrics_allow": "127.0.0.1",
    }
    kept = {key: word for key, word in os.environ.items() if not key.startswith(PREFIX)}
    environment = kept | {PREFIX + key.upper(): word for key, word in told.items()}
    return Server(name, port, environment, folder / "server.log")


@pytest.fixture
def token(pair: Pair) -> str:
    """A new session of the ADMIN, opened at the first process."""
    return pair.a.log_in(ADMIN)


@dataclass
class Screen:
    """A Socket.IO client that keeps what it was sent, with the time of its arrival."""

    client: socketio.AsyncClient
    events: list[tuple[float, str, Any]] = field(default_factory=list)
    ended_at: float | None = None

    def sent(self, event: str, since: float = 0) -> list[Any]:
        return [body for at, name, body in self.events if name == event and at >= since]

    def times(self, event: str, since: float = 0) -> list[float]:
        return [at for at, name, _ in self.events if name == event and at >= since]

    async def until(self, there: Callable[[], object], seconds: float = 120) -> float:
        """Wait until something is so; how long it took."""
        began = time.monotonic()
        while not there():
            took = time.monotonic() - began
            assert took < seconds, f"not within {seconds} s: {json.dumps(self.events[-3:])[:400]}"
            await asyncio.sleep(0.02)
        return time.monotonic() - began


@asynccontextmanager
async def screen(server: Server, token: str) -> AsyncIterator[Screen]:
    """An admitted browser at one of the processes."""
    async with aiohttp.ClientSession() as web:
        found = Screen(socketio.AsyncClient(reconnection=False, http_session=web))

        def keeper(event: str) -> Callable[[Any], None]:
            return lambda body: found.events.append((time.monotonic(), event, body))

        def ended(_: str = "") -> None:
            found.ended_at = time.monotonic()

        for event in ("ticks", "ticks:heartbeat", "progress"):
            found.client.on(event, keeper(event))
        found.client.on("disconnect", ended)
        await found.client.connect(
            server.url, auth={"token": token}, transports=["websocket"], wait_timeout=60
        )
        try:
            yield found
        finally:
            await found.client.disconnect()
