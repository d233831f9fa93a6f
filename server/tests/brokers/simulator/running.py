"""The simulator as a server, in a thread of a test or in a process of its own."""

import asyncio
import socket
import threading
from types import TracebackType
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tests.brokers.simulator.angel import Angel
from tests.brokers.simulator.faults import Faults
from tests.brokers.simulator.kite import Kite
from tests.brokers.simulator.pages import Controls
from tests.brokers.simulator.streams import Streams
from tests.brokers.simulator.world import World


class BreakableSocket(WebSocketsSansIOProtocol):
    """A server's socket that the application can drop without a word."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        extensions: Any = self.scope["extensions"]
        extensions["tests.abort"] = {"abort": self.transport.abort}


def app_of(world: World) -> ASGIApp:
    parts = (Kite(world), Angel(world), Controls(world), Streams(world))
    routes = [route for part in parts for route in part.routes()]
    return Faults(Starlette(routes=routes), world)


def config_of(world: World, **options: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app_of(world),
        ws=BreakableSocket,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        log_level="error",
        lifespan="off",
        timeout_graceful_shutdown=1,
        **options,
    )


class Simulator:
    """Both brokers on a free port, in a thread, for a `with`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.kite_ticker = f"ws://127.0.0.1:{self.port}/"
        self.angel_stream = f"ws://127.0.0.1:{self.port}/smart-stream"
        self._server = uvicorn.Server(config_of(world))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10)
        self._socket.close()

    def _run(self) -> None:
        asyncio.run(self._server.serve([self._socket]))
