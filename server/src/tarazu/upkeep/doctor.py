"""What is wrong with an installation, and how it is mended: each part is looked at by itself."""

import datetime as dt
import os
import shutil
import smtplib
import socket
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from tarazu import migrations
from tarazu.audit import service as audit
from tarazu.brokers import service as brokers
from tarazu.brokers.tables import BrokerName
from tarazu.kit import audit_log, encryption, jobs
from tarazu.kit.db import Database, UnfitDatabase
from tarazu.kit.encryption import UnfitKeys
from tarazu.kit.errors import is_damage
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.settings import Settings
from tarazu.migrations import keeping
from tarazu.people import service as people
from tarazu.portfolio import closing
from tarazu.prices import service as prices
from tarazu.upkeep import backups, soundness

LEAST_FREE = 1 << 30
LEAST_FREE_SHARE = 0.05
FREE_SPACE = "Free some space: a full disk stops every change."
STUCK = dt.timedelta(minutes=15)
LATE = dt.timedelta(minutes=15)
"""After its due time, work that no process took up in all those looks is late."""
MOST_NAMED = 5
REACHED_WITHIN = 5
CLOCK_AHEAD = dt.timedelta(minutes=2)


class State(StrEnum):
    FINE = "ok"
    LOOK = "look"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one part, and what to do about it; `cure` is "" where nothing is."""

    part: str
    state: State
    text: str
    cure: str = ""


def look(settings: Settings, now: dt.datetime) -> Iterator[Finding]:
    """Every part in turn; where one is missing, those that need it are left out."""
    yield _disk(settings)
    yield _data_directory(settings)
    yield _keys_file(settings)
    yield _public_url(settings)
    yield _mail_server(settings)
    yield _redis(settings)
    yield _backups(settings, now)
    yield _prices_folder(settings)
    try:
        database = Database(settings.resolved_database_url)
    except UnfitDatabase as error:
        yield Finding("Database", State.WRONG, str(error), "Install the product anew.")
        return
    try:
        yield from _database_parts(database, settings, now)
    finally:
        database.dispose()


def _database_parts(database: Database, settings: Settings, now: dt.datetime) -> Iterator[Finding]:
    found = _reachable(database)
    yield found
    if found.state is State.WRONG:
        return
    found = _read("Migrations", lambda: _migrated(database))
    yield found
    if found.state is not State.FINE:
        return
    yield _sound(database)
    yield _read("Triggers", lambda: _kept(database))
    yield _read("Outbox", lambda: _outbox(database, now))
    yield _read("Clock", lambda: _clock(database, now))
    yield _read("Timed work", lambda: _timed_work(database, now))
    yield _read("Daily close", lambda: _daily_close(database, now))
    yield _read("Price files", lambda: _price_files(database))
    yield from _angel(database, settings)
    found = _read("Keys", lambda: _keys(database, settings))
    yield found
    if found.state is State.FINE:
        yield _read("Audit trail", lambda: _audit(database, settings))


def _read(part: str, look_at: Callable[[], Finding]) -> Finding:
    """What is found of a part of the database; of one that cannot be read, why."""
    try:
        return look_at()
    except SQLAlchemyError as error:
        cure = "Look at Database and Integrity above: what is wrong there comes first."
        return Finding(part, State.WRONG, f"It cannot be read: {_reason_of(error)}.", cure)


def _reason_of(error: SQLAlchemyError) -> str:
    return " ".join(str(getattr(error, "orig", error)).split())


def _keys(database: Database, settings: Settings) -> Finding:
    part = "Keys"
    try:
        keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
        audit_log.use_key(database, encryption.open_cipher(database, keys))
    except (UnfitKeys, encryption.CannotDecrypt) as error:
        cure = "Give the keys that this database was used with; without them its secrets stay shut."
        return Finding(part, State.WRONG, f"{error}.", cure)
    return Finding(part, State.FINE, "The keys open the secrets of this database.")


def _reachable(database: Database) -> Finding:
    part = "Database"
    path = Path(database.engine.url.database or "")
    if database.is_sqlite and not path.is_file():
        return Finding(
            part,
            State.WRONG,
            f"There is no database at {path}.",
            "Start the product once, or give --data-dir.",
        )
    try:
        with database.reading() as session:
            session.execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        reason = _reason_of(error)
        if "disk is full" in reason:
            return Finding(part, State.WRONG, "It cannot be read: the disk is full.", FREE_SPACE)
        if is_damage(error):
            told = f"The database is damaged: {reason}."
            return Finding(part, State.WRONG, told, soundness.RESTORE)
        cure = "Is it running, and is TARAZU_DATABASE_URL right?"
        return Finding(part, State.WRONG, f"It cannot be reached: {reason}", cure)
    kind = (
        f"SQLite at {path}" if database.is_sqlite else f"PostgreSQL at {database.engine.url.host}"
    )
    return Finding(part, State.FINE, f"{kind} answers.")


def _migrated(database: Database) -> Finding:
    present, newest = migrations.states_of(database)
    if present == newest:
        return Finding("Migrations", State.FINE, f"The tables are those of {newest}.")
    if present is None:
        return Finding("Migrations", State.WRONG, "It is empty.", "Start the product once.")
    if migrations.is_too_new(database):
        said, cure = migrations.TOO_NEW.split(". ", 1)
        return Finding("Migrations", State.WRONG, f"{said}.", cure)
    return Finding(
        "Migrations",
        State.LOOK,
        f"The tables are those of {present}, this version has {newest}.",
        "The next start brings them up to date; make a backup before it, with the version they are of.",
    )


def _sound(database: Database) -> Finding:
    part = "Integrity"
    if not database.is_sqlite:
        return Finding(part, State.FINE, "PostgreSQL looks after it; nothing is reported.")
    faults = soundness.faults_of(database)
    if not faults:
        return Finding(part, State.FINE, "SQLite finds every page sound.")
    return Finding(
        part, State.WRONG, f"The database is damaged: {'; '.join(faults)}.", soundness.RESTORE
    )


def _kept(database: Database) -> Finding:
    with database.engine.connect() as connection:
        missing = keeping.missing_triggers(connection)
    if missing:
        return Finding(
            "Triggers",
            State.WRONG,
            f"Nothing keeps these rows from being changed: {', '.join(missing)}.",
            "Somebody took the triggers away. Verify the audit trail, then restart the product.",
        )
    return Finding("Triggers", State.FINE, "The database refuses to change what is kept.")


def _outbox(database: Database, now: dt.datetime) -> Finding:
    part = "Outbox"
    waiting = select(func.count()).select_from(Mail).where(Mail.status == Delivery.QUEUED)
    late = waiting.where(Mail.queued_at < now - STUCK)
    failed = select(func.count()).select_from(Mail).where(Mail.status == Delivery.FAILED)
    with database.reading() as session:
        counts = [session.execute(one).scalar_one() for one in (waiting, late, failed)]
        reason = session.execute(
            select(Mail.error).where(Mail.error.is_not(None)).order_by(Mail.next_at.desc()).limit(1)
        ).scalar_one_or_none()
    if counts[1]:
        return Finding(
            part,
            State.WRONG,
            f"{counts[1]} mails wait for more than 15 minutes. {reason or ''}".strip(),
            "Is the product running, and does TARAZU_SMTP_URL reach the mail server?",
        )
    if counts[2]:
        cure = "Look at Delivery in the clients' advice history, and send them again there."
        return Finding(part, State.LOOK, f"{counts[2]} mails were given up. {reason or ''}", cure)
    return Finding(part, State.FINE, f"{counts[0]} mails wait, none for long.")


def _clock(database: Database, now: dt.datetime) -> Finding:
    with database.reading() as session:
        last = session.execute(select(func.max(audit_log.AuditRow.at))).scalar_one_or_none()
    if last is not None and last - now > CLOCK_AHEAD:
        return Finding(
            "Clock",
            State.WRONG,
            f"The last row of the audit trail is {last - now} ahead of this computer's clock.",
            "Set the clock by a time server (NTP).",
        )
    return Finding("Clock", State.FINE, f"It is {now:%Y-%m-%d %H:%M} UTC; nothing is from later.")


def _timed_work(database: Database, now: dt.datetime) -> Finding:
    part = "Timed work"
    with database.reading() as session:
        known = jobs.all_due(session)
    # Some work is done for each machine by itself: the newest tells, as machines come and go.
    newest = {one.kind: one for one in sorted(known, key=lambda one: one.due_at)}
    late = [one for one in newest.values() if one.due_at < now - LATE]
    if late:
        told = ", ".join(f"{one.kind} since {one.due_at:%Y-%m-%d %H:%M} UTC" for one in late)
        cure = "Start `tarazu serve` or `tarazu worker`; look for job_failed in its log."
        return Finding(part, State.WRONG, f"It is late: {told}.", cure)
    failed = [one for one in newest.values() if one.error]
    if failed:
        told = ", ".join(f"{one.kind} ({one.error})" for one in failed)
        cure = "It is tried again within five minutes; look for job_failed in the log."
        return Finding(part, State.LOOK, f"It failed the last time: {told}.", cure)
    return Finding(part, State.FINE, f"{len(newest)} kinds of timed work, none is late.")


def _angel(database: Database, settings: Settings) -> Iterator[Finding]:
    """With Angel One alone, which takes calls from the addresses registered with it."""
    part = "Angel One"
    try:
        with database.reading() as session:
            is_used = any(one.name == BrokerName.ANGEL_ONE for one in brokers.list_brokers(session))
    except SQLAlchemyError as error:
        yield Finding(part, State.WRONG, f"It cannot be read: {_reason_of(error)}.")
        return
    if is_used and not settings.angel_public_ip:
        cure = "Set TARAZU_ANGEL_PUBLIC_IP to the fixed address that is registered with Angel One."
        told = "This server's public address is not set: calls bear its local one."
        yield Finding(part, State.LOOK, told, cure)
    elif is_used:
        told = f"Calls bear the public address {settings.angel_public_ip}."
        yield Finding(part, State.FINE, told)


def _daily_close(database: Database, now: dt.datetime) -> Finding:
    part = "Daily close"
    with database.reading() as session:
        due = closing.due_days(session, now) if people.has_clients(session) else []
    late = [day for day in due if now - dt.datetime.combine(day, closing.AFTER) > LATE]
    if not late:
        return Finding(part, State.FINE, "Every day that is over is closed.")
    days = ", ".join(f"{day:%d-%m-%Y}" for day in late[-MOST_NAMED:])
    return Finding(
        part,
        State.LOOK,
        f"The daily close of {days} has not run.",
        f"`tarazu close-day --date {late[-1]}` closes a day, or says why it cannot be closed.",
    )


def _prices_folder(settings: Settings) -> Finding:
    part, folder = "Price folder", settings.prices_folder
    if not folder:
        return Finding(part, State.FINE, "TARAZU_PRICES_FOLDER is not set: no folder is watched.")
    if not Path(folder).is_dir():
        cure = "Create it, or correct TARAZU_PRICES_FOLDER."
        return Finding(part, State.WRONG, f"{folder} is not a folder.", cure)
    if not os.access(folder, os.R_OK | os.X_OK):
        cure = "Let the account that runs the product read it."
        return Finding(part, State.WRONG, f"{folder} cannot be read.", cure)
    return Finding(part, State.FINE, f"{folder} is watched for files of closing prices.")


def _price_files(database: Database) -> Finding:
    part = "Price files"
    with database.reading() as session:
        refused = prices.last_refused_file(session)
    if refused is None:
        return Finding(part, State.FINE, "No file of closing prices was refused last.")
    text_of = f"{refused.name} was refused: {refused.problem}"
    return Finding(part, State.LOOK, text_of, "Put the right file into the folder.")


def _audit(database: Database, settings: Settings) -> Finding:
    with database.reading() as session:
        found = audit.verify(session, settings.audit_heads_file)
    if found.fault is not None:
        cure = "Keep everything as it is, and compare with the last backup."
        return Finding("Audit trail", State.WRONG, found.message, cure)
    return Finding("Audit trail", State.FINE, f"{found.rows} rows, each as it was written.")


def _data_directory(settings: Settings) -> Finding:
    part, path = "Data directory", settings.data_dir
    if path.is_dir() and stat.S_IMODE(path.stat().st_mode) & 0o077:
        return Finding(
            part, State.LOOK, f"Other accounts of this machine can look into {path}.",
            f"chmod 700 {path}",
        )  # fmt: skip
    return Finding(part, State.FINE, f"{path} is its owner's alone.")


def _keys_file(settings: Settings) -> Finding:
    part = "Key file"
    if settings.secrets_keys:
        return Finding(part, State.FINE, "The keys come from TARAZU_SECRETS_KEYS.")
    path = encryption.key_file(settings.data_dir)
    if not path.is_file():
        cure = "Put it back from where you keep it, or start an empty installation once."
        return Finding(part, State.WRONG, f"{path} is missing.", cure)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return Finding(part, State.WRONG, f"Others can read {path}.", f"chmod 600 {path}")
    return Finding(
        part, State.FINE, f"{path} is its owner's alone. Keep a copy apart from the backups."
    )


def _disk(settings: Settings) -> Finding:
    place = next(
        one for one in (settings.data_dir, *settings.data_dir.resolve().parents) if one.exists()
    )
    usage = shutil.disk_usage(place)
    text_of = f"{usage.free / 2**30:.1f} GB of {usage.total / 2**30:.1f} GB are free."
    if usage.free < LEAST_FREE or usage.free < LEAST_FREE_SHARE * usage.total:
        return Finding("Disk", State.WRONG, text_of, FREE_SPACE)
    return Finding("Disk", State.FINE, text_of)


def _public_url(settings: Settings) -> Finding:
    part = "Public URL"
    if not settings.public_url:
        cure = "Set TARAZU_PUBLIC_URL to the address that people use: links in mails begin with it."
        return Finding(part, State.LOOK, "It is not set.", cure)
    if not settings.is_https and urlsplit(settings.public_url).hostname not in {
        "localhost",
        "127.0.0.1",
    }:
        cure = "Serve it by https: passwords and tokens travel in the open otherwise."
        return Finding(part, State.WRONG, f"{settings.public_url} is not https.", cure)
    return Finding(part, State.FINE, settings.public_url)


def _mail_server(settings: Settings) -> Finding:
    part = "Mail"
    if not settings.smtp_url:
        cure = "Set TARAZU_SMTP_URL; without it nothing reaches a client."
        return Finding(part, State.LOOK, f"Mails are written to {settings.outbox_dir}.", cure)
    server = urlsplit(settings.smtp_url)
    host = server.hostname or "localhost"
    port = server.port or (465 if server.scheme == "smtps" else 587)
    try:
        if server.scheme == "smtps":
            with smtplib.SMTP_SSL(host, port, timeout=REACHED_WITHIN) as smtp:
                smtp.noop()
        else:
            with smtplib.SMTP(host, port, timeout=REACHED_WITHIN) as smtp:
                smtp.noop()
    except (OSError, smtplib.SMTPException) as error:
        reason = " ".join(str(error).split())
        cure = "Is TARAZU_SMTP_URL right, and may this computer reach it?"
        return Finding(part, State.WRONG, f"{host}:{port} does not answer: {reason}", cure)
    return Finding(part, State.FINE, f"{host}:{port} answers.")


def _redis(settings: Settings) -> Finding:
    part = "Redis"
    if not settings.redis_url:
        return Finding(part, State.FINE, "It is not used: one process serves.")
    server = urlsplit(settings.redis_url)
    place = (server.hostname or "localhost", server.port or 6379)
    try:
        with socket.create_connection(place, REACHED_WITHIN):
            pass
    except OSError as error:
        cure = "The product goes on without it, each process by itself; is TARAZU_REDIS_URL right?"
        return Finding(part, State.LOOK, f"{place[0]}:{place[1]} does not answer: {error}", cure)
    return Finding(part, State.FINE, f"{place[0]}:{place[1]} answers.")


def _backups(settings: Settings, now: dt.datetime) -> Finding:
    part = "Backups"
    if not settings.backup_dir or settings.backup_hours == 0:
        cure = "Set TARAZU_BACKUP_DIR to a folder, best on another disk, or run `tarazu backup`."
        return Finding(part, State.LOOK, "None are made by themselves.", cure)
    made = backups.made_before(Path(settings.backup_dir))
    if not made:
        cure = "Is the product running, and may it write there?"
        return Finding(part, State.WRONG, f"There is none in {settings.backup_dir}.", cure)
    age = now - dt.datetime.fromtimestamp(made[-1].stat().st_mtime, dt.UTC)
    told = (
        f"{len(made)} in {settings.backup_dir}, the newest {age.total_seconds() / 3600:.1f} h old."
    )
    if age > 2 * dt.timedelta(hours=settings.backup_hours):
        return Finding(part, State.WRONG, told, "Look for job_failed with backups in the log.")
    if not settings.backup_passphrase:
        cure = "Set TARAZU_BACKUP_PASSPHRASE: whoever gets the file reads your clients' records."
        return Finding(part, State.LOOK, told, cure)
    return Finding(part, State.FINE, told)


Say = Callable[[str], object]


def report(settings: Settings, now: dt.datetime, say: Say) -> int:
    """Tell of every part; how many are wrong."""
    wrong = 0
    for found in look(settings, now):
        wrong += found.state is State.WRONG
        say(f"{found.state:<6} {found.part}: {found.text}")
        if found.cure:
            say(f"{'':<6} -> {found.cure}")
    return wrong
