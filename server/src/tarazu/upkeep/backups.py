"""Backups: the whole database in one verified file, made while the product serves, and restored.

A backup is a zip of a manifest and the database: a copy made by SQLite, or the output of pg_dump.
With a passphrase the zip is encrypted. The installation's keys are never in it; the manifest has an
HMAC by one of them, so that nobody else can make or change a backup unnoticed.
"""

import contextlib
import datetime as dt
import hashlib
import hmac
import json
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import structlog
from sqlalchemy import text
from sqlalchemy.engine import make_url

from tarazu.kit import audit_log, encryption
from tarazu.kit.db import Database
from tarazu.kit.disk import keep_file, keep_names, make_folder
from tarazu.kit.encryption import KeyCheck, Keys
from tarazu.kit.settings import Settings
from tarazu.migrations import founding
from tarazu.upkeep import sealing, soundness

log = structlog.get_logger()

FORM: Final = "tarazu-backup/1"
SUFFIX: Final = ".tarazu"
_MANIFEST: Final = "manifest.json"
_SQLITE: Final = "tarazu.db"
_POSTGRES: Final = "tarazu.dump"
_PREFIX: Final = "tarazu-"
_BLOCK: Final = 1 << 20


class CannotBackUp(Exception):
    """A backup cannot be made, read or restored; the text is the one line that is printed."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of a backup. `key_ids` are the keys that its secrets need.

    `mac` is HMAC-SHA256 over all other fields, by a sub-key of the key `mac_key_id`. It covers the
    database, too, by its `sha256`.
    """

    form: str
    made_at: str
    version: str
    kind: str
    migration: str
    payload: str
    sha256: str
    size: int
    audit_seq: int | None
    audit_hash: str | None
    key_ids: tuple[str, ...]
    mac_key_id: str
    mac: str


def make(
    database: Database, settings: Settings, file: Path, passphrase: str, now: dt.datetime
) -> Manifest:
    """Write a backup to a new file, and verify it by reading it.

    Raises:
        CannotBackUp: the file exists, a tool is missing, or the check fails.
    """
    if file.exists():
        raise CannotBackUp(f"{file} exists already")
    _refuse_damaged(database)
    keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
    make_folder(file.parent)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=file.parent) as folder:
        place = Path(folder)
        payload = place / (_SQLITE if database.is_sqlite else _POSTGRES)
        about = _about(database)
        if database.is_sqlite:
            _copy_sqlite(database, payload)
        else:
            _run_tool("pg_dump", settings, ["--format=custom", f"--file={payload}"])
        manifest = Manifest(
            form=FORM,
            made_at=now.astimezone(dt.UTC).isoformat(),
            version=version("tarazu"),
            kind="sqlite" if database.is_sqlite else "postgresql",
            payload=payload.name,
            sha256=_digest_of(payload),
            size=payload.stat().st_size,
            mac_key_id=keys.current_id,
            mac="",
            **about,
        )
        manifest = replace(manifest, mac=_mac_of(manifest, keys))
        written = _sealed(_pack(place, payload, manifest), passphrase)
        payload.unlink()
        _keep(written)
        check(settings, written, passphrase)
        try:
            # Unlike a rename, a link fails if the file was created meanwhile.
            os.link(written, file)
            keep_names(file.parent)
        except FileExistsError as error:
            raise CannotBackUp(f"{file} exists already") from error
    return manifest


def check(settings: Settings, file: Path, passphrase: str) -> Manifest:
    """Verify a whole backup: encryption, checksum, signature, and the database in it.

    Raises:
        CannotBackUp: it is no backup, cannot be decrypted, was changed, or is damaged.
    """
    with _unpacked(file, passphrase) as (manifest, payload):
        is_vouched_for(settings, manifest)
        if manifest.kind == "sqlite":
            _refuse_unsound(payload)
        else:
            _run_plain("pg_restore", [f"--file={os.devnull}", str(payload)])
        return manifest


def is_vouched_for(settings: Settings, manifest: Manifest) -> bool:
    """Whether the manifest was signed with one of our keys; False if we do not have its key.

    Raises:
        CannotBackUp: the signature is wrong: somebody changed the backup.
    """
    keys = encryption.keys_there(settings.secrets_keys, settings.data_dir)
    if keys is None or manifest.mac_key_id not in keys.by_id:
        return False
    if not hmac.compare_digest(manifest.mac, _mac_of(manifest, keys)):
        raise CannotBackUp(
            f"the signature by the key {manifest.mac_key_id} is wrong: somebody changed the backup. "
            "Take another backup"
        )
    return True


