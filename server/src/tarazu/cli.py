"""The command line: `tarazu serve`, `tarazu demo`, `tarazu import holdings` and the rest."""

import argparse
import datetime as dt
import errno
import getpass
import os
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tarazu.kit.disk import OUT_OF_SPACE
from tarazu.kit.gc_tuning import loading, release_memory, tune_gc

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

    from tarazu.kit.db import Database
    from tarazu.kit.settings import Settings

EVERY_INTERFACE = {"0.0.0.0", "::"}  # noqa: S104  # nosec B104 - recognised, not chosen
WAIT_FOR_DATABASE = 2.0
KEEP_ALIVE = 75
"""Seconds: longer than a proxy keeps its connections, which would else send a call into a closed one."""


class CannotGoOn(Exception):
    """The command cannot be done; the text is the one line that is printed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it was done, 1 with one line on standard error when not."""
    given = _parser().parse_args(arguments)
    tune_gc()
    release_memory()
    # Whatever is written is about people's money: its owner's alone.
    os.umask(0o077)
    # All else is loaded here, and below where it is used: quickly, and only by who needs it.
    with loading():
        from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - as above

        from tarazu.kit.db import UnfitDatabase  # noqa: PLC0415
        from tarazu.kit.encryption import UnfitKeys  # noqa: PLC0415
        from tarazu.kit.settings import MalformedSettings  # noqa: PLC0415
    try:
        run: Callable[[argparse.Namespace], None] = given.run
        run(given)
    except (CannotGoOn, MalformedSettings, UnfitDatabase, UnfitKeys) as error:
        print(f"tarazu: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read it has enough; what is left must not be written at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        reason = "the disk is full" if error.errno in OUT_OF_SPACE else error.strerror or error
        place = f" ({error.filename})" if error.filename else ""
        print(f"tarazu: {reason}{place}", file=sys.stderr)
        return 1
    except DBAPIError as error:
        print(f"tarazu: {_reason_of(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _reason_of(error: "DBAPIError") -> str:
    from tarazu.kit.errors import Damaged, StorageFull, refusal_of_database  # noqa: PLC0415 - as above
    from tarazu.upkeep.soundness import RESTORE  # noqa: PLC0415

    refusal = refusal_of_database(error)
    if isinstance(refusal, StorageFull):
        reason = "the disk is full"
    elif isinstance(refusal, Damaged):
        reason = f"the database is damaged: {error.orig}. {RESTORE}"
    else:
        reason = f"the database cannot be used ({error.orig})"
    return " ".join(reason.split())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tarazu", description="The back office of a registered Research Analyst."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the product")
    _add_places(serve)
    serve.add_argument(
        "--new-installation",
        action="store_true",
        help="found a new firm where the database of another one is gone",
    )
    serve.set_defaults(run=_serve)

    worker = commands.add_parser(
        "worker", help="do the timed work without serving, beside or instead of `serve`"
    )
    _add_data_dir(worker)
    worker.set_defaults(run=_worker)

    demo = commands.add_parser("demo", help="serve a believable firm at simulated prices")
    _add_places(demo)
    demo.set_defaults(run=_demo)

    create = commands.add_parser("create-admin", help="make an account that may do everything")
    create.add_argument("email")
    create.add_argument("--name", default="Administrator")
    _add_data_dir(create)
    create.set_defaults(run=_create_admin)

    rotate = commands.add_parser("rotate-key", help="seal every secret with a new key")
    _add_data_dir(rotate)
    rotate.set_defaults(run=_rotate_key)

    _add_books(commands)
    _add_advice(commands)
    _add_audit(commands)
    _add_upkeep(commands)
    return parser


def _add_books(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    close = commands.add_parser("close-day", help="write what clients and the firm are worth")
    close.add_argument("--date", type=_day, help="YYYY-MM-DD; else all days due")
    _add_data_dir(close)
    close.set_defaults(run=_close_day)

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
    prices = kinds.add_parser("prices", help="an exchange's daily file of closing prices")
    prices.add_argument("file", type=Path)
    prices.add_argument("--dry-run", action="store_true", help="say what would change")
    _add_data_dir(prices)
    prices.set_defaults(run=_import_prices)


def _add_advice(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    advice = commands.add_parser("advice", help="sealed advice: verify it, hand it out")
    acts = advice.add_subparsers(required=True, metavar="WHAT")
    verify = acts.add_parser("verify", help="look whether advice is as it was sealed")
    verify.add_argument("id", nargs="?", metavar="ID", help="one advice; else all of it")
    _add_data_dir(verify)
    verify.set_defaults(run=_verify_advice)

    export = acts.add_parser("export", help="write a zip that anybody can check")
    export.add_argument("id", nargs="?", metavar="ID", help="one advice; else as the options say")
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--client", help="the client's code")
    export.add_argument("--from", dest="since", type=_day, help="YYYY-MM-DD, the first day")
    export.add_argument("--to", dest="until", type=_day, help="YYYY-MM-DD, the last day")
    _add_data_dir(export)
    export.set_defaults(run=_export_advice)

    restore = acts.add_parser("restore-letters", help="set letters again that were removed")
    _add_data_dir(restore)
    restore.set_defaults(run=_restore_letters)


def _add_audit(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    whole = commands.add_parser("audit-verify", help="look whether the audit trail is whole")
    _add_data_dir(whole)
    whole.set_defaults(run=_verify_audit)
    audit = commands.add_parser("audit", help="the audit trail")
    acts = audit.add_subparsers(required=True, metavar="WHAT")
    verify = acts.add_parser("verify", help="look whether it is whole")
    _add_data_dir(verify)
    verify.set_defaults(run=_verify_audit)


def _add_upkeep(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    keys = "The keys are not in a backup: keep secrets.key apart from it."
    sealed = "Sealed with TARAZU_BACKUP_PASSPHRASE, or with the one asked for."
    backup = commands.add_parser("backup", help="write a checked backup", epilog=f"{keys} {sealed}")
    backup.add_argument("file", type=Path, metavar="FILE")
    backup.add_argument("--ask-passphrase", action="store_true", help="ask for a passphrase")
    _add_data_dir(backup)
    backup.set_defaults(run=_backup)

    restore = commands.add_parser("restore", help="put a backup into an empty place", epilog=keys)
    restore.add_argument("file", type=Path, metavar="FILE")
    restore.add_argument("--check", action="store_true", help="only read the backup whole")
    _add_data_dir(restore)
    restore.set_defaults(run=_restore)

    moving = commands.add_parser(
        "move", help="copy everything into an empty PostgreSQL database, and check it there"
    )
    moving.add_argument(
        "--to", required=True, metavar="URL", help="postgresql+psycopg://user@host/name"
    )
    _add_data_dir(moving)
    moving.set_defaults(run=_move)

    purge = commands.add_parser("purge", help="remove what is past its five years")
    purge.add_argument("--before", type=_day, help="YYYY-MM-DD; an earlier day than five years ago")
    purge.add_argument("--dry-run", action="store_true", help="say what would go")
    _add_data_dir(purge)
    purge.set_defaults(run=_purge)

    doctor = commands.add_parser("doctor", help="say what is wrong, and how it is mended")
    _add_data_dir(doctor)
    doctor.set_defaults(run=_doctor)


def _day(written: str) -> dt.date:
    try:
        return dt.date.fromisoformat(written)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{written} is not a day such as 2026-11-20") from error


def _add_places(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    _add_data_dir(parser)


def _add_data_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-dir", type=Path)


def _serve(given: argparse.Namespace) -> None:
    _refuse_busy_port(given.host, given.port)
    settings = _settings(data_dir=given.data_dir)
    _run_server(settings, given.host, given.port, [], is_new=given.new_installation)


def _worker(given: argparse.Namespace) -> None:
    settings = _settings(data_dir=given.data_dir)
    # All of it: at the end, looking through what was loaded would take longer than a stop.
    with loading():
        from tarazu import app, worker  # noqa: F401, PLC0415 - as above

    database = _open_patiently(settings)
    worker.run_worker(settings, database, lambda line: print(line, flush=True))


def _open_patiently(settings: "Settings") -> "Database":
    """The database, which may come up later than the worker does."""
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415 - as above

    is_told = False
    while True:
        try:
            return _open(settings)
        except OperationalError as error:
            if not is_told:
                reason = " ".join(str(error.orig).split())
                print(f"tarazu: waiting for the database ({reason})", file=sys.stderr, flush=True)
            is_told = True
            time.sleep(WAIT_FOR_DATABASE)


def _demo(given: argparse.Namespace) -> None:
    _refuse_busy_port(given.host, given.port)
    settings = _settings(
        data_dir=given.data_dir or Path("data-demo"),
        demo=True,
        price_source="simulated",
        signup_mode="open",
        expose_openapi=True,
        log_level="error",
    )
    database = _open(settings)
    from tarazu.demo import entry  # noqa: PLC0415 - as above

    with database.reading() as session:
        is_made = entry.is_made(session)
    database.dispose()
    if not is_made:
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - as above
        from multiprocessing import get_context  # noqa: PLC0415

        # A process of its own, which ends: two years of a firm and the typesetter of its letters
        # would stay in the memory of the one that serves.
        with ProcessPoolExecutor(1, get_context("spawn")) as making:
            making.submit(make_demo_firm, settings).result()
    _run_server(settings, given.host, given.port, entry.sign_ins())


def make_demo_firm(settings: "Settings") -> None:
    """Fill an empty installation with the demo firm.

    Raises:
        CannotGoOn: it is not empty.
    """
    from tarazu.demo import service as demo  # noqa: PLC0415 - as above

    database = _open(settings)
    try:
        with database.transaction() as session:
            if demo.fill(session, print):
                print("The demo firm is made.", flush=True)
    except demo.NotEmpty as error:
        raise CannotGoOn(str(error)) from error
    finally:
        database.dispose()


def _create_admin(given: argparse.Namespace) -> None:
    from tarazu.auth import service as auth  # noqa: PLC0415 - keeps the start of `serve` short
    from tarazu.kit import clock  # noqa: PLC0415
    from tarazu.kit.errors import ApiError  # noqa: PLC0415

    settings = _settings(data_dir=given.data_dir)
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    database = _open(settings)
    try:
        with database.transaction() as session:
            auth.create_admin(session, given.name, given.email, password, clock.now())
    except ApiError as refusal:
        raise CannotGoOn(refusal.message) from refusal
    finally:
        database.dispose()
    print(f"{given.email} may sign in as ADMIN.")


def _rotate_key(given: argparse.Namespace) -> None:
    from tarazu.kit import encryption  # noqa: PLC0415 - as above
    from tarazu.migrations import all_tables  # noqa: F401, PLC0415 - every sealed column

    settings = _settings(data_dir=given.data_dir)
    database = _open_known(settings)
    try:
        with database.reading() as session:
            vault = encryption.cipher_of(session)
            is_begun = encryption.is_rotating(session, vault)
        if not is_begun and settings.secrets_keys:
            raise CannotGoOn("put the new key first in TARAZU_SECRETS_KEYS, the old one after it")
        if not is_begun:
            keys = encryption.add_key(settings.data_dir)
            encryption.open_cipher(database, keys)
            vault = encryption.Cipher(keys)
        count = encryption.reencrypt(database, vault)
    except encryption.CannotDecrypt as error:
        raise CannotGoOn(str(error)) from error
    finally:
        database.dispose()
    print(f"Sealed with the key {vault.current_id}: {count}. Restart the server now.")


def _close_day(given: argparse.Namespace) -> None:
    from tarazu.kit import clock  # noqa: PLC0415 - as above
    from tarazu.portfolio.commands import close_days  # noqa: PLC0415

    database = _open_known(_settings(data_dir=given.data_dir))
    try:
        problem = close_days(database, given.date, clock.now(), print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _backup(given: argparse.Namespace) -> None:
    from tarazu.kit import clock  # noqa: PLC0415 - as above
    from tarazu.upkeep import backups  # noqa: PLC0415

    settings = _settings(data_dir=given.data_dir)
    passphrase = settings.backup_passphrase
    if given.ask_passphrase:
        passphrase = _asked_twice()
    database = _open_known(settings)
    try:
        made = backups.make(database, settings, given.file, passphrase, clock.now())
    except backups.CannotBackUp as error:
        raise CannotGoOn(str(error)) from error
    finally:
        database.dispose()
    sealed = "sealed with the passphrase" if passphrase else "not sealed: anybody can read it"
    size = given.file.stat().st_size / 2**20
    print(f"{given.file}: {size:.1f} MB, {sealed}, read again and found whole.")
    print(
        f"Without its keys ({', '.join(made.key_ids)}) its secrets stay shut; they are not in it."
    )


def _asked_twice() -> str:
    passphrase = getpass.getpass("Passphrase: ")
    if not passphrase or getpass.getpass("Again: ") != passphrase:
        raise CannotGoOn("the passphrases differ, or are empty")
    return passphrase


def _restore(given: argparse.Namespace) -> None:
    from tarazu.kit import clock  # noqa: PLC0415 - as above
    from tarazu.upkeep import backups, sealing  # noqa: PLC0415

    settings = _settings(data_dir=given.data_dir)
    passphrase = settings.backup_passphrase
    if not given.file.is_file():
        raise CannotGoOn(f"{given.file} is not a file")
    with given.file.open("rb") as opened:
        is_sealed = sealing.is_sealed(opened)
    if is_sealed and not passphrase and sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase: ")
    try:
        if given.check:
            found = backups.check(settings, given.file, passphrase)
            print(f"{given.file}: whole. Made {found.made_at} by version {found.version}.")
        else:
            found = backups.restore(settings, given.file, passphrase, clock.now())
            made = f"{found.made_at}, up to row {found.audit_seq} of the audit trail"
            print(f"Restored what was there at {made}.")
        is_vouched_for = backups.is_vouched_for(settings, found)
    except backups.CannotBackUp as error:
        raise CannotGoOn(str(error)) from error
    print(_vouching_of(found.mac_key_id, is_vouched_for=is_vouched_for))
    if not given.check:
        print(f"Its secrets need the keys {', '.join(found.key_ids)}. Then run: tarazu doctor")


def _vouching_of(key_id: str, *, is_vouched_for: bool) -> str:
    if is_vouched_for:
        return f"It was made by this installation, with its key {key_id}."
    if not key_id:
        return "TARAZU CANNOT VOUCH FOR THIS BACKUP: AN OLDER VERSION MADE IT, AND DID NOT SIGN IT."
    return (
        f"TARAZU CANNOT VOUCH FOR THIS BACKUP: ITS KEY {key_id} IS NOT HERE, SO ANYBODY MAY HAVE "
        "CHANGED IT. GIVE THE KEY AND RUN: tarazu restore --check FILE"
    )


def _move(given: argparse.Namespace) -> None:
    from tarazu.upkeep import moving  # noqa: PLC0415 - as above

    settings = _settings(data_dir=given.data_dir)
    target = _settings(database_url=given.to).database_url
    try:
        moving.refuse_unfit(settings, target)
        # Brought up to date first, and closed, so that the copy is of this version's tables.
        _open(settings).dispose()
        moving.report(moving.move(settings, target, print), print)
    except moving.CannotMove as error:
        raise CannotGoOn(str(error)) from error
    print("Set TARAZU_DATABASE_URL to the new database, and keep the key file where it is.")
    print("The SQLite file was not changed; put it away, so that nobody serves from it again.")


def _purge(given: argparse.Namespace) -> None:
    from tarazu.kit import clock  # noqa: PLC0415 - as above
    from tarazu.upkeep import purge  # noqa: PLC0415

    database = _open_known(_settings(data_dir=given.data_dir))
    before = clock.start_of(given.before) if given.before else None
    try:
        removed = purge.purge(database, clock.now(), is_trial=given.dry_run, before=before)
    finally:
        database.dispose()
    purge.report(removed, print, is_trial=given.dry_run)


def _doctor(given: argparse.Namespace) -> None:
    from tarazu.kit import clock  # noqa: PLC0415 - as above
    from tarazu.kit.logging import set_up_logging  # noqa: PLC0415
    from tarazu.upkeep import doctor  # noqa: PLC0415

    settings = _settings(data_dir=given.data_dir)
    set_up_logging("error")
    wrong = doctor.report(settings, clock.now(), print)
    if wrong:
        raise CannotGoOn(f"{wrong} parts are wrong")


def _verify_audit(given: argparse.Namespace) -> None:
    from tarazu.audit.commands import verify  # noqa: PLC0415 - as above

    settings = _settings(data_dir=given.data_dir)
    database = _open_known(settings)
    try:
        problem = verify(database, settings.audit_heads_file, print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _verify_advice(given: argparse.Namespace) -> None:
    from tarazu.advice.commands import verify  # noqa: PLC0415 - as above

    database = _open_known(_settings(data_dir=given.data_dir))
    try:
        problem = verify(database, given.id, print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _export_advice(given: argparse.Namespace) -> None:
    from tarazu.advice.commands import Choice, export  # noqa: PLC0415 - as above
    from tarazu.kit import clock  # noqa: PLC0415

    database = _open_known(_settings(data_dir=given.data_dir))
    choice = Choice(given.id, given.client, given.since, given.until)
    try:
        problem = export(database, choice, given.file, clock.now(), print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _restore_letters(given: argparse.Namespace) -> None:
    from tarazu.advice.commands import restore_letters  # noqa: PLC0415 - as above
    from tarazu.kit import clock  # noqa: PLC0415

    database = _open_known(_settings(data_dir=given.data_dir))
    try:
        problem = restore_letters(database, clock.now(), print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _import_holdings(given: argparse.Namespace) -> None:
    from tarazu.imports.commands import import_holdings  # noqa: PLC0415 - as above

    if not given.file.is_file():
        raise CannotGoOn(f"{given.file} is not a file")
    database = _open_known(_settings(data_dir=given.data_dir))
    try:
        problem = import_holdings(
            database, given.file, given.client, given.dry_run, print, given.leave_out_refused
        )
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _import_prices(given: argparse.Namespace) -> None:
    from tarazu.imports.commands import import_prices  # noqa: PLC0415 - as above

    if not given.file.is_file():
        raise CannotGoOn(f"{given.file} is not a file")
    database = _open_known(_settings(data_dir=given.data_dir))
    try:
        problem = import_prices(database, given.file, given.dry_run, print)
    finally:
        database.dispose()
    if problem:
        raise CannotGoOn(problem)


def _settings(**given: Any) -> "Settings":
    from tarazu.kit.settings import Settings  # noqa: PLC0415 - as above

    return Settings.read(**given)


def _open(settings: "Settings", *, is_new: bool = False) -> "Database":
    with loading():
        from tarazu.app import open_database  # noqa: PLC0415 - as above
        from tarazu.kit.logging import set_up_logging  # noqa: PLC0415

    set_up_logging(settings.log_level)
    return open_database(settings, is_new=is_new)


def _open_known(settings: "Settings") -> "Database":
    with loading():
        from tarazu.app import open_known_database  # noqa: PLC0415 - as above
        from tarazu.kit.logging import set_up_logging  # noqa: PLC0415

    set_up_logging(settings.log_level)
    return open_known_database(settings)


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


def _address_of(host: str, port: int) -> str:
    named = "localhost" if host in EVERY_INTERFACE else host
    return f"http://[{named}]:{port}" if ":" in named else f"http://{named}:{port}"


def _run_server(
    settings: "Settings", host: str, port: int, notes: Sequence[str], *, is_new: bool = False
) -> None:
    with loading():
        import uvicorn  # noqa: PLC0415 - as above

        from tarazu.app import create_app  # noqa: PLC0415
        from tarazu.kit.connections import limited_by  # noqa: PLC0415

    if not settings.public_url:
        settings = settings.model_copy(update={"public_url": _address_of(host, port)})

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                ready = f"\nTarazu is ready: {_address_of(host, port)}"
                print(ready, *notes, sep="\n", flush=True)

    config = uvicorn.Config(
        create_app(settings, _open(settings, is_new=is_new)),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_per_message_deflate=False,
        ws_ping_interval=None,  # the live line pings by itself, as Socket.IO does
        ws_max_size=10_000,
        http=limited_by(settings),
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=8,
        proxy_headers=False,
    )
    Server(config).run()


if __name__ == "__main__":
    sys.exit(main())
