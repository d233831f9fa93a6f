"""Commands for accounts, keys, backups and the state of an installation."""

import datetime as dt
import getpass
import sys
from pathlib import Path
from typing import Annotated

import typer

from tarazu.auth import service as auth
from tarazu.auth import single_sign_on
from tarazu.cli.opening import (
    CommandFailed,
    DataDir,
    DryRun,
    day,
    open_or_create,
    opened,
    opened_existing,
    require_file,
)
from tarazu.kit import clock, encryption
from tarazu.kit.errors import ApiError
from tarazu.kit.logging import set_up_logging
from tarazu.kit.settings import Settings
from tarazu.upkeep import backups, moving, sealing
from tarazu.upkeep import doctor as health
from tarazu.upkeep import purge as retention

app = typer.Typer()


@app.command()
def create_admin(
    email: str, name: Annotated[str, typer.Option()] = "Administrator", data_dir: DataDir = None
) -> None:
    """Create an ADMIN account; the password is read from standard input."""
    settings = Settings.read(data_dir=data_dir)
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().strip()
    try:
        with opened(settings) as database, database.transaction() as session:
            auth.create_admin(session, name, email, password, clock.now())
    except ApiError as error:
        raise CommandFailed(error.message) from error
    print(f"{email} may sign in as ADMIN.")


@app.command()
def unlink_sso(email: str, data_dir: DataDir = None) -> None:
    """Forget the single sign-on that an account was linked with: the next one is linked."""
    with (
        opened_existing(Settings.read(data_dir=data_dir)) as database,
        database.transaction() as session,
    ):
        is_unlinked = single_sign_on.unlink(session, email.strip().lower(), clock.now())
    if not is_unlinked:
        raise CommandFailed(f"no account with the address {email} is linked")
    print(f"{email} is no longer linked.")


@app.command()
def rotate_key(data_dir: DataDir = None) -> None:
    """Encrypt every secret with a new key."""
    settings = Settings.read(data_dir=data_dir)
    try:
        with opened_existing(settings) as database:
            with database.reading() as session:
                cipher = encryption.cipher_of(session)
                is_started = encryption.is_rotating(session, cipher)
            if not is_started and settings.secrets_keys:
                raise CommandFailed(
                    "put the new key first in TARAZU_SECRETS_KEYS, the old one after it"
                )
            if not is_started:
                keys = encryption.add_key(settings.data_dir)
                encryption.open_cipher(database, keys)
                cipher = encryption.Cipher(keys)
            count = encryption.reencrypt(database, cipher)
    except encryption.CannotDecrypt as error:
        raise CommandFailed(str(error)) from error
    print(
        f"{count} secrets are encrypted with the key {cipher.current_id}. Restart the server now."
    )


@app.command()
def backup(
    file: Path,
    ask_passphrase: Annotated[
        bool, typer.Option("--ask-passphrase", help="Ask for a passphrase.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Write a verified backup, encrypted with TARAZU_BACKUP_PASSPHRASE if it is set.

    The keys are not in a backup: keep secrets.key in another place.
    """
    settings = Settings.read(data_dir=data_dir)
    passphrase = _asked_twice() if ask_passphrase else settings.backup_passphrase
    try:
        with opened_existing(settings) as database:
            made = backups.make(database, settings, file, passphrase, clock.now())
    except backups.CannotBackUp as error:
        raise CommandFailed(str(error)) from error
    protection = (
        "encrypted with the passphrase" if passphrase else "not encrypted: anyone can read it"
    )
    print(f"{file}: {file.stat().st_size / 2**20:.1f} MB, {protection}, verified.")
    print(f"Its secrets need the keys {', '.join(made.key_ids)}, which are not in it.")


def _asked_twice() -> str:
    passphrase = getpass.getpass("Passphrase: ")
    if not passphrase or getpass.getpass("Again: ") != passphrase:
        raise CommandFailed("the passphrases differ, or are empty")
    return passphrase


@app.command()
def restore(
    file: Path,
    check: Annotated[bool, typer.Option("--check", help="Only verify the backup.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Restore a backup into an empty data directory or database.

    The keys are not in a backup: copy secrets.key there first.
    """
    settings = Settings.read(data_dir=data_dir)
    require_file(file)
    passphrase = settings.backup_passphrase
    with file.open("rb") as opened:
        is_encrypted = sealing.is_sealed(opened)
    if is_encrypted and not passphrase and sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase: ")
    try:
        if check:
            manifest = backups.check(settings, file, passphrase)
            print(f"{file}: verified. Made {manifest.made_at} by version {manifest.version}.")
        else:
            manifest = backups.restore(settings, file, passphrase, clock.now())
            print(
                f"Restored the state of {manifest.made_at}, "
                f"up to row {manifest.audit_seq} of the audit trail."
            )
        is_authentic = backups.is_vouched_for(settings, manifest)
    except backups.CannotBackUp as error:
        raise CommandFailed(str(error)) from error
    print(_authenticity_of(manifest.mac_key_id, is_authentic=is_authentic))
    if not check:
        print(f"Its secrets need the keys {', '.join(manifest.key_ids)}. Then run: tarazu doctor")


def _authenticity_of(key_id: str, *, is_authentic: bool) -> str:
    if is_authentic:
        return f"It was made by this installation, with its key {key_id}."
    return (
        f"THIS BACKUP CANNOT BE AUTHENTICATED: ITS KEY {key_id} IS NOT HERE, SO ANYONE MAY HAVE "
        "CHANGED IT. COPY THE KEY AND RUN: tarazu restore --check FILE"
    )


@app.command()
def move(
    to: Annotated[str, typer.Option(metavar="URL", help="postgresql+psycopg://user@host/name")],
    data_dir: DataDir = None,
) -> None:
    """Copy everything into an empty PostgreSQL database, and verify it there."""
    settings = Settings.read(data_dir=data_dir)
    target = Settings.read(database_url=to).database_url
    try:
        moving.refuse_unfit(settings, target)
        # Upgraded first, and closed, so that the copy has this version's tables.
        open_or_create(settings).dispose()
        moving.report(moving.move(settings, target, print), print)
    except moving.CannotMove as error:
        raise CommandFailed(str(error)) from error
    print("Set TARAZU_DATABASE_URL to the new database, and leave the key file where it is.")
    print(
        "The SQLite file was not changed; move it elsewhere, so that nobody serves from it again."
    )


@app.command()
def purge(
    before: Annotated[
        dt.date | None,
        typer.Option(parser=day, metavar="YYYY-MM-DD", help="A day before five years ago."),
    ] = None,
    dry_run: DryRun = False,
    data_dir: DataDir = None,
) -> None:
    """Delete records older than five years."""
    limit = clock.start_of(before) if before else None
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        removed = retention.purge(database, clock.now(), is_trial=dry_run, before=limit)
    retention.report(removed, print, is_trial=dry_run)


@app.command()
def doctor(data_dir: DataDir = None) -> None:
    """Report problems and how to fix them."""
    settings = Settings.read(data_dir=data_dir)
    set_up_logging("error")
    wrong = health.report(settings, clock.now(), print)
    if wrong:
        raise CommandFailed(f"{wrong} problems")