def restore(settings: Settings, file: Path, passphrase: str, now: dt.datetime) -> Manifest:
    """Restore a backup into an empty place; renames the notes of a newer audit trail.

    Raises:
        CannotBackUp: the place is not empty, or the backup is of another kind or damaged.
    """
    url = settings.resolved_database_url
    kind = "sqlite" if url.startswith("sqlite") else "postgresql"
    _refuse_used(settings, kind)
    with _unpacked(file, passphrase) as (manifest, payload):
        if manifest.kind != kind:
            raise CannotBackUp(
                f"the backup is of {_name_of(manifest.kind)}, this installation of {_name_of(kind)}"
            )
        is_vouched_for(settings, manifest)
        if kind == "sqlite":
            _refuse_unsound(payload)
            place = _sqlite_path(settings)
            make_folder(place.parent)
            beside = place.with_suffix(".restored")
            shutil.copyfile(payload, beside)
            beside.chmod(0o600)
            _keep(beside)
            beside.replace(place)
            keep_names(place.parent)
        else:
            words = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"]
            _run_tool("pg_restore", settings, [*words, str(payload)], names_database=True)
        if settings.audit_heads_file.exists():
            founding.put_notes_aside(settings.audit_heads_file, now)
        return manifest


def made_before(folder: Path) -> list[Path]:
    """The scheduled backups of a folder, oldest first."""
    return sorted(folder.glob(f"{_PREFIX}*{SUFFIX}")) if folder.is_dir() else []


def make_due(database: Database, settings: Settings, now: dt.datetime) -> Path | None:
    """Make the scheduled backup if it is due, and delete the oldest; None if it is not due."""
    if not settings.backup_dir or settings.backup_hours == 0:
        return None
    folder = Path(settings.backup_dir)
    before = made_before(folder)
    newest = dt.datetime.fromtimestamp(before[-1].stat().st_mtime, dt.UTC) if before else None
    if newest is not None and now - newest < dt.timedelta(hours=settings.backup_hours):
        return None
    file = folder / f"{_PREFIX}{now.astimezone(dt.UTC):%Y%m%d-%H%M%S}{SUFFIX}"
    make(database, settings, file, settings.backup_passphrase, now)
    log.info("backup_made", file=file.name, size=file.stat().st_size)
    for old in made_before(folder)[: -settings.backups_kept]:
        old.unlink()
        log.info("backup_removed", file=old.name)
    return file


def _about(database: Database) -> dict[str, Any]:
    with database.reading() as session:
        migration = session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        head = audit_log.head_of(session)
        keys = session.query(KeyCheck.key_id).order_by(KeyCheck.key_id).all()
    return {
        "migration": migration,
        "audit_seq": head.seq if head else None,
        "audit_hash": head.hash if head else None,
        "key_ids": tuple(key.key_id for key in keys),
    }


def _refuse_damaged(database: Database) -> None:
    faults = soundness.faults_of(database, is_thorough=True)
    if faults:
        message = "; ".join(faults)
        raise CannotBackUp(f"the database is damaged: {message}. {soundness.RESTORE}")


def _copy_sqlite(database: Database, target: Path) -> None:
    # A consistent copy, made by a reader: writers are not blocked.
    with database.engine.connect() as connection:
        plain = connection.connection.driver_connection
        assert plain is not None  # noqa: S101 - it was opened above
        plain.execute("VACUUM INTO ?", (str(target),))


def _pack(place: Path, payload: Path, manifest: Manifest) -> Path:
    whole = place / "whole"
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        archive.writestr(_MANIFEST, json.dumps(asdict(manifest), indent=1))
        archive.write(payload, payload.name)
    return whole


def _sealed(whole: Path, passphrase: str) -> Path:
    if not passphrase:
        return whole
    written = whole.with_name("sealed")
    with whole.open("rb") as source, written.open("wb") as target:
        sealing.seal(source, target, passphrase)
    return written


