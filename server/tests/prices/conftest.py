"""A real server on a free port, and real Socket.IO clients, on SQLite only."""

import asyncio
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

import aiohttp
import httpx
import pytest
import socketio
import uvicorn
from fastapi import FastAPI

from tarazu.app import create_app, open_database
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.connections import limited_by
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import SocketHub
from tarazu.prices import service as prices
from tests.conftest import KEYS
from tests.people_of import ADMIN


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Site:
    """An installation that answers at `url`."""

    url: str
    app: FastAPI
    database: Database
    web: httpx.Client

    @property
    def hub(self) -> SocketHub:
        hub: SocketHub = self.app.state.hub
        return hub

    def sign_in(self) -> dict[str, str]:
        """A new session of the ADMIN: the headers of its calls."""
        answer = self.web.post("/api/v1/auth/login", json=ADMIN)
        return {"Authorization": f"Bearer {answer.json()['accessToken']}"}

    def watch(self, symbol: str, headers: dict[str, str]) -> int:
        """Have a stock followed; its token."""
        body = {"symbolName": symbol, "exchange": "NSE"}
        answer = self.web.post("/api/v1/instruments/add", json=body, headers=headers)
        return int(answer.json()["data"]["ZERODHA"]["instrumentToken"])

    def unwatch(self, symbol: str, headers: dict[str, str]) -> None:
        body = {"symbolName": symbol, "exchange": "NSE"}
        self.web.request("DELETE", "/api/v1/instruments/remove", json=body, headers=headers)

    def trade(self, by_symbol: dict[str, str]) -> None:
        """Record prices, as a broker's feed would."""
        with self.database.reading() as session:
            new = {
                instruments.by_symbol(session, "NSE", symbol).instrument_token: Decimal(price)
                for symbol, price in by_symbol.items()
            }
            prices.record_prices(session, new, clock.now(), "ZERODHA")


@dataclass
class Browser:
    """A Socket.IO client that keeps all it was sent, with the time of its arrival."""

    site: Site
    events: list[tuple[float, str, Any]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    ended_at: float | None = None

    async def __aenter__(self) -> Self:
        self.web = aiohttp.ClientSession()
        self.client = socketio.AsyncClient(reconnection=False, http_session=self.web)
        for event in ("ticks", "ticks:heartbeat", "progress"):
            self.client.on(event, self._keeper(event))
        self.client.on("connect_error", self._note_refusal)
        self.client.on("disconnect", self._note_end)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.disconnect()
        await self.web.close()

    async def open(self, auth: Any, **headers: str) -> None:
        await self.client.connect(
            self.site.url, headers, auth, transports=["websocket"], wait_timeout=60
        )

    async def until(self, there: Callable[[], object], seconds: float = 120) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not there():
            assert time.monotonic() < end, f"not within {seconds} s; came: {self.events[-5:]}"
            await asyncio.sleep(0.02)

    def sent(self, event: str) -> list[Any]:
        """What came under this name."""
        return [body for _, name, body in self.events if name == event]

    def times(self, event: str) -> list[float]:
        return [at for at, name, _ in self.events if name == event]

    def _keeper(self, event: str) -> Callable[[Any], None]:
        return lambda body: self.events.append((time.monotonic(), event, body))

    def _note_refusal(self, why: Any) -> None:
        self.refusals.append(_reason(why))
        if isinstance(why, dict) and "data" in why:
            self.codes.append(why["data"]["code"])

    def _note_end(self, _reason: str = "") -> None:
        self.ended_at = time.monotonic()


def _reason(why: Any) -> str:
    return why["message"] if isinstance(why, dict) else json.dumps(why)


def serve(folder: Path, template: Path, **given: Any) -> Iterator[Site]:
    """Serve a founded installation from a thread until the test is over."""
    shutil.copy(template, folder / "tarazu.db")
    settings = Settings(data_dir=folder, secrets_keys=KEYS, **given)
    database = open_database(settings)
    app = create_app(settings, database)
    config = uvicorn.Config(
        app, port=0, log_config=None, http=limited_by(settings), ws_per_message_deflate=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 120
    while not server.started:
        assert time.monotonic() < end
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with httpx.Client(base_url=url, timeout=60) as web:
        assert web.post("/api/v1/auth/register", json=ADMIN).status_code == 201
        yield Site(url, app, database, web)
    server.should_exit = True
    thread.join(15)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Site]:
    """A site without a feed: only what a test records moves."""
    yield from serve(tmp_path_factory.mktemp("quiet"), sqlite_template)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Site]:
    """A site whose market is simulated."""
    folder = tmp_path_factory.mktemp("busy")
    yield from serve(folder, sqlite_template, price_source="simulated")
