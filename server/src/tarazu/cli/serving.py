"""`serve`, `worker` and `demo`."""

import errno
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
import uvicorn
from sqlalchemy.exc import OperationalError

from tarazu import worker
from tarazu.app import create_app
from tarazu.cli.opening import CommandFailed, DataDir, open_or_create, opened
from tarazu.demo import entry
from tarazu.demo import service as demo_firm
from tarazu.kit.connections import limited_by
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import loading
from tarazu.kit.processes import process_apart
from tarazu.kit.settings import Settings

ALL_INTERFACES = {"0.0.0.0", "::"}  # noqa: S104  # nosec B104 - recognised, not chosen
DATABASE_RETRY = 2.0
KEEP_ALIVE = 75
"""Seconds: longer than a proxy keeps its connections, which would otherwise use a closed one."""

Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(help="The port to listen on.")]

app = typer.Typer()


@app.command()
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    data_dir: DataDir = None,
    new_installation: Annotated[
        bool,
        typer.Option(
            "--new-installation", help="Create a new firm where the database of another is missing."
        ),
    ] = False,
) -> None:
    """Serve the product."""
    _require_free_port(host, port)
    _run_server(Settings.read(data_dir=data_dir), host, port, [], is_new=new_installation)


@app.command("worker")
def run_worker(data_dir: DataDir = None) -> None:
    """Run timed jobs without serving, in addition to or instead of `serve`."""
    settings = Settings.read(data_dir=data_dir)
    worker.run_worker(settings, _wait_for_database(settings), lambda line: print(line, flush=True))


@app.command()
def demo(host: Host = "127.0.0.1", port: Port = 8000, data_dir: DataDir = None) -> None:
    """Serve a demo firm with simulated prices."""
    _require_free_port(host, port)
    settings = Settings.read(
        data_dir=data_dir or Path("data-demo"),
        demo=True,
        price_source="simulated",
        signup_mode="open",
        expose_openapi=True,
        log_level="error",
    )
    database = open_or_create(settings)
    with database.reading() as session:
        is_made = entry.is_made(session)
    database.dispose()
    if not is_made:
        # In a process that ends: two years of data and the typesetter would stay in the server's memory.
        with process_apart() as pool:
            pool.submit(make_demo_firm, settings).result()
    _run_server(settings, host, port, [*entry.sign_ins(), entry.where_mails_are(settings)])


def make_demo_firm(settings: Settings) -> None:
    """Fill an empty installation with the demo firm.

    Raises:
        CommandFailed: it is not empty.
    """
    try:
        with opened(settings) as database:
            if demo_firm.fill(database, print):
                print("The demo firm is ready.", flush=True)
    except demo_firm.NotEmpty as error:
        raise CommandFailed(str(error)) from error


def _require_free_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else "cannot be used"
            raise CommandFailed(
                f"port {port} on {host} {reason}; choose another with --port"
            ) from error


def _wait_for_database(settings: Settings) -> Database:
    """The database, which may start later than the worker."""
    is_waiting = False
    while True:
        try:
            return open_or_create(settings)
        except OperationalError as error:
            if not is_waiting:
                reason = " ".join(str(error.orig).split())
                print(f"tarazu: waiting for the database ({reason})", file=sys.stderr, flush=True)
            is_waiting = True
            time.sleep(DATABASE_RETRY)


def _address_of(host: str, port: int) -> str:
    name = "localhost" if host in ALL_INTERFACES else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _run_server(
    settings: Settings, host: str, port: int, notes: Sequence[str], *, is_new: bool = False
) -> None:
    if not settings.public_url:
        settings = settings.model_copy(update={"public_url": _address_of(host, port)})

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"\nTarazu is ready: {_address_of(host, port)}", *notes, sep="\n", flush=True)

    options: dict[str, Any] = {
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "ws_per_message_deflate": False,
        "ws_ping_interval": None,  # Socket.IO sends its own pings
        "ws_max_size": 10_000,
        "http": limited_by(settings),
        "timeout_keep_alive": KEEP_ALIVE,
        "timeout_graceful_shutdown": 8,
        "proxy_headers": False,
    }
    database = open_or_create(settings, is_new=is_new)
    with loading():
        application = create_app(settings, database)
    Server(uvicorn.Config(application, host=host, port=port, **options)).run()