@contextlib.contextmanager
def _unpacked(file: Path, passphrase: str) -> Iterator[tuple[Manifest, Path]]:
    """The manifest and the database of a backup, in a temporary folder."""
    if not file.is_file():
        raise CannotBackUp(f"{file} is not a file")
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=file.parent) as folder:
        place = Path(folder)
        whole = _plain(file, passphrase, place)
        try:
            with zipfile.ZipFile(whole) as archive:
                manifest = _manifest_of(archive.read(_MANIFEST))
                payload = place / "payload"
                with archive.open(manifest.payload) as source, payload.open("wb") as target:
                    shutil.copyfileobj(cast("BinaryIO", source), target, _BLOCK)
        except (zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
            raise CannotBackUp(f"{file} is not a backup of Tarazu, or is damaged") from error
        if _digest_of(payload) != manifest.sha256:
            raise CannotBackUp(f"{file} is damaged: the checksum of its database is wrong")
        yield manifest, payload


def _plain(file: Path, passphrase: str, place: Path) -> Path:
    with file.open("rb") as source:
        if not sealing.is_sealed(source):
            return file
        if not passphrase:
            raise CannotBackUp("the backup is encrypted: its passphrase is needed")
        whole = place / "whole"
        try:
            with whole.open("wb") as target:
                for chunk in sealing.opened(source, passphrase):
                    target.write(chunk)
        except sealing.WrongPassphrase as error:
            raise CannotBackUp(
                "the backup cannot be decrypted: the passphrase is wrong, or the file is damaged"
            ) from error
    return whole


def _mac_of(manifest: Manifest, keys: Keys) -> str:
    """The HMAC of all other fields.

    Raises:
        KeyError: the manifest's key is not among these.
    """
    content = json.dumps(asdict(replace(manifest, mac="")), sort_keys=True)
    return hmac.new(
        keys.derived("backup", manifest.mac_key_id), content.encode(), hashlib.sha256
    ).hexdigest()


def _manifest_of(content: bytes) -> Manifest:
    given: Mapping[str, Any] = json.loads(content)
    if given.get("form") != FORM:
        raise ValueError(FORM)
    return Manifest(**{**given, "key_ids": tuple(given["key_ids"])})


def _refuse_unsound(path: Path) -> None:
    copy = Database(f"sqlite:///{path}")
    try:
        faults = soundness.faults_of(copy, is_thorough=True)
    finally:
        copy.dispose()
    if faults:
        raise CannotBackUp(f"the database in the backup is damaged: {'; '.join(faults)}")


def _refuse_used(settings: Settings, kind: str) -> None:
    if kind == "sqlite":
        path = _sqlite_path(settings)
        if any(path.with_name(path.name + end).exists() for end in ("", "-wal", "-shm")):
            raise CannotBackUp(f"{path} exists already; restore into an empty place")
        return
    database = Database(settings.resolved_database_url)
    try:
        with database.engine.connect() as connection:
            count = connection.execute(
                text("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
            ).scalar_one()
    finally:
        database.dispose()
    if count:
        raise CannotBackUp(f"the database has {count} tables already; restore into an empty one")


def _sqlite_path(settings: Settings) -> Path:
    return Path(make_url(settings.resolved_database_url).database or "")


def _name_of(kind: str) -> str:
    return {"sqlite": "SQLite", "postgresql": "PostgreSQL"}.get(kind, kind)


def _run_tool(
    tool: str, settings: Settings, words: Sequence[str], *, names_database: bool = False
) -> None:
    """Run a tool of PostgreSQL on our database; passes the password in the environment only."""
    url = make_url(settings.resolved_database_url)
    place = {"--host": url.host, "--port": url.port, "--username": url.username}
    given = [f"{name}={value}" for name, value in place.items() if value]
    given.append("--no-password")
    if names_database:
        given.append(f"--dbname={url.database}")
        _run_plain(tool, [*given, *words], url.password)
    else:
        _run_plain(tool, [*given, *words, str(url.database)], url.password)


def _run_plain(tool: str, words: Sequence[str], password: object = None) -> None:
    path_of_tool = shutil.which(tool)
    if path_of_tool is None:
        raise CannotBackUp(f"{tool} is not installed; it comes with PostgreSQL's client")
    environment = {"PATH": os.defpath, "PGPASSWORD": str(password)} if password else None
    done = subprocess.run(  # noqa: S603 - a tool on the PATH, and our own settings
        [path_of_tool, *words], capture_output=True, text=True, check=False, env=environment
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise CannotBackUp(f"{tool} failed: {lines[-1]}")


def _digest_of(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _keep(path: Path) -> None:
    """Make it readable only by its owner, and write it to the disk, before it gets its name."""
    path.chmod(0o600)
    keep_file(path)
