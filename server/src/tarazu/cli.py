"""The command line: `tarazu serve`, `tarazu demo`, `tarazu import holdings` and the rest."""

import argparse
import errno
import gc
import getpass
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from tarazu.kit.db import UnfitDatabase
from tarazu.kit.errors import StorageFull, refusal_of_database
from tarazu.kit.seal import UnfitKeys
from tarazu.kit.settings import MalformedSettings, Settings

OUT_OF_SPACE = {errno.ENOSPC, errno.EDQUOT}


class CannotGoOn(Exception):
    """The command cannot be done; the text is the one line that is printed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it was done, 1 with one line on standard error when not."""
    given = _parser().parse_args(arguments)
    try:
        run: Callable[[argparse.Namespace], None] = given.run
        run(given)
    except (CannotGoOn, MalformedSettings, UnfitDatabase, UnfitKeys) as error:
        print(f"tarazu: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        reason = "the disk is full" if error.errno in OUT_OF_SPACE else error.strerror or error
        place = f" ({error.filename})" if error.filename else ""
        print(f"tarazu: {reason}{place}", file=sys.stderr)
        return 1
    except DBAPIError as error:
        is_full = isinstance(refusal_of_database(error), StorageFull)
        reason = "the disk is full" if is_full else f"the database cannot be used ({error.orig})"
        print(f"tarazu: {' '.join(reason.split())}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tarazu", description="The back office of a registered Research Analyst."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the product")
    _add_places(serve)
    serve.set_defaults(run=_serve)

    demo = commands.add_parser("demo", help="serve a believable firm at simulated prices")
    _add_places(demo)
    demo.set_defaults(run=_demo)

    create = commands.add_parser("create-admin", help="make an account that may do everything")
    create.add_argument("email")
    create.add_argument("--name", default="Administrator")
    _add_data_dir(create)
    create.set_defaults(run=_create_admin)

    imports = commands.add_parser("import", help="bring in a file")
    kinds = imports.add_subparsers(required=True, metavar="WHAT")
    holdings = kinds.add_parser("holdings", help="a broker's holdings file, or the firm's own")
    holdings.add_argument("file", type=Path)
    holdings.add_argument("--client", help="the client's code, when the file is one client's")
    holdings.add_argument("--dry-run", action="store_true", help="say what would change")
    holdings.add_argument(
        "--leave-out-refused", action="store_true", help="apply the other rows all the same"
    )
    _add_data_dir(holdings)
    holdings.set_defaults(run=_import_holdings)
    return parser


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    _add_data_dir(parser)


def _add_data_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-dir", type=Path)


def _serve(given: argparse.Namespace) -> None:
    _refuse_busy_port(given.host, given.port)
    settings = Settings.read(data_dir=given.data_dir)
    _run_server(settings, given.host, given.port, [])


def _demo(given: argparse.Namespace) -> None:
    from tarazu.demo import service as demo  # noqa: PLC0415 - only this command needs it

    _refuse_busy_port(given.host, given.port)
    settings = Settings.read(
        data_dir=given.data_dir or Path("data-demo"),
        demo=True,
        price_source="simulated",
        signup_mode="open",
        expose_openapi=True,
        log_level="error",
    )
    database = _open(settings)
    try:
        with database.transaction() as session:
            if demo.fill(session, print):
                print("The demo firm is made.")
    except demo.NotEmpty as error:
        raise CannotGoOn(str(error)) from error
    finally:
        database.dispose()
    _run_server(settings, given.host, given.port, demo.sign_ins())


def _create_admin(given: argparse.Namespace) -> None:
    from tarazu.auth import service as auth  # noqa: PLC0415 - keeps the start of `serve` short
    from tarazu.kit import clock  # noqa: PLC0415
    from tarazu.kit.errors import Refusal  # noqa: PLC0415

    settings = Settings.read(data_dir=given.data_dir)
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    database = _open(settings)
    try:
        with database.transaction() as session:
            auth.create_admin(session, given.name, given.email, password, clock.now())
    except Refusal as refusal:
        raise CannotGoOn(refusal.message) from refusal
    finally:
        database.dispose()
    print(f"{given.email} may sign in as ADMIN.")


def _import_holdings(given: argparse.Namespace) -> None:
    from tarazu.imports.commands import import_holdings  # noqa: PLC0415 - as above

    if not given.file.is_file():
        raise CannotGoOn(f"{given.file} is not a file")
    database = _open(Settings.read(data_dir=given.data_dir))
    try:
        problem = import_holdings(
            database, given.file, given.client, given.dry_run, print, given.leave_out_refused
        )
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _open(settings: Settings):  # type: ignore[no-untyped-def]  # noqa: ANN202 - Database, loaded late
    from tarazu.app import open_database  # noqa: PLC0415 - as above
    from tarazu.kit.log import set_up_logging  # noqa: PLC0415

    set_up_logging(settings.log_level)
    return open_database(settings)


def _refuse_busy_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else "cannot be used"
            raise CannotGoOn(
                f"port {port} on {host} {reason}; choose another with --port"
            ) from error


def _run_server(settings: Settings, host: str, port: int, notes: Sequence[str]) -> None:
    # Loading makes only what stays: looking for garbage meanwhile is a tenth of the start.
    gc.disable()
    import uvicorn  # noqa: PLC0415 - as above

    from tarazu.app import create_app  # noqa: PLC0415

    gc.freeze()
    gc.enable()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                shown = f"[{host}]" if ":" in host else host
                print(f"\nTarazu is ready: http://{shown}:{port}", *notes, sep="\n", flush=True)

    config = uvicorn.Config(
        create_app(settings),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_per_message_deflate=False,
        ws_max_size=10_000,
        timeout_graceful_shutdown=8,
        proxy_headers=False,
    )
    Server(config).run()


if __name__ == "__main__":
    sys.exit(main())
